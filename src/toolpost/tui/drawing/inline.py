"""Draw what is inside of a Markdown paragraph: emphasis, code, links. HTML is text."""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from rich.style import Style

from .contract import Look
from .lines import Piece, tidy

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token

# Where a click may lead. Anything else stays text.
_SAFE_URL = re.compile(r"(?:https?://|mailto:)[!-~]+", re.IGNORECASE)
_BARE_URL = re.compile(
    r"https?://[^\s<>\"'`|，。、！？：；）」』】》]+[^\s<>\"'`|，。、！？：；）」』】》.,:;!?)\]}*_]"
)
# Without any of these there is nothing but text.
_SPECIAL = re.compile(r"[\\`*_\[\]<&!~\n]|https?://")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
MAX_SHOWN_URL = 60
_BOLD, _ITALIC, _STRIKE = Style(bold=True), Style(italic=True), Style(strike=True)


def inline_pieces(text: str, look: Look, base: Style, references: dict[str, Any] | None = None) -> list[Piece]:
    """The pieces of a text; `\\n` in them breaks the line. `references` are the addresses that links name."""
    if not _SPECIAL.search(text):
        return [(text, base)]
    (inline,) = _parser().parseInline(text, {"references": references or {}})
    return list(_of_tokens(inline.children or [], look, base))


def link_style(look: Look, url: str, base: Style | None = None) -> Style:
    """The style of a text that leads somewhere; only safe addresses do."""
    style = look.palette.style("link") if base is None else base + look.palette.style("link")
    return style + _link(url) if _SAFE_URL.fullmatch(url) else style


@cache
def _parser() -> "MarkdownIt":
    # Imported here: the first paint is sooner without it.
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark", {"html": False}).enable("strikethrough")


@cache
def _link(url: str) -> Style:
    return Style(link=url)


def _of_tokens(tokens: "Iterable[Token]", look: Look, base: Style) -> Iterator[Piece]:
    styles = [base]
    links: list[tuple[str, str]] = []
    said = ""
    for token in tokens:
        # The text was tidy when it came, and `&#13;` in it is a control only now.
        content = tidy(token.content)
        match token.type:
            case "strong_open":
                styles.append(styles[-1] + _BOLD)
            case "em_open":
                styles.append(styles[-1] + _ITALIC)
            case "s_open":
                styles.append(styles[-1] + _STRIKE)
            case "link_open":
                url = tidy(str(token.attrs.get("href", "")))
                links.append((url, ""))
                said = ""
                styles.append(link_style(look, url, styles[-1]))
            case "link_close":
                styles.pop()
                url = links.pop()[0]
                if url not in (said, f"mailto:{said}"):
                    yield f" ({_short(url)})", styles[-1] + look.palette.style("dim")
            case "strong_close" | "em_close" | "s_close":
                styles.pop()
            case "code_inline":
                said += content
                yield content, styles[-1] + look.palette.style("code")
            case "image":
                url = tidy(str(token.attrs.get("src", "")))
                yield f"[{content or url}]", link_style(look, url, styles[-1])
            case "softbreak":
                yield " ", styles[-1]
            case "hardbreak":
                yield "\n", styles[-1]
            case _:
                said += content
                text = _BREAK.sub("\n", content)
                yield from ((text, styles[-1]),) if links else _with_links(text, look, styles[-1])


def _with_links(text: str, look: Look, style: Style) -> Iterator[Piece]:
    """Addresses that stand in a text lead there, too."""
    at = 0
    for found in _BARE_URL.finditer(text):
        if found.start() > at:
            yield text[at : found.start()], style
        yield found[0], link_style(look, found[0], style)
        at = found.end()
    if at < len(text):
        yield text[at:], style


def _short(url: str) -> str:
    return url if len(url) <= MAX_SHOWN_URL else url[: MAX_SHOWN_URL - 1] + "…"
