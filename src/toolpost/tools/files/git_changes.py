"""Notice changes of commits, branches and the index in git's own folder, without running git."""

import os
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from msgspec import Struct

from toolpost.guard.atomic_write import read_regular
from toolpost.guard.git.index import staged_files

MAX_REFS = 2_000
MAX_POINTER_BYTES = 5_000
COMMITS = "git commits and branches are not undone"
STAGED = "the git index is not undone"

Stamp = tuple[int, int, int] | None


class GitState(Struct, frozen=True):
    """`refs` are the stamps of the files that say which commits there are; `index` is that of the index, `staged` a
    hash of what it holds."""

    refs: frozenset[tuple[str, Stamp]]
    index: Stamp
    staged: int


def git_state(
    root: Path, folders: Collection[str], before: Mapping[str, GitState] | None = None
) -> dict[str, GitState]:
    """The state of the repositories whose `.git` is in these folders."""
    found: dict[str, GitState] = {}
    for folder in folders:
        if (git := _git_folder(root / folder)) is not None:
            found[folder] = _state(git, (before or {}).get(folder))
    return found


def git_changed(before: Mapping[str, GitState], after: Mapping[str, GitState]) -> Iterator[tuple[str, str]]:
    """The folders of repositories that have changed, each with what that means for an undo."""
    for folder in sorted({*before, *after}):
        old, new = before.get(folder), after.get(folder)
        if old is None or new is None or old.refs != new.refs:
            yield folder, COMMITS
        elif old.staged != new.staged:
            yield folder, STAGED


def _git_folder(folder: Path) -> Path | None:
    path = folder / ".git"
    if path.is_dir():
        return path if (path / "HEAD").exists() else None
    text = read_regular(path, MAX_POINTER_BYTES)
    pointed = text.removeprefix(b"gitdir:").strip()
    is_path = text.startswith(b"gitdir:") and pointed and b"\0" not in pointed
    return folder / os.fsdecode(pointed) if is_path else None


def _state(git: Path, before: GitState | None) -> GitState:
    index = _stamp(git / "index")
    is_same = before is not None and before.index == index
    staged = before.staged if before is not None and is_same else hash(frozenset(staged_files(git / "index").items()))
    names = ("HEAD", "packed-refs", "logs/HEAD")
    refs = [(name, _stamp(git / name)) for name in names]
    refs += _below(git / "refs")
    return GitState(frozenset(refs), index, staged)


def _below(folder: Path) -> list[tuple[str, Stamp]]:
    found: list[tuple[str, Stamp]] = []
    folders = [folder]
    while folders and len(found) < MAX_REFS:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(Path(entry.path))
                    else:
                        found.append((entry.path, _stamp(Path(entry.path))))
        except OSError:
            continue
    return found


def _stamp(path: Path) -> Stamp:
    try:
        found = path.lstat()
    except OSError:
        return None
    return (found.st_mtime_ns, found.st_size, found.st_ino)
