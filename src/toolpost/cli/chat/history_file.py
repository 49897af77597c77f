"""The file of the prompts that were typed before, for every face of the chat."""

import os
from pathlib import Path

from toolpost.store import default_path


def history_file() -> Path:
    """Made by us, so that nobody else may read what was typed."""
    path = default_path().parent / "history"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path
