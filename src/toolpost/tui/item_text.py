"""The words of an item before they are drawn: to search in them, to copy them, and to guess how high they will be."""

import json

from toolpost.view.items import (
    ApprovalItem,
    CallItem,
    CompactionItem,
    FileItem,
    Item,
    NoticeItem,
    PromptItem,
    QuestionItem,
    ReasoningItem,
    RunEndItem,
    TextItem,
    text_of,
)

# Lines of a call and of reasoning that are folded, besides the output that is shown.
FOLDED_LINES = 1
# A prompt that is longer than this is folded, too.
LONG_PROMPT_LINES, LONG_PROMPT_CHARS = 14, 800
# Of a run: they follow each other without a blank line.
_STEPS = frozenset({"call", "reasoning", "file", "approval", "question", "notice"})


def can_fold(item: Item) -> bool:
    match item:
        case CallItem() | ReasoningItem():
            return True
        case PromptItem():
            return len(item.text) > LONG_PROMPT_CHARS or _line_ends(item.text) >= LONG_PROMPT_LINES
        case CompactionItem():
            return bool(item.summary)
        case NoticeItem() | RunEndItem():
            return item.error is not None
        case _:
            return False


def gap_between(item: Item, following: Item) -> int:
    """Blank lines between two items."""
    return 0 if item.kind in _STEPS and following.kind in _STEPS else 1


def written_text(item: Item) -> str:
    """What a person or a model wrote, as it stands; nothing for what is only drawn."""
    return item.text if isinstance(item, PromptItem | TextItem | ReasoningItem) else ""


def source_text(item: Item) -> str:
    """All that an item says, as it came."""
    match item:
        case TextItem() | ReasoningItem():
            return item.text
        case PromptItem():
            return "\n".join((item.text, *(file.name for file in item.files)))
        case CallItem():
            return _call_text(item)
        case FileItem():
            return f"{item.name} {item.mime}"
        case ApprovalItem():
            return "\n".join((item.title, item.permission, *item.patterns, _arguments(item.arguments)))
        case QuestionItem():
            return "\n".join(text for field in item.fields for text in (field.question, *field.options))
        case NoticeItem():
            return item.text
        case CompactionItem():
            return item.summary
        case RunEndItem():
            return f"{item.reason} {item.limit} {item.error.message if item.error else ''}"


def guess_height(item: Item, width: int, output_lines: int, *, is_expanded: bool) -> int:
    """About how many lines an item will have. It is asked for each item of a long session, so it only counts."""
    width = max(8, width)
    if isinstance(item, CallItem | ReasoningItem) and not is_expanded:
        has_output = isinstance(item, CallItem) and bool(item.content)
        return FOLDED_LINES + (output_lines // 2 if has_output else 0)
    match item:
        case TextItem() | ReasoningItem():
            # A text that grows is not put together for a guess.
            return 1 + len(item.source) // width + (_line_ends(item.text) if item.is_finished else 0)
        case PromptItem():
            height = 1 + len(item.text) // width + _line_ends(item.text)
            return height if is_expanded else min(height, LONG_PROMPT_LINES)
        case CallItem():
            text = text_of(item.content)
            return FOLDED_LINES + len(text) // width + _line_ends(text)
        case _:
            return 1


def _line_ends(text: str) -> int:
    return text.count("\n")


def _call_text(item: CallItem) -> str:
    arguments = _arguments(item.arguments) if item.arguments is not None else str(item.raw or "")
    told = text_of(item.content)
    if not told and item.output is not None:
        told = "\n".join(item.output.lines.lines)
    error = item.error.text if item.error else ""
    edits = (text for edit in item.edits for text in (edit.path, edit.diff))
    return "\n".join((item.name, item.label, item.title, arguments, told, error, *edits, *item.notices))


def _arguments(arguments: object) -> str:
    """Texts in arguments with their line ends as they are."""
    if isinstance(arguments, dict):
        return "\n".join(
            value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)
            for value in arguments.values()  # pyright: ignore[reportUnknownVariableType]
        )
    return ""
