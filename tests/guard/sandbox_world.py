"""A world around a sandbox: things that a command must not read, change, reach or leave behind."""

import contextlib
import ctypes
import hashlib
import os
import pwd
import secrets
import shutil
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from toolpost.guard.sandbox.sandbox import Sandbox, SandboxedCommand, find_shell

PYTHON = shutil.which("python3", path="/usr/local/bin:/usr/bin:/bin")
SECONDS = 30.0
NOBODY = 65534


@dataclass
class World:
    """`visible` is a folder outside the project that the sandbox shows, because it is on the PATH."""

    folder: Path
    visible: Path
    user: int | None
    token: str = field(default_factory=lambda: f"SECRET{secrets.token_hex(8)}")
    mark: str = field(default_factory=lambda: f"4{secrets.randbelow(10**6)}.{secrets.randbelow(10**6)}")

    def __post_init__(self) -> None:
        self.project, self.home = self.folder / "project", self.folder / "home"
        self.before: dict[str, str] = {}
        self.servers: list[socket.socket] = []
        self.shared = -1

    def build(self) -> None:
        git = self.project / ".git"
        for folder in (self.project / "src", git / "hooks", self.home / ".ssh", self.home / ".aws"):
            folder.mkdir(parents=True)
        (git / "config").write_text("[core]\n\tbare = false\n")
        (git / "HEAD").write_text("ref: refs/heads/main\n")
        (git / "hooks" / "pre-push").write_text("#!/bin/sh\n")
        (git / "worktrees" / "other").mkdir(parents=True)
        (git / "worktrees" / "other" / "commondir").write_text("../..\n")
        for secret in (self.home / ".ssh" / "id_rsa", self.home / ".aws" / "credentials", self.home / ".bash_history"):
            secret.write_text(self.token)
        (self.folder / "secret").write_text(self.token)
        (self.home / ".bashrc").write_text("# mine\n")
        (self.visible / "victim").write_text("precious\n")
        self.servers = [*self._listeners()]
        self.shared = _shared_memory(self.token.encode())
        if self.user is not None:
            for path in (self.folder, self.visible):
                subprocess.run(["chown", "-R", f"{self.user}:{self.user}", str(path)], check=True)
        self.before = self.state()

    def _listeners(self) -> Iterator[socket.socket]:
        for family, kind, address in (
            (socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", 0)),
            (socket.AF_INET6, socket.SOCK_STREAM, ("::1", 0)),
            (socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", 0)),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self.visible / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, str(self.home / "socket")),
            (socket.AF_UNIX, socket.SOCK_STREAM, f"\0{self.mark}"),
        ):
            server = socket.socket(family, kind)
            server.bind(address)
            if kind == socket.SOCK_STREAM:
                server.listen()
            server.setblocking(False)
            yield server
        for path in (self.visible / "socket", self.home / "socket"):
            path.chmod(0o777)

    @property
    def ports(self) -> dict[str, str]:
        tcp, tcp6, udp = (str(server.getsockname()[1]) for server in self.servers[:3])
        return {"TCP": tcp, "TCP6": tcp6, "UDP": udp}

    def state(self) -> dict[str, str]:
        """Everything that has to stay as it is: what is outside, and what is protected in the project."""
        watched = [self.folder / "secret", self.home, self.visible, self.project / ".git" / "hooks"]
        watched += [self.project / ".git" / name for name in ("config", "commondir", "worktrees/other/commondir")]
        watched += [self.project / ".mcp.json", self.project / ".toolpost"]
        found = [path for top in watched for path in (top, *top.rglob("*"))]
        return {str(path): _described(path) for path in found if os.path.lexists(path)}

    def run(self, sandbox: Sandbox, script: str, **options: bool) -> str:
        """What a script says in the sandbox, started by somebody with secrets in its environment and sleeping there."""
        with self.victim() as victim:
            env = {
                "PATH": f"/usr/local/bin:/usr/bin:/bin:{self.visible}",
                "HOME": str(self.home),
                "PROJECT": str(self.project),
                "VISIBLE": str(self.visible),
                "WORLD": str(self.folder),
                "VICTIM": str(victim),
                "MARK": self.mark,
                "SHARED": str(self.shared),
                **self.ports,
            }
            command = SandboxedCommand(
                [find_shell(), "-c", script], cwd=self.project, env=env, project=self.project, **options
            )
            # As with the tool, what was refused because something changed just then is tried once more.
            said, refused = self._run(sandbox, command)
            if refused:
                said, _ = self._run(sandbox, command)
            assert _is_alive(victim), "another process was killed"
        return said

    def _run(self, sandbox: Sandbox, command: SandboxedCommand) -> tuple[str, str]:
        with contextlib.closing(sandbox.wrap(command)) as launch:
            done = subprocess.run(
                launch.argv,
                env=launch.env,
                cwd=launch.cwd,
                pass_fds=launch.pass_fds,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=SECONDS,
                start_new_session=True,
                user=self.user,
                group=self.user,
                extra_groups=None if self.user is None else [],
            )
        return done.stdout.decode(errors="replace"), launch.refused

    @contextlib.contextmanager
    def victim(self) -> Iterator[int]:
        started = subprocess.Popen(
            ["/bin/sleep", "600"], env={"TOKEN": self.token}, user=self.user, group=self.user, stdin=subprocess.DEVNULL
        )
        try:
            yield started.pid
        finally:
            started.kill()
            started.wait()

    def assert_unharmed(self, said: str) -> None:
        assert self.token not in said, "a secret was read"
        assert "ESCAPED" not in said, said
        before, self.before = self.before, self.state()
        assert self.before == before
        for server in self.servers:
            with contextlib.suppress(BlockingIOError):
                heard = server.accept() if server.type == socket.SOCK_STREAM else server.recv(100)
                raise AssertionError(f"{server} was reached: {heard}")
        deadline = time.monotonic() + 5
        while self.stayed():
            assert time.monotonic() < deadline, "a process stayed behind"
        for path in self.project.rglob("*"):
            assert not path.lstat().st_mode & stat.S_ISUID, f"{path} runs as its owner"

    def stayed(self) -> list[str]:
        """Processes that sleep for the time that only this world knows."""
        found: list[str] = []
        for entry in Path("/proc").glob("[0-9]*/cmdline"):
            with contextlib.suppress(OSError):
                words = entry.read_bytes().split(b"\0")
                found += [entry.parent.name] if self.mark.encode() in words and words[0].endswith(b"sleep") else []
        return found

    def close(self) -> None:
        for server in self.servers:
            server.close()
        if self.shared >= 0:
            ctypes.CDLL(None).shmctl(self.shared, 0, None)
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.rmtree(self.visible, ignore_errors=True)


@contextlib.contextmanager
def world(user: int | None = None) -> Iterator[World]:
    """A world that belongs to `user`, or to whoever runs the tests. It is not in pytest's folder, which is private."""
    folder = Path(os.path.realpath(tempfile.mkdtemp(prefix="world-", dir="/tmp")))
    visible = Path(os.path.realpath(tempfile.mkdtemp(prefix="visible-", dir="/tmp")))
    for path in (folder, visible):
        path.chmod(0o755)
    made = World(folder, visible, user)
    try:
        made.build()
        yield made
    finally:
        made.close()


def users() -> list[int | None]:
    """Whoever runs the tests and, for root, a normal user too."""
    return [None, NOBODY] if os.geteuid() == 0 else [None]


def name_of(user: int | None) -> str:
    return pwd.getpwuid(os.geteuid() if user is None else user).pw_name


def _shared_memory(text: bytes) -> int:
    """A segment that every process of the user can attach, with a text in it. Returns its number, -1 where none is."""
    libc = ctypes.CDLL(None, use_errno=True)
    libc.shmat.restype = ctypes.c_void_p
    segment = libc.shmget(0, 4096, 0o1666)
    if segment >= 0:
        address = libc.shmat(segment, None, 0)
        ctypes.memmove(address, text, len(text))
        libc.shmdt(ctypes.c_void_p(address))
    return segment


def _described(path: Path) -> str:
    status = path.lstat()
    content = hashlib.sha256(path.read_bytes()).hexdigest() if stat.S_ISREG(status.st_mode) else ""
    return f"{status.st_mode:o} {status.st_uid} {status.st_nlink if content else ''} {status.st_mtime_ns} {content}"


def _is_alive(pid: int) -> bool:
    try:
        return os.waitpid(pid, os.WNOHANG)[0] == 0
    except ChildProcessError:
        return False
