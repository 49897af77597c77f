"""The bodies that the Anthropic adapter writes, read back as its server reads them."""

import base64
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from anthropic.types.content_block_param import ContentBlockParam
from anthropic.types.tool_param import ToolParam
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import TypeAdapter
from strategies import messages
from wire_play import ADD, DONE, PNG, user

from toolpost import Agent, tool
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.anthropic.model import Anthropic
from toolpost.models.anthropic.request import AnthropicRequestWriter
from toolpost.models.contract import ModelRequest, WireMemo
from toolpost.models.message_parts import INTERRUPTED
from toolpost.testing import Turn, Upstream, call, http_error, reasoning, text
from toolpost.types.errors import ModelError
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
from toolpost.types.stream import Finish, ReasoningEnd, TextDelta
from toolpost.types.tool_spec import ToolSpec

PDF = FilePart("application/pdf", data="JVBERg==", name="d.pdf")
MARK = {"type": "ephemeral"}
SIGNED = {"anthropic": {"signature": "sig"}}


def body(
    *said: Message, writer: AnthropicRequestWriter | None = None, cache: bool = False, **options: Any
) -> dict[str, Any]:
    if not cache:
        extra = {"cache_control": False, **options.get("options", {}).get("extra", {})}
        options["options"] = {**options.get("options", {}), "extra": extra}
    encoded = (writer or AnthropicRequestWriter(AdapterSettings("claude-x", "anthropic"))).body(
        ModelRequest(said, **options)
    )
    return msgspec.json.decode(encoded)


def assistant(*parts: Part, model: str = "anthropic/claude-x", message_id: str = "a") -> Message:
    return Message(message_id, "assistant", parts, model=model)


def made(state: CallState, *, call_id: str = "c1", name: str = "add") -> ToolPart:
    return ToolPart(call_id, name, state)


HI = user(TextPart("hi"))


def test_a_conversation_with_thinking_and_a_call() -> None:
    sent = body(
        user(TextPart("1+1?")),
        assistant(
            StepStart(1, "anthropic/claude-x"),
            ReasoningPart("hm", SIGNED),
            TextPart("let me see"),
            made(DONE),
            StepFinish("tool-calls"),
        ),
        system=["be brief", "you are here"],
        tools=[ADD],
    )
    assert sent == {
        "model": "claude-x",
        "stream": True,
        "max_tokens": 8192,
        "system": [{"type": "text", "text": "be brief"}, {"type": "text", "text": "you are here"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "1+1?"}]},
            {
                "role": "assistant",
                "content": [
                    {"type": "thinking", "thinking": "hm", "signature": "sig"},
                    {"type": "text", "text": "let me see"},
                    {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
                ],
            },
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "2"}]},
        ],
        "tools": [{"name": "add", "description": "Add.", "input_schema": ADD.parameters}],
    }


def test_all_results_of_a_turn_stand_first_in_one_user_message_and_what_is_said_next_joins_them() -> None:
    turn = assistant(made(DONE), made(Failed("denied", "not allowed", {}), call_id="c2"))
    sent = body(HI, turn, user(TextPart("and?")), user(PNG))["messages"]
    assert [message["role"] for message in sent] == ["user", "assistant", "user"]
    assert sent[2]["content"] == [
        {"type": "tool_result", "tool_use_id": "c1", "content": "2"},
        {"type": "tool_result", "tool_use_id": "c2", "content": "not allowed", "is_error": True},
        {"type": "text", "text": "and?"},
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
    ]


@pytest.mark.parametrize(
    ("state", "content", "arguments"),
    [
        (Pending('{"a":1}'), INTERRUPTED, {"a": 1}),
        (Pending('{"a":'), INTERRUPTED, {}),
        (Running({"a": 1}, 0), INTERRUPTED, {"a": 1}),
        (Failed("truncated", "cut", None, '{"a"'), "cut", {}),
        (Completed({}, (), 0, 1), "(no output)", {}),
        (Completed({}, (TextPart(" "),), 0, 1), " ", {}),
        (Completed({}, (TextPart("a"), TextPart("b")), 0, 1), "a\nb", {}),
    ],
)
def test_every_call_has_an_object_and_one_result(state: CallState, content: str, arguments: dict[str, Any]) -> None:
    sent = body(HI, assistant(made(state)))["messages"]
    assert sent[1]["content"][0]["input"] == arguments
    assert sent[2]["content"][0]["content"] == content
    assert sent[2]["content"][0].get("is_error", False) is not isinstance(state, Completed)


def test_files_of_a_user_and_of_a_result() -> None:
    note = FilePart("text/plain", data=base64.b64encode("héllo".encode()).decode(), name="n.txt")
    links = [FilePart("image/jpeg", url="https://x.test/i.jpg"), FilePart("application/pdf", url="https://x.test/d")]
    bitmap = FilePart("image/bmp", data="Qk0=", name="b.bmp")
    sent = body(user(TextPart("look"), PNG, PDF, *links, note, bitmap))["messages"][0]["content"]
    assert sent[1:] == [
        {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw=="}},
        {
            "type": "document",
            "source": {"type": "base64", "media_type": "application/pdf", "data": "JVBERg=="},
            "title": "d.pdf",
        },
        {"type": "image", "source": {"type": "url", "url": "https://x.test/i.jpg"}},
        {"type": "document", "source": {"type": "url", "url": "https://x.test/d"}},
        {"type": "text", "text": "n.txt:\nhéllo"},
        {"type": "text", "text": "[image b.bmp (image/bmp): you can't be shown it]"},
    ]
    shot = Completed({}, (TextPart("taken"), PNG), 0, 1)
    result = body(HI, assistant(made(shot)))["messages"][2]["content"][0]
    assert result["content"] == [{"type": "text", "text": "taken"}, sent[1]]


def test_thinking_goes_back_signed_in_its_place_to_its_own_provider_alone() -> None:
    thinking = [
        ReasoningPart("hm", SIGNED),
        ReasoningPart("", {"anthropic": {"redacted": "abc"}}),
        ReasoningPart("", {"anthropic": {"signature": "hidden"}}),
        ReasoningPart("unsigned"),
        ReasoningPart("foreign", {"openai_chat": {"field": "reasoning"}}),
    ]
    own = body(HI, assistant(*thinking, TextPart("x"), made(DONE), ReasoningPart("later", SIGNED)))["messages"][1]
    assert own["content"] == [
        {"type": "thinking", "thinking": "hm", "signature": "sig"},
        {"type": "redacted_thinking", "data": "abc"},
        {"type": "thinking", "thinking": "", "signature": "hidden"},
        {"type": "text", "text": "x"},
        {"type": "tool_use", "id": "c1", "name": "add", "input": {"a": 1}},
        {"type": "thinking", "thinking": "later", "signature": "sig"},
    ]
    other = body(HI, assistant(*thinking, TextPart("x"), model="openai/m"))["messages"][1]
    assert other["content"] == [{"type": "text", "text": "x"}]


def test_a_message_of_another_model_has_its_calls_last_and_ids_of_its_own() -> None:
    foreign = [
        assistant(made(DONE, call_id="call|1"), TextPart("after"), model="openai/m", message_id=message_id)
        for message_id in "ab"
    ]
    sent = body(HI, *foreign)["messages"]
    assert [block["type"] for block in sent[1]["content"]] == ["text", "tool_use"]
    ids = [sent[place]["content"][1]["id"] for place in (1, 3)]
    assert ids == [sent[place]["content"][0]["tool_use_id"] for place in (2, 4)]
    assert ids[0] != ids[1]


def test_what_says_nothing_is_left_out() -> None:
    empty = [assistant(TextPart("  \n")), assistant(ReasoningPart("hm", SIGNED)), user(TextPart("")), user()]
    sent = body(user(CompactionPart("so far: x")), *empty, system=["", " "])
    assert sent["messages"] == [{"role": "user", "content": [{"type": "text", "text": "so far: x"}]}]
    assert "system" not in sent


def test_the_user_has_the_first_and_the_last_word() -> None:
    sent = body(assistant(TextPart("a")), assistant(TextPart("b ")))["messages"]
    go_on = {"role": "user", "content": [{"type": "text", "text": "Go on."}]}
    said = [{"type": "text", "text": "a"}, {"type": "text", "text": "b "}]
    assert sent == [go_on, {"role": "assistant", "content": said}, go_on]
    assert body()["messages"] == [go_on]


def marks(value: Any) -> Iterator[Any]:
    """Every object that carries a mark."""
    if isinstance(value, dict):
        if "cache_control" in value:
            yield value
        for item in value.values():
            yield from marks(item)
    elif isinstance(value, list):
        for item in value:
            yield from marks(item)


def test_the_head_the_tools_and_the_last_two_turns_are_cached() -> None:
    turns = [HI, assistant(made(DONE)), assistant(made(DONE), made(DONE, call_id="c2")), user(TextPart("and?"))]
    sent = body(*turns, system=["head", "body"], tools=[ADD, ADD], cache=True)
    assert [list(marks(sent[part])) for part in ("system", "tools")] == [[sent["system"][0]], [sent["tools"][1]]]
    assert list(marks(sent["messages"])) == [sent["messages"][2]["content"][-1], sent["messages"][4]["content"][-1]]
    assert sent["messages"][4]["content"][-1] == {"type": "text", "text": "and?", "cache_control": MARK}
    assert len(list(marks(sent))) == 4
    assert len(list(marks(body(HI, cache=True)))) == 1


def test_what_the_user_says_about_caching_holds() -> None:
    assert "cache_control" not in str(body(HI, system=["s"], tools=[ADD], options={"extra": {"cache_control": None}}))
    sent = body(HI, system=["s"], tools=[ADD], cache=True, options={"extra": {"cache_control": {**MARK, "ttl": "1h"}}})
    assert list(marks(sent)) == [sent]
    writer = AnthropicRequestWriter(AdapterSettings("m", "anthropic", extra_body={"cache_control": False}))
    assert not list(marks(body(HI, writer=writer, cache=True)))


def test_marks_are_not_mistaken_in_arguments_and_texts() -> None:
    tricky = {"messages": [{"role": "user", "content": [1]}, {"role": "user", "content": []}], "x": "\x03U,\x02U"}
    sent = body(user(TextPart("\x02A\x03U")), assistant(made(Completed(tricky, (), 0, 1))), cache=True)["messages"]
    assert sent[0]["content"][0]["text"] == "\x02A\x03U"
    assert sent[1]["content"][0]["input"] == tricky


@pytest.mark.parametrize(
    ("choice", "parallel", "wire"),
    [
        ("auto", None, None),
        ("auto", False, {"type": "auto", "disable_parallel_tool_use": True}),
        ("required", None, {"type": "any"}),
        ("required", False, {"type": "any", "disable_parallel_tool_use": True}),
        ("none", False, {"type": "none"}),
    ],
)
def test_tool_choice(choice: Any, parallel: bool | None, wire: Any) -> None:
    sent = body(HI, tools=[ADD], tool_choice=choice, options={"parallel_tool_calls": parallel})
    assert sent.get("tool_choice") == wire
    assert "tool_choice" not in body(HI, tool_choice=choice)


def test_a_conversation_with_calls_names_their_tools_even_where_none_is_offered() -> None:
    sent = body(HI, assistant(made(DONE), made(DONE, call_id="c2")))
    assert [tool["name"] for tool in sent["tools"]] == ["add"]
    assert sent["tool_choice"] == {"type": "none"}
    server = {"type": "web_search_20250305", "name": "web_search"}
    sent = body(HI, assistant(made(DONE)), options={"extra": {"tools": [server]}})
    assert sent["tools"] == [server]
    assert "tool_choice" not in sent


def test_options() -> None:
    options = {"temperature": 1.5, "top_p": 0.9, "top_k": 5, "max_tokens": 9, "stop": ["x", " "], "seed": 1}
    sent = body(HI, options={**options, "metadata": {"user_id": "u"}})
    assert (sent["temperature"], sent["top_p"], sent["top_k"], sent["max_tokens"]) == (1, 0.9, 5, 9)
    assert (sent["stop_sequences"], sent["metadata"]) == (["x"], {"user_id": "u"})
    assert not {"seed", "stop", "extra"} & sent.keys()
    newer = AnthropicRequestWriter(AdapterSettings("m", "anthropic", max_output=77), version="2026-10-21")
    sent = body(HI, writer=newer, options={**options, "max_tokens": None})
    assert sent["max_tokens"] == 77
    assert not {"temperature", "top_p", "top_k"} & sent.keys()


@pytest.mark.parametrize(
    ("effort", "given", "max_output", "budget", "limit"),
    [
        ("low", None, None, 1024, 9216),
        ("medium", None, None, 8192, 16_384),
        ("high", None, 64_000, 16_384, 64_000),
        ("high", None, None, 16_384, 24_576),
        ("max", None, None, 32_768, 40_960),
        ("high", 8000, None, 4000, 8000),
        ("low", 2000, None, None, 2000),
        ("none", None, None, None, 8192),
        (None, None, None, None, 8192),
    ],
)
def test_effort_becomes_a_budget_below_max_tokens(
    effort: str | None, given: int | None, max_output: int | None, budget: int | None, limit: int
) -> None:
    writer = AnthropicRequestWriter(AdapterSettings("m", "anthropic", max_output=max_output))
    sent = body(HI, writer=writer, options={"reasoning_effort": effort, "max_tokens": given, "temperature": 0.2})
    assert sent["max_tokens"] == limit
    assert sent.get("thinking") == (budget and {"type": "enabled", "budget_tokens": budget})
    assert ("temperature" in sent) is (budget is None)


def test_thinking_and_sampling_go_together_only_as_far_as_they_may() -> None:
    sent = body(HI, options={"reasoning_effort": "low", "top_p": 0.5, "top_k": 3})
    assert not {"top_p", "top_k"} & sent.keys()
    assert body(HI, options={"reasoning_effort": "low", "top_p": 0.97})["top_p"] == 0.97
    assert "thinking" not in body(HI, options={"reasoning_effort": "low"}, tools=[ADD], tool_choice="required")
    extra = {"thinking": {"type": "adaptive"}, "output_config": {"effort": "max"}}
    sent = body(HI, options={"extra": extra})
    assert {name: sent[name] for name in extra} == extra


def test_a_schema_with_branches_at_its_root_becomes_one_object_and_the_loss_is_told() -> None:
    left = {"properties": {"city": {"type": "string"}}, "required": ["city"]}
    right = {"properties": {"zip": {"type": "string"}}, "required": ["zip"]}
    tool = ToolSpec("find", "Find.", {"type": "object", "anyOf": [left, right]})
    sent = body(HI, tools=[tool])["tools"][0]
    assert not {"anyOf", "oneOf", "allOf"} & sent["input_schema"].keys()
    assert sent["input_schema"]["properties"].keys() == {"city", "zip"}
    assert sent["input_schema"]["type"] == "object"
    assert "city" in sent["description"]
    assert body(HI, tools=[ToolSpec("now", "", {})])["tools"][0]["input_schema"]["type"] == "object"


def test_each_message_is_encoded_once() -> None:
    class Counting(AnthropicRequestWriter):
        def message(self, message: Message) -> bytes:
            seen.append(message)
            return super().message(message)

    seen: list[Message] = []
    writer, memo, history = Counting(AdapterSettings("m", "anthropic")), WireMemo(), list[Message]()
    for step in range(5):
        history += [user(TextPart(str(step))), assistant(made(DONE, call_id=f"c{step}"), message_id=str(step))]
        grown = msgspec.json.decode(writer.body(ModelRequest(tuple(history), memo=memo)))
        assert grown == msgspec.json.decode(
            AnthropicRequestWriter(AdapterSettings("m", "anthropic")).body(ModelRequest(tuple(history)))
        )
    assert seen == history


def test_lone_surrogates_are_sent_as_something() -> None:
    sent = body(user(TextPart("a\ud800b \ud83d\ude00")), system=["s\udc00"])
    assert sent["messages"][0]["content"][0]["text"] == "a\ufffdb 😀"
    assert sent["system"][0]["text"] == "s\ufffd"


blocks = TypeAdapter(ContentBlockParam)


@settings(deadline=None, max_examples=60)
@given(st.lists(messages(), max_size=6))
def test_any_history_becomes_what_the_api_takes(history: list[Message]) -> None:
    sent = body(*history, tools=[ADD], cache=True)
    turns = sent["messages"]
    assert [turn["role"] for turn in turns] == [("user", "assistant")[place % 2] for place in range(len(turns))]
    assert turns[-1]["role"] == "user"
    expected: list[str] = []
    for turn in turns:
        assert turn["content"]
        for block in turn["content"]:
            blocks.validate_python(block)
            assert block.get("text", "x").strip()
        results = [block["tool_use_id"] for block in turn["content"] if block["type"] == "tool_result"]
        assert results == expected
        assert all(block["type"] == "tool_result" for block in turn["content"][: len(results)])
        expected = [block["id"] for block in turn["content"] if block["type"] == "tool_use"]
    assert len(list(marks([turn["content"] for turn in turns]))) <= 2
    for offered in sent["tools"]:
        TypeAdapter(ToolParam).validate_python(offered)


REFUSED = "`{}`: Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("refusals", "left"),
    [
        ([REFUSED.format("temperature")], {"top_p", "top_k"}),
        (["`temperature` and `top_p` cannot both be specified for this model."], {"temperature", "top_k"}),
        ([REFUSED.format(name) for name in ("temperature", "top_p", "top_k")], set[str]()),
    ],
)
async def test_refused_sampling_is_left_out_and_that_is_remembered(refusals: list[str], left: set[str]) -> None:
    options = {"temperature": 0.5, "top_p": 0.5, "top_k": 5}
    async with Upstream(*(http_error(400, text) for text in refusals), text("a"), text("b")) as up:
        model = Anthropic("m", base_url=up.url)
        for wanted in "ab":
            events = [event async for event in model.stream(ModelRequest([HI], options=options))]
            assert events[1] == TextDelta(wanted, "0")
        for received in up.requests[-2:]:
            assert options.keys() & received.body.keys() == left
        assert len(up.requests) == len(refusals) + 2


async def test_a_model_that_takes_no_budget_is_asked_for_an_effort() -> None:
    refusal = http_error(400, "thinking.type: `enabled` is not supported; use `adaptive`. budget_tokens")
    async with Upstream(refusal, text("a"), text("b")) as up:
        model = Anthropic("m", base_url=up.url)
        for _ in "ab":
            [_ async for _ in model.stream(ModelRequest([HI], options={"reasoning_effort": "high"}))]
        for received in up.requests[1:]:
            assert received.body["thinking"] == {"type": "adaptive"}
            assert received.body["output_config"] == {"effort": "high"}


async def test_a_turn_that_began_without_thinking_ends_without_and_the_next_one_thinks() -> None:
    refusal = http_error(400, "messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `text`")
    async with Upstream(refusal, text("a"), text("b")) as up:
        model = Anthropic("m", base_url=up.url)
        for _ in "ab":
            [_ async for _ in model.stream(ModelRequest([HI], options={"reasoning_effort": "low"}))]
        assert ["thinking" in received.body for received in up.requests] == [True, False, True]


@pytest.mark.parametrize("refusal", ["messages: no", "tools.0.input_schema.properties.temperature: no"])
async def test_other_refusals_are_raised_after_one_request(refusal: str) -> None:
    async with Upstream(http_error(400, refusal)) as up:
        with pytest.raises(ModelError) as caught:
            await anext(Anthropic("m", base_url=up.url).stream(ModelRequest([HI])))
        assert caught.value.code == "bad_request"


async def test_thinking_goes_round_over_the_wire() -> None:
    script: list[Turn] = [reasoning("hm") + call("add", {"a": 1}, id="toolu_1"), text("2")]
    async with Upstream(*script) as up:
        model = Anthropic("claude-x", base_url=up.url)
        events = [event async for event in model.stream(ModelRequest([HI], tools=[ADD]))]
        signed = next(event for event in events if isinstance(event, ReasoningEnd))
        turn = assistant(ReasoningPart("hm", signed.metadata), made(DONE, call_id="toolu_1"))
        events = [event async for event in model.stream(ModelRequest([HI, turn], tools=[ADD]))]
        assert isinstance(events[-1], Finish)
        echoed = up.requests[1].body["messages"][1]["content"]
    assert echoed == [
        {"type": "thinking", "thinking": "hm", "signature": "signature-1"},
        {"type": "tool_use", "id": "toolu_1", "name": "add", "input": {"a": 1}},
    ]


async def test_an_agent_works_on_this_wire() -> None:
    @tool
    def add(a: int) -> str:
        """Add one."""
        return str(a + 1)

    script: list[Turn] = [reasoning("hm") + text("let me see") + call("add", {"a": 1}), text("It is 2.")]
    async with Upstream(*script) as up:
        agent = Agent(Anthropic("claude-x", provider="scripted", base_url=up.url), tools=[add])
        assert (await agent.run("1+1?")).text == "It is 2."
        told = up.requests[1].body["messages"]
    assert [block["type"] for block in told[1]["content"]] == ["thinking", "text", "tool_use"]
    assert told[1]["content"][0]["signature"] == "signature-1"
    assert told[2]["content"][0] == {
        "type": "tool_result",
        "tool_use_id": told[1]["content"][2]["id"],
        "content": "2",
        "cache_control": MARK,
    }
