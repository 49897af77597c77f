"""embedded/qwen2.5-coder-1.5b, the default model, with its adapter: tried once, end to end.

It reads some 30 tokens a second on a slow machine, so there are few questions, and they share what is read.
`make run` in tests/test_docs.py is a whole run.
"""

import pytest

from toolpost.models.contract import ModelRequest
from toolpost.models.embedded.weights.folder import is_here
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN
from toolpost.models.resolve import resolve
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import TextDelta, ToolCall
from toolpost.types.tool_spec import ToolSpec

pytestmark = pytest.mark.timeout(900)

STRING = {"type": "string"}


def spec(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return ToolSpec(name, description, parameters)


WEATHER = spec("get_weather", "Get the current weather for a city.", city=STRING)
FORECAST = spec(
    "get_forecast", "Weather forecast for a day.", city=STRING, date={**STRING, "description": "YYYY-MM-DD"}
)
TIMER = spec("set_timer", "Start a countdown timer.", minutes={"type": "integer"})
TOOLS = [WEATHER, FORECAST, TIMER]
SYSTEM = ("You are a helpful assistant.", "Today's date: 2031-03-31")


@pytest.fixture(scope="module")
def model():
    assert is_here(KNOWN[DEFAULT]), (
        f"the weights of embedded/{DEFAULT} are missing: `make weights-default` fetches them"
    )
    return resolve(f"embedded/{DEFAULT}")


async def ask(model, question, **options):
    messages = [Message("msg_1", "user", (TextPart(question),))]
    request = ModelRequest(messages, system=SYSTEM, **options)
    return [event async for event in model.stream(request)]


def calls(events):
    return [(event.name, event.arguments) for event in events if isinstance(event, ToolCall)]


def text_of(events):
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_calls_words_and_days(model):
    both = await ask(model, "What's the weather in Oslo? And set a timer for a quarter of an hour.", tools=TOOLS)
    assert calls(both) == [("get_weather", {"city": "Oslo"}), ("set_timer", {"minutes": 15})]
    assert both[-1].reason == "tool-calls"
    # What stands before the question is read once.
    tomorrow = await ask(model, "Will it rain in Rome tomorrow?", tools=TOOLS)
    assert calls(tomorrow) == [("get_forecast", {"city": "Rome", "date": "2031-04-01"})]
    assert tomorrow[-1].usage.cache_read > tomorrow[-1].usage.input / 2
    thanks = await ask(model, "Thank you, that was quick!", tools=TOOLS)
    assert calls(thanks) == []
    assert text_of(thanks)
    required = await ask(model, "Lima", tools=TOOLS, tool_choice="required")
    assert len(calls(required)) == 1


async def test_without_tools_it_is_the_model_that_it_was(model):
    events = await ask(model, "What is the capital of France? One word.", options={"max_tokens": 12})
    assert "Paris" in text_of(events)
    assert events[-1].usage.input < 80
