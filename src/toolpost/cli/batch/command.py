"""`toolpost batch prompts.jsonl`: run many prompts side by side, and write their results as JSON lines."""

import argparse
import asyncio
import sys
from pathlib import Path

from toolpost.cli.exit_codes import EXIT_CODES
from toolpost.cli.shared.arguments import (
    add_limit_arguments,
    add_model_arguments,
    add_tool_arguments,
    positive_integer,
    positive_number,
)

HELP = "run many prompts side by side, and write their results as JSON lines"
CONCURRENCY, CONCURRENCY_OF_ENGINE = 4, 100


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "exit status:\n" + "\n".join(f"  {code:<5} {meaning}" for code, meaning in EXIT_CODES.items())
    parser.add_argument(
        "items",
        type=Path,
        metavar="FILE",
        help='JSON lines: a prompt in quotes, or an object with "prompt", "id", "model"…; - reads standard input',
    )
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FILE", help="add the results to this file (default: stdout)"
    )
    parser.add_argument(
        "--name", help="the name of the batch, under which its runs are found again (default: --output)"
    )
    parser.add_argument(
        "--concurrency",
        type=positive_integer,
        metavar="N",
        help=f"prompts at a time (default: {CONCURRENCY}, and {CONCURRENCY_OF_ENGINE} through an engine)",
    )
    parser.add_argument("--retry-failed", action="store_true", help="run again what failed before")
    parser.add_argument("-q", "--quiet", action="store_true", help="show no progress")
    parser.add_argument(
        "--output-schema", type=Path, metavar="FILE", help="answer with JSON that is valid for this JSON Schema"
    )
    parser.add_argument(
        "--files",
        type=Path,
        default=Path(),
        metavar="FOLDER",
        help="the folder that the files of items are in (default: the current one)",
    )
    add_model_arguments(parser)
    add_tool_arguments(parser)
    add_limit_arguments(parser)
    whole = parser.add_argument_group("limits of the batch")
    whole.add_argument("--max-failures", type=positive_integer, metavar="N", help="stop after so many failed")
    whole.add_argument(
        "--max-total-cost", type=positive_number, metavar="USD", help="stop once all together cost so much"
    )
    where = parser.add_argument_group("where they run")
    place = where.add_mutually_exclusive_group()
    place.add_argument("--engine", metavar="URL", help="let workers run them (default: `url` in [engine])")
    place.add_argument("--here", action="store_true", help="run them in this process, although there is an engine")
    where.add_argument(
        "--detach", action="store_true", help="only submit them to the engine; the same command without it collects"
    )
    # Each prompt has a session of its own.
    parser.set_defaults(session=None, newest=False, title="", no_store=False)


def run(args: argparse.Namespace) -> int:
    # Imported here, so that `--help` waits for nothing.
    from .batch import Batch
    from .items import ItemFile

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    with ItemFile(args.items) as items:
        return asyncio.run(Batch(args, items).go())
