"""What can be done with an item, as data: a face maps it to keys and buttons, and does it."""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from .items import (
    ApprovalItem,
    CallItem,
    FileItem,
    Item,
    NoticeItem,
    PromptItem,
    QuestionItem,
    ReasoningItem,
    RunEndItem,
    TextItem,
)
from .session_facts import SessionFacts

ActionKind = Literal[
    "expand",
    "copy",
    "edit_prompt",
    "fork_here",
    "undo_prompt",
    "undo_files",
    "open_file",
    "open_job",
    "enter_sub_agent",
    "reply_once",
    "reply_always",
    "reject",
    "answer",
    "dismiss",
    "retry",
    "resume",
    "compact",
    "stop",
    "unqueue",
]
# Failures that go away by shortening the conversation.
_TOO_LONG = frozenset({"context_overflow", "context_window"})


class Action(Struct, frozen=True):
    """`target` is what it is done with: the id of a message, an ask, a question, a run, a session, or the path of a
    file."""

    kind: ActionKind
    target: str = ""


def actions_of(item: Item, facts: SessionFacts, *, is_last: bool = False) -> tuple[Action, ...]:
    """What can be done with the item now. `is_last` if it is the last prompt, or the end of the last run."""
    return tuple(_actions(item, facts, is_last))


def session_actions(facts: SessionFacts) -> tuple[Action, ...]:
    """What can be done with the session as a whole."""
    waiting = tuple(Action("unqueue", one.id) for one in facts.queue)
    if facts.state in ("busy", "retrying", "waiting"):
        return (Action("stop"), *waiting)
    if facts.state in ("queued", "interrupted"):
        return (Action("resume"), Action("stop"), *waiting)
    return waiting


def _actions(item: Item, facts: SessionFacts, is_last: bool) -> Iterator[Action]:
    is_idle = facts.state == "idle"
    match item:
        case PromptItem():
            yield Action("copy")
            yield Action("fork_here", item.message_id)
            if is_idle:
                yield Action("edit_prompt", item.message_id)
            if is_idle and is_last:
                yield Action("undo_prompt", item.message_id)
        case TextItem():
            yield Action("copy")
            if item.is_finished:
                yield Action("fork_here", item.message_id)
        case ReasoningItem():
            yield from (Action("expand"), Action("copy"))
        case FileItem():
            yield Action("open_file")
        case CallItem():
            yield from _of_call(item, facts)
        case ApprovalItem():
            yield from _of_approval(item)
        case QuestionItem() if item.state == "open":
            yield from (Action("answer", item.id), Action("dismiss", item.id))
        case NoticeItem():
            yield from _of_notice(item, facts)
        case RunEndItem():
            yield from _of_end(item, facts, is_last)
        case _:
            yield Action("expand")


def _of_call(item: CallItem, facts: SessionFacts) -> Iterator[Action]:
    yield Action("expand")
    yield Action("copy")
    if item.sub_agent is not None:
        yield Action("enter_sub_agent", item.sub_agent.session_id)
    if item.job:
        yield Action("open_job", item.job)
    for diff in item.edits:
        if diff.change != "deleted":
            yield Action("open_file", diff.path)
    if item.edits and facts.state == "idle":
        # Files are undone by the message that changed them: whether nothing else has changed them since is found there.
        yield Action("undo_files", item.message_id)
    if not item.has_ended and item.phase != "handed_over":
        yield Action("stop")


def _of_approval(item: ApprovalItem) -> Iterator[Action]:
    yield Action("expand")
    if item.state == "open":
        yield Action("reply_once", item.id)
        if item.always:
            yield Action("reply_always", item.id)
        yield Action("reject", item.id)


def _of_notice(item: NoticeItem, facts: SessionFacts) -> Iterator[Action]:
    if item.code == "retry":
        yield Action("stop")
    elif item.code == "parked":
        yield from (Action("resume"), Action("stop"))
    elif item.code == "window_full" and facts.state == "idle":
        yield Action("compact")


def _of_end(item: RunEndItem, facts: SessionFacts, is_last: bool) -> Iterator[Action]:
    if facts.state != "idle" or not is_last or item.reason in ("done", "handed_over"):
        return
    if item.limit in _TOO_LONG or (item.error is not None and item.error.code in _TOO_LONG):
        yield Action("compact")
    yield Action("retry")
