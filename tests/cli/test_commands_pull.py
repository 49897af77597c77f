"""`toolpost models pull` and the embedded models, as processes with a cache of their own."""

import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest
from console import Console

from toolpost.cli.exit_codes import LIMIT, OK
from toolpost.models.embedded.weights.folder import path_of
from toolpost.models.embedded.weights.known import DEFAULT, KNOWN, LIGHT, SMALLEST

WEIGHTS = path_of(SMALLEST)
NOWHERE = "\n".join(
    f'[providers.{name}]\nbase_url = "http://127.0.0.1:9/v1"' for name in ("ollama", "vllm", "llamacpp", "lmstudio")
)
OFFLINE = {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "UV_OFFLINE": "1", "UV_NO_CONFIG": "1"}
OFFLINE |= {"HTTPS_PROXY": "http://127.0.0.1:9", "HTTP_PROXY": "http://127.0.0.1:9", "NO_PROXY": "127.0.0.1"}
# Left to itself, a model this small may go on with one sentence until its window is full.
FEW_WORDS = "[options]\nmax_tokens = 24\ntemperature = 0\n"


@pytest.fixture
def console(tmp_path):
    """No key, no model, no server."""
    console = Console(tmp_path, TOOLPOST_MODEL="", OPENAI_API_KEY="", OLLAMA_HOST="127.0.0.1:9")
    (console.folder / ".toolpost" / "config.toml").write_text(FEW_WORDS + NOWHERE)
    return console


@pytest.fixture
def ready(console):
    """The same, with the embedded model's weights."""
    console.give_weights()
    return console


def models_of(console: Console) -> Path:
    return Path(console.environ["XDG_CACHE_HOME"], "toolpost", "models")


def without_llama_cpp(console: Console, folder: Path) -> None:
    (folder / "sitecustomize.py").write_text("import sys\nsys.modules['xllamacpp'] = None\n")
    console.environ["PYTHONPATH"] = str(folder)


async def test_without_weights_and_without_a_network_a_stand_in_replies_and_says_why(console):
    console.environ |= OFFLINE
    done = await console.run("hi")
    assert done.status == 0
    assert "1.1 GB to fetch" in done.err
    assert "Apache-2.0" in done.err
    assert "such as OPENAI_API_KEY" in done.err
    assert "huggingface.co can't be reached" in done.err
    assert "could not be fetched" in done.err
    assert f"toolpost models pull {DEFAULT} --from" in done.err
    assert "not a real model" in done.err


async def test_a_file_is_pulled_listed_and_run(ready):
    pulled = await ready.call("models", "pull", str(WEIGHTS), "--name", "tiny", "--sha256", KNOWN[SMALLEST].sha256)
    assert pulled.status == 0, pulled.err
    assert "embedded/tiny is at" in pulled.out
    assert "98.4 MB" in pulled.out
    listed = await ready.call("models")
    assert re.search(r"^embedded/tiny +98\.4 MB +yes$", listed.out, re.MULTILINE)
    assert re.search(r"^embedded/smollm2 +98\.4 MB +478\.0 MB +yes$", listed.out, re.MULTILINE)
    assert f"toolpost models pull {DEFAULT}" in listed.out
    assert (await ready.call("models", "list", "embedded")).out == "embedded/smollm2\nembedded/tiny\n"
    answered = await ready.call("run", "-m", "embedded/tiny", "--no-store", "Say hello.")
    # It may be cut after a few words: how many it takes depends on the machine.
    assert answered.status in (OK, LIMIT), answered.err
    assert answered.out.strip()


async def test_a_pull_that_fails_says_why_and_keeps_nothing(console, tmp_path):
    (tmp_path / "page.gguf").write_text("<html>")
    done = await console.call("models", "pull", str(tmp_path / "page.gguf"))
    assert done.status == 2
    assert "not a GGUF file" in done.err
    assert not list(models_of(console).glob("*.gguf"))


async def test_known_weights_are_taken_from_a_place_with_their_licence(console):
    console.environ |= OFFLINE
    pulled = await console.call("models", "pull", SMALLEST, "--from", str(WEIGHTS))
    assert pulled.status == 0, pulled.err
    assert "SmolLM2-135M-Instruct Q4_1, Apache-2.0" in pulled.err
    assert "100 %, 98.4 MB of 98.4 MB" in pulled.err
    assert sorted(file.name for file in models_of(console).iterdir() if file.suffix != ".lock") == [
        "smollm2.LICENSE.txt",
        "smollm2.gguf",
    ]
    again = await console.call("models", "pull", SMALLEST)
    assert (again.status, again.err) == (0, "")


async def test_a_mirror_of_the_configuration_comes_first(console, tmp_path):
    (tmp_path / "mirror").mkdir()
    (tmp_path / "mirror" / KNOWN[SMALLEST].file).symlink_to(WEIGHTS)
    console.environ |= {**OFFLINE, "TOOLPOST_EMBEDDED_MIRROR": str(tmp_path / "mirror")}
    pulled = await console.call("models", "pull", SMALLEST)
    assert pulled.status == 0, pulled.err
    assert f"from {tmp_path / 'mirror'}" in pulled.err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((SMALLEST, "--name", "x"), "omit --name and --sha256"),
        (("x.gguf", "--from", "y"), "--from works only with weights that Toolpost knows"),
        ((SMALLEST, "--clean", "--force"), "--clean takes no other options"),
        ((SMALLEST, "--from", "nowhere"), "there is no file or folder nowhere"),
    ],
)
async def test_options_that_do_not_go_together_are_refused(console, words, complaint):
    done = await console.call("models", "pull", *words)
    assert done.status == 2
    assert complaint in done.err


@pytest.mark.skipif(sys.platform != "linux", reason="the limit is set by the shell")
async def test_where_memory_is_short_the_light_model_is_chosen_and_it_is_said(console):
    console.environ |= OFFLINE
    console.prefix = ("sh", "-c", 'ulimit -v 1900000; exec "$@"', "sh")
    pulled = await console.call("models", "pull")
    assert f"embedded/{DEFAULT} takes 2.1 GB of memory and 1.9 GB are available" in pulled.err
    assert f"embedded/{LIGHT} could not be fetched" in pulled.err
    refused = await console.call("models", "pull", DEFAULT)
    assert refused.status == 2
    assert f"toolpost models pull {LIGHT}" in refused.err
    assert "--force" in refused.err
    assert f"embedded/{LIGHT} is the default model" in (await console.call("doctor")).out


@contextlib.asynccontextmanager
async def slow_server(pause: float, asked: list[str]):
    """Serves a GGUF file of 2 MB that comes in twenty pieces, with a pause before each."""
    content = b"GGUF" + bytes(2_000_000)

    over, answering = asyncio.Event(), set()

    async def answer(reader, writer):
        answering.add(asyncio.current_task())
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        asked.append(head)
        begin = int(found[1]) if (found := re.search(r"Range: bytes=(\d+)-", head, re.IGNORECASE)) else 0
        status = f"206 Partial\r\nContent-Range: bytes {begin}-{len(content) - 1}/{len(content)}" if begin else "200 OK"
        writer.write(f'HTTP/1.1 {status}\r\nETag: "1"\r\nContent-Length: {len(content) - begin}\r\n\r\n'.encode())
        with contextlib.suppress(ConnectionError):
            for place in range(begin, len(content), 100_000):
                writer.write(content[place : place + 100_000])
                await writer.drain()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(over.wait(), 0.001 if len(asked) > 1 else pause)
        writer.close()
        with contextlib.suppress(ConnectionError):
            await writer.wait_closed()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/slow.gguf"
        over.set()
        await asyncio.gather(*answering)


async def something_came(console: Console) -> None:
    async with asyncio.timeout(30):
        while not any(file.stat().st_size for file in models_of(console).glob(".pull-*/*.part")):  # noqa: ASYNC110
            await asyncio.sleep(0.05)


@pytest.mark.parametrize(("number", "pause"), [(signal.SIGINT, 0.2), (signal.SIGTERM, 0.2), (signal.SIGINT, 30)])
async def test_a_pull_that_is_stopped_says_what_it_keeps_and_goes_on_from_there(console, number, pause):
    asked: list[str] = []
    async with slow_server(pause, asked) as url:
        process = await console.start("models", "pull", url)
        await something_came(console)
        begun = time.monotonic()
        process.send_signal(number)
        _, err = await process.communicate()
        assert time.monotonic() - begun < 10
        assert process.returncode == 130
        assert f"`toolpost models pull {url}` continues from there" in err.decode()
        assert "Traceback" not in err.decode()
        done = await console.call("models", "pull", url)
        assert done.status == 0, done.err
    assert "range: bytes=" in asked[1].lower()
    assert (models_of(console) / "slow.gguf").stat().st_size == 2_000_004


async def test_what_is_kept_is_deleted_by_clean(console):
    async with slow_server(30, []) as url:
        process = await console.start("models", "pull", url)
        await something_came(console)
        process.send_signal(signal.SIGINT)
        await process.communicate()
    assert "of unfinished pulls" in (await console.call("models", "pull", url, "--clean")).out
    assert not list(models_of(console).glob(".pull-*"))
    assert (await console.call("models", "pull", "--clean")).out == "there is no unfinished pull\n"


async def test_doctor_tells_of_the_embedded_model(ready, tmp_path):
    found = (await ready.call("doctor")).out
    assert f"no weights of {DEFAULT} yet; smollm2 in" in found
    assert f"→ toolpost models pull {DEFAULT}" in found
    assert f"embedded/{DEFAULT} takes 2.1 GB" in found
    without_llama_cpp(ready, tmp_path)
    assert "→ pip install 'toolpost[local]'" in (await ready.call("doctor")).out


async def test_a_pull_shows_a_bar_on_a_terminal(console):
    async with console.terminal("models", "pull", str(WEIGHTS), "--name", "tiny") as terminal:
        await terminal.seen("is at")
        assert await terminal.ended() == 0
    assert "pulling tiny" in terminal.screen
    assert "[####" in terminal.screen
