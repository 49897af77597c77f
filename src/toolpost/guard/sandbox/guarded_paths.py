"""Find the paths that a command must not change: settings that git, agents, editors and shells obey later."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from toolpost.guard.autorun_files import GUARDED_ALWAYS, GUARDED_IF_THERE, GUARDED_IN_GIT
from toolpost.guard.open_beneath import open_beneath
from toolpost.guard.word_sets import names

from .mount_check import is_folder, is_link, open_source
from .placeholders import clear_placeholder, is_placeholder_at
from .sandbox import SandboxedCommand, SandboxError
from .system_folders import TOOLCHAINS, beneath, home

GUARDED_AT_HOME = names("""
    .bash_login .bash_logout .bash_profile .bashrc .config/autostart .config/fish .config/systemd .config/toolpost
    .gitconfig .profile .zlogin .zprofile .zshenv .zshrc
""")
MAX_MODULES = 64
MAX_POINTER_BYTES = 4_096


class GuardedPath(Struct, frozen=True):
    """A path in a writable place, opened. `name` is empty for what exists; else the name that is missing in it.

    `is_way`: it only leads to something guarded, so that it may be written but not moved.
    """

    path: Path
    descriptor: int
    name: str = ""
    is_way: bool = False


class GuardedPaths:
    """Opens what is guarded beneath the writable places of a command. Close it when the command is set up."""

    def __init__(self, command: SandboxedCommand) -> None:
        project, granted = command.project, command.granted
        self._found: dict[Path, GuardedPath] = {}
        self._roots: dict[Path, int] = {}
        try:
            for root in dict.fromkeys(writable_roots(project, granted)):
                self._roots[root] = open_source(root)
            if command.writable:
                for path in _always(project):
                    self._settle(path, if_missing=True)
                for path in _if_there(project, granted):
                    self._settle(path, if_missing=False)
        except BaseException:
            self.close()
            raise

    @property
    def roots(self) -> dict[Path, int]:
        """The writable places, opened."""
        return self._roots

    @property
    def ways(self) -> list[GuardedPath]:
        return [one for _, one in sorted(self._found.items()) if one.is_way]

    @property
    def there(self) -> list[GuardedPath]:
        return [one for _, one in sorted(self._found.items()) if not one.is_way and not one.name]

    @property
    def missing(self) -> list[GuardedPath]:
        return [one for _, one in sorted(self._found.items()) if one.name]

    def pin(self, paths: Sequence[Path]) -> None:
        """Keep the folders that these are in where they are."""
        for path in paths:
            self._settle(path.parent, if_missing=False, is_way=True)

    def close(self) -> None:
        for descriptor in (*self._roots.values(), *(one.descriptor for one in self._found.values())):
            os.close(descriptor)
        self._roots, self._found = {}, {}

    def _settle(self, path: Path, *, if_missing: bool, is_way: bool = False) -> None:
        """Open a path step by step; with `is_way` it is itself only a way to something. Each folder on the way is kept
        in place too: one that is only the parent of a mount can be moved away, and another one put in its place."""
        root = next((root for root in self._roots if path != root and beneath(path, root)), None)
        if root is None:
            return
        way: list[GuardedPath] = []
        place, folder = root, self._roots[root]
        try:
            for name in path.relative_to(root).parts:
                place = place / name
                if known := self._found.get(place):
                    if not known.is_way:
                        break
                    folder = known.descriptor
                    continue
                if is_placeholder_at(folder, name):
                    raise FileNotFoundError(name)
                opened = open_beneath(folder, (name,))
                if is_link(opened):
                    os.close(opened)
                    raise SandboxError(
                        f"No command was run: {place} is a symbolic link, which can't be protected. "
                        "Ask the user to put a real file or folder there."
                    )
                leads_on = is_folder(opened) and (is_way or place != path)
                way.append(GuardedPath(place, opened, is_way=leads_on))
                folder = opened
                if not leads_on:
                    break
        except (FileNotFoundError, PermissionError) as error:
            # What we may not look at, a command may not change.
            if not if_missing or isinstance(error, PermissionError):
                for one in way:
                    os.close(one.descriptor)
                return
            way.append(GuardedPath(place, os.dup(folder), name=place.name))
        except BaseException:
            for one in way:
                os.close(one.descriptor)
            raise
        self._found |= {one.path: one for one in way}


def clear_placeholders(project: Path) -> None:
    """Take away what a killed process has left in a project."""
    for path in _always(project):
        for place in (path, *path.parents):
            if place != project and beneath(place, project):
                clear_placeholder(place)


def writable_roots(project: Path, granted: Sequence[Path] = ()) -> list[Path]:
    """The folders that a command may write: the project, its git folder where that is elsewhere, and what was
    granted."""
    common = git_folder(project)
    return [project, *(() if common is None else (common,)), *granted]


def git_folder(project: Path) -> Path | None:
    """The git folder of a worktree that lies elsewhere, if that folder says that this worktree is its own.

    The file `.git` alone is the project's word; a hostile one could name any folder. So nothing that it says counts
    before something outside the project says the same.
    """
    try:
        pointer = _pointer(project / ".git")
        if not pointer.startswith("gitdir: "):
            return None
        own = Path(os.path.realpath(project / pointer.removeprefix("gitdir: ")))
        if beneath(own, project):
            return None
        back = Path(own, _pointer(own / "gitdir"))
        common = Path(os.path.realpath(own / _pointer(own / "commondir")))
    except (OSError, ValueError):
        return None
    is_its_own = os.path.realpath(back) == str(project / ".git") and own.parent == common / "worktrees"
    return common if is_its_own and not beneath(project, common) and not beneath(common, project) else None


def _always(project: Path) -> Iterator[Path]:
    git = git_folder(project) or project / ".git"
    for folder in dict.fromkeys((project / ".git", git)):
        yield from (folder / name for name in GUARDED_IN_GIT)
    yield from (project / name for name in GUARDED_ALWAYS)
    yield from (home() / name for name in GUARDED_AT_HOME)


def _if_there(project: Path, granted: Sequence[Path]) -> Iterator[Path]:
    yield from (project / name for name in GUARDED_IF_THERE)
    yield from _parts_of_git(git_folder(project) or project / ".git")
    # Where the project is the home folder itself, what is on the PATH is in it.
    yield from (home() / name for name in sorted(TOOLCHAINS))
    for folder in granted:
        yield from (folder / name for name in (*GUARDED_ALWAYS, *GUARDED_IF_THERE))
        yield from (folder / ".git" / name for name in GUARDED_IN_GIT)


def _pointer(path: Path) -> str:
    """The text of a small file that names a folder."""
    with open(path, "rb", opener=_without_links) as file:
        return os.fsdecode(file.read(MAX_POINTER_BYTES) or b"").strip()


def _without_links(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_NONBLOCK)


def _parts_of_git(git: Path) -> Iterator[Path]:
    """Settings and hooks of submodules, and what points from the worktrees to them."""
    for folder in _modules(git / "modules"):
        yield from (folder / name for name in GUARDED_IN_GIT if os.path.lexists(folder / name))
    for folder in sorted(_folders(git / "worktrees"))[:MAX_MODULES]:
        yield from (folder / name for name in ("commondir", "gitdir", "config.worktree"))


def _modules(top: Path) -> Iterator[Path]:
    """Git folders of submodules, those of their own submodules too."""
    left, count = [top], 0
    while left and count < MAX_MODULES:
        folder = left.pop()
        if os.path.isfile(folder / "HEAD"):  # noqa: PTH113 - Path's raises for what may not be looked at
            count += 1
            yield folder
            left.append(folder / "modules")
        else:
            left += sorted(_folders(folder), reverse=True)[:MAX_MODULES]


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
