"""Keys and clicks that were meant for something else: those typed before an ask could be read do not answer it."""

from collections.abc import Callable

from textual.message import Message

# A person who types goes on for this long before they see that something else asks for keys.
SETTLE_SECONDS = 0.3


class KeyGuard:
    """Takes keys and clicks from 300 ms after something was drawn. Whoever types on starts the time again: in the
    middle of a word, no letter is an answer."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._since: float | None = None

    def close(self) -> None:
        """Something new is to be drawn; until it is, nothing is taken."""
        self._since = None

    def drawn(self) -> None:
        if self._since is None:
            self._since = self._clock()

    def restart(self) -> None:
        """The terminal or the screen has come back to what was drawn before."""
        if self._since is not None:
            self._since = self._clock()

    def takes(self, event: Message) -> bool:
        """Whether a key, a click or a paste is meant for what is drawn."""
        if self._since is None:
            return False
        # It counts when it was typed: it may have waited, where the program was busy.
        age = max(0.0, Message().time - event.time)
        now = self._clock() - age
        if now - self._since >= SETTLE_SECONDS:
            return True
        self._since = max(self._since, now)
        return False
