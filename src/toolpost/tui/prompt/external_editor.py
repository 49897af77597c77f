"""Edit a text in the person's own editor, $VISUAL or $EDITOR, while the terminal is lent to it."""

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

_USUAL = ("nano", "vim", "vi", "notepad")


def find_editor(environ: Mapping[str, str] = os.environ) -> list[str]:
    """The command of the editor; empty where there is none."""
    for name in ("VISUAL", "EDITOR"):
        if environ.get(name, "").strip():
            return shlex.split(environ[name])
    path = environ.get("PATH")
    return [name for name in _USUAL if shutil.which(name, path=path)][:1]


def edit_in(command: list[str], text: str) -> str:
    """The text as it was left. Raises `OSError` and `subprocess.CalledProcessError`; the editor has the terminal, so it
    is waited for."""
    with tempfile.TemporaryDirectory(prefix="toolpost-") as folder:
        # A suffix lets an editor choose its mode; nobody else may read the folder, nor the file where it is linked.
        file = Path(folder, "prompt.md")
        file.touch(mode=0o600)
        file.write_text(text, encoding="utf-8")
        subprocess.run([*command, str(file)], check=True)
        edited = file.read_text(encoding="utf-8", errors="replace")
    # Editors end a file with a line break, which nobody typed.
    return edited if text.endswith("\n") else edited.removesuffix("\n")
