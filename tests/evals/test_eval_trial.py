"""One case put to one model: what is asked, and what is scored for it."""

import pytest
from eval_sets import OSLO, POEM, TWO, WHERE, write_set

from toolpost.engine.limits import Limits
from toolpost.evals.cases import load_set
from toolpost.evals.results import JudgedCall
from toolpost.evals.scoring import positions
from toolpost.evals.trial import Subject, try_case
from toolpost.evals.variants import Variant
from toolpost.models.openai_chat.model import OpenAIChat
from toolpost.testing import ScriptedModel, Upstream, call, calls, cut, error, http_error, reasoning, text, turn
from toolpost.types.messages import Usage

RIGHT = call("get_weather", {"city": "Oslo"})
SAID = text("18 degrees, and rain.")


@pytest.fixture
def put(tmp_path):
    async def put(case, *turns, **options):
        (read,) = load_set(write_set(tmp_path / "one.jsonl", case)).cases
        with ScriptedModel(*turns) as model:
            subject = Subject(Variant("scripted/model"), model, limits=Limits(retry_delay=0.001), **options)
            return await try_case(subject, read), model.requests

    return put


@pytest.mark.parametrize(
    ("case", "turns", "scores"),
    [
        (OSLO, [RIGHT, SAID], "passed tool arguments well_formed answered"),
        (OSLO, [RIGHT, text("18 degrees, and sun.")], "tool arguments well_formed -answered"),
        (OSLO, [call("getWeather", '{"city": "oslo, norway", "unit": "Celsius"}'), SAID], "passed answered"),
        (OSLO, [call("get_weather", {"city": "Bergen"})], "tool -arguments well_formed"),
        (OSLO, [call("get_weather", {"city": "Oslo", "days": 2})], "tool -arguments well_formed"),
        (OSLO, [RIGHT + RIGHT], "-tool -arguments well_formed"),
        (OSLO, [call("add", {"numbers": [1]})], "-tool -arguments well_formed"),
        (OSLO, [call("get_weather", {"town": "Oslo"})], "tool -arguments -well_formed"),
        (OSLO, [call("get_weather", '{"city": ')], "tool -arguments -well_formed"),
        (OSLO, [call("fly", {"city": "Oslo"})], "-tool -arguments -well_formed"),
        (OSLO, [turn(RIGHT, finish="length")], "tool -arguments -well_formed"),
        (OSLO, [text("It is sunny.")], "-tool -arguments"),
        (POEM, [text("Roses are red.")], "passed no_call"),
        (POEM, [RIGHT], "-no_call well_formed"),
        (WHERE, [text("In which city?")], "passed asked"),
        (WHERE, [text("It is sunny.")], "-asked"),
        (WHERE, [text("In which city?") + RIGHT], "-asked well_formed"),
        ({**WHERE, "asks_for": []}, [text("哪里？")], "passed asked"),
        ({**WHERE, "asks_for": []}, [text("No.")], "-asked"),
    ],
)
async def test_scores(put, case, turns, scores):
    outcome, _ = await put(case, *turns)
    for score in scores.split():
        assert outcome.scores[score.removeprefix("-")] is not score.startswith("-"), score
    assert outcome.scores["passed"] == ("passed" in scores.split())
    if "answered" not in scores:
        assert "answered" not in outcome.scores


async def test_one_turn_is_asked_and_then_one_with_the_results(put):
    outcome, (first, second) = await put(
        {**OSLO, "today": "2026-03-01"},
        turn(reasoning("Hm.") + RIGHT, usage=Usage(10, 5)),
        turn(SAID, usage=Usage(20, 7)),
    )
    assert [message.text for message in first.messages] == ["How is the weather in Oslo?"]
    assert first.system[0].endswith("Today is Sunday, 2026-03-01.")
    assert [tool.name for tool in first.tools] == ["get_weather", "add"]
    assert first.options == {"temperature": 0}
    assert second.messages[1].parts[0].text == "Hm."
    (done,) = second.messages[1].calls
    assert (done.state.status, done.state.content[0].text) == ("completed", "18 °C, rain")
    assert done.state.arguments == {"city": "Oslo", "unit": "celsius"}
    assert outcome.usage == Usage(30, 12)
    assert (outcome.answer, outcome.calls) == (
        "18 degrees, and rain.",
        (JudgedCall("get_weather", done.state.arguments),),
    )
    assert 0 < outcome.first <= outcome.took < outcome.seconds


async def test_every_call_gets_the_result_that_belongs_to_it(put):
    paris, tokyo = call("get_weather", {"city": "Paris"}), call("get_weather", {"city": "东京"})
    outcome, requests = await put(TWO, calls(paris, tokyo), text("东京20度，巴黎15度。"))
    results = [part.state.content[0].text for part in requests[1].messages[1].calls]
    assert results == ["巴黎：15 度", "东京：20 度"]
    assert outcome.scores["passed"]


async def test_a_second_call_in_place_of_an_answer_is_told(put):
    outcome, _ = await put(OSLO, RIGHT, RIGHT)
    assert not outcome.scores["answered"]
    assert [again.name for again in outcome.calls_again] == ["get_weather"]


async def test_a_passing_failure_is_tried_again_as_the_engine_does(put):
    outcome, requests = await put(OSLO, error("overloaded"), text("18") + error("server"), RIGHT, error("server"), SAID)
    assert outcome.scores["passed"]
    assert len(requests) == 5


async def test_a_lasting_failure_is_an_error_and_not_a_wrong_answer(put):
    outcome, _ = await put(OSLO, error("auth", "no such key"))
    assert (outcome.scores, outcome.error.code) == ({}, "auth")
    outcome, _ = await put(OSLO, RIGHT, error("auth", "no such key"))
    assert outcome.error.code == "auth"
    assert outcome.scores == {"tool": True, "arguments": True, "well_formed": True}


async def test_a_model_that_refuses_the_temperature_is_asked_without_it(put):
    refused = error("bad_request", "Unsupported value: 'temperature' does not support 0")
    outcome, requests = await put(POEM, refused, text("Roses."), options={"top_p": 1})
    assert outcome.scores["passed"]
    assert [request.options for request in requests] == [{"temperature": 0, "top_p": 1}, {"top_p": 1}]


async def test_a_bug_of_an_adapter_does_not_end_the_evaluation(put, caplog):
    def broken(request):
        raise RuntimeError("oops")

    outcome, _ = await put(OSLO, broken)
    assert (outcome.error.code, outcome.error.message) == ("protocol", "RuntimeError: oops")
    assert "the adapter of scripted/model failed" in caplog.text


async def test_over_a_real_wire_the_same_is_scored(tmp_path):
    (case,) = load_set(write_set(tmp_path / "one.jsonl", OSLO)).cases
    turns = [http_error(503), text("Let me") + cut(), RIGHT, SAID]
    async with Upstream(*turns) as upstream:
        model = OpenAIChat("m", base_url=upstream.base_url)
        outcome = await try_case(Subject(Variant("openai/m"), model, limits=Limits(retry_delay=0.001)), case)
    assert outcome.scores["passed"]
    sent = upstream.requests[-1].body["messages"]
    assert [message["role"] for message in sent] == ["system", "user", "assistant", "tool"]
    assert sent[-1]["content"] == "18 °C, rain"


def test_the_calls_that_the_set_of_ours_expects_are_judged_right():
    for case in load_set().cases:
        for alternative in case.expected.calls:
            made = [
                JudgedCall(wanted.name, {name: values[0] for name, values in wanted.arguments.items()})
                for wanted in alternative
            ]
            assert positions(case, made) is not None, case.id
