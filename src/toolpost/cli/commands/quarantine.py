"""`toolpost quarantine`: what a command made that would run later, listed, put back or deleted."""

import argparse
import sys
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.formats import ago, at_home
from toolpost.cli.shared.tables import Table, bold, plain
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.plurals import counted

from . import JSON, Argument, Subcommands, complain, open_workspace, say, say_json

if TYPE_CHECKING:
    from toolpost.guard.quarantine import Quarantine, QuarantineBatch

HELP = "list, put back or delete what was taken away because it would run later"
SHOWN_BYTES = 2_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    every = Argument("--all", action="store_true", help="of every project")
    commands.add("list", "list what is kept, the oldest first", every, JSON)
    named = Argument("id", metavar="ID", help="the id that `list` shows, or the beginning of it")
    yes = Argument("-y", "--yes", action="store_true", help="do it without asking")
    commands.add("restore", "show it, and put it back where it was", named, yes)
    optional = Argument("id", metavar="ID", nargs="?", help="the id that `list` shows, or the beginning of it")
    commands.add("drop", "delete it", optional, Argument("--all", action="store_true", help="all of this project"))


def run(args: argparse.Namespace) -> int:
    from toolpost.guard.quarantine import Quarantine, QuarantineError

    everywhere = args.action == "list" and args.all
    quarantine = Quarantine(None if everywhere else open_workspace().project.resolve())
    actions = {"list": _list, "restore": _restore, "drop": _drop}
    try:
        return actions[args.action](quarantine, args)
    except QuarantineError as error:
        raise ToolpostError(str(error)) from error


def _list(quarantine: "Quarantine", args: argparse.Namespace) -> int:
    batches = quarantine.batches()
    if args.json:
        say_json([_facts(batch) for batch in batches])
        return OK
    if not batches:
        say("nothing is kept" if args.all else "nothing of this project is kept")
        return OK
    with Table("ID", "WHEN", *(("PROJECT",) if args.all else ()), "FILES") as table:
        for batch in batches:
            place = (at_home(batch.project),) if args.all else ()
            table.row(batch.id, ago(batch.time), *place, ", ".join(_names(batch)))
    return OK


def _restore(quarantine: "Quarantine", args: argparse.Namespace) -> int:
    batch = quarantine.get(args.id)
    _show(quarantine, batch)
    if not args.yes and not _agreed():
        return FAILED
    done = quarantine.restore(batch)
    say(f"{counted(len(done), 'file')} put back")
    return OK


def _drop(quarantine: "Quarantine", args: argparse.Namespace) -> int:
    if bool(args.id) == args.all:
        raise ConfigError("say which one: toolpost quarantine drop ID, or --all for everything of this project")
    for batch in quarantine.batches() if args.all else [quarantine.get(args.id)]:
        quarantine.drop(batch)
        say(f"deleted {batch.id}  {plain(', '.join(_names(batch)))}")
    return OK


def _show(quarantine: "Quarantine", batch: "QuarantineBatch") -> None:
    """Each file with what acts in it, and how it begins."""
    for name, item in zip(_names(batch), batch.items, strict=True):
        say(f"{bold(plain(name))} ({item.kind})")
        for setting, value in item.settings:
            say(f"  {plain(setting)}{plain(f' = {value}') if value else ''}")
        text = quarantine.content(batch, item, SHOWN_BYTES).decode(errors="replace")
        for line in text.splitlines():
            say(f"  | {plain(line)}")


def _agreed() -> bool:
    if not sys.stdin.isatty():
        complain("say --yes to put it back without being asked")
        return False
    return input("put this back? It runs as you. [y/N] ").strip().lower() in ("y", "yes")


def _names(batch: "QuarantineBatch") -> list[str]:
    paths = [item.path for item in batch.items]
    inside = f"{batch.project}/"
    return [path.removeprefix(inside) for path in paths]


def _facts(batch: "QuarantineBatch") -> dict[str, object]:
    items = [
        {"path": plain(item.path), "kind": item.kind, "settings": [list(pair) for pair in item.settings]}
        for item in batch.items
    ]
    return {"id": batch.id, "project": plain(str(batch.project)), "time": batch.time, "files": items}
