"""Choose the sandbox for commands: bubblewrap if it works, else Landlock, else none runs unless the user says so.

Inside: the system read-only, the project writable (or not), a private /tmp and home folder with nothing in it but
toolchains, no network unless it is allowed, no process but one's own, and limits for the whole tree. What the project
must not change (git's hooks and config, the agent's own settings) can't be changed, nor made where it does not exist.
"""

import contextlib
import marshal
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from toolpost.types.errors import ToolpostError

from . import supervisor

Kind = Literal["bubblewrap", "landlock", "none"]
Wanted = Literal["auto", "bubblewrap", "landlock", "off"]

PREFLIGHT_SECONDS = 10.0


class SandboxError(ToolpostError):
    """No sandbox for this command; the text says why and what to do."""


class Bounds(Struct, frozen=True):
    """Limits of one tree of processes, in bytes and numbers. `temporary` is what each private folder may hold."""

    memory: int = 4_000_000_000
    processes: int = 512
    file_bytes: int = 10_000_000_000
    temporary: int = 1_000_000_000


class SandboxSettings(Struct, frozen=True):
    """The sandbox that the user wants. `off` runs commands without one."""

    sandbox: Wanted = "auto"
    bounds: Bounds = Bounds()


def _never(path: Path) -> bool:
    return False


class SandboxedCommand(Struct, frozen=True):
    """A command to run, and what it may touch. Paths are real ones: no part of them is a link.

    `granted` are places outside the project that it may write, `readable` those that it may only read. `reveals` says
    of a secret file of the project whether it may be read. Without `writable` it can write nowhere.
    """

    argv: Sequence[str]
    project: Path
    cwd: Path
    env: Mapping[str, str]
    writable: bool = True
    network: bool = False
    granted: Sequence[Path] = ()
    readable: Sequence[Path] = ()
    reveals: Callable[[Path], bool] = _never


class Launch(Protocol):
    """A command ready to be started, in a session of its own. Close it when its processes are gone."""

    @property
    def argv(self) -> Sequence[str]: ...

    @property
    def env(self) -> Mapping[str, str]:
        """The environment of the launcher itself, which a command inside can read: nothing but what is said here."""
        ...

    @property
    def pass_fds(self) -> Sequence[int]: ...

    @property
    def cwd(self) -> Path: ...

    @property
    def covered(self) -> Sequence[str]:
        """Secret files that it can't read."""
        ...

    @property
    def refused(self) -> str:
        """Why the sandbox did not let it run after all; empty if it did."""
        ...

    def close(self) -> None: ...


class Sandbox(Protocol):
    """`reason` says, for `none`, why there is no sandbox; for others, what they are."""

    @property
    def kind(self) -> Kind: ...

    @property
    def reason(self) -> str: ...

    def wrap(self, command: SandboxedCommand) -> Launch:
        """Make ready to run a command. Raises `SandboxError` where it must not run."""
        ...


def find_sandbox(settings: SandboxSettings) -> Sandbox:
    """The best sandbox that works here, proved by starting it once."""
    if settings.sandbox == "off":
        return NoSandbox(settings.bounds)
    if sys.platform != "linux":
        return MissingSandbox(f"there is none for {sys.platform} yet")
    # Imported here: a start without commands does not need them.
    from .bubblewrap import find_bubblewrap
    from .landlock import find_landlock

    finders = {"bubblewrap": find_bubblewrap, "landlock": find_landlock}
    reasons: list[str] = []
    for kind, find in finders.items():
        if settings.sandbox in ("auto", kind):
            found = find(settings.bounds)
            if not isinstance(found, str):
                return found
            reasons.append(f"{kind}: {found}")
    return MissingSandbox("; ".join(reasons))


class PlainLaunch(Struct, frozen=True):
    """A launch that needs nothing to be closed."""

    argv: Sequence[str]
    env: Mapping[str, str]
    cwd: Path
    pass_fds: Sequence[int] = ()
    covered: Sequence[str] = ()
    refused: str = ""

    def close(self) -> None:
        pass


@dataclass(frozen=True)
class NoSandbox:
    """No sandbox, because the user said `sandbox = "off"`."""

    bounds: Bounds
    kind: Kind = "none"
    reason: str = 'switched off by sandbox = "off"'

    def wrap(self, command: SandboxedCommand) -> Launch:
        if not command.writable:
            raise SandboxError("Read-only commands need a sandbox, and it is switched off. Use read, glob and grep.")
        words = limited(command.argv, self.bounds, shared=True)
        if sys.platform != "linux":
            return PlainLaunch(words, dict(command.env), command.cwd)

        return WatchedLaunch({"restricted": False, "argv": words, "cwd": str(command.cwd), "env": dict(command.env)})


@dataclass(frozen=True)
class MissingSandbox:
    """A sandbox is wanted and none works: no command runs."""

    reason: str
    kind: Kind = "none"

    def wrap(self, command: SandboxedCommand) -> Launch:
        raise SandboxError(
            f"No command was run: there is no working sandbox here ({self.reason}). Tell the user to install "
            'bubblewrap, to run `toolpost doctor`, or to set sandbox = "off" if commands may run without a sandbox.'
        )


def limited(argv: Sequence[str], bounds: Bounds, *, shared: bool = False) -> list[str]:
    """The command behind a shell that sets its limits: per process, and what can't be raised again.

    `shared`: there is no namespace, so that all processes of the user count, whoever started them.
    """
    return ["/bin/sh", "-c", f'{limits(bounds, _tasks_of_user() if shared else 0)}exec "$@"', "sh", *argv]


def limits(bounds: Bounds, others: int = 0) -> str:
    """The same as a script. `others` are processes that count as well."""
    processes = bounds.processes + others
    # `-d` counts memory that is written to, so programs that only reserve a lot still work. The letter for processes
    # differs between shells. A limit that is already lower stays.
    return (
        "ulimit -c 0; "
        f"ulimit -f {bounds.file_bytes // 512} 2>/dev/null; ulimit -d {bounds.memory // 1024} 2>/dev/null; "
        f"ulimit -u {processes} 2>/dev/null || ulimit -p {processes} 2>/dev/null; "
    )


def _tasks_of_user() -> int:
    """Threads of this user, as the kernel counts them for the limit."""
    count, user = 0, os.geteuid()
    for entry in Path("/proc").glob("[0-9]*/task"):
        with contextlib.suppress(OSError):
            if entry.stat().st_uid == user:
                count += entry.stat().st_nlink - 2
    return count


def starts(sandbox: Sandbox) -> str:
    """Start the sandbox. Returns nothing, or why it does not work, also not at the second try: on a busy machine
    something may have changed just then."""
    return _start(sandbox) and _start(sandbox)


def _start(sandbox: Sandbox) -> str:
    import tempfile

    with tempfile.TemporaryDirectory(prefix="toolpost-") as folder:
        project = Path(os.path.realpath(folder))
        script = 'test -w . && ! touch /usr/.toolpost 2>/dev/null && test -r /proc/self/status && echo "works"'
        try:
            with contextlib.closing(
                sandbox.wrap(SandboxedCommand(["/bin/sh", "-c", script], project, project, {"PATH": os.defpath}))
            ) as launch:
                done = subprocess.run(
                    launch.argv,
                    env=launch.env,
                    cwd=launch.cwd,
                    pass_fds=launch.pass_fds,
                    stdin=subprocess.DEVNULL,
                    capture_output=True,
                    timeout=PREFLIGHT_SECONDS,
                    start_new_session=True,
                )
        except (OSError, subprocess.SubprocessError, SandboxError) as error:
            return str(error)
    if done.returncode == 0 and done.stdout.strip() == b"works":
        return ""
    said = (done.stderr or done.stdout).decode(errors="replace").strip()
    return said.splitlines()[-1] if said else f"it ended with {done.returncode}"


def find_shell() -> str:
    """Bash. Another shell would read a command in another way than it was judged, so none takes its place."""
    found = shutil.which("bash", path="/usr/local/bin:/usr/bin:/bin:/run/current-system/sw/bin")
    if found is None:
        raise SandboxError("No command was run: there is no bash on this system. Tell the user to install it.")
    return found


def prove(sandbox: Sandbox) -> list[tuple[str, bool, str]]:
    """Try on the spot what a command must and must not be able to do: what was tried, whether it came out right, and
    what was seen if not."""
    from .proof import prove as tried

    return tried(sandbox)


class WatchedLaunch:
    """A launch through `supervisor.py`. It gets its policy, and a pipe that closes when this process is gone."""

    def __init__(self, policy: dict[str, Any], descriptors: Sequence[int] = (), temporary: Path | None = None) -> None:
        described = os.memfd_create("policy", 0)
        os.write(described, marshal.dumps(policy))
        os.lseek(described, 0, os.SEEK_SET)
        watched, self._lifeline = os.pipe()
        self._temporary = temporary
        self.pass_fds: Sequence[int] = (described, watched, *descriptors)
        self.argv = [sys.executable, "-I", "-S", supervisor.__file__, str(described), str(watched)]
        self.cwd = Path("/")
        self.covered: Sequence[str] = ()
        self.refused = ""
        self.env: Mapping[str, str] = {}

    def close(self) -> None:
        for descriptor in (*self.pass_fds, self._lifeline):
            if descriptor >= 0:
                os.close(descriptor)
        self.pass_fds, self._lifeline = (), -1
        if self._temporary is not None:
            shutil.rmtree(self._temporary, ignore_errors=True)
