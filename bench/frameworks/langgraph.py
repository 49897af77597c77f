"""langgraph through langchain's `create_agent`, messages streamed."""

from typing import Any

from langchain.agents import create_agent
from langchain_openai import ChatOpenAI

from .tools import FUNCTIONS

_agent: Any


async def start(base: str) -> None:
    global _agent
    model = ChatOpenAI(model="fake", base_url=base, api_key="sk-x", streaming=True, use_responses_api=False)
    _agent = create_agent(model, list(FUNCTIONS.values()))


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    config = {"recursion_limit": 4 * max_steps + 50}
    async for piece, _ in _agent.astream({"messages": [("user", prompt)]}, config, stream_mode="messages"):
        if piece.type == "AIMessageChunk" and piece.content:
            chunks += 1
    return chunks
