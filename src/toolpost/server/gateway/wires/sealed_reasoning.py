"""Carry a provider's reasoning metadata through the client in an opaque field."""

import base64
from typing import Any, cast

import msgspec

from toolpost.models.message_parts import encode

_MARK = "toolpost-1."


def seal(metadata: dict[str, Any]) -> str:
    """Encode metadata for the `encrypted_content` of a reasoning item, or the `signature` of a thinking block. It is
    not secret: it only has to come back unchanged."""
    return _MARK + base64.urlsafe_b64encode(encode(metadata)).decode()


def unseal(sealed: str) -> dict[str, Any] | None:
    """Decode sealed metadata. None if another server sealed it; empty if it was changed on its way."""
    if not sealed.startswith(_MARK):
        return None
    try:
        metadata: Any = msgspec.json.decode(base64.urlsafe_b64decode(sealed[len(_MARK) :]))
    except (ValueError, RecursionError):
        return {}
    kept = cast("dict[str, Any]", metadata) if isinstance(metadata, dict) else {}
    return kept if all(isinstance(part, dict) for part in kept.values()) else {}
