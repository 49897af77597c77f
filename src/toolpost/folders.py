"""Find folders: this user's configuration, data and cache, and the root of a project."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

Kind = Literal["config", "data", "cache"]
_XDG = {
    "config": ("XDG_CONFIG_HOME", ".config"),
    "data": ("XDG_DATA_HOME", ".local/share"),
    "cache": ("XDG_CACHE_HOME", ".cache"),
}
REPOSITORY = (".git",)
_PROJECT = (".toolpost", ".git")


def user_folder(kind: Kind, environ: Mapping[str, str] = os.environ) -> Path:
    """Toolpost's own folder of this kind; `TOOLPOST_DATA_DIR` and its like name another one."""
    if own := environ.get(f"TOOLPOST_{kind.upper()}_DIR"):
        return Path(own).expanduser()
    variable, default = _XDG[kind]
    if given := environ.get(variable):
        return Path(given, "toolpost")
    if sys.platform not in ("darwin", "win32"):
        return Path.home() / default / "toolpost"
    # Only these systems need to be asked, and every start would pay for the import.
    import platformdirs

    find = {
        "config": platformdirs.user_config_path,
        "data": platformdirs.user_data_path,
        "cache": platformdirs.user_cache_path,
    }
    return find[kind]("toolpost", appauthor=False)


def project_root(folder: Path) -> Path:
    """The folder that `folder` belongs to: the nearest one marked as a project, else itself."""
    return next((place for place in (folder, *folder.parents) if is_marked(place, folder)), folder)


def is_marked(place: Path, folder: Path, marks: tuple[str, ...] = _PROJECT) -> bool:
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
