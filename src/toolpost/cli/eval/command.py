"""`toolpost eval`: measure how well models call tools, and write a report."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK, STOPPED
from toolpost.cli.shared.arguments import JSON, positive_integer
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.output import say, say_json
from toolpost.cli.shared.tables import TextTable
from toolpost.cli.shared.workspace import run_in_workspace
from toolpost.evals.cases import CATEGORIES
from toolpost.evals.variants import MODES

if TYPE_CHECKING:
    from toolpost.evals.report_content import EvalReport

HELP = "measure how well models call tools, and write a report"
OUT = "toolpost-eval"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("models", nargs="*", metavar="MODEL", help="provider/model (default: the configured model)")
    parser.add_argument(
        "--set", type=Path, metavar="PATH", help="a JSONL file of cases, or a folder with tools.json and cases.jsonl"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=Path(OUT),
        metavar="FOLDER",
        help=f"the folder for results and report (default: {OUT})",
    )
    parser.add_argument("--report", type=Path, metavar="FOLDER", help="only write the report of these results again")
    JSON.add_to(parser)
    ways = parser.add_argument_group("what to compare")
    ways.add_argument(
        "--mode", action="append", choices=MODES, default=[], help="how the model is asked for calls; can be repeated"
    )
    ways.add_argument(
        "--dialect", action="append", default=[], metavar="ID", help="the dialect of prompted calls; can be repeated"
    )
    ways.add_argument("--grammar", choices=("on", "off", "both"), help="constrain prompted calls with a grammar")
    cases = parser.add_argument_group("cases")
    cases.add_argument(
        "--category", action="append", choices=CATEGORIES, default=[], help="only this category; can be repeated"
    )
    cases.add_argument(
        "--language", action="append", default=[], metavar="TAG", help="only this language, en or zh; can be repeated"
    )
    cases.add_argument("--limit", type=positive_integer, metavar="N", help="only N cases, spread evenly")
    how = parser.add_argument_group("execution")
    how.add_argument(
        "--concurrency", type=positive_integer, metavar="N", help="cases at a time (default: 4; 1 for local models)"
    )
    again = how.add_mutually_exclusive_group()
    again.add_argument("--resume", action="store_true", help="continue with the results in --out (default)")
    again.add_argument("--fresh", action="store_true", help="delete the results in --out and start again")


def run(args: argparse.Namespace) -> int:
    # Imported here, so that `--help` does not wait for models and reports.
    from toolpost.evals.report import write_report

    from .evaluation import evaluate

    folder: Path = args.report or args.out
    status = OK if args.report else run_in_workspace(lambda workspace: evaluate(workspace, args))
    if status == STOPPED:
        return status
    report = write_report(folder)
    if args.json:
        say_json({"set": report.header, "variants": report.summaries})
    else:
        _show(report, folder)
    return status


def _show(report: "EvalReport", folder: Path) -> None:
    """Every metric of every variant, side by side, then times, and where the rest is."""
    # Imported here for the same reason.
    from toolpost.evals.report import PAGE
    from toolpost.evals.report_content import interval, label, percent, seconds
    from toolpost.evals.results import METRICS

    with TextTable("METRIC", "VARIANT", "VALUE", "95 % INTERVAL", "OF", right=("VALUE",)) as table:
        for metric in METRICS:
            for place, one in enumerate(one for one in report.summaries if metric in one.shares):
                share = one.shares[metric]
                cells = percent(share.rate), f"{interval(share)} %", f"{share.hits} of {share.count}"
                table.row("" if place else label(metric), one.variant.name, *cells)
        for name, figure in _TIMES.items():
            for place, one in enumerate(report.summaries):
                table.row("" if place else name, one.variant.name, seconds(getattr(one, figure)), "", "")
    say()
    say(f"report: {at_home(folder / PAGE)}")


_TIMES = {"first event": "first_median", "whole turn": "turn_median", "turn, 95 %": "turn_p95"}
