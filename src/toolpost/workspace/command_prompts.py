"""Make the prompt of a Markdown command, with its shell commands and files, in a session."""

import os
from pathlib import Path

from toolpost.definitions.commands import CommandFile, expand
from toolpost.engine.session import Session
from toolpost.types.errors import ToolpostError


async def prompt_from(command: CommandFile, arguments: str, session: Session, folder: Path) -> str:
    """What the command says. Its shell commands and files are calls of the session's tools, with its permissions."""

    async def shell(line: str) -> str:
        return await _called(session, "bash", {"command": line}, f"!`{line}`")

    async def file(path: str) -> str | None:
        # Where nothing may be read, it is not told either what is there.
        if session.offers("read") and not _is_there(folder, path):
            return None
        return await _called(session, "read", {"path": path}, f"@{path}")

    return await expand(command, arguments, shell=shell, file=file)


def _is_there(folder: Path, path: str) -> bool:
    return (folder / os.path.expanduser(path)).exists()  # noqa: PTH111 - Path's raises for the ~ of nobody


async def _called(session: Session, tool: str, arguments: dict[str, str], what: str) -> str:
    outcome = await session.call(tool, arguments)
    if outcome.error_kind is not None:
        raise ToolpostError(f"{what} in the command: {outcome.text}")
    return outcome.text
