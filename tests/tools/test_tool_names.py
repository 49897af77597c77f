"""Repair of tool names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost.arguments.tool_names import distance, near, repair

OFFERED = ("get_weather", "read_file", "mcp__github__search_issues", "calculate", "listFiles")
tool_names = st.from_regex(r"[A-Za-z][A-Za-z0-9_-]{0,20}", fullmatch=True)


@pytest.mark.parametrize(
    ("asked", "meant"),
    [
        ("get_weather", "get_weather"),
        ("Get_Weather", "get_weather"),
        ("get-weather", "get_weather"),
        ("getWeather", "get_weather"),
        ("get weather", "get_weather"),
        (" get_weather\n", "get_weather"),
        ("functions.get_weather", "get_weather"),
        ("functions.get_weather:0", "get_weather"),
        ("default_api.getWeather", "get_weather"),
        ("get_weather()", "get_weather"),
        ("get_wether", "get_weather"),
        ("get_waether", "get_weather"),
        ("getwether", "get_weather"),
        ("read_files", "read_file"),
        ("list_files", "listFiles"),
        ("calculat", "calculate"),
        ("mcp__github__searchIssues", "mcp__github__search_issues"),
        ("mcp__githib__search_issues", "mcp__github__search_issues"),
    ],
)
def test_a_name_that_was_plainly_meant_is_repaired(asked: str, meant: str) -> None:
    assert repair(asked, OFFERED) == meant


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("", OFFERED),
        ("()", OFFERED),
        ("weather", OFFERED),
        ("search_issues", OFFERED),
        ("set_weather", OFFERED),
        ("unlock_door", ("lock_door",)),
        ("push_changes", ("pull_changes",)),
        ("import_notes", ("export_notes",)),
        ("run_step_1", ("run_step_2",)),
        ("github.read_file", ("read_file",)),
        ("delete", ("select",)),
    ],
)
def test_another_tool_is_never_run_in_its_place(asked: str, offered: tuple[str, ...]) -> None:
    assert repair(asked, offered) is None


@pytest.mark.parametrize(
    ("asked", "offered"),
    [
        ("getweather", ("get_weather", "getWeather")),
        ("search_isues", ("search_issue", "search_issues")),
        ("delete_recrd", ("delete_record", "delete_records")),
    ],
)
def test_ambiguity_gives_nothing(asked: str, offered: tuple[str, ...]) -> None:
    assert repair(asked, offered) is None


@given(st.lists(tool_names, min_size=1), st.data())
def test_an_offered_name_is_repaired_to_itself(offered: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(offered))
    assert repair(name, offered) == name


@given(st.text() | tool_names, st.lists(tool_names))
def test_only_what_is_offered_is_returned(name: str, offered: list[str]) -> None:
    assert repair(name, offered) in (None, *offered)


@given(st.lists(tool_names, min_size=1, unique=True), st.data())
def test_the_order_of_the_offer_does_not_matter(offered: list[str], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(offered)) + data.draw(st.sampled_from(["", "s", "x", " "]))
    assert repair(name, offered) == repair(name, list(reversed(offered)))


@given(tool_names, tool_names)
def test_distance_is_the_same_in_both_directions(left: str, right: str) -> None:
    assert distance(left, right, 30) == distance(right, left, 30)
    assert (distance(left, right, 30) == 0) == (left == right)


def test_near_names_are_hints_with_the_closest_first() -> None:
    assert near("weather", OFFERED) == ["get_weather"]
    assert near("search_issues", OFFERED) == ["mcp__github__search_issues"]
    assert near("xyz", OFFERED) == []
