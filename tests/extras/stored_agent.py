"""What the extra `postgres` is for: a session in a PostgreSQL database, found there again."""

import asyncio
import sys

from toolpost import Agent
from toolpost.testing import ScriptedModel, text


async def main(url: str) -> None:
    agent = Agent(ScriptedModel(text("hello"), text("hello again")), store=url)
    first = await agent.run("hi")
    again = await agent.session(first.session_id).run("hi again")
    assert again.text == "hello again"


asyncio.run(main(sys.argv[1]))
sys.stdout.write("done\n")
