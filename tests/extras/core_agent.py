"""What the core is for: an agent with a typed tool, on each hosted wire, in memory and in SQLite, and its rules."""

import asyncio
import sys
from pathlib import Path
from typing import Annotated

from toolpost import Agent, Anthropic, Gemini, Ollama, OpenAIChat, OpenAIResponses, ToolResult, tool
from toolpost.testing import ScriptedModel, Upstream, call, text


@tool
def get_weather(city: Annotated[str, "City name"]) -> ToolResult:
    """Get the weather of a city.

    Args:
        city: described by its annotation.
    """
    return ToolResult([f"{city}: sunny"])


WEATHER = (call("get_weather", {"city": "Oslo"}), text("It is sunny."))
# A wrong argument is told to the model, which takes a schema checker.
WRONG = (call("get_weather", {"town": "Oslo"}), *WEATHER)


async def main() -> None:
    wires = (
        lambda up: OpenAIChat("m", base_url=up.base_url, api_key="k"),
        lambda up: OpenAIResponses("m", base_url=up.base_url, api_key="k"),
        lambda up: Anthropic("m", base_url=up.url, api_key="k"),
        lambda up: Gemini("m", base_url=up.url, api_key="k"),
        lambda up: Ollama("m", base_url=up.url),
    )
    for make in wires:
        async with Upstream(*WEATHER) as up:
            result = await Agent(make(up), tools=[get_weather]).run("How is the weather in Oslo?")
            assert result.text == "It is sunny.", result
    stored = Agent(ScriptedModel(*WRONG), tools=[get_weather], store=Path("sessions.db"))
    assert (await stored.run("Oslo?")).text == "It is sunny."
    denied = Agent(ScriptedModel(*WEATHER), tools=[get_weather], permissions={"get_weather": "deny"})
    assert (await denied.run("Oslo?")).text == "It is sunny."


asyncio.run(main())
sys.stdout.write("done\n")
