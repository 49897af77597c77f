"""What a person sees before deciding about a call: all that it would do, and the rules that "always" would save."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, cast

from msgspec import Struct, structs

from toolpost.arguments.parse_json import canonical
from toolpost.types.text import Language

from .diff import DiffHunk, added_lines, compare_texts, read_diff, read_patch
from .items import ApprovalItem
from .words import words

# Where the details of an ask tell how the tool has changed since it was approved.
_CHANGE = "tool_change"
# The details that are shown in a place of their own.
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

    - `preview` is what would be done: the whole command, the diff, or all arguments. `arguments` are what it does not
      say, also of an edit in a list.
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
    preview, unsaid = _preview(details, given)
    return ApprovalView(
        preview,
        unsaid,
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
) -> tuple[CommandPreview | DiffPreview | ArgumentsPreview | None, Mapping[str, Any]]:
    """The preview, and what of the arguments it does not say: any tool may have them, under these names or others."""
    path = _text(given.get("path"))
    if isinstance(diff := details.get("diff"), str):
        hunks = read_diff(diff)
        return DiffPreview(path, hunks), _without_said(_without(given, "path") if path else given, _said_by(hunks))
    if isinstance(command := given.get("command"), str):
        return CommandPreview(command), _without(given, "command")
    if isinstance(patch := given.get("patch"), str):
        return DiffPreview("", read_patch(patch)), _without(given, "patch")
    if path and isinstance(content := given.get("content"), str):
        return DiffPreview(path, added_lines(content)), _without(given, "path", "content")
    if path and (edits := [edit for edit in _edits(given) if _changes_text(edit)]):
        hunks = tuple(_unnumbered(hunk) for edit in edits for hunk in compare_texts(*_texts(edit), context=None))
        return DiffPreview(path, hunks), _without_edits(_without(given, "path"))
    return (ArgumentsPreview(given), {}) if given else (None, {})


def _without(given: Mapping[str, Any], *names: str) -> dict[str, Any]:
    return {name: value for name, value in given.items() if name not in names}


def _edits(given: Mapping[str, Any]) -> Sequence[Any]:
    """The edits of a list; where there is none, the arguments are the only one."""
    several = given.get("edits")
    return cast("list[Any]", several) if isinstance(several, list) and several else [given]


def _changes_text(edit: Any) -> bool:
    """Whether something of it is in a diff: of two equal texts there is none."""
    if not isinstance(edit, Mapping):
        return False
    old, new = _texts(cast("Mapping[str, Any]", edit))
    return old != new


def _texts(edit: Mapping[str, Any]) -> tuple[str, str]:
    return _text(edit.get("old_text")), _text(edit.get("new_text"))


def _without_edits(given: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the texts that a diff of the edits says."""
    edits = _edits(given)
    left = [_without(edit, *_text_names(edit)) if _changes_text(edit) else edit for edit in edits]
    return left[0] if edits[0] is given else _with_edits(given, left)


def _text_names(edit: Mapping[str, Any]) -> Iterator[str]:
    return (name for name in ("old_text", "new_text") if isinstance(edit.get(name), str))


def _with_edits(given: Mapping[str, Any], left: Sequence[Any]) -> Mapping[str, Any]:
    """What is left of each edit stands in its place, if anything is left of one."""
    others = _without(given, "edits")
    return others if all(edit == {} for edit in left) else {**others, "edits": left}


def _said_by(hunks: Iterable[DiffHunk]) -> frozenset[str]:
    return frozenset(line.text for hunk in hunks for line in hunk.lines)


def _without_said(given: Mapping[str, Any], lines: frozenset[str]) -> Mapping[str, Any]:
    """Without the texts whose every line is in the diff that a tool has told: it may leave out what it likes."""

    def is_said(name: str, value: Any) -> bool:
        is_text = name in ("content", "old_text", "new_text") and isinstance(value, str)
        return is_text and lines.issuperset(value.removesuffix("\n").split("\n"))

    def unsaid(edit: Any) -> Any:
        if not isinstance(edit, Mapping):
            return edit
        known = cast("Mapping[str, Any]", edit)
        return {name: value for name, value in known.items() if not is_said(name, value)}

    left = unsaid(given)
    edits = _edits(given)
    return left if edits[0] is given else _with_edits(left, [unsaid(edit) for edit in edits])


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
