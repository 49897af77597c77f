"""The bodies that the adapter writes, read back as a server reads them."""

import base64
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import messages
from wire_play import PNG, user

from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest, WireMemo
from toolpost.models.message_parts import INTERRUPTED
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.models.openai_chat.request import OpenAIChatRequestWriter
from toolpost.testing import Upstream, text
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

ADD = ToolSpec("add", "Add.", {"type": "object", "properties": {}})


def body(
    *said: Message, provider: str = "ark", writer: OpenAIChatRequestWriter | None = None, **options: Any
) -> dict[str, Any]:
    encoded = (writer or OpenAIChatRequestWriter(AdapterSettings("m", provider))).body(ModelRequest(said, **options))
    return msgspec.json.decode(encoded)


def assistant(*parts: Part, model: str = "ark/m") -> Message:
    return Message("a", "assistant", parts, model=model)


def made(
    state: CallState, *, call_id: str = "c1", name: str = "add", metadata: dict[str, Any] | None = None
) -> ToolPart:
    return ToolPart(call_id, name, state, metadata=metadata)


DONE = Completed({"a": 1}, (TextPart("2"),), 0, 1)


def test_a_conversation_with_a_call() -> None:
    sent = body(
        user(TextPart("1+1?")),
        assistant(StepStart(1, "ark/m"), TextPart("let me see"), made(DONE), StepFinish("tool-calls")),
        system=["be brief", "you are here"],
        tools=[ADD],
    )
    assert sent == {
        "model": "m",
        "stream": True,
        "stream_options": {"include_usage": True},
        "messages": [
            {"role": "system", "content": "be brief\n\nyou are here"},
            {"role": "user", "content": "1+1?"},
            {
                "role": "assistant",
                "content": "let me see",
                "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "add", "arguments": '{"a":1}'}}],
            },
            {"role": "tool", "tool_call_id": "c1", "content": "2"},
        ],
        "tools": [
            {"type": "function", "function": {"name": "add", "description": "Add.", "parameters": ADD.parameters}}
        ],
    }


@pytest.mark.parametrize(
    ("state", "content", "arguments"),
    [
        (Pending('{"a":1}'), INTERRUPTED, '{"a":1}'),
        (Pending('{"a":'), INTERRUPTED, "{}"),
        (Running({"a": 1}, 0), INTERRUPTED, '{"a":1}'),
        (Failed("denied", "not allowed", {"a": 1}), "not allowed", '{"a":1}'),
        (Failed("truncated", "cut", None, '{"a"'), "cut", "{}"),
        (Completed({}, (), 0, 1), "(no output)", "{}"),
        (Completed({}, (TextPart("a"), TextPart("b")), 0, 1), "a\nb", "{}"),
    ],
)
def test_every_call_has_valid_arguments_and_one_result(state: CallState, content: str, arguments: str) -> None:
    wire = body(assistant(made(state)))["messages"]
    assert wire[0]["tool_calls"][0]["function"]["arguments"] == arguments
    assert wire[1] == {"role": "tool", "tool_call_id": "c1", "content": content}


def test_images_of_results_follow_after_all_results() -> None:
    shot = Completed({}, (TextPart("taken"), PNG), 0, 1)
    wire = body(assistant(made(shot), made(DONE, call_id="c2")), user(TextPart("and?")))["messages"]
    assert [item["role"] for item in wire] == ["assistant", "tool", "tool", "user", "user"]
    assert wire[3]["content"][1] == {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}}
    assert "[image a.png (image/png)]" in wire[1]["content"]


def test_files_of_a_user() -> None:
    note = FilePart("text/plain", data=base64.b64encode("héllo".encode()).decode(), name="n.txt")
    pdf = FilePart("application/pdf", data="JVBERg==", name="d.pdf")
    wire = body(user(TextPart("look"), PNG, FilePart("image/jpeg", url="https://x.test/i.jpg"), note, pdf))
    assert wire["messages"][0]["content"] == [
        {"type": "text", "text": "look"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw=="}},
        {"type": "image_url", "image_url": {"url": "https://x.test/i.jpg"}},
        {"type": "text", "text": "n.txt:\nhéllo"},
        {"type": "file", "file": {"filename": "d.pdf", "file_data": "data:application/pdf;base64,JVBERg=="}},
    ]


def test_a_file_nobody_can_read_is_named() -> None:
    wire = body(user(FilePart("application/zip", data="UEs=", name="z.zip")))
    assert wire["messages"][0]["content"] == "[file z.zip (application/zip): you can't be shown it]"


def test_a_summary_is_sent_as_text_and_empty_messages_not_at_all() -> None:
    wire = body(user(CompactionPart("so far: x")), assistant(StepStart(1, "m")), assistant(ReasoningPart("hm")), user())
    assert wire["messages"] == [{"role": "user", "content": "so far: x"}]


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_reasoning_goes_back_in_its_field_with_calls_to_its_own_provider(field: str) -> None:
    thinking = [ReasoningPart(piece, {"openai_chat": {"field": field}}) for piece in ("hm", "m")]
    assert body(assistant(*thinking, made(DONE)))["messages"][0][field] == "hmm"
    for other in (
        body(assistant(*thinking, made(DONE), model="other/m")),
        body(assistant(*thinking, TextPart("no call"))),
        body(assistant(ReasoningPart("hm", {"openai_chat": {"field": "think"}}), made(DONE))),
        body(assistant(ReasoningPart("hm", {"anthropic": {"signature": "s"}}), made(DONE))),
    ):
        assert not {"reasoning", "reasoning_content", "think"} & other["messages"][0].keys()


def test_thinking_in_tags_goes_back_in_them_to_who_wants_that() -> None:
    said = [ReasoningPart("hm", {"openai_chat": {"field": "think"}}), TextPart("so")]
    own = body(assistant(*said, model="minimax/m"), provider="minimax")["messages"][0]
    assert own["content"] == "<think>hm</think>\n\nso"
    assert body(assistant(*said, model="ark/m"), provider="minimax")["messages"][0]["content"] == "so"
    assert body(assistant(*said))["messages"][0]["content"] == "so"


def test_thought_signatures_go_back_to_their_own_provider() -> None:
    signed = made(DONE, metadata={"extra_content": {"google": {"thought_signature": "s"}}})
    wire = body(assistant(signed))["messages"][0]["tool_calls"][0]
    assert wire["extra_content"] == {"google": {"thought_signature": "s"}}
    assert "extra_content" not in body(assistant(signed, model="x/m"))["messages"][0]["tool_calls"][0]


@pytest.mark.parametrize("call_id", ["x" * 60, "call|fc:1", "", "é"])
def test_foreign_ids_and_names_are_made_fit_and_stay_paired(call_id: str) -> None:
    wire = body(assistant(made(DONE, call_id=call_id, name="no such tool!")))["messages"]
    call = wire[0]["tool_calls"][0]
    assert call["id"] == wire[1]["tool_call_id"]
    assert 0 < len(call["id"]) <= 40
    assert call["function"]["name"] == "no_such_tool_"
    mistral = body(assistant(made(DONE, call_id=call_id)), provider="mistral")["messages"]
    assert len(mistral[0]["tool_calls"][0]["id"]) == 9


def test_options() -> None:
    options = {
        "temperature": 0.5,
        "top_k": 5,
        "max_tokens": 9,
        "stop": ["x"],
        "seed": 1,
        "reasoning_effort": "low",
        "parallel_tool_calls": False,
        "custom": None,
        "logit_bias": {"1": 2},
    }
    sent = body(user(TextPart("x")), options=options, tools=[ADD], tool_choice="required")
    assert {name: sent.get(name) for name in options} == {**options, "custom": None}
    assert "custom" not in sent
    assert sent["tool_choice"] == "required"
    openai = body(user(TextPart("x")), options=options, provider="openai")
    assert openai["max_completion_tokens"] == 9
    assert not {"max_tokens", "top_k", "parallel_tool_calls", "tool_choice", "tools"} & openai.keys()


def test_extra_is_merged_deeply_over_what_the_provider_says() -> None:
    writer = OpenAIChatRequestWriter(
        AdapterSettings(
            "m",
            "ark",
            extra_body={"thinking": {"type": "auto", "budget": 5}},
            options={"temperature": 1, "top_p": 0.9},
        )
    )
    options = {
        "temperature": 0,
        "extra": {
            "thinking": {"type": "disabled"},
            "stream_options": {"more": True},
            "tools": [{"type": "web_search"}],
        },
    }
    sent = body(user(TextPart("x")), writer=writer, options=options, tools=[ADD])
    assert sent["thinking"] == {"type": "disabled", "budget": 5}
    assert sent["stream_options"] == {"include_usage": True, "more": True}
    assert (sent["temperature"], sent["top_p"]) == (0, 0.9)
    assert [tool["type"] for tool in sent["tools"]] == ["function", "web_search"]
    assert body(user(TextPart("x")), writer=writer)["thinking"] == {"type": "auto", "budget": 5}


def test_lone_surrogates_are_sent_as_something() -> None:
    broken = Completed({"k\ud800": "v\udfff"}, (TextPart("r\ud83d"),), 0, 1)
    wire = body(user(TextPart("a\ud800b \ud83d\ude00")), assistant(made(broken)), system=["s\udc00"])["messages"]
    assert wire[0]["content"] == "s\ufffd"
    assert wire[1]["content"] == "a\ufffdb 😀"
    assert wire[3]["content"] == "r\ufffd"


def test_tools_are_encoded_again_when_they_change() -> None:
    memo, tools = WireMemo(), [ADD]
    writer = OpenAIChatRequestWriter(AdapterSettings("m", "ark"))
    history = [user(TextPart("x")), assistant(made(DONE))]
    first = writer.body(ModelRequest(history, memo=memo, tools=tools))
    assert writer.body(ModelRequest(history, memo=memo, tools=tools)) == first
    tools[0] = ToolSpec("sub", "", {})
    changed = msgspec.json.decode(writer.body(ModelRequest(history, memo=memo, tools=tools)))
    assert [tool["function"]["name"] for tool in changed["tools"]] == ["sub"]


@given(st.lists(st.lists(st.integers(0, 5), max_size=8), max_size=6))
def test_each_message_is_encoded_once_for_as_long_as_the_conversation_only_grows(histories: list[list[int]]) -> None:
    known = [user(TextPart(str(i))) for i in range(6)]
    memo, sent, encoded = WireMemo(), list[Message](), list[Message]()

    def encode(message: Message) -> bytes:
        encoded.append(message)
        return message.text.encode() if message.text != "5" else b""

    for history in histories:
        messages = [known[i] for i in history]
        encoded.clear()
        joined = bytes(memo.join(messages, encode))
        assert joined == b",".join(str(i).encode() for i in history if i != 5)
        grew = messages[: len(sent)] == sent
        assert encoded == (messages[len(sent) :] if grew else messages)
        sent = messages


def test_another_model_does_not_get_the_bytes_of_the_first() -> None:
    memo = WireMemo()
    said = assistant(ReasoningPart("hm", {"openai_chat": {"field": "reasoning_content"}}), made(DONE))
    first = OpenAIChatRequestWriter(AdapterSettings("m", "ark")).body(ModelRequest([said], memo=memo))
    second = OpenAIChatRequestWriter(AdapterSettings("m", "other")).body(ModelRequest([said], memo=memo))
    assert b"reasoning_content" in first
    assert b"reasoning_content" not in second


@settings(deadline=None, max_examples=60)
@given(st.lists(messages(), max_size=5))
def test_any_history_becomes_a_body_where_every_call_has_its_result(history: list[Message]) -> None:
    wire = body(*history)["messages"]
    open_calls: list[str] = []
    for item in wire:
        if item["role"] == "tool":
            assert item["tool_call_id"] == open_calls.pop(0)
        else:
            assert not open_calls
            open_calls = [call["id"] for call in item.get("tool_calls", ())]
            for call in item.get("tool_calls", ()):
                assert isinstance(msgspec.json.decode(call["function"]["arguments"]), dict)
        assert item.get("content") or item.get("tool_calls")
    assert not open_calls


async def test_the_key_is_a_bearer_and_without_one_nothing_is_sent() -> None:
    async with Upstream(text("a"), text("b"), text("c")) as up:
        wanted = ModelRequest([user(TextPart("x"))])
        for key, headers in ((" sk-1\n", {}), (None, {}), ("sk-1", {"X-More": "1", "Authorization": "Token t"})):
            model = OpenAIChat("m", base_url=up.base_url, api_key=key, headers=headers)
            assert "sk-1" not in repr(model)
            [_ async for _ in model.stream(wanted)]
        sent = [received.headers.get("authorization") for received in up.requests]
        assert sent == ["Bearer sk-1", None, "Token t"]
        assert up.requests[2].headers["x-more"] == "1"
