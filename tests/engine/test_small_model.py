"""The small model: titles and summaries are its work, and what it can't do the session's own model does."""

import pytest

from toolpost import Limits
from toolpost.engine.session import Session
from toolpost.engine.session_setup import Setup
from toolpost.store.memory import MemoryStore
from toolpost.testing import Gate, ScriptedModel, error, pause, text, turn
from toolpost.tools.registry import Registry
from toolpost.types.messages import Usage

WINDOW = 4_000


def session_with(model, small, **fields):
    setup = Setup(model, Registry(), small=lambda: (small, {"max_tokens": 200}), **fields)
    return Session(setup, MemoryStore())


async def test_a_small_model_writes_the_title_with_its_own_options():
    with ScriptedModel(text("12 °C."), text("On.")) as model, ScriptedModel(text('"Weather in Tokyo"\n')) as small:
        session = session_with(model, small, options={"temperature": 1})
        await session.run("What is the weather in Tokyo, and what was it yesterday?")
        await session.run("And tomorrow?")
    assert session.info.title == "Weather in Tokyo"
    (request,) = small.requests
    assert request.options == {"max_tokens": 200}
    assert "What is the weather in Tokyo" in request.messages[0].text


async def test_what_a_title_takes_counts():
    with ScriptedModel(text("ok")) as model, ScriptedModel(turn(text("T"), usage=Usage(30, 4))) as small:
        session = session_with(model, small)
        result = await session.run("go")
    assert (result.usage.total, session.usage.total) == (34, 34)


@pytest.mark.parametrize("answer", [error("overloaded"), text("   \n")])
async def test_without_an_answer_the_title_is_the_beginning_of_the_prompt(answer):
    with ScriptedModel(text("ok")) as model, ScriptedModel(answer) as small:
        session = session_with(model, small)
        assert (await session.run("Hello there\nsecond line")).reason == "done"
    assert session.info.title == "Hello there"


async def test_a_name_that_a_person_gives_meanwhile_stays():
    gate = Gate()
    small = ScriptedModel(turn(pause(gate), text("Weather")))

    async def answer(request):
        await gate.reached.wait()
        await session.rename("My talk")
        gate.open()
        return text("ok")

    session = session_with(ScriptedModel(answer), small)
    await session.run("Hello")
    assert session.info.title == "My talk"


async def test_a_title_that_never_comes_does_not_hold_the_run_up():
    small = ScriptedModel(turn(pause(Gate()), text("never")))
    session = session_with(ScriptedModel(text("ok")), small, limits=Limits(title_seconds=0.01))
    assert (await session.run("Hello")).reason == "done"
    assert session.info.title == "Hello"


async def test_who_stops_a_run_does_not_wait_for_its_title():
    speaking, titling = Gate(), Gate()
    small = ScriptedModel(turn(pause(titling), text("never")))
    session = session_with(ScriptedModel(turn(pause(speaking), text("ok"))), small, limits=Limits(title_seconds=3_600))
    await session.begin("Hello")
    await speaking.reached.wait()
    await titling.reached.wait()
    await session.abort()
    assert session.status.state == "idle"


def long_turns():
    return turn(text("x" * 8_000), usage=Usage(1_000, 50)), turn(text("y" * 8_000), usage=Usage(3_900, 50))


async def test_a_small_model_writes_summaries():
    with (
        ScriptedModel(*long_turns(), text("ok")) as model,
        ScriptedModel(text("SUMMARY"), context_window=99_000) as small,
    ):
        session = session_with(model, small)
        await session.rename("named")
        for prompt in ("one", "two"):
            await session.run(prompt)
        assert await session.compact()
        await session.run("three")
    assert "SUMMARY" in model.requests[-1].messages[0].text
    assert "<conversation>" in small.requests[0].messages[0].text


@pytest.mark.parametrize("small", [ScriptedModel(error("overloaded")), ScriptedModel(context_window=1_000)])
async def test_what_a_small_model_can_not_summarise_the_sessions_own_does(small):
    with ScriptedModel(*long_turns(), text("SUMMARY")) as model, small:
        session = session_with(model, small)
        await session.rename("named")
        for prompt in ("one", "two"):
            await session.run(prompt)
        assert await session.compact()
    assert "<conversation>" in model.requests[-1].messages[0].text


async def test_a_small_model_without_a_price_is_not_used_where_money_is_limited():
    async def price(provider, model, usage):
        return 0.0 if model == "model" else None

    small = ScriptedModel(name="unpriced")
    with ScriptedModel(text("ok")) as model, small:
        session = session_with(model, small, price=price, limits=Limits(max_cost=1.0))
        assert (await session.run("Hello")).reason == "done"
    assert small.requests == []
    assert session.info.title == "Hello"
