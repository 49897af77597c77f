"""`toolpost trace`: show every stage of a run with its time."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.arguments import JSON
from toolpost.cli.shared.find_by_id import ID_HELP, find_session
from toolpost.cli.shared.formats import moment, short_id
from toolpost.cli.shared.output import JsonList, say
from toolpost.cli.shared.tables import bold, coloured, dim, plain, plain_lines
from toolpost.cli.shared.workspace import redactor_of, run_in_workspace
from toolpost.types.errors import ToolpostError
from toolpost.types.text import counted
from toolpost.view.cells import fit

if TYPE_CHECKING:
    from toolpost.store.contract import SessionInfo
    from toolpost.workspace import Workspace

    from .stages import RunTrace, Stage, WhyHidden

HELP = "show every stage of a run with its time: requests, calls, permissions, results"
RAW_CELLS = 110
INDENT = " " * 22


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("session", metavar="SESSION", nargs="?", default="latest", help=f"{ID_HELP} (default)")
    parser.add_argument(
        "--run", type=_run_number, default=-1, metavar="N", help="the number of a run, or `all` (default: the last run)"
    )
    parser.add_argument("--full", action="store_true", help="do not shorten texts, arguments, results and requests")
    JSON.add_to(parser)


def run(args: argparse.Namespace) -> int:
    return run_in_workspace(lambda workspace: _trace(workspace, args))


async def _trace(workspace: "Workspace", args: argparse.Namespace) -> int:
    # Imported here: `--help` needs nothing of it.
    from .stages import read_runs

    info = await find_session(workspace, args.session)
    runs = read_runs(workspace.store, info.id, redactor_of(workspace), _why_hidden(workspace, info))
    entries, count, last = JsonList(), 0, None
    async for one in runs:
        count, last = one.number, one
        if args.run in (None, one.number):
            _show(one, args, entries)
    if args.run == -1 and last is not None:
        _show(last, args, entries)
    if args.json:
        entries.end()
    elif not count:
        say(f"{short_id(info.id)} has no runs yet; to start one: toolpost run -s {short_id(info.id)} …")
    if args.run is not None and args.run > count:
        raise ToolpostError(f"{short_id(info.id)} has {counted(count, 'run')}; there is no run {args.run}")
    if args.run == -1 and count > 1 and not args.json:
        say(dim(f"\nthis is run {count} of {count}; for others: --run N or --run all"))
    return OK


def _why_hidden(workspace: "Workspace", info: "SessionInfo") -> "WhyHidden":
    """Why tools of this project are not offered. For a session of another project nothing can be said."""
    known: dict[str, str] = {}
    if info.folder == str(workspace.project):
        from toolpost.workspace.explain_permissions import ToolPermissions

        agent = info.agent if info.agent in workspace.agents else None
        outcomes = ToolPermissions(workspace, agent)
        reasons = {tool.name: outcomes.why_hidden(tool) for tool in workspace.tools}
        known = {name: why for name, why in reasons.items() if why}

    def why(offered: Sequence[str]) -> dict[str, str]:
        return {name: reason for name, reason in known.items() if name not in offered}

    return why


def _show(trace: "RunTrace", args: argparse.Namespace, entries: JsonList) -> None:
    if args.json:
        entries.add(trace)
        return
    say(f"{bold(f'run {trace.number}')}  {plain(trace.model)}  {moment(trace.started)}  {dim(trace.id)}")
    for stage in trace.stages:
        _say_stage(stage, full=args.full)


def _say_stage(stage: "Stage", *, full: bool) -> None:
    name = f"{stage.name:<10}"
    if stage.name in ("note", "hidden", "retry"):
        name = coloured(name, "yellow")
    at = f"+{stage.at:.3f} s"
    say(f"{at:>11} {name}{stage.text}")
    if full and stage.detail:
        for line in plain_lines(stage.detail).split("\n"):
            say(dim(f"{INDENT}{line}"))
    elif stage.name == "received" and stage.detail:
        say(dim(f"{INDENT}{fit(plain(stage.detail), RAW_CELLS)}"))


def _run_number(text: str) -> int | None:
    if text == "all":
        return None
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a number above 0 or `all`")
