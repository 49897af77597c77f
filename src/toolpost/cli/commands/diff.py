"""`toolpost diff`: what the agent has changed in this project by now."""

import argparse

from toolpost.cli.exit_codes import OK

from . import Argument, open_workspace, say
from .undo import show, undo_in

HELP = "show what the agent has changed in this project"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    Argument("--session", metavar="ID", help="only what this session did").add_to(parser)


def run(args: argparse.Namespace) -> int:
    steps = [step for step in undo_in(open_workspace(), args.session).net() if step.before != step.after]
    show(steps)
    if not steps:
        say("nothing was changed by an agent here, or all of it was taken back")
    return OK
