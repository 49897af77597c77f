"""What the rules decide, and what they say about themselves."""

import string
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.guard.rules import ACTIONS, Action, Decision, Rule, Rules, covered, explain, parse_flag, parse_rules
from toolpost.guard.wildcards import matcher
from toolpost.types.errors import ConfigError

STRICTNESS = {"allow": 0, "ask": 1, "deny": 2}

names = st.sampled_from(["bash", "edit", "mcp__a__b"])
texts = st.text("gx *", max_size=4)
globs = st.sampled_from(["*", "g*", "g *", "?", "x", "*x", "**", ""]) | texts
a_rule = st.builds(Rule, st.sampled_from(["*", "bash", "edit", "mcp__*", "b?sh"]), globs, st.sampled_from(ACTIONS))
some_rules = st.lists(a_rule, max_size=6)
approvals = st.lists(st.tuples(st.sampled_from(["*", "bash", "edit"]), globs), max_size=4)


def oracle(rules: Sequence[Rule], permission: str, patterns: Sequence[str]) -> str:
    actions: list[str] = []
    for pattern in patterns:
        action = "ask"
        for rule in rules:
            if matcher(rule.permission)(permission) and matcher(rule.pattern)(pattern):
                action = rule.action
        actions.append(action)
    return "deny" if "deny" in actions else "allow" if set(actions) == {"allow"} else "ask"


@given(some_rules, names, st.lists(texts, min_size=1, max_size=3))
@settings(max_examples=500)
def test_the_last_rule_that_matches_decides(rules: list[Rule], permission: str, patterns: list[str]) -> None:
    decision = Rules(rules).decide(permission, patterns)
    assert decision.action == oracle(rules, permission, patterns)
    assert decision.pattern in patterns
    assert decision.rule is None or decision.rule in rules


@given(some_rules, some_rules, some_rules, names, st.lists(texts, max_size=3))
@settings(max_examples=500)
def test_a_child_never_gives_more_than_its_parent(
    grand: list[Rule], parent: list[Rule], child: list[Rule], permission: str, patterns: list[str]
) -> None:
    above = Rules(parent, parent=Rules(grand))
    below = Rules(child, parent=above)
    assert (
        STRICTNESS[below.decide(permission, patterns).action] >= STRICTNESS[above.decide(permission, patterns).action]
    )


@given(some_rules, some_rules, names, st.lists(texts, max_size=3))
@settings(max_examples=500)
def test_a_hidden_permission_is_denied_whatever_the_pattern(
    parent: list[Rule], child: list[Rule], permission: str, patterns: list[str]
) -> None:
    rules = Rules(child, parent=Rules(parent))
    if rules.hides(permission):
        assert rules.decide(permission, patterns).action == "deny"


@given(some_rules, some_rules, names, st.lists(texts, min_size=1, max_size=3))
@settings(max_examples=500)
def test_no_patterns_are_never_treated_more_freely_than_some(
    parent: list[Rule], child: list[Rule], permission: str, patterns: list[str]
) -> None:
    rules = Rules(child, parent=Rules(parent))
    if rules.decide(permission, ()).action == "allow":
        assert rules.decide(permission, patterns).action == "allow"


@given(some_rules, names, texts, approvals)
@settings(max_examples=500)
def test_a_deny_is_never_lifted_by_approvals(
    rules: list[Rule], permission: str, pattern: str, approved: list[tuple[str, str]]
) -> None:
    """OpenCode 31540: an "always" was evaluated as a later rule, and so undid a configured deny."""
    if Rules(rules).decide(permission, (pattern,)).action == "deny":
        assert explain(Rules(rules), permission, pattern, approved).splitlines()[0].endswith(": denied")


def test_where_nothing_matches_it_is_asked() -> None:
    assert Rules().decide("bash", ("ls",)) == Decision("ask", None, "ls")


def test_deny_all_then_allow_one_folder_can_be_written() -> None:
    rules = Rules(parse_rules({"edit": {"*": "deny", "notes/*": "allow"}}, ""))
    assert rules.decide("edit", ("notes/a/b.md",)).action == "allow"
    assert rules.decide("edit", ("notes/a", "src/a")) == Decision("deny", rules.rules[0], "src/a")
    assert not rules.hides("edit")


def test_one_pattern_to_ask_makes_the_whole_call_an_ask() -> None:
    rules = Rules(parse_rules({"bash": {"git *": "allow"}}, ""))
    assert rules.decide("bash", ("git status", "make")) == Decision("ask", None, "make")


def test_a_child_without_a_matching_rule_takes_its_parents_decision() -> None:
    parent = Rules(parse_rules({"read": "allow", "bash": "deny"}, "parent"))
    child = Rules(parse_rules({"bash": "allow", "edit": "allow"}, "child"), parent=parent)
    assert child.decide("read", ("a",)).rule == parent.rules[0]
    assert child.decide("bash", ("ls",)).rule == parent.rules[1]
    assert child.decide("edit", ("a",)).action == "ask"
    assert child.hides("bash")


def test_a_call_without_patterns_is_asked_unless_its_permission_is_settled_outright() -> None:
    """OpenCode 49347: a command in which no pattern was found ran unasked."""
    parent = Rules(parse_rules({"*": "allow", "edit": {"*": "allow", ".env": "deny"}, "web": "deny"}, ""))
    child = Rules(parse_rules({"bash": {"rm *": "deny"}}, ""), parent=parent)
    outcomes = {name: child.decide(name, ()).action for name in ("read", "edit", "web", "bash")}
    assert outcomes == {"read": "allow", "edit": "ask", "web": "deny", "bash": "ask"}


def test_added_rules_are_stronger_and_leave_the_old_ones_alone() -> None:
    base = Rules(parse_rules("deny", "user"))
    more = base.with_rules([parse_flag("bash:git *", "allow", "--allow")])
    assert more.decide("bash", ("git",)).action == "allow"
    assert base.decide("bash", ("git",)).action == "deny"
    assert base.hides("bash")
    assert not more.hides("bash")


def test_added_rules_stay_under_the_parent() -> None:
    child = Rules(parent=Rules(parse_rules("deny", ""))).with_rules(parse_rules("allow", ""))
    assert child.decide("bash", ("ls",)).action == "deny"


def test_permission_names_take_wildcards() -> None:
    rules = Rules(parse_rules({"mcp__github__*": "deny"}, ""))
    assert rules.hides("mcp__github__delete")
    assert not rules.hides("mcp__gitlab__delete")


def test_rules_are_read_in_their_order() -> None:
    value = {"*": "ask", "bash": {"*": "deny", "git *": "allow"}, "read": "allow"}
    assert parse_rules(value, "here") == (
        Rule("*", "*", "ask", "here"),
        Rule("bash", "*", "deny", "here"),
        Rule("bash", "git *", "allow", "here"),
        Rule("read", "*", "allow", "here"),
    )


def test_a_list_takes_rules_as_they_are_and_allows_what_texts_name() -> None:
    denied = Rule("edit", "*", "deny", "mine")
    assert parse_rules([denied, "bash:git *", "*"], "sdk") == (
        denied,
        Rule("bash", "git *", "allow", "sdk"),
        Rule("*", "*", "allow", "sdk"),
    )


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("alow", ["'alow'", "everything", '"allow", "ask", "deny"', 'did you mean "allow"']),
        ({"bash": "yes"}, ["'yes'", "bash", 'did you mean "allow"']),
        ({"bash": {"git *": True}}, ["True", 'bash "git *"', 'did you mean "allow"']),
        ({"bash": {"": "allow"}}, ["not a pattern for bash"]),
        ({"bash git": "allow"}, ["'bash git'", "not a permission"]),
        ({3: "allow"}, ["3 is not a permission"]),
        ([3], ["3 is not a rule"]),
        (["bash:"], ['write "bash" or']),
        (["deny bash"], ["'deny bash'", "not a permission"]),
        (7, ["must be a table", "7"]),
    ],
)
def test_a_bad_rule_is_refused_with_a_way_out(value: object, said: list[str]) -> None:
    with pytest.raises(ConfigError) as caught:
        parse_rules(value, "config.toml:3")
    assert str(caught.value).startswith("config.toml:3: ")
    for words in said:
        assert words in str(caught.value)


def test_a_word_that_resembles_no_action_gets_no_guess() -> None:
    with pytest.raises(ConfigError) as caught:
        parse_rules("zzz", "")
    assert "did you mean" not in str(caught.value)


def test_approvals_answer_only_if_they_cover_every_pattern() -> None:
    saved = [("zone", "git *"), ("zone", "ls"), ("edit", "*")]
    assert covered(saved, "zone", ("git push", "ls"))
    assert not covered(saved, "zone", ("git push", "rm x"))
    assert not covered(saved, "read", ("x",))
    assert not covered(saved, "zone", ())


@pytest.mark.parametrize(
    ("rules", "action"),
    [
        ({"*": "allow"}, "ask"),
        ({"doom_*": "allow"}, "ask"),
        ({"doom_loop": "allow"}, "allow"),
        ({"doom_loop": "allow", "*": "deny"}, "deny"),
    ],
)
def test_the_alarm_for_repetition_is_switched_off_by_its_name_only(rules: dict[str, str], action: str) -> None:
    assert Rules(parse_rules(rules, "config.toml")).decide("doom_loop", ["look"]).action == action


def test_lint_names_a_rule_that_a_later_one_covers() -> None:
    rules = Rules(parse_rules({"bash": {"git *": "allow", "*": "deny"}}, "config.toml"))
    (line,) = rules.lint()
    assert 'bash "git *" = allow (config.toml) never decides' in line
    assert 'bash "*" = deny' in line
    assert "put it after" in line


def test_lint_says_to_remove_what_is_said_again() -> None:
    (line,) = Rules(parse_rules({"bash": {"git push": "ask"}, "b*": {"git *": "ask"}}, "")).lint()
    assert line.endswith("remove it")


def test_lint_is_silent_about_good_rules_and_overruled_defaults() -> None:
    defaults = parse_rules({"bash": "ask"}, "default")
    assert Rules(defaults).with_rules(parse_rules({"bash": {"*": "deny", "git *": "allow"}}, "user")).lint() == []


def test_lint_names_what_a_parent_makes_void() -> None:
    child = Rules(
        parse_rules({"bash": "allow", "read": "allow"}, "agent"), parent=Rules(parse_rules({"bash": "deny"}, ""))
    )
    (line,) = child.lint()
    assert 'bash "*" = allow (agent) has no effect' in line


def test_explain_shows_the_deciding_rule_the_overruled_and_the_approval() -> None:
    rules = Rules(parse_rules({"*": "allow"}, "default")).with_rules(parse_rules({"bash": {"git *": "ask"}}, "user:12"))
    assert explain(rules, "bash", "git push", [("bash", "git push"), ("bash", "ls")]).splitlines() == [
        'bash "git push": runs, a saved approval answers the ask',
        'decided by: bash "git *" = ask (user:12)',
        'overruled:  * "*" = allow (default)',
        'approved:   bash "git push" (saved)',
    ]


def test_explain_says_that_an_approval_does_not_lift_a_deny() -> None:
    text = explain(Rules(parse_rules("deny", "user")), "bash", "ls", [("bash", "ls *")])
    assert text.splitlines()[0] == 'bash "ls": denied'
    assert "but a deny is final" in text


def test_explain_shows_the_parents_rules_too() -> None:
    child = Rules(parse_rules({"bash": "allow"}, "child"), parent=Rules(parse_rules({"bash": "ask"}, "parent")))
    assert explain(child, "bash", "ls").splitlines() == [
        'bash "ls": asks first',
        'decided by: bash "*" = ask (parent)',
        'overruled:  bash "*" = allow (child)',
    ]


def test_explain_says_when_no_rule_matches() -> None:
    assert "no rule matches" in explain(Rules(), "bash", "ls")
    assert explain(Rules(parse_rules("allow", "")), "bash", "ls").startswith('bash "ls": runs without asking')


@given(st.text(string.printable, max_size=12), st.sampled_from(ACTIONS))
def test_a_flag_is_read_or_refused_and_never_crashes(text: str, action: Action) -> None:
    try:
        rule = parse_flag(text, action, "--flag")
    except ConfigError:
        return
    assert text in (rule.permission, f"{rule.permission}:{rule.pattern}")
    assert rule.action == action
