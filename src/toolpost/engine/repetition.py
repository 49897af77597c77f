"""Detect repetition: a model that makes the same calls and gets the same results makes no progress."""

from collections import deque

from msgspec import Struct

MAX_PERIOD = 3


class FinishedCall(Struct, frozen=True, gc=False):
    """One finished call. Equal key and equal result means that nothing changed."""

    key: str
    result: int


class RepetitionGuard:
    """Remembers the finished calls of a run, over steps."""

    def __init__(self, times: int) -> None:
        self._times = max(2, times)
        self._seen: deque[FinishedCall] = deque(maxlen=MAX_PERIOD * (self._times - 1))

    def repeats(self, key: str) -> bool:
        """True if a call with `key` would begin or be the last round of a circle of 1, 2 or 3 calls.

        The rounds before it must have had equal results too: polling whose result changes is not repetition.
        """
        seen = self._seen
        for period in range(1, MAX_PERIOD + 1):
            needed = period * (self._times - 1)
            if len(seen) < needed or seen[-period].key != key:
                continue
            last = len(seen) - 1
            if all(seen[last - i] == seen[last - i - period] for i in range(needed - period)):
                return True
        return False

    def record(self, key: str, result: str) -> None:
        self._seen.append(FinishedCall(key, hash(result)))
