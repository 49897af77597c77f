"""Permission rules: which permission, which pattern, allow, ask or deny. Of the rules that match, the last one decides.

A rule is asked with the patterns that the tool gives, as text: a command for `bash`, a path for file tools. Rules know
nothing of paths, so a tool that can name one thing in two ways has to settle on one.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, cast, get_args

from msgspec import Struct

from toolpost.arguments.check_sdk_calls import texts
from toolpost.arguments.suggestions import closest
from toolpost.types.errors import ConfigError

from .wildcards import Matcher, covers, is_universal, matcher

Action = Literal["allow", "ask", "deny"]

ACTIONS: tuple[Action, ...] = get_args(Action)

# Who allows everything means the tools; an alarm is switched off by its name or not at all.
BY_NAME_ONLY = frozenset({"doom_loop"})
# Their patterns are shell commands.
COMMANDS = frozenset({"bash"})
# What a person is told where a saved approval matches and does not count.
OUTDATED = "no longer counts: it would also allow options that run other programs or write files"

_STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}
_PERMISSION = re.compile(r"[A-Za-z0-9_.*?-]+")


class Rule(Struct, frozen=True):
    """One line of permission. `source` says where it was written, for `explain` and `lint`."""

    permission: str
    pattern: str
    action: Action
    source: str = ""

    def __post_init__(self) -> None:
        """Reject a rule that can't be read: it must not become one that never matches or has no effect."""
        for name, text in (("permission", self.permission), ("pattern", self.pattern)):
            if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ConfigError(
                    f"{_at(self.source)}the {name} of a rule must be one text, got {text!r}: write one rule for each"
                )
        _action(self.action, f'{self.permission} "{self.pattern}"', self.source)

    def __str__(self) -> str:
        line = f'{self.permission} "{self.pattern}" = {self.action}'
        return f"{line} ({self.source})" if self.source else line


class Decision(Struct, frozen=True):
    """The decision of the rules. `rule` is None where none matched, which means ask; `pattern` is the one that
    decided."""

    action: Action
    rule: Rule | None
    pattern: str


class Rules:
    """An immutable list of rules, later ones stronger. With a `parent` it can only narrow what the parent gives.

    Where none of its own rules matches, the parent's decision stands; where one does, the stricter of both.
    """

    def __init__(self, rules: Iterable[Rule] = (), *, parent: "Rules | None" = None) -> None:
        self.rules: Final = tuple(rules)
        for rule in self.rules:
            if not isinstance(rule, Rule):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise ConfigError(f"{rule!r} is not a rule; use a Rule, as in Rule('bash', 'git *', 'allow')")
        self.parent: Final = parent
        self._by_permission: dict[str, tuple[tuple[Matcher, Rule], ...]] = {}

    def __repr__(self) -> str:
        return f"Rules({self.rules!r}, parent={self.parent!r})"

    def with_rules(self, rules: Iterable[Rule]) -> "Rules":
        """Return these rules with stronger ones added."""
        return Rules((*self.rules, *rules), parent=self.parent)

    def decide(self, permission: str, patterns: str | Iterable[str], names: Sequence[str] = ()) -> Decision:
        """Any pattern denied: deny. All allowed: allow. Else ask.

        Without patterns it is not known what is about to happen, so only a permission settled outright is not asked.
        `names` are those of the tool that wants it, where they are no permission: a rule for one of them can deny, and
        nothing else.
        """
        asked = texts(patterns, f"the patterns of {permission}")
        for name in names:
            if name != permission and (by_name := self._naming(name).decide(name, asked)).action == "deny":
                return by_name
        if not asked:
            return self._outright(permission) or Decision("ask", None, "")
        strictest = self._decide(permission, asked[0])
        for pattern in asked[1:]:
            strictest = _stricter(strictest, self._decide(permission, pattern))
        return strictest

    def decide_call(self, permission: str, patterns: str | Iterable[str], names: Sequence[str] = ()) -> Decision:
        """The same for a call that is about to run. One that names no pattern is denied where a rule denies any: what
        that rule keeps safe may be just what the call is about."""
        asked = texts(patterns, f"the patterns of {permission}")
        decision = self.decide(permission, asked, names)
        if asked or decision.action == "deny":
            return decision
        by_name = [rule for name in names if name != permission for rule in self._naming(name)._denying(name)]
        denying = [*by_name, *(self._denying(permission) if decision.action == "ask" else ())]
        return Decision("deny", denying[0], "") if denying else decision

    def hides(self, permission: str, names: Sequence[str] = ()) -> bool:
        """True if the outcome is deny whatever the pattern: such a tool is not offered to the model."""
        return self.decide(permission, (), names).action == "deny"

    def forbids(self, permission: str, pattern: str) -> bool:
        """True if it is denied by a rule for this permission, and not only by one for everything."""
        by_name = self._only(lambda rule: not is_universal(rule.permission))
        return all(rules.decide(permission, (pattern,)).action == "deny" for rules in (self, by_name))

    def about(self, permission: str) -> list[Rule]:
        """The own rules for this permission, strongest first, whatever their patterns."""
        return [rule for _, rule in self._relevant(permission)]

    def matching(self, permission: str, pattern: str) -> list[Rule]:
        """The own rules that match, strongest first."""
        return [rule for matches, rule in self._relevant(permission) if matches(pattern)]

    def lint(self) -> list[str]:
        """Say which rules can never decide anything, and what to do about it."""
        return [*_shadowed(self.rules), *_powerless(self)]

    def _denying(self, permission: str) -> list[Rule]:
        """The rules that deny something of this permission, strongest first, the parent's included."""
        above = self.parent._denying(permission) if self.parent else []
        return [rule for rule in self.about(permission) if rule.action == "deny"] + above

    def _naming(self, name: str) -> "Rules":
        return self._only(lambda rule: rule.permission == name)

    def _only(self, keep: Callable[[Rule], bool]) -> "Rules":
        """Those of these rules and of the parent's that `keep` says."""
        parent = self.parent._only(keep) if self.parent else None
        return Rules(filter(keep, self.rules), parent=parent)

    def _decide(self, permission: str, pattern: str) -> Decision:
        own = self._own(permission, pattern)
        if self.parent is None:
            return own or Decision("ask", None, pattern)
        inherited = self.parent._decide(permission, pattern)
        return inherited if own is None else _stricter(own, inherited)

    def _own(self, permission: str, pattern: str) -> Decision | None:
        for matches, rule in self._relevant(permission):
            if matches(pattern):
                return Decision(rule.action, rule, pattern)
        return None

    def _outright(self, permission: str) -> Decision | None:
        """The decision that holds for every pattern, if there is one."""
        own = self._own_outright(permission)
        if self.parent is None:
            return own
        inherited = self.parent._outright(permission)
        for decision in (own, inherited):
            if decision is not None and decision.action == "deny":
                return decision
        if own is None and self._relevant(permission):
            return None
        return inherited if own is None or inherited is None else _stricter(own, inherited)

    def _own_outright(self, permission: str) -> Decision | None:
        strongest: Rule | None = None
        for _, rule in self._relevant(permission):
            strongest = strongest or rule
            if rule.action != strongest.action:
                return None
            if is_universal(rule.pattern):
                return Decision(rule.action, rule, "")
        return None

    def _relevant(self, permission: str) -> tuple[tuple[Matcher, Rule], ...]:
        """The rules for this permission, strongest first. There are as many permissions as tools, so all are kept."""
        found = self._by_permission.get(permission)
        if found is None:
            found = tuple((matcher(rule.pattern), rule) for rule in reversed(self.rules) if _is_about(rule, permission))
            self._by_permission[permission] = found
        return found


def parse_rules(value: object, source: str) -> tuple[Rule, ...]:
    """Read rules from a mapping `{permission: action | {pattern: action}}` in its order, from one action for
    everything, or from a sequence of `Rule`s and of texts such as "bash:git *", which are allowed.
    """
    if isinstance(value, str):
        return (Rule("*", "*", _action(value, "everything", source), source),)
    if isinstance(value, Mapping):
        items = cast(Mapping[object, object], value).items()
        return tuple(rule for name, given in items for rule in _permission_rules(_name(name, source), given, source))
    if isinstance(value, Sequence):
        return tuple(_listed(entry, source) for entry in cast(Sequence[object], value))
    raise ConfigError(f"{_at(source)}permissions must be a table or one of {_choices()}, got {value!r}")


def parse_flag(text: str, action: Action, source: str) -> Rule:
    """Read what follows `--allow`, `--ask` or `--deny`: "bash", "bash:git *" or "*"."""
    name, colon, pattern = text.partition(":")
    if colon and not pattern:
        raise ConfigError(f'{_at(source)}"{text}" has no pattern after its colon; write "{name}" or "{name}:git *"')
    return Rule(_name(name, source), pattern or "*", action, source)


def covered(approved: Iterable[tuple[str, str]], permission: str, patterns: str | Iterable[str]) -> bool:
    """True if saved approvals answer an ask: each of its patterns is matched by one. They never answer a deny."""
    asked = texts(patterns, f"the patterns of {permission}")
    saved = [pattern for name, pattern in approved if matcher(name)(permission)]
    return bool(asked) and bool(saved) and all(_answered(saved, permission, pattern) for pattern in asked)


def outdated(approved: Iterable[tuple[str, str]], permission: str, patterns: str | Iterable[str]) -> list[str]:
    """The saved approvals that match what is asked but no longer answer it: they allow more than anybody was shown."""
    saved = [pattern for name, pattern in approved if matcher(name)(permission)]
    asked = [one for one in texts(patterns, f"the patterns of {permission}") if not _answered(saved, permission, one)]
    return [pattern for pattern in saved if any(map(matcher(pattern), asked))]


def is_outdated(permission: str, saved: str) -> bool:
    """True for a saved approval that answers no ask any more, whatever is asked."""
    return permission in COMMANDS and "*" in saved and not _answered([saved], permission, saved.removesuffix(" *"))


def _answered(saved: Sequence[str], permission: str, pattern: str) -> bool:
    if permission not in COMMANDS:
        return any(matcher(one)(pattern) for one in saved)
    # Imported here: only commands need it.
    from .shell.judge import approvals_for

    return not approvals_for(pattern).isdisjoint(saved)


def explain(
    rules: Rules,
    permission: str,
    pattern: str,
    approved: Iterable[tuple[str, str]] = (),
    names: Sequence[str] = (),
) -> str:
    """Say in a few lines what would happen, which rule decides, and which rules and approvals stand behind it."""
    saved = tuple(approved)
    decision = rules.decide(permission, (pattern,), names)
    lines = [f'{permission} "{pattern}": {outcome(decision, approved=covered(saved, permission, (pattern,)))}']
    lines.append(f"decided by: {decision.rule or 'no rule matches, so it is asked'}")
    lines += [f"overruled:  {rule}" for rule in _overruled(rules, decision, permission, pattern)]
    lines += [
        f'approved:   {name} "{glob}" (saved)' + (", but a deny is final" if decision.action == "deny" else "")
        for name, glob in saved
        if covered(((name, glob),), permission, (pattern,))
    ]
    lines += [f'outdated:   {permission} "{glob}" (saved) {OUTDATED}' for glob in outdated(saved, permission, pattern)]
    return "\n".join(lines)


def explain_any(rules: Rules, permission: str, names: Sequence[str] = ()) -> str:
    """The same where no pattern is known: what holds for all of them, or the rules that it depends on."""
    decision, known = rules.decide(permission, (), names), rules.about(permission)
    if decision.rule is None and known:
        first = f"{permission}: it depends on the pattern; of these rules the first that matches decides"
        return "\n".join((first, *(f"  {rule}" for rule in known)))
    first = f"{permission}: {outcome(decision, approved=False)}, whatever the pattern"
    return f"{first}\ndecided by: {decision.rule or 'no rule is about it, so it is asked'}"


def outcome(decision: Decision, *, approved: bool) -> str:
    """Describe the outcome of a decision for people; `approved` where a saved approval answers an ask."""
    if decision.action == "deny":
        return "denied"
    if decision.action == "allow":
        return "runs without asking"
    return "runs, a saved approval answers the ask" if approved else "asks first"


def _stricter(one: Decision, other: Decision) -> Decision:
    return other if _STRICTNESS[other.action] > _STRICTNESS[one.action] else one


def _permission_rules(name: str, given: object, source: str) -> Iterable[Rule]:
    if not isinstance(given, Mapping):
        yield Rule(name, "*", _action(given, name, source), source)
        return
    for pattern, action in cast(Mapping[object, object], given).items():
        if not isinstance(pattern, str) or not pattern:
            raise ConfigError(
                f'{_at(source)}{pattern!r} is not a pattern for {name}; use a text such as "git *" or "*"'
            )
        yield Rule(name, pattern, _action(action, f'{name} "{pattern}"', source), source)


def _listed(entry: object, source: str) -> Rule:
    if isinstance(entry, Rule):
        return entry
    if isinstance(entry, str):
        return parse_flag(entry, "allow", source)
    raise ConfigError(f'{_at(source)}{entry!r} is not a rule; use a Rule or a text such as "bash:git *"')


def _name(name: object, source: str) -> str:
    if isinstance(name, str) and _PERMISSION.fullmatch(name):
        return name
    raise ConfigError(
        f"{_at(source)}{name!r} is not a permission; use a tool's name, with * and ? where several are meant, "
        'such as "bash" or "mcp__github__*", and put what follows it in the pattern'
    )


def _action(value: object, what: str, source: str) -> Action:
    for action in ACTIONS:
        if value == action:
            return action
    raise ConfigError(f"{_at(source)}{value!r} is not an action for {what}; use one of {_choices()}{_guess(value)}")


def _guess(value: object) -> str:
    words: dict[str, Action] = {"allow": "allow", "ask": "ask", "deny": "deny"}
    words |= {"yes": "allow", "true": "allow", "accept": "allow", "prompt": "ask", "no": "deny", "false": "deny"}
    likely = closest(str(value).lower(), words, 0.5)
    return f'; did you mean "{words[likely]}"?' if likely else ""


def _choices() -> str:
    return ", ".join(f'"{action}"' for action in ACTIONS)


def _at(source: str) -> str:
    return f"{source}: " if source else ""


def _is_about(rule: Rule, permission: str) -> bool:
    if permission in BY_NAME_ONLY and rule.action == "allow":
        return rule.permission == permission
    return bool(matcher(rule.permission)(permission))


def _shadowed(rules: Sequence[Rule]) -> Iterable[str]:
    for place, rule in enumerate(rules):
        # Defaults are there to be overruled.
        if rule.source == "default":
            continue
        later = next((other for other in rules[place + 1 :] if _rule_covers(other, rule)), None)
        if later is None:
            continue
        remedy = "remove it" if later.action == rule.action else "the last match decides, so put it after that one"
        yield f"{rule} never decides: {later} comes later and covers it; {remedy}"


def _rule_covers(wide: Rule, narrow: Rule) -> bool:
    return covers(wide.permission, narrow.permission) and covers(wide.pattern, narrow.pattern)


def _powerless(rules: Rules) -> Iterable[str]:
    if rules.parent is None:
        return
    for rule in rules.rules:
        if "*" in rule.permission or "?" in rule.permission:
            continue
        if rule.action != "deny" and rules.parent.hides(rule.permission):
            yield f"{rule} has no effect: the parent denies {rule.permission}, and a child can only narrow"


def _overruled(rules: Rules, decision: Decision, permission: str, pattern: str) -> Iterable[Rule]:
    level: Rules | None = rules
    while level is not None:
        yield from (rule for rule in level.matching(permission, pattern) if rule is not decision.rule)
        level = level.parent
