"""strands with one shared client (by default it makes a client for every request) and no trimming of the history."""

from openai import AsyncOpenAI
from strands import Agent, tool
from strands.agent.conversation_manager import NullConversationManager
from strands.models.openai import OpenAIModel

from .tools import FUNCTIONS

_model: OpenAIModel
_tools = [tool(function) for function in FUNCTIONS.values()]


async def start(base: str) -> None:
    global _model
    _model = OpenAIModel(client=AsyncOpenAI(base_url=base, api_key="sk-x"), model_id="fake")


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    manager = NullConversationManager()
    agent = Agent(model=_model, tools=list(_tools), callback_handler=None, conversation_manager=manager)
    async for event in agent.stream_async(prompt):
        if "data" in event:
            chunks += 1
    return chunks
