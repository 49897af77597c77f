"""agno, telemetry off; a new agent a run, because an agent keeps its conversation."""

from agno.agent import Agent, RunContentEvent
from agno.models.openai import OpenAIChat

from .tools import FUNCTIONS

_model: OpenAIChat


async def start(base: str) -> None:
    global _model
    _model = OpenAIChat(id="fake", base_url=base, api_key="sk-x")


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    agent = Agent(model=_model, tools=list(FUNCTIONS.values()), telemetry=False)
    async for event in agent.arun(prompt, stream=True):
        if isinstance(event, RunContentEvent) and event.content:
            chunks += 1
    return chunks
