"""Move files that run later into quarantine, and restore them from there.

Files are kept in the user's data folder, which no command sees, in one folder for each time that something was taken. A
file is renamed first, which ends its effect whatever else happens, and then copied: a program that still holds it open
can't change what is kept. A file of settings is replaced by one with those that were there before and those that run
nothing.
Modes do not keep anything in its place: a command runs as us, so what it has closed is ours to open.
"""

import contextlib
import errno
import hashlib
import itertools
import os
import secrets
import shutil
import stat
import time
from collections.abc import Generator, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec
from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.types.errors import ToolpostError

from .atomic_write import READ, digest, digest_at, rename_new, rename_over, sync, temporary_file
from .git.config import BadGitConfig, is_harmless, parse_config, render_config
from .git.repositories import MAX_READ_BYTES, shown_value
from .git.snapshot import AutorunSetting
from .open_beneath import ANYTHING, FOLDER, make_folder, open_folder

MANIFEST = "manifest.json"
ASIDE = ".toolpost-quarantined-"
MAX_VALUE_CHARS = 2_000
MAX_SETTINGS = 100
# Of one time, and of one project. What is more stays where it is, under a name by which nothing finds it.
MAX_KEPT_BYTES = 100_000_000
MAX_KEPT_ENTRIES = 2_000
MAX_STORED_BYTES = 1_000_000_000
MAX_STORED_ENTRIES = 50_000

ItemKind = Literal["file", "link", "folder"]


class QuarantineError(ToolpostError):
    """A quarantined file can't be found or restored; the text says why, and what to do."""


class QuarantinedItem(Struct, frozen=True):
    """One file, link or folder that was taken. `replacement` is the digest of what was left in its place, "" where
    nothing was; `settings` are what acts in it, as name and value. `digest` is that of all that is in it, "" where a
    link or a pipe is, which may give something else tomorrow. A path may hold bytes that are not text."""

    raw_path: bytes
    stored: str
    kind: ItemKind
    settings: tuple[tuple[str, str], ...] = ()
    mode: int = 0o644
    digest: str = ""
    replacement: str = ""

    @property
    def path(self) -> str:
        return os.fsdecode(self.raw_path)


class QuarantineBatch(Struct, frozen=True):
    """The files quarantined at one time in one project. `failed` are those that could not be, with the reason."""

    id: str
    raw_project: bytes
    time: float
    items: tuple[QuarantinedItem, ...] = ()
    failed: tuple[tuple[str, str], ...] = ()
    size: int = 0
    entries: int = 0

    @property
    def project(self) -> Path:
        return Path(os.fsdecode(self.raw_project))


class Quarantine:
    """The quarantine of one project, or of all projects if none is named."""

    def __init__(self, project: Path | None = None, folder: Path | None = None) -> None:
        self._top = folder or user_folder("data") / "quarantine"
        self._project = project

    def take(self, found: Sequence[AutorunSetting], before: Iterable[AutorunSetting]) -> QuarantineBatch:
        """Take what was found out of the way. Settings that were there before stay in their files."""
        assert self._project is not None
        now = time.time()
        stamp = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
        made = QuarantineBatch(f"{stamp}-{secrets.token_hex(3)}", os.fsencode(self._project), now)
        folder = self._folder_of(self._project) / made.id
        folder.mkdir(mode=0o700, parents=True)
        known = {(one.path, one.name, one.value) for one in before}
        by_path: dict[str, list[AutorunSetting]] = {}
        for one in found:
            by_path.setdefault(one.path, []).append(one)
        room = self._room()
        for path, ours in by_path.items():
            stored, copy = folder / str(len(made.items)), _Copy(room, made)
            try:
                item = _take(Path(path), stored, ours, known, copy)
            except FileNotFoundError:
                continue
            except OSError as error:
                _discard(stored)
                failed = (*made.failed, (_text(path), error.strerror or str(error)))
                made = msgspec.structs.replace(made, failed=failed)
            else:
                size, entries = copy.size, copy.entries
                made = msgspec.structs.replace(made, items=(*made.items, item), size=size, entries=entries)
            # Written each time: whatever happens next, what was taken can be put back.
            _write(folder, made)
        if not made.items:
            shutil.rmtree(folder, ignore_errors=True)
        return made

    def batches(self) -> list[QuarantineBatch]:
        """All that is kept, the oldest first."""
        found = (_read(path.parent) for path in self._top.glob(f"{self._pattern}/*/{MANIFEST}"))
        return sorted((batch for batch in found if batch is not None), key=lambda batch: batch.time)

    def get(self, start: str) -> QuarantineBatch:
        """The one whose id begins so."""
        matching = [batch for batch in self.batches() if batch.id.startswith(start)]
        if len(matching) == 1:
            return matching[0]
        said = f"{start} matches several quarantined files" if matching else f"no quarantined files {start}"
        raise QuarantineError(f"{said}: `toolpost quarantine list` lists them")

    def restore(self, batch: QuarantineBatch) -> list[str]:
        """Put everything back where it was; gives the paths. What is in the way is not overwritten."""
        folder = self._folder_of(batch.project) / batch.id
        left = list(batch.items)
        done: list[str] = []
        for item in batch.items:
            try:
                _put_back(item, folder / item.stored)
            except OSError as error:
                reason = error.strerror or str(error)
                raise QuarantineError(f"{item.path} was not put back: {reason}. It is kept in {folder}") from error
            done.append(item.path)
            left.remove(item)
            _write(folder, msgspec.structs.replace(batch, items=tuple(left)))
        shutil.rmtree(folder)
        return done

    def drop(self, batch: QuarantineBatch) -> None:
        """Delete what is kept."""
        shutil.rmtree(self._folder_of(batch.project) / batch.id)

    def content(self, batch: QuarantineBatch, item: QuarantinedItem, most: int) -> bytes:
        """The beginning of a file that is kept."""
        if item.kind != "file":
            return b""
        with (self._folder_of(batch.project) / batch.id / item.stored).open("rb") as opened:
            return opened.read(most)

    def contents(self, batch: QuarantineBatch, item: QuarantinedItem, most: int, files: int) -> list[tuple[str, bytes]]:
        """The beginnings of the files that are kept, by their names in a folder; of a link, its target."""
        top = self._folder_of(batch.project) / batch.id / item.stored
        found: list[tuple[str, bytes]] = []
        for path in itertools.islice(_files(top), files):
            name = "" if path == top else str(path.relative_to(top))
            if path.is_symlink():
                found.append((name, b"leads to " + os.fsencode(path.readlink())))
            else:
                with path.open("rb") as opened:
                    found.append((name, opened.read(most)))
        return found

    def _room(self) -> tuple[int, int]:
        """The bytes and entries that may still be kept of the project."""
        batches = self.batches()
        size, entries = sum(one.size for one in batches), sum(one.entries for one in batches)
        return MAX_STORED_BYTES - size, MAX_STORED_ENTRIES - entries

    @property
    def _pattern(self) -> str:
        return "*" if self._project is None else self._folder_of(self._project).name

    def _folder_of(self, project: Path) -> Path:
        return self._top / hashlib.sha256(str(project).encode(errors="surrogateescape")).hexdigest()[:16]


def _take(
    path: Path, stored: Path, found: Sequence[AutorunSetting], known: set[tuple[str, str, str]], copy: "_Copy"
) -> QuarantinedItem:
    folder = open_folder("/", path.parent.parts[1:])
    try:
        with _changeable(folder):
            aside = f"{ASIDE}{secrets.token_hex(6)}"
            os.rename(path.name, aside, src_dir_fd=folder, dst_dir_fd=folder)
            try:
                kind, mode, held = copy.entry(folder, aside, stored)
            except (OSError, RecursionError) as error:
                raise OSError(
                    f"{error}; it was renamed to {aside} in the same folder, where it has no effect"
                ) from error
            replacement = ""
            if kind == "file" and all(one.kind == "settings" for one in found):
                replacement = _replace(folder, path, stored, mode, found, known)
            # What stays of it does nothing.
            with contextlib.suppress(OSError):
                _remove(folder, aside, kind)
            sync(folder)
    finally:
        os.close(folder)
    settings = tuple((_text(one.name), _text(one.value)[:MAX_VALUE_CHARS]) for one in found[:MAX_SETTINGS])
    return QuarantinedItem(os.fsencode(path), stored.name, kind, settings, mode, held, replacement)


class _Copy:
    """Copies what was renamed. `size` and `entries` count all of a batch; it has bounds, and so has the project."""

    def __init__(self, room: tuple[int, int], batch: QuarantineBatch) -> None:
        self._room = room
        self.size, self.entries = batch.size, batch.entries

    def entry(self, folder: int, name: str, stored: Path) -> tuple[ItemKind, int, str]:
        self._count(0, 1)
        found = os.stat(name, dir_fd=folder, follow_symlinks=False)
        mode = found.st_mode & 0o777
        if stat.S_ISLNK(found.st_mode):
            stored.symlink_to(os.readlink(name, dir_fd=folder))
            return "link", mode, ""
        if stat.S_ISDIR(found.st_mode):
            held = self._folder(folder, name, stored)
            stored.chmod(mode | 0o700)
            return "folder", mode, held
        held = self._file(folder, name, stored) if stat.S_ISREG(found.st_mode) else self._nothing(stored)
        stored.chmod(mode | 0o600)
        return "file", mode, held

    def _folder(self, folder: int, name: str, stored: Path) -> str:
        stored.mkdir(mode=0o700)
        opened = os.open(name, FOLDER, dir_fd=folder)
        try:
            # It stays so: it is deleted next.
            _allow(opened, 0o700)
            names = _names(opened)
            held = [(below, *self.entry(opened, below, stored / below)) for below in names]
        finally:
            os.close(opened)
        return digest(repr(held).encode(errors="surrogateescape")) if all(one[-1] for one in held) else ""

    def _file(self, folder: int, name: str, stored: Path) -> str:
        sum_ = hashlib.sha256()
        with os.fdopen(_open_file(folder, name), "rb") as source, stored.open("xb") as target:
            while chunk := source.read(1 << 20):
                self._count(len(chunk), 0)
                sum_.update(chunk)
                target.write(chunk)
        return sum_.hexdigest()

    def _nothing(self, stored: Path) -> str:
        """Of a pipe, a socket or a device there is nothing to keep but the name."""
        stored.touch()
        return ""

    def _count(self, size: int, entries: int) -> None:
        self.size += size
        self.entries += entries
        if self.size > MAX_KEPT_BYTES:
            raise OSError(f"there are more than {MAX_KEPT_BYTES:,} bytes")
        if self.entries > MAX_KEPT_ENTRIES:
            raise OSError(f"there are more than {MAX_KEPT_ENTRIES:,} files")
        if self.size > self._room[0] or self.entries > self._room[1]:
            raise OSError("too much of this project is kept already: `toolpost quarantine drop ID` makes room")


def _names(folder: int) -> list[str]:
    """Those in an open folder, no more than are kept and one."""
    readable = os.open(".", os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=folder)
    try:
        with os.scandir(readable) as entries:
            return sorted(entry.name for entry in itertools.islice(entries, MAX_KEPT_ENTRIES + 1))
    finally:
        os.close(readable)


@contextlib.contextmanager
def _changeable(folder: int) -> Generator[None]:
    """Let the names in an open folder be changed, whatever its mode says; it has its mode again afterwards."""
    old = _allow(folder, 0o300)
    try:
        yield
    finally:
        if old is not None:
            _set_mode(folder, old)


def _allow(descriptor: int, bits: int) -> int | None:
    """Give its owner these rights, if that is us. Gives the mode that it had, where that was another."""
    found = os.fstat(descriptor)
    mode = stat.S_IMODE(found.st_mode)
    if found.st_uid != os.geteuid() or mode & bits == bits:
        return None
    _set_mode(descriptor, mode | bits)
    return mode


def _set_mode(descriptor: int, mode: int) -> None:
    try:
        os.fchmod(descriptor, mode)
    except OSError as error:
        if error.errno != errno.EBADF:
            raise
        # It was opened for its name only, and the kernel leads from here to the very same file.
        Path(f"/proc/self/fd/{descriptor}").chmod(mode)


def _open_file(folder: int, name: str) -> int:
    """Open a file of ours to read it. It keeps its mode: it may have other names."""
    with contextlib.suppress(PermissionError):
        return os.open(name, READ, dir_fd=folder)
    found = os.open(name, ANYTHING, dir_fd=folder)
    try:
        if stat.S_ISLNK(os.fstat(found).st_mode):
            raise OSError("it became a link")
        old = _allow(found, 0o400)
        try:
            return os.open(name, READ, dir_fd=folder)
        finally:
            if old is not None:
                _set_mode(found, old)
    finally:
        os.close(found)


def _replace(
    folder: int, path: Path, stored: Path, mode: int, found: Sequence[AutorunSetting], known: set[tuple[str, str, str]]
) -> str:
    """Leave the harmless settings in place; gives the digest of that."""
    with stored.open("rb") as opened:
        data = opened.read(MAX_READ_BYTES + 1)
    with contextlib.suppress(BadGitConfig, FileExistsError):
        # A submodule's own folder was judged by where it is.
        own = {"core.worktree"} - {one.name for one in found}
        kept = [
            one
            for one in parse_config(data)
            if is_harmless(one) or one.key in own or (str(path), one.key, shown_value(one)) in known
        ]
        left = render_config(kept)
        with temporary_file(folder, (left,), None, mode) as temporary:
            rename_new(folder, temporary, path.name)
        return digest(left)
    return ""


def _remove(folder: int, name: str, kind: ItemKind) -> None:
    if kind == "folder":
        shutil.rmtree(name, dir_fd=folder)
    else:
        os.unlink(name, dir_fd=folder)


def _put_back(item: QuarantinedItem, stored: Path) -> None:
    path = Path(item.path)
    folder = make_folder("/", path.parent.parts[1:])
    try:
        with _changeable(folder):
            _put_in(folder, path.name, item, stored)
    finally:
        os.close(folder)


def _put_in(folder: int, name: str, item: QuarantinedItem, stored: Path) -> None:
    if item.replacement and digest_at(folder, name) != item.replacement:
        raise OSError(f"{name} was changed since; edit it by hand")
    if item.kind == "link":
        os.symlink(stored.readlink(), name, dir_fd=folder)
    elif item.kind == "folder":
        _require_missing(folder, name)
        # The folder is opened by now, and its name is free: nothing on the way can lead elsewhere.
        shutil.copytree(stored, f"/proc/self/fd/{folder}/{name}", symlinks=True)
        os.chmod(name, item.mode, dir_fd=folder)
    else:
        with temporary_file(folder, _chunks(stored), None, item.mode) as temporary:
            (rename_over if item.replacement else rename_new)(folder, temporary, name)


def _files(top: Path) -> Iterator[Path]:
    """The files and links in a folder that is kept, in the order of their names."""
    if top.is_symlink() or not top.is_dir():
        yield top
        return
    for path in sorted(top.iterdir()):
        yield from _files(path)


def _discard(stored: Path) -> None:
    """Delete what was copied of something that is not kept."""
    if stored.is_dir() and not stored.is_symlink():
        shutil.rmtree(stored, ignore_errors=True)
    else:
        stored.unlink(missing_ok=True)


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as opened:
        while chunk := opened.read(1 << 20):
            yield chunk


def _require_missing(folder: int, name: str) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.stat(name, dir_fd=folder, follow_symlinks=False)
        raise FileExistsError(17, "there is something else by now")


def _text(text: str) -> str:
    """What JSON can hold."""
    return text.encode(errors="replace").decode()


def _write(folder: Path, batch: QuarantineBatch) -> None:
    temporary = folder / f"{MANIFEST}.new"
    temporary.write_bytes(msgspec.json.encode(batch))
    temporary.replace(folder / MANIFEST)


def _read(folder: Path) -> QuarantineBatch | None:
    try:
        return msgspec.json.decode((folder / MANIFEST).read_bytes(), type=QuarantineBatch)
    except (OSError, msgspec.MsgspecError):
        return None
