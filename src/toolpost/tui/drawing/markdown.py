"""Draw Markdown while it streams: finished blocks stay as they are, and only the last one is drawn with each delta.

The blocks are found line by line, so that what is drawn never depends on how a text was cut into deltas. Inside of
lists and quotes it goes on in the same way: an answer that is one long list costs a delta no more than a short one. A
paragraph, a line or a table that does not end is drawn in parts.
"""

import re
from collections.abc import Iterator
from typing import Any, Literal

from msgspec import Struct, structs
from rich.segment import Segment
from rich.style import Style

from .code import CodeState, code_pieces, open_code
from .contract import Look, StyleName
from .copied_text import WHOLE_LINE, CopiedLine
from .inline import inline_pieces
from .lines import MIN_WIDTH, Line, Piece, RuledLines, chopped, copy_rule, cut, first_change, shifted, tidy, wrap
from .tables import Cell, cell_of, column_widths, table_head, table_row

# What is longer is drawn in parts: a delta never costs more than this.
MAX_PARAGRAPH = 2_400
MAX_LINE = 2_000
# So many rows of a table decide how wide its columns are.
MEASURED_ROWS = 40
# What is left for text, however deep lists are nested.
LEAST_WIDTH = 10

_ITEM = re.compile(r"( {0,3})([-*+]|(\d{1,9})([.)]))( +|$)")
_QUOTE = re.compile(r" {0,3}> ?")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})\s*([^`]*)$")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:\s+(.*?))??(?:\s+#+)?\s*$")
_RULE = re.compile(r" {0,3}([-*_])(?: *\1){2,} *$")
_UNDERLINE = re.compile(r" {0,3}(=+|-+) *$")
_DELIMITERS = re.compile(r"(?! {4})\s*\|?(?:\s*:?-+:?\s*\|)*\s*:?-+:?\s*\|?\s*$")
_TASK = re.compile(r"\[([ xX])\] ")
_REFERENCE = re.compile(r" {0,3}\[([^\]^]+)\]:\s*<?(\S+?)>?(?:\s+[\"'(].*)?$")

Kind = Literal["", "paragraph", "heading", "code", "table", "rule"]
# They stand apart from what comes before and behind, even where no blank line is written.
_APART: frozenset[Kind] = frozenset({"code", "table", "rule"})


class _Container(Struct, frozen=True):
    """A quote, or an item of a list: a line that belongs to it begins with `size` blanks. `first` and `rest` stand
    before its lines. `indent` is where the mark of an item begins."""

    is_quote: bool
    first: str = ""
    rest: str = ""
    size: int = 0
    indent: int = 0
    delimiter: str = ""
    number: int = 0
    is_drawn: bool = False


class _Paragraph(Struct, frozen=True):
    lines: tuple[str, ...] = ()
    size: int = 0
    is_continued: bool = False


class _Fence(Struct, frozen=True):
    """Code, up to a line with `mark`; indented code has none."""

    state: CodeState
    mark: str = ""
    indent: int = 0
    blanks: int = 0


class _Table(Struct, frozen=True):
    """`widths` are set once there were enough rows to know; the rows before are still to be drawn then."""

    aligns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[int, ...] = ()


class _State(Struct, frozen=True):
    """Where in the text it is. Values, so that a line which is not whole can be tried and forgotten."""

    containers: tuple[_Container, ...] = ()
    leaf: _Paragraph | _Fence | _Table | None = None
    is_blank: bool = False
    last: Kind = ""
    # The last item of the list at each depth: its delimiter and number.
    counts: tuple[tuple[str, int], ...] = ()
    references: dict[str, Any] = {}


class MarkdownLines:
    """The lines of a text that grows. `parts` are those that stay, and those that may still change."""

    def __init__(self, look: Look, *, style: StyleName = "text", indent: int = 0) -> None:
        self._look = look
        self._width = max(look.width, MIN_WIDTH)
        self._indent = indent
        self._style = look.palette.style(style)
        self._is_plain = style != "text"
        self._out = RuledLines()
        self._finished = self._out
        self._tail = RuledLines()
        self._rest = ""
        self._is_more = False
        self._state = _State()

    @property
    def parts(self) -> tuple[RuledLines, RuledLines]:
        return self._finished, self._tail

    def feed(self, text: str) -> int:
        """Add to the text; gives the first line that is not as before."""
        kept, before = len(self._finished), self._tail
        *lines, rest = (self._rest + text).split("\n")
        for line in lines:
            self._take_parts(line)
            self._is_more = False
        self._rest = rest
        while len(self._rest) > MAX_LINE:
            self._rest = self._take_part(self._rest)
        state, self._tail = self._state, RuledLines()
        self._out = self._tail
        if self._rest:
            self._take(tidy(self._rest))
        self._close(0)
        self._state, self._out = state, self._finished
        return kept + first_change(before, [*self._finished[kept : kept + len(before)], *self._tail])

    def _take_parts(self, line: str) -> None:
        while len(line) > MAX_LINE:
            line = self._take_part(line)
        self._take(tidy(line))

    def _take_part(self, line: str) -> str:
        """Take the first part of a line that is too long; gives the rest."""
        place = line.rfind(" ", MAX_LINE // 2, MAX_LINE) + 1 or MAX_LINE
        self._take(tidy(line[:place]))
        self._is_more = True
        return line[place:]

    def _set(self, **changes: Any) -> None:
        self._state = structs.replace(self._state, **changes)

    def _take(self, line: str) -> None:
        if self._is_more:
            self._go_on(line)
            return
        matched, rest = self._matched(line)
        leaf = self._state.leaf
        if matched < len(self._state.containers):
            is_in_list = not self._state.containers[matched].is_quote
            if isinstance(leaf, _Paragraph) and rest.strip() and not _begins_block(rest, is_in_list=is_in_list):
                self._paragraph_line(rest)
                return
            self._close(matched)
        elif isinstance(leaf, _Fence) and self._fence_line(leaf, rest):
            return
        self._block_line(rest)

    def _go_on(self, line: str) -> None:
        """A line that was too long goes on: nothing in it begins a block."""
        if isinstance(self._state.leaf, _Fence):
            self._code_line(self._state.leaf, line)
        else:
            self._paragraph_line(line)

    def _matched(self, line: str) -> tuple[int, str]:
        """How many of the open containers the line belongs to, and what is left of it."""
        for number, container in enumerate(self._state.containers):
            if container.is_quote:
                found = _QUOTE.match(line)
                if not found:
                    return number, line
                line = line[found.end() :]
                continue
            indent = len(line) - len(line.lstrip(" "))
            if line.strip() and indent < container.size and not _is_below(container, line[indent:], indent):
                return number, line
            line = line[min(indent, container.size) :]
        return len(self._state.containers), line

    def _block_line(self, line: str) -> None:
        """A line inside of the containers it belongs to: it may open others, and begin or end a block."""
        while True:
            leaf = self._state.leaf
            if isinstance(leaf, _Paragraph) and self._ends_as_heading_or_table(leaf, line):
                return
            if found := _QUOTE.match(line):
                self._close(len(self._state.containers))
                bar = "▌ " if self._look.has_unicode else "| "
                self._open(_Container(True, bar, bar))
                line = line[found.end() :]
            elif (found := _ITEM.match(line)) and not _RULE.match(line) and self._may_begin(found, leaf):
                line = line[self._open_item(found) :]
            else:
                break
            if not line.strip():
                return
        self._leaf_line(line)

    def _may_begin(self, found: re.Match[str], leaf: object) -> bool:
        """Inside of a paragraph, a number that is not 1 and a mark with nothing behind it are text."""
        if not isinstance(leaf, _Paragraph):
            return True
        is_in_list = any(not container.is_quote for container in self._state.containers)
        return bool(found[5]) and (found[3] in (None, "1") or is_in_list)

    def _open_item(self, found: re.Match[str]) -> int:
        """Open an item of a list; gives where what it says begins."""
        self._close(len(self._state.containers))
        depth = len(self._state.containers)
        delimiter, number = found[4] or found[2], int(found[3] or 0)
        if depth < len(self._state.counts):
            before, last = self._state.counts[depth]
            number = last + 1 if before == delimiter and found[3] else number
        blanks = len(found[5]) if 1 <= len(found[5]) <= 4 else 1
        size = len(found[1]) + len(found[2]) + blanks
        mark = f"{number}{delimiter} " if found[3] else "• " if self._look.has_unicode else "- "
        self._set(counts=(*self._state.counts[:depth], (delimiter, number)))
        self._open(_Container(False, mark, " " * len(mark), size, len(found[1]), delimiter, number))
        return min(size, found.end())

    def _open(self, container: _Container) -> None:
        depth = len(self._state.containers)
        # The counts of lists stand at the depth of their items; a quote has none.
        counts = (*self._state.counts[:depth], ("", 0)) if container.is_quote else self._state.counts
        self._set(containers=(*self._state.containers, container), counts=counts)

    def _leaf_line(self, line: str) -> None:
        leaf = self._state.leaf
        if not line.strip():
            self._end_leaf()
            containers = self._state.containers
            if containers and not containers[-1].is_drawn and not containers[-1].is_quote:
                # An item that begins with two blank lines is empty.
                self._close(len(containers) - 1)
            self._set(is_blank=True)
        elif found := _FENCE.match(line):
            self._end_leaf()
            self._begin_fence(found)
        elif found := _HEADING.match(line):
            self._end_leaf()
            self._heading(found[2] or "", len(found[1]))
        elif _RULE.match(line):
            self._end_leaf()
            self._rule()
        elif isinstance(leaf, _Table) and "|" in line:
            self._table_line(leaf, line)
        elif line.startswith("    ") and not isinstance(leaf, _Paragraph):
            self._end_leaf()
            self._set(leaf=_Fence(open_code(""), indent=4))
            self._between("code")
            self._fence_line(self._leaf_fence(), line)
        else:
            self._paragraph_line(line)

    def _leaf_fence(self) -> _Fence:
        assert isinstance(self._state.leaf, _Fence)
        return self._state.leaf

    def _paragraph_line(self, line: str) -> None:
        leaf = self._state.leaf
        if not isinstance(leaf, _Paragraph):
            self._end_leaf()
            leaf = _Paragraph()
        text = line if self._is_more else line.lstrip(" ")
        leaf = _Paragraph((*leaf.lines, text), leaf.size + len(text), leaf.is_continued)
        self._set(leaf=leaf)
        if leaf.size > MAX_PARAGRAPH:
            self._end_leaf()
            self._set(leaf=_Paragraph(is_continued=True))

    def _ends_as_heading_or_table(self, leaf: _Paragraph, line: str) -> bool:
        if not leaf.lines or leaf.is_continued:
            return False
        if found := _UNDERLINE.match(line):
            self._set(leaf=None)
            self._heading(" ".join(leaf.lines), 1 if "=" in found[1] else 2)
            return True
        if "|" not in leaf.lines[-1] or not _DELIMITERS.match(line):
            return False
        names, marks = _row(leaf.lines[-1]), _row(line)
        if len(names) != len(marks):
            return False
        self._set(leaf=structs.replace(leaf, lines=leaf.lines[:-1]))
        self._end_leaf()
        aligns = tuple("center" if m[:1] == m[-1:] == ":" else "right" if m[-1:] == ":" else "left" for m in marks)
        bold = self._style + self._look.palette.style("strong")
        header = tuple(cell_of(self._inline(name, bold)) for name in names)
        self._set(leaf=_Table(aligns, (header,)))
        return True

    def _table_line(self, leaf: _Table, line: str) -> None:
        row = _row(line)[: len(leaf.aligns)]
        row += [""] * (len(leaf.aligns) - len(row))
        added = tuple(cell_of(self._inline(text, self._style)) for text in row)
        if leaf.widths:
            self._emit(*table_row(added, leaf.widths, leaf.aligns, self._look))
            return
        leaf = structs.replace(leaf, rows=(*leaf.rows, added))
        self._set(leaf=leaf)
        if len(leaf.rows) > MEASURED_ROWS:
            self._set(leaf=structs.replace(leaf, rows=(), widths=self._draw_table(leaf)))

    def _draw_table(self, leaf: _Table) -> tuple[int, ...]:
        self._between("table")
        widths = column_widths(leaf.rows, self._room())
        self._emit(*table_head(leaf.rows[0], widths, leaf.aligns, self._look))
        for row in leaf.rows[1:]:
            self._emit(*table_row(row, widths, leaf.aligns, self._look))
        return widths

    def _begin_fence(self, found: re.Match[str]) -> None:
        self._between("code")
        language = found[2].split()[0] if found[2].split() else ""
        indent = len(found[0]) - len(found[0].lstrip(" "))
        self._set(leaf=_Fence(open_code(language), found[1], indent))
        if language:
            self._emit(cut([("  " + language, self._look.palette.style("dim"))], self._room()))

    def _fence_line(self, leaf: _Fence, line: str) -> bool:
        """Take a line of code; gives whether it is one."""
        indent = len(line) - len(line.lstrip(" "))
        if not leaf.mark:
            if not line.strip():
                self._set(leaf=structs.replace(leaf, blanks=leaf.blanks + 1))
                return True
            if indent < leaf.indent:
                self._set(leaf=None, is_blank=leaf.blanks > 0)
                return False
            for _ in range(leaf.blanks):
                self._code_line(self._leaf_fence(), "")
            self._set(leaf=structs.replace(self._leaf_fence(), blanks=0))
        elif indent < 4 and (mark := line.strip()).startswith(leaf.mark) and not mark.strip(leaf.mark[0]):
            self._set(leaf=None)
            return True
        self._code_line(self._leaf_fence(), line[min(indent, leaf.indent) :])
        return True

    def _code_line(self, leaf: _Fence, line: str) -> None:
        pieces, state = code_pieces(line, leaf.state, self._look)
        self._set(leaf=structs.replace(leaf, state=state))
        blank = Segment("  ", self._style)
        rows = chopped(pieces, width := max(1, self._room() - 2))
        for number, row in enumerate(rows, 1):
            # Blanks at the end of a row are code if another one follows.
            end = 2 + width if number < len(rows) else None
            self._put((blank, *row) if row else (), copy_rule(2, "" if number > 1 else "\n", end))

    def _heading(self, text: str, level: int) -> None:
        self._between("heading")
        style = self._look.palette.style("heading")
        if level == 1:
            style += Style(underline=True)
        self._emit_wrapped(wrap(self._inline(text, style), self._room()))

    def _rule(self) -> None:
        self._between("rule")
        mark = "─" if self._look.has_unicode else "-"
        self._emit((Segment(mark * self._room(), self._look.palette.style("border")),))

    def _inline(self, text: str, style: Style) -> list[Piece]:
        return inline_pieces(text, self._look, style, self._state.references)

    def _close(self, depth: int) -> None:
        """End the open block, and the containers behind the first so many."""
        self._end_leaf()
        while len(self._state.containers) > depth:
            if not self._state.containers[-1].is_drawn:
                self._between("paragraph")
                self._emit(())
            self._set(containers=self._state.containers[:-1])

    def _end_leaf(self) -> None:
        leaf = self._state.leaf
        self._set(leaf=None)
        if isinstance(leaf, _Paragraph) and leaf.lines:
            if not leaf.is_continued:
                self._between("paragraph")
            first, *more = leaf.lines
            # Addresses that are named stand below each other, as they are written.
            text = "\n".join(f"{line}  " if _REFERENCE.match(line) else line for line in (self._task(first), *more))
            self._emit_wrapped(wrap(self._inline(text.rstrip(" "), self._text_style()), self._room()))
            self._note_references(leaf.lines)
        elif isinstance(leaf, _Table) and leaf.rows:
            self._draw_table(leaf)
        elif isinstance(leaf, _Fence) and leaf.blanks:
            self._set(is_blank=True)

    def _text_style(self) -> Style:
        is_quoted = not self._is_plain and any(container.is_quote for container in self._state.containers)
        return self._look.palette.style("quote") if is_quoted else self._style

    def _task(self, line: str) -> str:
        containers = self._state.containers
        found = _TASK.match(line) if containers and not containers[-1].is_quote else None
        if not found or containers[-1].is_drawn or not self._look.has_unicode:
            return line
        return ("☐ " if found[1] == " " else "☑ ") + line[found.end() :]

    def _note_references(self, lines: tuple[str, ...]) -> None:
        found = [match for line in lines if (match := _REFERENCE.match(line))]
        if found:
            # Imported here: the first paint is sooner without it.
            from markdown_it.common.utils import normalizeReference

            noted = {normalizeReference(match[1]): {"href": match[2], "title": ""} for match in found}
            self._set(references={**noted, **self._state.references})

    def _between(self, kind: Kind) -> None:
        """A blank line before the next block, where there is one in the text or one is needed."""
        state = self._state
        is_apart = kind in _APART or state.last in _APART or kind == "heading"
        is_in_list = any(not container.is_quote for container in state.containers)
        if state.last and (state.is_blank or (is_apart and not is_in_list)):
            drawn = [container for container in state.containers if container.is_drawn]
            self._out.put(*self._with_prefix((), [container.rest for container in drawn]))
        self._set(last=kind, is_blank=False, counts=state.counts[: len(state.containers)])

    def _emit(self, *lines: Line) -> None:
        for line in lines:
            self._put(line, WHOLE_LINE)

    def _emit_wrapped(self, lines: RuledLines) -> None:
        for number, line in enumerate(lines):
            self._put(line, lines.copied(number))

    def _put(self, line: Line, rule: CopiedLine) -> None:
        containers = self._state.containers
        prefix = [one.rest if one.is_drawn else one.first for one in containers]
        self._out.put(*self._with_prefix(line, prefix, rule))
        if containers and not containers[-1].is_drawn:
            self._set(containers=tuple(structs.replace(one, is_drawn=True) for one in containers))

    def _with_prefix(self, line: Line, prefix: list[str], rule: CopiedLine = WHOLE_LINE) -> tuple[Line, CopiedLine]:
        text = " " * self._indent + "".join(prefix)
        room = self._width - LEAST_WIDTH
        text = text[-room:] if len(text) > room else text
        # The marks of items are copied; bars of quotes and what only indents are not.
        is_mark = any(not one.is_quote and not one.is_drawn for one in self._state.containers)
        rule = shifted(rule, len(text))
        if is_mark:
            rule = copy_rule(min(self._indent, len(text)), rule.joint, rule.end)
        if not line:
            text = text.rstrip()
        if not text:
            return line, rule
        style = self._look.palette.style("quote" if "▌" in text or "|" in text else "accent")
        return (Segment(text, style if text.strip() else self._style), *line), rule

    def _room(self) -> int:
        """The cells for text inside of the containers."""
        used = self._indent + sum(len(container.rest) for container in self._state.containers)
        return max(LEAST_WIDTH, self._width - used)


def _is_below(item: _Container, line: str, indent: int) -> bool:
    """Whether a list begins here inside of an item. Models often indent what is below `1. ` by two blanks only."""
    found = _ITEM.match(line)
    if found is None or item.delimiter not in (".", ")") or indent < item.indent + 2:
        return False
    return found[4] != item.delimiter or int(found[3]) != item.number + 1


def _begins_block(line: str, *, is_in_list: bool) -> bool:
    """Whether a line ends a paragraph that it stands below."""
    found = _ITEM.match(line)
    is_item = found is not None and (is_in_list or bool(found[5] and found[3] in (None, "1")))
    return is_item or any(pattern.match(line) for pattern in (_FENCE, _HEADING, _RULE, _QUOTE))


def _row(line: str) -> list[str]:
    """The cells of a row of a table. A bar behind a backslash, or inside of code, is text."""
    return list(_cells(line.strip().removeprefix("|")))


def _cells(line: str) -> Iterator[str]:
    cell, is_code, at = "", False, 0
    while at < len(line):
        char = line[at]
        if char == "\\" and line[at + 1 : at + 2] == "|":
            cell += "|"
            at += 1
        elif char == "|" and not is_code:
            yield cell.strip()
            cell = ""
        else:
            is_code ^= char == "`" and (is_code or "`" in line[at + 1 :])
            cell += char
        at += 1
    if cell.strip():
        yield cell.strip()
