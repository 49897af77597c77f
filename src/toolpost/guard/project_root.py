"""Find the root folder of a project: the nearest folder upwards that has a `.git` or a `.toolpost`."""

import os
from pathlib import Path

REPOSITORY = (".git",)
PROJECT = (".toolpost", ".git")


def project_root(folder: Path) -> Path:
    """The folder that `folder` belongs to: the nearest one marked as a project, else itself."""
    return next((place for place in (folder, *folder.parents) if is_marked(place, folder)), folder)


def is_marked(place: Path, folder: Path, marks: tuple[str, ...] = PROJECT) -> bool:
    """True if `place`, `folder` itself or one above it, has such a mark.

    Above, it counts only from the folder's owner, this user or root: in `/tmp`, anybody can put a `.git` above the
    folders of others, and would draw them into a project of theirs.
    """
    return any((place / mark).exists() and (place == folder or _is_own(place / mark, folder)) for mark in marks)


def _is_own(mark: Path, folder: Path) -> bool:
    try:
        return mark.lstat().st_uid in (folder.lstat().st_uid, os.geteuid(), 0)
    except OSError:
        return False
