"""What sessions have cost: a user's own, each step once, and a price that is not known is never 0."""

from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec import structs
from resource_play import People, people

from toolpost.server.api.cost import Tally
from toolpost.store.contract import SessionChanges, SessionInfo
from toolpost.testing import text, turn
from toolpost.types.messages import Message, StepFinish, Usage

DAY = 86_400.0
NOW = 1_800_000_000.0
TOKENS = Usage(10, 5)


async def keep(every: People, session: str, owner: str, *steps: tuple[str, float, float | None], **fields: Any) -> None:
    """A session with a step of each model, time and cost."""
    workspace = every.play.workspace
    info = SessionInfo(session, folder=str(workspace.project), owner=owner, created=NOW - DAY, updated=NOW)
    info = structs.replace(info, **fields)
    await workspace.store.create(info)
    messages = [
        Message(f"msg_{session}_{number}", "assistant", (StepFinish("stop", TOKENS, cost),), None, at, model)
        for number, (model, at, cost) in enumerate(steps)
    ]
    await workspace.store.commit(SessionChanges(session, info, messages))


def costs(told: Any) -> dict[str, Any]:
    return {one["key"]: one["cost"] for one in told["sums"]}


async def test_costs_are_summed_by_model_day_and_session(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW, 1.0), ("p/b", NOW - DAY, 0.5))
        await keep(every, "ses_two", "ann", ("p/a", NOW, 2.0))
        by_model = await every.ann.get("/api/cost", since=1)
        by_day = await every.ann.get("/api/cost", since=1, by="day")
        by_session = await every.ann.get("/api/cost", since=1, by="session")
        await every.ann.get("/api/cost", by="moon", status=400)
    assert costs(by_model) == {"p/a": 3.0, "p/b": 0.5}
    assert costs(by_day) == {"2027-01-15": 3.0, "2027-01-14": 0.5}
    assert costs(by_session) == {"ses_two": 2.0, "ses_one": 1.5}
    assert (by_model["total"]["cost"], by_model["total"]["steps"], by_model["is_whole"]) == (3.5, 3, True)
    assert by_model["total"]["usage"] == {"input": 30, "output": 15}


async def test_only_ones_own_sessions_count(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW, 1.0))
        await keep(every, "ses_two", "bob", ("p/a", NOW, 2.0))
        assert (await every.ann.get("/api/cost", since=1))["total"]["cost"] == 1.0
        assert (await every.bob.get("/api/cost", since=1))["total"]["cost"] == 2.0
        assert (await every.root.get("/api/cost", since=1))["sums"] == []
        await every.bob.get("/api/sessions/ses_one/cost", status=404)
        await every.root.get("/api/sessions/ses_one/cost", status=404)


async def test_a_price_that_is_not_known_is_null(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW, 1.0), ("p/b", NOW, None), ("p/a", NOW, None))
        told = await every.ann.get("/api/cost", since=1)
    known = {one["key"]: (one["cost"], one["known_cost"], one["unpriced_steps"]) for one in told["sums"]}
    assert known == {"p/a": (None, 1.0, 1), "p/b": (None, None, 1)}
    assert (told["total"]["cost"], told["total"]["known_cost"]) == (None, 1.0)


async def test_what_is_older_is_left_out(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW, 1.0), ("p/a", NOW - DAY, 2.0))
        told = await every.ann.get("/api/cost", since=NOW - 1)
        for wrong in ("soon", "nan", "inf", -1):
            await every.ann.get("/api/cost", since=wrong, status=400)
    assert told["total"]["cost"] == 1.0


async def test_what_a_fork_was_given_is_paid_once(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW - 10, 1.0))
        copied = {"forked_from": "ses_one", "created": NOW - 5}
        await keep(every, "ses_two", "ann", ("p/a", NOW - 10, 1.0), ("p/a", NOW, 2.0), **copied)
        told = await every.ann.get("/api/cost", since=1)
        fork = await every.ann.get("/api/sessions/ses_two/cost")
    assert told["total"]["cost"] == 3.0
    assert [step["cost"] for step in fork["steps"]] == [2.0]


async def test_what_a_sub_agent_took_counts_for_the_session_that_sent_it(folder: Path) -> None:
    async with people(folder) as every:
        await keep(every, "ses_one", "ann", ("p/a", NOW, 1.0))
        await keep(every, "ses_two", "ann", ("p/a", NOW, 2.0), parent="ses_one")
        await keep(every, "ses_three", "ann", ("p/a", NOW, 4.0), parent="ses_two")
        told = await every.ann.get("/api/cost", since=1, by="session")
    assert costs(told) == {"ses_one": 7.0}


async def test_a_real_run_is_told_step_by_step(folder: Path) -> None:
    async with people(folder, turn(text("done"), usage=Usage(20, 3))) as every:
        session = await every.ann.done()
        told = await every.ann.get(f"/api/sessions/{session}/cost")
        summed = await every.ann.get("/api/cost")
    assert [(step["model"], step["usage"], step["cost"]) for step in told["steps"]] == [
        ("up/m", {"input": 20, "output": 3}, None)
    ]
    assert (told["usage"], told["cost"], told["is_whole"]) == ({"input": 20, "output": 3}, None, True)
    assert (summed["sums"][0]["key"], summed["total"]["cost"]) == ("up/m", None)


@given(st.lists(st.one_of(st.none(), st.floats(0, 1_000)), max_size=20))
def test_a_sum_is_known_exactly_where_all_of_its_prices_are(prices: list[float | None]) -> None:
    tally = Tally("x")
    for cost in prices:
        tally.add(StepFinish("stop", TOKENS, cost))
    told, known = tally.shown(), [cost for cost in prices if cost is not None]
    assert (told.cost is None) == (None in prices)
    assert told.known_cost == (sum(known) if known or not prices else None)
    assert (told.steps, told.unpriced_steps) == (len(prices), prices.count(None))
