"""Hash every file of a folder that can run code or change permissions, for the decision to trust the folder."""

import errno
import hashlib
import os
import stat
from pathlib import Path

# Everything in a project that can act. A folder stands for all that is below it.
ACTING = (
    ".toolpost",
    ".mcp.json",
    ".claude/agents",
    ".claude/commands",
    ".claude/skills",
    ".opencode/agent",
    ".opencode/agents",
    ".opencode/command",
    ".opencode/commands",
    ".agents/skills",
)
# More than this is not configuration: such a folder is never trusted as a whole. Folders and links count, too.
MOST_FILES = 2_000
MOST_BYTES = 50_000_000
CHUNK = 1 << 20

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class TrustError(Exception):
    """A folder that cannot be trusted as a whole; the text says why."""


def fingerprint(project: Path) -> dict[str, str]:
    """The hash of every file that acts in a folder, by its path in it, sorted.

    Raises `TrustError` where it brings too much along, or something that can't be read: what can't be read
    now may be anything later.
    """
    reader = _Reader(project)
    for name in ACTING:
        reader.take(name, ())
    return dict(sorted(reader.found.items()))


class _Reader:
    def __init__(self, project: Path) -> None:
        self.found: dict[str, str] = {}
        self._project = project
        self._entries = 0
        self._bytes = 0

    def take(self, name: str, above: tuple[tuple[int, int], ...]) -> None:
        """Note what is there under a name; `above` are the folders that it was reached through."""
        found = self._look(name, follow=False)
        if found is None:
            return
        self._count()
        if stat.S_ISLNK(found.st_mode):
            self.found[_text(name)] = f"link to {_text(self._target(name))}"
            # Where it leads to nothing there is no more to say: when something appears there, it is a change.
            found = self._look(name, follow=True)
        if found is not None:
            self._take_reached(name, found, above)

    def _take_reached(self, name: str, reached: os.stat_result, above: tuple[tuple[int, int], ...]) -> None:
        if stat.S_ISDIR(reached.st_mode):
            key = (reached.st_dev, reached.st_ino)
            # A link back up leads to what is being looked through already.
            for entry in self._names(name) if key not in above else ():
                self.take(f"{name}/{entry}", (*above, key))
            return
        digest = self._digest(name)
        said = self.found.get(_text(name))
        self.found[_text(name)] = f"{said}, {digest}" if said else digest

    def _look(self, name: str, *, follow: bool) -> os.stat_result | None:
        try:
            return (self._project / name).stat(follow_symlinks=follow)
        except OSError as error:
            if error.errno in _NOTHING_THERE:
                return None
            raise _unreadable(name, error) from error

    def _target(self, name: str) -> str:
        try:
            return str((self._project / name).readlink())
        except OSError as error:
            raise _unreadable(name, error) from error

    def _names(self, name: str) -> list[str]:
        try:
            return sorted(entry.name for entry in (self._project / name).iterdir())
        except OSError as error:
            raise _unreadable(name, error) from error

    def _digest(self, name: str) -> str:
        """The SHA-256 of a file, marked where it can be run: what was mere text would become a program."""
        try:
            file = os.open(self._project / name, _READ)
            try:
                found = os.fstat(file)
                if not stat.S_ISREG(found.st_mode):
                    raise TrustError(
                        f"{_text(name)} is not a regular file: what is read from it can't be known in advance"
                    )
                digest = self._read(file)
            finally:
                os.close(file)
        except OSError as error:
            raise _unreadable(name, error) from error
        return f"{digest} executable" if found.st_mode & 0o111 else digest

    def _read(self, file: int) -> str:
        digest = hashlib.sha256()
        while data := os.read(file, CHUNK):
            digest.update(data)
            self._bytes += len(data)
            if self._bytes > MOST_BYTES:
                raise self._too_much()
        return digest.hexdigest()

    def _count(self) -> None:
        self._entries += 1
        if self._entries > MOST_FILES:
            raise self._too_much()

    def _too_much(self) -> TrustError:
        return TrustError(f"{self._project} brings more than {MOST_FILES:,} files or {MOST_BYTES // 10**6} MB along")


def _text(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise TrustError(f"the name {name!a} is not valid text: rename the file") from None
    return name


def _unreadable(name: str, error: OSError) -> TrustError:
    return TrustError(f"{name!a} can't be read: {error.strerror or error}")
