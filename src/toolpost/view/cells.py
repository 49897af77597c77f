"""How many cells of a terminal a text takes, and cutting it to so many."""

import unicodedata

ELLIPSIS = "…"

_WIDE = frozenset("WF")
_NO_WIDTH = frozenset(("Mn", "Me", "Cf"))


def width(text: str) -> int:
    """Chinese and the like take two cells, marks on letters none."""
    if text.isascii():
        return len(text)
    return sum(map(char_width, text))


def fit(text: str, cells: int) -> str:
    """Cut a text to so many cells, with an ellipsis where something was left out."""
    if width(text) <= cells:
        return text
    kept, used = 0, len(ELLIPSIS)
    for char in text:
        used += char_width(char)
        if used > cells:
            break
        kept += 1
    return text[:kept].rstrip() + ELLIPSIS


def char_width(char: str) -> int:
    if char.isascii():
        return 1
    if unicodedata.category(char) in _NO_WIDTH:
        return 0
    return 2 if unicodedata.east_asian_width(char) in _WIDE else 1
