"""Which tools an agent is offered, why not the others, and which rules name a tool where they should a permission."""

from collections.abc import Iterable, Sequence

from msgspec import Struct

from toolpost.arguments.names import near
from toolpost.guard.rules import Decision, Rule, Rules
from toolpost.guard.wildcards import matcher

from . import builtin
from .builtin.rules import ALLOWED, BESIDE
from .define import Tool
from .switched_tools import Choice

READ_ONLY = "read-only"


class Offering(Struct, frozen=True):
    """What an agent has of all tools: those that are switched on and not denied outright. One that may change nothing
    has only those that change nothing, or heed it."""

    choice: Choice
    rules: Rules
    read_only: bool = False

    def has(self, tool: Tool) -> bool:
        return not self.why_not(tool)

    def why_not(self, tool: Tool) -> str:
        """Why a model is not offered the tool; nothing if it is."""
        if not self.choice.offers(*tool.names):
            return "switched off"
        if self.read_only and not (tool.read_only or tool.heeds_read_only):
            return READ_ONLY
        decision = decide_outright(self.rules, tool)
        return f"denied by the rule {decision.rule}" if decision.action == "deny" else ""


def decide_outright(rules: Rules, tool: Tool) -> Decision:
    """What the rules say of a tool before any arguments are known. One that lacks what it needs is denied."""
    needed = rules.decide(tool.needs, ()) if tool.needs else None
    return needed if needed and needed.action == "deny" else rules.decide(tool.asks_for, (), tool.names)


def misnamed(rules: Iterable[Rule], tools: Iterable[Tool]) -> list[str]:
    """Say which rules name a tool whose permission has another name, and what to write instead."""
    known = list(tools)
    permissions = {tool.asks_for for tool in known}
    meant = {tool.name: tool for tool in known if tool.name not in permissions}
    return [_misnamed(rule, meant[rule.permission], known) for rule in rules if rule.permission in meant]


def unknown_flags(rules: Iterable[Rule], tools: Iterable[Tool]) -> list[str]:
    """Say which rules of the command line name nothing here: what should be denied would run."""
    # A built-in that is not offered for want of its packages has its name all the same.
    known = {*ALLOWED, *BESIDE, *builtin.NAMES, *(name for tool in tools for name in (tool.name, tool.asks_for))}
    flags = [rule for rule in rules if rule.source.startswith("--") and not rule.permission.startswith("mcp__")]
    unknown = [rule for rule in flags if not any(map(matcher(rule.permission), known))]
    return [_unknown_flag(rule, near(rule.permission, known, 1)) for rule in unknown]


def _unknown_flag(rule: Rule, likely: Sequence[str]) -> str:
    remedy = f"did you mean {likely[0]}?" if likely else "`toolpost tools` lists what there is"
    return f"{rule.source} {rule.permission}: nothing here is called so; {remedy}"


def _misnamed(rule: Rule, tool: Tool, known: Sequence[Tool]) -> str:
    name, permission = tool.name, tool.asks_for
    about = f"{name} is a tool, and its permission is {permission}"
    if rule.action != "deny":
        return f'{rule} decides nothing: {about}. Write {permission} = "{rule.action}" instead.'
    others = ", ".join(other.name for other in known if other.asks_for == permission and other is not tool)
    rest = f", and others with that permission stay: {others}" if others else ""
    return (
        f"{rule} denies this tool alone: {about}{rest}. "
        f'Write {permission} = "deny", or [tools] {name} = false to switch it off.'
    )
