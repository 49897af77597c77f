"""Take secrets out of stored values, string by string, so that what is left is still valid."""

from collections.abc import AsyncIterator
from typing import Any, TypeVar, cast

import msgspec

from toolpost.types.events import Event, MessageUpdate, ToolExecutionUpdate

from .redact import HIDDEN, Redactor

T = TypeVar("T", bound=msgspec.Struct)


def redacted(value: T, redactor: Redactor) -> T:
    """The same struct with every secret in its strings hidden."""
    return msgspec.convert(redacted_value(msgspec.to_builtins(value), redactor), type(value))


async def redacted_all(values: AsyncIterator[T], redactor: Redactor) -> AsyncIterator[T]:
    async for value in values:
        yield redacted(value, redactor)


async def redacted_events(events: AsyncIterator[Event], redactor: Redactor) -> AsyncIterator[Event]:
    """Without the deltas: a secret cut in two by them is not seen, and what they built stands in the later events."""
    async for event in events:
        if not isinstance(event, MessageUpdate | ToolExecutionUpdate):
            yield redacted(event, redactor)


def redacted_value(value: Any, redactor: Redactor) -> Any:
    """The same for plain data: lists, tables and texts."""
    if isinstance(value, str):
        return redactor.text(value)
    # `to_builtins` leaves tuples as they are.
    if isinstance(value, list | tuple):
        return [redacted_value(item, redactor) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        is_file = table.get("type") == "file"
        return {
            key: entry if is_file and key == "data" else _entry(key, entry, redactor) for key, entry in table.items()
        }
    return value


def _entry(key: str, value: Any, redactor: Redactor) -> Any:
    """A text is looked at together with its name: `api_key` says what its value does not."""
    if not isinstance(value, str):
        return redacted_value(value, redactor)
    named = redactor.text(f"{key}: {value}")
    return named.removeprefix(f"{key}: ") if named.startswith(f"{key}: ") else HIDDEN
