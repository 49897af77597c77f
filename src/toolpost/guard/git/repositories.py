"""Find the git repositories in a folder and what they would run, and other files that run later.

A repository that a command has made runs programs at the person's next `git status` in the folder around it. So all of
them are looked for before a command and after it: folders and files named `.git`, bare repositories, submodules and
worktrees, and where those lead. Nothing is followed by its name alone while folders are walked: each is opened from the
one that it is in, and a link is not entered.
"""

import contextlib
import hashlib
import os
import stat
import time
from collections.abc import Sequence
from pathlib import Path, PurePath

from toolpost.guard.atomic_write import READ
from toolpost.guard.autorun_files import AutorunFile, Verdict, by_name, folded, in_folder, is_told_of
from toolpost.guard.open_beneath import open_folder
from toolpost.guard.sandbox.placeholders import is_placeholder
from toolpost.guard.word_sets import names
from toolpost.types.text import counted

from .config import BadGitConfig, GitSetting, is_harmless, parse_config
from .snapshot import AutorunSetting, AutorunSnapshot, Kind, changed_at

# A tree of 57,000 entries takes 0.1 s.
MAX_ENTRIES = 2_000_000
MAX_SECONDS = 20.0
# Deeper folders are opened anew from the root: each one on the way there holds a descriptor.
MAX_DEPTH = 100
MAX_READ_BYTES = 1_000_000
# Of a file that is only told of: there may be thousands.
MAX_TOLD_BYTES = 100_000
# Files of settings for one repository. One that includes others is never harmless, so none is missed unseen.
MAX_INCLUDES = 50
# The kernel takes no longer path, so git does not either.
MAX_PATH_CHARS = 4_096
# Parsed settings that are kept while one search lasts: many pointers may lead to the same ones.
MAX_PARSED = 32
WALKED = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def take_snapshot(roots: Sequence[Path], *, most: int = MAX_ENTRIES, seconds: float = MAX_SECONDS) -> AutorunSnapshot:
    """Find everything in these folders that runs later. The paths must be without links."""
    begun = time.time()
    search = _Search([str(root) for root in roots], most, seconds)
    complete = search.run()
    all_told = complete and search.tell()
    pointers = {one: frozenset(paths) for one, paths in search.pointers.items()}
    return AutorunSnapshot(frozenset(search.found), complete, begun, all_told, pointers)


class _Search:
    def __init__(self, roots: Sequence[str], most: int, seconds: float) -> None:
        self._roots = roots
        self._left = most
        self._deadline = time.monotonic() + seconds
        self._deep: list[tuple[str, str]] = []
        self._told: list[tuple[Path, AutorunFile]] = []
        # While a `.git` is followed: the files and links that lead on, and what was read for it.
        self._way: list[Path] = []
        self._is_live = False
        self._configs: set[Path] = set()
        self._parsed: dict[Path, list[GitSetting]] = {}
        self.found: set[AutorunSetting] = set()
        self.pointers: dict[AutorunSetting, set[str]] = {}

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

    def tell(self) -> bool:
        """Look at what is only told, last: it must not use up the time for what git runs. False as above."""
        values: dict[tuple[int, int, str], str] = {}
        try:
            for path, row in self._told:
                self._tick()
                found = _lstat(path)
                if found is None:
                    continue
                # Many names may be one file.
                key = (found.st_dev, found.st_ino, row.path)
                value = values.get(key)
                if value is None:
                    value = values[key] = _told_value(path, row)
                if value:
                    self._add(path, "changed", value, row.runs, verdict="tell")
        except _TooMuch:
            return False
        return True

    def _tick(self) -> None:
        if self._left < 0 or time.monotonic() > self._deadline:
            raise _TooMuch

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
        rows: list[tuple[str, AutorunFile]] = []
        all_act = in_folder(inner)
        above = folded(PurePath(inner).name)
        with os.scandir(folder) as entries:
            for entry in entries:
                self._left -= 1
                if self._left < 0:
                    raise _TooMuch
                name = entry.name
                is_folder = entry.is_dir(follow_symlinks=False)
                if is_folder:
                    folders.append(name)
                known = folded(name)
                if known in _OF_GIT:
                    named.add(known)
                if known == ".git":
                    pointers.append(name)
                if (row := by_name(known, "" if is_folder else above)) is not None or (
                    row := None if is_folder else all_act
                ) is not None:
                    rows.append((name, row))
        self._tick()
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

    def _acting_file(self, path: Path, inner: str, row: AutorunFile) -> None:
        if row.verdict == "guard" and "/" not in inner:
            if not is_placeholder(path) and (row.part is None or _part(path, row)):
                self._add(path, "new", "", row.runs)
        elif is_told_of(PurePath(inner)):
            self._told.append((path, row))

    def _worktree(self, path: Path) -> None:
        """What git does in a folder with a `.git`, which may be the repository or lead to it."""
        leads_to = _target_of(path)
        if leads_to is None:
            return
        if not self._is_within(leads_to):
            self._add(path, "gitdir", str(leads_to), "followed by git out of the project")
            return
        self._is_live, self._way = True, [] if leads_to == path else [path]
        try:
            self._git_folder(leads_to, path.parent)
        finally:
            self._is_live, self._way = False, []

    def _git_folder(self, folder: Path, worktree: Path, *, is_common: bool = False) -> None:
        self._configs = set()
        for name, path in self._entries(folder):
            if name in ("config", "config.worktree"):
                self._config(path, folder, worktree)
            elif name == "commondir" and not is_common:
                self._common_folder(path, folder, worktree)
            elif name == "hooks":
                self._hooks(path)
            elif name == "rebase-merge":
                self._steps(path / "git-rebase-todo")

    def _common_folder(self, path: Path, folder: Path, worktree: Path) -> None:
        text = os.fsdecode(_pointed(_data(_resolved(path))))
        common = _resolved(text, folder)
        if not self._is_within(common):
            self._add(path, "commondir", text)
            return
        self._way.append(path)
        try:
            self._git_folder(common, worktree, is_common=True)
        finally:
            self._way.pop()

    def _config(self, path: Path, folder: Path, worktree: Path) -> None:
        self._tick()
        if path in self._configs or len(self._configs) >= MAX_INCLUDES:
            return
        self._configs.add(path)
        found = _lstat(path)
        if found is None or stat.S_ISDIR(found.st_mode):
            return
        if not stat.S_ISREG(found.st_mode):
            self._add(path, "link", f"{_link(path)}{_digest(_resolved(path))}")
            return
        try:
            entries = self._entries_of(path)
        except BadGitConfig as error:
            self._add(path, f"unreadable ({error})", _digest(path))
            return
        for entry in entries:
            self._tick()
            if not is_harmless(entry) and not _is_own_worktree(entry, folder):
                self._add(path, entry.key, shown_value(entry), kind="settings")
            if not entry.value:
                continue
            if entry.section in ("include", "includeif") and entry.name == "path":
                included = _resolved(entry.value, path.parent)
                if self._is_within(included):
                    self._config(included, folder, worktree)
            if entry.key == "core.hookspath" and self._is_within(hooks := _resolved(entry.value, worktree)):
                self._hooks(hooks, HOOKS)

    def _entries_of(self, path: Path) -> list[GitSetting]:
        if path not in self._parsed:
            if len(self._parsed) >= MAX_PARSED:
                self._parsed.clear()
            self._parsed[path] = parse_config(_data(path))
        return self._parsed[path]

    def _hooks(self, folder: Path, known: frozenset[str] | None = None) -> None:
        """All files except samples; of a folder that settings name, which may hold others, those `known`."""
        if known is None and folder.is_symlink():
            self._add(folder, "hooks", _link(folder))
        for name, path in self._entries(folder):
            self._tick()
            found = _lstat(path)
            is_one = name in known if known else not name.endswith(".sample")
            if is_one and found is not None and not stat.S_ISDIR(found.st_mode):
                can_run = "executable" if found.st_mode & 0o111 else "not executable"
                self._add(path, f"hook {name}", f"{can_run}, {_link(path)}{_digest(path)}")

    def _steps(self, path: Path) -> None:
        """Commands that stand in a rebase which was begun."""
        data = _data(_resolved(path))
        if len(data) > MAX_READ_BYTES:
            self._add(path, "steps of a rebase", f"more than {MAX_READ_BYTES:,} bytes")
        for line in data.decode(errors="replace").splitlines():
            if line.split(maxsplit=1)[:1] in (["exec"], ["x"]):
                self._add(path, "step of a rebase", line.strip())

    def _entries(self, folder: Path) -> list[tuple[str, Path]]:
        """The names in a folder, folded, with their paths."""
        try:
            found = [(folded(path.name), path) for path in folder.iterdir()]
        except OSError:
            self._unreadable(folder)
            return []
        self._left -= len(found)
        self._tick()
        return found

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
        made = AutorunSetting(str(path), name, value, runs, kind, verdict, self._is_live)
        self.found.add(made)
        if self._way:
            # Without any of them git does not get there: the one that was made last is what is new.
            newest = max(self._way, key=lambda pointer: changed_at(str(pointer)))
            self.pointers.setdefault(made, set()).add(str(newest))

    def _is_within(self, path: Path) -> bool:
        return any(path.is_relative_to(root) for root in self._roots)


class _TooMuch(Exception):
    pass


def shown_value(entry: GitSetting) -> str:
    """A value as settings are compared by; a name without `=` means true."""
    return "true" if entry.value is None else entry.value


_OF_GIT = frozenset(("head", "objects", "refs", "commondir", "config"))
HOOKS = names("""
    applypatch-msg commit-msg fsmonitor-watchman p4-changelist p4-post-changelist p4-pre-submit p4-prepare-changelist
    post-applypatch post-checkout post-commit post-index-change post-merge post-receive post-rewrite post-update
    pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase pre-receive prepare-commit-msg
    proc-receive push-to-checkout reference-transaction sendemail-validate update
""")
_POINTER = b"gitdir:"


def _is_git_folder(named: set[str], inner: str) -> bool:
    """By the names in it: git takes any folder for a repository that has these, wherever one stands in it."""
    if "head" in named and not named.isdisjoint(("objects", "refs", "commondir")):
        return True
    # A submodule that is not finished yet, perhaps.
    return "config" in named and any(part in inner for part in (".git/modules/", ".git/worktrees/"))


def _is_own_worktree(entry: GitSetting, folder: Path) -> bool:
    """True for a `core.worktree` that has a `.git` which leads back here, as submodules do."""
    return entry.key == "core.worktree" and _target_of(folder / (entry.value or "") / ".git") == folder


def _target_of(path: Path) -> Path | None:
    """The repository that a `.git` is or leads to; None where it leads nowhere."""
    real = _resolved(path)
    if real.is_dir():
        return real
    data = _data(real)
    if not data.startswith(_POINTER):
        return None
    # From where the name stands, as git does it, and not from where a link leads.
    pointed = _pointed(data.removeprefix(_POINTER).removeprefix(b" "))
    return _resolved(os.fsdecode(pointed), path.parent) if pointed else None


def _pointed(data: bytes) -> bytes:
    """The path in a file that holds one, as git reads it: to the line's end, and C ends a text at a NUL."""
    return data.rstrip(b"\r\n").partition(b"\0")[0]


def _resolved(path: str | Path, base: Path = Path("/")) -> Path:
    """Where a path leads, without links. One that is too long for the kernel leads out of every project."""
    whole = os.path.join(base, os.path.expanduser(path))  # noqa: PTH111, PTH118 - Path's raises for the ~ of nobody
    return Path(os.path.realpath(whole) if len(whole) <= MAX_PATH_CHARS else os.devnull)


def _part(path: Path, row: AutorunFile) -> str:
    """What acts in a file; a link acts by what it leads to."""
    return row.part(_data(_resolved(path))) if row.part else ""


def _told_value(path: Path, row: AutorunFile) -> str:
    """Changes with what acts in a file that is told of; "" where nothing does."""
    if row.part is None:
        return "new" if row.verdict == "guard" else _stamp(path)
    data = _data(_resolved(path), MAX_TOLD_BYTES)
    if len(data) > MAX_TOLD_BYTES:
        # Weights of models are large, and no text.
        return "" if b"\0" in data else _stamp(path)
    part = row.part(data)
    return hashlib.sha256(part.encode(errors="replace")).hexdigest() if part else ""


def _data(path: Path, most: int = MAX_READ_BYTES) -> bytes:
    """The beginning of a regular file; empty if it is something else."""
    try:
        file = os.open(path, READ)
    except (OSError, ValueError):
        return b""
    with os.fdopen(file, "rb") as opened:
        return opened.read(most + 1) if stat.S_ISREG(os.fstat(file).st_mode) else b""


def _digest(path: Path) -> str:
    found = _lstat(path)
    return f"{counted(found.st_size if found else 0, 'byte')}, sha256 {hashlib.sha256(_data(path)).hexdigest()}"


def _link(path: Path) -> str:
    try:
        return f"leads to {path.readlink()} "
    except OSError:
        return ""


def _stamp(path: Path) -> str:
    """A value that changes with every change of a file: a program can't set the time of that."""
    found = _lstat(path)
    return f"{found.st_ino} {found.st_ctime_ns} {found.st_size}" if found else ""


def _lstat(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except (OSError, ValueError):
        return None
