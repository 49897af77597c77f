"""Answers and calls in one JSON object, taken apart while it streams; and whatever else a model writes instead."""

import json
import time
from collections.abc import Sequence
from typing import Any

import jsonschema_rs
import pytest
from call_samples import CET, OSLO, TOOLS, T, W
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from scan_play import calls, joined, shown

from toolpost.models.prompted.json_envelope import (
    ENVELOPE_NOTE,
    EnvelopeReader,
    envelope_schema,
    write_answer,
    write_calls,
)
from toolpost.models.prompted.scanner import CallScanner
from toolpost.types.stream import StreamEvent, TextDelta, ToolInputDelta, ToolInputStart
from toolpost.types.tool_spec import ToolSpec

SPECS = [ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in TOOLS]
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)
PIECES = [
    *(
        '{"action": ',
        '"final"',
        '"call"',
        ', "text": "',
        ', "calls": [',
        W,
        T,
        "]",
        "}",
        "]}",
        '"',
        '"}',
        ",",
        "[",
        "{",
    ),
    *(
        "\\n",
        "\\u00e9",
        "\\ud83d\\ude00",
        "\\ud83d",
        "\\ude00",
        "\\u12",
        "\\",
        '\\"',
        "\\\\",
        "\\x",
        "\n",
        " ",
        "text ",
    ),
    *("```json\n", "```", "<tool_call>", "</tool_call>", '"action"', '"name": ', '"get_weather"', "null", "é", ":"),
]
soups = st.lists(st.sampled_from(PIECES), max_size=12).map("".join)
begun = soups.map(lambda soup: '{"action": "final", "text": "' + soup)
quiet = settings(deadline=None, max_examples=300, suppress_health_check=list(HealthCheck))


def read(text: str, cuts: Sequence[int] = (), *, cut: bool = False) -> list[StreamEvent]:
    """The events of `text`, fed in pieces that end at `cuts`."""
    reader = EnvelopeReader(SPECS)
    ends = [*sorted(cuts), len(text)]
    events = [event for start, end in zip([0, *ends], ends, strict=False) for event in reader.feed(text[start:end])]
    return events + reader.close(cut=cut)


@quiet
@given(texts, st.booleans(), st.data())
def test_an_answer_is_its_text_however_it_is_written_and_cut(text: str, ascii_only: bool, data: st.DataObject) -> None:
    written = json.dumps({"action": "final", "text": text}, ensure_ascii=ascii_only)
    cuts = data.draw(st.sets(st.integers(0, len(written))))
    events = read(written, sorted(cuts))
    assert shown(events) == text
    assert all(isinstance(event, TextDelta) for event in events)


@quiet
@given(soups | begun, st.booleans(), st.data())
def test_any_cuts_of_any_text_change_nothing(text: str, cut: bool, data: st.DataObject) -> None:
    cuts = data.draw(st.sets(st.integers(0, len(text))))
    assert joined(read(text, sorted(cuts), cut=cut)) == joined(read(text, cut=cut))


def test_calls_come_out_as_calls() -> None:
    text = write_calls([OSLO, CET])
    rows = joined(read(text, range(len(text))))
    assert [row[0] for row in rows] == ["tool-input-start", "tool-input-delta", "tool-input-end", "tool-call"] * 2
    assert calls(read(text)) == [OSLO, CET]
    assert shown(read(text)) == ""


def test_what_is_written_for_earlier_turns_is_what_is_read() -> None:
    assert shown(read(write_answer('Say "hi"\n你好'))) == 'Say "hi"\n你好'
    assert "你好" in write_answer("你好")
    assert write_calls([OSLO]) == f'{{"action": "call", "calls": [{W}]}}'


def test_text_is_shown_as_it_comes() -> None:
    reader = EnvelopeReader(SPECS)
    assert reader.feed('{"action": "final", "text": "') == []
    for word in ("It ", "rains ", 'in \\"', "Oslo"):
        assert shown(reader.feed(word)) == json.loads(f'"{word}"')
    assert shown(reader.feed('"}') + reader.close()) == ""


def test_arguments_go_out_as_they_come() -> None:
    reader = EnvelopeReader(SPECS)
    begun = reader.feed('{"action": "call", "calls": [{"name": "run", "arguments": {"command": "')
    assert [event.name for event in begun if isinstance(event, ToolInputStart)] == ["run"]
    going = reader.feed("ls -la")
    assert "ls -la" in "".join(event.text for event in going if isinstance(event, ToolInputDelta))


@pytest.mark.parametrize(
    ("text", "found", "said"),
    [
        (f'{{"action":"call","calls":{W}}}', [OSLO], ""),
        ('{"action": "call", "name": "get_weather", "arguments": {"city": "Oslo"}}', [OSLO], ""),
        (f'{{"action": "call", "text": "Let me look.", "calls": [{W}]}}', [OSLO], "Let me look."),
        (f'```json\n{{"action": "call", "calls": [{W}]}}\n```', [OSLO], ""),
        (f'{{"action": "call", "calls": [{W}]}}\n\nIt is sunny in Oslo.', [OSLO], ""),
        ('{"action": "call", "calls": []}', [], ""),
        ('{"action": "final", "answer": "It rains."}', [], "It rains."),
        ('{"action": "final", "mood": null, "text": "It rains.", "sure": true}', [], "It rains."),
        ('```\n{"action": "final", "text": "It rains."}\n```', [], "It rains."),
        ('{"action": "final", "text": "He said "yes", then left."}', [], 'He said "yes", then left.'),
        ('{"action": "final", "text": "a\nb"}', [], "a\nb"),
        ('{"action": "final", "text": "It rains."} Yes.', [], "It rains. Yes."),
        (f'{{"action": "final", "text": "Wait."}}\n<tool_call>{W}</tool_call>', [OSLO], "Wait.\n"),
        ('{"action": "final", "text": "half \\ud83d"}', [], "half \ufffd"),
        ('{"action": "final", "text": "C:\\dir \\u12"}', [], "C:\\dir \\u12"),
        ('{"action": "final", "text": "cut off \\u00', [], "cut off "),
        ('{"action": "final", "text": "cut off', [], "cut off"),
        ('{"action": "final"}', [], ""),
    ],
)
def test_what_models_make_of_the_object(text: str, found: list[Any], said: str) -> None:
    events = read(text, range(len(text)))
    assert calls(events) == found
    assert shown(events) == said


@pytest.mark.parametrize(
    "text",
    [
        *("It rains.", "", "  \n", "{", "{}", "{x}", '{"action"', '{"action": "dance"}', '{"temperature": 5}'),
        *(W, f"<tool_call>\n{W}\n</tool_call>", f"So:\n<tool_call>{W}</tool_call>", "```python\nprint({})\n```"),
        *(f'{{"tool_calls": [{W}]}}', '{"action": "get_weather", "action_input": {"city": "Oslo"}}', f"[{W}, {T}]"),
    ],
)
def test_anything_else_is_read_as_if_nothing_had_been_asked_for(text: str) -> None:
    scanner = CallScanner(SPECS)
    assert joined(read(text, range(len(text)))) == joined(scanner.feed(text) + scanner.close())


def test_plain_text_is_shown_at_once() -> None:
    assert shown(EnvelopeReader(SPECS).feed("It rains")) == "It rains"


def test_a_call_cut_off_at_the_length_limit_is_not_run() -> None:
    text = '{"action": "call", "calls": [{"name": "get_weather", "arguments": {"city": "Osl'
    assert calls(read(text, cut=True)) == []
    (problem,) = [row[-1]["prompted"]["problem"] for row in joined(read(text, cut=True)) if row[0] == "tool-call"]
    assert "cut off" in problem


def test_a_long_answer_costs_no_more_a_character_than_a_short_one() -> None:
    def cost(size: int) -> float:
        text = write_answer('some "code"\n' * (size // 12))
        begun = time.process_time()
        reader = EnvelopeReader(SPECS)
        for start in range(0, len(text), 4):
            reader.feed(text[start : start + 4])
        return (time.process_time() - begun) / len(text)

    cost(5_000)
    # Were it quadratic, forty times the length would cost forty times as much.
    assert min(cost(200_000) for _ in range(2)) < 6 * min(cost(5_000) for _ in range(5))


def test_the_schema_allows_answers_and_calls_of_the_tools_on_offer() -> None:
    valid = jsonschema_rs.validator_for(envelope_schema(SPECS)).is_valid
    assert valid(json.loads(write_answer("Hi.")))
    assert valid(json.loads(write_calls([OSLO, CET])))
    assert not valid(json.loads(write_calls([])))
    assert not valid(json.loads(write_calls([("get_weather", {})])))
    assert not valid(json.loads(write_calls([("nope", {})])))
    assert not valid({"action": "final", "text": "Hi.", "calls": []})


def test_where_a_call_is_required_there_is_no_answer() -> None:
    valid = jsonschema_rs.validator_for(envelope_schema(SPECS, required=True)).is_valid
    assert valid(json.loads(write_calls([OSLO])))
    assert not valid(json.loads(write_answer("Hi.")))


def test_references_of_the_tools_do_not_get_mixed_up() -> None:
    def tree(leaf: dict[str, Any]) -> dict[str, Any]:
        kids = {"type": "array", "items": {"$ref": "#/$defs/Node"}}
        node = {"type": "object", "properties": {"leaf": leaf, "kids": kids}, "required": ["leaf"]}
        return {"type": "object", "properties": {"root": {"$ref": "#/$defs/Node"}}, "$defs": {"Node": node}}

    tools = [ToolSpec("one", "", tree({"type": "string"})), ToolSpec("two", "", tree({"type": "integer"}))]
    valid = jsonschema_rs.validator_for(envelope_schema(tools)).is_valid
    for name, good, bad in (("one", "x", 1), ("two", 1, "x")):
        assert valid(json.loads(write_calls([(name, {"root": {"leaf": good, "kids": [{"leaf": good}]}})])))
        assert not valid(json.loads(write_calls([(name, {"root": {"leaf": good, "kids": [{"leaf": bad}]}})])))


def test_the_schema_leaves_out_what_servers_give_up_at() -> None:
    pattern = {"type": "string", "pattern": "(?=x)y", "maxLength": 100_000, "minLength": 1}
    pair = {"type": "array", "prefixItems": [{}, {}], "items": False, "contains": True}
    tool = ToolSpec("find", "", {"type": "object", "properties": {"pattern": pattern, "pair": pair}})
    (call,) = envelope_schema([tool], required=True)["properties"]["calls"]["items"]["anyOf"]
    assert call["properties"]["arguments"]["properties"] == {
        "pattern": {"type": "string", "minLength": 1},
        "pair": {"type": "array", "prefixItems": [{}, {}], "maxItems": 2},
    }


def test_the_note_shows_objects_that_the_reader_takes() -> None:
    objects = [line[line.index("{") :] for line in ENVELOPE_NOTE.splitlines() if "{" in line]
    assert ["call" in line for line in objects] == [True, False]
    assert shown(read(objects[1])) == "<your answer>"
