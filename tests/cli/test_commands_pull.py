"""`toolpost models pull` and the embedded models, as processes with a cache of their own."""

import os
from pathlib import Path

import pytest
from console import Console

from toolpost.models.embedded.known_weights import KNOWN, SMALLEST
from toolpost.models.embedded.weights import path_of

WEIGHTS = path_of(SMALLEST)
NOWHERE = "\n".join(
    f'[providers.{name}]\nbase_url = "http://127.0.0.1:9/v1"' for name in ("ollama", "vllm", "llamacpp", "lmstudio")
)
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
    console.environ |= {"PIP_NO_INDEX": "1", "PIP_CONFIG_FILE": os.devnull, "UV_OFFLINE": "1", "UV_NO_CONFIG": "1"}
    done = await console.run("hi")
    assert done.status == 0
    assert "could not be fetched" in done.err
    assert "toolpost models pull" in done.err
    assert "no real model" in done.err


async def test_a_file_is_pulled_listed_and_run(ready):
    pulled = await ready.call("models", "pull", str(WEIGHTS), "--name", "tiny", "--sha256", KNOWN[SMALLEST].sha256)
    assert pulled.status == 0, pulled.err
    assert "embedded/tiny is at" in pulled.out
    assert "98.4 MB" in pulled.out
    listed = await ready.call("models")
    assert "embedded: embedded/tiny, 98.4 MB" in listed.out
    assert "embedded: embedded/smollm2" in listed.out
    assert (await ready.call("models", "list", "embedded")).out == "embedded/smollm2\nembedded/tiny\n"
    answered = await ready.call("run", "-m", "embedded/tiny", "--no-store", "Say hello.")
    assert (answered.status, bool(answered.out.strip())) == (0, True), answered.err


async def test_a_pull_that_fails_says_why_and_keeps_nothing(console, tmp_path):
    (tmp_path / "page.gguf").write_text("<html>")
    done = await console.call("models", "pull", str(tmp_path / "page.gguf"))
    assert done.status == 2
    assert "no GGUF file" in done.err
    assert not list(models_of(console).glob("*.gguf"))


async def test_doctor_tells_of_the_embedded_model(ready, tmp_path):
    assert "smollm2 in" in (await ready.call("doctor")).out
    (models_of(ready) / WEIGHTS.name).unlink()
    assert "→ toolpost models pull smollm2" in (await ready.call("doctor")).out
    without_llama_cpp(ready, tmp_path)
    assert "→ pip install 'toolpost[local]'" in (await ready.call("doctor")).out


async def test_a_pull_shows_a_bar_on_a_terminal(console):
    async with console.terminal("models", "pull", str(WEIGHTS), "--name", "tiny") as terminal:
        await terminal.seen("is at")
        assert await terminal.ended() == 0
    assert "pulling tiny" in terminal.screen
    assert "━" in terminal.screen
