"""Which folders are trusted. What a folder brings along (settings, tools, servers, agents, skills) may run code or
widen permissions, so it does nothing until a person has said yes to exactly these bytes."""

import hashlib
import os
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.folders import user_folder

# Everything in a project that can act. A folder stands for all the files below it.
ACTING = (
    ".toolpost",
    ".mcp.json",
    ".claude/agents",
    ".claude/commands",
    ".claude/skills",
    ".opencode",
    ".agents/skills",
)
# More than this is no configuration: such a folder is never trusted as a whole.
MOST_FILES = 2_000
MOST_BYTES = 50_000_000
CHUNK = 1 << 20

State = Literal["empty", "trusted", "changed", "unknown"]


class Standing(Struct, frozen=True):
    """How a folder stands: `files` are those that act in it, `changed` those that are not as they were trusted."""

    state: State
    files: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def trusted(self) -> bool:
        """True also where there is nothing to trust."""
        return self.state in ("trusted", "empty")


class _Record(Struct, frozen=True, omit_defaults=True):
    time: float
    files: dict[str, str]


class TrustError(Exception):
    """A folder that cannot be trusted as a whole; the text says why."""


class Trust:
    """The trusted folders of this user, with the hash of every file that acts in them."""

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> "Trust":
        return cls(user_folder("data", environ) / "trust.json")

    def standing(self, project: Path) -> Standing:
        """Whether what `project` brings along may act now."""
        try:
            now = fingerprint(project)
        except TrustError:
            return Standing("unknown")
        if not now:
            return Standing("empty")
        record = self._read().get(_key(project))
        if record is None:
            return Standing("unknown", tuple(now))
        changed = sorted(name for name in now.keys() | record.files.keys() if now.get(name) != record.files.get(name))
        return Standing("changed" if changed else "trusted", tuple(now), tuple(changed))

    def give(self, project: Path) -> Standing:
        """Trust the folder as it is now. Raises `TrustError` where it brings too much along to be looked through."""
        records = {**self._read(), _key(project): _Record(time.time(), fingerprint(project))}
        self._write(records)
        return self.standing(project)

    def take_back(self, project: Path) -> bool:
        """Trust the folder no more. False if it was not trusted."""
        records = self._read()
        if records.pop(_key(project), None) is None:
            return False
        self._write(records)
        return True

    def folders(self) -> list[tuple[str, float]]:
        """The folders that were trusted, and when."""
        return [(folder, record.time) for folder, record in sorted(self._read().items())]

    def _read(self) -> dict[str, _Record]:
        try:
            return msgspec.json.decode(self._path.read_bytes(), type=dict[str, _Record])
        except (OSError, msgspec.MsgspecError):
            # What cannot be read trusts nothing.
            return {}

    def _write(self, records: dict[str, _Record]) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        draft.write_bytes(msgspec.json.format(msgspec.json.encode(records)))
        draft.chmod(0o600)
        draft.replace(self._path)


def fingerprint(project: Path) -> dict[str, str]:
    """The SHA-256 of every file that acts in a folder, by its path in it, sorted."""
    found: dict[str, str] = {}
    size = 0
    for path in _acting(project):
        size += path.lstat().st_size
        if len(found) >= MOST_FILES or size > MOST_BYTES:
            raise TrustError(f"{project} brings more than {MOST_FILES:,} files or {MOST_BYTES // 1_000_000} MB along")
        found[path.relative_to(project).as_posix()] = _digest(path)
    return dict(sorted(found.items()))


def _acting(project: Path) -> Iterator[Path]:
    for name in ACTING:
        root = project / name
        if root.is_symlink() or root.is_file():
            yield root
            continue
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(one for one in folders if one != "__pycache__")
            # A link to a folder is not walked into: it counts as the place that it points to.
            links = [one for one in folders if Path(folder, one).is_symlink()]
            yield from (Path(folder, one) for one in sorted([*files, *links]))


def _digest(path: Path) -> str:
    if path.is_symlink():
        target = f"link to {path.readlink()}".encode()
        inside = path.read_bytes() if path.is_file() else b""
        return hashlib.sha256(target + b"\0" + inside).hexdigest()
    if not path.is_file():
        return "no file"
    with path.open("rb") as source:
        return hashlib.file_digest(source, "sha256").hexdigest()


def _key(project: Path) -> str:
    return str(project.resolve())
