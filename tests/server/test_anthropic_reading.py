"""Requests on Anthropic's wire: what becomes of them in our words, and what goes out again to the same wire."""

import base64
import contextlib
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.mcp.config import McpServer
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.anthropic.request import AnthropicRequestWriter
from toolpost.models.contract import ModelRequest
from toolpost.models.message_parts import INTERRUPTED
from toolpost.server.gateway.request import GatewayRequest, OutputFormat
from toolpost.server.gateway.wires.anthropic.call_ids import from_wire, to_shown, to_wire
from toolpost.server.gateway.wires.anthropic.request import SHOW_HEADER, read
from toolpost.server.gateway.wires.sealed_reasoning import seal
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import Completed, Failed, FilePart, Message, ReasoningPart, TextPart, ToolPart
from toolpost.types.tool_spec import ToolSpec

HI = {"role": "user", "content": "hi"}
MARK = {"type": "ephemeral", "ttl": "1h"}
PNG = {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}
PDF = {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="}
SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}}


def ask(*turns: Any, headers: dict[str, str] | None = None, **fields: Any) -> GatewayRequest:
    body = {"model": "claude-x", "max_tokens": 100, "messages": list(turns), **fields}
    return read(body, headers or {})


def user(*blocks: Any) -> dict[str, Any]:
    return {"role": "user", "content": list(blocks)}


def assistant(*blocks: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": list(blocks)}


def text(said: str, **more: Any) -> dict[str, Any]:
    return {"type": "text", "text": said, **more}


def use(call_id: str = "toolu_1", **more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call_id, "name": "add", "input": {"a": 1}, **more}


def result(call_id: str = "toolu_1", content: Any = "2", **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call_id, "content": content, **more}


def sent_on(asked: GatewayRequest) -> dict[str, Any]:
    """The body that our adapter for the same wire makes of it."""
    request = ModelRequest(asked.messages, system=asked.system, tools=asked.tools, options=asked.options)
    return msgspec.json.decode(AnthropicRequestWriter(AdapterSettings("claude-x", "anthropic")).body(request))


def refusal_of(*turns: Any, **fields: Any) -> str:
    with pytest.raises(BadRequest) as caught:
        ask(*turns, **fields)
    assert caught.value.status == 400
    return caught.value.message


def test_a_plain_request() -> None:
    asked = ask(
        HI,
        system="be brief",
        stream=True,
        temperature=0.5,
        top_p=0.9,
        top_k=5,
        stop_sequences=["END"],
        tools=[{"name": "add", "description": "Add.", "input_schema": SCHEMA}],
        metadata={"user_id": "u1"},
    )
    assert asked.wire == "anthropic"
    assert asked.model == "claude-x"
    assert asked.messages == (Message("msg_0", "user", (TextPart("hi"),)),)
    assert asked.system == ("be brief",)
    assert asked.tools == (ToolSpec("add", "Add.", SCHEMA),)
    assert asked.is_streamed
    assert asked.options == {
        "temperature": 0.5,
        "top_p": 0.9,
        "top_k": 5,
        "max_tokens": 100,
        "stop": ["END"],
        "extra": {"metadata": {"user_id": "u1"}},
    }
    assert not asked.mcp.is_shown


def test_a_call_and_its_result_are_one_part() -> None:
    asked = ask(
        HI,
        assistant(text("let me see"), use("toolu_1"), use("toolu_2")),
        user(result("toolu_2", is_error=True), result("toolu_1", [text("two"), {"type": "image", "source": PNG}])),
    )
    assert [message.role for message in asked.messages] == ["user", "assistant"]
    assert asked.messages[1].parts == (
        TextPart("let me see"),
        ToolPart(
            "toolu_1",
            "add",
            Completed({"a": 1}, (TextPart("two"), FilePart("image/png", data=PNG["data"])), 0.0, 0.0),
        ),
        ToolPart("toolu_2", "add", Failed("failed", "2", {"a": 1})),
    )


def test_text_beside_results_is_said_after_them_and_results_may_come_in_several_messages() -> None:
    asked = ask(
        HI,
        assistant(use("toolu_1"), use("toolu_2")),
        user(text("meanwhile"), result("toolu_1")),
        user(result("toolu_2"), text("go on")),
    )
    assert [message.role for message in asked.messages] == ["user", "assistant", "user", "user"]
    assert all(isinstance(call.state, Completed) for call in asked.messages[1].calls)
    assert [message.text for message in asked.messages[2:]] == ["meanwhile", "go on"]


def test_an_id_may_come_again_in_a_later_turn() -> None:
    turns = [assistant(use("call_0")), user(result("call_0", "one")), assistant(use("call_0"))]
    asked = ask(HI, *turns, user(result("call_0", "two")))
    states = [message.calls[0].state for message in asked.messages if message.calls]
    assert [state.content for state in states] == [(TextPart("one"),), (TextPart("two"),)]


def test_an_empty_result_is_one() -> None:
    bare = {"type": "tool_result", "tool_use_id": "toolu_1"}
    assert ask(HI, assistant(use()), user(bare)).messages[1].calls[0].state == Completed({"a": 1}, (), 0.0, 0.0)


@pytest.mark.parametrize(
    ("turns", "path", "named"),
    [
        ([HI, assistant(use("toolu_9"))], "messages[1].content[0]", "toolu_9"),
        ([HI, assistant(use("toolu_9")), user(text("no")), assistant(text("ok"))], "messages[1].content[0]", "toolu_9"),
        (
            [HI, assistant(use("toolu_9")), HI, assistant(text("ok")), user(result("toolu_9"))],
            "messages[1].content[0]",
            "toolu_9",
        ),
        ([HI, assistant(use()), user(result("toolu_8"))], "messages[2].content[0].tool_use_id", "toolu_8"),
        ([HI, assistant(use(), use())], "messages[1].content[1].id", "toolu_1"),
        ([HI, assistant(use()), user(result(), result())], "messages[2].content[1].tool_use_id", "toolu_1"),
    ],
)
def test_calls_and_results_that_do_not_match_are_named(turns: list[Any], path: str, named: str) -> None:
    message = refusal_of(*turns)
    assert message.startswith(path + ":")
    assert named in message


@pytest.mark.parametrize(
    ("turn", "path"),
    [
        ("hi", "messages[0]"),
        ({"content": "hi"}, "messages[0].role"),
        ({"role": "robot", "content": "hi"}, "messages[0].role"),
        ({"role": "user"}, "messages[0].content"),
        ({"role": "user", "content": 5}, "messages[0].content"),
        (user(5), "messages[0].content[0]"),
        (user(text("a"), {"text": "b"}), "messages[0].content[1].type"),
        (user({"type": "text"}), "messages[0].content[0].text"),
        (user({"type": "image"}), "messages[0].content[0].source"),
        (user({"type": "image", "source": {"type": "base64"}}), "messages[0].content[0].source.media_type"),
        (user({"type": "image", "source": {**PNG, "data": 1}}), "messages[0].content[0].source.data"),
        (user({"type": "image", "source": {"type": "x"}}), "messages[0].content[0].source.type"),
        (user({"type": "document", "source": {"type": "url"}}), "messages[0].content[0].source.url"),
        (user({"type": "tool_result"}), "messages[0].content[0].tool_use_id"),
        (assistant({"type": "tool_use", "name": "a"}), "messages[0].content[0].id"),
        (assistant({"type": "tool_use", "id": "a"}), "messages[0].content[0].name"),
        (user(use()), "messages[0].content[0].type"),
        (assistant(result()), "messages[0].content[0].type"),
        (assistant(use(input="{}")), "messages[0].content[0].input"),
        (assistant({"type": "thinking"}), "messages[0].content[0].thinking"),
        (assistant({"type": "mcp_tool_use", "id": "a", "name": "b"}), "messages[0].content[0].server_name"),
    ],
)
def test_a_mistake_in_a_message_is_told_with_its_path(turn: Any, path: str) -> None:
    assert refusal_of(turn).startswith((path + ":", path + " "))


@pytest.mark.parametrize(
    ("fields", "path"),
    [
        ({"model": None}, "model"),
        ({"model": ""}, "model"),
        ({"messages": None}, "messages"),
        ({"messages": []}, "messages"),
        ({"system": 5}, "system"),
        ({"system": [text("a"), {"type": "image"}]}, "system[1].type"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"max_tokens": True}, "max_tokens"),
        ({"temperature": "warm"}, "temperature"),
        ({"top_k": 1.5}, "top_k"),
        ({"stop_sequences": ["a", 5]}, "stop_sequences[1]"),
        ({"stream": "yes"}, "stream"),
        ({"thinking": {"type": "enabled"}}, "thinking.budget_tokens"),
        ({"tool_choice": {"type": "some"}}, "tool_choice.type"),
        ({"tool_choice": {"type": "tool"}}, "tool_choice.name"),
        ({"tools": {}}, "tools"),
        ({"tools": [{"input_schema": {}}]}, "tools[0].name"),
        ({"tools": [{"name": "a", "input_schema": {}}, {"name": "b"}]}, "tools[1].input_schema"),
        ({"tools": [{"name": "a", "input_schema": {}}] * 2}, "tools[1].name"),
        ({"tools": [{"type": "mcp_toolset"}]}, "tools[0].mcp_server_name"),
        ({"mcp_servers": [{"name": "a"}]}, "mcp_servers[0].url"),
        ({"mcp_servers": [{"name": "a", "url": "https://a.test"}] * 2}, "mcp_servers[1].name"),
        ({"mcp_servers": [{"name": "a", "command": "sh", "url": "sh"}]}, "mcp_servers[0].url"),
        ({"output_config": {"format": {"type": "json_schema"}}}, "output_config.format.schema"),
        ({"output_format": {"type": "xml"}}, "output_format.type"),
    ],
)
def test_a_mistake_beside_the_messages_is_told_with_its_path(fields: dict[str, Any], path: str) -> None:
    assert refusal_of(HI, **fields).startswith((path + ":", path + " "))


def rich() -> tuple[list[Any], dict[str, Any]]:
    """The turns of a conversation with nearly everything in it, and the other fields."""
    cited = [{"type": "char_location", "cited_text": "a", "document_index": 0}]
    documents = [
        {"type": "document", "source": PDF, "title": "d.pdf"},
        {"type": "document", "source": PDF, "context": "old", "citations": {"enabled": True}},
        {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "plain"}},
        {"type": "document", "source": {"type": "url", "url": "https://x.test/a.pdf"}},
        {"type": "document", "source": {"type": "file", "file_id": "file_1"}, "cache_control": MARK},
        {"type": "document", "source": {"type": "content", "content": [text("inner")]}},
    ]
    images = [
        {"type": "image", "source": PNG},
        {"type": "image", "source": PNG, "cache_control": MARK},
        {"type": "image", "source": {"type": "url", "url": "https://x.test/a.png"}},
        {"type": "image", "source": {"type": "file", "file_id": "file_2"}},
    ]
    searched = {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}}
    hit = {"type": "web_search_result", "title": "T", "url": "https://t.test", "encrypted_content": "sealed"}
    turns = [
        user(text("look", cache_control=MARK), *images, *documents),
        assistant(
            {"type": "thinking", "thinking": "hm", "signature": "sig"},
            {"type": "redacted_thinking", "data": "sealed"},
            searched,
            {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": [hit]},
        ),
        assistant(text("cited", citations=cited), use("toolu_1", cache_control=MARK, caller={"type": "direct"})),
        user(
            result(
                "toolu_1",
                [text("two", cache_control=MARK), {"type": "search_result", "title": "S"}],
                cache_control=MARK,
            ),
            {"type": "container_upload", "file_id": "file_3"},
        ),
    ]
    tools = [
        {"name": "add", "description": "Add.", "input_schema": SCHEMA, "strict": True, "cache_control": MARK},
        {"type": "web_search_20260209", "name": "web_search", "max_uses": 3},
    ]
    system = [text("be brief"), text("and kind", cache_control=MARK)]
    fields = {
        "system": system,
        "tools": tools,
        "thinking": {"type": "adaptive", "display": "omitted"},
        "output_config": {"effort": "high"},
        "context_management": {"edits": []},
        "service_tier": "auto",
        "metadata": {"user_id": "u"},
    }
    return turns, fields


def test_a_tool_is_strict_where_it_says_so_and_never_built_in() -> None:
    """`strict` came in as `built_in`: a client's tool was taken for one of ours."""
    plain = {"name": "news", "input_schema": SCHEMA}
    tools = ask(HI, tools=[{**plain, "name": "add", "strict": True}, {**plain, "strict": False}]).tools
    assert [(tool.name, tool.strict, tool.built_in) for tool in tools] == [
        ("add", True, False),
        ("news", False, False),
    ]


def test_what_the_same_wire_knows_goes_out_as_it_came() -> None:
    turns, fields = rich()
    sent = sent_on(ask(*turns, **fields))
    del sent["stream"]
    joined = assistant(*turns[1]["content"], *turns[2]["content"])
    assert sent == {"model": "claude-x", "max_tokens": 100, "messages": [turns[0], joined, turns[3]], **fields}


def test_one_wrong_value_anywhere_is_read_or_refused() -> None:
    turns, fields = rich()
    served = {"type": "mcp_tool_use", "id": "m", "name": "n", "server_name": "a", "input": {}}
    turns += [assistant(served, {"type": "mcp_tool_result", "tool_use_id": "m", "content": [text("r")]}), HI]
    servers = [{"name": "a", "url": "https://a.test", "authorization_token": "t", "tool_configuration": {}}]
    toolset = {"type": "mcp_toolset", "mcp_server_name": "a", "default_config": {}, "configs": {"x": {}}}
    fields["tools"].append(toolset)
    body = {"model": "m", "messages": turns, **fields, "mcp_servers": servers, "tool_choice": {"type": "auto"}}
    assert read(body, {}).messages
    tried = 0
    for place, key in list(places(body)):
        kept = place[key]
        for wrong in (None, True, 5, 0.5, "x", "", [], {}, [5], [[]], {"type": 5}, [{"type": "text"}], "\ud800"):
            place[key] = wrong
            with contextlib.suppress(BadRequest):
                assert read(body, {}).messages
            tried += 1
        place[key] = kept
    assert tried > 2000


def places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every place in a JSON value: what holds it, and its key or index there."""
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places(value[key])


def test_without_marks_of_the_client_ours_are_set() -> None:
    sent = sent_on(ask(HI, system="be brief"))
    assert sent["messages"][0]["content"][0]["cache_control"] == {"type": "ephemeral"}


def test_an_automatic_mark_of_the_client_goes_on_alone() -> None:
    sent = sent_on(ask(HI, cache_control=MARK))
    assert sent["cache_control"] == MARK
    assert sent["messages"] == [user(text("hi"))]


def test_a_budget_goes_to_the_same_wire_as_it_stands() -> None:
    asked = ask(HI, thinking={"type": "enabled", "budget_tokens": 3000}, max_tokens=4000)
    assert sent_on(asked)["thinking"] == {"type": "enabled", "budget_tokens": 3000}


@pytest.mark.parametrize(
    ("fields", "effort"),
    [
        ({}, None),
        ({"thinking": {"type": "enabled", "budget_tokens": 1024}}, "low"),
        ({"thinking": {"type": "enabled", "budget_tokens": 1025}}, "medium"),
        ({"thinking": {"type": "enabled", "budget_tokens": 8192}}, "medium"),
        ({"thinking": {"type": "enabled", "budget_tokens": 8193}}, "high"),
        ({"thinking": {"type": "disabled"}}, "none"),
        ({"thinking": {"type": "adaptive"}}, None),
        ({"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}}, "max"),
        ({"thinking": {"type": "of_tomorrow"}}, None),
        ({"output_config": {"effort": "low"}}, "low"),
        ({"output_config": {"effort": "unheard of"}}, None),
    ],
)
def test_thinking_becomes_an_effort(fields: dict[str, Any], effort: str | None) -> None:
    asked = ask(HI, **fields)
    assert asked.options.get("reasoning_effort") == effort
    assert asked.options.get("extra", {}).get("thinking") == fields.get("thinking")


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (None, ("auto", "", True)),
        ({"type": "auto"}, ("auto", "", True)),
        ({"type": "any", "disable_parallel_tool_use": True}, ("required", "", False)),
        ({"type": "tool", "name": "add"}, ("required", "add", True)),
        ({"type": "none"}, ("none", "", True)),
    ],
)
def test_the_choice_of_tools(given: Any, wanted: tuple[str, str, bool]) -> None:
    asked = ask(HI, tool_choice=given)
    assert (asked.tool_choice, asked.only_tool, asked.is_parallel) == wanted


def test_an_output_schema_in_both_its_places() -> None:
    wanted = {"type": "json_schema", "schema": SCHEMA}
    assert ask(HI, output_config={"format": wanted}).output == OutputFormat(SCHEMA)
    assert ask(HI, output_format=wanted).output == OutputFormat(SCHEMA)
    assert ask(HI, output_config={"effort": "low"}).output is None


def test_servers_and_toolsets() -> None:
    asked = ask(
        HI,
        mcp_servers=[
            {"type": "url", "url": "https://a.test/mcp", "name": "a", "authorization_token": "secret"},
            {
                "type": "url",
                "url": "https://b.test/sse",
                "name": "b",
                "tool_configuration": {"enabled": True, "allowed_tools": ["one"]},
            },
            {"type": "url", "url": "https://c.test", "name": "c", "tool_configuration": {"enabled": False}},
            {"type": "url", "url": "https://d.test", "name": "d"},
        ],
        tools=[
            {
                "type": "mcp_toolset",
                "mcp_server_name": "a",
                "default_config": {"enabled": False},
                "configs": {"find": {"enabled": True}, "more": {"defer_loading": True}},
                "cache_control": MARK,
            },
            {"type": "mcp_toolset", "mcp_server_name": "here", "configs": {"rm": {"enabled": False}}},
        ],
    )
    assert asked.mcp.servers[0] == McpServer(
        "a", url="https://a.test/mcp", headers={"authorization": "Bearer secret"}, origin="request"
    )
    assert [server.name for server in asked.mcp.servers] == ["a", "b", "c", "d"]
    assert asked.mcp.toolsets == {
        "a": {"*": False, "find": True, "more": False},
        "b": {"*": False, "one": True},
        "c": {"*": False},
        "here": {"*": True, "rm": False},
    }
    assert (asked.mcp.is_shown, asked.mcp.is_live) == (True, False)
    assert asked.tools == ()
    assert "mcp_servers" not in asked.options.get("extra", {})


def test_a_header_shows_the_calls_that_run_here() -> None:
    assert ask(HI, headers={SHOW_HEADER: "1"}).mcp.is_shown
    assert ask(HI, headers={SHOW_HEADER: "1"}).mcp.is_live
    assert not ask(HI, headers={SHOW_HEADER: "false"}).mcp.is_shown


def test_calls_that_ran_here_are_completed_calls_and_what_follows_is_the_next_step() -> None:
    def ran(name: str, server: str, call_id: str) -> dict[str, Any]:
        return {"type": "mcp_tool_use", "id": call_id, "name": name, "server_name": server, "input": {"q": 1}}

    def gave(call_id: str, said: Any, is_error: bool = False) -> dict[str, Any]:
        return {"type": "mcp_tool_result", "tool_use_id": call_id, "is_error": is_error, "content": said}

    asked = ask(
        HI,
        assistant(
            text("looking"),
            ran("get it", "my server", "mcptoolu_1"),
            ran("read", "toolpost", "mcptoolu_2"),
            gave("mcptoolu_2", "no such file", True),
            gave("mcptoolu_1", [text("found")]),
            text("so"),
            ran("lost", "s", "mcptoolu_3"),
        ),
        user(text("and?")),
    )
    _, first, second, _ = asked.messages
    assert first.parts == (
        TextPart("looking"),
        ToolPart("mcptoolu_1", "mcp__my_server__get_it", Completed({"q": 1}, (TextPart("found"),), 0.0, 0.0)),
        ToolPart("mcptoolu_2", "read", Failed("failed", "no such file", {"q": 1})),
    )
    assert second.parts == (
        TextPart("so"),
        ToolPart("mcptoolu_3", "mcp__s__lost", Failed("interrupted", INTERRUPTED, {"q": 1})),
    )


def test_what_another_wire_is_told_of_a_providers_search() -> None:
    asked = ask(
        HI,
        assistant(
            {"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "q"}},
            {
                "type": "web_search_tool_result",
                "tool_use_id": "srvtoolu_1",
                "content": [{"type": "web_search_result", "title": "T", "url": "https://t.test", "page_age": None}],
            },
            text("found it"),
        ),
        HI,
    )
    (call,) = asked.messages[1].calls
    assert call.name == "web_search"
    assert call.state == Completed({"query": "q"}, (TextPart("T\nhttps://t.test"),), 0.0, 0.0)
    assert asked.messages[2].text == "found it"


def test_a_servers_result_without_its_call_is_kept_as_it_is() -> None:
    lost = {"type": "web_search_tool_result", "tool_use_id": "srvtoolu_0", "content": []}
    asked = ask(HI, assistant(lost, text("so")), HI)
    assert sent_on(asked)["messages"][1]["content"] == [lost, text("so")]


def test_thinking_that_nobody_signed_goes_back_to_the_chat_wire() -> None:
    asked = ask(HI, assistant({"type": "thinking", "thinking": "hm", "signature": ""}, text("ok")), HI)
    thought = asked.messages[1].parts[0]
    assert thought == ReasoningPart("hm", {"openai_chat": {"field": "reasoning_content"}})
    assert sent_on(asked)["messages"][1]["content"] == [text("ok")]


def test_thinking_of_another_wire_comes_back_with_what_that_wants_echoed() -> None:
    for kept in (
        {"openai_responses": {"id": "rs_1", "encrypted_content": "x"}},
        {"openai_chat": {"field": "reasoning"}},
    ):
        asked = ask(HI, assistant({"type": "thinking", "thinking": "hm", "signature": seal(kept)}, text("ok")), HI)
        assert asked.messages[1].parts[0] == ReasoningPart("hm", kept)
        assert sent_on(asked)["messages"][1]["content"] == [text("ok")]


def test_the_operators_words_in_messages() -> None:
    said = {"role": "system", "content": [text("now in plan mode")]}
    asked = ask({"role": "system", "content": "be kind"}, HI, said, system=[text("be brief", cache_control=MARK)])
    assert asked.system == ("be brief", "be kind")
    assert [block["text"] for block in sent_on(asked)["system"]] == ["be brief", "be kind"]
    assert asked.messages[1] == Message("msg_1", "user", (TextPart("<system>\nnow in plan mode\n</system>"),))


def test_a_document_of_text_can_be_read_by_every_wire() -> None:
    source = {"type": "content", "content": [text("one"), text("two")]}
    (part,) = ask(user({"type": "document", "source": source, "title": "notes"})).messages[0].parts
    assert isinstance(part, FilePart)
    assert (part.mime, part.name, base64.b64decode(part.data)) == ("text/plain", "notes", b"one\ntwo")


def test_empty_texts_say_nothing() -> None:
    asked = ask(HI, assistant(text(""), text("ok"), text("\n")), user(text(" "), text("more")))
    assert [message.text for message in asked.messages] == ["hi", "ok", "more"]
    assert refusal_of(user(text(" "))).startswith("messages must contain")


def test_ids_stay_when_a_conversation_grows() -> None:
    turns = [HI, assistant(use()), user(result(), text("so?")), assistant(text("two"))]
    before, after = ask(*turns[:3]).messages, ask(*turns).messages
    assert after[: len(before)] == before
    assert len({message.id for message in after}) == len(after)


NAMES = """type text role content model messages system tools tool_choice mcp_servers name id input tool_use_id source
title data url media_type thinking signature metadata user_id output_config format schema input_schema configs
cache_control budget_tokens default_config tool_configuration allowed_tools server_name stream"""
WORDS = """user assistant system text image document tool_use tool_result mcp_tool_use mcp_tool_result server_tool_use
web_search_tool_result thinking redacted_thinking base64 url file content mcp_toolset custom enabled tool any
json_schema toolu_1 add"""
names = st.sampled_from(NAMES.split())
words = st.sampled_from(WORDS.split())
# Halves of characters too: a JSON text may hold them escaped.
any_text = st.text(st.characters(), max_size=5)
values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | words | any_text,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(names | st.text(max_size=3), inner, max_size=5),
    max_leaves=25,
)
blocks = st.dictionaries(names, values, max_size=5).flatmap(
    lambda block: words.map(lambda kind: {"id": "toolu_1", "name": "add", **block, "type": kind})
)
turns = st.builds(
    lambda role, content: {"role": role, "content": content},
    st.sampled_from(["user", "assistant", "system"]),
    st.lists(blocks, max_size=4) | st.text(max_size=3) | values,
)
requests = st.builds(
    lambda fields, said: {"model": "m", **fields, "messages": said},
    st.dictionaries(names, values, max_size=4),
    st.lists(turns, max_size=5),
)


@settings(max_examples=200, deadline=None)
@given(st.dictionaries(names, values, max_size=6) | requests)
def test_any_object_is_read_or_refused(body: dict[str, Any]) -> None:
    with contextlib.suppress(BadRequest):
        assert read(body, {}).messages


def test_a_body_that_is_too_deep_is_refused() -> None:
    def nested(depth: int) -> Any:
        return msgspec.json.decode(b'{"type":"x","content":' * depth + b'"end"' + b"}" * depth)

    assert ask(user(nested(100))).messages[0].text == "end"
    assert "nested too deeply" in refusal_of(user(nested(950)))


def long_body(rounds: int, size: int) -> bytes:
    said: list[Any] = [HI]
    for number in range(rounds):
        said.append(assistant(text("x" * size), use(f"toolu_{number}")))
        said.append(user(result(f"toolu_{number}", "y" * size), text("and so on")))
    return msgspec.json.encode(said)


def test_a_conversation_of_five_megabytes_is_read_whole() -> None:
    body = long_body(8000, 230)
    assert len(body) > 5_000_000
    messages = ask(*msgspec.json.decode(body)).messages
    assert sum(len(message.calls) for message in messages) == 8000


@given(st.text(max_size=80))
def test_every_id_fits_the_wire_and_leads_back(call_id: str) -> None:
    wire_id = to_wire(call_id)
    assert re.fullmatch(r"[A-Za-z0-9_-]{1,64}", wire_id)
    if len(call_id.encode()) <= 40:
        assert from_wire(wire_id) == call_id
    assert to_shown(call_id).startswith("mcptoolu_")
    assert len(to_shown(call_id)) <= 64
    assert to_shown(to_shown(call_id)) == to_shown(call_id)


@given(st.text(st.sampled_from("toluTP_p0123=~"), max_size=20).map(lambda end: "toolu_tp_" + end))
def test_ids_that_look_like_ours_stay_apart(wire_id: str) -> None:
    assert from_wire(to_wire(wire_id)) == wire_id
    call_id = from_wire(wire_id)
    assert call_id == wire_id or to_wire(call_id) == wire_id
