"""The names of task queues: a run goes where its files are, or to the pool that shares them."""

import hashlib
import re
import socket
from pathlib import Path

from toolpost.folders import project_root
from toolpost.types.errors import ConfigError

_POOL = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


def queue_of(folder: Path | str, pool: str | None) -> str:
    """The queue of a pool; without one that of a project's folder on this machine."""
    if pool is not None:
        if not _POOL.fullmatch(pool):
            raise ConfigError(f"[engine] pool must be a name of letters, digits, '.', '_' and '-', not {pool!r}")
        return f"toolpost/{pool}"
    root = project_root(Path(folder).absolute())
    digest = hashlib.sha256(str(root).encode("utf-8", "surrogateescape")).hexdigest()[:12]
    # The folder's name is for people, the digest tells apart those of the same name.
    name = re.sub(r"[^A-Za-z0-9._-]", "_", root.name)[:60]
    return f"toolpost/{socket.gethostname()}/{name}-{digest}"
