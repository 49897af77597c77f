"""Write the whole of an output to a file, where the model gets only a part of it.

It is `<folder>/<session>/<message>-<call>.txt`: servers give the same call id again and again, and what belongs to a
session is deleted with it.
"""

import hashlib
import itertools
import os
import re
from pathlib import Path

MAX_SPILL_BYTES = 100_000_000


class OutputFile:
    """One file for one output, opened at the first write. It never raises: `error` says why there is no file.

    A file that is there already stays as it is: then this one's name has a number.
    """

    def __init__(self, folder: Path, name: str, limit: int = MAX_SPILL_BYTES, *, suffix: str = ".txt") -> None:
        self.path = folder / f"{file_name(name)}{suffix}"
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
        wanted = self.path
        for number in itertools.count(2):
            try:
                # Made anew: a link that someone left there is not followed.
                return os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            except FileExistsError:
                self.path = wanted.with_name(f"{wanted.stem}-{number}{wanted.suffix}")
        raise AssertionError("numbers do not end")


def session_folder(folder: Path, session_id: str) -> Path:
    """The folder with the outputs of a session."""
    return folder / file_name(session_id)


def call_name(message_id: str, call_id: str) -> str:
    """The name of a call's output file in its session's folder."""
    return f"{message_id}-{call_id}"


def delete_outputs(folder: Path, session_id: str) -> None:
    """Delete what a session has left here. What can't be deleted stays."""
    import shutil  # slow to import, and seldom needed

    shutil.rmtree(session_folder(folder, session_id), ignore_errors=True)


def file_name(text: str) -> str:
    """An id as a file's name. Ids come from providers, so anything may be in them."""
    plain = re.sub(r"[^A-Za-z0-9_-]", "_", text)[:64]
    if plain == text and plain:
        return plain
    return f"{plain}-{hashlib.sha256(text.encode(errors='replace')).hexdigest()[:12]}"
