"""What the result of a call is, and so how it is shown: text, a terminal's output, a diff, a table, files…

It is found when a face asks for it, and not when the result comes: most results are never looked at.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec import Struct

from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import FilePart, TextPart

from .items import CallItem, FileEdit

_SHELLS = frozenset({"bash", "job_start", "job_read", "job_wait", "job_stop"})
_PROSE = frozenset({"task", "skill"})
# A larger text is not looked at as JSON.
MAX_PARSED_CHARS = 200_000
_DIFF = re.compile(r"diff --git |--- \S.*\n\+\+\+ ")
# Entries of `web_search`: a title, an address, the source, and some lines, in English or Chinese.
_HIT = re.compile(
    r"^\d+\. (?P<title>.+)\n\s*(?P<url>https?://\S+)\n?"
    r"(?:(?:Source: |来源：)(?P<source>.*)\n?)?(?:内容：)?(?P<text>[\s\S]*?)"
    r"(?=^\d+\. .+\n\s*https?:|^\[(?:Cut: |Note: |已截断：|注意：)|\Z)",
    re.MULTILINE,
)
_SUMMARY = re.compile(r"^(?:Summary: |摘要：)(.+)$", re.MULTILINE)


class NoResult(Struct, frozen=True, tag="nothing"):
    pass


class PlainResult(Struct, frozen=True, tag="text"):
    text: str


class MarkdownResult(Struct, frozen=True, tag="markdown"):
    text: str


class TerminalResult(Struct, frozen=True, tag="terminal"):
    """What a command printed, with its colours as escape sequences. `exit_code` is None where it is not known."""

    text: str
    exit_code: int | None = None


class DiffResult(Struct, frozen=True, tag="diff"):
    """Files that were changed. `remarks` is what there is to say besides, such as what a language server finds."""

    files: tuple[FileEdit, ...]
    remarks: str = ""


class JsonResult(Struct, frozen=True, tag="json"):
    value: Any


class TableResult(Struct, frozen=True, tag="table"):
    columns: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]


class WebHit(Struct, frozen=True):
    title: str
    url: str
    source: str = ""
    text: str = ""


class HitsResult(Struct, frozen=True, tag="hits"):
    hits: tuple[WebHit, ...]
    summary: str = ""


class FileResult(Struct, frozen=True, tag="file"):
    """An image or another file that the result holds."""

    file: FilePart

    @property
    def is_image(self) -> bool:
        return self.file.mime.startswith("image/")


class SeveralResults(Struct, frozen=True, tag="several"):
    results: tuple["Result", ...]


Result = (
    NoResult
    | PlainResult
    | MarkdownResult
    | TerminalResult
    | DiffResult
    | JsonResult
    | TableResult
    | HitsResult
    | FileResult
    | SeveralResults
)


def result_of(call: CallItem) -> Result:
    """The result of a call that has ended, by its kind."""
    files = tuple(diff for diff in call.edits if diff.diff or diff.note)
    if files:
        # The first line of the text says what the diff shows; what follows may be what is wrong with it.
        text = without_marks("\n".join(part.text for part in call.content if isinstance(part, TextPart)))
        return DiffResult(files, text.partition("\n")[2].strip("\n"))
    found = [_piece(call, part) for part in call.content]
    shown = tuple(result for result in found if not isinstance(result, NoResult))
    if not shown:
        return NoResult()
    return shown[0] if len(shown) == 1 else SeveralResults(shown)


def _piece(call: CallItem, part: TextPart | FilePart) -> Result:
    return FileResult(part) if isinstance(part, FilePart) else _of_text(call, without_marks(part.text))


def _of_text(call: CallItem, text: str) -> Result:
    if not text:
        return NoResult()
    if call.name in _SHELLS:
        code = (call.details or {}).get("exit_code")
        return TerminalResult(text, code if isinstance(code, int) else None)
    if call.name in _PROSE:
        return MarkdownResult(text)
    if call.name == "web_search" and (hits := tuple(map(_hit, _HIT.finditer(text)))):
        summary = _SUMMARY.search(text)
        return HitsResult(hits, summary[1] if summary else "")
    if len(text) < MAX_PARSED_CHARS and text.lstrip()[:1] in ("[", "{"):
        try:
            return _of_value(msgspec.json.decode(text))
        except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
            pass  # it only looked like JSON, or has halves of characters, or is nested too deeply
    if _DIFF.match(text):
        return DiffResult((FileEdit("", diff=text),))
    return TerminalResult(text) if "\x1b[" in text else PlainResult(text)


def _of_value(value: Any) -> Result:
    if isinstance(value, dict):
        return _table_of(cast("Mapping[str, Any]", value)) or JsonResult(value)
    if not isinstance(value, list) or len(cast("list[Any]", value)) < 2:
        return JsonResult(value)
    rows = cast("list[Any]", value)
    if not all(isinstance(row, dict) for row in rows):
        return JsonResult(rows)
    columns = tuple(rows[0])
    is_table = bool(columns) and all(tuple(row) == columns for row in rows)
    if not is_table or any(isinstance(cell, dict | list) for row in rows for cell in row.values()):
        return JsonResult(rows)
    return TableResult(columns, tuple(tuple(row.values()) for row in rows))


def _table_of(value: Mapping[str, Any]) -> TableResult | None:
    """A table that says its columns apart from its rows, as databases do."""
    columns, rows = value.get("columns"), value.get("rows")
    if not isinstance(columns, list) or not isinstance(rows, list):
        return None
    given = cast("Sequence[Any]", rows)
    if not all(isinstance(row, list) for row in given):
        return None
    return TableResult(tuple(map(str, cast("list[Any]", columns))), tuple(map(tuple, given)))


def _hit(found: re.Match[str]) -> WebHit:
    return WebHit(found["title"], found["url"], found["source"] or "", found["text"].strip())
