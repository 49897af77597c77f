"""Keep a copy of a project's files up to date, to tell what has changed since the last look and what it held before.

The first look scans the project and copies what is in it, within limits. Later ones look only at what the kernel told
of, or scan again and compare sizes, times and inodes. Folders are opened from the one that they are in, and no link is
followed: a command that puts a link in the place of a folder leads nowhere.
"""

import contextlib
import os
import stat
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path, PurePath

from toolpost.folders import user_folder
from toolpost.guard.atomic_write import TEMPORARY, read_regular
from toolpost.guard.open_beneath import open_folder
from toolpost.guard.sandbox.placeholders import MODE as PLACEHOLDER_MODE
from toolpost.guard.sandbox.placeholders import is_placeholder_at
from toolpost.guard.secret_names import SECRET_FOLDERS, is_secret
from toolpost.tools.limits import ToolLimits

from .content_store import Copy, CopyFile
from .folder_tree import MAX_IGNORE_BYTES
from .git_changes import git_changed, git_state
from .gitignore import COLLAPSED, IgnoreRules
from .inotify_watch import FolderEvents, FolderWatch, OutOfWatches, watch_for
from .project_entry import (
    SPECIAL,
    STAMP_LENGTH,
    WALKED,
    FileState,
    closed_folder,
    count_below,
    may_have_changed,
    read_entry,
    stamp_of,
    statuses_in,
)

GIT = ".git"
# Caches that programs make again when they need them: they are not looked at.
CACHES = frozenset(("__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"))
MAX_DEPTH = 100
# Of what is free on the disk no more than this part.
ROOM_SHARE = 4
LATER = "there was no time to copy it"
TOO_WIDE = "what commands change is not kept in a home folder, or in one that it is in"

# A path with what was there before and what is there now.
Difference = tuple[str, FileState | None, FileState | None]


class ProjectCopy:
    """The copy of one project. Not for several threads at once."""

    def __init__(self, root: Path, folder: Path, limits: ToolLimits) -> None:
        self._root = root
        self._limits = limits
        self._copies = CopyFile(folder)
        self._watch: FolderWatch | None = watch_for(root, limits.snapshot_watches)
        self._is_scanned = False
        # What is in each folder, by its path; of those that are closed nothing.
        self._known: dict[str, dict[str, FileState]] = {}
        self._ignored: dict[str, IgnoreRules] = {}
        self._linked: set[tuple[str, str]] = set()
        self._later: set[tuple[str, str]] = set()
        self._repositories: set[str] = set()
        # Where sessions and journals are kept: they change with everything that is done here.
        self._own = {_identity(folder), _identity(user_folder("data"))}
        self._git = git_state(root, ())
        self._files = 0
        self._most_bytes = min(limits.snapshot_bytes, self._copies.room() // ROOM_SHARE)
        self._deadline = 0.0
        self._differences: dict[str, tuple[FileState | None, FileState | None]] = {}

    @property
    def is_watched(self) -> bool:
        """True if the kernel tells what has changed, so that a look is cheap."""
        return self._watch is not None

    def look(self) -> list[Difference]:
        """The differences from the last look; none at the first."""
        self._deadline = time.monotonic() + self._limits.snapshot_seconds
        self._differences = {}
        if self._copies.is_wasteful:
            self._rewrite()
        is_first = not self._is_scanned
        noticed = self._watch.read() if self._watch is not None and self._is_scanned else None
        if noticed is None:
            self._scan_all()
        else:
            try:
                self._follow(noticed)
            except OutOfWatches:
                self._unwatch()
                self._scan_all()
        self._is_scanned = True
        found = [] if is_first else [*self._changed(), *self._beyond()]
        return [*found, *self._git_differences(is_first)]

    def content(self, known: FileState) -> bytes:
        """The content of a path as it was copied; of a link, its target. Raises `OSError` where the copy can't be
        read."""
        return self._copies.read(known.copy) if known.copy is not None else b""

    def close(self) -> None:
        self._copies.close()
        self._unwatch()

    def _unwatch(self) -> None:
        if self._watch is not None:
            self._watch.close()
            self._watch = None

    def _changed(self) -> Iterator[Difference]:
        for path, (before, after) in sorted(self._differences.items()):
            if before is None and after is None:
                continue
            if before is None or after is None or before.differs(after):
                yield path, before, after

    def _beyond(self) -> Iterator[Difference]:
        """What is said where nothing of the project is copied."""
        if "" not in self._known:
            yield ".", None, FileState((), why=TOO_WIDE if self._is_too_wide else self._too_many())

    @property
    def _is_too_wide(self) -> bool:
        return Path.home().is_relative_to(self._root)

    def _git_differences(self, is_first: bool) -> Iterator[Difference]:
        before, self._git = self._git, git_state(self._root, self._repositories, self._git)
        for path, why in () if is_first else git_changed(before, self._git):
            yield f"{path}/{GIT}" if path else GIT, None, FileState((), why=why)

    def _scan_all(self) -> None:
        if self._watch is not None and self._is_scanned:
            # Events were lost: what is watched has to be found anew.
            self._watch.close()
            self._watch = watch_for(self._root, self._limits.snapshot_watches)
        self._files = 0
        try:
            self._scan_root()
        except OutOfWatches:
            self._unwatch()
            self._files = 0
            self._scan_root()

    def _scan_root(self) -> None:
        if self._is_too_wide:
            self._unwatch()
            return
        folder = open_folder(str(self._root), ())
        try:
            opened = os.open(".", WALKED, dir_fd=folder)
        finally:
            os.close(folder)
        try:
            if not self._scan(opened, "", IgnoreRules(), 0):
                # Nothing of it is known then, and that is said.
                self._known.clear()
                self._differences.clear()
        finally:
            os.close(opened)

    def _scan(self, folder: int, inner: str, ignored: IgnoreRules, depth: int) -> bool:
        """Look at all that is in an open folder. False if that is too much."""
        if self._watch is not None:
            self._watch.add(inner, folder)
        found = statuses_in(folder)
        files = sum(1 for status in found.values() if not stat.S_ISDIR(status.st_mode))
        if self._files + files > self._limits.snapshot_files:
            return False
        self._files += files
        if ".gitignore" in found:
            ignored = ignored.with_file(
                PurePath(inner).parts, read_regular(".gitignore", MAX_IGNORE_BYTES, folder).decode(errors="replace")
            )
        self._ignored[inner] = ignored
        old = self._known.get(inner, {})
        self._known[inner] = old
        for name in [name for name in old if name not in found]:
            self._forget(inner, name)
        for name, status in found.items():
            self._visit(folder, inner, name, status, depth)
        return True

    def _follow(self, noticed: FolderEvents) -> None:
        """Look at what was noticed, and at what is never told of."""
        assert self._watch is not None
        if noticed.folders:
            self._watch.drop(noticed.folders)
            self._files = sum(map(len, self._known.values()))
        for inner, name in (*self._linked, *self._later):
            noticed.names.setdefault(inner, set()).add(name)
        linked = len(self._linked)
        self._look_at(noticed.names, noticed.folders)
        if len(self._linked) > linked:
            # What has got another name is not told of under its first one.
            self._look_at(self._other_names(), set())

    def _other_names(self) -> dict[str, set[str]]:
        """All names of files that have several."""
        inodes = {self._known[inner][name].stamp[4] for inner, name in self._linked}
        found: dict[str, set[str]] = {}
        for inner, names in self._known.items():
            for name, known in names.items():
                if len(known.stamp) == STAMP_LENGTH and known.stamp[4] in inodes:
                    found.setdefault(inner, set()).add(name)
        return found

    def _look_at(self, names: dict[str, set[str]], moved: set[str]) -> None:
        for inner in sorted(names):
            if inner not in self._known:
                continue
            try:
                way = open_folder(str(self._root), PurePath(inner).parts)
            except OSError:
                # It is gone, and the folder that it was in tells so.
                continue
            try:
                folder = os.open(".", WALKED, dir_fd=way)
            except OSError:
                continue
            finally:
                os.close(way)
            try:
                self._revisit(folder, inner, sorted(names[inner]), moved)
            finally:
                os.close(folder)

    def _revisit(self, folder: int, inner: str, names: list[str], moved: set[str]) -> None:
        depth = len(PurePath(inner).parts)
        for name in names:
            try:
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
            except OSError:
                self._forget(inner, name)
                continue
            path = _join(inner, name)
            if path in moved or not stat.S_ISDIR(status.st_mode):
                self._visit(folder, inner, name, status, depth)
            elif (old := self._known[inner].get(name)) is not None:
                # What is in it is told by itself.
                self._set(inner, name, closed_folder(status, old.why) if old.why else FileState((status.st_mode,)))

    def _visit(self, folder: int, inner: str, name: str, status: os.stat_result, depth: int) -> None:
        if name == GIT:
            self._repositories.add(inner)
            return
        if name in CACHES or name.startswith(TEMPORARY):
            return
        if stat.S_ISDIR(status.st_mode):
            self._visit_folder(folder, inner, name, status, depth)
            return
        known = self._known[inner].get(name)
        if known is not None and known.is_folder:
            self._forget(inner, name)
            known = None
        self._set(inner, name, self._looked(folder, inner, name, status, known))
        key = (inner, name)
        # Written under another name, it is told of there alone.
        (self._linked.add if status.st_nlink > 1 and stat.S_ISREG(status.st_mode) else self._linked.discard)(key)

    def _visit_folder(self, parent: int, inner: str, name: str, status: os.stat_result, depth: int) -> None:
        if stat.S_IMODE(status.st_mode) == PLACEHOLDER_MODE and is_placeholder_at(parent, name):
            return
        if (status.st_dev, status.st_ino) in self._own:
            return
        path = _join(inner, name)
        why = self._why_closed(parent, inner, name, depth)
        if not why:
            try:
                folder = os.open(name, WALKED, dir_fd=parent)
            except OSError:
                why = "it can't be read"
            else:
                old = self._known[inner].get(name)
                if old is not None and not old.is_folder:
                    self._forget(inner, name)
                self._set(inner, name, FileState((status.st_mode,)))
                try:
                    if self._scan(folder, path, self._ignored[inner], depth + 1):
                        return
                finally:
                    os.close(folder)
                why = self._too_many()
        self._close(parent, inner, name, status, why)

    def _too_many(self) -> str:
        return f"the project has more than {self._limits.snapshot_files:,} files"

    def _why_closed(self, parent: int, inner: str, name: str, depth: int) -> str:
        """Why a folder is not looked into; "" where it is."""
        if depth >= MAX_DEPTH:
            return f"more than {MAX_DEPTH} folders deep"
        if name in COLLAPSED:
            return "folders of this name are not kept"
        if _join(inner, name) in self._known:
            return ""
        if time.monotonic() > self._deadline:
            return "there was no time to look at it"
        if self._ignored[inner].covers((*PurePath(inner).parts, name), folder=True):
            most = self._limits.snapshot_ignored_files
            if count_below(parent, name, most) > most:
                return f"ignored by git, and more than {most:,} files"
        return ""

    def _close(self, parent: int, inner: str, name: str, status: os.stat_result, why: str) -> None:
        """Know of a folder only whether something was made or deleted in it."""
        path = _join(inner, name)
        if path in self._known:
            self._forget(inner, name)
        self._set(inner, name, closed_folder(status, why))
        if self._watch is not None:
            with contextlib.suppress(OSError):
                folder = os.open(name, WALKED, dir_fd=parent)
                try:
                    self._watch.add(path, folder, is_closed=True)
                finally:
                    os.close(folder)

    def _looked(self, folder: int, inner: str, name: str, status: os.stat_result, old: FileState | None) -> FileState:
        """What is known of a file or a link now, with a copy of what it holds."""
        if not (stat.S_ISREG(status.st_mode) or stat.S_ISLNK(status.st_mode)):
            kind = SPECIAL.get(stat.S_IFMT(status.st_mode), "no file")
            return FileState((status.st_mode, status.st_ino), why=kind)
        stamp = stamp_of(status)
        if old is not None and old.stamp == stamp and old.why != LATER and not may_have_changed(old):
            return old
        self._later.discard((inner, name))
        if why := self._why_not_kept(inner, name, status, old):
            if why == LATER:
                self._later.add((inner, name))
            return FileState(stamp, why=why)
        seen_at = time.time()
        try:
            stamp, data = read_entry(folder, name, stamp)
            copy = self._kept(data, old)
        except OSError as error:
            return FileState(stamp, why=f"it could not be copied ({error.strerror or error})")
        return FileState(stamp, copy, seen_at=seen_at)

    def _kept(self, data: bytes, old: FileState | None) -> Copy:
        """Its old copy where that holds the same."""
        copy = old.copy if old is not None else None
        if copy is not None and copy[1] == len(data) and self._copies.read(copy) == data:
            return copy
        return self._copies.add(data)

    def _why_not_kept(self, inner: str, name: str, status: os.stat_result, old: FileState | None) -> str:
        limits = self._limits
        if _is_secret(inner, name):
            return "secrets are not kept"
        if status.st_size > limits.snapshot_file_bytes:
            return f"{size_of(status.st_size)}, over the limit of {size_of(limits.snapshot_file_bytes)}"
        freed = old.copy[1] if old is not None and old.copy is not None else 0
        if self._copies.used - freed + status.st_size > self._most_bytes:
            return f"the copies of this project's files take more than {size_of(self._most_bytes)}"
        # What has changed is read whatever time it takes: its content would be lost to the next look.
        if (old is None or old.why == LATER) and time.monotonic() > self._deadline:
            return LATER
        return ""

    def _set(self, inner: str, name: str, known: FileState) -> None:
        names = self._known[inner]
        old = names.get(name)
        if old is known:
            return
        names[name] = known
        self._note(_join(inner, name), old, known)

    def _forget(self, inner: str, name: str) -> None:
        """What is gone, with all that was in it."""
        path = _join(inner, name)
        old = self._known.get(inner, {}).pop(name, None)
        self._linked.discard((inner, name))
        self._later.discard((inner, name))
        if old is not None:
            self._note(path, old, None)
        for below in list(self._known.get(path, ())):
            self._forget(path, below)
        self._known.pop(path, None)
        self._ignored.pop(path, None)

    def _note(self, path: str, before: FileState | None, after: FileState | None) -> None:
        if before is not None and before.copy is not None and (after is None or after.copy != before.copy):
            self._copies.drop(before.copy)
        first = self._differences[path][0] if path in self._differences else before
        self._differences[path] = (first, after)

    def _rewrite(self) -> None:
        """Move the copies that are wanted to a new file, all of them or none."""
        old, new = self._copies, self._copies.successor()
        moved: list[tuple[FileState, Copy]] = []
        for names in self._known.values():
            moved += [(known, new.add(old.read(known.copy))) for known in names.values() if known.copy is not None]
        for known, copy in moved:
            known.copy = copy
        self._copies = new
        old.close()


def size_of(size: int) -> str:
    """A number of bytes for people."""
    for unit, least in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if size >= least:
            return f"{size / least:.1f} {unit}"
    return f"{size} bytes"


def _identity(folder: Path) -> tuple[int, int] | None:
    try:
        found = folder.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def _join(inner: str, name: str) -> str:
    return f"{inner}/{name}" if inner else name


def _is_secret(inner: str, name: str) -> bool:
    # By the name alone where the folders can't make a difference: there are many files.
    return is_secret(PurePath(inner, name)) if _is_special(inner) else _is_secret_name(name)


@lru_cache(maxsize=10_000)
def _is_secret_name(name: str) -> bool:
    return is_secret(PurePath(name))


@lru_cache(maxsize=10_000)
def _is_special(inner: str) -> bool:
    return any(part.startswith(".") or part.lower() in SECRET_FOLDERS for part in PurePath(inner).parts)
