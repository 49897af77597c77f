"""The history of prompts in a file, shared with the inline chat: the format is that of prompt_toolkit's FileHistory."""

import contextlib
import os
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

# Of a longer file, the end is read; of a longer prompt, the folded form is kept.
MAX_READ = 1_000_000
MAX_PROMPT = 100_000
MAX_PROMPTS = 2_000


class PromptHistory:
    """`path` is None for a history that ends with the program."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._own: list[str] = []
        self._read: tuple[str, ...] = ()
        self._read_at: tuple[int, int] | None = None

    def entries(self) -> Sequence[str]:
        """Every prompt once, the newest last, with those that other chats have added meanwhile."""
        if self._path is None:
            return tuple(self._own)
        with contextlib.suppress(OSError):
            state = self._path.stat()
            stamp = state.st_mtime_ns, state.st_size
            if stamp != self._read_at:
                self._read = _prompts(_end_of(self._path, state.st_size))
                self._read_at = stamp
        return self._read

    def add(self, text: str) -> None:
        """Keep a prompt. One that cannot be written is kept until the end of the program."""
        if not text.strip() or self.entries()[-1:] == (text,):
            return
        if self._path is None:
            self._own = [*(one for one in self._own if one != text), text]
            return
        try:
            self._append(self._path, text)
        except OSError:
            self._read = (*self._read, text)

    def _append(self, path: Path, text: str) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        lines = "".join(f"+{line}\n" for line in text.split("\n"))
        record = f"\n# {datetime.now()}\n{lines}".encode(errors="replace")
        # In one write at the end, so that two chats do not mix their lines.
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, record)
        finally:
            os.close(file)


class HistoryWalk:
    """Steps through the history from a draft, which is kept for the way back."""

    def __init__(self, entries: Sequence[str], draft: str) -> None:
        self._texts = [*(one for one in entries if one != draft), draft]
        self._at = len(self._texts) - 1

    def step(self, by: int) -> str | None:
        """The next text, or None at the end."""
        if not 0 <= self._at + by < len(self._texts):
            return None
        self._at += by
        return self._texts[self._at]

    @property
    def is_at_draft(self) -> bool:
        return self._at == len(self._texts) - 1

    def shows(self, *texts: str) -> bool:
        """False once the text was changed: then it is a draft of its own."""
        return self._texts[self._at] in texts


def _end_of(path: Path, size: int) -> str:
    with path.open("rb") as file:
        file.seek(max(0, size - MAX_READ))
        data = file.read(MAX_READ)
    text = data.decode(errors="replace")
    # The first of them may be cut.
    return text if size <= MAX_READ else text[text.find("\n# ") + 1 :]


def _prompts(text: str) -> tuple[str, ...]:
    found: list[str] = []
    lines: list[str] = []
    for line in (*text.split("\n"), ""):
        if line.startswith("+"):
            lines.append(line[1:])
        elif lines:
            found.append("\n".join(lines))
            lines = []
    newest_first = dict.fromkeys(reversed(found))
    return tuple(reversed(tuple(newest_first)[:MAX_PROMPTS]))
