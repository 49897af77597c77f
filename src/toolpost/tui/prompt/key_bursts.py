"""Recognise a paste that comes as keys, from a terminal without bracketed paste: its line breaks must not send."""

# Keys of a paste are this close together, even where the machine is busy. A person's seldom are, and then Enter only
# waits for a moment.
BURST_SECONDS = 0.02
# So long after an Enter in a burst, the rest of the paste has come.
WAIT_SECONDS = 0.1


class KeyBursts:
    """Told of each key, with the time at which it was read."""

    def __init__(self) -> None:
        self._last = 0.0
        self._keys = 0
        self._lines = 0

    def see(self, time: float, *, is_enter: bool) -> None:
        if not self._is_close(time, BURST_SECONDS):
            self._keys = self._lines = 0
        self._last = time
        self._keys += 1
        self._lines += is_enter

    def is_in_burst(self) -> bool:
        """True for a key that came close behind another one."""
        return self._keys > 1

    def has_lines(self) -> bool:
        """True once a burst has a second Enter: then no Enter of it sends."""
        return self._lines > 1

    def continues(self, time: float) -> bool:
        """True for a key that belongs to the burst before it."""
        return self._is_close(time, WAIT_SECONDS)

    def _is_close(self, time: float, seconds: float) -> bool:
        return time - self._last <= seconds
