"""Split HTML into a flat sequence of texts and tags, in time linear to its size whatever it holds.

It builds no tree: the caller decides what nests. The parsers that build trees took half a minute for
5 MB of plain paragraphs, and the standard library's goes quadratic over comments that are not closed.
"""

import re
from collections.abc import Iterator
from functools import cache
from html import unescape as _unescape
from typing import NamedTuple

VOID = frozenset(
    {
        *("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track"),
        "wbr",
    }
)
_RAW = frozenset(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes"])

# Any other bracket is text.
_OPENING = re.compile("<(?=[A-Za-z/!?])")
# Quotes mean something only after an equals sign; possessive, so that a failure costs one pass and no more.
_TAG = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>=]++|=\s*+(?:"[^"]*"|'[^']*')?)*+)>""")
_ATTRIBUTE = re.compile(r"""([^\s=/>"']+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?""")


class Tag(NamedTuple):
    name: str
    closing: bool
    raw: str

    @property
    def attributes(self) -> dict[str, str]:
        """Return the attributes by lower-case name; of two with one name the first counts."""
        found: dict[str, str] = {}
        for name, double, single, bare in _ATTRIBUTE.findall(self.raw):
            found.setdefault(name.lower(), unescape(double or single or bare))
        return found


class RawText(NamedTuple):
    """The content of an element that is not parsed as HTML, such as a script or a title."""

    name: str
    text: str


def tokens(html: str) -> Iterator[str | Tag | RawText]:
    """Yield texts with their entities resolved, tags, and raw texts. What is never closed ends the page, as in
    browsers."""
    at = 0
    while at < len(html):
        opening = _OPENING.search(html, at)
        if opening is None:
            yield unescape(html[at:])
            return
        bracket = opening.start()
        if bracket > at:
            yield unescape(html[at:bracket])
        tag = _TAG.match(html, bracket)
        if tag is not None:
            name = tag[2].lower()
            yield Tag(name, bool(tag[1]), tag[3])
            at = tag.end()
            if name in _RAW and not tag[1]:
                end = _end_of(name).search(html, at)
                yield RawText(name, html[at : end.start() if end else len(html)])
                at = end.start() if end else len(html)
            continue
        at = _after_other(html, bracket)


def _after_other(html: str, at: int) -> int:
    """Return where a comment or a declaration ends."""
    if html.startswith("<!--", at):
        end = html.find("-->", at + 4)
        return end + 3 if end >= 0 else len(html)
    # A letter means a tag that is never closed: it takes the rest with it, and is looked through only once.
    end = -1 if html[at + 1 : at + 3].lstrip("/")[:1].isalpha() else html.find(">", at)
    return end + 1 if end >= 0 else len(html)


def unescape(text: str) -> str:
    """Resolve entities; one whose number has thousands of digits stays as it is, and the others of its text with it."""
    try:
        return _unescape(text) if "&" in text else text
    except ValueError:
        return text


@cache
def _end_of(name: str) -> re.Pattern[str]:
    return re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE)
