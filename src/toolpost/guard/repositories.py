"""Find the git repositories in a folder and what they would run, and other new files that act later.

A repository that a command has made runs programs at the person's next `git status` in the folder around it. So all of
them are looked for before a command and after it: folders and files named `.git`, bare repositories, submodules and
worktrees, and where those lead. Nothing is followed by its name alone while folders are walked: each is opened from the
one that it is in, and a link is not entered.
"""

import contextlib
import hashlib
import os
import re
import stat
import time
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath
from typing import Literal

from msgspec import Struct

from .acting_files import ActingFile, Verdict, by_name, folded, in_folder, is_told_of
from .beneath import open_folder
from .git_config import BadConfig, Entry, harmless, parse
from .replace import READ
from .sandbox_placeholders import is_placeholder
from .tables import names

# A tree of 57,000 entries takes 0.1 s.
MAX_ENTRIES = 2_000_000
MAX_SECONDS = 20.0
# Deeper folders are opened anew from the root: each one on the way there holds a descriptor.
MAX_DEPTH = 100
MAX_READ_BYTES = 1_000_000
MAX_INCLUDES = 10
# Of a file system that counts time in seconds.
CLOCK_SECONDS = 2.0
WALKED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC

Kind = Literal["settings", "file"]


class Setting(Struct, frozen=True, order=True):
    """One thing that acts later. `path` is the file that holds it, without links; of `settings` it holds others too."""

    path: str
    name: str
    value: str
    runs: str = "run by git"
    kind: Kind = "file"
    verdict: Verdict = "guard"


class Snapshot(Struct, frozen=True):
    """What acts, at one time. `complete` is false where there was too much to look at."""

    settings: frozenset[Setting]
    complete: bool
    time: float


def take(roots: Sequence[Path], *, most: int = MAX_ENTRIES, seconds: float = MAX_SECONDS) -> Snapshot:
    """What acts in these folders. They must be without links."""
    begun = time.time()
    search = _Search([str(root) for root in roots], most, seconds)
    complete = search.run()
    return Snapshot(frozenset(search.found), complete, begun)


def changed(before: Snapshot, after: Snapshot) -> list[Setting]:
    """What acts now and did not before. Where not all was looked at before, what is new on disk since then."""
    new = sorted(after.settings - before.settings)
    return new if before.complete else [one for one in new if _changed_at(one.path) >= before.time - CLOCK_SECONDS]


class _Search:
    def __init__(self, roots: Sequence[str], most: int, seconds: float) -> None:
        self._roots = roots
        self._left = most
        self._deadline = time.monotonic() + seconds
        self._deep: list[tuple[str, str]] = []
        self._read: set[tuple[Path, Path]] = set()
        self.found: set[Setting] = set()

    def run(self) -> bool:
        """False if there was more than could be looked at."""
        try:
            for root in self._roots:
                self._deep.append((root, ""))
                while self._deep:
                    self._start(*self._deep.pop())
        except _TooMuch:
            return False
        return True

    def _start(self, root: str, inner: str) -> None:
        with contextlib.suppress(OSError):
            folder = open_folder(root, PurePath(inner).parts)
            try:
                self._enter(folder, ".", root, inner, 0)
            finally:
                os.close(folder)

    def _enter(self, parent: int, name: str, root: str, inner: str, depth: int) -> None:
        try:
            folder = os.open(name, WALKED, dir_fd=parent)
        except OSError:
            self._unreadable(Path(root, inner))
            return
        try:
            self._walk(folder, root, inner, depth)
        finally:
            os.close(folder)

    def _walk(self, folder: int, root: str, inner: str, depth: int) -> None:
        folders: list[str] = []
        named: set[str] = set()
        pointers: list[str] = []
        rows: list[tuple[str, ActingFile]] = []
        all_act = in_folder(inner)
        with os.scandir(folder) as entries:
            for entry in entries:
                self._left -= 1
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder:
                    folders.append(name)
                known = folded(name)
                if known in _OF_GIT:
                    named.add(known)
                if known == ".git":
                    pointers.append(name)
                if (row := by_name(known)) is not None or (row := None if is_folder else all_act) is not None:
                    rows.append((name, row))
        if self._left < 0 or time.monotonic() > self._deadline:
            raise _TooMuch
        place = Path(root, inner)
        for name, row in rows:
            self._acting_file(place / name, f"{inner}/{name}" if inner else name, row)
        for name in pointers:
            self._worktree(place / name)
        if _is_git_folder(named, inner):
            self._git_folder(place, place)
        # Nothing that is tracked can be in `.git` itself, and what leads there is found by itself.
        is_git = place.name == ".git"
        for name in folders:
            below = f"{inner}/{name}" if inner else name
            if is_git and name not in ("modules", "worktrees"):
                continue
            if depth >= MAX_DEPTH:
                self._deep.append((root, below))
            else:
                self._enter(folder, name, root, below, depth + 1)

    def _acting_file(self, path: Path, inner: str, row: ActingFile) -> None:
        if row.verdict == "guard" and "/" not in inner:
            if not is_placeholder(path) and (row.part is None or _part(path, row)):
                self._add(path, "new", "", row.runs)
        elif is_told_of(PurePath(inner)):
            value = _part(path, row) if row.part else "new" if row.verdict == "guard" else _stamp(path)
            if value:
                self._add(path, "changed", value, row.runs, verdict="tell")

    def _worktree(self, path: Path) -> None:
        """What git does in a folder with a `.git`, which may be the repository or lead to it."""
        leads_to = _target_of(path)
        if leads_to is None:
            return
        if self._is_within(leads_to):
            self._git_folder(leads_to, path.parent)
        else:
            self._add(path, "gitdir", str(leads_to), "followed by git out of the project")

    def _git_folder(self, folder: Path, worktree: Path) -> None:
        if (folder, worktree) in self._read:
            return
        self._read.add((folder, worktree))
        for name, path in self._entries(folder):
            if name in ("config", "config.worktree"):
                self._config(path, folder, worktree)
            elif name == "commondir":
                self._common_folder(path, folder, worktree)
            elif name == "hooks":
                self._hooks(path)
            elif name == "rebase-merge":
                self._steps(path / "git-rebase-todo")

    def _common_folder(self, path: Path, folder: Path, worktree: Path) -> None:
        text = _text(path).rstrip("\r\n")
        common = _resolved(text, folder)
        if self._is_within(common):
            self._git_folder(common, worktree)
        else:
            self._add(path, "commondir", text)

    def _config(self, path: Path, folder: Path, worktree: Path, depth: int = 0) -> None:
        found = _lstat(path)
        if found is None or stat.S_ISDIR(found.st_mode):
            return
        if not stat.S_ISREG(found.st_mode):
            self._add(path, "link", f"{_link(path)}{_digest(_resolved(path))}")
            return
        try:
            entries = parse(_data(path))
        except BadConfig as error:
            self._add(path, f"unreadable ({error})", _digest(path))
            return
        for entry in entries:
            if not harmless(entry) and not _is_own_worktree(entry, folder):
                self._add(path, entry.key, shown(entry), kind="settings")
            if not entry.value:
                continue
            if entry.section in ("include", "includeif") and entry.name == "path" and depth < MAX_INCLUDES:
                included = _resolved(entry.value, path.parent)
                if self._is_within(included):
                    self._config(included, folder, worktree, depth + 1)
            if entry.key == "core.hookspath" and self._is_within(hooks := _resolved(entry.value, worktree)):
                self._hooks(hooks, HOOKS)

    def _hooks(self, folder: Path, known: frozenset[str] | None = None) -> None:
        """All files that are no samples; of a folder that settings name, which may hold others, those `known`."""
        if known is None and folder.is_symlink():
            self._add(folder, "hooks", _link(folder))
        for name, path in self._entries(folder):
            found = _lstat(path)
            is_one = name in known if known else not name.endswith(".sample")
            if is_one and found is not None and not stat.S_ISDIR(found.st_mode):
                can_run = "executable" if found.st_mode & 0o111 else "not executable"
                self._add(path, f"hook {name}", f"{can_run}, {_link(path)}{_digest(path)}")

    def _steps(self, path: Path) -> None:
        """Commands that stand in a rebase which was begun."""
        for line in _text(path).splitlines():
            if line.split(maxsplit=1)[:1] in (["exec"], ["x"]):
                self._add(path, "step of a rebase", line.strip())

    def _entries(self, folder: Path) -> list[tuple[str, Path]]:
        """The names in a folder, folded, with their paths."""
        try:
            return [(folded(path.name), path) for path in folder.iterdir()]
        except OSError:
            self._unreadable(folder)
            return []

    def _unreadable(self, folder: Path) -> None:
        """A folder whose names we may not see, but git may use them: it knows what to look for."""
        if folder.is_dir() and os.access(folder, os.X_OK) and not os.access(folder, os.R_OK):
            self._add(folder, "unreadable", "", "used by git")

    def _add(
        self,
        path: Path,
        name: str,
        value: str,
        runs: str = "run by git",
        kind: Kind = "file",
        verdict: Verdict = "guard",
    ) -> None:
        self.found.add(Setting(str(path), name, value, runs, kind, verdict))

    def _is_within(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self._roots)


class _TooMuch(Exception):
    pass


def shown(entry: Entry) -> str:
    """A value as settings are compared by; a name without `=` means true."""
    return "true" if entry.value is None else entry.value


def names_of(settings: Iterable[Setting]) -> list[str]:
    """The files that hold these, each once."""
    return list(dict.fromkeys(one.path for one in settings))


_OF_GIT = frozenset(("head", "objects", "refs", "commondir", "config"))
HOOKS = names("""
    applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist
    post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update
    pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg
    proc-receive push-to-checkout reference-transaction sendemail-validate update
""")
_POINTER = re.compile(rb"gitdir:[ ]?(.+?)[\r\n]*\Z", re.DOTALL)


def _is_git_folder(named: set[str], inner: str) -> bool:
    """By the names in it: git takes any folder for a repository that has these, wherever one stands in it."""
    if "head" in named and not named.isdisjoint(("objects", "refs", "commondir")):
        return True
    # A submodule that is not finished yet, perhaps.
    return "config" in named and any(part in inner for part in (".git/modules/", ".git/worktrees/"))


def _is_own_worktree(entry: Entry, folder: Path) -> bool:
    """True for a `core.worktree` that has a `.git` which leads back here, as submodules do."""
    return entry.key == "core.worktree" and _target_of(folder / (entry.value or "") / ".git") == folder


def _target_of(path: Path) -> Path | None:
    """The repository that a `.git` is or leads to; None where it leads nowhere."""
    real = _resolved(path)
    if real.is_dir():
        return real
    found = _POINTER.match(_data(real))
    # From where the name stands, as git does it, and not from where a link leads.
    return _resolved(os.fsdecode(found[1]), path.parent) if found else None


def _resolved(path: str | Path, base: Path = Path("/")) -> Path:
    return Path(os.path.realpath(base / os.path.expanduser(path)))  # noqa: PTH111 - Path's raises for the ~ of nobody


def _part(path: Path, row: ActingFile) -> str:
    """What acts in a file, by its digest; a link acts by what it leads to."""
    part = row.part(_data(_resolved(path))) if row.part else ""
    return hashlib.sha256(part.encode(errors="replace")).hexdigest() if part else ""


def _data(path: Path) -> bytes:
    """The beginning of a regular file; nothing of what is none."""
    try:
        file = os.open(path, READ)
    except (OSError, ValueError):
        return b""
    with os.fdopen(file, "rb") as opened:
        return opened.read(MAX_READ_BYTES + 1) if stat.S_ISREG(os.fstat(file).st_mode) else b""


def _text(path: Path) -> str:
    """Of a link, what it leads to."""
    return _data(_resolved(path)).decode(errors="replace")


def _digest(path: Path) -> str:
    found = _lstat(path)
    return f"{found.st_size if found else 0} bytes, sha256 {hashlib.sha256(_data(path)).hexdigest()}"


def _link(path: Path) -> str:
    try:
        return f"leads to {path.readlink()} "
    except OSError:
        return ""


def _stamp(path: Path) -> str:
    """Changes with every change of a file: nobody can set the time of that."""
    found = _lstat(path)
    return f"{found.st_ino} {found.st_ctime_ns} {found.st_size}" if found else ""


def _changed_at(path: str) -> float:
    found = _lstat(Path(path))
    return found.st_ctime if found else 0.0


def _lstat(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except (OSError, ValueError):
        return None
