"""A launch through `child.py`, which watches over a command and ends all that it started."""

import marshal
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import child


class WatchedLaunch:
    """It gets its policy, and a pipe: when the other end of that closes, whoever wanted the command is gone."""

    def __init__(self, policy: dict[str, Any], descriptors: Sequence[int] = (), temporary: Path | None = None) -> None:
        described = os.memfd_create("policy", 0)
        os.write(described, marshal.dumps(policy))
        os.lseek(described, 0, os.SEEK_SET)
        watched, self._lifeline = os.pipe()
        self._temporary = temporary
        self.pass_fds: Sequence[int] = (described, watched, *descriptors)
        self.argv = [sys.executable, "-I", "-S", child.__file__, str(described), str(watched)]
        self.cwd = Path("/")
        self.covered: Sequence[str] = ()
        self.refused = ""
        self.env: Mapping[str, str] = {}

    def close(self) -> None:
        for descriptor in (*self.pass_fds, self._lifeline):
            if descriptor >= 0:
                os.close(descriptor)
        self.pass_fds, self._lifeline = (), -1
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
