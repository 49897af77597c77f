"""Requests of `POST /v1/chat/completions`: what is read, and what is refused."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openai_play import changed
from strategies import json_objects

from toolpost.server.gateway.request import GatewayRequest, OutputFormat
from toolpost.server.gateway.wires.openai_chat.request import read
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import Completed, FilePart, ReasoningPart, TextPart, ToolPart

MESSAGES: Any = [{"role": "user", "content": "hello"}]
PIXEL = "iVBORw0KGgo="
WEATHER: Any = {
    "type": "function",
    "function": {
        "name": "weather",
        "description": "Look up the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}},
    },
}


def asked(**fields: Any) -> GatewayRequest:
    return read({"model": "m", "messages": MESSAGES, **fields}, {})


def problem(body: dict[str, Any]) -> str:
    with pytest.raises(BadRequest) as caught:
        read(body, {})
    return caught.value.message


def test_every_role_is_read_and_results_go_into_their_calls() -> None:
    call = {"id": "call_1", "type": "function", "function": {"name": "weather", "arguments": '{"city": "Tokyo"}'}}
    conversation = [
        {"role": "system", "content": "Be brief."},
        {"role": "developer", "content": [{"type": "text", "text": "No emoji."}]},
        {"role": "user", "content": "Weather?"},
        {"role": "assistant", "content": None, "reasoning_content": "look it up", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "call_1", "content": [{"type": "text", "text": "sunny"}]},
        {"role": "assistant", "content": "Sunny."},
    ]
    result = read({"model": "m", "messages": conversation}, {})
    assert result.system == ("Be brief.", "No emoji.")
    user, step, answer = result.messages
    assert (user.role, user.text) == ("user", "Weather?")
    assert step.parts == (
        ReasoningPart("look it up", {"openai_chat": {"field": "reasoning_content"}}),
        ToolPart("call_1", "weather", Completed({"city": "Tokyo"}, (TextPart("sunny"),), 0.0, 0.0)),
    )
    assert answer.text == "Sunny."


def test_later_instructions_keep_their_place() -> None:
    later = [*MESSAGES, {"role": "system", "content": "Now in French."}]
    result = asked(messages=later)
    assert result.system == ()
    assert [message.text for message in result.messages] == ["hello", "<system>\nNow in French.\n</system>"]


def test_instructions_alone_are_a_question() -> None:
    result = asked(messages=[{"role": "system", "content": "a"}, {"role": "system", "content": "b"}])
    assert result.system == ("a",)
    assert [message.text for message in result.messages] == ["b"]


def test_parts_of_all_kinds_are_read() -> None:
    content = [
        {"type": "text", "text": "Look."},
        {"type": "image_url", "image_url": {"url": f"data:image/jpeg;base64,{PIXEL}", "detail": "low"}},
        {"type": "image_url", "image_url": {"url": "https://example.com/a.webp?b=c"}},
        {"type": "input_audio", "input_audio": {"data": PIXEL, "format": "mp3"}},
        {"type": "file", "file": {"filename": "a.pdf", "file_data": f"data:application/pdf;base64,{PIXEL}"}},
    ]
    [message] = asked(messages=[{"role": "user", "content": content}]).messages
    assert message.parts == (
        TextPart("Look."),
        FilePart("image/jpeg", PIXEL),
        FilePart("image/webp", url="https://example.com/a.webp?b=c"),
        FilePart("audio/mpeg", PIXEL),
        FilePart("application/pdf", PIXEL, name="a.pdf"),
    )


def test_ids_that_a_client_counts_anew_in_every_turn_lead_to_the_right_calls() -> None:
    turns: list[dict[str, Any]] = []
    for city in ("Tokyo", "Oslo"):
        function = {"name": "weather", "arguments": json.dumps({"city": city})}
        turns += [
            {"role": "assistant", "tool_calls": [{"id": "call_0", "type": "function", "function": function}]},
            {"role": "tool", "tool_call_id": "call_0", "content": f"{city} is fine"},
        ]
    result = asked(messages=[*MESSAGES, *turns])
    states = [call.state for message in result.messages for call in message.calls]
    assert [(state.arguments["city"], state.content[0].text) for state in states] == [  # type: ignore[union-attr]
        ("Tokyo", "Tokyo is fine"),
        ("Oslo", "Oslo is fine"),
    ]


def test_results_of_calls_that_share_an_id_are_taken_in_their_order() -> None:
    calls = [{"id": "x", "type": "function", "function": {"name": name, "arguments": "{}"}} for name in ("a", "b")]
    results = [{"role": "tool", "tool_call_id": "x", "content": f"of {name}"} for name in ("a", "b")]
    step = asked(messages=[*MESSAGES, {"role": "assistant", "tool_calls": calls}, *results]).messages[1]
    assert [(call.name, call.state) for call in step.calls] == [
        (name, Completed({}, (TextPart(f"of {name}"),), 0.0, 0.0)) for name in ("a", "b")
    ]


def test_the_functions_of_old_clients_are_tools() -> None:
    result = asked(
        messages=[
            *MESSAGES,
            {"role": "assistant", "content": None, "function_call": {"name": "weather", "arguments": "{}"}},
            {"role": "function", "name": "weather", "content": "sunny"},
        ],
        functions=[WEATHER["function"]],
        function_call={"name": "weather"},
    )
    assert [tool.name for tool in result.tools] == ["weather"]
    assert (result.tool_choice, result.only_tool, result.is_parallel) == ("required", "weather", False)
    [call] = result.messages[1].calls
    assert call.state == Completed({}, (TextPart("sunny"),), 0.0, 0.0)


@pytest.mark.parametrize(
    ("given", "choice", "only", "names"),
    [
        ("auto", "auto", "", ["weather", "time"]),
        ("none", "none", "", ["weather", "time"]),
        ("required", "required", "", ["weather", "time"]),
        ({"type": "function", "function": {"name": "time"}}, "required", "time", ["weather", "time"]),
        (
            {
                "type": "allowed_tools",
                "allowed_tools": {"mode": "required", "tools": [{"type": "function", "function": {"name": "time"}}]},
            },
            "required",
            "",
            ["time"],
        ),
    ],
)
def test_the_choice_among_tools_is_read(given: Any, choice: str, only: str, names: list[str]) -> None:
    result = asked(tools=[WEATHER, {"type": "function", "function": {"name": "time"}}], tool_choice=given)
    assert (result.tool_choice, result.only_tool) == (choice, only)
    assert [tool.name for tool in result.tools] == names
    assert result.tools[-1].parameters == {"type": "object", "properties": {}}


def test_options_are_read_in_our_names_and_unknown_fields_go_on() -> None:
    result = asked(
        temperature=0.5,
        top_p=1,
        max_completion_tokens=9,
        stop="END",
        seed=7,
        reasoning_effort="low",
        parallel_tool_calls=False,
        user="ann",
        logit_bias={"1": 2},
        frequency_penalty=None,
        response_format={"type": "json_schema", "json_schema": {"name": "a", "schema": {"type": "array"}}},
        stream=True,
    )
    assert result.options == {
        "temperature": 0.5,
        "top_p": 1,
        "max_tokens": 9,
        "stop": ["END"],
        "seed": 7,
        "reasoning_effort": "low",
        "extra": {"logit_bias": {"1": 2}},
    }
    assert result.output == OutputFormat({"type": "array"}, "a")
    assert (result.is_parallel, result.is_streamed, result.wants_usage) == (False, True, False)
    assert asked(stream=True, stream_options={"include_usage": True}).wants_usage
    assert asked(response_format={"type": "json_object"}).output == OutputFormat()


def test_an_mcp_server_in_a_request_is_a_wish_for_it() -> None:
    server = {
        "type": "mcp",
        "server_label": "files",
        "server_url": "https://example.com/mcp",
        "headers": {"X-Team": "a"},
        "authorization": "token",
        "allowed_tools": ["read"],
        "require_approval": "never",
    }
    wish = asked(tools=[server, WEATHER]).mcp
    [found] = wish.servers
    assert (found.name, found.url) == ("files", "https://example.com/mcp")
    assert found.headers == {"X-Team": "a", "Authorization": "Bearer token"}
    assert wish.toolsets == {"files": {"*": False, "read": True}}
    assert not wish.is_shown


CALL = {"id": "c", "type": "function", "function": {"name": "f", "arguments": ""}}
MCP = {"type": "mcp", "server_label": "a", "server_url": "https://example.com"}


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"model": ""}, "model"),
        ({"model": 4}, "model"),
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"messages": "hello"}, "messages"),
        ({"messages": [3]}, "messages[0]"),
        ({"messages": [{"content": "a"}]}, "messages[0].role"),
        ({"messages": [{"role": "boss", "content": "a"}]}, "messages[0].role"),
        ({"messages": [{"role": "user", "content": {}}]}, "messages[0].content"),
        ({"messages": [{"role": "user", "content": [{"type": "video"}]}]}, "messages[0].content[0].type"),
        (
            {"messages": [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,a"}}]}]},
            "messages[0].content[0].image_url.url",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": PIXEL}}]}]},
            "messages[0].content[0].input_audio.format",
        ),
        (
            {"messages": [{"role": "user", "content": [{"type": "file", "file": {"file_id": "file-1"}}]}]},
            "messages[0].content[0].file.file_id",
        ),
        ({"messages": [{"role": "assistant", "tool_calls": [CALL]}]}, "messages[0].tool_calls[0]"),
        (
            {"messages": [{"role": "assistant", "tool_calls": [{"id": "c", "function": {}}]}]},
            "messages[0].tool_calls[0].function.name",
        ),
        (
            {"messages": [*MESSAGES, {"role": "tool", "tool_call_id": "x", "content": ""}]},
            "messages[1].tool_call_id",
        ),
        ({"n": 2}, "n"),
        ({"temperature": "hot"}, "temperature"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_completion_tokens": 1.5}, "max_completion_tokens"),
        ({"stop": ["a", 3]}, "stop[1]"),
        ({"stream": "yes"}, "stream"),
        ({"stream": True, "stream_options": {"include_usage": 1}}, "stream_options.include_usage"),
        ({"tools": [{"function": {"name": "a"}}]}, "tools[0].type"),
        ({"tools": [{"type": "function"}]}, "tools[0].function"),
        (
            {"tools": [{"type": "function", "function": {"name": "a", "parameters": []}}]},
            "tools[0].function.parameters",
        ),
        ({"tools": [WEATHER, WEATHER]}, "tools[1].function.name"),
        ({"tools": [{"type": "custom", "custom": {"name": "a"}}]}, "tools[0].type"),
        ({"tools": [{**MCP, "server_url": "ftp://a"}]}, "tools[0].server_url"),
        ({"tools": [{**MCP, "require_approval": "always"}]}, "tools[0].require_approval"),
        ({"tools": [{**MCP, "headers": {"a": 1}}]}, "tools[0].headers.a"),
        ({"tools": [MCP, MCP]}, "tools[1].server_label"),
        ({"tools": [WEATHER], "tool_choice": "sometimes"}, "tool_choice"),
        (
            {"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "x"}}},
            "tool_choice.function.name",
        ),
        ({"functions": [WEATHER["function"]], "function_call": {"name": "x"}}, "function_call.name"),
        ({"response_format": {"type": "xml"}}, "response_format.type"),
        ({"response_format": {"type": "json_schema"}}, "response_format.json_schema"),
    ],
)
def test_a_mistake_is_told_with_its_path(fields: dict[str, Any], path: str) -> None:
    assert problem({"model": "m", "messages": MESSAGES, **fields}).split(" ")[0] == path


RICH: Any = {
    "model": "m",
    "messages": [
        {"role": "system", "content": [{"type": "text", "text": "a"}]},
        {"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/a.png"}}]},
        {"role": "assistant", "content": "b", "tool_calls": [CALL], "images": [{"image_url": {"url": "https://a"}}]},
        {"role": "tool", "tool_call_id": "c", "content": "d"},
        {"role": "user", "content": [{"type": "input_audio", "input_audio": {"data": PIXEL, "format": "wav"}}]},
        {"role": "user", "content": [{"type": "file", "file": {"filename": "a.txt", "file_data": PIXEL}}]},
    ],
    "tools": [WEATHER, {**MCP, "headers": {"a": "b"}, "allowed_tools": {"tool_names": ["x"]}}],
    "tool_choice": {"type": "function", "function": {"name": "weather"}},
    "response_format": {"type": "json_schema", "json_schema": {"schema": {}}},
    "stop": ["a"],
    "stream_options": {"include_usage": True},
    "n": 1,
}


@st.composite
def changed_requests(draw: st.DrawFn) -> dict[str, Any]:
    body = dict(RICH)
    for _ in range(draw(st.integers(1, 2))):
        key = draw(st.sampled_from(list(body)))
        body[key] = changed(body[key], draw)
    return body


@settings(max_examples=400)
@given(json_objects | changed_requests())
def test_any_object_is_read_or_refused(body: dict[str, Any]) -> None:
    try:
        result = read(body, {})
    except BadRequest:
        return
    assert result.messages


def test_a_schema_as_deep_as_the_sea_is_refused() -> None:
    deep: Any = {}
    for _ in range(5_000):
        deep = {"items": deep}
    tool = {"type": "function", "function": {"name": "a", "parameters": deep}}
    assert problem({"model": "m", "messages": MESSAGES, "tools": [tool]}).startswith("tools[0].function.parameters")
