"""`print` in tools, while stdout is routed: each call has its own, and stdout has none of it."""
# ruff: noqa: T201 - printing is what these tools do

import asyncio
import logging
import sys
import threading

from toolpost import Agent, ToolContext, tool
from toolpost.testing import ScriptedModel, call, calls, text
from toolpost.tools import print_router
from toolpost.tools.print_router import own_stream, routed


@tool
def in_thread(name: str) -> str:
    """Print from a thread."""
    for number in range(3):
        print(name, number)
    sys.stdout.write("no end of line")
    return "done"


@tool
async def on_loop(name: str) -> str:
    """Print from the loop."""
    for number in range(3):
        print(name, number, flush=True)
        await asyncio.sleep(0)
    return "done"


@tool
async def otherwise(ctx: ToolContext) -> str:
    """Print in other ways."""
    sys.stdout.buffer.write("bytes é\n".encode())
    sys.stdout.writelines(["a line\n", "another\n"])
    ctx.update("an update\n")
    print("isatty", sys.stdout.isatty())
    thread = threading.Thread(target=print, args=("from a thread of its own",))
    thread.start()
    await asyncio.to_thread(thread.join)
    return "done"


async def shown(turn, *tools):
    """What each call shows while it runs."""
    live: dict[str, str] = {}
    with ScriptedModel(turn, text("ok")) as model:
        session = Agent(model, tools).session()
        async for event in session.stream("go"):
            if event.type == "tool_execution_update":
                live[event.call_id] = live.get(event.call_id, "") + event.text
    return live


async def test_calls_side_by_side_print_each_to_its_own_live_output(capsys):
    made = calls(
        call("in_thread", {"name": "a"}, id="1"),
        call("on_loop", {"name": "b"}, id="2"),
        call("in_thread", {"name": "c"}, id="3"),
        call("on_loop", {"name": "d"}, id="4"),
    )
    with routed():
        live = await shown(made, in_thread, on_loop)
        print("the face's own")
    assert live == {
        "1": "a 0\na 1\na 2\nno end of line",
        "2": "b 0\nb 1\nb 2\n",
        "3": "c 0\nc 1\nc 2\nno end of line",
        "4": "d 0\nd 1\nd 2\n",
    }
    assert capsys.readouterr().out == "the face's own\n"


async def test_all_ways_to_write_are_routed_and_what_is_no_calls_is_in_the_log(capsys, caplog):
    with routed(), caplog.at_level(logging.INFO, "toolpost.printed"):
        live = await shown(call("otherwise", {}, id="1"), otherwise)
    assert sorted(live["1"].splitlines()) == sorted(["bytes é", "a line", "another", "an update", "isatty False"])
    assert capsys.readouterr().out == ""
    assert "otherwise: bytes é" in caplog.messages
    assert "a thread: from a thread of its own" in caplog.messages


async def test_a_thread_that_outlives_its_call_prints_to_the_log_alone(capsys, caplog):
    go, done = threading.Event(), threading.Event()

    @tool(timeout=0.01)
    def stuck() -> str:
        """Hang."""
        go.wait(30)
        print("too late")
        done.set()
        return ""

    with routed(), caplog.at_level(logging.INFO, "toolpost.printed"):
        live = await shown(call("stuck", {}, id="1"), stuck)
        go.set()
        await asyncio.to_thread(done.wait, 30)
    assert live == {}
    assert capsys.readouterr().out == ""
    assert "stuck: too late" in caplog.messages


async def test_a_tool_that_prints_without_end_fills_no_live_output(monkeypatch, caplog):
    monkeypatch.setattr(print_router, "MAX_LIVE_CHARS", 100)

    @tool
    async def chatty() -> str:
        """Print much."""
        for number in range(1_000):
            print(number)
        return "done"

    with routed(), caplog.at_level(logging.INFO, "toolpost.printed"):
        live = await shown(call("chatty", {}, id="1"), chatty)
    assert len(live["1"]) < 200
    assert live["1"].endswith("(more of this is in the log)\n")
    assert caplog.messages[-1] == "chatty: 999"


async def test_in_code_print_is_the_users_own(capsys):
    live = await shown(call("on_loop", {"name": "b"}, id="1"), on_loop)
    assert live == {}
    assert capsys.readouterr().out == "b 0\nb 1\nb 2\n"


def test_a_router_gives_stdout_back_as_it_was(capsys):
    before = sys.stdout
    with routed():
        assert sys.stdout is not before
        assert own_stream(sys.stdout) is before
        assert sys.stdout.encoding == before.encoding
    assert sys.stdout is before


async def test_a_face_may_write_from_a_thread_of_its_own(capsys):
    with routed():
        await asyncio.to_thread(print, "really? [y/N]")
    assert capsys.readouterr().out == "really? [y/N]\n"
