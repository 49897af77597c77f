"""The newest files of any number of them, in the memory that the shown ones take."""

import heapq
import os


class Newest:
    """Takes paths below an open folder and keeps the `limit` that were changed last."""

    def __init__(self, folder: int, limit: int) -> None:
        self._folder = folder
        self._limit = limit
        self._heap: list[tuple[int, str]] = []
        self.total = 0

    def add(self, path: str) -> None:
        self.total += 1
        entry = (self._changed(path), path)
        if len(self._heap) < self._limit:
            heapq.heappush(self._heap, entry)
        elif entry > self._heap[0]:
            heapq.heapreplace(self._heap, entry)

    @property
    def left_out(self) -> int:
        return self.total - len(self._heap)

    def paths(self) -> list[str]:
        """The newest first."""
        return [path for _, path in sorted(self._heap, key=lambda entry: (-entry[0], entry[1]))]

    def _changed(self, path: str) -> int:
        try:
            return os.stat(path, dir_fd=self._folder, follow_symlinks=False).st_mtime_ns
        except OSError:
            return 0  # gone meanwhile, or not to be looked at
