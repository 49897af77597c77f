"""Which tools are switched on: by name, by pattern, in layers that only ever narrow."""

from hypothesis import given
from hypothesis import strategies as st

from toolpost.tools.offered_tools import ALL, ToolSwitches

names = st.sampled_from(["read", "edit", "bash", "mcp__git__log", "mcp__git__push", "mcp__time__now"])
patterns = st.sampled_from(["*", "read", "edit", "mcp__*", "mcp__git__*", "*log"])
tables = st.dictionaries(patterns, st.booleans(), max_size=4)
choices = st.one_of(
    st.builds(ToolSwitches.switches, tables, tables), st.builds(ToolSwitches.only, st.lists(patterns, max_size=3))
)


def test_everything_is_on_until_it_is_switched_off() -> None:
    assert ALL.offers("read")
    assert not ToolSwitches.without({"read"}).offers("read")


def test_of_the_switches_that_match_the_last_one_decides() -> None:
    choice = ToolSwitches.switches({"mcp__*": False}, {"mcp__git__*": True, "mcp__git__push": False})
    assert [name for name in ("read", "mcp__time__now", "mcp__git__log", "mcp__git__push") if choice.offers(name)] == [
        "read",
        "mcp__git__log",
    ]


def test_a_list_of_tools_holds_for_those_that_arrive_later_too() -> None:
    choice = ToolSwitches.only(["read", "mcp__git__*"])
    assert choice.offers("mcp__git__log")
    assert not choice.offers("mcp__time__now")


@given(choices, choices, names)
def test_two_choices_together_offer_what_both_do(one: ToolSwitches, other: ToolSwitches, name: str) -> None:
    assert (one & other).offers(name) == (one.offers(name) and other.offers(name))
