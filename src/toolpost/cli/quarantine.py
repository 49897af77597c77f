"""`toolpost quarantine`: list, restore or delete files that were moved away because they would run later."""

import argparse
from typing import TYPE_CHECKING

from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.text import counted

from .exit_codes import FAILED, OK
from .shared.arguments import JSON, YES, Argument, Subcommands
from .shared.formats import ago, at_home
from .shared.output import confirm, say, say_json
from .shared.tables import TextTable, bold, plain
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.guard.quarantine import Quarantine, QuarantineBatch

HELP = "list, restore or delete files that were moved away because they would run later"
SHOWN_BYTES = 2_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    every = Argument("--all", action="store_true", help="files of every project")
    commands.add("list", "list the files, oldest first", every, JSON)
    named = Argument("id", metavar="ID", help="an id from `list`, or the beginning of one")
    commands.add("restore", "show files and move them back", named, YES)
    optional = Argument("id", metavar="ID", nargs="?", help="an id from `list`, or the beginning of one")
    commands.add(
        "drop",
        "delete files for good",
        optional,
        Argument("--all", action="store_true", help="all files of this project"),
    )


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
        say("the quarantine is empty" if args.all else "the quarantine has no files of this project")
        return OK
    with TextTable("ID", "WHEN", *(("PROJECT",) if args.all else ()), "FILES") as table:
        for batch in batches:
            place = (at_home(batch.project),) if args.all else ()
            table.row(batch.id, ago(batch.time), *place, ", ".join(_names(batch)))
    return OK


def _restore(quarantine: "Quarantine", args: argparse.Namespace) -> int:
    batch = quarantine.get(args.id)
    _show(quarantine, batch)
    if not args.yes and not confirm(
        "restore it? It will run as you.", without_terminal="standard input is not a terminal: add --yes to restore it"
    ):
        return FAILED
    done = quarantine.restore(batch)
    say(f"{counted(len(done), 'file')} restored")
    return OK


def _drop(quarantine: "Quarantine", args: argparse.Namespace) -> int:
    if bool(args.id) == args.all:
        raise ConfigError(
            "nothing to delete is given: use toolpost quarantine drop ID, or --all for all files of this project"
        )
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
