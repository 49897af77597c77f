"""`toolpost permissions`: which rules hold here, which one decides, and which approvals were saved."""

import argparse
from typing import TYPE_CHECKING, Any

from msgspec import structs

from toolpost.cli.exit_codes import OK, USAGE
from toolpost.cli.find import find_approval
from toolpost.cli.tables import Table, plain, plain_lines
from toolpost.cli.words import ago, at_home, counted, short_id

from . import JSON, Argument, Subcommands, complain, run_in_workspace, say, say_json, tell_notices

if TYPE_CHECKING:
    from toolpost.guard.rules import Rules
    from toolpost.store.contract import Approval
    from toolpost.workspace import Workspace

HELP = "list the rules, explain a decision, take back saved approvals"
NO_RULES = """\
no rules of your own: what is not allowed above is asked about. For example, in the configuration:
  [permissions]
  get_weather = "allow"
  bash = { "*" = "ask", "git status" = "allow", "rm *" = "deny" }"""

_AGENT = Argument("--agent", metavar="NAME", help="with the rules of this agent")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    every = Argument("--all", action="store_true", help="approvals of every project")
    commands.add("list", "list the rules, the weakest first, and the saved approvals", _AGENT, every, JSON)
    name = Argument("permission", metavar="PERMISSION", help="a permission, mostly the name of a tool, such as bash")
    pattern = Argument("pattern", metavar="PATTERN", help='what it is about, such as "rm -rf x"')
    commands.add("explain", "say what would happen, and which rule decides it", name, pattern, _AGENT, JSON)
    approval = Argument("id", metavar="ID", nargs="?", help="the id that `list` shows, or the beginning of it")
    all_of_them = Argument("--all", action="store_true", help="every saved approval of this project")
    commands.add("revoke", "take back a saved approval", approval, all_of_them)


def run(args: argparse.Namespace) -> int:
    actions = {"list": _list, "explain": _explain, "revoke": _revoke}
    return run_in_workspace(lambda workspace: actions[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    rules = _rules(workspace, args.agent)
    approvals = await workspace.store.approvals(None if args.all else str(workspace.project))
    if args.json:
        notes = _own(rules).lint()
        say_json({"rules": rules.rules, "notes": notes, "approvals": approvals, "headless": workspace.config.headless})
        return OK
    tell_notices(workspace)
    _list_rules(rules)
    say()
    _list_approvals(approvals, everywhere=args.all)
    return OK


def _list_rules(rules: "Rules") -> None:
    say("Of the rules that match, the last one decides:")
    with Table("PERMISSION", "PATTERN", "ACTION", "FROM") as table:
        for rule in rules.rules:
            table.row(rule.permission, rule.pattern, rule.action, rule.source)
    if not _own(rules).rules:
        say(NO_RULES)
    for note in _own(rules).lint():
        say(f"note: {plain(note)}")


def _own(rules: "Rules") -> "Rules":
    """Without those that are there to be overruled."""
    from toolpost.guard.rules import Rules

    return Rules([rule for rule in rules.rules if rule.source != "default"])


def _list_approvals(approvals: "list[Approval]", *, everywhere: bool) -> None:
    if not approvals:
        say("no saved approvals: answering an ask with `always` saves one")
        return
    say("Saved approvals, which answer an ask but never a deny (take one back: toolpost permissions revoke ID):")
    columns = ("ID", "WHEN", *(("PROJECT",) if everywhere else ()), "PERMISSION", "PATTERN")
    with Table(*columns) as table:
        for one in approvals:
            place = (at_home(one.project),) if everywhere else ()
            table.row(short_id(one.id), ago(one.time), *place, one.permission, one.pattern)


async def _explain(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.guard.rules import covered, explain

    rules = _rules(workspace, args.agent)
    kept = await workspace.store.approvals(str(workspace.project))
    approved = [(one.permission, one.pattern) for one in kept]
    decision = rules.decide(args.permission, (args.pattern,))
    answered = covered(approved, args.permission, (args.pattern,))
    hidden = rules.hides(args.permission)
    if args.json:
        say_json({**structs.asdict(decision), "approved": answered, "hidden": hidden})
        return OK
    tell_notices(workspace)
    say(plain_lines(explain(rules, args.permission, args.pattern, approved)))
    if hidden:
        say(f"hidden:     {plain(args.permission)} is denied whatever the pattern, so no model is offered it")
    if decision.action == "ask" and not answered:
        say(f"nobody to ask: {_HEADLESS[workspace.config.headless]}")
    return OK


async def _revoke(workspace: "Workspace", args: argparse.Namespace) -> int:
    if bool(args.id) == args.all:
        complain("say which approval: toolpost permissions revoke ID, or --all for every one of this project")
        return USAGE
    store = workspace.store
    wanted = await store.approvals(str(workspace.project)) if args.all else [await find_approval(workspace, args.id)]
    for one in wanted:
        await store.revoke(one.id)
        say(f'revoked {short_id(one.id)}  {plain(one.permission)} "{plain(one.pattern)}"')
    if args.all:
        say(f"{counted(len(wanted), 'approval')} of this project taken back")
    return OK


def _rules(workspace: "Workspace", agent: str | None) -> "Rules":
    return workspace.rules(workspace.agent(agent)[1])


_HEADLESS: dict[Any, str] = {
    "deny": 'denied, and the run goes on (headless = "deny")',
    "allow": 'allowed (headless = "allow")',
    "fail": 'the run ends (headless = "fail")',
}
