"""Estimate how many tokens messages take: one for four bytes of UTF-8, so Chinese counts more; files at a flat rate."""

import msgspec

from toolpost.types.messages import (
    CompactionPart,
    Completed,
    ContextPart,
    Failed,
    FilePart,
    Message,
    TextPart,
    ToolPart,
)

CHARS_PER_TOKEN = 4
FILE_TOKENS = 1_200


def text_tokens(text: str) -> int:
    """Four letters of English are one token; a Chinese character has three bytes and is a little less than one."""
    size = len(text) if text.isascii() else len(text.encode(errors="replace"))
    return size // CHARS_PER_TOKEN


def estimate(message: Message) -> int:
    """Tokens of a message with the results of its calls."""
    tokens = result_tokens(message)
    for part in message.parts:
        if isinstance(part, TextPart | ContextPart):
            tokens += text_tokens(part.text)
        elif isinstance(part, CompactionPart):
            tokens += text_tokens(part.summary)
        elif isinstance(part, FilePart):
            tokens += FILE_TOKENS
        elif isinstance(part, ToolPart) and isinstance(part.state, Completed | Failed):
            tokens += len(msgspec.json.encode(part.state.arguments)) // CHARS_PER_TOKEN
    return tokens


def result_tokens(message: Message) -> int:
    """Tokens of the results alone, which the usage that came with the message does not hold yet."""
    tokens = 0
    for call in message.calls:
        if isinstance(call.state, Completed):
            for part in call.state.content:
                tokens += text_tokens(part.text) if isinstance(part, TextPart) else FILE_TOKENS
        elif isinstance(call.state, Failed):
            tokens += text_tokens(call.state.message)
    return tokens
