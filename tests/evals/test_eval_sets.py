"""Sets of cases: what can be written, and what is said of a line that is wrong."""

import json

import pytest
from eval_sets import ADD, ALL, OSLO, POEM, WEATHER, WHERE, weather, write_set

from toolpost.evals.cases import load_set
from toolpost.types.errors import ConfigError


def without(case, *names):
    return {name: value for name, value in case.items() if name not in names}


def test_a_file_brings_its_tools_along(tmp_path):
    cases = load_set(write_set(tmp_path / "mine.jsonl", *ALL))
    assert (cases.name, [case.id for case in cases.cases]) == ("mine", ["oslo", "two", "poem", "where"])
    assert [tool.name for tool in cases.cases[0].tools] == ["get_weather", "add"]


def test_a_folder_has_its_tools_in_a_file_of_their_own(tmp_path):
    (tmp_path / "tools.json").write_text(json.dumps([WEATHER, ADD]))
    write_set(tmp_path / "cases.jsonl", {**OSLO, "tools": ["get_weather", "add"]}, "", {**POEM, "tools": ["add"]})
    cases = load_set(tmp_path).cases
    assert [[tool.name for tool in case.tools] for case in cases] == [["get_weather", "add"], ["add"]]


def test_category_and_language_may_be_left_out(tmp_path):
    bare = [without(case, "category", "language") for case in ALL]
    cases = load_set(write_set(tmp_path / "mine.jsonl", *bare)).cases
    assert [case.category for case in cases] == ["single", "parallel", "no_call", "no_call"]
    assert {case.language for case in cases} == {"en"}


def test_the_hash_changes_with_any_case_or_tool(tmp_path):
    told = {**WEATHER, "description": "Else."}
    sets = [ALL, ALL[:3], [{**OSLO, "question": "?"}, *ALL[1:]], [{**OSLO, "tools": [told]}, *ALL[1:]]]
    hashes = [load_set(write_set(tmp_path / "s.jsonl", *lines)).hash for lines in (*sets, ALL)]
    assert len(set(hashes)) == 4
    assert hashes[0] == hashes[-1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "x",', "it ends too early"),
        ("[1]", "the value must be an object, got an array"),
        ({**OSLO, "anwser": []}, '"anwser" is not known'),
        (without(OSLO, "question"), '"question" is missing'),
        ({**OSLO, "question": 3}, '"question" must be a string, got an integer'),
        ({**OSLO, "question": " "}, "the question is empty"),
        ({**OSLO, "category": "double"}, "\"category\" can't be 'double'; expected "),
        ({**OSLO, "tools": ["get_weather"]}, "no tool 'get_weather': write the tool itself, or give a folder"),
        ({**OSLO, "tools": [WEATHER, WEATHER]}, "two of its tools have the same name"),
        ({**POEM, "tools": [{**WEATHER, "parameters": {"type": "objekt"}}]}, "its parameters are not a JSON Schema"),
        ({**OSLO, "today": "1 March"}, "today is '1 March': write a date such as 2026-03-01"),
        ({**OSLO, "accept": []}, "accept is empty"),
        ({**OSLO, "accept": [[]]}, "a case of the category single accepts at least one call"),
        ({**WHERE, "accept": [[weather("Oslo")]]}, "a case of the category missing accepts no call"),
        ({**OSLO, "accept": [[{"name": "fly"}]]}, "accept has a call of 'fly', which is not among its tools"),
        ({**OSLO, "accept": [[weather()]]}, "'city' has no accepted value"),
        ({**OSLO, "accept": [[weather("Oslo", unit=["celsius", "kelvin"])]]}, '"unit" should be one of'),
        ({**OSLO, "accept": [[weather("Oslo", country=["Norway"])]]}, "get_weather has no parameter 'country'"),
        (
            {**OSLO, "accept": [[{"name": "get_weather", "arguments": {"city": "Oslo"}}]]},
            "must be an array, got a string",
        ),
        ({**OSLO, "accept": [[{"name": "get_weather"}]]}, '"city" is missing'),
        ({**OSLO, "results": {"fly": "x"}}, "results has 'fly', which is not among its tools"),
        ({**OSLO, "results": {"get_weather": []}}, "results of 'get_weather' are empty"),
        ({**OSLO, "results": {}}, "results has none for 'get_weather'"),
        ({**OSLO, "answer": [[]]}, "answer has an empty group or word"),
    ],
)
def test_a_wrong_line_is_named_with_what_is_wrong(tmp_path, line, said):
    file = write_set(tmp_path / "mine.jsonl", POEM, "", line)
    with pytest.raises(ConfigError) as error:
        load_set(file)
    assert f"{file} can't be used:\n  line 3: " in str(error.value)
    assert said in str(error.value)


def test_every_wrong_line_is_told_at_once_but_not_without_end(tmp_path):
    with pytest.raises(ConfigError) as error:
        load_set(write_set(tmp_path / "mine.jsonl", *["{}"] * 13))
    assert str(error.value).count('"id" is missing') == 10
    assert "and 3 more" in str(error.value)


def test_an_id_stands_for_one_case(tmp_path):
    with pytest.raises(ConfigError, match="line 2: the id 'poem' is in an earlier line too"):
        load_set(write_set(tmp_path / "mine.jsonl", POEM, POEM))


def test_a_set_that_is_not_there_or_empty_is_said(tmp_path):
    with pytest.raises(ConfigError, match=r"can't read .*nowhere.jsonl: No such file"):
        load_set(tmp_path / "nowhere.jsonl")
    with pytest.raises(ConfigError, match=r"can't read .*tools.json: No such file"):
        load_set(tmp_path)
    with pytest.raises(ConfigError, match="has no cases"):
        load_set(write_set(tmp_path / "mine.jsonl", ""))


@pytest.mark.parametrize(
    ("tools", "said"),
    [
        ("{}", "must be an array"),
        (json.dumps([WEATHER, WEATHER]), "two tools have the same name"),
        (json.dumps([{**WEATHER, "parameters": {"type": 3}}]), "get_weather: its parameters are not a JSON Schema"),
    ],
)
def test_wrong_tools_of_a_folder_are_named(tmp_path, tools, said):
    (tmp_path / "tools.json").write_text(tools)
    with pytest.raises(ConfigError, match=said):
        load_set(tmp_path)
