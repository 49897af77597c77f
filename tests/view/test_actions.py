"""What can be done with an item, now."""

import asyncio

from view_play import Watched

from toolpost import Agent, ModelError, tool
from toolpost.testing import Gate, ScriptedModel, call, error, pause, text
from toolpost.types.events import PermissionAsked
from toolpost.types.messages import ErrorInfo
from toolpost.view.actions import Action, actions_of, session_actions
from toolpost.view.items import CallItem, NoticeItem, RunEndItem, SentAgent
from toolpost.view.session_facts import SessionFacts, WaitingPrompt
from toolpost.view.transcript import TranscriptView

IDLE, BUSY = SessionFacts(), SessionFacts(state="busy")


def kinds(item, facts=IDLE, *, is_last=False):
    return [action.kind for action in actions_of(item, facts, is_last=is_last)]


@tool
async def work(n: int) -> str:
    """Work."""
    return f"did {n}"


async def test_while_it_works_a_session_can_be_stopped_and_a_prompt_not_be_edited():
    gate = Gate()
    with ScriptedModel(call("work", {"n": 1}) + pause(gate), text("ok")) as model:
        session = Agent(model, [work]).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        facts = watched.view.facts
        assert session_actions(facts) == (Action("stop"),)
        assert kinds(watched.of("prompt")[0], facts, is_last=True) == ["copy", "fork_here"]
        assert "stop" in kinds(watched.of("call")[0], facts)
        gate.open()
        await running
    facts = watched.view.facts
    assert session_actions(facts) == ()
    assert kinds(watched.of("prompt")[0], facts, is_last=True) == ["copy", "fork_here", "edit_prompt", "undo_prompt"]
    assert kinds(watched.of("call")[0], facts) == ["expand", "copy"]
    assert kinds(watched.of("text")[0], facts) == ["copy", "fork_here"]


async def test_a_failed_run_can_be_tried_again_and_one_that_is_too_long_be_shortened():
    with ScriptedModel(error("auth")) as model:
        session = Agent(model).session()
        watched = Watched(session)
        try:
            await session.run("go")
        except ModelError:
            (end,) = watched.of("run_end")
    assert kinds(end, watched.view.facts, is_last=True) == ["retry"]
    assert kinds(end, watched.view.facts) == []
    long = RunEndItem(id="e", reason="error", error=ErrorInfo("context_overflow", "too long"))
    assert kinds(long, is_last=True) == ["compact", "retry"]


def test_an_approval_without_a_rule_to_save_cannot_be_given_for_always():
    view = TranscriptView()
    view.feed(PermissionAsked(1, "s", 0.0, "ask_1", "bash", ("x",), ("x",)))
    view.feed(PermissionAsked(2, "s", 0.0, "ask_2", "bash", ("a secret",), ()))
    with_rule, without = view.asks
    assert kinds(with_rule) == ["expand", "reply_once", "reply_always", "reject"]
    assert actions_of(without, BUSY)[1:] == (Action("reply_once", "ask_2"), Action("reject", "ask_2"))


def test_a_call_leads_to_what_it_has_made():
    files = [{"path": "a", "kind": "changed"}, {"path": "b", "kind": "deleted"}]
    item = CallItem(
        id="m/c",
        message_id="m",
        call_id="c",
        name="x",
        phase="done",
        details={"files": files, "job": "job_1"},
        sub_agent=SentAgent("ses_2", "helper"),
    )
    assert actions_of(item, IDLE)[2:] == (
        Action("enter_sub_agent", "ses_2"),
        Action("open_job", "job_1"),
        Action("open_file", "a"),
        Action("undo_files", "m"),
    )
    assert "undo_files" not in kinds(item, BUSY)


def test_a_run_that_nobody_drives_can_go_on_or_be_stopped():
    assert session_actions(SessionFacts(state="interrupted")) == (Action("resume"), Action("stop"))
    assert kinds(NoticeItem(id="n", code="parked", text="…")) == ["resume", "stop"]


def test_a_prompt_that_waits_can_be_taken_out_of_the_queue():
    facts = SessionFacts(state="busy", queue=(WaitingPrompt("p1", "and then?"),))
    assert session_actions(facts) == (Action("stop"), Action("unqueue", "p1"))


async def test_a_prompt_that_waited_leaves_the_queue_when_it_is_said():
    gate = Gate()
    with ScriptedModel(text("one") + pause(gate), text("two")) as model:
        session = Agent(model).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session.queue("and then?")
        watched.view.know(queue=tuple(WaitingPrompt(one.id, one.text, one.steer) for one in session.info.inbox))
        assert [one.text for one in watched.view.facts.queue] == ["and then?"]
        gate.open()
        await running
    assert watched.view.facts.queue == ()
    assert [item.text for item in watched.of("prompt")] == ["go", "and then?"]
