"""`@tool`: what it makes of a function, and how that runs."""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import pytest

from toolpost.tools import define, threads
from toolpost.tools.define import FunctionTool, RateLimit, ToolContext, tool
from toolpost.tools.schema import check_arguments
from toolpost.types.errors import ConfigError, ToolError

if TYPE_CHECKING:
    from decimal import Decimal


def make_context(updates: list[Any] | None = None) -> ToolContext:
    async def ask(*_: Any) -> None: ...

    async def environ() -> dict[str, str]:
        return {}

    seen = [] if updates is None else updates
    return ToolContext("ses", "msg", "call", Path(), lambda text, details: seen.append((text, details)), ask, environ)


async def call(made: define.Tool, arguments: dict[str, Any], ctx: ToolContext | None = None) -> Any:
    return await made.run(check_arguments(made, arguments), ctx or make_context())


@tool
async def get_weather(city: Annotated[str, "City name, e.g. Tokyo"], days: int = 1) -> str:
    """Get the weather of a city. Use when the user asks about weather."""
    return f"{city}:{days}"


def test_a_typed_function_is_a_tool() -> None:
    assert (get_weather.name, get_weather.label) == ("get_weather", "Get weather")
    assert get_weather.description == "Get the weather of a city. Use when the user asks about weather."
    assert get_weather.parameters == {
        "type": "object",
        "properties": {
            "city": {"type": "string", "description": "City name, e.g. Tokyo"},
            "days": {"type": "integer", "default": 1},
        },
        "required": ["city"],
        "additionalProperties": False,
    }


async def test_a_tool_is_still_callable_like_its_function() -> None:
    assert await get_weather("Tokyo", days=2) == "Tokyo:2"
    assert get_weather.__name__ == "get_weather"
    assert list(inspect.signature(get_weather).parameters) == ["city", "days"]


async def test_options_override_what_the_function_says() -> None:
    @tool(name="other", label="L", description="D", timeout=3, parallel=False, read_only=True, cache=5)
    def made(x: int) -> int:
        return x

    limited = tool(made.function, rate_limit=RateLimit(1, 2), permission="net", patterns=lambda args: [str(args["x"])])
    assert (made.name, made.label, made.description, made.timeout) == ("other", "L", "D", 3)
    assert (made.parallel, made.read_only, made.cache) == (False, True, 5)
    assert limited.rate_limit == RateLimit(1, 2)
    assert limited.permission == "net"
    assert limited.patterns is not None
    assert limited.patterns({"x": 1}) == ["1"]


async def test_a_copy_with_another_source_still_runs() -> None:
    copy = replace(get_weather, source="plugin:x")
    assert isinstance(copy, FunctionTool)
    assert copy.source == "plugin:x"
    assert await call(copy, {"city": "Rome"}) == "Rome:1"


async def test_the_context_goes_to_the_parameter_of_its_type_and_not_into_the_schema() -> None:
    @tool
    async def where(place: str, anything: ToolContext, maybe: ToolContext | None = None) -> str:
        assert maybe is anything
        return f"{place} {anything.call_id}"

    assert list(where.parameters["properties"]) == ["place"]
    assert await call(where, {"place": "x"}) == "x call"


async def test_positional_only_and_keyword_only_parameters_are_filled() -> None:
    @tool
    def mixed(a: int, b: int = 2, /, c: int = 3, *, d: int) -> list[int]:
        return [a, b, c, d]

    assert await call(mixed, {"a": 1, "d": 4}) == [1, 2, 3, 4]


async def test_types_local_to_a_function_are_resolved() -> None:
    from typing import TypedDict

    class Local(TypedDict):
        x: int

    @tool
    def bare(value: Local) -> int:
        return value["x"]

    @tool(name="with_options")
    def optioned(value: Local) -> int:
        return value["x"]

    assert await call(bare, {"value": {"x": 3}}) == 3
    assert await call(optioned, {"value": {"x": 4}}) == 4


async def test_bound_methods_partials_and_callable_objects_can_be_tools() -> None:
    class Shop:
        def find(self, what: str) -> str:
            """Find something in the shop."""
            return f"found {what}"

        async def __call__(self, n: int) -> int:
            return n + 1

    def add(a: int, b: int) -> int:
        return a + b

    found = tool(Shop().find)
    assert (found.name, found.description) == ("find", "Find something in the shop.")
    assert await call(found, {"what": "tea"}) == "found tea"
    assert await call(tool(functools.partial(add, 1)), {"b": 2}) == 3
    assert await call(tool(Shop(), name="count"), {"n": 1}) == 2


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: tool(lambda *args: None), r"\*args can't be described"),
        (lambda: tool(_starred), r"tool _starred: \*\*more can't be described"),
        (lambda: tool(_yields), "a generator can't be a tool"),
        (lambda: tool(_Unbound.method), r"tool\(thing.method\)"),
        (lambda: tool(_hidden_type), r'parameter "price" can\'t be resolved: .*Decimal'),
        (lambda: tool(_socket), r'parameter "lock" has the unsupported type Event: Event can\'t be written as JSON'),
    ],
)
def test_what_cannot_be_a_tool_is_refused_with_the_reason(make: Any, said: str) -> None:
    with pytest.raises(ConfigError, match=said):
        make()


def _starred(x: int, **more: int) -> None: ...


def _yields(x: int) -> Any:
    yield x


class _Unbound:
    def method(self, x: int) -> None: ...


def _hidden_type(price: Decimal) -> None: ...


def _socket(ok: int, lock: threading.Event) -> None: ...


async def test_a_sync_function_runs_in_a_daemon_thread_with_the_callers_context() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable")
    variable.set("mine")

    @tool
    def look() -> tuple[str, bool, bool]:
        thread = threading.current_thread()
        return variable.get(), thread.daemon, thread is threading.main_thread()

    assert await call(look, {}) == ("mine", True, False)


async def test_an_idle_thread_is_used_again() -> None:
    @tool
    def ident() -> int:
        return threading.get_ident()

    assert len({await call(ident, {}) for _ in range(20)}) == 1


async def test_sync_functions_run_side_by_side() -> None:
    barrier = threading.Barrier(4, timeout=10)

    @tool
    def meet() -> int:
        return barrier.wait()

    assert sorted(await asyncio.gather(*(call(meet, {}) for _ in range(4)))) == [0, 1, 2, 3]


async def test_more_sync_calls_than_threads_wait_and_a_stuck_one_that_is_cancelled_makes_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(threads, "MAX_AWAITED", 2)
    started, release = threading.Semaphore(0), threading.Event()

    @tool
    def block() -> str:
        started.release()
        release.wait(20)
        return "released"

    @tool
    def quick(n: int) -> int:
        return n

    stuck = [asyncio.create_task(call(block, {})) for _ in range(2)]
    for _ in stuck:
        assert await asyncio.to_thread(started.acquire, timeout=10)
    waiting = [asyncio.create_task(call(quick, {"n": n})) for n in range(5)]
    given_up = waiting.pop(2)
    assert (await asyncio.wait([*waiting, given_up], timeout=0.05))[0] == set()
    given_up.cancel()
    stuck[0].cancel()
    assert await asyncio.gather(*waiting) == [0, 1, 3, 4]
    release.set()
    assert await stuck[1] == "released"
    assert given_up.cancelled()
    assert stuck[0].cancelled()


async def test_a_thread_that_is_idle_for_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "IDLE_SECONDS", 0.01)
    last = await threads.run_in_thread(threading.current_thread)
    await asyncio.to_thread(last.join, 40)
    assert not last.is_alive()
    assert await threads.run_in_thread(lambda: 1) == 1


async def test_a_cancelled_sync_call_ends_at_once_and_its_late_updates_are_dropped() -> None:
    started, release, finished = threading.Event(), threading.Event(), threading.Event()
    updates: list[Any] = []

    @tool
    def stuck(ctx: ToolContext) -> None:
        ctx.update("begun")
        started.set()
        release.wait(20)
        ctx.update("too late")
        finished.set()

    task = asyncio.create_task(call(stuck, {}, make_context(updates)))
    await asyncio.to_thread(started.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 1)
    release.set()
    await asyncio.to_thread(finished.wait, 10)
    await asyncio.sleep(0)
    assert updates == [("begun", None)]


async def test_updates_of_a_thread_arrive_on_the_loop_in_order_before_its_result() -> None:
    seen: list[tuple[str, int]] = []
    context = replace(make_context(), on_update=lambda text, details: seen.append((text, threading.get_ident())))

    @tool
    def talk(ctx: ToolContext) -> str:
        for n in range(50):
            ctx.update(str(n))
        return "done"

    await call(talk, {}, context)
    assert seen == [(str(n), threading.get_ident()) for n in range(50)]


@pytest.mark.parametrize("error", [ToolError("no such city"), ValueError("x"), StopIteration(1)])
async def test_an_exception_of_a_sync_function_reaches_the_caller(error: Exception) -> None:
    @tool
    def fail() -> None:
        raise error

    with pytest.raises(RuntimeError if isinstance(error, StopIteration) else type(error)):
        await call(fail, {})


async def test_a_tool_that_exits_ends_its_call_and_not_the_program() -> None:
    @tool
    def leave() -> None:
        sys.exit(3)

    @tool
    async def leave_async() -> None:
        sys.exit(3)

    for made in (leave, leave_async):
        with pytest.raises(RuntimeError, match="tried to end the program"):
            await call(made, {})


async def test_a_sync_function_that_returns_an_awaitable_is_awaited() -> None:
    async def later() -> str:
        return "later"

    assert await call(tool(lambda: later(), name="wrapped"), {}) == "later"


def test_a_stuck_sync_tool_does_not_hold_up_the_end_of_the_program() -> None:
    program = """
import asyncio, threading
from toolpost.tools.threads import run_in_thread
async def main():
    try:
        await asyncio.wait_for(run_in_thread(threading.Event().wait), 0.05)
    except TimeoutError:
        print("timed out")
asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "timed out\n", "")


def test_defining_a_plain_tool_imports_nothing_heavy() -> None:
    program = """
import sys
from toolpost.tools.define import tool
@tool
def f(x: int) -> int:
    "Add. Use when adding."
    return x
print([m for m in ("docstring_parser", "jsonschema_rs", "pydantic") if m in sys.modules])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=True)
    assert done.stdout == "[]\n"
