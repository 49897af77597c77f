"""The frames of the AI SDK's UI message stream, version 1."""

from typing import Any

import msgspec

HEADERS = {"x-vercel-ai-ui-message-stream": "v1"}
PING = b": keep-alive\n\n"
DONE = b"data: [DONE]\n\n"


def frame(chunk: dict[str, Any]) -> bytes:
    return b"data: " + msgspec.json.encode(chunk) + b"\n\n"


def failure(text: str) -> bytes:
    """The last words of a stream that is broken off."""
    return frame({"type": "error", "errorText": text}) + DONE
