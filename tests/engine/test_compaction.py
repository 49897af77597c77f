"""Long conversations: compaction before the window is full, after an overflow, and recall of what was left out."""

import pytest

from toolpost import Agent, ModelError, SqliteStore, tool
from toolpost.engine import token_estimate
from toolpost.testing import ScriptedModel, call, calls, error, text, turn
from toolpost.types.messages import CompactionPart, Usage

WINDOW = 4_000


@tool
async def look(at: str) -> str:
    """Look at something."""
    return f"saw {at} " + "x" * 2_000


def summary_asked(request):
    return not request.tools and "<conversation>" in request.messages[-1].text


async def test_the_branch_is_summarised_before_the_window_is_full():
    turns = (
        turn(call("look", {"at": "the red door"}), usage=Usage(1_000, 50)),
        turn(call("look", {"at": "the blue door"}), usage=Usage(2_900, 50)),
        text("SUMMARY: a red and a blue door"),
        text("Two doors."),
    )
    with ScriptedModel(*turns, context_window=WINDOW) as model:
        session = Agent(model, [look]).session()
        events = [event async for event in session.stream("What doors are there?")]
    kinds = [event.type for event in events]
    assert kinds.count("compaction_start") == kinds.count("compaction_end") == 1
    assert events[kinds.index("compaction_start")].reason == "threshold"
    assert summary_asked(model.requests[2])
    last = model.requests[3]
    assert "SUMMARY: a red and a blue door" in last.messages[0].text
    assert len(last.messages) < 4
    assert events[-2].text == "Two doors."


async def test_no_call_is_parted_from_its_result():
    steps = iter(range(1, 13))

    def answer(request):
        if summary_asked(request):
            return text("SUMMARY")
        step = next(steps)
        looking = calls(call("look", {"at": f"{step} left"}), call("look", {"at": f"{step} right"}))
        return turn(looking, usage=Usage(900 * step % 4_000, 50)) if step < 12 else text("done")

    model = ScriptedModel(*[answer] * 40, context_window=WINDOW)
    session = Agent(model, [look]).session()
    await session.run("go")
    assert sum(summary_asked(request) for request in model.requests) >= 2
    for request in model.requests:
        for message in request.messages:
            assert len(message.calls) in (0, 2)
            assert all(part.state.status == "completed" for part in message.calls)


async def test_an_overflow_compacts_and_tries_once_more():
    turns = (
        call("look", {"at": "a"}),
        error("context_overflow", "too long"),
        text("SUMMARY: saw a"),
        text("It was a."),
    )
    with ScriptedModel(*turns) as model:
        result = await Agent(model, [look]).run("go")
    assert result.text == "It was a."
    assert "SUMMARY: saw a" in model.requests[3].messages[0].text


async def test_an_overflow_that_stays_is_an_error():
    turns = (call("look", {"at": "a"}), error("context_overflow"), text("SUMMARY"), error("context_overflow", "still"))
    with ScriptedModel(*turns) as model, pytest.raises(ModelError, match="still"):
        await Agent(model, [look]).run("go")


async def test_the_originals_stay_and_the_model_can_recall_them(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    turns = (
        turn(call("look", {"at": "the secret number 4711"}), usage=Usage(3_500, 50)),
        text("SUMMARY: looked at something"),
        call("recall", {"query": "secret number"}),
        text("It was 4711."),
    )
    with ScriptedModel(*turns, context_window=WINDOW) as model:
        session = Agent(model, [look], store=store).session()
        result = await session.run("What was the number?")
    assert result.text == "It was 4711."
    assert "recall" not in [spec.name for spec in model.requests[0].tools]
    assert "recall" in [spec.name for spec in model.requests[2].tools]
    recalled = model.requests[3].messages[-1].calls[0].state.content[0].text
    assert "4711" in recalled
    kept = [message async for message in store.messages(session.id)]
    assert any("4711" in str(message.parts) for message in kept)
    await store.close()


async def test_a_compacted_session_opens_with_its_summary_and_goes_on(tmp_path):
    path = tmp_path / "t.db"
    with ScriptedModel(text("a"), text("b"), text("SUMMARY: one and two")) as model:
        session = Agent(model, store=path).session()
        await session.run("one")
        await session.run("two")
        assert await session.compact()
    with ScriptedModel(text("c")) as model:
        again = Agent(model, store=path).session(session.id)
        await again.run("three")
    assert "SUMMARY: one and two" in model.requests[0].messages[0].text
    assert model.requests[0].messages[-1].text == "three"


async def test_a_second_compaction_takes_in_the_first():
    with ScriptedModel(text("a"), text("SUMMARY 1"), text("b"), text("SUMMARY 2"), text("c")) as model:
        session = Agent(model).session()
        await session.run("one")
        await session.compact()
        await session.run("two")
        await session.compact()
        await session.run("three")
    assert "SUMMARY 1" in model.requests[3].messages[-1].text
    sent = "".join(message.text for message in model.requests[4].messages)
    assert "SUMMARY 2" in sent
    assert "SUMMARY 1" not in sent


async def test_a_failed_summary_leaves_the_branch_as_it_was():
    turns = (turn(call("look", {"at": "a"}), usage=Usage(3_900, 50)), error("auth", "no"), text("done"))
    with ScriptedModel(*turns, context_window=WINDOW) as model:
        session = Agent(model, [look]).session()
        events = [event async for event in session.stream("go")]
    end = next(event for event in events if event.type == "compaction_end")
    assert end.error.code == "auth"
    assert not any(isinstance(part, CompactionPart) for message in session.messages for part in message.parts)
    assert events[-2].text == "done"


async def test_an_empty_session_has_nothing_to_compact():
    assert not await Agent(ScriptedModel()).session().compact()


async def test_a_tool_of_one_s_own_named_recall_stays_the_one_that_is_offered():
    @tool
    async def recall(what: str) -> str:
        """My own memory."""
        return what

    model = ScriptedModel(text("one"), text("two"), text("SUMMARY"), text("three"))
    session = Agent(model, [recall]).session()
    await session.run("a")
    await session.run("b")
    assert await session.compact()
    await session.run("c")
    assert [(spec.name, spec.description) for spec in model.requests[-1].tools] == [("recall", "My own memory.")]


async def test_what_a_summary_costs_counts():
    turns = (text("one"), text("two"), turn(text("SUMMARY"), usage=Usage(500, 50)))
    session = Agent(ScriptedModel(*turns)).session()
    await session.run("a")
    await session.run("b")
    assert await session.compact()
    assert session.usage == Usage(500, 50)


async def test_an_adapter_that_breaks_while_summarising_fails_the_compaction_and_not_the_session():
    session = Agent(ScriptedModel(text("one"), text("two"))).session()
    await session.run("a")
    await session.run("b")
    seen = []
    session.subscribe(lambda event: seen.append(event.type))
    assert await session.compact() is False
    assert seen == ["compaction_start", "compaction_end"]


async def test_a_step_costs_no_more_late_than_early_where_the_server_reports_no_usage(monkeypatch):
    """Each message's tokens are estimated once, not again at every step."""
    counted = []
    estimate = token_estimate.estimate
    monkeypatch.setattr("toolpost.engine.history.estimate", lambda one: counted.append(one) or estimate(one))
    turns = [call("look", {"at": str(n)}) for n in range(40)]
    session = Agent(ScriptedModel(*turns, text("ok"), context_window=10**9), [look]).session()
    await session.run("go")
    assert len(counted) == len(session.messages) == 42
