"""Select text with the mouse held down, also beyond the edges of what is on the screen."""

from collections.abc import Callable
from typing import Protocol

from textual.timer import Timer

from .text_selection import Spot

# How often it scrolls while the mouse is held beyond an edge, in seconds.
SCROLL_SECONDS = 0.05


class SelectingPane(Protocol):
    def spot_at(self, x: int, y: int) -> Spot | None: ...

    def select_to(self, start: Spot, end: Spot) -> None: ...

    def scroll_lines(self, by: int) -> None: ...

    def set_interval(self, interval: float, callback: Callable[[], None], /) -> Timer: ...


class MouseSelect:
    """From press to release. `was_dragged` stays until the next press: the click that follows is none."""

    def __init__(self, pane: SelectingPane) -> None:
        self._pane = pane
        self._pressed: Spot | None = None
        self._at = (0, 0)
        self._timer: Timer | None = None
        self.was_dragged = False

    @property
    def is_pressed(self) -> bool:
        return self._pressed is not None

    def press(self, spot: Spot) -> None:
        self._pressed = spot
        self.was_dragged = False

    def move(self, x: int, y: int, height: int) -> None:
        self._at = x, y
        is_beyond = not 0 <= y < height
        if is_beyond and self._timer is None:
            self._timer = self._pane.set_interval(SCROLL_SECONDS, self._scroll)
        elif not is_beyond:
            self._stop_scrolling()
        self._lead()

    def release(self) -> None:
        self._pressed = None
        self._stop_scrolling()

    def _lead(self) -> None:
        spot, start = self._pane.spot_at(*self._at), self._pressed
        if spot is not None and start is not None and (self.was_dragged or spot != start):
            self.was_dragged = True
            self._pane.select_to(start, spot)

    def _scroll(self) -> None:
        self._pane.scroll_lines(-1 if self._at[1] < 0 else 1)
        self._lead()

    def _stop_scrolling(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
