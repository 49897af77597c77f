"""The cancel signal of calls, and tools that block the event loop."""

import asyncio
import logging
import threading
import time

import pytest

from toolpost import Agent, Limits, Tool, ToolContext, tool
from toolpost.testing import ScriptedModel, call, calls, text
from toolpost.tools import watchdog
from toolpost.tools.cancel import CancelSignal

PATIENCE = 30.0


def states(session):
    return [part.state for message in session.messages for part in message.calls]


class Told(logging.Handler):
    """What the watchdog says, and an event for it that a thread, or a tool that blocks, can wait for."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.said = threading.Event()

    def emit(self, record: logging.LogRecord) -> None:
        self.texts.append(record.getMessage())
        self.said.set()


@pytest.fixture
def told(monkeypatch):
    monkeypatch.setattr(watchdog, "BLOCKED_SECONDS", 0.05)
    monkeypatch.setattr(watchdog, "LOOK_SECONDS", 0.01)
    handler = Told()
    logging.getLogger("toolpost.tools").addHandler(handler)
    yield handler
    logging.getLogger("toolpost.tools").removeHandler(handler)


async def test_a_thread_is_told_by_the_signal_that_its_call_timed_out():
    reasons, ended = [], threading.Event()

    @tool(timeout=0.05)
    def poll(ctx: ToolContext) -> str:
        """Poll for ever."""
        assert not ctx.cancelled.is_set()
        assert ctx.cancelled.wait(PATIENCE)
        reasons.append(ctx.cancelled.reason)
        ended.set()
        return "late"

    session = Agent(ScriptedModel(call("poll"), text("ok")), [poll]).session()
    await session.run("go")
    assert await asyncio.to_thread(ended.wait, PATIENCE)
    assert (states(session)[0].kind, reasons) == ("timeout", ["timeout"])


@pytest.mark.parametrize("way", ["thread", "coroutine"])
async def test_an_abort_sets_the_signal(way):
    begun, reasons, ended = threading.Event(), [], threading.Event()

    def poll_in_thread(arguments, ctx):
        begun.set()
        ctx.cancelled.wait(PATIENCE)
        reasons.append(ctx.cancelled.reason)
        ended.set()

    async def poll_in_loop(arguments, ctx):
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            await ctx.cancelled
            reasons.append(ctx.cancelled.reason)
            ended.set()

    poll = Tool("poll", "Poll", "Poll.", {"type": "object"}, poll_in_thread if way == "thread" else poll_in_loop)
    session = Agent(ScriptedModel(call("poll")), [poll]).session()
    running = asyncio.create_task(session.run("go"))
    assert await asyncio.to_thread(begun.wait, PATIENCE)
    await session.abort()
    await running
    assert await asyncio.to_thread(ended.wait, PATIENCE)
    assert reasons == ["aborted"]


async def test_a_coroutine_may_wait_for_the_signal_beside_its_work():
    woke = asyncio.Event()
    kept = []

    @tool
    async def start(ctx: ToolContext) -> str:
        """Start something that goes on."""

        async def until_the_end():
            await ctx.cancelled
            woke.set()

        kept.append(asyncio.create_task(until_the_end()))
        return "started"

    @tool
    async def check() -> str:
        """Look whether it goes on."""
        return "stopped" if woke.is_set() else "goes on"

    turns = (call("start"), call("check"), text("ok"))
    session = Agent(ScriptedModel(*turns), [start, check]).session()
    await session.run("go")
    assert states(session)[1].content[0].text == "goes on"
    await asyncio.wait_for(woke.wait(), PATIENCE)


async def test_waiting_for_the_signal_in_the_loop_is_refused_with_what_to_write():
    with pytest.raises(RuntimeError, match=r"use `await ctx\.cancelled`"):
        CancelSignal().wait(1)


def test_a_signal_keeps_its_first_reason_and_that_of_the_one_above():
    above = CancelSignal()
    one, other = CancelSignal(above), CancelSignal(above)
    one.set("timeout")
    one.set("aborted")
    assert (one.reason, other.reason, above.is_set()) == ("timeout", "", False)
    assert not other.wait(0)
    above.set("ended")
    assert (one.reason, other.reason, other.wait(0)) == ("timeout", "ended", True)
    assert (above._wakers, other._wakers) == (None, None)


async def test_a_tool_that_blocks_the_loop_is_named_while_it_blocks_with_the_place(told):
    @tool
    async def sleepy() -> str:
        """Block the loop until somebody says so."""
        assert told.said.wait(PATIENCE)
        return "done"

    session = Agent(ScriptedModel(call("sleepy"), text("ok")), [sleepy]).session()
    await session.run("go")
    assert states(session)[0].content[0].text == "done"
    assert "the tool sleepy has blocked the event loop for" in told.texts[0]
    assert "assert told.said.wait(PATIENCE)" in told.texts[0]
    assert "make it a sync function" in told.texts[1]


async def test_the_timeout_of_a_tool_that_blocks_the_loop_holds_though_it_has_a_result(told):
    reasons = []

    @tool(timeout=0.02)
    async def sleepy(ctx: ToolContext) -> str:
        """Block the loop until the signal comes, which can only come from another thread."""
        until = time.monotonic() + PATIENCE
        while not ctx.cancelled.is_set() and time.monotonic() < until:
            time.sleep(0.001)  # noqa: ASYNC251 - that is the mistake
        reasons.append(ctx.cancelled.reason)
        return "a result that comes too late"

    session = Agent(ScriptedModel(call("sleepy"), text("ok")), [sleepy]).session()
    await session.run("go")
    (state,) = states(session)
    assert (state.kind, reasons) == ("timeout", ["timeout"])
    assert state.message == "sleepy took too long, and its result was dropped after 0.02 s. Try something smaller."
    assert any("its timeout passed meanwhile" in one for one in told.texts)


async def test_a_tool_that_blocks_and_fails_timed_out_as_well(told):
    @tool(timeout=0.02)
    async def sleepy(ctx: ToolContext) -> str:
        """Block, then fail."""
        while not ctx.cancelled.is_set():
            time.sleep(0.001)  # noqa: ASYNC251
        raise ValueError("boom")

    session = Agent(ScriptedModel(call("sleepy"), text("ok")), [sleepy]).session()
    await session.run("go")
    assert states(session)[0].kind == "timeout"


async def test_a_call_beside_one_that_blocks_keeps_its_result(told):
    at_work = asyncio.Event()

    @tool(timeout=0.05)
    async def patient() -> str:
        """Wait a moment, beside another."""
        at_work.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        return "mine"

    @tool
    async def sleepy() -> str:
        """Block the loop far beyond the other's time."""
        await at_work.wait()
        assert told.said.wait(PATIENCE)
        return "done"

    session = Agent(ScriptedModel(calls(call("patient"), call("sleepy")), text("ok")), [patient, sleepy]).session()
    await session.run("go")
    assert [state.status for state in states(session)] == ["completed", "completed"]


async def test_the_time_of_a_run_holds_for_a_tool_that_blocks(told):
    @tool
    async def sleepy(ctx: ToolContext) -> str:
        """Block."""
        while not ctx.cancelled.is_set():
            time.sleep(0.001)  # noqa: ASYNC251
        return "late"

    session = Agent(ScriptedModel(call("sleepy"), text("ok")), [sleepy], limits=Limits(max_seconds=0.1)).session()
    result = await session.run("go")
    assert (states(session)[0].kind, result.limit) == ("timeout", "max_seconds")


async def test_ordinary_calls_share_one_watchdog_and_leave_nothing_with_it():
    @tool
    async def quick(word: str) -> str:
        """Answer."""
        await asyncio.sleep(0)
        return word

    turns = [calls(*(call("quick", {"word": f"{step}{n}"}) for n in range(5))) for step in range(4)]
    session = Agent(ScriptedModel(*turns, text("ok")), [quick]).session()
    await session.run("go")
    assert len(states(session)) == 20
    assert [thread.name for thread in threading.enumerate()].count("toolpost-watchdog") == 1
    assert watchdog._watchdog._watches == {}


async def test_the_watchdog_sleeps_without_calls_and_wakes_for_the_next(told, monkeypatch):
    monkeypatch.setattr(watchdog, "IDLE_LOOKS", 2)

    @tool
    async def sleepy() -> str:
        """Block the loop until somebody says so."""
        assert told.said.wait(PATIENCE)
        return "done"

    async with asyncio.timeout(PATIENCE):
        while watchdog._watchdog._awake:  # noqa: ASYNC110 - a thread sleeps without saying so
            await asyncio.sleep(0.01)
    session = Agent(ScriptedModel(call("sleepy"), text("ok")), [sleepy]).session()
    await session.run("go")
    assert "sleepy" in told.texts[0]
