"""The set of cases that comes with Toolpost: whole, within reach of a careful reader, and not lopsided."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from toolpost.evals.cases import CASES_FILE, CATEGORIES, EVERYDAY, TOOLS_FILE, load_set
from toolpost.evals.scoring import plain_text, says

TOOLS: dict[str, dict[str, Any]] = {
    tool["name"]: tool for tool in json.loads((EVERYDAY / TOOLS_FILE).read_text(encoding="utf-8"))
}
LINES = (EVERYDAY / CASES_FILE).read_text(encoding="utf-8").splitlines()
CASES: list[dict[str, Any]] = [json.loads(line) for line in LINES]
SILENT = ("no_call", "missing")
CALLING = [case for case in CASES if case["category"] not in SILENT]

FLOORS = {"single": 90, "choice": 110, "parallel": 60, "no_call": 45, "missing": 35}
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def calls_of(case: dict[str, Any]) -> Iterator[dict[str, Any]]:
    return (call for alternative in case["accept"] for call in alternative)


def properties_of(name: str) -> dict[str, Any]:
    return TOOLS[name]["parameters"]["properties"]


def required_of(name: str) -> list[str]:
    return TOOLS[name]["parameters"].get("required", [])


def closed(schema: Any) -> Any:
    """The schema, with no property at any depth but those it names."""
    if isinstance(schema, list):
        return [closed(one) for one in schema]
    if not isinstance(schema, dict):
        return schema
    inner = {key: closed(value) for key, value in schema.items()}
    return {**inner, "additionalProperties": False} if schema.get("type") == "object" else inner


def described(schema: dict[str, Any]) -> Iterator[bool]:
    """For every property and item at any depth, whether it says what it is; the words of a list of words need not."""
    for field in schema.get("properties", {}).values():
        yield bool(field.get("description"))
        yield from described(field)
    if "items" in schema:
        yield "enum" in schema["items"] or bool(schema["items"].get("description"))
        yield from described(schema["items"])


def accepted_arguments(call: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The first accepted values together, then each other value in place of the first."""
    first = {name: values[0] for name, values in call["arguments"].items()}
    variants = [first, *({**first, name: value} for name, values in call["arguments"].items() for value in values[1:])]
    for arguments in variants:
        yield {name: value for name, value in arguments.items() if value is not None}


def test_toolpost_loads_it_when_no_other_set_is_named():
    assert [case.id for case in load_set().cases] == [case["id"] for case in CASES]


def test_ids_say_language_and_category_and_are_unique():
    wrong = [
        case["id"] for case in CASES if not re.fullmatch(rf"{case['language']}-{case['category']}-\d{{3}}", case["id"])
    ]
    assert wrong == []
    assert len({case["id"] for case in CASES}) == len(CASES)


def test_no_question_is_asked_twice():
    counts = Counter(plain_text(case["question"]) for case in CASES)
    assert [question for question, count in counts.items() if count > 1] == []


def test_questions_are_in_the_language_they_claim():
    assert [case["id"] for case in CASES if (case["language"] == "zh") != bool(CHINESE.search(case["question"]))] == []


@pytest.mark.parametrize("category", CATEGORIES)
def test_every_category_is_well_filled_in_both_languages(category: str):
    counts = Counter(case["language"] for case in CASES if case["category"] == category)
    assert counts.total() >= FLOORS[category]
    assert 0.35 <= counts["zh"] / counts.total() <= 0.45


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_tool_is_called_in_both_languages(language: str):
    called = {call["name"] for case in CASES if case["language"] == language for call in calls_of(case)}
    assert called == set(TOOLS)


def test_there_are_many_tools_of_many_shapes():
    fields = [field for name in TOOLS for field in properties_of(name).values()]
    kinds = {field["type"] for field in fields}
    assert len(TOOLS) >= 48
    assert kinds == {"string", "integer", "number", "boolean", "array", "object"}
    assert {field["items"]["type"] for field in fields if field["type"] == "array"} == {"string", "object"}
    assert any("enum" in field for field in fields)
    assert any(not properties_of(name) for name in TOOLS)


@pytest.mark.parametrize("name", TOOLS)
def test_a_tool_has_a_valid_schema_and_says_what_everything_is(name: str):
    tool = TOOLS[name]
    jsonschema_rs.meta.validate(tool["parameters"])
    assert set(required_of(name)) <= set(properties_of(name))
    assert not [field for field in required_of(name) if "default" in properties_of(name)[field]]
    assert tool["description"]
    assert all(described(tool["parameters"]))


def test_as_many_tools_are_offered_as_the_category_has():
    for case in CASES:
        assert len(case["tools"]) == len(set(case["tools"])), case["id"]
        assert set(case["tools"]) <= set(TOOLS), case["id"]
        least, most = (1, 1) if case["category"] == "single" else (4, 8)
        assert least <= len(case["tools"]) <= most, case["id"]


def test_as_many_calls_are_expected_as_the_category_has():
    allowed = {"single": (1, 1), "choice": (1, 1), "parallel": (2, 5), "no_call": (0, 0), "missing": (0, 0)}
    for case in CASES:
        least, most = allowed[case["category"]]
        assert case["accept"], case["id"]
        assert all(least <= len(alternative) <= most for alternative in case["accept"]), case["id"]
        assert {call["name"] for call in calls_of(case)} <= set(case["tools"]), case["id"]


@pytest.mark.parametrize("name", TOOLS)
def test_every_accepted_value_fits_the_schema(name: str):
    validator = jsonschema_rs.validator_for(closed(TOOLS[name]["parameters"]), validate_formats=True)
    calls = [(case["id"], call) for case in CASES for call in calls_of(case) if call["name"] == name]
    variants = [(id, arguments) for id, call in calls for arguments in accepted_arguments(call)]
    assert variants
    assert [(id, arguments) for id, arguments in variants if not validator.is_valid(arguments)] == []


def test_an_accepted_default_may_be_left_out():
    for case in CASES:
        for call in calls_of(case):
            fields = properties_of(call["name"])
            for name, values in call["arguments"].items():
                assert "default" not in fields[name] or fields[name]["default"] not in values or None in values, case[
                    "id"
                ]


def test_a_date_can_be_known_from_the_question_and_today():
    for case in CASES:
        values = [value for call in calls_of(case) for accepted in call["arguments"].values() for value in accepted]
        years = {value[:4] for value in values if isinstance(value, str) and re.match(r"\d{4}-\d\d-\d\d(T|$)", value)}
        assert case.get("today") or all(year in case["question"] for year in years), case["id"]


def test_every_call_has_its_result():
    for case in CALLING:
        assert set(case["results"]) == {call["name"] for call in calls_of(case)}, case["id"]
        for alternative in case["accept"]:
            for name, count in Counter(call["name"] for call in alternative).items():
                given = case["results"][name]
                assert (len(given) if isinstance(given, list) else 1) == count, case["id"]


def test_the_answer_stands_in_the_results_and_not_in_the_question():
    for case in CALLING:
        given = case["results"].values()
        results = "\n".join("\n".join(one) if isinstance(one, list) else one for one in given)
        assert case["answer"], case["id"]
        for group in case["answer"]:
            assert says(results, group), (case["id"], group)
            assert not says(case["question"], group), (case["id"], group)


def test_where_something_is_missing_the_case_says_what_to_ask_for():
    for case in CASES:
        assert bool(case.get("asks_for")) == (case["category"] == "missing"), case["id"]
        assert case["category"] not in SILENT or not {"results", "answer"} & set(case), case["id"]


def test_what_to_ask_for_is_more_than_the_question_said_over():
    """An answer that only repeats the question has asked for nothing."""
    repeated = [case["id"] for case in CASES if says(case["question"], case.get("asks_for", []))]
    assert repeated == []
