"""Where a folder's own servers stand for `toolpost mcp`, and whether they may be started."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from toolpost.guard.trust import Trust
from toolpost.mcp.config import PROJECT_FILE, McpServer, first_state
from toolpost.workspace import Workspace


@contextmanager
def keeping_trust(workspace: Workspace) -> Generator[None]:
    """What a person changes with a command of ours needs no second word: a trusted folder stays so."""
    trust = Trust.of_user(workspace.environ)
    trusted = trust.standing(workspace.project).trusted
    yield
    if trusted:
        trust.give(workspace.project)


def state_of(server: McpServer, *, trusted: bool) -> str:
    """How a server is before it is started, for a person."""
    state = first_state(server, trusted=trusted)
    return {"failed": f"broken: {server.problem}", "connecting": "on"}.get(state, state)


def project_path(workspace: Workspace) -> Path:
    return workspace.project / PROJECT_FILE
