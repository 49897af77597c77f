"""What the extra `prices` is for: a run says what it costs, and compaction knows how much a model can read."""

import asyncio
import sys

from toolpost import Agent, OpenAIChat, Usage
from toolpost.models.prices import context_window
from toolpost.testing import Upstream, text, turn


async def main() -> None:
    async with Upstream(turn(text("hello"), usage=Usage(input=1000, output=100))) as up:
        result = await Agent(OpenAIChat("gpt-5-mini", base_url=up.base_url, api_key="k")).run("hi")
    assert result.cost, result
    assert context_window("openai", "gpt-5-mini")


asyncio.run(main())
sys.stdout.write("done\n")
