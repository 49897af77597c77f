"""Requests of `POST /v1/responses`: what is read, and what is refused."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai_play import changed
from strategies import json_objects

from toolpost.server.gateway.request import GatewayRequest, OutputFormat
from toolpost.server.gateway.wires.openai_responses.request import EarlierItems, read
from toolpost.server.gateway.wires.openai_responses.response import ResponseWriter
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import Completed, Failed, FilePart, ReasoningPart, TextPart, ToolPart

PIXEL = "iVBORw0KGgo="
WEATHER: Any = {
    "type": "function",
    "name": "weather",
    "description": "Look up the weather.",
    "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    "strict": False,
}
MCP: Any = {
    "type": "mcp",
    "server_label": "files",
    "server_url": "https://example.com/mcp",
    "authorization": "hidden-token",
    "require_approval": "never",
}


def asked(**fields: Any) -> GatewayRequest:
    return read({"model": "m", "input": "hello", **fields}, {})


def problem(body: dict[str, Any]) -> str:
    with pytest.raises(BadRequest) as caught:
        read(body, {})
    return caught.value.message


def test_a_plain_question_is_read() -> None:
    result = asked(instructions="Be brief.")
    assert result.system == ("Be brief.",)
    assert [(message.role, message.text) for message in result.messages] == [("user", "hello")]


def test_items_of_a_step_become_one_message_with_the_results_in_its_calls() -> None:
    sealed = {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "hm"}]}
    sealed["encrypted_content"] = "gAAA"
    result = asked(
        input=[
            {"role": "developer", "content": "No emoji."},
            {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Weather?"}]},
            sealed,
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "I look."}]},
            {"type": "function_call", "call_id": "a", "name": "weather", "arguments": '{"city": "Oslo"}'},
            {"type": "function_call", "call_id": "b", "name": "weather", "arguments": "{}"},
            {"type": "function_call_output", "call_id": "b", "output": [{"type": "input_text", "text": "rain"}]},
            {"type": "function_call_output", "call_id": "a", "output": "snow"},
            {"role": "assistant", "content": "Snow."},
        ]
    )
    assert result.system == ("No emoji.",)
    assert [message.role for message in result.messages] == ["user", "assistant", "assistant"]
    assert result.messages[1].parts == (
        ReasoningPart("hm", {"openai_responses": {"item": sealed}}),
        TextPart("I look."),
        ToolPart("a", "weather", Completed({"city": "Oslo"}, (TextPart("snow"),), 0.0, 0.0)),
        ToolPart("b", "weather", Completed({}, (TextPart("rain"),), 0.0, 0.0)),
    )
    assert result.messages[2].text == "Snow."


def test_files_are_read() -> None:
    content = [
        {"type": "input_image", "image_url": f"data:image/png;base64,{PIXEL}", "detail": "auto"},
        {"type": "input_image", "image_url": "https://example.com/a.jpg"},
        {"type": "input_file", "filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PIXEL}"},
        {"type": "input_file", "file_url": "https://example.com/a.pdf"},
    ]
    [message] = asked(input=[{"role": "user", "content": content}]).messages
    assert message.parts == (
        FilePart("image/png", PIXEL),
        FilePart("image/jpeg", url="https://example.com/a.jpg"),
        FilePart("application/pdf", PIXEL, name="a.pdf"),
        FilePart("application/pdf", url="https://example.com/a.pdf"),
    )


def test_options_are_read_in_our_names_and_unknown_fields_go_on() -> None:
    schema = {"type": "object"}
    result = asked(
        temperature=0.5,
        top_p=0.9,
        max_output_tokens=9,
        reasoning={"effort": "low", "summary": "auto"},
        text={"format": {"type": "json_schema", "name": "a", "schema": schema}, "verbosity": "low"},
        store=True,
        include=["reasoning.encrypted_content"],
        metadata={"a": "b"},
        user="ann",
        parallel_tool_calls=False,
        tools=[WEATHER, {"type": "web_search"}],
    )
    assert result.options == {
        "temperature": 0.5,
        "top_p": 0.9,
        "max_tokens": 9,
        "reasoning_effort": "low",
        "extra": {
            "metadata": {"a": "b"},
            "reasoning": {"summary": "auto"},
            "text": {"verbosity": "low"},
            "tools": [{"type": "web_search"}],
        },
    }
    assert result.output == OutputFormat(schema, "a")
    assert (result.is_parallel, result.wants_usage) == (False, True)


def test_a_tool_is_strict_where_it_says_so() -> None:
    tools = asked(tools=[{**WEATHER, "strict": True}, {**WEATHER, "name": "news"}]).tools
    assert [(tool.name, tool.strict) for tool in tools] == [("weather", True), ("news", False)]


@pytest.mark.parametrize(
    ("given", "choice", "only", "tools", "servers"),
    [
        ("required", "required", "", 1, 1),
        ({"type": "function", "name": "weather"}, "required", "weather", 1, 1),
        ({"type": "mcp", "server_label": "files", "name": "read"}, "required", "mcp__files__read", 1, 1),
        ({"type": "mcp", "server_label": "files"}, "required", "", 1, 1),
        (
            {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "weather"}]},
            "auto",
            "",
            1,
            0,
        ),
        (
            {"type": "allowed_tools", "mode": "required", "tools": [{"type": "mcp", "server_label": "files"}]},
            "required",
            "",
            0,
            1,
        ),
    ],
)
def test_the_choice_among_tools_is_read(given: Any, choice: str, only: str, tools: int, servers: int) -> None:
    result = asked(tools=[WEATHER, MCP], tool_choice=given)
    assert (result.tool_choice, result.only_tool) == (choice, only)
    assert (len(result.tools), len(result.mcp.servers)) == (tools, servers)


def test_calls_of_mcp_servers_are_read_with_what_they_gave() -> None:
    ok = {"type": "mcp_call", "id": "mcp_1", "server_label": "files", "name": "read", "arguments": '{"a": 1}'}
    error = {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": "gone"}]}
    result = asked(
        input=[
            {"role": "user", "content": "go"},
            {"type": "mcp_list_tools", "id": "l", "server_label": "files", "tools": []},
            {**ok, "output": "text"},
            {**ok, "id": "mcp_2", "output": None, "error": error},
            {"role": "assistant", "content": "Half of it."},
        ],
        tools=[MCP],
    )
    assert result.mcp.is_shown
    _, step, answer = result.messages
    assert step.parts == (
        ToolPart("mcp_1", "mcp__files__read", Completed({"a": 1}, (TextPart("text"),), 0.0, 0.0)),
        ToolPart("mcp_2", "mcp__files__read", Failed("failed", "gone", {"a": 1})),
    )
    assert answer.text == "Half of it."


def test_an_item_that_is_still_known_may_be_named() -> None:
    known = {"msg_1": {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hi."}]}}
    body: Any = {"model": "m", "input": [{"role": "user", "content": "a"}, {"type": "item_reference", "id": "msg_1"}]}
    assert read(body, {}, EarlierItems(named=known)).messages[1].text == "Hi."
    message = problem(body)
    assert message.startswith("input[1].id ")
    assert "store: false" in message


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"model": None}, "model"),
        ({"input": None}, "input"),
        ({"input": []}, "input"),
        ({"input": 3}, "input"),
        ({"input": ["a"]}, "input[0]"),
        ({"input": [{"type": "computer_call"}, {"type": "shell_call"}]}, "input[1].type"),
        ({"input": [{"type": "custom_tool_call", "name": "a"}]}, "input[0].call_id"),
        ({"input": [{"type": "compaction", "encrypted_content": "gAAA"}]}, "input[0].encrypted_content"),
        ({"input": [{}]}, "input[0].type"),
        ({"input": [{"role": "boss", "content": "a"}]}, "input[0].role"),
        ({"input": [{"type": "message", "content": "a"}]}, "input[0].role"),
        ({"input": [{"role": "user", "content": [{"type": "video"}]}]}, "input[0].content[0].type"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_image", "file_id": "f"}]}]},
            "input[0].content[0].file_id",
        ),
        (
            {"input": [{"role": "system", "content": [{"type": "input_image", "image_url": "https://a"}]}]},
            "input[0].content",
        ),
        ({"input": [{"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"}]}, "input[0]"),
        ({"input": [{"type": "function_call", "call_id": "a", "name": "f", "arguments": {}}]}, "input[0].arguments"),
        ({"input": [{"type": "function_call_output", "call_id": "a", "output": "b"}]}, "input[0].call_id"),
        ({"input": [{"type": "reasoning", "summary": "text"}]}, "input[0].summary"),
        (
            {"input": [{"role": "user", "content": [{"type": "input_file", "file_url": "file:///a"}]}]},
            "input[0].content[0].file_url",
        ),
        (
            {"input": [{"type": "mcp_call", "id": "a", "server_label": "b", "name": "c", "error": {"message": 1}}]},
            "input[0].error.message",
        ),
        ({"previous_response_id": "resp_1"}, "previous_response_id"),
        ({"conversation": "conv_1"}, "conversation"),
        ({"prompt": {"id": "p"}}, "prompt"),
        ({"background": True}, "background"),
        ({"instructions": ["a"]}, "instructions"),
        ({"max_output_tokens": 0}, "max_output_tokens"),
        ({"reasoning": "low"}, "reasoning"),
        ({"reasoning": {"effort": 3}}, "reasoning.effort"),
        ({"text": {"format": {"type": "yaml"}}}, "text.format.type"),
        ({"text": {"format": {"type": "json_schema", "schema": 3}}}, "text.format.schema"),
        ({"tools": [{"type": "function"}]}, "tools[0].name"),
        ({"tools": [{"type": "custom"}]}, "tools[0].name"),
        ({"tools": [{"type": "namespace", "tools": []}]}, "tools[0].name"),
        ({"tools": [{"type": "namespace", "name": "a", "tools": [{"type": "function"}]}]}, "tools[0].tools[0].name"),
        ({"tools": [{**MCP, "server_url": None, "connector_id": "c"}]}, "tools[0].connector_id"),
        ({"tools": [{**MCP, "allowed_tools": {"read_only": True}}]}, "tools[0].allowed_tools.read_only"),
        ({"tools": [MCP], "tool_choice": {"type": "mcp", "server_label": "x"}}, "tool_choice.server_label"),
        ({"tools": [WEATHER], "tool_choice": {"type": "web_search"}}, "tool_choice.type"),
        ({"stream": 1}, "stream"),
    ],
)
def test_a_mistake_is_told_with_its_path(fields: dict[str, Any], path: str) -> None:
    assert problem({"model": "m", "input": "hello", **fields}).split(" ")[0] == path


RICH: Any = {
    "model": "m",
    "input": [
        {"type": "message", "role": "user", "content": [{"type": "input_image", "image_url": "https://a/b.png"}]},
        {
            "type": "reasoning",
            "summary": [{"type": "summary_text", "text": "a"}],
            "encrypted_content": "toolpost-1.e30=",
        },
        {"type": "function_call", "call_id": "a", "name": "weather", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "a", "output": [{"type": "input_text", "text": "b"}]},
        {
            "type": "mcp_call",
            "id": "m",
            "server_label": "files",
            "name": "x",
            "arguments": "",
            "error": {"message": "c"},
        },
        {"type": "image_generation_call", "id": "i", "result": PIXEL},
        {"role": "assistant", "content": "d", "phase": "final_answer"},
        {"role": "developer", "content": "e"},
    ],
    "tools": [WEATHER, MCP, {"type": "web_search"}],
    "tool_choice": {"type": "allowed_tools", "mode": "auto", "tools": [{"type": "function", "name": "weather"}]},
    "text": {"format": {"type": "json_schema", "schema": {}}},
    "reasoning": {"effort": "low"},
}


@st.composite
def changed_requests(draw: st.DrawFn) -> dict[str, Any]:
    return {**RICH, **{key: changed(RICH[key], draw) for key in draw(st.sets(st.sampled_from(list(RICH)), min_size=1))}}


@settings(max_examples=400)
@given(json_objects | changed_requests())
def test_any_object_is_read_or_refused(body: dict[str, Any]) -> None:
    try:
        result = read(body, {})
    except BadRequest:
        return
    assert result.messages
    assert ResponseWriter(result, "resp_1").start()
