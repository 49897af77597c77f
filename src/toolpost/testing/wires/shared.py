"""What all scripted wires need: the arguments of a call as text, as an object and in pieces."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

from toolpost.testing.script import CallTool, pieces
from toolpost.types.messages import Usage

USUAL_USAGE = Usage(input=10, output=5)


def fields_of(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def arguments_text(ask: CallTool) -> str:
    return ask.arguments if isinstance(ask.arguments, str) else msgspec.json.encode(ask.arguments).decode()


def arguments_value(ask: CallTool) -> Any:
    """The arguments as JSON, for wires that send no text; broken text stays a text."""
    if not isinstance(ask.arguments, str):
        return ask.arguments
    try:
        return msgspec.json.decode(ask.arguments) if ask.arguments.strip() else {}
    except msgspec.DecodeError:
        return ask.arguments


def argument_pieces(ask: CallTool) -> Sequence[str]:
    """In pieces of the script's size, else in three."""
    text = arguments_text(ask)
    return pieces(text, ask.chunk or max(1, -(-len(text) // 3)))
