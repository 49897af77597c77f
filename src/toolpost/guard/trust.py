"""Keep the list of trusted folders, each with a hash of its files that can run code or change permissions.

What a folder brings along (settings, tools, servers, agents, skills) may run code or widen permissions, so it does
nothing until a person has said yes to exactly these bytes."""

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import tempfile
import time
from collections.abc import Generator, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.folders import user_folder

__all__ = ["FolderTrust", "Trust", "TrustError", "fingerprint"]

TrustState = Literal["empty", "trusted", "changed", "unknown"]
# Everything in a project that can act. A folder stands for all that is below it.
SHOWN_FILES = 5
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
# Files of variables: who trusts a folder's tools need not want its keys, so they are asked for on their own.
ENV_FILES = (".env", ".env.local")
# More than this is not configuration: such a folder is never trusted as a whole. Folders and links count, too.
MAX_FILES = 2_000
MAX_BYTES = 50_000_000
CHUNK = 1 << 20

_READ = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY
_NOTHING_THERE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP)


class FolderTrust(Struct, frozen=True):
    """The trust state of a folder: `files` are those that act in it, `changed` those that differ from what was trusted.

    `digest` stands for all of them as they are; `problem` says why a folder can't be trusted as it is.
    """

    state: TrustState
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    digest: str = ""
    problem: str = ""

    @property
    def trusted(self) -> bool:
        """True also where there is nothing to trust."""
        return self.state in ("trusted", "empty")

    def notice(self, root: Path) -> str:
        """Why nothing of a folder is used, and what to do."""
        files = ", ".join((self.changed or self.files)[:SHOWN_FILES]) or self.problem
        more = len(self.changed or self.files) - SHOWN_FILES
        what = "changed since you trusted it" if self.state == "changed" else "is not trusted"
        return (
            f"{root} {what}: {files}{f' and {more} more' if more > 0 else ''}. Nothing of it is used until you run: "
            "toolpost trust"
        )


class _Record(Struct, frozen=True, omit_defaults=True):
    time: float
    files: dict[str, str]


class Trust:
    """The trusted folders of this user, with the hash of every file that acts in them. Several processes may share it.

    What can't be read trusts nothing. `acting` are the names in a folder that are looked at.
    """

    def __init__(self, path: Path, acting: Sequence[str] = ACTING) -> None:
        self._path = path
        self._acting = acting

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> "Trust":
        return cls(user_folder("data", environ) / "trust.json")

    def standing(self, project: Path) -> FolderTrust:
        """The trust state of a project: whether what it brings along may act now."""
        try:
            now = fingerprint(project, self._acting)
        except TrustError as error:
            return FolderTrust("unknown", problem=str(error))
        if not now:
            return FolderTrust("empty")
        record = self._read_or_nothing().get(_key(project))
        if record is None:
            return FolderTrust("unknown", tuple(now), digest=_digest(now))
        changed = sorted(name for name in now.keys() | record.files.keys() if now.get(name) != record.files.get(name))
        return FolderTrust("changed" if changed else "trusted", tuple(now), tuple(changed), _digest(now))

    def give(self, project: Path, shown: FolderTrust | None = None) -> FolderTrust:
        """Trust the folder as it is now. Raises `TrustError` where it can't be, or is no longer what was `shown`."""
        files = fingerprint(project, self._acting)
        if shown is not None and shown.digest != _digest(files):
            raise TrustError(f"{project} was changed while you looked at it; look again")
        with self._changing() as records:
            records[_key(project)] = _Record(time.time(), files)
        return self.standing(project)

    def take_back(self, project: Path) -> bool:
        """Trust the folder no more. False if it was not trusted."""
        with self._changing() as records:
            return records.pop(_key(project), None) is not None

    def folders(self) -> list[tuple[str, float]]:
        """The folders that were trusted, and when."""
        return [(folder, record.time) for folder, record in sorted(self._read_or_nothing().items())]

    @contextlib.contextmanager
    def _changing(self) -> Generator[dict[str, _Record]]:
        """What is trusted, to be changed; no other process changes it meanwhile."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            with self._path.with_name(f"{self._path.name}.lock").open("ab") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX)
                before = self._read()
                records = dict(before)
                yield records
                if records != before:
                    self._write(records)
        except OSError as error:
            raise TrustError(f"{self._path} can't be used: {error.strerror or error}") from error

    def _read_or_nothing(self) -> dict[str, _Record]:
        try:
            return self._read()
        except OSError:
            return {}

    def _read(self) -> dict[str, _Record]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, _Record])
        except (FileNotFoundError, msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            return {}

    def _write(self, records: Mapping[str, _Record]) -> None:
        file, name = tempfile.mkstemp(dir=self._path.parent, prefix=f"{self._path.name}.")
        draft = Path(name)
        try:
            with os.fdopen(file, "wb") as opened:
                opened.write(msgspec.json.format(msgspec.json.encode(records)))
                opened.flush()
                os.fsync(opened.fileno())
            draft.replace(self._path)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise


def _digest(files: Mapping[str, str]) -> str:
    return hashlib.sha256(msgspec.json.encode(files)).hexdigest()


def _key(project: Path) -> str:
    return str(project.resolve())


class TrustError(Exception):
    """A folder that cannot be trusted as a whole; the text says why."""


def fingerprint(project: Path, acting: Sequence[str] = ACTING) -> dict[str, str]:
    """The hash of every file that acts in a folder, by its path in it, sorted.

    Raises `TrustError` where it brings too much along, or something that can't be read: what can't be read
    now may be anything later.
    """
    reader = _Reader(project)
    for name in acting:
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
            if self._bytes > MAX_BYTES:
                raise self._too_much()
        return digest.hexdigest()

    def _count(self) -> None:
        self._entries += 1
        if self._entries > MAX_FILES:
            raise self._too_much()

    def _too_much(self) -> TrustError:
        return TrustError(f"{self._project} brings more than {MAX_FILES:,} files or {MAX_BYTES // 10**6} MB along")


def _text(name: str) -> str:
    try:
        name.encode()
    except UnicodeEncodeError:
        raise TrustError(f"the name {name!a} is not valid text: rename the file") from None
    return name


def _unreadable(name: str, error: OSError) -> TrustError:
    return TrustError(f"{name!a} can't be read: {error.strerror or error}")
