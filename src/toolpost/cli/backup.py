"""`toolpost backup`: back up all sessions into one file, also while a server runs."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost import __version__

from .exit_codes import OK
from .shared.arguments import Argument
from .shared.backup_progress import shown_progress
from .shared.formats import size
from .shared.output import say
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.store.backup import Manifest

HELP = "back up all sessions into one file, also while a server runs"
STORE = Argument(
    "--store",
    metavar="STORE",
    help="a database file or postgresql://… (default: `store` in the configuration)",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("file", metavar="FILE", help="the file to write, such as toolpost-2026-01-31.zip").add_to(parser)
    STORE.add_to(parser)
    Argument("--replace", action="store_true", help="write in the place of a file that is there").add_to(parser)


def run(args: argparse.Namespace) -> int:
    from toolpost.store.backup import write_backup
    from toolpost.workspace import outputs_folder

    file, workspace = Path(args.file), open_workspace({"store": args.store})
    with shown_progress("backup") as progress:
        store = workspace.config.store or "sqlite"
        manifest = write_backup(store, outputs_folder(), file, progress, written_by=__version__, replace=args.replace)
    say(f"{file}: {summary(manifest)}, {size(file.stat().st_size)}")
    return OK


def summary(manifest: "Manifest") -> str:
    """`3 sessions, 12 messages, 1 long output`."""
    from toolpost.types.text import counted

    parts = [counted(manifest.rows("session"), "session"), counted(manifest.rows("message"), "message")]
    if manifest.outputs:
        parts.append(counted(len(manifest.outputs), "long output"))
    return ", ".join(parts)
