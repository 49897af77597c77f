"""What the extra `mcp` is for: an agent calls a tool of a server, which is `toolpost mcp serve` here."""

import asyncio
import sys
from pathlib import Path

from toolpost import Agent, McpServer, ModelRequest
from toolpost.testing import ScriptedModel, Turn, call, text

TOOL = "mcp__local__get_weather"
FILE = '''
from toolpost import tool

@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"{city}: sunny"
'''


async def main() -> None:
    words = ["-m", "toolpost", "mcp", "serve", "--allow", "get_weather"]
    model = ScriptedModel()

    def answer(request: ModelRequest) -> Turn:
        if all(tool.name != TOOL for tool in request.tools):
            return text("not yet")
        model.add(text("It is sunny."))
        return call(TOOL, {"city": "Oslo"})

    async with (
        Agent(model, mcp=[McpServer("local", command=sys.executable, args=words)]) as agent,
        asyncio.timeout(60),
    ):
        said = ""
        while said != "It is sunny.":
            # A prompt waits a while for the server, which is longer in coming on a busy machine.
            model.add(answer)
            said = (await agent.run("Oslo?")).text
    assert "Oslo: sunny" in str(model.requests[-1].messages), model.requests[-1].messages


folder = Path.home() / ".config" / "toolpost" / "tools"
folder.mkdir(parents=True)
(folder / "weather.py").write_text(FILE)
asyncio.run(main())
sys.stdout.write("done\n")
