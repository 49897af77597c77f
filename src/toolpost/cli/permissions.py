"""`toolpost permissions`: list rules and saved approvals, explain a decision, revoke approvals."""

import argparse
from typing import TYPE_CHECKING, Any

from msgspec import structs

from toolpost.types.errors import ConfigError
from toolpost.types.text import counted

from .exit_codes import OK
from .shared.arguments import JSON, Argument, Subcommands
from .shared.find_by_id import find_approval
from .shared.formats import ago, at_home, short_id
from .shared.output import say, say_json, say_notices, say_on_stderr
from .shared.tables import TextTable, plain, plain_lines
from .shared.workspace import run_in_workspace

if TYPE_CHECKING:
    from toolpost.guard.rules import Rules
    from toolpost.store.contract import Approval
    from toolpost.tools.define import Tool
    from toolpost.workspace import Workspace
    from toolpost.workspace.explain_permissions import Explained, Need, Needs

# Whose approvals count at the terminal: those of a server's users are theirs alone.
HERE = ""
HELP = "list the rules, explain a decision, revoke saved approvals"
NO_RULES = """\
no rules of your own: all else is asked about. Rules go into the configuration, for example:
  [permissions]
  get_weather = "allow"
  bash = { "*" = "ask", "git status" = "allow", "rm *" = "deny" }"""

_AGENT = Argument("--agent", metavar="NAME", help="the rules of this agent")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    every = Argument("--all", action="store_true", help="approvals of every project and every user")
    commands.add("list", "list the rules, weakest first, and the saved approvals", _AGENT, every, JSON)
    name = Argument("permission", metavar="PERMISSION", help="a permission or tool, such as bash")
    pattern = Argument(
        "pattern",
        metavar="PATTERN",
        nargs="?",
        help='the command or path, such as "rm -rf x" (default: any)',
    )
    commands.add("explain", "explain what would happen and which rule decides", name, pattern, _AGENT, JSON)
    approval = Argument("id", metavar="ID", nargs="?", help="an id from `list`, or the beginning of one")
    all_of_them = Argument("--all", action="store_true", help="all saved approvals of this project")
    commands.add("revoke", "revoke a saved approval", approval, all_of_them)


def run(args: argparse.Namespace) -> int:
    actions = {"list": _list, "explain": _explain, "revoke": _revoke}
    return run_in_workspace(lambda workspace: actions[args.action](workspace, args))


async def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.workspace.explain_permissions import notes_on

    rules = _rules(workspace, args.agent)
    store = workspace.store
    approvals = await (store.approvals() if args.all else store.approvals(str(workspace.project), HERE))
    notes = notes_on(rules, workspace.tools)
    if args.json:
        say_json({"rules": rules.rules, "notes": notes, "approvals": approvals, "headless": workspace.config.headless})
        return OK
    say_notices(workspace)
    _list_rules(rules, notes)
    say()
    _list_approvals(approvals, everywhere=args.all)
    return OK


def _list_rules(rules: "Rules", notes: "list[str]") -> None:
    from toolpost.workspace.explain_permissions import own_rules

    say("The last rule that matches decides:")
    with TextTable("PERMISSION", "PATTERN", "ACTION", "FROM") as table:
        for rule in rules.rules:
            table.row(rule.permission, rule.pattern, rule.action, rule.source)
    if not own_rules(rules).rules:
        say(NO_RULES)
    for note in notes:
        say(f"note: {plain(note)}")


def _list_approvals(approvals: "list[Approval]", *, everywhere: bool) -> None:
    if not approvals:
        say("no saved approvals; answering a question with `always` saves one")
        return
    say("Saved approvals, which answer an ask but never a deny (to revoke one: toolpost permissions revoke ID):")
    columns = ("ID", "WHEN", *(("PROJECT",) if everywhere else ()), "PERMISSION", "PATTERN")
    from toolpost.guard.rules import OUTDATED, is_outdated

    with TextTable(*columns) as table:
        for one in approvals:
            place = (at_home(one.project),) if everywhere else ()
            table.row(short_id(one.id), ago(one.time), *place, one.permission, one.pattern)
    for one in approvals:
        if is_outdated(one.permission, one.pattern):
            say(f"note: {short_id(one.id)} {OUTDATED}")


async def _explain(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.workspace.explain_permissions import explained

    found = await explained(workspace, args.permission, args.pattern, args.agent)
    _note_what_is_not_offered(workspace, found, args)
    if found.needs is None:
        _explain_any(workspace, found, args)
        return OK
    rules, needs = found.rules, found.needs
    kept = await workspace.store.approvals(str(workspace.project), HERE)
    approvals = [(one.permission, one.pattern) for one in kept]
    answered = needs.approved(rules, approvals)
    if args.json:
        parts = [_part(need, rules, approvals) for need in needs.all]
        facts = {"approved": answered, "hidden": found.hidden, "refused": needs.refused, "parts": parts}
        say_json({**structs.asdict(found.decision), **facts})
        return OK
    say_notices(workspace)
    _say_its_permission(found.tool, args.permission)
    _say_needs(needs, args.pattern, rules, approvals)
    if found.hidden:
        say(f"hidden:     {plain(args.permission)} is always denied, so models do not see it")
    if found.decision.action == "ask" and not answered:
        say(f"unattended: {_HEADLESS[workspace.config.headless]}")
    return OK


def _note_what_is_not_offered(workspace: "Workspace", found: "Explained", args: argparse.Namespace) -> None:
    """A rule may allow what never comes to it: a tool that the agent does not have, or a name that nothing has."""
    from toolpost.workspace.explain_permissions import ToolPermissions

    from .doctor.config_checks import unknown_name

    if found.tool is None:
        if problem := unknown_name(workspace, "permission", args.permission):
            say_on_stderr(f"note: {problem}")
    elif not found.hidden and (why := ToolPermissions(workspace, args.agent).why_hidden(found.tool)):
        say_on_stderr(f"note: this agent does not have the tool {plain(found.tool.name)}: {why}")


def _explain_any(workspace: "Workspace", found: "Explained", args: argparse.Namespace) -> None:
    from toolpost.guard.rules import explain_any

    if args.json:
        say_json({**structs.asdict(found.decision), "hidden": found.hidden})
        return
    say_notices(workspace)
    _say_its_permission(found.tool, args.permission)
    permission, names = (found.tool.asks_for, found.tool.names) if found.tool else (args.permission, ())
    say(plain_lines(explain_any(found.rules, permission, names)))


def _say_its_permission(tool: "Tool | None", name: str) -> None:
    if tool is not None and tool.asks_for != name:
        say(f"the tool {plain(name)} uses the permission {plain(tool.asks_for)}:")


def _say_needs(needs: "Needs", pattern: str, rules: "Rules", approvals: "list[tuple[str, str]]") -> None:
    """Each thing with the rule that decides; where there are several, what comes of them first."""
    from toolpost.guard.rules import explain, outcome

    if needs.refused:
        say(f"{plain_lines(f'refused: {needs.refused}')}\n")
    elif len(needs.all) > 1:
        answer = outcome(needs.decided(rules), approved=needs.approved(rules, approvals))
        first = f'{needs.all[0].permission} "{pattern}": {answer}. Each of these must be allowed:'
        say(f"{plain_lines(first)}\n")
    for need in (*needs.all, *needs.maybe):
        text = explain(rules, need.permission, need.pattern, approvals, need.names)
        say(plain_lines(f"{need.why}:\n{text}" if need.why else text))
        if len(needs.all) + len(needs.maybe) > 1:
            say()


def _part(need: "Need", rules: "Rules", approvals: "list[tuple[str, str]]") -> dict[str, Any]:
    from toolpost.guard.rules import covered

    approved = covered(approvals, need.permission, (need.pattern,))
    decision = structs.asdict(need.decided(rules))
    return {**decision, "permission": need.permission, "pattern": need.pattern, "why": need.why, "approved": approved}


async def _revoke(workspace: "Workspace", args: argparse.Namespace) -> int:
    if bool(args.id) == args.all:
        raise ConfigError(
            "nothing to revoke is given: use toolpost permissions revoke ID, or --all for all approvals of this project"
        )
    store = workspace.store
    project = str(workspace.project)
    wanted = await store.approvals(project, HERE) if args.all else [await find_approval(workspace, args.id)]
    for one in wanted:
        await store.revoke(one.id)
        say(f'revoked {short_id(one.id)}  {plain(one.permission)} "{plain(one.pattern)}"')
    if args.all:
        say(f"{counted(len(wanted), 'approval')} of this project revoked")
    return OK


def _rules(workspace: "Workspace", agent: str | None) -> "Rules":
    return workspace.rules(workspace.agent(agent)[1])


_HEADLESS: dict[Any, str] = {
    "deny": 'denied, and the run continues (headless = "deny")',
    "allow": 'allowed (headless = "allow")',
    "fail": 'the run ends (headless = "fail")',
}
