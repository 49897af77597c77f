"""Any GGUF file in this process: real weights, real llama.cpp, the same stream events as any other model."""

import asyncio
import re
import subprocess
import sys

import pytest

from toolpost.models.contract import ModelRequest, Tape
from toolpost.models.embedded import qwen, server
from toolpost.models.embedded.server import Server, without_adapter
from toolpost.models.resolve import resolve
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import Message, TextPart
from toolpost.types.stream import TextDelta


def user(text: str) -> Message:
    return Message("msg_1", "user", (TextPart(text),))


async def ask(model, question, **options):
    return [event async for event in model.stream(ModelRequest([user(question)], **options))]


def text_of(events):
    return "".join(event.text for event in events if isinstance(event, TextDelta))


async def test_words_come_in_the_events_of_every_adapter(model):
    events = await ask(model, "Hello!", options={"max_tokens": 8})
    assert [events[0].type, events[-2].type] == ["text-start", "text-end"]
    assert text_of(events)
    assert events[-1].usage.output in range(1, 9)
    assert events[-1].usage.input > 8


async def test_a_seed_makes_chance_repeatable(model):
    wild = {"max_tokens": 12, "temperature": 1.5, "seed": 7}
    chance = [text_of(await ask(model, "Tell me a story.", options=wild)) for _ in range(2)]
    assert chance[0] == chance[1] != text_of(await ask(model, "Tell me a story.", options={**wild, "seed": 8}))


async def test_stop_and_max_tokens_end_the_answer(model):
    greedy = {"temperature": 0, "max_tokens": 40}
    whole = text_of(await ask(model, "Count from one to ten.", options=greedy))
    assert len(whole) > 20
    marker = whole[10:14]
    events = await ask(model, "Count from one to ten.", options={**greedy, "stop": [marker]})
    assert text_of(events) == whole.partition(marker)[0]
    assert events[-1].reason == "stop"
    cut = await ask(model, "Count from one to ten.", options={**greedy, "max_tokens": 3})
    assert cut[-1].reason == "length"


async def test_a_conversation_that_does_not_fit_is_an_overflow(model):
    with pytest.raises(ModelError) as failure:
        await ask(model, "word " * 12_000)
    assert failure.value.code == "context_overflow"


async def test_the_loop_is_free_while_the_model_writes(model):
    ticks = 0

    async def tick():
        nonlocal ticks
        while True:
            await asyncio.sleep(0.001)
            ticks += 1

    ticking = asyncio.create_task(tick())
    events = await ask(model, "Tell me a story.", options={"max_tokens": 20})
    ticking.cancel()
    assert ticks > len(events)


async def test_a_model_that_reads_a_long_prompt_is_not_silent(model):
    """Between two batches it says how far it is: what is measured as silence ends there."""
    tape = Tape()
    await ask(model, "word " * (server.BATCH * 4), options={"max_tokens": 1}, tape=tape)
    told = [int(number) for number in re.findall(rb'"processed":(\d+)', tape.received)]
    assert len(told) > 3
    assert told == sorted(told)


async def test_silence_is_a_timeout(model):
    with pytest.raises(ModelError) as failure:
        await ask(model, "word " * 3_000, idle_timeout=0.001)
    assert failure.value.code == "timeout"


def test_it_writes_nothing_to_the_terminal_and_its_process_ends(weights):
    script = """
import asyncio, sys
from pathlib import Path
from toolpost.models import http
from toolpost.models.contract import ModelRequest, close_stream
from toolpost.models.embedded.model import Gguf
from toolpost.models.adapter_settings import AdapterSettings
from toolpost.types.messages import Message, TextPart

async def main():
    request = ModelRequest([Message("m", "user", (TextPart("Tell me a long story."),))])
    events = Gguf(AdapterSettings("tiny"), Path(sys.argv[1])).stream(request)
    async for event in events:
        if event.type == "text-delta":
            break
    await close_stream(events)
    await http.close()

asyncio.run(main())
"""
    done = subprocess.run([sys.executable, "-c", script, weights], capture_output=True, text=True, timeout=100)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_request_without_the_adapter_has_a_slot_of_its_own():
    assert without_adapter()["id_slot"] == server.SLOTS - 1


async def test_beginnings_that_are_kept_give_way_to_a_long_prompt(weights):
    from toolpost import OpenAIChat

    small = Server(weights, window=256, slots=4)
    chat = OpenAIChat("tiny", provider="llamacpp", base_url=f"{small.url}/v1", api_key=small.key)
    for number in range(4):
        await ask(chat, f"tool {number}: does the thing with the number {number} " * 4, options={"max_tokens": 2})
    assert (await ask(chat, "word " * 200, options={"max_tokens": 4}))[-1].type == "finish"


def test_without_llama_cpp_or_weights_it_is_said_how_to_get_them(monkeypatch, tmp_path):
    empty = {"TOOLPOST_CACHE_DIR": str(tmp_path)}
    with pytest.raises(ConfigError, match=r"toolpost models pull qwen2\.5-coder-1\.5b"):
        resolve("embedded/qwen2.5-coder-1.5b", environ=empty)
    with pytest.raises(ConfigError, match="toolpost models pull <file or URL>"):
        resolve("embedded/other", environ=empty)
    with pytest.raises(ConfigError, match="can't name a model"):
        resolve("embedded/../other", environ=empty)
    monkeypatch.setitem(sys.modules, "xllamacpp", None)
    with pytest.raises(ConfigError, match=r"pip install 'toolpost\[local\]'"):
        resolve("embedded/smollm2", environ=empty)


async def test_a_file_that_llama_cpp_can_t_read_is_a_clear_error(tmp_path):
    folder = tmp_path / "models"
    folder.mkdir()
    (folder / "broken.gguf").write_bytes(b"GGUF" + bytes(100))
    model = resolve("embedded/broken", environ={"TOOLPOST_CACHE_DIR": str(tmp_path)})
    with pytest.raises(ModelError, match=r"llama\.cpp can't load"):
        await ask(model, "Hi")


@pytest.mark.parametrize("name", sorted(qwen.ADAPTER_SHA256))
def test_the_shipped_adapters_are_those_of_this_version(name):
    assert qwen.adapter_of(name).stat().st_size < 30_000_000


@pytest.mark.parametrize(
    ("content", "message"),
    [(None, "Install toolpost-adapters again"), (b"GGUF", "is not the adapter of this version")],
)
def test_another_adapter_than_the_shipped_one_is_refused(monkeypatch, tmp_path, content, message):
    package = tmp_path / "other_adapters"
    package.mkdir()
    (package / "__init__.py").touch()
    if content:
        (package / "qwen2.5-coder-1.5b.gguf").write_bytes(content)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(qwen, "PACKAGE", "other_adapters")
    qwen.adapter_of.cache_clear()
    with pytest.raises(ConfigError, match=message):
        qwen.adapter_of("qwen2.5-coder-1.5b")
    monkeypatch.setattr(qwen, "PACKAGE", "no_such_adapters")
    with pytest.raises(ConfigError, match=r"pip install 'toolpost\[local\]'"):
        qwen.adapter_of("qwen2.5-coder-1.5b")
