"""Toolpost through its public SDK; `STORE`, where it is set, is the SQLite file that keeps the sessions."""

import os

from toolpost import Agent, Limits, OpenAIChat

from .tools import FUNCTIONS

MAX_STEPS = 10_000

_agent: Agent


async def start(base: str) -> None:
    global _agent
    model = OpenAIChat("fake", base_url=base, api_key="sk-x")
    limits = Limits(max_steps=MAX_STEPS)
    _agent = Agent(model, list(FUNCTIONS.values()), limits=limits, store=os.environ.get("STORE"))


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    async for event in _agent.session().stream(prompt):
        if event.type == "message_update" and event.kind == "text":
            chunks += 1
    return chunks
