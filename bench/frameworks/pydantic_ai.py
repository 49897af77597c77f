"""pydantic-ai with its OpenAI chat model; events as they come."""

from pydantic_ai import Agent
from pydantic_ai.messages import PartDeltaEvent, PartStartEvent, TextPart, TextPartDelta
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider
from pydantic_ai.usage import UsageLimits

from .tools import FUNCTIONS

_agent: Agent


async def start(base: str) -> None:
    global _agent
    model = OpenAIChatModel("fake", provider=OpenAIProvider(base_url=base, api_key="sk-x"))
    _agent = Agent(model, tools=list(FUNCTIONS.values()))


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    async with _agent.run_stream_events(prompt, usage_limits=UsageLimits(request_limit=None)) as events:
        async for event in events:
            if isinstance(event, PartDeltaEvent):
                chunks += isinstance(event.delta, TextPartDelta)
            elif isinstance(event, PartStartEvent):
                chunks += isinstance(event.part, TextPart)
    return chunks
