"""Anthropic's wire against a real upstream: llama.cpp's own server speaks it too."""

import pytest
from conftest import written_by

from toolpost import Anthropic, OpenAIChat
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.types.errors import ModelError
from toolpost.types.messages import Completed, Message, TextPart, ToolPart
from toolpost.types.stream import TextDelta
from toolpost.types.tool_spec import ToolSpec

WEATHER = ToolSpec("get_weather", "Get the weather.", {"type": "object", "properties": {"city": {"type": "string"}}})


@pytest.fixture
def claude(upstream):
    return Anthropic("smollm2", provider="llamacpp", base_url=upstream.url, api_key=upstream.key)


def user(text: str) -> Message:
    return Message("msg_1", "user", (TextPart(text),))


async def ask(model, *messages, tools=(), system=(), **options):
    asked = ModelRequest(messages, tools=tools, system=system, options={"temperature": 0, **options})
    return [event async for event in model.stream(asked)]


async def test_text_streams_token_by_token_with_its_usage(claude):
    events = await ask(claude, user("Write the word yes ten times."), max_tokens=12)
    assert [events[0].type, events[-2].type] == ["text-start", "text-end"]
    assert sum(isinstance(event, TextDelta) for event in events) > 6
    assert events[-1].reason == "length"
    assert events[-1].usage.output == 12


async def test_both_wires_read_the_same_prompt(claude, upstream):
    chat = OpenAIChat("smollm2", provider="llamacpp", base_url=f"{upstream.url}/v1", api_key=upstream.key)
    system = ("You are a pirate. Answer briefly.",)
    ours = await ask(claude, user("Who are you?"), system=system, max_tokens=8)
    theirs = await ask(chat, user("Who are you?"), system=system, max_tokens=8)
    assert ours[-1].usage.input == theirs[-1].usage.input
    assert _text(ours) == _text(theirs)


async def test_calls_and_results_of_a_history_are_taken(claude):
    state = Completed({"city": "Rome"}, (TextPart("31 degrees"),), 0.0, 1.0)
    step = Message("msg_2", "assistant", (ToolPart("call_1", "get_weather", state),))
    events = await ask(claude, user("Weather in Rome?"), step, tools=[WEATHER], max_tokens=3)
    assert events[-1].usage.output == 3


async def test_a_prompt_that_is_too_long_is_an_overflow(claude):
    with pytest.raises(ModelError) as caught:
        await ask(claude, user("word " * 300))
    assert caught.value.code == "context_overflow"


async def test_fields_that_it_does_not_know_do_no_harm(claude):
    assert (await ask(claude, user("Hi"), max_tokens=1, extra={"no_such_field": 1}))[-1].usage.output == 1


async def test_a_wrong_key_is_refused(upstream):
    stranger = Anthropic("smollm2", provider="llamacpp", base_url=upstream.url, api_key="guess")
    with pytest.raises(ModelError) as caught:
        await ask(stranger, user("Hi"))
    assert caught.value.code == "auth"


async def test_leaving_ends_the_work_at_the_server(claude, upstream):
    story = ModelRequest([user("Tell a story.")], options={"max_tokens": 200, "extra": {"ignore_eos": True}})
    stream = claude.stream(story)
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await stream.aclose()
    assert await written_by(upstream) < 150


async def test_models_are_listed(upstream):
    assert len(await Anthropic.list_models(AdapterSettings("", base_url=upstream.url, api_key=upstream.key))) == 1


def _text(events) -> str:
    return "".join(event.text for event in events if isinstance(event, TextDelta))
