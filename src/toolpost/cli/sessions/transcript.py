"""Write a stored conversation as text for a terminal, message by message."""

from collections.abc import Callable, Iterator

from toolpost.cli.shared.formats import dollars, lasted, moment, short_id
from toolpost.cli.shared.tables import bold, dim, plain
from toolpost.store.contract import SessionInfo, Store
from toolpost.store.markdown_export import compact_json, current_branch, ending_of, file_text, result_text
from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import (
    CompactionPart,
    Completed,
    ContextPart,
    Failed,
    FilePart,
    Part,
    ReasoningPart,
    RetryPart,
    Running,
    TextPart,
    ToolPart,
)
from toolpost.types.text import counted
from toolpost.view.escape_codes import readable

RESULT_LINES = 12

Write = Callable[[str], object]


async def write_text(
    store: Store, info: SessionInfo, write: Write, redact: Callable[[str], str], full: bool, state: str = ""
) -> None:
    """The conversation for a terminal, with the `state` of its open run. Unless `full`, a long result shows only its
    beginning."""
    facts = " · ".join(filter(None, (about(info), state)))
    write(f"{bold(plain(redact(info.title)) or '(no title)')}\n{dim(facts)}\n")
    async for message in current_branch(store, info):
        lines = [line for part in message.parts for line in _text_of(part, full)]
        if message.error is not None:
            lines.append(f"! {message.error.message}")
        elif ending := ending_of(message):
            lines.append(f"({ending})")
        if lines:
            who = "you" if message.role == "user" else "assistant"
            text = readable(redact("\n".join(lines)).replace("\r\n", "\n"))
            write(f"\n{bold(who)}  {dim(moment(message.time))}\n{_indented(text)}\n")


def about(info: SessionInfo) -> str:
    """The line below its title."""
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
            yield file_text(part)
        case ContextPart(links=links) if links:
            yield "\n".join(f"[found: {link.title or link.url} {link.url}]" for link in links)
        case CompactionPart(summary):
            yield f"(earlier messages were summarised)\n{summary}"
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
            yield _indented(_head(without_marks(state.message), full))
        case Running():
            yield f"→ {part.name} {compact_json(state.arguments)}  (running, or interrupted)"
        case _:
            yield f"→ {part.name} {state.raw}  (not started)"


def _head(text: str, full: bool) -> str:
    lines = text.splitlines()
    if full or len(lines) <= RESULT_LINES:
        return text
    left = counted(len(lines) - RESULT_LINES, "line")
    return "\n".join([*lines[:RESULT_LINES], f"… {left} more, shown with --full"])


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" if line else "" for line in text.splitlines())
