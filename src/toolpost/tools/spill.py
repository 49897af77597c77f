"""The file that holds the whole of an output, where somebody else gets only a part of it, or only its name."""

import hashlib
import os
import re
from pathlib import Path

MAX_SPILL_BYTES = 100_000_000


class Spill:
    """One file for one call, opened at the first write. It never raises: `error` says why there is no file."""

    def __init__(self, folder: Path, call_id: str, limit: int = MAX_SPILL_BYTES, *, suffix: str = ".txt") -> None:
        self.path = folder / f"{file_name(call_id)}{suffix}"
        self.limit = limit
        self.full = False
        self.error = ""
        self._file: int | None = None
        self._written = 0

    def write(self, data: bytes) -> None:
        """Append, up to the limit: a flood must not fill the disk."""
        room = self.limit - self._written
        if len(data) > room:
            self.full = True
            data = data[:room]
        if not data or self.error:
            return
        try:
            if self._file is None:
                self._file = self._open()
            left = memoryview(data)
            while left:
                left = left[os.write(self._file, left) :]
            self._written += len(data)
        except OSError as error:
            self.error = f"they could not be kept: {error.strerror or error}"

    def close(self) -> str:
        """Close the file and return its path, or nothing where there is no whole file."""
        if self._file is None:
            return ""
        os.close(self._file)
        self._file = None
        if not self.error:
            return str(self.path)
        self.path.unlink(missing_ok=True)
        return ""

    def _open(self) -> int:
        self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        # Unlinked first and made anew: a link that someone left there is not followed, an old mode not inherited.
        self.path.unlink(missing_ok=True)
        return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)


def file_name(call_id: str) -> str:
    """A call id as a file's name. Ids come from providers, so anything may be in them."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", call_id)[:64]
    if plain == call_id and plain:
        return plain
    return f"{plain}-{hashlib.sha256(call_id.encode(errors='replace')).hexdigest()[:12]}"
