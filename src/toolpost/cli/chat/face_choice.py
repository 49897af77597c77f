"""Choose the face of the chat: the full screen, line by line, or plain text."""

import importlib.util
from typing import Literal

from toolpost.config.schema import TuiChoice
from toolpost.extras import has

FaceName = Literal["full", "inline", "plain"]
FACES = ("auto", "full", "inline", "plain")

# A smaller terminal has no room for the full screen.
MIN_COLUMNS, MIN_LINES = 40, 12


def choose_face(wanted: TuiChoice, *, term: str, columns: int, lines: int) -> FaceName:
    """The face that is wanted, or for `auto` the best one that this terminal can show. Only `auto` gives way: what a
    person has asked for is there, or an error says what it lacks."""
    if wanted != "auto":
        return wanted
    if term in ("", "dumb"):
        return "plain"
    if has_full_screen() and columns >= MIN_COLUMNS and lines >= MIN_LINES:
        return "full"
    return "inline"


def has_full_screen() -> bool:
    return has(("textual",)) and importlib.util.find_spec("toolpost.tui.app") is not None
