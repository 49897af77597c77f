"""Keep the list of trusted folders.

What a folder brings along (settings, tools, servers, agents, skills) may run code or widen permissions, so it does
nothing until a person has said yes to exactly these bytes."""

import contextlib
import fcntl
import hashlib
import os
import tempfile
import time
from collections.abc import Generator, Mapping
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.folders import user_folder

from .trust_fingerprint import TrustError, fingerprint

__all__ = ["FolderTrust", "Trust", "TrustError", "fingerprint"]

TrustState = Literal["empty", "trusted", "changed", "unknown"]


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


class _Record(Struct, frozen=True, omit_defaults=True):
    time: float
    files: dict[str, str]


class Trust:
    """The trusted folders of this user, with the hash of every file that acts in them. Several processes may share it.

    What can't be read trusts nothing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @classmethod
    def of_user(cls, environ: Mapping[str, str] = os.environ) -> "Trust":
        return cls(user_folder("data", environ) / "trust.json")

    def standing(self, project: Path) -> FolderTrust:
        """The trust state of a project: whether what it brings along may act now."""
        try:
            now = fingerprint(project)
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
        files = fingerprint(project)
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
