"""Recognise a paste that comes as keys, from a terminal without bracketed paste: its line breaks must not send."""

# Keys that a terminal hands over in one piece are this close together; a person's never are.
BURST_SECONDS = 0.001
# So long after an Enter in a burst, the rest of the paste has come.
WAIT_SECONDS = 0.05
# What a person types as fast as two keys can be read at once is no paste.
MIN_KEYS = 3


class KeyBursts:
    """Told of each key, with the time at which the terminal sent it."""

    def __init__(self) -> None:
        self._last = 0.0
        self._keys = 0
        self._lines = 0

    def see(self, time: float, *, is_enter: bool) -> None:
        if time - self._last > BURST_SECONDS:
            self._keys = self._lines = 0
        self._last = time
        self._keys += 1
        self._lines += is_enter

    def is_in_burst(self) -> bool:
        """True for a key that came close behind others."""
        return self._keys > MIN_KEYS

    def has_lines(self) -> bool:
        """True once a burst has a second Enter: then no Enter of it sends."""
        return self._lines > 1

    def continues(self, time: float) -> bool:
        """True for a key that belongs to the burst before it."""
        return time - self._last <= WAIT_SECONDS and self._keys > MIN_KEYS
