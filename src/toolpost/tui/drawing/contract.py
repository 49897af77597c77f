"""The contract of a drawing: the lines of one item at one width, kept while the item grows."""

from collections.abc import Sequence
from typing import Literal, Protocol

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from toolpost.types.text import Language
from toolpost.view.items import Item

# The styles that drawings use, each set by a theme.
StyleName = Literal[
    "text",
    "dim",
    "strong",
    "heading",
    "link",
    "code",
    "quote",
    "accent",
    "prompt",
    "reasoning",
    "success",
    "warning",
    "error",
    "running",
    "added",
    "removed",
    "added_word",
    "removed_word",
    "line_number",
    "border",
    "selection",
    "match",
]


class Palette(Protocol):
    """The styles of a theme."""

    def style(self, name: StyleName) -> Style: ...

    @property
    def code_theme(self) -> str:
        """The Pygments style for code; empty for the 16 colours of the terminal."""
        ...


class Look(Struct, frozen=True):
    """How an item is drawn. `folder` shortens paths in it. `output_lines` are shown of a result that is folded."""

    width: int
    palette: Palette
    language: Language = "en"
    is_expanded: bool = False
    folder: str = ""
    output_lines: int = 8
    has_unicode: bool = True


class Drawing(Protocol):
    """The lines of an item. Every strip is at most `Look.width` cells wide, holds no markup, and no control characters
    of a model's or tool's text."""

    @property
    def lines(self) -> Sequence[Strip]: ...

    def update(self, item: Item, now: float = 0.0) -> int:
        """Draw what changed in the item; gives the first line that is not as before. What is finished in a text that
        grows is not drawn again: the cost of a delta does not depend on what came before it. Without `now` it is drawn
        as of this moment, or without its time."""
        ...
