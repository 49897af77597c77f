"""Track which files the model has read, by content, so that it overwrites nothing that it does not know."""

from collections import OrderedDict
from pathlib import Path

from msgspec import Struct

MAX_FILES = 10_000
# Small contents are kept too, to show what changed; larger files are known by their digest alone.
MAX_CONTENT_BYTES = 256_000
MAX_CONTENTS_BYTES = 32_000_000


class ReadContent(Struct, frozen=True):
    digest: str
    content: bytes | None


class ReadTracker:
    """Digests of what was read or written, by session and path; the oldest are forgotten first."""

    def __init__(self) -> None:
        self._sights: OrderedDict[tuple[str, Path], ReadContent] = OrderedDict()
        self._bytes = 0

    def note(self, session_id: str, path: Path, digest: str, content: bytes | None = None) -> None:
        """The model of this session now knows `path` with this content."""
        self.forget(session_id, path)
        kept = content if content is not None and len(content) <= MAX_CONTENT_BYTES else None
        self._sights[session_id, path] = ReadContent(digest, kept)
        self._bytes += len(kept or b"")
        while len(self._sights) > MAX_FILES or self._bytes > MAX_CONTENTS_BYTES:
            _, oldest = self._sights.popitem(last=False)
            self._bytes -= len(oldest.content or b"")

    def of(self, session_id: str, path: Path) -> str | None:
        """The digest of what the model knows, or None where it has not seen the file."""
        sight = self._sights.get((session_id, path))
        return sight.digest if sight else None

    def content(self, session_id: str, path: Path) -> bytes | None:
        """The content that the model knows, where it was kept."""
        sight = self._sights.get((session_id, path))
        return sight.content if sight else None

    def forget(self, session_id: str, path: Path) -> None:
        gone = self._sights.pop((session_id, path), None)
        self._bytes -= len((gone and gone.content) or b"")
