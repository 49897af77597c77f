"""`toolpost redo`: make again what was taken back last."""

import argparse

from . import undo

HELP = "make again what was taken back"
add_arguments = undo.add_arguments


def run(args: argparse.Namespace) -> int:
    return undo.turn_back(args, "redo")
