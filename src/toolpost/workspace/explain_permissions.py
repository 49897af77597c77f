"""Explain permissions: whether a tool is offered and may run, and what a call would be asked for.

What a call needs is found as a real call finds it: by the tool's own patterns, and by a trial that runs nothing.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Literal

from msgspec import Struct

from toolpost.guard.rules import Decision, Rule, Rules, covered
from toolpost.tools.code_search.path_globs import is_wild
from toolpost.tools.commands import NETWORK, CommandRequest, permit, require_command
from toolpost.tools.define import Tool, ToolContext
from toolpost.tools.files.path_permissions import EDIT, allow, allow_reading
from toolpost.tools.offered_tools import ALL, READ_ONLY, ToolOffering, ToolSwitches, decide_outright, misnamed
from toolpost.types.errors import PermissionDenied, ToolError

from .agent_setup import switches_of
from .workspace import Workspace

# What a person writes as a pattern is this argument of a tool that has it.
MEANT = ("command", "path")
# The permissions of built-ins that touch the place that a path names, and of those that show what is in a file there.
PLACES = ("read", EDIT, "glob", "grep", "list", "lsp")
SHOWS_CONTENT = ("grep", "lsp")


Runs = Literal["allow", "ask", "deny", "off", "depends"]


class ToolPermissions:
    """What rules and switches say about tools before any arguments are known, for one agent of the folder. `rules` are
    added to its own, and so are the switches of `choice`."""

    def __init__(
        self, workspace: Workspace, agent: str | None = None, rules: Sequence[Rule] = (), choice: ToolSwitches = ALL
    ) -> None:
        settings = workspace.agent(agent)[1]
        self._rules = workspace.rules(settings, rules)
        self._offering = ToolOffering(
            switches_of(workspace.config, settings) & choice, self._rules, bool(settings.read_only)
        )

    def __call__(self, tool: Tool) -> Runs:
        """`depends` where rules differ by pattern."""
        decision = decide_outright(self._rules, tool)
        if decision.action != "deny" and not self._offering.has(tool):
            return "off"
        if decision.rule is not None:
            return decision.action
        return "depends" if self._rules.about(tool.asks_for) else "ask"

    def shown(self, tool: Tool) -> str:
        """The same for people, with what is to be said about it."""
        outcome = self(tool)
        is_too_much = outcome == "off" and self.why_hidden(tool) == READ_ONLY
        return f"{outcome} ({READ_ONLY})" if is_too_much else outcome

    def why_hidden(self, tool: Tool) -> str:
        """Why a model is not offered the tool; nothing if it is."""
        return self._offering.why_not(tool)


class Need(Struct, frozen=True):
    """One thing that has to be allowed. `why` says what for, where it is not the call itself; `names` are the tool's,
    by which it may be denied, too."""

    permission: str
    pattern: str
    why: str = ""
    names: tuple[str, ...] = ()

    def decided(self, rules: Rules) -> Decision:
        return rules.decide(self.permission, (self.pattern,), self.names)


class Needs(Struct, frozen=True):
    """All that a call needs. `maybe` is needed only by some calls, and says of which; `refused` is why no rule could
    allow it."""

    all: tuple[Need, ...]
    maybe: tuple[Need, ...] = ()
    refused: str = ""

    def decided(self, rules: Rules) -> Decision:
        """The strictest decision, which is the call's."""
        decisions = [need.decided(rules) for need in self.all]
        by_action = {decision.action: decision for decision in reversed(decisions)}
        strictest = by_action.get("deny") or by_action.get("ask") or decisions[0]
        return Decision("deny", None, strictest.pattern) if self.refused else strictest

    def approved(self, rules: Rules, approvals: Sequence[tuple[str, str]]) -> bool:
        """True if saved approvals answer all that would be asked."""
        asked = [need for need in self.all if need.decided(rules).action == "ask"]
        return bool(asked) and all(covered(approvals, need.permission, (need.pattern,)) for need in asked)


class Explained(Struct, frozen=True):
    """What would become of a call, by which rules. Where it is not said what the call is about, `needs` is None and the
    decision is what holds for any call. A `hidden` tool is denied for any arguments, so no model is offered it."""

    rules: Rules
    tool: Tool | None
    decision: Decision
    hidden: bool
    needs: Needs | None = None


async def explained(
    workspace: Workspace, name: str, pattern: str | None, agent: str | None = None, extra: Sequence[Rule] = ()
) -> Explained:
    """`name` is a permission, or a tool's; `extra` are rules of the user who asks. What these deny outright is not
    tried, because a trial looks at files."""
    settings, tool = workspace.agent(agent)[1], tool_for(name, workspace.tools)
    rules = workspace.rules(settings, extra)
    permission, names = (tool.asks_for, tool.names) if tool else (name, ())
    outright = decide_outright(rules, tool) if tool else rules.decide(permission, ())
    hidden = outright.action == "deny"
    if tool is not None and hidden and tool.needs:
        return Explained(rules, tool, outright, hidden)
    if pattern is None or Rules(extra).hides(permission, names):
        return Explained(rules, tool, outright, hidden)
    if tool is None:
        needs = Needs((Need(permission, pattern),))
    else:
        needs = await needs_of(workspace, tool, pattern, rules, read_only=bool(settings.read_only))
    return Explained(rules, tool, needs.decided(rules), hidden, needs)


def own_rules(rules: Rules) -> Rules:
    """Without those that are there to be overruled."""
    return Rules([rule for rule in rules.rules if rule.source != "default"])


def notes_on(rules: Rules, tools: Iterable[Tool]) -> list[str]:
    """Which rules decide nothing, or something else than it seems."""
    return [*own_rules(rules).lint(), *misnamed(rules.rules, tools)]


def tool_for(name: str, tools: Iterable[Tool]) -> Tool | None:
    """The tool that a permission, or a tool's own name, is about: of several with one permission, one that can say what
    its patterns are."""
    known = list(tools)
    named = [tool for tool in known if tool.name == name]
    same = [tool for tool in known if tool.asks_for == name]
    return next((tool for tool in (*named, *same) if _arguments(tool, "")), next(iter((*named, *same)), None))


async def needs_of(workspace: Workspace, tool: Tool, text: str, rules: Rules, *, read_only: bool) -> Needs:
    """What a call with this command, path, glob or URL would need; else just this pattern of the tool's permission."""
    arguments, permission = _arguments(tool, text), tool.asks_for
    just_this = Need(permission, text, names=tool.names)
    if not arguments:
        return Needs((just_this,))
    try:
        patterns = tool.patterns_of(arguments)
    except (PermissionDenied, ToolError) as refusal:
        # A function that fails, without a refusal of its own, wants arguments that are not given here.
        return Needs((just_this,), refused="" if refusal.__cause__ else str(refusal))
    own = tuple(Need(permission, pattern, names=tool.names) for pattern in patterns)
    if tool.source != "builtin":
        return Needs(own)
    trial = _Trial(workspace, rules, read_only=read_only)
    if "command" in arguments:
        await trial.run_command(text)
    elif permission in PLACES:
        await trial.touch(text if arguments.get("path") == text else patterns[0], permission)
    with_network = "command" in arguments and not workspace.config.network
    maybe = (Need(NETWORK, text, "where the call wants the network"),) if with_network else ()
    return Needs((*own, *trial.needs), maybe, trial.refused)


class _Trial:
    """Goes through what a tool asks for before it does anything, and only notes it."""

    def __init__(self, workspace: Workspace, rules: Rules, *, read_only: bool) -> None:
        self._bench = workspace.bench
        self._rules = rules
        self._read_only = read_only
        self.needs: list[Need] = []
        self.refused = ""

    async def run_command(self, command: str) -> None:
        try:
            require_command(command)
            await permit(self._bench, self._context(), CommandRequest(command))
        except (PermissionDenied, ToolError) as refusal:
            self.refused = str(refusal)

    async def touch(self, path: str, permission: str) -> None:
        context, ground = self._context(), self._bench.project_files
        try:
            place = ground.resolve(path or ".")
            await allow(context, ground, place, permission)
            if permission in SHOWS_CONTENT and not ground.is_folder(place):
                await allow_reading(context, place)
        except (PermissionDenied, ToolError) as refusal:
            self.refused = str(refusal)

    def _context(self) -> ToolContext:
        async def note(
            permission: str,
            patterns: Sequence[str],
            always: Sequence[str],
            title: str,
            details: dict[str, Any] | None,
            *_: object,
        ) -> None:
            self.needs += [Need(permission, pattern, title) for pattern in patterns]

        async def no_environment() -> dict[str, str]:
            return {}

        return ToolContext(
            session_id="",
            message_id="",
            call_id="",
            folder=self._bench.project_files.root,
            on_update=lambda text, details: None,
            asker=note,
            environ=no_environment,
            read_only=self._read_only,
            decide=lambda permission, pattern: self._rules.decide(permission, (pattern,)).action,
            forbids=self._rules.forbids,
        )


def _arguments(tool: Tool, text: str) -> dict[str, Any]:
    """The arguments of a call that a person means by this text; nothing where the tool does not say what its patterns
    are made of."""
    known: dict[str, Any] = tool.parameters.get("properties") or {}
    if tool.patterns is None:
        return {}
    if tool.name == "glob" and tool.source == "builtin":
        return {"pattern": text} if is_wild(text) else {"pattern": "*", "path": text}
    if "url" in known and "://" in text:
        return {"url": text}
    meant = next((name for name in MEANT if name in known), "")
    return {meant: text} if meant else {}
