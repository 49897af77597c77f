"""The options of a request as the model's own wire takes them, where it is another than the client's."""

from collections.abc import Callable
from typing import Any

from toolpost.models.parts import merge

from .asked import Asked

Schema = dict[str, Any]
# How each wire is told what the answer has to be.
_OUTPUT: dict[str, Callable[[Schema], dict[str, Any]]] = {
    "openai_chat": lambda schema: {
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    },
    "openai_responses": lambda schema: {
        "text": {"format": {"type": "json_schema", "name": "answer", "schema": schema, "strict": False}}
    },
    "anthropic": lambda schema: {"output_config": {"format": {"type": "json_schema", "schema": schema}}},
    "gemini": lambda schema: {
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": schema}
    },
    "ollama": lambda schema: {"format": schema},
    # llama.cpp's own word for it, on all of its routes.
    "embedded": lambda schema: {"json_schema": schema},
}


def fitted(asked: Asked, wire: str) -> dict[str, Any]:
    """Fields that only the client's wire knows go to a model on the same one alone: others would refuse them."""
    options = {name: value for name, value in asked.options.items() if name != "extra"}
    extra: dict[str, Any] = dict(asked.options.get("extra") or {}) if wire == asked.wire else {}
    if asked.output_schema is not None:
        merge(extra, _as_it_came(asked) if wire == asked.wire else _OUTPUT.get(wire, lambda _: {})(asked.output_schema))
    if asked.tools and not asked.is_parallel:
        options["parallel_tool_calls"] = False
    return {**options, "extra": extra} if extra else options


def _as_it_came(asked: Asked) -> dict[str, Any]:
    """With its name and its strictness."""
    if asked.wire == "openai_chat":
        return {"response_format": asked.body["response_format"]}
    if asked.wire == "openai_responses":
        return {"text": {"format": asked.body["text"]["format"]}}
    # The fields of this one are among the extra ones already.
    return {}
