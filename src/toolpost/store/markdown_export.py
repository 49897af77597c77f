"""Export a stored conversation as Markdown, message by message."""

import re
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from typing import Any

import msgspec

from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    Content,
    ContextPart,
    Failed,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    Running,
    SourceLink,
    TextPart,
    ToolPart,
)

from .contract import SessionInfo, Store

_ENDINGS = {"aborted": "stopped", "interrupted": "interrupted", "length": "cut off at its greatest length"}


async def current_branch(store: Store, info: SessionInfo) -> AsyncIterator[Message]:
    """From the root to the head, over compactions too. Read twice, so that only ids are held in memory."""
    parents = {message.id: message.parent_id async for message in store.messages(info.id)}
    path: set[str] = set()
    at = info.head
    while at is not None and at not in path:
        path.add(at)
        at = parents.get(at)
    async for message in store.messages(info.id):
        if message.id in path:
            yield message


async def markdown(
    store: Store, info: SessionInfo, about: str, redact: Callable[[str], str]
) -> AsyncGenerator[str, None]:
    """The current branch; `about` is a line that stands below the title."""
    yield f"# {redact(_one_line(info.title)) or 'Session'}\n\n{about}\n"
    async for message in current_branch(store, info):
        blocks = [block for part in message.parts if (block := _markdown_of(part))]
        if message.error is not None:
            blocks.append(f"> **Error:** {_one_line(message.error.message)}")
        elif ending := ending_of(message):
            blocks.append(f"*({ending})*")
        if blocks:
            who = "User" if message.role == "user" else "Assistant"
            yield redact(f"\n## {who}\n\n" + "\n\n".join(blocks)) + "\n"


def ending_of(message: Message) -> str:
    """Describe an unusual end of an answer in a word or two; empty for a normal end."""
    return _ENDINGS.get(message.finish.reason, "") if message.finish is not None else ""


def result_text(content: tuple[Content, ...]) -> str:
    """Format the result of a call as text, with the names of its files."""
    return "\n".join(without_marks(part.text) if isinstance(part, TextPart) else file_text(part) for part in content)


def compact_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def file_text(part: FilePart) -> str:
    return f"[file: {part.name or part.url or 'unnamed'}, {part.mime}]"


def _markdown_of(part: Part) -> str:
    match part:
        case TextPart(text):
            return text.strip()
        case ReasoningPart(text) if text.strip():
            return f"<details><summary>Reasoning</summary>\n\n{_fenced(text.strip())}\n\n</details>"
        case ToolPart(_, name, state):
            return _markdown_call(name, state)
        case FilePart():
            return f"*{file_text(part)}*"
        case ContextPart(links=links) if links:
            return "*Found for this question:*\n\n" + "\n".join(f"- {_linked(link)}" for link in links)
        case CompactionPart(summary):
            return f"*What came before was summarised:*\n\n{summary}"
        case _:
            return ""


def _linked(link: SourceLink) -> str:
    title = _one_line(link.title)
    return f"{title} <{link.url}>" if title else f"<{link.url}>"


def _markdown_call(name: str, state: Any) -> str:
    match state:
        case Completed():
            asked, outcome, result = compact_json(state.arguments), "completed", result_text(state.content)
        case Failed():
            asked, outcome, result = (
                state.raw or compact_json(state.arguments or {}),
                state.kind,
                without_marks(state.message),
            )
        case Running():
            asked, outcome, result = compact_json(state.arguments), "not finished", ""
        case _:
            asked, outcome, result = state.raw, "not begun", ""
    pieces = [f"**Tool call** `{name}` ({outcome})", _fenced(asked, "json")]
    return "\n\n".join([*pieces, _fenced(result)] if result else pieces)


def _fenced(text: str, language: str = "") -> str:
    """A code block whose fence is longer than any in the text, which could end it early."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def _one_line(text: str) -> str:
    return " ".join(text.split())
