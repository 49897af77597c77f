"""openai-agents over chat completions, tracing off."""

from agents import Agent, OpenAIChatCompletionsModel, RunConfig, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI
from openai.types.responses import ResponseTextDeltaEvent

from .tools import FUNCTIONS

_agent: Agent
_config: RunConfig


async def start(base: str) -> None:
    global _agent, _config
    set_tracing_disabled(True)
    model = OpenAIChatCompletionsModel(model="fake", openai_client=AsyncOpenAI(base_url=base, api_key="sk-x"))
    _agent = Agent(name="bench", model=model, tools=[function_tool(function) for function in FUNCTIONS.values()])
    _config = RunConfig(tracing_disabled=True)


async def run(prompt: str, max_steps: int) -> int:
    chunks = 0
    result = Runner.run_streamed(_agent, prompt, max_turns=max_steps, run_config=_config)
    async for event in result.stream_events():
        if event.type == "raw_response_event" and isinstance(event.data, ResponseTextDeltaEvent):
            chunks += 1
    return chunks
