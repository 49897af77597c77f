"""Caches in memory with a maximum size in bytes, one for each user; the least recently used entry goes first."""

from collections import OrderedDict

MAX_BYTES = 16_000_000


class LruCache:
    """Bytes by key."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        self._most = most_bytes
        self._held = 0
        self._values: OrderedDict[str, bytes] = OrderedDict()

    def put(self, key: str, value: bytes) -> None:
        self._held += len(value) - len(self._values.pop(key, b""))
        self._values[key] = value
        while self._held > self._most:
            _, oldest = self._values.popitem(last=False)
            self._held -= len(oldest)

    def get(self, key: str) -> bytes | None:
        if key not in self._values:
            return None
        self._values.move_to_end(key)
        return self._values[key]


class LruCaches:
    """A cache for each user, so that one user's entries never displace another's."""

    def __init__(self, most_bytes: int = MAX_BYTES) -> None:
        self._most = most_bytes
        self._caches: dict[str, LruCache] = {}

    def of(self, user: str) -> LruCache:
        return self._caches.setdefault(user, LruCache(self._most))
