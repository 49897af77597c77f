"""The page that the server hands out: to everybody, with headers that bind it, and without Node with words instead."""

import base64
import gzip
import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import httpx
import pytest
from server_play import playing

from toolpost.server.page import page_routes

ROOT = Path(__file__).parent.parent.parent
SCRIPT = "export const word = 'toolpost'\n" * 100


@pytest.fixture
def built(tmp_path: Path) -> Path:
    """A page as Vite leaves it."""
    (tmp_path / "assets").mkdir()
    (tmp_path / "index.html").write_text("<!doctype html><title>Toolpost</title>")
    (tmp_path / "icon.svg").write_text("<svg/>")
    (tmp_path / "assets" / "index-abc.js").write_text(SCRIPT)
    (tmp_path / "assets" / "dot.png").write_bytes(bytes(range(40)))
    return tmp_path


@asynccontextmanager
async def serving(folder: Path) -> AsyncGenerator[httpx.AsyncClient]:
    async with (
        playing(*page_routes(folder)) as played,
        httpx.AsyncClient(base_url=f"http://127.0.0.1:{played.port}", timeout=10.0) as client,
    ):
        yield client


async def test_everybody_gets_the_page_and_it_may_talk_to_nobody_else(built: Path) -> None:
    async with serving(built) as client:
        answer = await client.get("/")
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "Toolpost" in answer.text
    rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    assert rules["default-src"] == rules["frame-ancestors"] == rules["form-action"] == rules["base-uri"] == "'none'"
    assert rules["script-src"] == rules["style-src"] == rules["connect-src"] == "'self'"
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "no-referrer"
    assert answer.headers["x-content-type-options"] == "nosniff"


async def test_diagrams_are_drawn_where_only_the_script_of_that_page_runs(built: Path) -> None:
    script = "draw('<b>')"
    (built / "mermaid.html").write_text(f"<!doctype html><script>{script}</script>")
    async with serving(built) as client:
        answer = await client.get("/mermaid.html")
        (built / "mermaid.html").unlink()
        assert (await client.get("/mermaid.html")).status_code == 404
    rules = dict(rule.split(" ", 1) for rule in answer.headers["content-security-policy"].split("; "))
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert rules["script-src"] == f"'sha256-{digest}'"
    assert rules["default-src"] == "'none'"
    assert (rules["sandbox"], rules["frame-ancestors"]) == ("allow-scripts", "'self'")


async def test_files_with_a_name_of_their_own_are_kept_and_the_page_is_asked_for_again(built: Path) -> None:
    async with serving(built) as client:
        page, script = await client.get("/"), await client.get("/assets/index-abc.js")
        again = await client.get("/assets/index-abc.js", headers={"if-none-match": script.headers["etag"]})
    assert page.headers["cache-control"] == "no-cache"
    assert "immutable" in script.headers["cache-control"]
    assert "javascript" in script.headers["content-type"]
    assert (again.status_code, again.content) == (304, b"")


async def test_what_gets_smaller_is_compressed_for_whoever_can_read_it(built: Path) -> None:
    async with serving(built) as client:
        zipped = await client.get("/assets/index-abc.js", headers={"accept-encoding": "br, gzip"})
        plain = await client.get("/assets/index-abc.js", headers={"accept-encoding": "identity"})
        image = await client.get("/assets/dot.png", headers={"accept-encoding": "gzip"})
    assert zipped.headers["content-encoding"] == "gzip"
    assert int(zipped.headers["content-length"]) < len(SCRIPT) / 5
    assert zipped.text == plain.text == SCRIPT
    assert "content-encoding" not in plain.headers
    assert "content-encoding" not in image.headers
    assert zipped.headers["etag"] != plain.headers["etag"]


async def test_a_page_that_was_built_anew_is_the_one_that_is_given(built: Path) -> None:
    async with serving(built) as client:
        await client.get("/")
        (built / "index.html").write_text("<title>the new one</title>")
        answer = await client.get("/")
    assert "the new one" in answer.text


@pytest.mark.parametrize("name", ["missing.js", ".%2e", "%2e%2e%2findex.html", "..%2f..%2fetc%2fpasswd", "%00"])
async def test_nothing_but_its_own_files_can_be_had(built: Path, name: str) -> None:
    async with serving(built) as client:
        answer = await client.get(f"/assets/{name}")
    # A path with further parts is none of the page's, and so asks for the token.
    assert answer.status_code in (401, 404)


async def test_without_node_the_page_says_how_to_build_it(tmp_path: Path) -> None:
    async with serving(tmp_path / "never_built") as client:
        answer = await client.get("/")
    assert answer.status_code == 200
    assert "make page" in answer.text
    assert "default-src 'none'" in answer.headers["content-security-policy"]


def test_the_wheel_brings_the_page_that_was_built(tmp_path: Path) -> None:
    if not (ROOT / "src" / "toolpost" / "server" / "page" / "index.html").is_file():
        pytest.skip("the page was not built: run `make page`")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, timeout=60)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    assert "toolpost/server/page/index.html" in names
    assert any(name.startswith("toolpost/server/page/assets/index-") for name in names)


def test_the_first_load_is_small() -> None:
    folder = ROOT / "src" / "toolpost" / "server" / "page"
    if not (folder / "index.html").is_file():
        pytest.skip("the page was not built: run `make page`")
    page = (folder / "index.html").read_text()
    named = [file for file in folder.rglob("*") if file.is_file() and f"/{file.relative_to(folder)}" in page]
    size = sum(len(gzip.compress(file.read_bytes())) for file in [*named, folder / "index.html"])
    assert named
    assert size <= 130 * 1024


ODD_NAMES = {
    "long": "a" * 5_000,
    "as long as a name may be, and one more": "a" * 256,
    "NUL": "index-abc.js%00",
    "above": "..",
    "above, quoted": "%2e%2e",
    "above, and down again": "..%2findex.html",
    "above with a backslash": "..%5cindex.html",
    "absolute": "%2fetc%2fpasswd",
    "itself": ".",
    "not UTF-8": "%ff%fe",
    "half of a pair": "%ed%a0%80",
    "a broken escape": "%zz%f",
    "a device": "CON",
    "a slash at the end": "index-abc.js/",
    "a folder": "inner",
    "a file in a folder": "inner/secret.txt",
    "a link out": "out",
    "a link to a folder": "away",
    "a link within": "same.js",
    "a pipe": "pipe",
    "a line break": "index-abc.js%0a",
    "other case": "INDEX-ABC.JS",
    "nothing": "",
}


@pytest.mark.parametrize("name", ODD_NAMES.values(), ids=ODD_NAMES)
async def test_only_the_files_of_its_folder_are_handed_out_whatever_is_asked_for(
    built: Path, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    secret, assets = built / "secret.txt", built / "assets"
    secret.write_text("the-planted-secret")
    (assets / "inner").mkdir()
    (assets / "inner" / "secret.txt").write_text("the-planted-secret")
    (assets / "out").symlink_to(secret)
    (assets / "away").symlink_to(built)
    (assets / "same.js").symlink_to(assets / "index-abc.js")
    os.mkfifo(assets / "pipe")
    async with playing(*page_routes(built)) as server:
        for method in ("GET", "HEAD"):
            answer = await server.call(method, f"/assets/{name}")
            assert answer.status == 404
            assert b"planted" not in answer.body
            assert len(answer.body) < 10_000
        assert (await server.call("GET", "/assets/index-abc.js")).status == 200
    assert not caplog.records


async def test_a_folder_that_is_not_there_has_no_files(built: Path) -> None:
    async with playing(*page_routes(built / "nowhere")) as server:
        assert (await server.call("GET", "/assets/index-abc.js")).status == 404
        assert (await server.call("GET", "/icon.svg")).status == 404
        assert b"was not built" in (await server.call("GET", "/")).body
