"""Test a sandbox on this machine: attack it from inside and check the result from outside."""

import contextlib
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

from .sandbox import Sandbox, SandboxedCommand, SandboxError, find_shell

SECONDS = 20.0

Check = tuple[str, bool, str]


def prove(sandbox: Sandbox) -> list[Check]:
    """Run all checks: the name of each, whether it passed, and what was seen if not."""
    if sandbox.kind == "none":
        return [("a sandbox", False, sandbox.reason)]
    with tempfile.TemporaryDirectory(prefix="toolpost-") as folder:
        ground = _Ground(Path(os.path.realpath(folder)), sandbox)
        return [_checked(name, check, ground) for name, check in CHECKS]


class _Ground:
    """A project with a folder in it, and a folder beside it that commands must not touch."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        self.sandbox = sandbox
        self.project = folder / "project"
        self.outside = folder / "outside"
        (self.project / "src").mkdir(parents=True)
        self.outside.mkdir()

    def run(self, script: str) -> str:
        """Run a script in the sandbox and return its output."""
        env = {"PATH": os.environ.get("PATH", os.defpath), "OUTSIDE": str(self.outside)}
        words = [find_shell(), "-c", script]
        with contextlib.closing(self.sandbox.wrap(SandboxedCommand(words, self.project, self.project, env))) as launch:
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
            )
        return done.stdout.decode(errors="replace").strip()


def _checked(name: str, check: Callable[[_Ground], str], ground: _Ground) -> Check:
    try:
        problem = check(ground)
    except (OSError, SandboxError, subprocess.SubprocessError) as error:
        problem = f"{type(error).__name__}: {error}"
    return name, not problem, problem


def _runs(ground: _Ground) -> str:
    said = ground.run("echo $((40 + 2))")
    return "" if said == "42" else f"a command said {said!r}"


def _writes_project(ground: _Ground) -> str:
    said = ground.run("echo hello > src/file")
    written = ground.project / "src" / "file"
    return "" if written.exists() and written.read_text() == "hello\n" else said or "nothing was written"


def _spares_outside(ground: _Ground) -> str:
    ground.run('echo bad > "$OUTSIDE/file"; ln -s "$OUTSIDE" src/link; echo bad > src/link/file')
    return "a file outside was written" if any(ground.outside.iterdir()) else ""


def _spares_protected(ground: _Ground) -> str:
    ground.run("mkdir -p .git/hooks; echo bad > .git/hooks/pre-commit; echo bad > .mcp.json; mkdir .toolpost")
    made = [name for name in (".git/hooks/pre-commit", ".mcp.json", ".toolpost") if (ground.project / name).exists()]
    return f"{', '.join(made)} could be made" if made else ""


def _refuses_links(ground: _Ground) -> str:
    """A guarded name that is a link must open nothing; nor must a file that says it is a worktree."""
    secret = os.urandom(8).hex()
    (ground.outside / "secret").write_text(secret)
    said = ""
    try:
        for make in (_link_of_git, _worktree_of_nobody):
            git = make(ground)
            with contextlib.suppress(SandboxError):
                said += ground.run("cat .git/outside/secret .git/secret ../outside/secret; echo bad > ../outside/file")
            git.unlink()
    finally:
        (ground.outside / "secret").unlink()
    if any(ground.outside.iterdir()):
        return "a file outside was written"
    return "a file outside was read" if secret in said else ""


def _link_of_git(ground: _Ground) -> Path:
    git = ground.project / ".git"
    git.symlink_to("..")
    return git


def _worktree_of_nobody(ground: _Ground) -> Path:
    git = ground.project / ".git"
    git.write_text("gitdir: src\n")
    (ground.project / "src" / "gitdir").write_text(f"{git}\n")
    (ground.project / "src" / "commondir").write_text("../..\n")
    return git


def _hides_secrets(ground: _Ground) -> str:
    secret, path = os.urandom(8).hex(), ground.project / "src" / ".env"
    path.write_text(f"KEY={secret}\n")
    try:
        return "a secret file of the project was read" if secret in ground.run("cat src/.e*; grep -r KEY .") else ""
    finally:
        path.unlink()


def _hides_sockets(ground: _Ground) -> str:
    path = ground.project / "src" / "socket"
    script = f"import socket; one = socket.socket(socket.AF_UNIX); one.connect({str(path)!r}); print('reached')"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        said = ground.run(f'for python in python3 /usr/bin/python3; do $python -c "{script}"; done')
    path.unlink()
    return "a socket in the project was reached" if "reached" in said else ""


def _makes_no_owners(ground: _Ground) -> str:
    ground.run("cp /bin/sh src/sh; chmod u+s src/sh; chmod g+s src/sh; chmod 6755 src/sh")
    found = [path for path in (ground.project / "src").iterdir() if path.lstat().st_mode & 0o6000]
    return "a file that runs as its owner was made" if found else ""


def _hides_machine(ground: _Ground) -> str:
    said = ground.run(
        "ls -A /srv /mnt /media /boot /var/log /etc/ssh 2>/dev/null | grep -v ':$'; cat /etc/shadow 2>/dev/null"
    )
    return f"{said.split()[0]} could be seen" if said else ""


def _hides_home(ground: _Ground) -> str:
    mark, secret = Path.home() / f".toolpost-proof-{os.getpid()}", os.urandom(8).hex()
    try:
        mark.write_text(secret)
    except OSError:
        return ""  # nothing can be put there to be looked for
    try:
        return "a file in the home folder was read" if secret in ground.run(f"cat {mark}") else ""
    finally:
        mark.unlink(missing_ok=True)


def _hides_environment(ground: _Ground) -> str:
    # The process that starts the sandbox has secrets: one that does nothing stands in for it.
    secret = os.urandom(8).hex()
    with _process({"PATH": os.defpath, "SECRET": secret}) as process:
        said = ground.run(f"cat /proc/{process.pid}/environ /proc/[0-9]*/environ | tr '\\0' '\\n'")
    return "the environment of another process was read" if secret in said else ""


def _spares_processes(ground: _Ground) -> str:
    with _process({}) as process:
        ground.run(f"kill -9 {process.pid}")
        # A killed process may take a while to end, but it answers nothing any more.
        said, _ = process.communicate(b"are you there?\n")
    return "" if said else "another process was killed"


def _has_no_network(ground: _Ground) -> str:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        ground.run(f"exec 3<>/dev/tcp/127.0.0.1/{server.getsockname()[1]} && echo hello >&3")
        try:
            server.accept()[0].close()
        except TimeoutError:
            return ""
    return "a server on this machine was reached"


def _ends(ground: _Ground) -> str:
    # A time that no other process sleeps for, by which this one can be found.
    seconds = f"3{os.getpid()}.{int.from_bytes(os.urandom(2))}"
    ground.run(f"setsid sleep {seconds} >/dev/null 2>&1 & true")
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if seconds.encode() in entry.read_bytes():
                return "a process stayed behind"
    return ""


CHECKS: tuple[tuple[str, Callable[[_Ground], str]], ...] = (
    ("commands run", _runs),
    ("the project can be written", _writes_project),
    ("nothing else can be written", _spares_outside),
    ("git hooks and agent settings can't be made", _spares_protected),
    ("a link in the place of .git opens nothing", _refuses_links),
    ("the home folder is hidden", _hides_home),
    ("the rest of the machine is not there", _hides_machine),
    ("secret files of the project are hidden", _hides_secrets),
    ("sockets in the project are out of reach", _hides_sockets),
    ("no file runs as its owner or group", _makes_no_owners),
    ("other environments are hidden", _hides_environment),
    ("other processes are out of reach", _spares_processes),
    ("there is no network", _has_no_network),
    ("nothing stays behind", _ends),
)


@contextlib.contextmanager
def _process(env: dict[str, str]) -> Generator[subprocess.Popen[bytes], None, None]:
    """A process that waits for a line and says it again."""
    words = [sys.executable, "-I", "-c", "print(input())"]
    started = subprocess.Popen(words, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        yield started
    finally:
        started.kill()
        started.communicate()
