"""Tool calls from deltas: every quirk of real servers that is known to us has its case."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.arguments.parse_json import MAX_NESTING, parse_arguments
from toolpost.models.openai_chat.chunks import ChatCallDelta, read_chunk
from toolpost.models.openai_chat.stream import CallAccumulator
from toolpost.types.stream import StreamEvent, ToolCall, ToolInputDelta, ToolInputEnd, ToolInputStart


def D(
    index: int | None,
    call_id: str | None,
    name: str | None,
    arguments: Any,
    extra_content: dict[str, Any] | None = None,
) -> ChatCallDelta:
    """One entry of `tool_calls`, read from a chunk as a server sends it."""
    function = {"name": name, "arguments": arguments}
    entry = {"index": index, "id": call_id, "function": function, "extra_content": extra_content}
    chunk = read_chunk(msgspec.json.encode({"choices": [{"delta": {"tool_calls": [entry]}}]}))
    assert chunk.choices
    assert chunk.choices[0].delta
    assert chunk.choices[0].delta.tool_calls
    return chunk.choices[0].delta.tool_calls[0]


OFFERED = ("add", "get_weather", "now")


def play(*chunks: list[ChatCallDelta], cut: bool = False) -> list[StreamEvent]:
    accumulator = CallAccumulator(OFFERED)
    events = [event for chunk in chunks for event in accumulator.feed(chunk)]
    return events + accumulator.finish(cut=cut)


def calls(events: list[StreamEvent]) -> list[tuple[str, str, Any]]:
    return [(e.id, e.name, e.arguments if not e.raw else e.raw) for e in events if isinstance(e, ToolCall)]


def named(events: list[StreamEvent]) -> list[tuple[str, Any]]:
    return [(name, arguments) for _, name, arguments in calls(events)]


def test_two_calls_as_openai_sends_them() -> None:
    events = play(
        [D(0, "a", "add", "")],
        [D(0, None, None, '{"a"')],
        [D(0, None, None, ":1}")],
        [D(1, "b", "now", "")],
        [D(1, None, None, "{}")],
    )
    assert events == [
        ToolInputStart("a", "add"),
        ToolInputDelta("a", '{"a"'),
        ToolInputDelta("a", ":1}"),
        ToolInputEnd("a"),
        ToolCall("a", "add", {"a": 1}),
        ToolInputStart("b", "now"),
        ToolInputDelta("b", "{}"),
        ToolInputEnd("b"),
        ToolCall("b", "now", {}),
    ]


def test_a_call_goes_out_when_the_next_begins() -> None:
    accumulator = CallAccumulator()
    accumulator.feed([D(0, "a", "add", '{"a":1}')])
    events = accumulator.feed([D(1, "b", "add", "{")])
    assert [e.id for e in events if isinstance(e, ToolCall)] == ["a"]


@pytest.mark.parametrize("index", [0, None])
def test_an_index_that_is_always_zero_or_missing_does_not_merge_calls(index: int | None) -> None:
    events = play([D(index, "a", "add", '{"a":1}')], [D(index, "b", "add", '{"a"')], [D(index, None, None, ":2}")])
    assert calls(events) == [("a", "add", {"a": 1}), ("b", "add", {"a": 2})]


def test_two_entries_with_one_index_in_one_chunk_stay_two_calls() -> None:
    assert named(play([D(0, "a", "add", '{"a":1}'), D(0, "b", "add", '{"a":2}')])) == [
        ("add", {"a": 1}),
        ("add", {"a": 2}),
    ]


def test_two_entries_without_ids_and_arguments_in_one_chunk_stay_two_calls() -> None:
    assert named(play([D(0, None, "now", ""), D(0, None, "now", "")])) == [("now", {}), ("now", {})]


def test_entries_without_index_keep_to_their_positions() -> None:
    events = play(
        [D(None, "a", "add", "{"), D(None, "b", "now", "{")],
        [D(None, None, None, '"a":1}'), D(None, None, None, "}")],
    )
    assert calls(events) == [("a", "add", {"a": 1}), ("b", "now", {})]


def test_a_lone_entry_without_index_goes_on_with_the_call_that_is_not_whole() -> None:
    events = play([D(None, "a", "now", "{}"), D(None, "b", "add", '{"a"')], [D(None, None, None, ":1}")])
    assert calls(events) == [("a", "now", {}), ("b", "add", {"a": 1})]


def test_an_entry_without_index_finds_its_call_by_id() -> None:
    events = play(
        [D(None, "a", "add", "{"), D(None, "b", "now", "{")], [D(None, "b", None, "}")], [D(None, "a", None, "}")]
    )
    assert calls(events) == [("a", "add", {}), ("b", "now", {})]


@pytest.mark.parametrize("empty", ["", None])
def test_empty_and_null_ids_and_names_continue_the_call(empty: str | None) -> None:
    assert calls(play([D(0, "a", "add", "{")], [D(0, empty, empty, "}")])) == [("a", "add", {})]


def test_an_id_repeated_in_every_chunk_is_one_call() -> None:
    assert calls(play([D(0, "a", "add", "{")], [D(0, "a", None, '"a":1')], [D(0, "a", None, "}")])) == [
        ("a", "add", {"a": 1})
    ]


def test_an_id_that_comes_late_does_not_split_the_call() -> None:
    assert named(play([D(0, None, "add", "{")], [D(0, "late", None, "")], [D(0, "late", None, "}")])) == [("add", {})]


def test_an_entry_that_says_nothing_is_no_call() -> None:
    assert play([D(0, "", None, "")]) == []


def test_an_id_that_never_comes_is_made_up() -> None:
    ((call_id, name, arguments),) = calls(play([D(0, None, "add", "{")], [D(0, None, None, "}")]))
    assert call_id.startswith("call_")
    assert (name, arguments) == ("add", {})


def test_ids_that_two_calls_share_are_made_unique() -> None:
    (first, second) = calls(play([D(0, "x", "add", "{}")], [D(1, "x", "now", "{}")]))
    assert first[0] == "x"
    assert second[0] not in ("x", "")


def test_a_name_repeated_in_every_chunk_is_assigned_and_not_appended() -> None:
    assert calls(play([D(0, "a", "add", "{")], [D(0, "a", "add", "}")])) == [("a", "add", {})]


def test_a_name_that_differs_begins_a_new_call() -> None:
    assert named(play([D(0, None, "add", "")], [D(0, None, "now", "")])) == [("add", {}), ("now", {})]


def test_a_name_split_over_chunks_is_joined_if_only_that_makes_an_offered_tool() -> None:
    events = play([D(0, "a", "get", None)], [D(0, None, "_wea", None)], [D(0, None, "ther", "{}")])
    assert events[0] == ToolInputStart("a", "get_weather")
    assert calls(events) == [("a", "get_weather", {})]


def test_a_late_name_holds_the_events_back() -> None:
    accumulator = CallAccumulator(OFFERED)
    assert accumulator.feed([D(0, "a", None, '{"a":')]) == []
    assert accumulator.feed([D(0, None, "add", "1}")]) == [
        ToolInputStart("a", "add"),
        ToolInputDelta("a", '{"a":'),
        ToolInputDelta("a", "1}"),
    ]


def test_a_name_that_never_comes_is_still_told() -> None:
    assert calls(play([D(0, "a", None, "{}")])) == [("a", "", {})]


@pytest.mark.parametrize("arguments", ["", None, " ", "null", {}])
def test_no_arguments_are_an_empty_object(arguments: Any) -> None:
    assert calls(play([D(0, "a", "now", arguments)])) == [("a", "now", {})]


def test_arguments_may_come_as_an_object() -> None:
    assert named(play([D(0, "a", "add", {"a": 1})], [D(0, "b", "add", {"a": 2})])) == [
        ("add", {"a": 1}),
        ("add", {"a": 2}),
    ]


@pytest.mark.parametrize(
    "pieces", [['{"a":1}{"a":2}'], ['{"a":1}', '{"a":2}'], ['{"a":', '1}{"a"', ":2}"], ['{"a":1} ', '\n{"a":2}']]
)
def test_several_objects_under_one_index_are_several_calls(pieces: list[str]) -> None:
    events = play([D(0, "a", "add", "")], *([D(0, None, None, piece)] for piece in pieces))
    assert named(events) == [("add", {"a": 1}), ("add", {"a": 2})]
    assert len({call_id for call_id, _, _ in calls(events)}) == 2


def test_braces_and_quotes_inside_strings_do_not_end_an_object() -> None:
    value = {"code": 'if (x) { return "}{\\"; }', "更": "}{"}
    text = msgspec.json.encode(value).decode()
    assert calls(play([D(0, "a", "add", "")], *([D(0, None, None, char)] for char in text))) == [("a", "add", value)]


def test_calls_written_side_by_side_keep_their_order() -> None:
    events = play(
        [D(0, "a", "add", "{")], [D(1, "b", "now", "{")], [D(0, None, None, '"a":1}')], [D(1, None, None, "}")]
    )
    assert calls(events) == [("a", "add", {"a": 1}), ("b", "now", {})]


@pytest.mark.parametrize("text", ['{"a":', "[1]", "not json", '"text"', "{'a': 1}", '{"a":1}}x' * 0 + "7"])
def test_what_is_no_object_is_kept_as_raw_text(text: str) -> None:
    assert calls(play([D(0, "a", "add", text)])) == [("a", "add", text)]


def test_arguments_encoded_twice_are_read() -> None:
    assert calls(play([D(0, "a", "add", '"{\\"a\\":1}"')])) == [("a", "add", {"a": 1})]


def test_text_after_a_whole_object_is_dropped() -> None:
    assert calls(
        play([D(0, "a", "add", '{"a":1}')], [D(0, None, None, "}")], [D(1, "b", "now", "")], [D(0, None, None, " ")])
    ) == [
        ("a", "add", {"a": 1}),
        ("b", "now", {}),
    ]


def test_a_call_cut_before_its_first_argument_does_not_pass_for_one_without() -> None:
    assert calls(play([D(0, "a", "now", "")], cut=True)) == [("a", "now", "{")]
    assert calls(play([D(0, "a", "add", '{"a"')], cut=True)) == [("a", "add", '{"a"')]
    assert calls(play([D(0, "a", "add", '{"a":1}')], cut=True)) == [("a", "add", {"a": 1})]


def test_metadata_of_any_delta_is_kept() -> None:
    signature = {"extra_content": {"google": {"thought_signature": "s"}}}
    events = play([D(0, "a", "add", "{", signature["extra_content"])], [D(0, None, None, "}")])
    assert isinstance(events[-1], ToolCall)
    assert events[-1].metadata == signature


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
OBJECTS = st.dictionaries(st.text(max_size=5), JSON, max_size=3)


@settings(deadline=None)
@given(st.lists(OBJECTS, min_size=1, max_size=4), st.data())
def test_any_objects_cut_anywhere_under_one_index_come_back(values: list[dict[str, Any]], data: st.DataObject) -> None:
    text = "".join(msgspec.json.encode(value).decode() for value in values)
    marks = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=10)))
    pieces = [text[a:b] for a, b in zip([0, *marks], [*marks, len(text)], strict=True)]
    events = play([D(0, "a", "add", "")], *([D(0, None, None, piece)] for piece in pieces))
    assert [arguments for _, _, arguments in calls(events)] == values
    streamed = "".join(event.text for event in events if isinstance(event, ToolInputDelta))
    assert streamed == text


def test_deep_nesting_is_an_error_and_no_crash() -> None:
    text = '{"a":' * 5000 + "1" + "}" * 5000
    assert parse_arguments(text) == ({}, text)


def test_arguments_nested_beyond_reason_are_not_parsed_whatever_the_interpreter_could_take() -> None:
    def nested(depth: int) -> str:
        return '{"a":' * depth + "1" + "}" * depth

    assert parse_arguments(nested(MAX_NESTING))[1] == ""
    twice = msgspec.json.encode(nested(900)).decode()
    for text in (nested(MAX_NESTING + 1), '{"a":' + "[" * 900 + "]" * 900 + "}", twice):
        assert parse_arguments(text) == ({}, text)
    wide = '{"a":[' + ",".join(["{}"] * 1000) + "]}"
    assert parse_arguments(wide)[1] == ""
