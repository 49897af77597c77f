"""Canonical JSON of arguments: one text for equal arguments, the key of the result cache and the repetition check."""

from collections.abc import Sequence
from typing import Any, cast

import msgspec

_encode = msgspec.json.Encoder(order="sorted", enc_hook=str).encode


def canonical(arguments: Any) -> str:
    """JSON text that is equal for equal arguments: keys sorted, no spaces, 1.0 written as 1."""
    return _encode(_normal(arguments)).decode()


def _normal(value: Any) -> Any:
    if isinstance(value, float):
        # Beyond 2**53 a float is no longer every integer near it, so it stays as it was written.
        return int(value) if value.is_integer() and abs(value) < 2**53 else value
    if isinstance(value, dict):
        return {str(key): _normal(item) for key, item in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [_normal(item) for item in cast("Sequence[Any]", value)]
    return value
