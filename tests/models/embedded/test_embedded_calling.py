"""What is made of the model's calls before they are given: another tool, a forgotten call, a question back.

The model is scripted here, since what it forgets is not for a test to say; everything around it is real.
"""

import math

import pytest

from toolpost.models.contract import ModelRequest
from toolpost.models.embedded import turn
from toolpost.models.embedded.decoder import Decoder, Token, Written
from toolpost.types.messages import Message, TextPart, Usage
from toolpost.types.stream import TextDelta, ToolCall
from toolpost.types.tools import ToolSpec

STRING, NUMBER = {"type": "string"}, {"type": "number"}
DAY = {"type": "string", "description": "YYYY-MM-DD"}


def spec(name, *required, **properties):
    return ToolSpec(name, "", {"type": "object", "properties": properties, "required": list(required)})


NOW = spec("weather_now", "place", place=STRING)
FORECAST = spec("weather_forecast", "place", "date", place=STRING, date=DAY)
PAY = spec("pay", "to", "amount", to=STRING, amount=NUMBER)
RUN = spec("log_run", "distance_km", "duration_min", distance_km=NUMBER, duration_min=NUMBER)
RUNS = spec("list_runs", month=STRING)


def call(name: str, arguments: str) -> str:
    return f'<tool_call>\n{{"name": "{name}", "arguments": {arguments}}}\n</tool_call>'


def written(text: str, *, sure: float = 1.0, goes_on: float = 0.0) -> Written:
    chosen, found, rest = text.partition('"arguments"')
    last = {b"\n": math.log(goes_on)} if goes_on else {}
    tokens = [Token(chosen.encode(), math.log(sure)), Token((found + rest).encode(), 0.0), Token(b"", 0.0, last)]
    return Written(text, "stop", tokens)


class Scripted(Decoder):
    """Writes one thing after the other; `asked` has what it was bound to each time."""

    def __init__(self, *texts: Written) -> None:
        self.usage = Usage()
        self._texts = list(texts)
        self.asked: list[str] = []

    def write(self, prompt, *, options, on_text=None, adapted=True):
        self.asked.append(options["extra"]["grammar"])
        one = self._texts.pop(0)
        if on_text is not None:
            on_text(one.text)
        return one


def answered(question, tools, *texts, **options):
    decoder, events = Scripted(*texts), []
    messages = [Message("msg_1", "user", (TextPart(question),))]
    request = ModelRequest(messages, system=("Today is Monday, 2026-11-16.",), tools=tools, **options)
    turn.take_turn(decoder, request, {}, events.append)
    calls = [(event.name, event.arguments) for event in events if isinstance(event, ToolCall)]
    return calls, "".join(event.text for event in events if isinstance(event, TextDelta)), decoder


LYON = call("weather_now", '{"place": "Lyon"}')
SUNDAY = call("weather_forecast", '{"place": "Lyon", "date": "2026-11-22"}')


def test_the_tool_is_taken_that_has_a_place_for_what_was_said():
    question = "Will I need a coat in Lyon on Sunday?"
    calls, _, decoder = answered(question, [NOW, FORECAST], written(LYON, sure=0.9), written(SUNDAY, sure=0.1))
    assert calls == [("weather_forecast", {"place": "Lyon", "date": "2026-11-22"})]
    assert "weather_now" not in decoder.asked[1]


def test_a_tool_that_the_model_finds_most_unlikely_is_not_taken():
    question = "Will I need a coat in Lyon on Sunday?"
    calls, _, _ = answered(question, [NOW, FORECAST], written(LYON), written(SUNDAY, sure=0.0001))
    assert calls == [("weather_now", {"place": "Lyon"})]


def test_where_nothing_was_left_out_the_model_is_asked_once():
    calls, _, decoder = answered("How is the weather in Lyon?", [NOW, FORECAST], written(LYON))
    assert calls == [("weather_now", {"place": "Lyon"})]
    assert len(decoder.asked) == 1


MIA, TOM = call("pay", '{"to": "Mia", "amount": 25}'), call("pay", '{"to": "Tom", "amount": 40}')


def test_a_call_that_was_forgotten_is_made_too():
    question = "Send 25 euros to Mia. After that 40 are for Tom."
    calls, _, _ = answered(question, [PAY], written(MIA, goes_on=0.01), written(TOM))
    assert calls == [("pay", {"to": "Mia", "amount": 25}), ("pay", {"to": "Tom", "amount": 40})]


@pytest.mark.parametrize(
    "again",
    [MIA, call("pay", '{"to": "Mia", "amount": 99}'), call("pay", '{"to": "Tom", "amount": 25}')],
    ids=["the same", "made up", "without what was left"],
)
def test_a_further_call_has_to_serve_what_was_not_served(again):
    question = "Send 25 euros to Mia. After that 40 are for Tom."
    calls, _, _ = answered(question, [PAY], written(MIA, goes_on=0.01), written(again))
    assert [given["to"] for _, given in calls] == ["Mia"]


def test_the_model_has_to_find_a_further_call_likely_at_all():
    calls, _, decoder = answered("Send 25 euros to Mia. After that 40 are for Tom.", [PAY], written(MIA))
    assert len(calls) == 1
    assert len(decoder.asked) == 1


RAN = call("log_run", '{"distance_km": 12, "duration_min": 2026}')


def test_what_is_needed_and_was_not_said_is_asked_for():
    calls, text, _ = answered("Did a 12 km run, save it", [RUN], written(RAN))
    assert calls == []
    assert text == "What is the duration?"
    calls, text, _ = answered("跑了12公里，记一下", [RUN], written(RAN))
    assert (calls, text) == ([], "请问duration是多少？")


def test_rather_than_ask_another_tool_is_taken_that_needs_no_more():
    listed = call("list_runs", "{}")
    calls, _, _ = answered("What about my runs?", [RUN, RUNS], written(RAN, sure=0.5), written(listed, sure=0.4))
    assert calls == [("list_runs", {})]


def test_where_a_call_is_required_nothing_is_asked_and_nothing_left_out():
    calls, _, _ = answered("Did a 12 km run", [RUN], written(RAN), tool_choice="required")
    assert calls == [("log_run", {"distance_km": 12, "duration_min": 2026})]
