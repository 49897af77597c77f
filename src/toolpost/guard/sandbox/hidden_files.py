"""Find the secret files and sockets that a command must not reach in the folders that it sees."""

import atexit
import contextlib
import errno
import os
import re
import shutil
import stat
import tempfile
import threading
import time
import weakref
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path, PurePath

from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.guard.git.index import TrackedFiles
from toolpost.guard.secret_names import is_secret
from toolpost.guard.word_sets import names

from .mount_check import close_all, open_source, path_of
from .sandbox import SandboxError
from .system_folders import beneath, home, in_any, is_open_setting

# In the home folder, where that or a part of it is shown.
AT_HOME = names("""
    .ssh .gnupg .aws .azure .kube .docker .config/gcloud .config/gh .config/rclone .password-store
    .local/share/keyrings .mozilla .config/google-chrome .config/chromium .netrc .git-credentials .pgpass .my.cnf
    .npmrc .pypirc .cargo/credentials .cargo/credentials.toml .bash_history .zsh_history .python_history
    .vault-token .terraform.d .dotnet/corefx .gradle/gradle.properties .m2/settings.xml .config/op .claude .codex
    .gemini .thunderbird .local/share/toolpost .local/share/uv/credentials
""")
# Other people's packages: what is named like a secret in them is a sample. Builds read them, so they are not looked at.
DEPENDENCIES = names("""
    .git .hg .svn .nox .tox .venv __pycache__ __pypackages__ bower_components node_modules site-packages venv
""")
# Settings of a package manager that hold a secret only now and then, and without which nothing is built.
LOOKED_INTO = frozenset({".npmrc"})
# What a variable stands for is not in the file.
_GIVES_ACCESS = re.compile(r"(?i)(?:_auth|_authtoken|_password|token|password|key)\s*=\s*(?!\$\{)\S")
MAX_FOLDERS = 300_000
MAX_COVERED = 128
# A longer path can't be opened: the folder before it is covered instead.
MAX_PATH = 3_500
# A folder with more secrets than this is covered as a whole: each cover costs time.
MANY = 8
SETTLED_NS = 100_000_000


class _Folder(Struct, frozen=True):
    """What was found in a folder when it had this time."""

    changed: int
    folders: tuple[str, ...]
    secrets: tuple[str, ...]
    sockets: tuple[str, ...]


class ProjectSecrets:
    """Secret files and sockets of a project, looked for again where a folder has changed.

    A look takes a while, and a command that swaps folders meanwhile could keep a secret out of it, or move one to a
    place that is not searched. So those that were found once are kept open, and stay secret wherever they are.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._folders: dict[str, _Folder] = {}
        self._known: dict[tuple[int, int], int] = {}
        self._tracked = TrackedFiles(root)
        self._lock = threading.Lock()
        weakref.finalize(self, _close_values, self._known)

    def find(self) -> list[Path]:
        """Secrets and sockets. A link stands for what it leads to: the same text under another name. What git has
        stored as it is was shared on purpose, can be read there anyway, and git needs it in its place."""
        with self._lock:
            found = dict.fromkeys((*self._look(), *self._where_known_are()))
            self._remember(list(found))
            return [path for path in found if not self._tracked.is_unchanged(path)]

    def _look(self) -> list[Path]:
        skipped = frozenset[str]() if _has_relative_sockets() else DEPENDENCIES
        found: list[Path] = []
        known, self._folders = self._folders, {}
        left = [str(self._root)]
        while left:
            path = left.pop()
            if len(self._folders) == MAX_FOLDERS:
                raise SandboxError(
                    f"No command was run: there are over {MAX_FOLDERS:,} folders to look for secrets in."
                )
            try:
                folder = _looked_at(path, known.get(path), is_root=path == str(self._root))
            except (FileNotFoundError, NotADirectoryError):
                continue
            except OSError:
                # A folder that we may not list, or can't: a command could, once it has changed its mode.
                found.append(Path(path))
                continue
            self._folders[path] = folder
            left += [f"{path}/{name}" for name in folder.folders if name not in skipped]
            is_dependency = os.path.basename(path) in DEPENDENCIES  # noqa: PTH119 - for each folder of each command
            secrets = () if is_dependency else (name for name in folder.secrets if not _is_open(path, name))
            found += [Path(path, name) for name in (*secrets, *folder.sockets)]
        return list(dict.fromkeys(target for one in found for target in _with_target(one, self._root)))

    def _where_known_are(self) -> Iterator[Path]:
        for key, opened in list(self._known.items()):
            path = Path(path_of(opened))
            if os.fstat(opened).st_nlink and beneath(path, self._root) and not _is_open(str(path.parent), path.name):
                yield path
            else:
                os.close(self._known.pop(key))

    def _remember(self, found: list[Path]) -> None:
        for path in found[: MAX_COVERED - len(self._known)]:
            with contextlib.suppress(OSError):
                opened = open_source(path)
                status = os.fstat(opened)
                if self._known.setdefault((status.st_dev, status.st_ino), opened) != opened:
                    os.close(opened)


def covered_paths(secrets: Sequence[Path], project: Path, places: Sequence[Path]) -> list[Path]:
    """The paths to cover in the `places` that a command sees: of the project, of the user, and sockets."""
    own = [user_folder(kind) for kind in ("data", "config", "cache")]
    top = home()
    at_home = [place for place in places if beneath(place, top) or beneath(top, place)]
    at_home = [path for path in (top / name for name in AT_HOME) if in_any(path, at_home) and _is_there(path)]
    at_home += [path for path in own if in_any(path, places) and _is_there(path)]
    sockets = [path for path in _named_sockets() if in_any(path, places)]
    wanted = sorted(dict.fromkeys((*_together(secrets, project), *at_home, *sockets)))
    found: list[Path] = []
    for path in wanted:
        # What would hide a place that was opened on purpose stays; what lies in a covered folder is covered with it.
        if not any(beneath(place, path) for place in places) and not (found and beneath(path, found[-1])):
            found.append(path)
    return found


def has_nameless_sockets() -> bool:
    """True if a service can be reached by a name that is in no folder: such names belong to the network."""
    return any(name.startswith("@") for name in _socket_names())


def cover_file() -> Path:
    """An empty file without read permission, to be mounted over another one."""
    path = _covers(user_folder("cache")) / "file"
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0))
    return path


def cover_folder() -> Path:
    """An empty folder, to be mounted over another one."""
    path = _covers(user_folder("cache")) / "folder"
    path.mkdir(0o555, exist_ok=True)
    return path


@lru_cache
def _covers(cache: Path) -> Path:
    """Where the covers are: in the user's cache, or in a temporary folder if that can't be written."""
    path = cache / "covered"
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError:
        path = Path(tempfile.mkdtemp(prefix="toolpost-covered-"))
        atexit.register(shutil.rmtree, path, ignore_errors=True)
    return Path(os.path.realpath(path))


def _close_values(known: dict[tuple[int, int], int]) -> None:
    close_all(known.values())


def _looked_at(path: str, known: _Folder | None, *, is_root: bool) -> _Folder:
    if len(path) > MAX_PATH:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), path)
    changed = os.lstat(path).st_mtime_ns
    if known is not None and known.changed == changed:
        return known
    # The clock of a file system is coarse: what comes a moment later may leave the same time.
    is_fresh = time.time_ns() - changed < SETTLED_NS
    with os.scandir(path) as entries:
        return _sorted_out("" if is_root else os.path.basename(path), -1 if is_fresh else changed, entries)  # noqa: PTH119


def _sorted_out(folder: str, changed: int, entries: "Iterator[os.DirEntry[str]]") -> _Folder:
    """The names of a folder that matter. Two are enough to tell a secret: folders of secrets are covered whole."""
    folders: list[str] = []
    secrets: list[str] = []
    sockets: list[str] = []
    for entry in entries:
        if entry.is_dir(follow_symlinks=False):
            is_of_secrets = is_secret(PurePath(folder, entry.name, "file"))
            (secrets if is_of_secrets else folders).append(entry.name)
        elif is_secret(PurePath(folder, entry.name)):
            secrets.append(entry.name)
        elif not entry.is_file(follow_symlinks=False) and stat.S_ISSOCK(entry.stat(follow_symlinks=False).st_mode):
            sockets.append(entry.name)
    return _Folder(changed, tuple(folders), tuple(secrets), tuple(sockets))


def _is_open(folder: str, name: str) -> bool:
    path = Path(folder, name)
    return name in LOOKED_INTO and is_open_setting(path, _GIVES_ACCESS)


def _together(secrets: Sequence[Path], project: Path) -> Iterator[Path]:
    """Secrets, or the folder that they are in where those are many."""
    many = {folder for folder, count in Counter(path.parent for path in secrets).items() if count > MANY}
    many.discard(project)
    yield from many
    yield from (path for path in secrets if path.parent not in many)


def _with_target(path: Path, root: Path) -> Iterator[Path]:
    if not path.is_symlink():
        yield path
    elif beneath(target := Path(os.path.realpath(path)), root) and os.path.isfile(target):  # noqa: PTH113 - may not raise
        yield target


def _is_there(path: Path) -> bool:
    return os.path.lexists(path) and not path.is_symlink()


def _has_relative_sockets() -> bool:
    """True if a socket was named from some folder that only its owner knows: then every folder is looked into."""
    return any(not name.startswith(("@", "/")) for name in _socket_names())


def _named_sockets() -> Iterator[Path]:
    for name in _socket_names():
        if name.startswith("/"):
            try:
                is_socket = stat.S_ISSOCK(os.lstat(name).st_mode)
            except OSError:
                continue
            if is_socket:
                yield Path(os.path.realpath(name))


def _socket_names() -> set[str]:
    """The names of sockets of this machine, as the kernel lists them; `@` begins one that is in no folder."""
    try:
        lines = Path("/proc/net/unix").read_text(errors="surrogateescape").splitlines()[1:]
    except OSError:
        return {"@"}
    return {words[7] for line in lines if len(words := line.split(maxsplit=7)) == 8}
