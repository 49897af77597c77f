"""Two tools, one question: `python examples/together.py [model]`, for example with ollama/qwen3."""

import asyncio
import sys
from contextlib import AsyncExitStack

from calculator import calculate
from weather import get_weather

from toolpost import Agent
from toolpost.testing.demo import NOTICE, demo_model

QUESTION = "What's the weather in Tokyo? Also, what is 42 * 17?"


async def main() -> None:
    async with AsyncExitStack() as stack:
        if len(sys.argv) > 1:
            model = sys.argv[1]
        else:
            print(NOTICE, file=sys.stderr)
            model = await stack.enter_async_context(demo_model())
        agent = Agent(model, tools=[get_weather, calculate])
        async for event in agent.session().stream(QUESTION):
            if event.type == "tool_execution_end":
                print(f"{event.name}: {event.content[0].text}")
            elif event.type == "run_end":
                print(event.text)


if __name__ == "__main__":
    asyncio.run(main())
