"""Files that a model makes, through the command line: kept where they can be opened, and told of."""

import base64
import stat
from pathlib import Path

import pytest
from console import Console

from toolpost.testing import Upstream, call, error_object, file, text

CAT = b"\x89PNG a cat"


@pytest.mark.parametrize("provider", ["openai", "openai-responses", "gemini"])
async def test_an_image_is_kept_and_its_path_is_the_answer(tmp_path, provider):
    async with Upstream(file(CAT)) as up:
        console = Console(tmp_path, up.base_url, GOOGLE_GEMINI_BASE_URL=up.url, GEMINI_API_KEY="g-key-0123456789")
        done = await console.run("-m", f"{provider}/scripted", "Draw a cat")
    assert (done.status, done.err) == (0, "")
    (path,) = map(Path, done.out.splitlines())
    assert (path.suffix, path.read_bytes()) == (".png", CAT)
    assert path.parent.parent == console.data / "outputs"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


async def test_words_and_images_stand_in_their_order_after_a_call_too(tmp_path):
    script = [call("get_weather", {"city": "Oslo"}), text("A map:") + file(CAT, "image/webp") + file(b"two")]
    async with Upstream(*script) as up:
        done = await Console(tmp_path, up.base_url).run("--allow", "*", "Draw the weather")
    words, *paths = done.out.splitlines()
    first, second = map(Path, paths)
    assert (words, first.suffix, second.read_bytes()) == ("A map:", ".webp", b"two")


async def test_json_carries_the_file_itself_and_writes_nothing(tmp_path):
    async with Upstream(file(CAT)) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("--format", "json", "Draw a cat")
    (update,) = [event for event in done.events if event.get("kind") == "file"]
    (end,) = [
        event
        for event in done.events
        if event["type"] == "message_end" and event["message"]["id"] == update["message_id"]
    ]
    part = end["message"]["parts"][update["part"]]
    assert (part["type"], part["mime"], base64.b64decode(part["data"])) == ("file", "image/png", CAT)
    assert not (console.data / "outputs").exists()


async def test_a_file_that_cannot_be_kept_is_told_and_the_run_goes_on(tmp_path):
    async with Upstream(text("Here: ") + file(CAT)) as up:
        console = Console(tmp_path, up.base_url)
        console.data.mkdir()
        (console.data / "outputs").write_text("in the way")
        done = await console.run("Draw a cat")
    assert (done.status, done.out) == (0, "Here: \n")
    assert "cannot save a file from the model (image/png)" in done.err


async def test_a_file_of_an_attempt_that_failed_is_not_kept(tmp_path):
    again = error_object({"message": "slow down", "code": 429, "retryDelay": "0.01s"})
    async with Upstream(file(b"half a cat") + again, file(CAT)) as up:
        console = Console(tmp_path, up.base_url)
        done = await console.run("Draw a cat")
    (path,) = map(Path, done.out.splitlines())
    assert path.read_bytes() == CAT
    assert list((console.data / "outputs").rglob("*.*")) == [path]


async def test_a_chat_says_where_it_is_and_the_trace_and_the_session_that_it_was(tmp_path):
    async with Upstream(file(CAT)) as up:
        console = Console(tmp_path, up.base_url)
        async with console.terminal() as terminal:
            await terminal.seen("›")
            terminal.type("Draw a cat\r")
            await terminal.seen("image/png: ")
            await terminal.seen(".png")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        (kept,) = (console.data / "outputs").rglob("*.*")
        assert kept.read_bytes() == CAT
        assert "image/png, 10 B" in (await console.call("trace")).out
        assert "image/png]" in (await console.call("sessions", "show", "latest")).out
