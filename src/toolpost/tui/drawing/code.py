"""Highlight code line by line, so that a line is finished as soon as it is whole."""

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from typing import Any, cast

from msgspec import Struct
from rich.style import Style

from .contract import Look
from .lines import Piece

# What is longer is shown in one colour: nobody reads it for its colours.
MAX_LINES = 2_000
MAX_LINE_CHARS = 1_000
_COMMENT_END = re.compile(r"\*/")
# Where a comment may go over several lines without the lexer keeping that in its state.
_WITH_COMMENTS = frozenset(
    {"c", "cpp", "csharp", "css", "go", "java", "javascript", "jsx", "kotlin", "php", "scala", "scss", "sql", "swift"}
    | {"typescript", "tsx", "dart", "groovy", "less", "objective-c", "protobuf"}
)
# With the 16 colours of the terminal: those that can be read on dark and on light.
_ANSI: tuple[tuple[str, Style], ...] = (
    ("Comment", Style(dim=True, italic=True)),
    ("Keyword", Style(color="blue")),
    ("Name.Tag", Style(color="blue")),
    ("Name.Function", Style(color="cyan")),
    ("Name.Class", Style(color="cyan", bold=True)),
    ("Name.Decorator", Style(color="magenta")),
    ("Name.Builtin", Style(color="cyan")),
    ("Literal.String", Style(color="green")),
    ("Literal.Number", Style(color="magenta")),
    ("Operator.Word", Style(color="blue")),
    ("Generic.Deleted", Style(color="red")),
    ("Generic.Inserted", Style(color="green")),
    ("Generic.Heading", Style(bold=True)),
    ("Generic.Subheading", Style(color="cyan")),
)


class CodeState(Struct, frozen=True):
    """What the lines before leave open: the lexer's stack, or a comment."""

    language: str = ""
    stack: tuple[str, ...] = ("root",)
    is_comment: bool = False
    count: int = 0


def open_code(language: str) -> CodeState:
    return CodeState(language.strip("{}.").lower())


def code_pieces(line: str, state: CodeState, look: Look) -> tuple[list[Piece], CodeState]:
    """The pieces of the next line, and what it leaves open."""
    base = look.palette.style("code" if not state.language else "text")
    lexer = _lexer(state.language) if state.language else None
    if lexer is None or state.count >= MAX_LINES or len(line) > MAX_LINE_CHARS:
        return [(line, base)], state
    theme = look.palette.code_theme
    pieces: list[Piece] = []
    rest, is_comment = line, state.is_comment
    if is_comment:
        end = _COMMENT_END.search(line)
        place = end.end() if end else len(line)
        pieces.append((line[:place], base + _token_style(theme, "Comment.Multiline")))
        rest, is_comment = line[place:], end is None
    tokens, stack = _tokens(lexer, rest, state.stack) if rest else ([], state.stack)
    if lexer.aliases and lexer.aliases[0] in _WITH_COMMENTS:
        tokens, is_opened = _with_open_comment(tokens)
        is_comment = is_comment or is_opened
    pieces += [(text, base + _token_style(theme, kind)) for kind, text in tokens if text]
    return pieces or [("", base)], CodeState(state.language, stack, is_comment, state.count + 1)


def _tokens(lexer: Any, line: str, stack: tuple[str, ...]) -> tuple[list[tuple[str, str]], tuple[str, ...]]:
    """The tokens of a line, as (kind, text), and the stack behind it."""
    from pygments.lexer import ExtendedRegexLexer, LexerContext, RegexLexer

    text = line + "\n"
    usual: Any = RegexLexer.get_tokens_unprocessed
    is_plain = lexer.__class__.get_tokens_unprocessed is usual
    if is_plain and all(name in lexer._tokens for name in stack):
        # The only way to learn the stack at the end is to lend it a lexer that keeps it in a context.
        context = LexerContext(text, 0, list(stack))
        try:
            found = list(ExtendedRegexLexer.get_tokens_unprocessed(lexer, context=context))
            return _named(found, line), tuple(context.stack)
        except (TypeError, KeyError, IndexError, AttributeError):
            pass  # it has callbacks that know nothing of contexts
    return _named(lexer.get_tokens_unprocessed(text), line), stack


def _named(tokens: Iterable[tuple[int, Any, str]], line: str) -> list[tuple[str, str]]:
    found = [(".".join(kind), text.replace("\n", "")) for _, kind, text in tokens]
    # Nothing of a line may be lost or said twice, whatever its lexer does.
    return found if "".join(text for _, text in found) == line else [("", line)]


def _with_open_comment(tokens: list[tuple[str, str]]) -> tuple[list[tuple[str, str]], bool]:
    """Where a comment begins that does not end on this line, all behind it is comment."""
    code = "".join(
        text if not kind.startswith(("Literal", "Comment.Single")) else "\0" * len(text) for kind, text in tokens
    )
    start = code.rfind("/*")
    if start < 0 or "*/" in code[start + 2 :]:
        return tokens, False
    return [*_until(tokens, start), ("Comment.Multiline", "".join(text for _, text in tokens)[start:])], True


def _until(tokens: Iterable[tuple[str, str]], end: int) -> Iterator[tuple[str, str]]:
    for kind, text in tokens:
        if end <= 0:
            return
        yield kind, text[:end]
        end -= len(text)


@lru_cache(64)
def _lexer(language: str) -> Any:
    # Imported here: it takes long to load, and most sessions begin without code.
    from pygments import lexers
    from pygments.util import ClassNotFound

    try:
        return cast("Any", lexers).get_lexer_by_name(language, ensurenl=False, stripnl=False)
    except ClassNotFound:
        return None


@lru_cache(2048)
def _token_style(theme: str, kind: str) -> Style:
    if kind.startswith("Error"):
        # Half a line, or a dialect that the lexer does not know, is no error of anybody's.
        return Style()
    if not theme:
        return next((style for name, style in _ANSI if kind.startswith(name)), Style())
    from pygments.token import string_to_tokentype

    given = _pygments_style(theme).style_for_token(string_to_tokentype(kind))
    return Style(
        color=f"#{given['color']}" if given["color"] else None,
        bold=given["bold"] or None,
        italic=given["italic"] or None,
        underline=given["underline"] or None,
    )


@cache
def _pygments_style(theme: str) -> Any:
    from pygments import styles

    return cast("Any", styles).get_style_by_name(theme)
