"""Draw the result of a call by its kind: text, a command's output, a diff, a table, JSON, hits, files."""

import json
from collections.abc import Iterable, Iterator, Sequence

from msgspec import structs
from rich.segment import Segment

from toolpost.types.messages import FilePart
from toolpost.view.diff import read_diff
from toolpost.view.items import FileEdit
from toolpost.view.results import (
    DiffResult,
    FileResult,
    HitsResult,
    JsonResult,
    MarkdownResult,
    NoResult,
    PlainResult,
    Result,
    SeveralResults,
    TableResult,
    TerminalResult,
    WebHit,
)
from toolpost.view.words import words

from .code import code_pieces, open_code
from .contract import Look
from .diffs import DiffLines
from .inline import link_style
from .lines import Line, Piece, TextLines, cut, tidy, wrap
from .markdown import MarkdownLines
from .marks import in_folder, size_words
from .tables import cell_of, column_widths, table_head, table_row
from .terminal_output import TerminalLines

MAX_TABLE_ROWS = 500
MAX_CELL_CHARS = 200
# The most that is looked at of a text for one line of a card that is folded.
_CHARS_A_LINE = 500

Parts = list[Sequence[Line]]


def result_parts(result: Result, look: Look) -> Parts:
    """The lines of a result; of one that is folded the first, of a command's output the last, and how many are left
    out. What is large and open is drawn when it is looked at."""
    match result:
        case NoResult():
            return [[cut([(words("tool.empty", look.language), look.palette.style("dim"))], look.width)]]
        case PlainResult(text):
            return text_parts(text, look)
        case TerminalResult(text, exit_code):
            return [*_terminal_parts(text, look), *_exit_code(exit_code, look)]
        case JsonResult(value):
            return text_parts(json_text(value, indent=2), look, language="json")
        case MarkdownResult(text):
            return folded(_markdown_parts(text, look), look, text.count("\n"))
        case SeveralResults(results):
            return [part for one in results for part in result_parts(one, look)]
        case DiffResult():
            return folded(_diff_parts(result, look), look, sum(edit.diff.count("\n") + 1 for edit in result.files))
        case TableResult():
            return folded([list(_table_lines(result, look))], look, len(result.rows))
        case HitsResult():
            return folded([list(_hit_lines(result, look))], look)
        case FileResult(file):
            return [[file_line(file, look)]]


def text_parts(text: str, look: Look, *, language: str = "") -> Parts:
    """A text, from its start on."""
    style = look.palette.style("text" if look.is_expanded else "dim")
    count = text.count("\n") + 1
    is_cut = not look.is_expanded and count > look.output_lines
    shown = _first(text, look.output_lines - 1) if is_cut else text

    def highlighted(_: int, line: str) -> Sequence[Piece]:
        return code_pieces(line, open_code(language), look)[0]

    lines = TextLines(look.width, style, (), highlighted if language else None)
    lines.feed(shown[: look.output_lines * _CHARS_A_LINE] if not look.is_expanded else shown)
    return [lines, *_more(count - look.output_lines + 1, look)] if is_cut else [lines]


def folded(parts: Iterable[Sequence[Line]], look: Look, count: int = 0) -> Parts:
    """All lines, or the first ones. `count` says about how many there are, so that not all have to be drawn for it."""
    if look.is_expanded:
        return list(parts)
    first: list[Line] = []
    for part in parts:
        first += part[: look.output_lines + 1 - len(first)]
        if len(first) > look.output_lines:
            rest = max(1, (count or sum(map(len, parts))) - look.output_lines + 1)
            return [first[: look.output_lines - 1], *_more(rest, look)]
    return [first]


def file_line(file: FilePart, look: Look, *, is_whole: bool = True) -> Line:
    """A file: its name, which leads to it if it has an address, its kind and size."""
    style = look.palette.style("accent")
    about = [tidy(file.mime)] if file.mime else []
    if file.data:
        about.append(size_words(len(file.data) * 3 // 4))
    name = tidy(file.name or file.url.rpartition("/")[2] or file.mime)
    mark = "▪ " if look.has_unicode else "* "
    shown = (name, link_style(look, file.url) if file.url else style)
    waiting = [] if is_whole else [(" …", look.palette.style("running"))]
    return cut([(mark, style), shown, (f"  {', '.join(about)}", look.palette.style("dim")), *waiting], look.width)


def _more(count: int, look: Look) -> Parts:
    return [
        [cut([("… " + words("lines.more", look.language, count=f"{count:,}"), look.palette.style("dim"))], look.width)]
    ]


def _first(text: str, count: int) -> str:
    """The first lines of a text, without looking at the rest."""
    end = -1
    for _ in range(max(1, count)):
        end = text.find("\n", end + 1)
        if end < 0:
            return text
    return text[:end]


def _last(text: str, count: int) -> str:
    start = len(text)
    for _ in range(max(1, count)):
        start = text.rfind("\n", 0, start)
        if start < 0:
            return text
    return text[start + 1 :]


def _terminal_parts(text: str, look: Look) -> Parts:
    text = text.strip("\n")
    count = text.count("\n") + 1
    is_cut = not look.is_expanded and count > look.output_lines
    shown = _last(text, look.output_lines - 1) if is_cut else text
    lines = TerminalLines(look, look.palette.style("text" if look.is_expanded else "dim"))
    lines.feed(shown if look.is_expanded else shown[-look.output_lines * _CHARS_A_LINE :])
    return [*_more(count - look.output_lines + 1, look), lines] if is_cut else [lines]


def _exit_code(code: int | None, look: Look) -> Parts:
    if not code:
        return []
    return [[cut([(words("job.code", look.language, code=code), look.palette.style("error"))], look.width)]]


def json_text(value: object, indent: int | None = None) -> str:
    # Not by msgspec: what a model writes may have halves of characters.
    return json.dumps(value, ensure_ascii=False, indent=indent, default=str)


def _markdown_parts(text: str, look: Look) -> Parts:
    markdown = MarkdownLines(look)
    markdown.feed(
        text if look.is_expanded else _first(text, look.output_lines * 4)[: look.output_lines * _CHARS_A_LINE]
    )
    return [*markdown.parts]


def _diff_parts(result: DiffResult, look: Look) -> Iterator[Sequence[Line]]:
    for edit in result.files:
        yield [edit_line(edit, look)]
        if edit.note:
            yield wrap([(tidy(edit.note), look.palette.style("dim"))], look.width)
        shown = edit.diff if look.is_expanded else _first(edit.diff, look.output_lines * 4)
        yield DiffLines(read_diff(shown), look)
    if result.remarks:
        yield wrap([("\n".join(map(tidy, result.remarks.split("\n"))), look.palette.style("warning"))], look.width)


def edit_line(edit: FileEdit, look: Look) -> Line:
    """Which file was changed, and how much."""
    kind = words(f"panel.kinds.{edit.change}", look.language)
    name = tidy(in_folder(edit.path, look)) or kind
    pieces = [(name, look.palette.style("strong")), (f"  {kind}", look.palette.style("dim"))]
    if edit.added:
        pieces.append((f"  +{edit.added}", look.palette.style("added")))
    if edit.removed:
        pieces.append((f"  -{edit.removed}", look.palette.style("removed")))
    return cut(pieces, look.width)


def _table_lines(result: TableResult, look: Look) -> Iterator[Line]:
    rows = result.rows[:MAX_TABLE_ROWS] if look.is_expanded else result.rows[: look.output_lines + 1]
    text = look.palette.style("text")
    head = tuple(cell_of([(tidy(name), look.palette.style("strong"))]) for name in result.columns)
    count = len(head)
    drawn = [tuple(cell_of([(_cell_text(value), text)]) for value in (*row, *[""] * count)[:count]) for row in rows]
    if not head:
        return
    widths = column_widths([head, *drawn], look.width)
    aligns = ["left"] * count
    yield from table_head(head, widths, aligns, look)
    for row in drawn:
        yield from table_row(row, widths, aligns, look)
    if look.is_expanded and (left_out := len(result.rows) - len(rows)):
        yield from _more(left_out, look)[0]


def _cell_text(value: object) -> str:
    text = value if isinstance(value, str) else "" if value is None else json_text(value)
    return tidy(text[:MAX_CELL_CHARS]) + ("…" if len(text) > MAX_CELL_CHARS else "")


def _hit_lines(result: HitsResult, look: Look) -> Iterator[Line]:
    if result.summary:
        yield from wrap([(tidy(result.summary), look.palette.style("text"))], look.width)
    for hit in result.hits:
        yield from _hit(hit, look)


def _hit(hit: WebHit, look: Look) -> Iterator[Line]:
    dim = look.palette.style("dim")
    about = "  " + tidy(hit.source or hit.url.split("/")[2])
    yield cut([(tidy(hit.title), link_style(look, hit.url)), (about, dim)], look.width)
    if look.is_expanded:
        for text in hit.text.split("\n"):
            for line in wrap([(tidy(text), dim)], look.width - 2):
                yield (Segment("  "), *line)


def narrowed(look: Look, by: int) -> Look:
    """The same look with less room."""
    return structs.replace(look, width=max(1, look.width - by))
