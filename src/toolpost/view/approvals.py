"""What a person sees before deciding about a call: all that it would do, and the rules that "always" would save."""

from collections.abc import Iterator, Mapping
from typing import Any, cast

from msgspec import Struct, structs

from toolpost.arguments.parse_json import canonical
from toolpost.types.text import Language

from .diff import DiffHunk, added_lines, compare_texts, read_diff, read_patch
from .items import ApprovalItem
from .words import words

# Where the details of an ask tell how the tool has changed since it was approved.
_CHANGE = "tool_change"
# The arguments that a diff stands for, and the details that are shown in a place of their own.
_EDITING = frozenset({"path", "content", "patch", "old_text", "new_text", "edits"})
_SHOWN_DETAILS = frozenset({"arguments", "diff", "note", "written", _CHANGE})


class CommandPreview(Struct, frozen=True, tag="command"):
    text: str


class DiffPreview(Struct, frozen=True, tag="diff"):
    """What is changed, in this file or, where it is a patch, in those that its hunks name."""

    path: str
    hunks: tuple[DiffHunk, ...]


class ArgumentsPreview(Struct, frozen=True, tag="arguments"):
    arguments: Mapping[str, Any]


class ChangedTool(Struct, frozen=True):
    """How a server's tool differs from what was approved before; no diff where nobody kept what it was."""

    note: str
    diff: str = ""


class ApprovalView(Struct, frozen=True):
    """All that belongs to a decision.

    - `preview` is what would be done: the whole command, the diff, or all arguments. `arguments` are the others.
    - `wants` are the patterns that the preview does not say; `details` what the tool tells besides.
    - `written` is what the model wrote where it could not be read, `note` what a person should know.
    - `rules` are exactly what "always" would save: permission and pattern.
    """

    preview: CommandPreview | DiffPreview | ArgumentsPreview | None
    arguments: Mapping[str, Any]
    wants: tuple[str, ...]
    details: Mapping[str, Any]
    rules: tuple[tuple[str, str], ...]
    change: ChangedTool | None = None
    note: str = ""
    written: str = ""
    is_repetition: bool = False


def approval_of(ask: ApprovalItem) -> ApprovalView:
    """Nothing of it is cut. Show it through `escape_codes.exact`, so that nothing that is decided on stays unseen."""
    details, given = ask.details or {}, ask.arguments or {}
    preview, used = _preview(details, given)
    return ApprovalView(
        preview,
        {name: value for name, value in given.items() if name not in used},
        tuple(pattern for pattern in ask.patterns if not _is_said(pattern, given)),
        {name: value for name, value in details.items() if name not in _SHOWN_DETAILS},
        tuple((ask.permission, pattern) for pattern in ask.always),
        _change(details.get(_CHANGE)),
        _text(details.get("note")),
        _text(details.get("written")),
        ask.permission == "doom_loop",
    )


def rule_words(ask: ApprovalItem, language: Language) -> tuple[str, ...]:
    """Each rule that "always" would save, as a person reads it."""
    return tuple(
        words("approval.alwaysRule", language, permission=ask.permission, pattern=pattern) for pattern in ask.always
    )


def _preview(
    details: Mapping[str, Any], given: Mapping[str, Any]
) -> tuple[CommandPreview | DiffPreview | ArgumentsPreview | None, frozenset[str]]:
    """The preview, and the arguments that are in it."""
    path = _text(given.get("path"))
    if isinstance(diff := details.get("diff"), str):
        return DiffPreview(path, read_diff(diff)), _EDITING
    if isinstance(command := given.get("command"), str):
        return CommandPreview(command), frozenset({"command"})
    if isinstance(patch := given.get("patch"), str):
        return DiffPreview("", read_patch(patch)), frozenset({"patch"})
    if path and isinstance(content := given.get("content"), str):
        return DiffPreview(path, added_lines(content)), frozenset({"path", "content"})
    if path and (edits := list(_edits(given))):
        hunks = tuple(_unnumbered(hunk) for old, new in edits for hunk in compare_texts(old, new, context=None))
        return DiffPreview(path, hunks), frozenset({"path", "old_text", "new_text", "edits"})
    return (ArgumentsPreview(given), frozenset(given)) if given else (None, frozenset())


def _edits(given: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    several = given.get("edits")
    edits = cast("list[Any]", several) if isinstance(several, list) and several else [given]
    for edit in edits:
        if not isinstance(edit, Mapping):
            continue
        one = cast("Mapping[str, Any]", edit)
        old, new = one.get("old_text"), one.get("new_text")
        if isinstance(old, str) or isinstance(new, str):
            yield _text(old), _text(new)


def _unnumbered(hunk: DiffHunk) -> DiffHunk:
    """Where in the file an edit is, only the tool finds out."""
    lines = tuple(structs.replace(line, old=None, new=None, is_unended=False) for line in hunk.lines)
    return structs.replace(hunk, lines=lines)


def _change(told: Any) -> ChangedTool | None:
    if not isinstance(told, Mapping):
        return None
    change = cast("Mapping[str, Any]", told)
    return ChangedTool(_text(change.get("note")), _text(change.get("diff")))


def _is_said(pattern: str, given: Mapping[str, Any]) -> bool:
    """Whether the arguments say it already: a pattern is often one of them, or all of them."""
    return pattern in given.values() or pattern == canonical(dict(given))


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
