"""Every way to stop a run: bounded in time, nothing left behind, the session goes on afterwards."""

import asyncio
import time
from pathlib import Path

import pytest

import toolpost
from toolpost import Agent, OpenAIChat, PermissionDenied, SessionBusy, ToolContext, tool
from toolpost.testing import Gate, ScriptedModel, Upstream, call, pause, text
from toolpost.tools.process import run_process

OURS = str(Path(toolpost.__file__).parent)


def our_tasks():
    """Tasks that run our code; a generator that is being closed has no code of its own to look at."""
    return {
        task
        for task in asyncio.all_tasks()
        if OURS in getattr(getattr(task.get_coro(), "cr_code", None), "co_filename", OURS)
        and "stubborn" not in task.get_name()
    }


@pytest.fixture(autouse=True)
async def no_task_is_left_behind():
    yield
    left = our_tasks()
    if left:
        await asyncio.wait(left, timeout=1)
    assert {task for task in left if not task.done()} == set()


async def started(session, kind):
    """Run in the background until the first event of a kind."""
    seen = asyncio.Event()
    session.subscribe(lambda event: seen.set() if event.type == kind else None)
    running = asyncio.create_task(session.run("go"))
    await asyncio.wait_for(seen.wait(), 5)
    return running


@tool
async def hang() -> str:
    """Never ends by itself."""
    await asyncio.Event().wait()
    return ""


async def test_abort_stops_a_running_tool_and_says_so():
    with ScriptedModel(call("hang", {}), text("On we go.")) as model:
        session = Agent(model, [hang]).session()
        running = await started(session, "tool_execution_start")
        await session.abort()
        result = await running
        assert result.reason == "aborted"
        assert session.messages[-1].calls[0].state.kind == "aborted"
        assert session.status.state == "idle"
        assert (await session.run("go on")).text == "On we go."


async def test_abort_takes_less_than_a_second_whatever_the_tool_does():
    release = asyncio.Event()

    @tool
    async def stubborn() -> str:
        """Ignores its cancellation."""
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        return ""

    with ScriptedModel(call("stubborn", {})) as model:
        session = Agent(model, [stubborn]).session()
        running = await started(session, "tool_execution_start")
        begin = time.monotonic()
        await session.abort()
        assert time.monotonic() - begin < 1
        assert (await running).reason == "aborted"
    release.set()


async def test_abort_ends_a_blocking_sync_tool_s_call_at_once():
    import threading

    release = threading.Event()

    @tool
    def block() -> str:
        """Blocks its thread."""
        release.wait(30)
        return ""

    with ScriptedModel(call("block", {})) as model:
        session = Agent(model, [block]).session()
        running = await started(session, "tool_execution_start")
        begin = time.monotonic()
        await session.abort()
        assert time.monotonic() - begin < 1
        assert (await running).reason == "aborted"
    release.set()


async def test_abort_leaves_no_process_of_a_tool_alive(tmp_path):
    pids = tmp_path / "pids"

    @tool
    async def spawn(ctx: ToolContext) -> str:
        """Start children that try to get away."""
        script = f"""
            trap '' TERM
            setsid sleep 300 & echo $! >> {pids}
            (setsid nohup sleep 300 >/dev/null 2>&1 & echo $! >> {pids})
            echo $$ >> {pids}
            echo ready
            while :; do sleep 300; done
        """
        await run_process(script, ctx)
        return ""

    with ScriptedModel(call("spawn", {})) as model:
        session = Agent(model, [spawn], folder=tmp_path).session()
        running = await started(session, "tool_execution_update")
        begin = time.monotonic()
        await session.abort()
        assert time.monotonic() - begin < 1
        await running
    for pid in pids.read_text().split():
        await gone(int(pid))


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


async def gone(pid):
    async with asyncio.timeout(2):
        while alive(pid):  # noqa: ASYNC110 - nothing else tells that a process is gone
            await asyncio.sleep(0.01)


async def test_a_background_child_does_not_hold_up_its_command(tmp_path):
    @tool
    async def spawn(ctx: ToolContext) -> str:
        """Leave a child in the background."""
        done = await run_process("sleep 300 & echo started", ctx)
        return f"{done.code} {done.output.content[0].text}"

    with ScriptedModel(call("spawn", {}), text("ok")) as model:
        session = Agent(model, [spawn], folder=tmp_path).session()
        await asyncio.wait_for(session.run("go"), 10)
    assert session.messages[1].calls[0].state.content[0].text.startswith("0 started")


@pytest.fixture
async def held():
    """A real upstream that has sent a little text and then waits."""
    async with Upstream(text("Hello ") + pause(Gate())) as upstream:
        yield upstream


async def first_text(session):
    seen = asyncio.Event()
    session.subscribe(lambda event: seen.set() if event.type == "message_update" else None)
    await asyncio.wait_for(seen.wait(), 5)


async def test_abort_closes_the_upstream_connection_and_keeps_the_partial_text(held):
    session = Agent(OpenAIChat("m", base_url=held.base_url)).session()
    running = await started(session, "message_update")
    await session.abort()
    await held.closed(1, timeout=1)
    assert (await running).text == "Hello "


async def test_leaving_the_stream_early_closes_the_upstream_connection(held):
    session = Agent(OpenAIChat("m", base_url=held.base_url)).session()
    async for event in session.stream("go"):
        if event.type == "message_update":
            break
    await held.closed(1, timeout=1)
    assert session.messages[-1].text == "Hello "


async def test_cancelling_the_task_closes_the_upstream_connection(held):
    session = Agent(OpenAIChat("m", base_url=held.base_url)).session()
    running = await started(session, "message_update")
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    await held.closed(1, timeout=1)
    assert session.status.state == "idle"


async def test_a_time_limit_around_the_run_is_a_timeout_error(held):
    session = Agent(OpenAIChat("m", base_url=held.base_url)).session()
    now = asyncio.get_running_loop().time
    limit = asyncio.timeout(None)
    # Over as soon as there is something to leave.
    session.subscribe(lambda event: limit.reschedule(now()) if event.type == "message_update" else None)
    with pytest.raises(TimeoutError):
        async with limit:
            await session.run("go")
    await held.closed(1, timeout=5)


async def test_a_second_run_beside_the_first_is_refused_and_the_first_goes_on():
    with ScriptedModel(call("hang", {})) as model:
        session = Agent(model, [hang]).session()
        running = await started(session, "tool_execution_start")
        with pytest.raises(SessionBusy, match="abort"):
            await session.run("me too")
        assert not running.done()
        await session.abort()
        await running


async def test_aborting_an_idle_session_does_nothing():
    with ScriptedModel(text("ok")) as model:
        session = Agent(model).session()
        await session.abort()
        assert (await session.run("go")).reason == "done"


async def test_a_run_cancelled_before_its_first_step_leaves_the_session_usable():
    for steps_of_the_loop in range(6):
        session = await Agent(ScriptedModel(text("ok"), text("ok"))).session()
        running = asyncio.create_task(session.run("go"))
        for _ in range(steps_of_the_loop):
            await asyncio.sleep(0)
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        assert session.status.state == "idle"
        assert (await session.run("again")).reason == "done"


async def test_abort_waits_for_a_tool_that_cleans_up_within_its_grace():
    cleaned = []

    @tool
    async def careful() -> str:
        """Cleans up when it is stopped."""
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)
            cleaned.append(True)
        return ""

    session = Agent(ScriptedModel(call("careful", {})), [careful]).session()
    running = await started(session, "tool_execution_start")
    session.abort()
    await session.abort()
    assert cleaned == [True]
    assert (await running).reason == "aborted"


async def test_a_tool_left_behind_says_and_asks_nothing_after_its_call_has_ended():
    """`settled` is the last event, whatever a tool that ignored its cancellation does later."""
    release, refused = asyncio.Event(), asyncio.Event()

    @tool
    async def stubborn(ctx: ToolContext) -> str:
        """Ignores its cancellation."""
        while not release.is_set():
            try:
                await release.wait()
            except asyncio.CancelledError:
                continue
        ctx.update("too late")
        try:
            await ctx.ask("anything")
        except PermissionDenied:
            refused.set()
        return ""

    session = Agent(ScriptedModel(call("stubborn", {})), [stubborn], interactive=True).session()
    seen = []
    session.subscribe(lambda event: seen.append(event.type))
    running = await started(session, "tool_execution_start")
    await session.abort()
    await running
    release.set()
    await asyncio.wait_for(refused.wait(), 5)
    assert seen[-1] == "settled"
    assert session.status.state == "idle"


async def test_whoever_hears_settled_may_start_the_next_run_at_once():
    session = Agent(ScriptedModel(text("one"), text("two"))).session()
    following = []

    def go_on(event):
        if event.type == "settled" and not following:
            following.append(asyncio.create_task(session.run("again")))

    session.subscribe(go_on)
    assert (await session.run("go")).text == "one"
    assert (await following[0]).text == "two"
    assert session.status.state == "idle"
