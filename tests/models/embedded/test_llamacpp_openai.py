"""The OpenAI chat wire against a real upstream: llama.cpp's own server."""

import asyncio

import pytest
from conftest import written_by
from msgspec import structs

from toolpost import OpenAIChat
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.embedded.model import Gguf
from toolpost.models.server_facts import ask_server
from toolpost.types.errors import ModelError
from toolpost.types.messages import Message, TextPart, Usage
from toolpost.types.stream import TextDelta
from toolpost.types.tool_spec import ToolSpec

WEATHER = ToolSpec(
    "get_weather",
    "Get the weather of a city.",
    {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
)
GREEDY = {"temperature": 0}


@pytest.fixture
def chat(upstream):
    return OpenAIChat("smollm2", provider="llamacpp", base_url=f"{upstream.url}/v1", api_key=upstream.key)


def request(text: str, *, tools=(), tool_choice="auto", **options) -> ModelRequest:
    message = Message("msg_1", "user", (TextPart(text),))
    return ModelRequest([message], tools=tools, tool_choice=tool_choice, options={**GREEDY, **options})


async def ask(model, *args, **options):
    return [event async for event in model.stream(request(*args, **options))]


async def test_text_streams_token_by_token_with_its_usage(chat):
    events = await ask(chat, "Write the word yes ten times.", max_tokens=12)
    assert [events[0].type, events[-2].type] == ["text-start", "text-end"]
    assert sum(isinstance(event, TextDelta) for event in events) > 6
    assert events[-1].reason == "length"
    assert events[-1].usage.output == 12
    assert events[-1].usage.input > 12


async def test_the_second_time_the_prompt_is_read_from_the_cache(chat):
    await ask(chat, "Name a colour.", max_tokens=1)
    again = (await ask(chat, "Name a colour.", max_tokens=1))[-1].usage
    assert again.cache_read == again.input - 1


@pytest.mark.parametrize("choice", ["auto", "required"])
async def test_a_template_that_knows_no_tools_gets_them_without_a_word(chat, upstream, choice):
    """llama.cpp takes `tools`, leaves them out of the prompt and answers in text: only `/props` tells."""
    plain = await ask(chat, "What is the weather in Rome?", max_tokens=1)
    events = await ask(chat, "What is the weather in Rome?", tools=[WEATHER], tool_choice=choice, max_tokens=1)
    assert events[-1].usage.input == plain[-1].usage.input
    assert "tool-call" not in [event.type for event in events]
    facts = await ask_server(
        "openai_chat", AdapterSettings("smollm2", base_url=f"{upstream.url}/v1", api_key=upstream.key)
    )
    assert facts.tools is False
    assert facts.context_window == 256


async def test_a_prompt_that_is_too_long_is_an_overflow(chat):
    with pytest.raises(ModelError, match="exceeds the available context size") as caught:
        await ask(chat, "word " * 300)
    assert caught.value.code == "context_overflow"


async def test_an_answer_that_fills_the_window_ends_at_its_length(chat):
    events = await ask(chat, "word " * 200, max_tokens=100, extra={"ignore_eos": True})
    assert events[-1].reason == "length"
    assert events[-1].usage.total <= 256


async def test_fields_that_it_does_not_know_do_no_harm(chat):
    events = await ask(chat, "Hi", max_tokens=1, extra={"no_such_field": {"a": 1}})
    assert events[-1].usage.output == 1


async def test_a_wrong_field_and_a_wrong_key_are_errors_that_say_so(chat, upstream):
    with pytest.raises(ModelError) as caught:
        await ask(chat, "Hi", extra={"response_format": {"type": "no_such_format"}})
    assert caught.value.code == "bad_request"
    stranger = OpenAIChat("smollm2", provider="llamacpp", base_url=f"{upstream.url}/v1", api_key="guess")
    with pytest.raises(ModelError) as caught:
        await ask(stranger, "Hi")
    assert caught.value.code == "auth"


async def test_a_schema_holds_the_answer_to_its_form(chat):
    form = {"type": "json_schema", "json_schema": {"name": "n", "schema": {"enum": ["left", "right"]}}}
    events = await ask(chat, "Which way?", extra={"response_format": form})
    assert "".join(event.text for event in events if isinstance(event, TextDelta)) in ('"left"', '"right"')


async def test_leaving_ends_the_work_at_the_server(chat, upstream):
    stream = chat.stream(request("Tell a story.", max_tokens=200, extra={"ignore_eos": True}))
    async for event in stream:
        if isinstance(event, TextDelta):
            break
    await stream.aclose()
    assert await written_by(upstream) < 150


async def test_two_questions_at_once_are_both_answered(chat):
    first, second = await asyncio.gather(ask(chat, "One?", max_tokens=3), ask(chat, "Two?", max_tokens=3))
    assert [first[-1].usage.output, second[-1].usage.output] == [3, 3]


async def test_models_are_listed_to_who_has_the_key(upstream):
    settings = AdapterSettings("", base_url=f"{upstream.url}/v1", api_key=upstream.key)
    assert len(await OpenAIChat.list_models(settings)) == 1
    with pytest.raises(ModelError, match="401"):
        await OpenAIChat.list_models(structs.replace(settings, api_key=None))


async def test_a_pulled_file_runs_on_its_own_template(weights):
    events = await ask(Gguf(AdapterSettings("tiny"), weights), "Say hello.", max_tokens=4)
    assert events[-1].usage == Usage(events[-1].usage.input, 4, 0, events[-1].usage.cache_read)
    assert events[0].type == "text-start"
