"""Draw the card of a call: how far it is, what it is about, and what came of it."""

from collections.abc import Sequence

from msgspec import structs
from textual.strip import Strip

from toolpost.view.items import CallItem, Item
from toolpost.view.words import label_of, subject_of

from .contract import Look
from .lines import MIN_WIDTH, Line, Strips, cut, first_change, tidy
from .marks import in_folder, phase_mark


class CallDrawing:
    def __init__(self, item: CallItem, look: Look) -> None:
        self._width = look.width
        self._look = structs.replace(look, width=max(look.width, MIN_WIDTH))
        self._lines: list[Line] = []
        self.update(item)

    @property
    def lines(self) -> Sequence[Strip]:
        return Strips(self._width, self._lines)

    def update(self, item: Item, now: float = 0.0) -> int:
        assert isinstance(item, CallItem)
        look = self._look
        mark, style = phase_mark(item.phase, look)
        label = label_of(item.name, look.language, item.label)
        subject = in_folder(tidy(item.title or subject_of(item.arguments)), look)
        before = self._lines
        self._lines = [
            cut(
                [
                    (mark + " ", look.palette.style(style)),
                    (tidy(label), look.palette.style("strong")),
                    ("  " + subject, look.palette.style("dim")),
                ],
                look.width,
            )
        ]
        return first_change(before, self._lines)
