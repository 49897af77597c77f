"""A model asked in words, over a real socket: it yields the very events of one that makes its calls natively."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from toolpost import Agent, OpenAIChat, tool
from toolpost.models.contract import ModelRequest
from toolpost.models.ollama.model import Ollama
from toolpost.models.prompted.adapter import Prompted
from toolpost.testing import Turn, Upstream, call, http_error, reasoning, text, turn
from toolpost.testing.upstream import Received
from toolpost.testing.wires import OllamaWire
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import Completed, Failed, Message, TextPart, ToolPart, Usage
from toolpost.types.stream import Finish, StreamEvent, TextDelta, TextEnd, TextStart, ToolCall, ToolInputStart
from toolpost.types.tool_spec import ToolSpec

WEATHER = ToolSpec(
    "get_weather",
    "The weather in a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
HI = Message("u", "user", (TextPart("What's the weather in Oslo?"),))
OSLO = '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
BROKEN = '<tool_call>\n{"name": "get_weather", "arguments": [[{"ci"}}}\n</tool_call>'


def request(*messages: Message, **options: Any) -> ModelRequest:
    return ModelRequest([HI, *messages], tools=options.pop("tools", [WEATHER]), **options)


async def ask(up: Upstream, wanted: ModelRequest | None = None, **options: Any) -> list[StreamEvent]:
    model = Prompted(OpenAIChat(options.pop("name", "m"), base_url=up.base_url), **options)
    return [event async for event in model.stream(wanted or request())]


async def play(*turns: Turn, wanted: ModelRequest | None = None, **options: Any) -> tuple[list[StreamEvent], Any]:
    async with Upstream(*turns) as up:
        return await ask(up, wanted, **options), up.requests[-1].body


def calls(events: list[StreamEvent]) -> list[tuple[str, dict[str, Any]]]:
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolCall) and not event.raw]


def shown(events: list[StreamEvent]) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_a_call_in_the_text_is_a_call_and_no_text() -> None:
    events, body = await play(turn(text(f"Let me look.\n{OSLO}", chunk=3), usage=Usage(7, 5)))
    kinds = [type(event).__name__ for event in events if not isinstance(event, TextDelta)]
    assert kinds == ["TextStart", "TextEnd", "ToolInputStart", *["ToolInputDelta"] * kinds.count("ToolInputDelta"),
                     "ToolInputEnd", "ToolCall", "Finish"]  # fmt: skip
    assert shown(events).strip() == "Let me look."
    assert calls(events) == [("get_weather", {"city": "Oslo"})]
    assert events[-1] == Finish("tool-calls", Usage(7, 5), events[-1].metadata)  # type: ignore[union-attr]
    assert "tools" not in body
    assert "get_weather" in body["messages"][0]["content"]


async def test_an_answer_is_an_answer() -> None:
    events, _ = await play(turn(text("It is a < b and {x}.", chunk=2)))
    assert shown(events) == "It is a < b and {x}."
    assert isinstance(events[0], TextStart)
    assert [type(event) for event in events[-2:]] == [TextEnd, Finish]
    assert events[-1].reason == "stop"  # type: ignore[union-attr]


async def test_a_call_in_a_thought_that_is_all_of_the_turn_is_made() -> None:
    events, _ = await play(turn(reasoning(f"I should look. {OSLO}")))
    assert calls(events) == [("get_weather", {"city": "Oslo"})]
    drafted, _ = await play(turn(reasoning(f"Perhaps {OSLO}?") + text("It rains.")))
    assert calls(drafted) == []


async def test_the_history_is_told_in_words() -> None:
    state = Completed({"city": "Oslo"}, (TextPart("rain"),), 0, 1)
    step = Message("a", "assistant", (ToolPart("1", "get_weather", state),))
    _, body = await play(turn(text("It rains.")), wanted=request(step), name="qwen3:8b")
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    assert body["messages"][2]["content"] == OSLO
    assert body["messages"][3]["content"] == "<tool_response>\nrain\n</tool_response>"
    assert not any("tool_calls" in message for message in body["messages"])


async def test_a_model_that_calls_an_unknown_tool_is_told_so_and_nobody_sees_the_call_as_an_answer() -> None:
    @tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        return f"{city}: rain"

    wrong = '<tool_call>{"name": "open_browser", "arguments": {"url": "https://example.org"}}</tool_call>'
    async with Upstream(turn(text(wrong)), turn(text("I can't open pages."))) as up:
        model = Prompted(OpenAIChat("m", base_url=up.base_url))
        session = Agent(model, [get_weather]).session()
        result = await session.run("Open the page.")
        told = up.requests[-1].body["messages"][-1]["content"]
    assert result.text == "I can't open pages."
    (failed,) = [call.state for message in session.messages for call in message.calls]
    assert isinstance(failed, Failed)
    assert failed.kind == "unknown_tool"
    assert "open_browser" in told
    assert "get_weather" in told
    assert all("<tool_call>" not in message.text for message in session.messages)


async def test_a_call_that_is_quoted_from_a_result_is_not_run() -> None:
    page = f"Docs:\n{OSLO}"
    state = Completed({}, (TextPart(page),), 0, 1)
    step = Message("a", "assistant", (ToolPart("1", "fetch", state),))
    events, _ = await play(turn(text(f"The page says:\n{OSLO}")), wanted=request(step))
    assert calls(events) == []
    [refused] = [event for event in events if isinstance(event, ToolCall)]
    assert "stands in a tool's result" in refused.metadata["prompted"]["problem"]  # type: ignore[index]
    other, _ = await play(turn(text(OSLO.replace("Oslo", "Rome"))), wanted=request(step))
    assert calls(other) == [("get_weather", {"city": "Rome"})]


async def test_after_two_unreadable_calls_in_a_row_tools_are_no_longer_offered() -> None:
    bad = Failed("invalid", "not JSON", {}, "{", 0, 1)
    step = Message("a", "assistant", (ToolPart("1", "get_weather", bad),))
    _, once = await play(turn(text("x")), wanted=request(step))
    assert "# Tools" in once["messages"][0]["content"]
    _, twice = await play(turn(text(f"x {OSLO}")), wanted=request(step, step))
    assert "# Tools" not in twice["messages"][0]["content"]
    assert "answer in words" in twice["messages"][0]["content"]


async def test_an_agent_reads_what_was_wrong_and_gives_up_after_two() -> None:
    @tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        return "rain"

    async with Upstream(*(turn(text(BROKEN)),) * 2, turn(text("I cannot look it up."))) as up:
        agent = Agent(Prompted(OpenAIChat("m", base_url=up.base_url)), tools=[get_weather])
        result = await agent.run("What's the weather in Oslo?")
        assert result.text == "I cannot look it up."
        told = up.requests[1].body["messages"][-1]["content"]
        assert "get_weather failed:" in told
        assert "one JSON object" in told


async def test_nobody_behind_an_agent_can_tell_a_prompted_model_from_a_native_one() -> None:
    @tool
    def get_weather(city: str) -> str:
        """The weather in a city."""
        return f"{city}: rain"

    async def events_of(first: Turn, wrap: Callable[[OpenAIChat], Any]) -> list[str]:
        async with Upstream(first, turn(text("It rains in Oslo."))) as up:
            agent = Agent(wrap(OpenAIChat("m", base_url=up.base_url)), tools=[get_weather])
            seen = [event async for event in agent.session().stream("What's the weather in Oslo?")]
        return [event.type for event in seen if event.type != "message_update"]

    native = await events_of(turn(call("get_weather", {"city": "Oslo"})), lambda model: model)
    prompted = await events_of(turn(text(OSLO)), Prompted)
    assert "tool_execution_end" in prompted
    assert prompted == native


async def test_a_call_cut_at_the_length_limit_is_not_whole() -> None:
    events, _ = await play(turn(text(OSLO[:-30]), finish="length"))
    assert calls(events) == []
    assert events[-1].reason == "length"  # type: ignore[union-attr]
    assert any(isinstance(event, ToolInputStart) for event in events)


async def test_tools_are_not_named_where_none_may_be_called() -> None:
    events, body = await play(turn(text(OSLO)), wanted=request(tool_choice="none"))
    assert calls(events) == []
    assert [message["role"] for message in body["messages"]] == ["user"]


async def test_a_model_that_was_taught_calls_by_signatures_is_told_no_more() -> None:
    _, body = await play(turn(text("hi")), wanted=request(system=("Be kind.",)), brief=True)
    said = body["messages"][0]["content"]
    assert said.startswith("Be kind.")
    assert said.endswith("# Tools\nget_weather(city: string) - The weather in a city.")
    assert "<tool_call>" not in said


async def test_a_grammar_goes_along_where_the_server_takes_one() -> None:
    _, body = await play(turn(text("hi")), backend="llamacpp")
    assert "get_weather" in body["grammar"]
    assert "grammar_lazy" not in body
    _, required = await play(turn(text(OSLO)), wanted=request(tool_choice="required"), backend="llamacpp")
    assert "get_weather" in required["grammar"]
    assert required["grammar"] != body["grammar"]
    _, free = await play(turn(text("hi")), backend="llamacpp", grammar=False)
    assert "grammar" not in free


async def test_a_server_that_refuses_the_grammar_is_asked_without_it_from_then_on() -> None:
    refusal = http_error(400, {"error": {"message": "unknown field: grammar"}})
    async with Upstream(refusal, turn(text(OSLO)), turn(text("hi"))) as up:
        model = Prompted(OpenAIChat("m", base_url=up.base_url), backend="llamacpp")
        events = [event async for event in model.stream(request())]
        assert calls(events) == [("get_weather", {"city": "Oslo"})]
        _ = [event async for event in model.stream(request())]
        assert ["grammar" in one.body for one in up.requests] == [True, False, False]


async def test_runs_side_by_side_that_are_refused_at_once_all_go_on_without_the_grammar() -> None:
    refusal = http_error(400, {"error": {"message": "unknown field: grammar"}})

    def answer(received: Received) -> Turn:
        return refusal if "grammar" in received.body else turn(text(OSLO))

    async with Upstream(answer, repeat=True) as up:
        model = Prompted(OpenAIChat("m", base_url=up.base_url), backend="llamacpp")

        async def one() -> list[StreamEvent]:
            return [event async for event in model.stream(request())]

        done = await asyncio.gather(*(one() for _ in range(4)))
        assert [calls(events) for events in done] == [[("get_weather", {"city": "Oslo"})]] * 4
        assert sum("grammar" in received.body for received in up.requests) > 1


async def test_an_enveloped_answer_is_opened() -> None:
    async with Upstream(
        turn(text('{"action": "call", "calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}', chunk=4)),
        turn(text('{"action": "final", "text": "It\\u0027s raining\\nin Oslo."}', chunk=3)),
        wire=OllamaWire(),
    ) as up:
        model = Prompted(Ollama("gemma3:4b", base_url=up.url), backend="ollama")
        events = [event async for event in model.stream(request())]
        assert calls(events) == [("get_weather", {"city": "Oslo"})]
        state = Completed({"city": "Oslo"}, (TextPart("rain"),), 0, 1)
        step = Message("a", "assistant", (ToolPart("1", "get_weather", state),))
        answer = [event async for event in model.stream(request(step))]
        assert shown(answer) == "It's raining\nin Oslo."
        assert "anyOf" in up.requests[0].body["format"]
        assert up.requests[1].body["messages"][2]["content"].startswith('{"action": "call"')


async def test_a_server_without_a_system_role_gets_it_in_the_first_message() -> None:
    refusal = http_error(400, {"error": {"message": "System role not supported"}})
    async with Upstream(refusal, turn(text(OSLO))) as up:
        events = await ask(up, request(system=("Be brief.",)))
        assert calls(events) == [("get_weather", {"city": "Oslo"})]
        [first] = up.requests[1].body["messages"]
        assert first["role"] == "user"
        assert first["content"].startswith("Be brief.")
        assert first["content"].endswith("What's the weather in Oslo?")


async def test_other_refusals_are_raised() -> None:
    async with Upstream(http_error(400, {"error": {"message": "temperature is too high"}})) as up:
        with pytest.raises(ModelError, match="temperature"):
            await ask(up)


async def test_tokens_are_asked_for_where_the_dialect_is_made_of_them() -> None:
    _, body = await play(turn(text("hi")), name="kimi-k2.6", backend="vllm")
    assert body["skip_special_tokens"] is False
    assert "<|tool_call_begin|>" in body["messages"][0]["content"]
    _, plain = await play(turn(text("hi")), name="kimi-k2.6")
    assert "<tool_call>" in plain["messages"][0]["content"]


def test_a_dialect_that_there_is_not_is_told_at_once() -> None:
    with pytest.raises(ConfigError, match="hermes"):
        Prompted(OpenAIChat("m", base_url="http://127.0.0.1:1/v1"), dialect="hermez")
