"""The bodies that the Responses adapter writes, read back as a server reads them."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import messages
from wire_play import ADD, DONE, PNG, user

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest, WireMemo
from toolpost.models.message_parts import INTERRUPTED
from toolpost.models.openai_responses.request import OpenAIResponsesRequestWriter
from toolpost.types.messages import (
    CallState,
    CompactionPart,
    Completed,
    Failed,
    FilePart,
    Message,
    Part,
    Pending,
    ReasoningPart,
    Running,
    StepFinish,
    StepStart,
    TextPart,
    ToolPart,
)
from toolpost.types.tool_spec import ToolSpec

FREE = ToolSpec("free", "Anything.", {"type": "object", "additionalProperties": True})
SEALED = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "x"}
KEPT = {"openai_responses": {"item": SEALED}}


def body(*said: Message, writer: OpenAIResponsesRequestWriter | None = None, **options: Any) -> dict[str, Any]:
    return msgspec.json.decode(
        (writer or OpenAIResponsesRequestWriter(AdapterSettings("m", "openai"))).body(ModelRequest(said, **options))
    )


def items(*said: Message) -> list[dict[str, Any]]:
    return body(*said)["input"]


def assistant(*parts: Part, model: str = "openai/m") -> Message:
    return Message("a", "assistant", parts, model=model)


def made(state: CallState, call_id: str = "c1") -> ToolPart:
    return ToolPart(call_id, "add", state)


def test_a_conversation_is_sent_whole_and_nothing_is_stored() -> None:
    said = assistant(
        StepStart(1, "openai/m"), ReasoningPart("", KEPT), TextPart("let me see"), made(DONE), StepFinish("tool-calls")
    )
    sent = body(user(TextPart("1+1?")), said, system=["be brief", "you are here"], tools=[ADD])
    assert sent == {
        "model": "m",
        "stream": True,
        "store": False,
        "include": ["reasoning.encrypted_content"],
        "instructions": "be brief\n\nyou are here",
        "input": [
            {"role": "user", "content": "1+1?"},
            SEALED,
            {"role": "assistant", "content": "let me see"},
            {"type": "function_call", "call_id": "c1", "name": "add", "arguments": '{"a":1}'},
            {"type": "function_call_output", "call_id": "c1", "output": "2"},
        ],
        "tools": [
            {"type": "function", "name": "add", "description": "Add.", "parameters": ADD.parameters, "strict": False}
        ],
    }


def test_reasoning_stays_in_its_place_among_the_calls() -> None:
    other = {"openai_responses": {"item": {**SEALED, "id": "rs_2"}}}
    said = assistant(ReasoningPart("", KEPT), made(DONE), ReasoningPart("", other), made(DONE, "c2"))
    kinds = [item.get("id") or item.get("call_id") for item in items(said)]
    assert kinds == ["rs_1", "c1", "rs_2", "c2", "c1", "c2"]


@pytest.mark.parametrize("model", ["openai/other", "ark/m", ""])
def test_reasoning_goes_back_only_to_the_model_that_sealed_it(model: str) -> None:
    assert [item["role"] for item in items(assistant(ReasoningPart("hm", KEPT), TextPart("x"), model=model))] == [
        "assistant"
    ]


def test_reasoning_without_what_came_of_it_is_left_out() -> None:
    said = assistant(TextPart("x"), ReasoningPart("hm", KEPT), TextPart(""))
    assert items(said) == [{"role": "assistant", "content": "x"}]


def test_reasoning_that_was_never_sealed_is_left_out() -> None:
    assert items(assistant(ReasoningPart("hm"), TextPart("x"))) == [{"role": "assistant", "content": "x"}]


def test_a_phase_goes_back_with_its_text() -> None:
    said = TextPart("x", {"openai_responses": {"phase": "commentary"}})
    assert items(assistant(said)) == [{"role": "assistant", "content": "x", "phase": "commentary"}]
    assert items(assistant(said, model="ark/m")) == [{"role": "assistant", "content": "x"}]


@pytest.mark.parametrize(
    ("state", "output", "arguments"),
    [
        (Pending('{"a":1}'), INTERRUPTED, '{"a":1}'),
        (Running({"a": 1}, 0), INTERRUPTED, '{"a":1}'),
        (Failed("denied", "not allowed", {"a": 1}), "not allowed", '{"a":1}'),
        (Failed("truncated", "cut", None, '{"a"'), "cut", "{}"),
        (Completed({}, (), 0, 1), "(no output)", "{}"),
    ],
)
def test_every_call_has_valid_arguments_and_one_result(state: CallState, output: str, arguments: str) -> None:
    call, result = items(assistant(made(state)))
    assert call["arguments"] == arguments
    assert result == {"type": "function_call_output", "call_id": "c1", "output": output}


def test_images_and_files_of_a_result_stay_in_it() -> None:
    shot = Completed({}, (TextPart("taken"), PNG, FilePart("application/pdf", data="JVBERg==")), 0, 1)
    assert items(assistant(made(shot)))[1]["output"] == [
        {"type": "input_text", "text": "taken"},
        {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw=="},
        {"type": "input_file", "filename": "file.pdf", "file_data": "data:application/pdf;base64,JVBERg=="},
    ]


def test_images_and_files_of_a_user() -> None:
    files = [
        PNG,
        FilePart("image/jpeg", url="https://x.test/i.jpg"),
        FilePart("application/pdf", url="https://x.test/d.pdf"),
        FilePart("audio/wav", data="AAAA", name="a.wav"),
    ]
    assert items(user(TextPart("look"), *files))[0]["content"] == [
        {"type": "input_text", "text": "look"},
        {"type": "input_image", "detail": "auto", "image_url": "data:image/png;base64,iVBORw=="},
        {"type": "input_image", "detail": "auto", "image_url": "https://x.test/i.jpg"},
        {"type": "input_file", "file_url": "https://x.test/d.pdf"},
        {"type": "input_text", "text": "[file a.wav (audio/wav): you can't be shown it]"},
    ]


def test_ids_of_other_providers_are_made_unique_and_short() -> None:
    calls = [assistant(made(DONE, "x" * 80), model="ark/m"), assistant(made(DONE, "c1"), model="ark/m")]
    ids = [item["call_id"] for item in items(*calls)]
    assert ids[0] == ids[1]
    assert ids[2] == ids[3]
    assert len(set(ids)) == 2
    assert all(len(call_id) <= 64 for call_id in ids)


def test_options_have_their_names_on_this_wire() -> None:
    options = {
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 5,
        "max_tokens": 100,
        "stop": ["x"],
        "seed": 1,
        "reasoning_effort": "low",
        "extra": {"reasoning": {"summary": "auto"}, "text": {"format": {"type": "json_object"}}},
    }
    sent = body(user(TextPart("hi")), options=options, tools=[ADD], tool_choice="required")
    assert sent["reasoning"] == {"effort": "low", "summary": "auto"}
    assert sent["text"] == {"format": {"type": "json_object"}}
    assert (sent["max_output_tokens"], sent["temperature"], sent["top_p"]) == (100, 0.5, 0.9)
    assert sent["tool_choice"] == "required"
    assert not sent.keys() & {"stop", "seed", "top_k", "max_tokens", "reasoning_effort"}


def test_strict_tools_are_strict_where_their_schema_can_be() -> None:
    sent = body(tools=[ADD, FREE], options={"extra": {"strict": True}})
    assert "strict" not in sent
    strict, free = sent["tools"]
    assert (strict["strict"], free["strict"]) == (True, False)
    assert strict["parameters"]["required"] == ["a"]
    assert strict["parameters"]["properties"]["a"] == {"type": ["integer", "null"]}


def test_tools_of_the_provider_stand_behind_ours() -> None:
    sent = body(tools=[ADD], options={"extra": {"tools": [{"type": "web_search"}]}})
    assert [tool["type"] for tool in sent["tools"]] == ["function", "web_search"]


@settings(deadline=None)
@given(said=st.lists(messages(), max_size=4))
def test_any_conversation_is_json_in_which_every_call_has_its_result(said: list[Message]) -> None:
    wire = items(*said)
    calls = [item["call_id"] for item in wire if item.get("type") == "function_call"]
    results = [item["call_id"] for item in wire if item.get("type") == "function_call_output"]
    assert sorted(calls) == sorted(results)


@settings(deadline=None)
@given(said=st.lists(messages(), min_size=2, max_size=4))
def test_a_memo_changes_nothing_but_the_work(said: list[Message]) -> None:
    writer, memo = OpenAIResponsesRequestWriter(AdapterSettings("m", "openai")), WireMemo()
    for size in range(len(said) + 1):
        assert writer.body(ModelRequest(said[:size], memo=memo)) == writer.body(ModelRequest(said[:size]))


def test_a_summary_is_said() -> None:
    assert items(user(CompactionPart("so far")))[0] == {"role": "user", "content": "so far"}
