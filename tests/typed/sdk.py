"""What a type checker makes of the public surface. Checked by pyright in `make types`, never run."""

from dataclasses import dataclass
from typing import Any, assert_type

from toolpost import Agent, Event, RunResult, Session, Tool, ToolContext, tool


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
