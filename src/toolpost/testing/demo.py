"""A scripted demo model behind a local HTTP server, to try the tool loop without a provider.

It understands nothing. It looks for a city and for a sum in the question, calls `get_weather` and `calculate` for them
if they are on offer, and reads the results out.
"""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any, cast

from toolpost.models.contract import Model
from toolpost.models.openai_chat.model import OpenAIChat

from .script import Turn, call, calls, text
from .upstream import Received, Upstream

NOTICE = "This is a scripted stand-in, not a model: it only finds a city and a sum in your question."
_CITY = re.compile(
    r"(?:\bin|\bof|\bfor)\s+([A-Z][\w-]*(?:\s+[A-Z][\w-]*)*)|([\u4e00-\u9fff]{2,4}?)(?:的)?(?:今天|现在)?(?:的)?天气"
)
_SUM = re.compile(r"[\d.(][\d\s.+\-*/%()×x^]*[+\-*/%×x^][\d\s.+\-*/%()×x^]*[\d)]")


@asynccontextmanager
async def demo_model() -> AsyncGenerator[Model, None]:
    """A model behind a scripted server in this process."""
    async with Upstream(answer, repeat=True, strict=False, delay=0.01) as upstream:
        yield OpenAIChat("demo", provider="scripted", base_url=upstream.base_url)


def answer(request: Received) -> Turn:
    """The turn for a request, found by looking for words."""
    body = cast("dict[str, Any]", request.body)
    messages = cast("list[dict[str, Any]]", body.get("messages", []))
    last_question = max((i for i, message in enumerate(messages) if message["role"] == "user"), default=-1)
    results = [str(message["content"]) for message in messages[last_question + 1 :] if message["role"] == "tool"]
    if results:
        return text(_read_out(results), chunk=6)
    question = str(messages[last_question]["content"]) if last_question >= 0 else ""
    offered = {str(tool["function"]["name"]) for tool in body.get("tools") or ()}
    wanted = _wanted(question, offered)
    return calls(*wanted) if wanted else text(f"{NOTICE} I found none of them, or no tool for them.", chunk=6)


def _wanted(question: str, offered: set[str]) -> list[Turn]:
    wanted: list[Turn] = []
    city, expression = _CITY.search(question), _SUM.search(question)
    if city and "get_weather" in offered:
        wanted.append(call("get_weather", {"city": city[1] or city[2]}, chunk=5))
    if expression and "calculate" in offered:
        plain = expression[0].strip().replace("×", "*").replace("x", "*").replace("^", "**")
        wanted.append(call("calculate", {"expression": plain}, chunk=5))
    return wanted


def _read_out(results: list[str]) -> str:
    return "The tools say: " + "; ".join(result.strip() for result in results) + "."
