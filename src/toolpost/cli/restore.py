"""`toolpost restore`: restore a backup, also into another kind of store."""

import argparse
from pathlib import Path

from .backup import STORE, summary
from .exit_codes import OK
from .shared.arguments import Argument
from .shared.backup_progress import shown_progress
from .shared.formats import moment
from .shared.output import say
from .shared.workspace import open_workspace

HELP = "restore a backup, also into another kind of store"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("file", metavar="FILE", help="a file from `toolpost backup`").add_to(parser)
    STORE.add_to(parser)
    Argument(
        "--replace", action="store_true", help="delete what the store holds and put the backup in its place"
    ).add_to(parser)
    Argument("--check", action="store_true", help="only check that the backup is whole").add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.store.backup import check_backup, restore_backup
    from toolpost.workspace import outputs_folder

    file, workspace = Path(args.file), open_workspace({"store": args.store})
    with shown_progress("check" if args.check else "restore") as progress:
        if args.check:
            manifest = check_backup(file, progress)
        else:
            manifest = restore_backup(
                file, workspace.config.store or "sqlite", outputs_folder(), progress, replace=args.replace
            )
    done = "is whole" if args.check else "is restored"
    say(f"{file} {done}: {summary(manifest)}, from {moment(manifest.created)}")
    return OK
