"""What a type checker makes of the public surface. Checked by pyright in `make types`, never run."""

from dataclasses import dataclass
from typing import Any, assert_type

from toolpost import (
    Agent,
    Answer,
    CancelSignal,
    Event,
    InitContext,
    ModelInfo,
    Plugin,
    RateLimit,
    RunResult,
    Session,
    Tool,
    ToolContext,
    tool,
)
from toolpost.plugins.hooks import CallHook, ParamsHook
from toolpost.types.events import PermissionAsked, QuestionAsked


@dataclass
class City:
    name: str


@tool
async def get_weather(city: str, ctx: ToolContext, days: int = 1) -> str:
    """Get the weather."""
    return city


@tool(timeout=3)
def add(a: int, b: int) -> int:
    """Add."""
    return a + b


async def check(agent: Agent) -> None:
    assert_type(await agent.run("Hi"), RunResult[None])
    assert_type(await agent.run("Hi", output=City), RunResult[City])
    assert_type((await agent.run("Hi", output=City)).output, City)
    assert_type(await agent.run("Hi", output={"type": "object"}), RunResult[Any])
    assert_type(agent.run_sync("Hi", output=City).output.name, str)
    session = agent.session()
    assert_type(session, Session)
    assert_type(await session, Session)
    assert_type(session.fork(), Session)
    assert_type((await session.run("Hi", output=list[int])).output, list[int])
    async for event in session.stream("Hi"):
        assert_type(event, Event)


assert_type(add(1, 2), int)
add("1", 2)  # pyright: ignore[reportArgumentType]
Agent("openai/x", tools=[get_weather, add])
Agent("openai/x", tools=[3])  # pyright: ignore[reportArgumentType]
Agent()  # pyright: ignore[reportCallIssue]
Agent("openai/x", headless="perhaps")  # pyright: ignore[reportArgumentType]
plain: Tool = add


def init(context: InitContext) -> dict[str, Any] | None:
    assert_type(context.model, ModelInfo | None)
    return {"description": context.agent} if context.model else None


async def init_later(context: InitContext) -> Tool | None:
    return plain


def wrong_init(context: InitContext) -> int:
    return 3


def execute(arguments: dict[str, Any], ctx: ToolContext) -> str:
    assert_type(ctx.cancelled, CancelSignal)
    assert_type(ctx.cancelled.wait(0.1), bool)
    return ""


async def execute_later(arguments: dict[str, Any], ctx: ToolContext) -> dict[str, str]:
    assert_type(await ctx.cancelled, None)
    return {}


def on_ask(asked: PermissionAsked) -> Answer:
    return Answer("once")


async def on_question(asked: QuestionAsked) -> list[str]:
    return ["red"]


class Both(Plugin):
    async def tools(self) -> list[Tool]:
        return [plain]

    def tool_execute_before(self, call: CallHook) -> CallHook | None:
        return call

    async def chat_params(self, params: ParamsHook) -> ParamsHook | None:
        return None


class Wrong(Plugin):
    def tool_execute_before(self, call: CallHook) -> int:  # pyright: ignore[reportIncompatibleMethodOverride]
        return 3


async def listen(event: Event) -> None: ...


Tool("a", "A", "Sync.", {}, execute, init=init)
Tool("a", "A", "Async.", {}, execute_later, init=init_later, rate_limit=RateLimit(calls=1, seconds=2))
Tool("a", "A", "Wrong.", {}, execute, init=wrong_init)  # pyright: ignore[reportArgumentType]
Tool("a", "A", "Misspelt.", {}, execute, timout=3)  # pyright: ignore[reportCallIssue]
tool(add.function, timout=3)  # pyright: ignore[reportCallIssue]
Agent("openai/x", on_ask=on_ask, on_question=on_question, plugins=[Both()])
Agent("openai/x", on_ask=lambda asked: "once", on_question=lambda asked: None)
Agent("openai/x", on_ask=lambda asked: True)  # pyright: ignore[reportArgumentType]
Agent("openai/x", permision={})  # pyright: ignore[reportCallIssue]
Agent("openai/x").session().subscribe(listen)
Agent("openai/x").session().subscribe(print)
