"""`toolpost trust`: trust a folder's own settings, tools and servers, list trusted folders, revoke trust."""

import argparse
import sys
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from toolpost.types.errors import ToolpostError
from toolpost.types.text import counted

from .exit_codes import FAILED, OK
from .shared.arguments import JSON, YES, Argument
from .shared.formats import at_home, size
from .shared.language import shown
from .shared.output import confirm, say, say_json, say_on_stderr
from .shared.tables import TextTable, bold, plain
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.guard.trust import FolderTrust, Trust
    from toolpost.workspace import Workspace

HELP = "trust a folder's own settings, tools, servers, agents and skills"

_ENV_STATES = {
    "none": "there is no .env and no .env.local",
    "read": "the .env files are read",
    "declined": "the .env files are not read",
    "unknown": "the .env files are not read",
    "changed": "the .env files have changed and are not read",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = (
        "Trust holds for the content of the files: when a file changes, you are asked again.\n"
        "Read the files first: their tools and servers run with your permissions."
    )
    YES.add_to(parser)
    Argument("--revoke", action="store_true", help="stop trusting this folder").add_to(parser)
    Argument(
        "--env", action="store_true", help="read keys and addresses from .env and .env.local of this folder"
    ).add_to(parser)
    Argument("--list", action="store_true", help="list the trusted folders").add_to(parser)
    JSON.add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.guard.trust import Trust, TrustError

    workspace = open_workspace()
    trust = Trust.of_user(workspace.environ)
    if args.list:
        return _list(trust, args)
    if args.env:
        return _env(workspace, args)
    action = _revoke if args.revoke else _give
    try:
        return max(action(trust, root, args) for root in workspace.roots)
    except TrustError as error:
        raise ToolpostError(str(error)) from error


def _env(workspace: "Workspace", args: argparse.Namespace) -> int:
    """`.env` and `.env.local` on their own: who trusts a folder's tools need not want its keys."""
    from .shared.env_files import describe, give, question

    found = workspace.env_files
    if args.revoke:
        give(workspace, accepted=False)
    elif args.yes and found.state not in ("none", "read"):
        if not args.json:
            describe(workspace, say)
        give(workspace, accepted=True)
    elif found.state not in ("none", "read") and not args.json:
        describe(workspace, say)
        without = "standard input is not a terminal: add --yes to read these files"
        if not sys.stdin.isatty():
            say_on_stderr(without)
            return FAILED
        give(workspace, accepted=confirm(question(found), without_terminal=without))
    state = workspace.env_files.state
    if args.json:
        names = workspace.env_files.names
        say(msgspec.json.encode({"folder": str(workspace.project), "state": state, "files": names}).decode())
    else:
        say(shown(f"{at_home(workspace.project)}: {_ENV_STATES[state]}"))
    return OK if args.revoke or state in ("none", "read") else FAILED


def _list(trust: "Trust", args: argparse.Namespace) -> int:
    folders = trust.folders()
    if args.json:
        rows = [
            {"folder": folder, "time": when, "state": trust.standing(Path(folder)).state} for folder, when in folders
        ]
        say_json(rows)
        return OK
    if not folders:
        say("no folder is trusted; to trust one, run in it: toolpost trust")
        return OK
    with TextTable("FOLDER", "SINCE", "STATE") as table:
        for folder, when in folders:
            since = datetime.fromtimestamp(when).strftime("%Y-%m-%d %H:%M")
            table.row(at_home(folder), since, trust.standing(Path(folder)).state)
    return OK


def _revoke(trust: "Trust", root: Path, args: argparse.Namespace) -> int:
    was_trusted = trust.take_back(root)
    if args.json:
        _say_standing(root, trust.standing(root))
        return OK
    say(f"{at_home(root)} is no longer trusted" if was_trusted else f"{at_home(root)} was not trusted")
    return OK


def _give(trust: "Trust", root: Path, args: argparse.Namespace) -> int:
    standing = trust.standing(root)
    if standing.problem:
        say_on_stderr(standing.problem)
        return FAILED
    if args.json:
        return _give_silently(trust, root, standing, args)
    if standing.state == "empty":
        say(f"{at_home(root)} has nothing that needs trust")
        return OK
    if standing.state == "trusted":
        say(f"{at_home(root)} is already trusted")
        return OK
    _show(root, standing)
    if not args.yes and not confirm(
        f"trust {plain(at_home(root))}?",
        without_terminal="standard input is not a terminal: add --yes to trust this folder",
    ):
        return FAILED
    trust.give(root, standing)
    say(f"{at_home(root)} is now trusted")
    return OK


def _give_silently(trust: "Trust", root: Path, standing: "FolderTrust", args: argparse.Namespace) -> int:
    """A program that does not say --yes only learns how the folder stands."""
    if args.yes and not standing.trusted:
        standing = trust.give(root, standing)
    _say_standing(root, standing)
    return OK if standing.trusted else FAILED


def _say_standing(root: Path, standing: "FolderTrust") -> None:
    """On one line, because there may be two folders."""
    say(msgspec.json.encode({"folder": str(root), "state": standing.state, "files": standing.files}).decode())


def _show(root: Path, standing: "FolderTrust") -> None:
    changed = set(standing.changed)
    say(f"{bold(plain(at_home(root)))} contains:")
    for name in sorted({*standing.files, *changed}):
        path = root / name
        mark = "  changed" if name in changed else ""
        say(f"  {plain(name)} ({_kind(path)}){mark}")
    say(f"{counted(len(standing.files), 'file')}. Read them first: their tools and servers run with your permissions.")


def _kind(path: Path) -> str:
    if path.is_symlink():
        return f"a link to {path.readlink()}"
    return size(path.stat().st_size) if path.is_file() else "deleted"
