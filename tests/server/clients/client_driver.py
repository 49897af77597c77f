"""Plays the part of Anthropic's Python client: a line of JSON on stdin is one scene, a line on stdout what came of it.

Run with the packages of one version of the client on `PYTHONPATH`; the scenes are those of `scenes/anthropic.mjs`.
"""

import json
import sys
from collections.abc import Callable
from contextlib import closing
from typing import Any

import anthropic
import pydantic


class Weather(pydantic.BaseModel):
    city: str
    degrees: float


def stream(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    with client.messages.stream(**stage["body"]) as answer:
        texts = list(answer.text_stream)
        return {"message": answer.get_final_message().to_dict(), "texts": texts}


def create(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    return client.messages.create(**stage["body"]).to_dict()


def events(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    return [event.type for event in client.messages.create(**stage["body"], stream=True)]


def parse(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    # The oldest has it among the betas alone.
    messages = client.messages if hasattr(client.messages, "parse") else client.beta.messages
    return messages.parse(**stage["body"], output_format=Weather).parsed_output.model_dump()


def tool_runner(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    seen: list[list[int]] = []

    @anthropic.beta_tool
    def add(a: int, b: int) -> str:
        """Add."""
        seen.append([a, b])
        return str(a + b)

    runner = client.beta.messages.tool_runner(**stage["body"], tools=[add], stream=stage["streamed"])
    message = None
    for turn in runner:
        message = turn.get_final_message() if stage["streamed"] else turn
    return {"message": message.to_dict(), "seen": seen}


def mcp(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    body = {**stage["body"], "betas": ["mcp-client-2025-11-20"]}
    if not stage["streamed"]:
        return client.beta.messages.create(**body).to_dict()
    with client.beta.messages.stream(**body) as answer:
        return answer.get_final_message().to_dict()


def count_tokens(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    body = {name: value for name, value in stage["body"].items() if name != "max_tokens"}
    return client.messages.count_tokens(**body).to_dict()


def models(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    return [model.id for model in client.models.list(limit=stage["limit"])]


def model(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    return client.models.retrieve(stage["model"]).id


def leave(client: anthropic.Anthropic, stage: dict[str, Any]) -> Any:
    with client.messages.stream(**stage["body"]) as answer:
        return next(iter(answer.text_stream))


SCENES: dict[str, Callable[[anthropic.Anthropic, dict[str, Any]], Any]] = {
    "stream": stream,
    "create": create,
    "events": events,
    "parse": parse,
    "toolRunner": tool_runner,
    "mcp": mcp,
    "countTokens": count_tokens,
    "models": models,
    "model": model,
    "leave": leave,
}


def played(stage: dict[str, Any]) -> dict[str, Any]:
    client = anthropic.Anthropic(
        base_url=stage["url"],
        api_key=stage["token"],
        max_retries=0,
        timeout=30.0,
        default_headers=stage.get("headers", {}),
    )
    try:
        with closing(client):
            return {"value": SCENES[stage["scene"]](client, stage)}
    except Exception as error:
        body = getattr(error, "body", None)
        kind = body.get("error", {}).get("type") if isinstance(body, dict) else None
        status = getattr(error, "status_code", None)
        return {"error": {"name": type(error).__name__, "message": str(error), "status": status, "kind": kind}}


for line in sys.stdin:
    sys.stdout.write(json.dumps(played(json.loads(line))) + "\n")
    sys.stdout.flush()
