"""The file of the prompts that were typed before, for every face of the chat."""

import contextlib
import os
from pathlib import Path

from toolpost.store import default_path


def history_file() -> Path:
    """Made by us, or made ours, so that nobody else may read what was typed."""
    path = default_path().parent / "history"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    if path.stat().st_mode & 0o077:
        # Somebody else's that is open to all, or a file system without modes, is no reason not to start.
        with contextlib.suppress(OSError):
            path.chmod(0o600)
    return path
