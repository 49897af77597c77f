"""The options of a request as the model's own wire takes them, where it is another than the client's."""

from collections.abc import Callable
from typing import Any

from toolpost.models.message_parts import merge

from .request import Asked, OutputFormat

Fields = dict[str, Any]
# Fields of the client's wire that mean the same on another one; every other wire would refuse them.
_ALIKE = {
    frozenset({"openai_chat", "openai_responses"}): ("frequency_penalty", "presence_penalty"),
}


def fitted(asked: Asked, wire: str) -> Fields:
    """Fields that only the client's wire knows go to a model on the same one alone: others would refuse them."""
    options = {name: value for name, value in asked.options.items() if name != "extra"}
    given: Fields = dict(asked.options.get("extra") or {})
    alike = _ALIKE.get(frozenset({wire, asked.wire}), ())
    extra = given if wire == asked.wire else {name: value for name, value in given.items() if name in alike}
    if asked.output is not None:
        merge(extra, _as_it_came(asked) if wire == asked.wire else _OUTPUT.get(wire, _untold)(asked.output))
    if asked.tools and not asked.is_parallel:
        options["parallel_tool_calls"] = False
    return {**options, "extra": extra} if extra else options


def _chat_format(output: OutputFormat) -> Fields:
    if output.schema is None:
        return {"response_format": {"type": "json_object"}}
    return {"response_format": {"type": "json_schema", "json_schema": _named(output)}}


def _responses_format(output: OutputFormat) -> Fields:
    if output.schema is None:
        return {"text": {"format": {"type": "json_object"}}}
    # Without a word about it this wire takes the schema as strict.
    return {"text": {"format": {"type": "json_schema", "strict": False, **_named(output)}}}


def _named(output: OutputFormat) -> Fields:
    fields: Fields = {"name": output.name, "schema": output.schema}
    if output.description:
        fields["description"] = output.description
    if output.strict:
        fields["strict"] = True
    return fields


def _untold(output: OutputFormat) -> Fields:
    return {}


# How each wire is told what the answer has to be.
_OUTPUT: dict[str, Callable[[OutputFormat], Fields]] = {
    "openai_chat": _chat_format,
    "openai_responses": _responses_format,
    "anthropic": lambda output: {"output_config": {"format": {"type": "json_schema", "schema": output.as_schema}}},
    "gemini": lambda output: {
        "generationConfig": {"responseMimeType": "application/json", "responseJsonSchema": output.as_schema}
    },
    "ollama": lambda output: {"format": output.as_schema},
    # llama.cpp's own word for it, on all of its routes.
    "embedded": lambda output: {"json_schema": output.as_schema},
}


def _as_it_came(asked: Asked) -> Fields:
    """With its name and its strictness."""
    if asked.wire == "openai_chat":
        return {"response_format": asked.body["response_format"]}
    if asked.wire == "openai_responses":
        return {"text": {"format": asked.body["text"]["format"]}}
    # The fields of this one are among the extra ones already.
    return {}
