"""Choose which tools an agent is offered, and explain why not the others."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from msgspec import Struct

from toolpost.arguments.check_sdk_calls import texts
from toolpost.arguments.suggestions import did_you_mean
from toolpost.arguments.tool_names import near
from toolpost.guard.rules import Decision, Rule, Rules
from toolpost.guard.wildcards import matcher
from toolpost.types.errors import ToolError

from . import builtin
from .default_rules import ALLOWED, BESIDE
from .define import Tool

READ_ONLY = "read-only"
MAX_NAMES = 60


class ToolSwitches(Struct, frozen=True):
    """Sieves that a tool has to pass, one after the other. Of a sieve's switches the last one that matches decides;
    what none matches is on."""

    sieves: tuple[tuple[tuple[str, bool], ...], ...] = ()

    @classmethod
    def switches(cls, *tables: Mapping[str, bool]) -> "ToolSwitches":
        """Later tables are stronger."""
        sieve = tuple(switch for table in tables for switch in table.items())
        return cls((sieve,) if sieve else ())

    @classmethod
    def only(cls, names: str | Iterable[str]) -> "ToolSwitches":
        sieve = (("*", False), *((name, True) for name in texts(names, "the names of tools")))
        return cls((sieve,))

    @classmethod
    def without(cls, names: str | Iterable[str]) -> "ToolSwitches":
        return cls.switches(dict.fromkeys(sorted(texts(names, "the names of tools")), False))

    def __and__(self, other: "ToolSwitches") -> "ToolSwitches":
        """What both offer."""
        return ToolSwitches((*self.sieves, *other.sieves))

    def offers(self, *names: str) -> bool:
        """True if a tool is on. Of one with several names, a switch that matches any of them is about it."""
        return all(_passes(sieve, names) for sieve in self.sieves)

    def names(self, *names: str) -> bool:
        """True if a switch names the tool, which one that matches every tool does not."""
        switches = (switch for sieve in self.sieves for switch in sieve)
        return any(pattern != "*" and any(map(matcher(pattern), names)) for pattern, _ in switches)


class ToolOffering(Struct, frozen=True):
    """The tools that an agent is offered: those that are switched on and not denied outright. One that may change
    nothing has only those that change nothing, or heed it."""

    choice: ToolSwitches
    rules: Rules
    read_only: bool = False

    def has(self, tool: Tool) -> bool:
        return not self.why_not(tool)

    def why_not(self, tool: Tool) -> str:
        """Why a model is not offered the tool; nothing if it is."""
        if not self.choice.offers(*tool.names):
            return "switched off"
        if tool.optional and not self.choice.names(*tool.names):
            return f"off unless [tools] {tool.name} = true or an agent's list of tools names it"
        if self.read_only and not (tool.read_only or tool.heeds_read_only):
            return READ_ONLY
        decision = decide_outright(self.rules, tool)
        return f"denied by the rule {decision.rule}" if decision.action == "deny" else ""


def decide_outright(rules: Rules, tool: Tool) -> Decision:
    """Decide about a tool before any arguments are known. One that lacks what it needs is denied."""
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
    return [_unknown_flag(rule, known) for rule in unknown]


def unknown_tool(name: str, offered: Sequence[str]) -> ToolError:
    """The error to give to a model that called `name`."""
    if not offered:
        return ToolError(
            f'There is no tool "{name}", and no tools are offered: answer without tools.', kind="unknown_tool"
        )
    likely = near(name, offered)
    hint = f" Did you mean {' or '.join(likely)}?" if likely else ""
    shown = ", ".join(offered[:MAX_NAMES])
    more = f" and {len(offered) - MAX_NAMES} more" if len(offered) > MAX_NAMES else ""
    return ToolError(f'There is no tool "{name}".{hint} Tools on offer: {shown}{more}.', kind="unknown_tool")


@lru_cache(maxsize=4_096)
def _passes(sieve: tuple[tuple[str, bool], ...], names: tuple[str, ...]) -> bool:
    return next((is_on for pattern, is_on in reversed(sieve) if any(map(matcher(pattern), names))), True)


def _unknown_flag(rule: Rule, known: Iterable[str]) -> str:
    remedy = did_you_mean(rule.permission, known, "`toolpost tools` lists what there is", 1)
    return f"{rule.source} {rule.permission}: there is no tool or permission with this name; {remedy}"


def _misnamed(rule: Rule, tool: Tool, known: Sequence[Tool]) -> str:
    name, permission = tool.name, tool.asks_for
    about = f"{name} is a tool, and its permission is {permission}"
    if rule.action != "deny":
        return f'{rule} has no effect: {about}. Write {permission} = "{rule.action}" instead.'
    others = ", ".join(other.name for other in known if other.asks_for == permission and other is not tool)
    rest = f", and others with that permission stay: {others}" if others else ""
    return (
        f"{rule} denies this tool alone: {about}{rest}. "
        f'Write {permission} = "deny", or [tools] {name} = false to switch it off.'
    )


ALL = ToolSwitches()
