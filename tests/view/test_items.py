"""Each kind of item, from real runs."""

import asyncio
import contextlib

from view_play import Watched, fed, opened, stored

from toolpost import Agent, Limits, MemoryStore, ModelError, SqliteStore, ToolContext, ToolResult, tool
from toolpost.engine.recovery import close_run
from toolpost.guard.paths import FileAccess
from toolpost.testing import Gate, ScriptedModel, call, calls, error, file, pause, reasoning, text, turn
from toolpost.tools.builtin import batch
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.workbench import Workbench
from toolpost.types.messages import FilePart, Usage

PNG = b"\x89PNG\r\n\x1a\n"


@tool
async def work(n: int, ctx: ToolContext) -> ToolResult:
    """Work."""
    ctx.update(f"step {n}\n")
    return ToolResult([f"did {n}"], {"n": n}, f"number {n}")


async def watched_run(*turns, tools=(work,), prompt="go", files=(), **options):
    with ScriptedModel(*turns) as model:
        session = Agent(model, tools, **options).session()
        watched = Watched(session)
        await session.run(prompt, files=files)
    return session, watched


async def test_a_prompt_has_its_text_and_its_files():
    picture = FilePart("image/png", "aGk=", name="a.png")
    session, watched = await watched_run(text("ok"), prompt="look at this", files=[picture])
    (item,) = watched.of("prompt")
    assert (item.text, item.files, item.is_steered, item.is_finished) == ("look at this", (picture,), False, True)
    assert item.id == session.messages[0].id


async def test_text_grows_while_its_item_stays_the_same():
    gate = Gate()
    with ScriptedModel(text("Hel") + pause(gate) + text("lo")) as model:
        session = Agent(model).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        (item,) = watched.of("text")
        assert (item.text, item.is_finished) == ("Hel", False)
        seen = len(item.source)
        gate.open()
        await running
    assert item.source.after(seen) == "lo" or item.text == "Hel"
    assert "".join(one.text for one in watched.of("text")) == "Hello"


async def test_reasoning_is_over_when_the_model_says_something_else():
    gate = Gate()
    with ScriptedModel(reasoning("hm") + text("So") + pause(gate) + text(".")) as model:
        session = Agent(model).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        (item,) = watched.of("reasoning")
        assert item.seconds is not None
        assert not item.is_finished
        gate.open()
        await running
    (item,) = watched.of("reasoning")
    stored_part = session.messages[1].parts[1]
    assert (item.started, item.ended) == (stored_part.started, stored_part.ended)


async def test_blank_parts_are_no_items():
    _, watched = await watched_run(text("\n\n") + reasoning("  ") + call("work", {"n": 1}), text("ok"))
    assert watched.kinds == ["prompt", "call", "text", "run_end"]


async def test_a_call_shows_its_arguments_while_they_come_and_goes_on_to_its_result():
    gate = Gate()
    phases = []
    with ScriptedModel(call("work", {"n": 1}, chunk=2) + pause(gate), text("ok")) as model:
        session = Agent(model, [work]).session()
        watched = Watched(session)
        session.subscribe(lambda event: phases.extend(item.phase for item in watched.of("call")))
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        (item,) = watched.of("call")
        assert str(item.raw) == '{"n":1}'
        gate.open()
        await running
    (item,) = watched.of("call")
    assert list(dict.fromkeys(phases)) == ["preparing", "ready", "running", "done"]
    assert (item.arguments, item.title, item.details) == ({"n": 1}, "number 1", {"n": 1})
    assert item.output.lines.lines == ["step 1"]
    assert item.content[0].text == "did 1"


async def test_calls_of_one_step_belong_together():
    _, watched = await watched_run(calls(call("work", {"n": 1}), call("work", {"n": 2})), text("ok"))
    one, other = watched.of("call")
    assert one.message_id == other.message_id


async def test_calls_that_code_makes_stand_behind_the_call_that_made_them(tmp_path):
    made = [{"tool": "work", "arguments": {"n": 1}}, {"tool": "work", "arguments": {"n": 2}}]
    turns = (call("batch", {"calls": made}) + call("work", {"n": 3}), text("ok"))
    bench = Workbench(FileAccess(tmp_path), ReadTracker(), ToolLimits())
    session, watched = await watched_run(*turns, tools=(work, batch.make(bench)))
    outer, first, second, beside = watched.of("call")
    assert (outer.name, first.parent, second.parent, beside.parent) == ("batch", outer.id, outer.id, "")
    assert [one.arguments for one in (first, second, beside)] == [{"n": 1}, {"n": 2}, {"n": 3}]
    assert stored(watched.items) == stored(opened(session.messages).items)


async def test_what_a_failed_attempt_said_is_taken_back_and_the_retry_says_when_it_goes_on():
    waiting = asyncio.Event()
    turns = (reasoning("hm") + text("Hel") + call("work", {"n": 1}) + error("server", "oh no"), text("Hello"))
    with ScriptedModel(*turns) as model:
        session = Agent(model, [work], limits=Limits(retry_delay=0.01)).session()
        watched = Watched(session)
        session.subscribe(lambda event: waiting.set() if event.type == "retry" else None)
        running = asyncio.create_task(session.run("go"))
        await waiting.wait()
        _, notice = watched.items
        assert (notice.code, notice.error.message, notice.data["attempt"]) == ("retry", "oh no", 1)
        assert notice.until == watched.view.facts.retry_at > 0
        assert (watched.view.facts.state, notice.is_finished) == ("retrying", False)
        await running
    assert [item.kind for item in watched.all.removed] == []
    taken_back = [item.kind for changes in watched.changes for item in changes.removed]
    assert taken_back == ["reasoning", "text", "call", "notice"]
    assert watched.kinds == ["prompt", "text", "run_end"]
    assert watched.view.facts.state == "idle"


async def test_a_file_of_the_model_is_named_at_once_and_there_when_the_message_is_whole():
    session, watched = await watched_run(text("Here:") + file(PNG))
    (item,) = watched.of("file")
    assert (item.mime, item.file.data) == ("image/png", "iVBORw0KGgo=")
    assert stored(watched.items) == stored(opened(session.messages).items)


async def test_a_prompt_that_came_while_it_worked_is_steered():
    gate = Gate()
    with ScriptedModel(call("work", {"n": 1}) + pause(gate), text("ok")) as model:
        session = Agent(model, [work]).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session.steer("and be quick")
        gate.open()
        await running
    assert [(item.text, item.is_steered) for item in watched.of("prompt")] == [("go", False), ("and be quick", True)]
    assert watched.kinds == ["prompt", "call", "prompt", "text", "run_end"]
    assert stored(watched.items) == stored(opened(session.messages).items)


async def test_a_stopped_run_leaves_no_call_open_and_says_that_it_was_stopped():
    began = asyncio.Event()

    @tool
    async def wait(ctx: ToolContext) -> str:
        """Wait."""
        began.set()
        await asyncio.Event().wait()
        return ""

    with ScriptedModel(call("wait") + call("wait")) as model:
        session = Agent(model, [wait]).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await began.wait()
        await session.abort()
        await running
    assert [item.phase for item in watched.of("call")] == ["stopped", "stopped"]
    (end,) = watched.of("run_end")
    assert (end.reason, end.is_finished) == ("aborted", True)
    assert stored(watched.items) == stored(opened(session.messages).items)


async def test_a_run_that_is_stopped_while_the_model_writes_keeps_what_it_said():
    gate = Gate()
    with ScriptedModel(text("Hel") + call("work", {"n": 1}) + pause(gate)) as model:
        session = Agent(model, [work]).session()
        watched = Watched(session)
        running = asyncio.create_task(session.run("go"))
        await gate.reached.wait()
        await session.abort()
        await running
    assert watched.of("text")[0].text == "Hel"
    assert watched.of("call")[0].phase == "stopped"
    assert all(item.is_finished for item in watched.items)
    assert stored(watched.items) == stored(opened(session.messages).items)


async def test_a_limit_names_itself():
    turns = (call("work", {"n": 1}), text("That is all I know."))
    _, watched = await watched_run(*turns, limits=Limits(max_steps=1))
    (end,) = watched.of("run_end")
    assert (end.reason, end.limit, end.steps) == ("limit", "max_steps", 2)


async def test_the_end_of_a_run_says_what_it_took():
    usage = Usage(100, 10)
    turns = (turn(call("work", {"n": 1}), usage=usage), turn(text("ok"), usage=usage))
    _, watched = await watched_run(*turns)
    (end,) = watched.of("run_end")
    assert (end.usage, end.steps) == (Usage(200, 20), 2)
    assert end.seconds > 0
    assert watched.view.facts.used == 110
    assert watched.view.facts.usage == Usage(200, 20)


async def test_a_failure_says_why_and_keeps_its_code():
    with ScriptedModel(error("auth", "no such key")) as model:
        session = Agent(model).session()
        watched = Watched(session)
        with contextlib.suppress(ModelError):
            await session.run("go")
    (end,) = watched.of("run_end")
    assert (end.reason, end.error.code, end.error.message) == ("error", "auth", "no such key")


async def test_a_conversation_that_is_summarised_says_so_and_keeps_all_that_was_said():
    turns = (text("one " * 200), text("SUMMARY"), text("two"))
    store = MemoryStore()
    with ScriptedModel(*turns) as model:
        session = Agent(model, store=store).session()
        watched = Watched(session)
        await session.run("tell me " * 100)
        assert await session.compact()
        await session.run("go on")
    assert watched.kinds == ["prompt", "text", "run_end", "compaction", "prompt", "text", "run_end"]
    (item,) = watched.of("compaction")
    assert item.tokens > 100
    (passed,) = [item for changes in watched.changes for item in changes.removed]
    assert (passed.code, passed.data["reason"]) == ("compacting", "asked")
    whole = [message async for message in store.messages(session.id)]
    assert stored(watched.items) == stored(opened(whole).items)


async def test_notices_of_a_small_window_stay():
    tools = [tool(name=f"tool_{n}", description="It does " + "a lot of things " * 60)(lambda: "") for n in range(12)]
    with ScriptedModel(
        turn(text("and so o"), usage=Usage(3_000, 1_000), finish="length"), context_window=4_000
    ) as model:
        session = Agent(model, tools).session()
        watched = Watched(session)
        await session.run("go")
    codes = [item.code for item in watched.of("notice")]
    assert codes == ["tools_left_out", "window_full"]
    assert all(item.is_finished for item in watched.of("notice"))
    assert watched.of("run_end")[0].limit == "context_window"


async def test_a_run_whose_process_died_is_closed_with_what_it_had(tmp_path):
    store = SqliteStore(tmp_path / "t.db")
    reached = asyncio.Event()

    @tool
    async def wait() -> str:
        """Wait."""
        reached.set()
        await asyncio.Event().wait()
        return ""

    with ScriptedModel(text("Let me see.") + call("wait") + call("wait")) as model:
        session = Agent(model, [wait], store=store).session()
        running = asyncio.create_task(session.run("go"))
        await reached.wait()
        await session.release()
        await running
    # What a session does that finds the run of a dead process, and may not go on with it.
    await close_run(store, await store.info(session.id))
    with ScriptedModel(text("ok")) as model:
        session = await Agent(model, [wait], store=store).session(session.id)
        await session.run("again")
    kept = [event async for event in store.events(session.id)]
    view = fed(kept)
    assert [item.kind for item in view.items if item.kind != "notice"] == [
        *("prompt", "text", "call", "call", "run_end"),
        *("prompt", "text", "run_end"),
    ]
    assert {item.phase for item in view.items if item.kind == "call"} == {"failed"}
    assert all(item.is_finished for item in view.items)
    assert stored(view.items) == stored(opened(session.messages).items)
    await store.close()
