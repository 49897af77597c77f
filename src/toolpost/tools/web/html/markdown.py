"""Convert a web page to Markdown or plain text: what a reader sees of it, without scripts, menus and hidden parts."""

import re
from typing import Literal, NamedTuple
from urllib.parse import urljoin

from .hidden_text import VisibilityTracker, sheet_of
from .tokens import RawText, Tag, tokens, unescape

MAX_DEPTH = 8
# A page whose main part is shorter than this has its text somewhere else.
SHORT = 200
MAX_URL = 2_000
# What is added to a page's own text, in characters: a few bytes of HTML can ask for thousands, 100,000 times over.
MAX_ADDED = 5_000_000

_SKIPPED = frozenset(["svg", "template", "select", "datalist", "object", "audio", "video", "canvas", "map", "dialog"])
_AROUND = frozenset(["nav", "footer"])
_BLOCKS = frozenset(
    {
        *(
            "address",
            "article",
            "aside",
            "body",
            "center",
            "dd",
            "details",
            "div",
            "dl",
            "dt",
            "fieldset",
            "figcaption",
        ),
        *("figure", "footer", "form", "header", "hgroup", "html", "legend", "main", "menu", "nav", "p", "search"),
        *("section", "summary"),
    }
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_MARKS = {"b": "**", "strong": "**", "i": "*", "em": "*", "del": "~~", "s": "~~", "code": "`", "kbd": "`", "samp": "`"}
_SPACES = re.compile(r"[ \t\r\n\f\v]+")
_BLANK_LINES = re.compile(r"\n{3,}")
_LANGUAGE = re.compile(r"(?:^|\s)(?:lang(?:uage)?|highlight-source|brush:?)-?\s*([\w+#.-]{1,20})")

Form = Literal["markdown", "text"]


class WebPage(NamedTuple):
    title: str
    text: str


def read_page(html: str, url: str, form: Form) -> WebPage:
    """The page's title and its text. Links are made whole with `url`."""
    sheet = sheet_of(html)
    writer = _convert(html, _Writer(url, form, VisibilityTracker(sheet, _SKIPPED | _AROUND)))
    text = writer.main()
    if len(text) < SHORT:
        writer = _convert(html, _Writer(url, form, VisibilityTracker(sheet, _SKIPPED)))
        text = writer.text()
    return WebPage(writer.title, text)


def _convert(html: str, writer: "_Writer") -> "_Writer":
    for token in tokens(html):
        if isinstance(token, str):
            writer.add(token)
        elif isinstance(token, RawText):
            writer.raw(token)
        elif token.closing:
            writer.close(token.name)
        else:
            writer.open(token)
    writer.finish()
    return writer


class _Writer:
    """Takes texts and tags in their order. Inline text gathers in `_inline` until a block ends; then it is a block."""

    def __init__(self, url: str, form: Form, sight: VisibilityTracker) -> None:
        self.title = ""
        self._base = _base(url)
        self._spare = MAX_ADDED
        self._markdown = form == "markdown"
        self._sight = sight
        self._blocks: list[str] = []
        self._inline: list[str] = []
        self._marks: dict[str, list[int]] = {}
        self._link: tuple[int, str] | None = None
        self._lists: list[int | None] = []
        self._bullet = ""
        self._quotes = 0
        self._heading = 0
        self._pre: list[str] | None = None
        self._language = ""
        self._table = TableReader()
        self._main: list[int] = []

    def add(self, text: str) -> None:
        if not self._sight.sees_text:
            return
        if self._pre is not None:
            self._pre.append(text)
            return
        text = _SPACES.sub(" ", text)
        if text != " " or (self._inline and self._inline[-1] != " "):
            self._inline.append(text)

    def raw(self, token: RawText) -> None:
        if token.name == "title" and not self.title and not self._sight.within("svg"):
            self.title = _SPACES.sub(" ", unescape(token.text)).strip()[:300]
        elif token.name in ("textarea", "xmp"):
            self.add(unescape(token.text))

    def open(self, tag: Tag) -> None:
        name = tag.name
        if not self._sight.open(tag):
            return
        if name in _MARKS:
            self._begin_mark(name, tag)
        elif name == "a":
            self._end_link()
            self._link = (len(self._inline), tag.attributes.get("href", ""))
        elif name == "img":
            self._image(tag)
        elif name == "br":
            self.add("\n") if self._pre is not None else self._inline.append("\n")
        elif name == "base":
            self._base = _base(_join(self._base, tag.attributes.get("href", "")))
        else:
            self._open_block(name, tag)

    def close(self, name: str) -> None:
        if not self._sight.close(name):
            return
        if name in _MARKS:
            self._end_mark(name)
        elif name == "a":
            self._end_link()
        elif name == "pre":
            self._end_pre()
        elif name in ("ul", "ol"):
            self._end_block()
            self._bullet = ""
            if self._lists:
                self._lists.pop()
        elif name == "blockquote":
            self._end_block()
            self._quotes = max(0, self._quotes - 1)
        elif name == "main":
            self._end_block()
            if len(self._main) == 1:
                self._main.append(len(self._blocks))
        elif name == "table":
            self._end_block()
            if rows := self._table.leave():
                self._put_table(rows)
        elif name in _HEADINGS:
            self._end_block()
            self._heading = 0
        elif name == "li":
            self._end_block()
            self._bullet = ""
        elif name in _BLOCKS or name in ("tr", "td", "th"):
            self._end_block()

    def finish(self) -> None:
        self._end_pre()
        self._end_block()
        while self._table.depth:
            if rows := self._table.leave():
                self._put_table(rows)

    def text(self) -> str:
        return _joined(self._blocks)

    def main(self) -> str:
        """The text of the page's main element, if it says that it has one."""
        return _joined(self._blocks[slice(*self._main)] if self._main else self._blocks)

    def _open_block(self, name: str, tag: Tag) -> None:
        if name in _HEADINGS:
            self._end_block()
            self._heading = _HEADINGS[name]
        elif name == "pre":
            self._end_block()
            self._pre, self._language = [], _language(tag)
        elif name in ("ul", "ol"):
            self._end_block()
            self._lists.append(_start(tag) if name == "ol" else None)
        elif name == "li":
            self._end_block()
            self._bullet = self._next_bullet()
        elif name == "blockquote":
            self._end_block()
            self._quotes += 1
        elif name == "hr":
            self._end_block()
            self._put("---")
        elif name in ("table", "tr", "td", "th"):
            self._end_block()
            self._table.enter(name)
        elif name in _BLOCKS:
            self._end_block()
            if name == "main" and not self._main:
                self._main.append(len(self._blocks))

    def _begin_mark(self, name: str, tag: Tag) -> None:
        if self._pre is not None:
            self._language = self._language or _language(tag)
            return
        mark = _MARKS[name]
        # Marks of one kind inside each other are one mark: else each level would copy the text once more.
        self._marks.setdefault(mark, [len(self._inline), 0])[1] += 1

    def _end_mark(self, name: str) -> None:
        mark = _MARKS[name]
        if mark not in self._marks:
            return
        self._marks[mark][1] -= 1
        if not self._marks[mark][1]:
            self._wrap(self._marks.pop(mark)[0], mark, mark)

    def _end_link(self) -> None:
        if self._link is None:
            return
        (start, href), self._link = self._link, None
        if start == len(self._inline) or self._spare < MAX_URL:
            return
        url = _join(self._base, href)
        if url.startswith(("http://", "https://", "mailto:")) and not href.startswith("#"):
            self._wrap(start, "[", f"]({url})")

    def _wrap(self, start: int, before: str, after: str) -> None:
        """Put `before` and `after` around the inline text since `start`, inside the spaces at its ends."""
        text = "".join(self._inline[start:])
        bare = text.strip()
        if not self._markdown or not bare or not self._spend(len(before) + len(after)):
            return
        head = " " if text[0].isspace() else ""
        tail = " " if text[-1].isspace() else ""
        self._inline[start:] = [f"{head}{before}{bare}{after}{tail}"]

    def _image(self, tag: Tag) -> None:
        attributes = tag.attributes
        alt = attributes.get("alt", "").strip()
        shown = alt and self._markdown and self._spare >= MAX_URL
        url = _join(self._base, attributes.get("src", "")) if shown else ""
        if url.startswith(("http://", "https://")) and self._spend(len(url)):
            self._inline.append(f"![{alt}]({url})")
        elif alt:
            self._inline.append(alt)

    def _end_pre(self) -> None:
        if self._pre is None:
            return
        code, self._pre = "".join(self._pre).strip("\r\n"), None
        if not code.strip():
            return
        if self._table.in_cell:
            self._table.add(code)
            return
        fence = "`" * max(3, 1 + max(map(len, re.findall("`+", code)), default=0))
        self._put(f"{fence}{self._language}\n{code}\n{fence}" if self._markdown else code)

    def _end_block(self) -> None:
        """What is gathered becomes a block; marks that are open go on in the next one."""
        if not self._inline:
            return
        for mark, place in reversed(self._marks.items()):
            self._wrap(place[0], mark, mark)
            place[0] = 0
        if self._link is not None:
            href = self._link[1]
            self._end_link()
            self._link = (0, href)
        text = "\n".join(line.strip() for line in _SPACES_IN_LINE.sub(" ", "".join(self._inline)).split("\n")).strip()
        self._inline.clear()
        if not text:
            return
        if self._table.in_cell:
            self._table.add(text)
        elif self._heading and self._markdown:
            self._put(f"{'#' * self._heading} {' '.join(text.split())}")
        else:
            self._put(text)

    def _put(self, text: str) -> None:
        depth = min(len(self._lists), MAX_DEPTH)
        indent = "  " * (depth - 1) if depth and self._bullet else "  " * depth
        quote = "> " * min(self._quotes, MAX_DEPTH) if self._markdown else ""
        first = quote + indent + self._bullet
        rest = quote + "  " * depth
        if not self._spend(len(first) + len(rest) * text.count("\n")):
            first = rest = ""
        # A list's items stand close together, blocks do not: a list's own lines begin with a single break.
        gap = "\n" if self._bullet and self._blocks and self._blocks[-1].startswith(_ITEM) else "\n\n"
        self._blocks.append((_ITEM if self._bullet else "") + gap + first + text.replace("\n", "\n" + rest))
        self._bullet = ""

    def _spend(self, characters: int) -> bool:
        """True where there is room for so much more than the page's own text."""
        if characters > self._spare:
            return False
        self._spare -= characters
        return True

    def _next_bullet(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "- "
        self._lists[-1] += 1
        return f"{self._lists[-1] - 1}. "

    def _put_table(self, rows: list[list[str]]) -> None:
        width = max(map(len, rows))
        if width < 2 or len(rows) < 2 or not self._markdown or not self._spend(3 * width * len(rows)):
            for row in rows:
                self._put(" | ".join(row) if width > 1 else row[0])
            return
        lines = [table_line(row, width) for row in rows]
        self._put("\n".join([lines[0], table_line(["---"] * width, width), *lines[1:]]))


_ITEM = "\0"
_SPACES_IN_LINE = re.compile(r"[ \t]{2,}")


def _joined(blocks: list[str]) -> str:
    text = "".join(block.removeprefix(_ITEM) for block in blocks)
    return _BLANK_LINES.sub("\n\n", text).strip("\n")


def _join(base: str, href: str) -> str:
    """The whole URL, or "" if it is not valid or too long."""
    if len(href) > MAX_URL:
        return ""
    try:
        url = urljoin(base, href.strip()).replace(" ", "%20").replace(")", "%29")
    except ValueError:
        return ""
    return url if len(url) <= MAX_URL else ""


def _base(url: str) -> str:
    """What links are relative to; without it only whole ones are links. A long one would be taken apart every time."""
    return url if len(url) <= MAX_URL else ""


def _language(tag: Tag) -> str:
    found = _LANGUAGE.search(tag.attributes.get("class", "")) if "class" in tag.raw else None
    return found[1] if found else ""


def _start(tag: Tag) -> int:
    start = tag.attributes.get("start", "1") if tag.raw else "1"
    return int(start) if start.isdecimal() and len(start) < 7 else 1


class TableReader:
    """The rows of a table while it is read; a table inside a table is part of its cell."""

    MAX_COLUMNS = 100

    def __init__(self) -> None:
        self.depth = 0
        self._rows: list[list[list[str]]] = []

    @property
    def in_cell(self) -> bool:
        return self.depth > 0 and bool(self._rows) and bool(self._rows[-1])

    def enter(self, name: str) -> None:
        if name == "table":
            self.depth += 1
        elif self.depth != 1:
            return
        elif name == "tr":
            self._rows.append([])
        elif self._rows and len(self._rows[-1]) < self.MAX_COLUMNS:
            self._rows[-1].append([])

    def add(self, text: str) -> None:
        self._rows[-1][-1].append(text)

    def leave(self) -> list[list[str]]:
        """The rows that have any text, once the outermost table is left."""
        self.depth = max(0, self.depth - 1)
        if self.depth:
            return []
        rows, self._rows = self._rows, []
        cells = [[" ".join(cell) for cell in row] for row in rows]
        return [row for row in cells if any(row)]


def table_line(cells: list[str], width: int) -> str:
    shown = [" ".join(cell.split()).replace("|", "\\|") for cell in cells]
    return "| " + " | ".join(shown + [""] * (width - len(shown))) + " |"
