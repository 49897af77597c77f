"""`toolpost redo`: redo what was undone last."""

import argparse

from . import undo

HELP = "redo what was undone"
add_arguments = undo.add_arguments


def run(args: argparse.Namespace) -> int:
    return undo.undo_or_redo(args, "redo")
