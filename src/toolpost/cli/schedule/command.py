"""`toolpost schedule`: add, list, show, pause, resume, remove and fire schedules."""

import argparse
from contextlib import suppress
from typing import TYPE_CHECKING

from toolpost.cli.exit_codes import OK
from toolpost.cli.shared.arguments import JSON, Argument, Subcommands, positive_integer
from toolpost.cli.shared.find_by_id import find_session, only_id
from toolpost.cli.shared.formats import short_id
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.output import JsonList, say, say_json, say_on_stderr
from toolpost.cli.shared.tables import TextTable
from toolpost.cli.shared.workspace import redactor_of, run_in_workspace
from toolpost.types.errors import ConfigError, ToolpostError

if TYPE_CHECKING:
    from collections.abc import Callable

    from toolpost.schedules.edits import ScheduleFields
    from toolpost.schedules.records import Schedules
    from toolpost.schedules.schedule import Schedule
    from toolpost.workspace import Workspace

HELP = "run a prompt at certain times: add, list, show, pause, resume, remove schedules"
EMPTY = 'no schedules yet; to add one: toolpost schedule add "…" --cron "0 9 * * 1-5"'
NO_SERVER = (
    "note: no server runs here that would fire it: start `toolpost serve` in this project, with the same store, and "
    "let it run"
)
# Whose schedules they are at the terminal, as its sessions are.
HERE = ""

_ID = Argument("id", metavar="ID", help="a schedule's id, or the beginning of it")
_ADD = (
    Argument("prompt", metavar="PROMPT", help="what is to be done"),
    Argument(
        "--cron", default="", metavar="EXPRESSION", help='minute, hour, day, month, weekday: "0 9 * * 1-5"; @daily'
    ),
    Argument("--every", default="", metavar="TIME", help="an interval: 90s, 15m, 2h, 1d"),
    Argument("--at", default="", metavar="TIME", help='once: 2026-12-24T18:00, or "in 20m"'),
    Argument("--tz", default="", metavar="ZONE", help="the time zone, such as Europe/Berlin (default: this machine's)"),
    Argument("--name", default="", metavar="NAME", help="a name for it, and the title of its sessions"),
    Argument(
        "--session", default="new", metavar="ID", help="go on with this session; new, the default, is one for each run"
    ),
    Argument(
        "--agent",
        default="",
        metavar="NAME",
        help="an agent from the configuration (default: that of `toolpost run`; with --session or --owner that of the "
        "session, or the server's)",
    ),
    Argument("-m", "--model", default="", metavar="ID", help="provider/model, for example openai/gpt-5-mini"),
    Argument("--variant", default="", metavar="NAME", help="a variant of the model, such as low or high"),
    Argument(
        "--missed",
        choices=("once", "skip", "all"),
        default="once",
        help="of runs that were missed while no server ran, make up for: one, the default, none, or all",
    ),
    Argument(
        "--overlap",
        choices=("skip", "queue", "allow"),
        default="skip",
        help="while the run before goes on: leave one out, the default, let it wait, or run both",
    ),
    Argument("--times", type=positive_integer, default=0, metavar="N", help="end after so many runs"),
    Argument("--until", default="", metavar="TIME", help="end at this time"),
    Argument("--owner", default=HERE, metavar="NAME", help="the user of this server whom it belongs to"),
    JSON,
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    everywhere = Argument("--all", action="store_true", help="schedules of every project")
    commands.add("list", "list the schedules of this project, with their next times", everywhere, JSON)
    commands.add("add", "add a schedule", *_ADD)
    commands.add("show", "show a schedule and its last runs", _ID, JSON)
    commands.add("pause", "pause a schedule; what is missed meanwhile is not made up for", _ID)
    commands.add("resume", "let a schedule go on", _ID)
    commands.add("remove", "remove a schedule; its sessions stay", _ID)
    commands.add("run", "let a schedule run now, besides its times", _ID)


def run(args: argparse.Namespace) -> int:
    actions = {
        "list": _list,
        "add": _add,
        "show": _show,
        "pause": _pause,
        "resume": _resume,
        "remove": _remove,
        "run": _run,
    }
    return run_in_workspace(lambda workspace: actions[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.schedules.outcomes import with_outcomes
    from toolpost.schedules.view import schedule_view

    from .shown import last_of, name_of, next_of, when_of

    folder = None if args.all else str(workspace.project)
    found = [await with_outcomes(one, workspace.store) for one in await _schedules(workspace).listed(folder=folder)]
    if args.json:
        entries = JsonList()
        for schedule in found:
            entries.add(schedule_view(schedule))
        entries.end()
        return OK
    if not found:
        say(shown(EMPTY if args.all else f"{EMPTY}; to see other projects: toolpost schedule list --all"))
        return OK
    redactor = redactor_of(workspace)
    with TextTable("ID", "WHEN", "NEXT", "LAST", "AGENT", "NAME") as table:
        for one in found:
            name = redactor.text(name_of(one))
            table.row(short_id(one.id), when_of(one.timing), next_of(one), last_of(one), one.agent, name)
    if not args.all and any(one.state == "active" or one.pending for one in found):
        await _tell_without_server(workspace)
    return OK


async def _add(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.schedules.edits import new_schedule
    from toolpost.schedules.time_zones import local_zone
    from toolpost.schedules.view import schedule_view

    from .shown import times_of

    if sum(map(bool, (args.cron, args.every, args.at))) != 1:
        raise ConfigError("say when it runs, with one of --cron, --every and --at")
    session = await _session(workspace, args)
    fields: ScheduleFields = {
        "prompt": args.prompt,
        "cron": args.cron,
        "every": args.every,
        "at": args.at,
        "time_zone": args.tz or local_zone(workspace.environ),
        "name": args.name,
        "agent": _agent(workspace, args, session),
        "model": _model(workspace, args),
        "variant": args.variant,
        "session": session,
        "missed": args.missed,
        "overlap": args.overlap,
        "most": args.times,
        "until": args.until,
    }
    schedules = _schedules(workspace)
    made = new_schedule(args.owner, str(workspace.project), fields, schedules.now())
    await schedules.add(made)
    if args.json:
        say_json(schedule_view(made))
    else:
        say(shown(f"added {short_id(made.id)}; {times_of(made)}"))
    await _tell_without_server(workspace)
    return OK


async def _session(workspace: "Workspace", args: argparse.Namespace) -> str:
    """The whole id of the session that is to go on; "" for a new one each time."""
    if args.session == "new":
        return ""
    info = await find_session(workspace, args.session)
    if (info.owner, info.folder) != (args.owner, str(workspace.project)):
        whose = args.owner or "this terminal"
        raise ConfigError(f"session {short_id(info.id)} is not one of {whose} in this project: choose another")
    return info.id


def _agent(workspace: "Workspace", args: argparse.Namespace, session: str) -> str:
    """The agent that `toolpost run` would use, which is another one than a server's default: who fires it may be a
    server. "" is left to the session that goes on, or to the role of the owner."""
    if not args.agent and (session or args.owner != HERE):
        return ""
    # A name that is not known is an error now, not at the first run.
    return workspace.agent(args.agent or None)[0]


def _model(workspace: "Workspace", args: argparse.Namespace) -> str:
    """The model's id, or the name of a route of the server. A provider that is not known, or a variant that the model
    has not, is an error now, not at the first run; a key may be only where it runs."""
    # Imported here: most schedules name no model.
    from toolpost.engine.model_options import variant_options
    from toolpost.models.resolve import MissingKey

    if not args.model or args.model in workspace.config.server.routes:
        return args.model
    with suppress(MissingKey):
        info = workspace.model(args.model).info
        variant_options(info, args.variant, workspace.variants(info))
    return workspace.canonical(args.model)


async def _show(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.schedules.outcomes import with_outcomes
    from toolpost.schedules.view import schedule_view

    from .shown import details

    found = await with_outcomes(await _find(workspace, args.id), workspace.store)
    if args.json:
        say_json(schedule_view(found))
        return OK
    redactor = redactor_of(workspace)
    for line in details(found):
        say(redactor.text(line))
    return OK


async def _pause(workspace: "Workspace", args: argparse.Namespace) -> int:
    changed = await _change(workspace, args.id, lambda one: one.stopped())
    name = short_id(changed.id)
    say(shown(f"{name} is paused; to let it go on: toolpost schedule resume {name}"))
    return OK


async def _resume(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .shown import times_of

    now = _schedules(workspace).now()
    changed = await _change(workspace, args.id, lambda one: one.started(now))
    if changed.state == "ended":
        say(shown(f"{short_id(changed.id)} is at its end: it does not fire any more"))
        return OK
    say(shown(f"{short_id(changed.id)} goes on; {times_of(changed)}"))
    await _tell_without_server(workspace)
    return OK


async def _remove(workspace: "Workspace", args: argparse.Namespace) -> int:
    found = await _find(workspace, args.id)
    await _schedules(workspace).remove(found.id)
    say(shown(f"removed {short_id(found.id)}"))
    return OK


async def _run(workspace: "Workspace", args: argparse.Namespace) -> int:
    now = _schedules(workspace).now()
    found = await _find(workspace, args.id)
    asked = await _schedules(workspace).change(found.id, lambda one: None if one.pending else one.asked(now))
    if asked is None:
        raise ToolpostError(f"{short_id(found.id)} fires already: a run of it waits for its turn")
    is_served = await _schedules(workspace).is_served(found.folder)
    when = "runs within seconds" if is_served else "runs as soon as a server looks for it"
    stays = " and stays paused" if found.paused else ""
    name = short_id(found.id)
    say(shown(f"{name} {when}{stays}; to see it: toolpost schedule show {name}"))
    if not is_served:
        say_on_stderr(NO_SERVER)
    return OK


async def _change(workspace: "Workspace", wanted: str, edit: "Callable[[Schedule], Schedule]") -> "Schedule":
    found = await _find(workspace, wanted)
    return await _schedules(workspace).change(found.id, edit) or found


async def _find(workspace: "Workspace", wanted: str) -> "Schedule":
    """The schedule, of any project, with this id or with the only one that begins so."""
    known = {one.id: one for one in await _schedules(workspace).listed()}
    found = only_id(wanted, known)
    if not found:
        raise ToolpostError(f"no schedule {wanted}: `toolpost schedule list --all` lists them")
    return known[found]


async def _tell_without_server(workspace: "Workspace") -> None:
    if not await _schedules(workspace).is_served(str(workspace.project)):
        say_on_stderr(NO_SERVER)


def _schedules(workspace: "Workspace") -> "Schedules":
    # Imported here: `toolpost --help` asks every command for its arguments.
    from toolpost.schedules.records import Schedules

    return Schedules(lambda: workspace.store)
