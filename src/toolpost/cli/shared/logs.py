"""Write the log to a file, so that only the answer reaches the terminal."""

import contextlib
import logging
import os
from pathlib import Path

LIMIT_BYTES = 1_000_000


def log_to_file() -> None:
    """Send what is logged, from now on, to the file: warnings and worse, and what tools print. With TOOLPOST_DEBUG
    everything."""
    root = logging.getLogger()
    if not any(isinstance(handler, LogFile) for handler in root.handlers):
        root.addHandler(LogFile())
    root.setLevel(logging.DEBUG if os.environ.get("TOOLPOST_DEBUG") else logging.WARNING)
    # What tools print has no other place.
    logging.getLogger("toolpost.printed").setLevel(logging.INFO)


def log_path() -> Path:
    from toolpost.store import default_path

    return default_path().parent / "toolpost.log"


class LogFile(logging.Handler):
    """Opened for each line: lines are rare, and several processes may write. The file before is kept as `.1`."""

    def __init__(self) -> None:
        super().__init__()
        self.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        # Imported here: it compiles expressions that a run without a warning does not need.
        from toolpost.guard.redact import known_redactor

        # A log that can't be written must not stop the work.
        with contextlib.suppress(OSError):
            line = known_redactor().text(self.format(record))
            self._append(log_path(), line.encode("utf-8", "backslashreplace") + b"\n")

    def _append(self, path: Path, line: bytes) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        if path.exists() and path.stat().st_size > LIMIT_BYTES:
            path.replace(path.with_suffix(".log.1"))
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            os.write(file, line)
        finally:
            os.close(file)
