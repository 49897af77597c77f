"""Ask once whether the project's `.env` files may be read, and say what is used of them."""

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolpost.config.env_files import (
    ACCOUNTS_VARIABLE,
    UNUSED,
    EnvFiles,
    accept,
    decline,
    is_used,
    may_set,
    shown_value,
)
from toolpost.guard.trust import TrustError
from toolpost.types.errors import ToolpostError
from toolpost.types.text import counted
from toolpost.view.cells import width

from .formats import at_home
from .language import shown
from .tables import bold, plain

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

COMMAND = "toolpost trust --env"


def ask_or_say(workspace: "Workspace", tell: Callable[[str], None], *, has_person: bool) -> None:
    """Where files with variables of ours were neither accepted nor declined: ask the person, or tell what to do."""
    found = workspace.env_files
    if found.state not in ("unknown", "changed") or not found.used(workspace.process_environ):
        return
    if not has_person:
        tell(f"{notice(found)}: {COMMAND}")
        return
    describe(workspace, _say)
    _say(f"{question(found)} [y/N] ", end="")
    give(workspace, accepted=_said_yes(sys.stdin.readline()))


def describe(workspace: "Workspace", say: Callable[[str], None]) -> None:
    """What the files hold: names and addresses, and no secret."""
    for file in workspace.env_files.files:
        say(shown(f"{bold(plain(at_home(workspace.project / file.name)), sys.stderr)} has:"))
        longest = max(map(width, map(plain, file.values)), default=0)
        for name, value in file.values.items():
            about = _about(name, value, is_set=name in workspace.process_environ)
            say(f"  {plain(name)}{' ' * (longest - width(plain(name)))}  {plain(about)}".rstrip())
        for number in file.bad_lines:
            say(shown(f"  line {number} is not NAME=value and is left out"))


def say_accounts_are_off(workspace: "Workspace", tell: Callable[[str], None]) -> None:
    """For a server: who wrote into a file that people log in must know that they do not."""
    found = workspace.env_files
    wanted = found.values.get(ACCOUNTS_VARIABLE, "").strip().lower() if found.state not in ("none", "read") else ""
    if wanted in ("true", "1", "yes", "on") and not workspace.config.server.accounts:
        tell(
            shown(f"accounts are off: {_names(found)} sets {ACCOUNTS_VARIABLE} and is not read; to read it: {COMMAND}")
        )


def notice(found: EnvFiles) -> str:
    """Why the files are not read."""
    if found.state == "changed":
        return f"{_names(found)} changed since you allowed it, and is not read"
    return f"{_names(found)} is not read before you say so"


def question(found: EnvFiles) -> str:
    return shown(f"use {_names(found)} for keys and addresses? Commands that tools run do not get them.")


def give(workspace: "Workspace", *, accepted: bool) -> None:
    """Keep the answer, and use the files from now on or not."""
    try:
        if accepted:
            accept(workspace.project, workspace.process_environ, workspace.env_files)
        else:
            decline(workspace.project, workspace.process_environ)
    except TrustError as error:
        raise ToolpostError(str(error)) from error
    workspace.read_env_files()


def summary(workspace: "Workspace") -> str:
    """For `toolpost doctor`: how many variables are used, and which known ones are not."""
    found = workspace.env_files
    used = [name for name in found.values if is_used(name)]
    text = f"{_names(found)}: {counted(len(used), 'variable')} used"
    return f"{text}; not used: {', '.join(found.unused())}" if found.unused() else text


def _about(name: str, value: str, *, is_set: bool) -> str:
    if name in UNUSED:
        return shown(f"not used: {UNUSED[name]}")
    if not may_set(name):
        is_ours = name.upper().startswith("TOOLPOST_")
        return shown("not used: set it in the environment or the configuration") if is_ours else ""
    if not is_used(name):
        return ""
    if not value:
        return shown("not used: it is empty")
    if is_set:
        return shown("not used: the environment has another value")
    if not value:
        return shown("empty")
    return shown_value(name, value) or shown("used")


def _names(found: EnvFiles) -> str:
    return " and ".join(found.names)


def _say(text: str, end: str = "\n") -> None:
    """On stderr: stdout may be a pipe that waits for the answer."""
    sys.stderr.write(f"{text}{end}")
    sys.stderr.flush()


def _said_yes(answer: str) -> bool:
    if not answer.endswith("\n"):
        _say("")
    return answer.strip().lower() in ("y", "yes", "是")
