"""Ollama's own wire over a real socket: what is sent, and what is made of its lines."""

import base64
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import messages
from wire_play import ADD, DONE, HI, PNG, answer, called, cut_at, made, only_error, read, request, said, thought, user

from toolpost import Agent, tool
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.ollama.model import Ollama
from toolpost.models.ollama.request import OllamaRequestWriter
from toolpost.models.ollama.stream import OllamaStreamReader
from toolpost.testing import Turn, Upstream, call, calls, http_error, raw, reasoning, text, turn
from toolpost.testing.wires import OllamaWire
from toolpost.types.errors import ModelError
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    Failed,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    TextPart,
    ToolPart,
    Usage,
)
from toolpost.types.stream import (
    Finish,
    ReasoningDelta,
    ReasoningEnd,
    ReasoningStart,
    StreamEvent,
    TextDelta,
    TextEnd,
    TextStart,
    ToolCall,
    ToolInputDelta,
    ToolInputEnd,
    ToolInputStart,
)


def assistant(*parts: Part, model: str = "ollama/m") -> Message:
    return Message("a", "assistant", parts, model=model)


async def ask(up: Upstream, wanted: ModelRequest | None = None, **options: Any) -> list[StreamEvent]:
    return await answer(Ollama("m", base_url=up.url, **options), wanted)


async def play(*turns: Turn, **options: Any) -> list[StreamEvent]:
    async with Upstream(*turns, wire=OllamaWire(), **options) as up:
        return await ask(up)


def line(message: dict[str, Any] | None = None, **fields: Any) -> bytes:
    value = {**({"message": message} if message is not None else {}), "done": False, **fields}
    return msgspec.json.encode(value) + b"\n"


def body(*said: Message, writer: OllamaRequestWriter | None = None, **options: Any) -> dict[str, Any]:
    return msgspec.json.decode(
        (writer or OllamaRequestWriter(AdapterSettings("m", "ollama"))).body(ModelRequest(said, **options))
    )


async def test_thinking_text_and_calls_in_their_order() -> None:
    script = reasoning("hm", chunk=1) + text("so") + call("add", {"a": 1}, id="c1")
    assert await play(turn(script, usage=Usage(12, 3))) == [
        ReasoningStart("0"),
        ReasoningDelta("h", "0"),
        ReasoningDelta("m", "0"),
        ReasoningEnd("0"),
        TextStart("1"),
        TextDelta("so", "1"),
        TextEnd("1"),
        ToolInputStart("c1", "add"),
        ToolInputDelta("c1", '{"a":1}'),
        ToolInputEnd("c1"),
        ToolCall("c1", "add", {"a": 1}),
        Finish("tool-calls", Usage(12, 3)),
    ]


BODY = b"".join(
    [
        line({"content": "", "thinking": "嗯"}),
        line({"content": "<"}),
        line({"content": "b>héllo 🌍"}),
        line({"content": "", "tool_calls": [{"id": "c1", "function": {"name": "add", "arguments": {"a": "é"}}}]}),
        line({"content": ""}, done=True, done_reason="stop", prompt_eval_count=3, eval_count=4),
    ]
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.integers(0, len(BODY)), max_size=12), st.booleans())
def test_any_cut_of_the_bytes_gives_the_same_events(cuts: list[int], windows: bool) -> None:
    whole = BODY.replace(b"\n", b"\r\n") if windows else BODY
    assert read(OllamaStreamReader(), cut_at(whole, cuts)) == read(OllamaStreamReader(), [BODY])


@settings(max_examples=100, deadline=None)
@given(st.integers(0, len(BODY) - 2))
def test_a_stream_that_ends_early_is_truncated_wherever_it_was_cut(length: int) -> None:
    assert only_error(read(OllamaStreamReader(), [BODY[:length]])).error.code == "truncated"


def test_a_last_line_without_its_newline_counts() -> None:
    assert read(OllamaStreamReader(), [BODY[:-1]]) == read(OllamaStreamReader(), [BODY])


@pytest.mark.parametrize("reason", ["stop", "load", None, "weird"])
async def test_a_call_seen_means_tool_calls_whatever_the_wire_says(reason: str | None) -> None:
    tool = {"content": "", "tool_calls": [{"function": {"name": "add", "arguments": {}}}]}
    assert (await play(raw(line(tool) + line(done=True, done_reason=reason))))[-1] == Finish("tool-calls")
    assert (await play(raw(line({"content": "x"}) + line(done=True, done_reason=reason))))[-1] == Finish("stop")


async def test_ids_are_made_up_where_there_are_none() -> None:
    events = await play(calls(call("add", {"a": 1}), call("add")))
    assert len({event.id for event in made(events)}) == 2
    assert called(events) == [("add", {"a": 1}), ("add", {})]


@pytest.mark.parametrize(
    ("arguments", "parsed", "raw_text"),
    [({"a": 1}, {"a": 1}, ""), ('{"a":1}', {"a": 1}, ""), ("{oops", {}, "{oops"), ("", {}, ""), (None, {}, "")],
)
async def test_arguments_are_an_object_or_an_objects_text(arguments: Any, parsed: Any, raw_text: str) -> None:
    tool = {"tool_calls": [{"function": {"name": "add", "arguments": arguments}}]}
    events = await play(raw(line(tool) + line(done=True)))
    assert [(event.arguments, event.raw) for event in made(events)] == [(parsed, raw_text)]


async def test_thinking_in_tags_is_told_apart() -> None:
    events = await play(text("<think>hm</think>\n\nso", chunk=3))
    assert (thought(events), said(events)) == ("hm", "so")


async def test_an_error_alone_under_200() -> None:
    assert only_error(await play(raw(b'{"error":"out of memory"}'))).error.message == "out of memory"


async def test_types_that_are_off_are_read_all_the_same() -> None:
    odd = b'{"message":{"content":"x"},"done":"false","eval_count":"7"}\n{"message":[],"done":true}\n'
    events = await play(raw(odd))
    assert said(events) == "x"
    assert events[-1] == Finish("stop")


async def test_broken_utf8_is_replaced() -> None:
    assert said(await play(raw(line({"content": "a~b"}).replace(b"~", b"\xff") + line(done=True)))) == "a\ufffdb"


async def test_a_missing_model_is_told_with_the_command_that_gets_it() -> None:
    async with Upstream(http_error(404, 'model "m" not found, try pulling it first')) as up:
        with pytest.raises(ModelError, match="`ollama pull m`") as caught:
            await ask(up)
    assert (caught.value.code, caught.value.info.status) == ("not_found", 404)


async def test_another_server_is_told_from_one_without_the_model() -> None:
    async with Upstream(http_error(404, b"404 page not found")) as up:
        with pytest.raises(ModelError, match="is this an Ollama server") as caught:
            await ask(up)
    assert caught.value.code == "not_found"


async def test_a_model_without_tools_is_refused_as_the_server_says() -> None:
    async with Upstream(http_error(400, '"m" does not support tools')) as up:
        with pytest.raises(ModelError, match="does not support tools"):
            await ask(up)


@pytest.mark.parametrize(
    ("refusals", "thinks"),
    [
        (['think value "high" is not supported for this model'], [True, True]),
        (['"m" does not support thinking'], [None, None]),
        (['invalid think value: "high" (must be true or false)', '"m" does not support thinking'], [None, None]),
    ],
)
async def test_thinking_is_asked_for_as_far_as_the_model_goes_and_that_is_remembered(
    refusals: list[str], thinks: list[Any]
) -> None:
    async with Upstream(*(http_error(400, text) for text in refusals), text("a"), text("b")) as up:
        model = Ollama("m", base_url=up.url)
        for _ in "ab":
            [_ async for _ in model.stream(request(options={"reasoning_effort": "high"}))]
        assert up.requests[0].body["think"] == "high"
        assert [received.body.get("think") for received in up.requests[-2:]] == thinks


async def test_a_conversation() -> None:
    history = [
        user(TextPart("1+1?"), PNG),
        assistant(ReasoningPart("hm"), TextPart("let me see"), ToolPart("c1", "add", DONE)),
    ]
    async with Upstream(text("2")) as up:
        wanted = ModelRequest(history, system=["be brief", "you are here"], tools=[ADD])
        await ask(up, wanted, api_key="k", context_window=32_000)
        sent = up.requests[0]
    assert (sent.path, sent.headers["authorization"]) == ("/api/chat", "Bearer k")
    assert sent.body == {
        "model": "m",
        "stream": True,
        # Nothing of a conversation that is too long is dropped without a word.
        "truncate": False,
        "shift": False,
        "options": {"num_ctx": 32_000},
        "messages": [
            {"role": "system", "content": "be brief\n\nyou are here"},
            {"role": "user", "content": "1+1?", "images": ["iVBORw=="]},
            {
                "role": "assistant",
                "content": "let me see",
                "thinking": "hm",
                "tool_calls": [{"function": {"name": "add", "arguments": {"a": 1}}}],
            },
            {"role": "tool", "tool_name": "add", "content": "2"},
        ],
        "tools": [
            {"type": "function", "function": {"name": "add", "description": "Add.", "parameters": ADD.parameters}}
        ],
    }


def test_thinking_goes_back_to_its_own_provider_alone() -> None:
    thought = [ReasoningPart("hm"), TextPart("x")]
    assert "thinking" not in body(assistant(*thought, model="other/m"))["messages"][0]


def test_files_summaries_and_failures() -> None:
    note = FilePart("text/plain", data=base64.b64encode(b"hey").decode(), name="n.txt")
    link = FilePart("image/png", url="https://x.test/i.png")
    shot = Completed({}, (TextPart("taken"), PNG), 0, 1)
    failed = Failed("denied", "not allowed", {})
    sent = body(
        user(CompactionPart("so far"), note, link),
        assistant(ToolPart("1", "shot", shot), ToolPart("2", "no such!", failed)),
        user(),
        assistant(ReasoningPart("hm")),
    )["messages"]
    unseen = "[image https://x.test/i.png (image/png): you can't be shown it]"
    assert sent[0] == {"role": "user", "content": f"so far\nn.txt:\nhey\n{unseen}"}
    assert sent[2:] == [
        {"role": "tool", "tool_name": "shot", "content": "taken\n[image a.png (image/png)]"},
        {"role": "tool", "tool_name": "no_such_", "content": "not allowed"},
        {"role": "user", "content": "From the call of shot:", "images": ["iVBORw=="]},
    ]


def test_options() -> None:
    settings = AdapterSettings(
        "m",
        "ollama",
        extra_body={"keep_alive": "1h"},
        options={"temperature": 1},
        context_window=9,
        max_output=8,
    )
    writer = OllamaRequestWriter(settings)
    options = {
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 5,
        "seed": 1,
        "max_tokens": 7,
        "stop": "x",
        "parallel_tool_calls": False,
        "extra": {"keep_alive": -1, "format": "json", "options": {"num_gpu": 1, "num_ctx": 5}},
    }
    sent = body(HI, writer=writer, options=options)
    assert sent["options"] == {
        "num_ctx": 5,
        "num_predict": 7,
        "temperature": 0,
        "top_p": 0.5,
        "top_k": 5,
        "seed": 1,
        "stop": ["x"],
        "num_gpu": 1,
    }
    assert (sent["keep_alive"], sent["format"]) == (-1, "json")
    assert body(HI, writer=writer)["options"] == {"num_ctx": 9, "num_predict": 8, "temperature": 1}
    assert "options" not in body(HI)


@pytest.mark.parametrize(
    ("effort", "think"),
    [(None, None), ("none", False), (False, False), (True, True), ("low", "low"), ("minimal", "low"), ("xhigh", "max")],
)
def test_effort_becomes_think(effort: Any, think: Any) -> None:
    assert body(HI, options={"reasoning_effort": effort}).get("think") == think


def test_no_call_wanted_means_no_tools_offered() -> None:
    assert "tools" not in body(HI, tools=[ADD], tool_choice="none")
    assert "tools" in body(HI, tools=[ADD], tool_choice="required")


@settings(deadline=None, max_examples=60)
@given(st.lists(messages(), max_size=5))
def test_any_history_becomes_a_body_where_every_call_has_its_result(history: list[Message]) -> None:
    waiting: list[str] = []
    for item in body(*history)["messages"]:
        if item["role"] == "tool":
            assert item["tool_name"] == waiting.pop(0)
        else:
            assert not waiting
            waiting = [call["function"]["name"] for call in item.get("tool_calls", ())]
            assert all(isinstance(call["function"]["arguments"], dict) for call in item.get("tool_calls", ()))
        assert item["content"] or item.get("tool_calls") or item.get("images")
    assert not waiting


@pytest.mark.parametrize("base", ["", "/", "/v1", "/api"])
async def test_the_base_url_may_be_that_of_another_route(base: str) -> None:
    async with Upstream(text("x"), models=["a", "b"]) as up:
        [_ async for _ in Ollama("m", base_url=up.url + base).stream(request())]
        assert up.requests[0].path == "/api/chat"
        assert await Ollama.list_models(AdapterSettings("", base_url=up.url + base)) == ["a", "b"]


async def test_a_server_that_does_not_stream_is_understood() -> None:
    async with Upstream(text("hello") + call("add", {"a": 1})) as up:
        events = await ask(up, extra_body={"stream": False})
    assert said(events) == "hello"
    assert called(events) == [("add", {"a": 1})]


async def test_an_agent_works_on_this_wire() -> None:
    @tool
    def add(a: int) -> str:
        """Add one."""
        return str(a + 1)

    script: list[Turn] = [reasoning("hm") + call("add", {"a": 1}), text("It is 2.")]
    async with Upstream(*script) as up:
        agent = Agent(Ollama("m", base_url=up.url), tools=[add])
        assert (await agent.run("1+1?")).text == "It is 2."
        told = up.requests[1].body["messages"]
    assert told[-2:] == [
        {
            "role": "assistant",
            "content": "",
            "thinking": "hm",
            "tool_calls": [{"function": {"name": "add", "arguments": {"a": 1}}}],
        },
        {"role": "tool", "tool_name": "add", "content": "2"},
    ]
