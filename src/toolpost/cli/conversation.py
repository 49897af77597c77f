"""A stored conversation as text for a terminal or as Markdown, message by message."""

import re
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

import msgspec

from toolpost.store.contract import SessionInfo, Store
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    Content,
    Failed,
    FilePart,
    Message,
    Part,
    ReasoningPart,
    RetryPart,
    Running,
    TextPart,
    ToolPart,
)

from .tables import bold, dim, plain, plain_lines
from .words import counted, dollars, lasted, moment, short_id

RESULT_LINES = 12

Write = Callable[[str], object]


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


async def write_text(store: Store, info: SessionInfo, write: Write, redact: Callable[[str], str], full: bool) -> None:
    """The conversation for a terminal. Unless `full`, a long result shows only its beginning."""
    write(f"{bold(plain(redact(info.title)) or '(no title)')}\n{dim(_about(info))}\n")
    async for message in current_branch(store, info):
        lines = [line for part in message.parts for line in _text_of(part, full)]
        if message.error is not None:
            lines.append(f"! {message.error.message}")
        if lines:
            who = "you" if message.role == "user" else "assistant"
            text = plain_lines(redact("\n".join(lines)))
            write(f"\n{bold(who)}  {dim(moment(message.time))}\n{_indented(text)}\n")


async def write_markdown(store: Store, info: SessionInfo, write: Write, redact: Callable[[str], str]) -> None:
    write(f"# {redact(_one_line(info.title)) or 'Session'}\n\n{_about(info)}\n")
    async for message in current_branch(store, info):
        blocks = [block for part in message.parts if (block := _markdown_of(part))]
        if message.error is not None:
            blocks.append(f"> **Error:** {_one_line(message.error.message)}")
        if blocks:
            who = "User" if message.role == "user" else "Assistant"
            write(redact(f"\n## {who}\n\n" + "\n\n".join(blocks)) + "\n")


def result_text(content: tuple[Content, ...]) -> str:
    """What a call gave, with files named."""
    return "\n".join(part.text if isinstance(part, TextPart) else _file_text(part) for part in content)


def compact_json(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _about(info: SessionInfo) -> str:
    facts = [
        short_id(info.id),
        info.model,
        moment(info.created),
        counted(info.usage.total, "token"),
        dollars(info.cost),
    ]
    return " · ".join(plain(fact) for fact in facts if fact)


def _text_of(part: Part, full: bool) -> Iterator[str]:
    match part:
        case TextPart(text) if text.strip():
            yield text.strip("\n")
        case ReasoningPart(text) if text.strip():
            yield "\n".join(f"~ {line}" for line in text.strip().splitlines())
        case ToolPart():
            yield from _call_text(part, full)
        case FilePart():
            yield _file_text(part)
        case CompactionPart(summary):
            yield f"(what came before was summarised)\n{summary}"
        case RetryPart(attempt, error):
            yield f"! attempt {attempt} failed: {error.message}"
        case _:
            return


def _call_text(part: ToolPart, full: bool) -> Iterator[str]:
    state = part.state
    match state:
        case Completed():
            yield f"→ {part.name} {compact_json(state.arguments)}  ({lasted(state.ended - state.started)})"
            yield _indented(_head(result_text(state.content), full))
        case Failed():
            yield f"→ {part.name} {state.raw or compact_json(state.arguments or {})}  ({state.kind})"
            yield _indented(_head(state.message, full))
        case Running():
            yield f"→ {part.name} {compact_json(state.arguments)}  (running, or interrupted)"
        case _:
            yield f"→ {part.name} {state.raw}  (not begun)"


def _markdown_of(part: Part) -> str:
    match part:
        case TextPart(text):
            return text.strip()
        case ReasoningPart(text) if text.strip():
            return f"<details><summary>Reasoning</summary>\n\n{_fenced(text.strip())}\n\n</details>"
        case ToolPart(_, name, state):
            return _markdown_call(name, state)
        case FilePart():
            return f"*{_file_text(part)}*"
        case CompactionPart(summary):
            return f"*What came before was summarised:*\n\n{summary}"
        case _:
            return ""


def _markdown_call(name: str, state: Any) -> str:
    match state:
        case Completed():
            asked, outcome, result = compact_json(state.arguments), "completed", result_text(state.content)
        case Failed():
            asked, outcome, result = state.raw or compact_json(state.arguments or {}), state.kind, state.message
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


def _file_text(part: FilePart) -> str:
    return f"[file: {part.name or part.url or 'unnamed'}, {part.mime}]"


def _head(text: str, full: bool) -> str:
    lines = text.splitlines()
    if full or len(lines) <= RESULT_LINES:
        return text
    left = counted(len(lines) - RESULT_LINES, "line")
    return "\n".join([*lines[:RESULT_LINES], f"… {left} more, shown with --full"])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())


def _one_line(text: str) -> str:
    return " ".join(text.split())
