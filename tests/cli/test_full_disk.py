"""A disk that fills up, for real: what a run says then, and what can still be read."""

import asyncio
import contextlib
import json
import re
import signal
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from console import Console, finished, sessions_in
from small_disk import KINDS, SmallDisk, small_disk

from toolpost.guard.trust import Trust
from toolpost.testing import Gate, Upstream, call, pause, text

TOOLS = '''
import os
from toolpost import tool

@tool
def fill_disk() -> str:
    """Fill the disk of the data folder."""
    file = os.open(os.path.join(os.environ["TOOLPOST_DATA_DIR"], "filler"), os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    size = 64 * 1024
    while size:
        try:
            os.write(file, bytes(size))
        except OSError:
            size //= 2
    os.close(file)
    return "it is full now"
'''
PATIENCE = 30.0
TOKEN = "a-token-of-a-person"
FULL = "the disk is full"
NOT_STORED = "this run could not be stored: the disk is full"
SCHEMA = {"type": "object", "properties": {"answer": {"type": "string"}}, "required": ["answer"]}
FILL = call("fill_disk", {})


@pytest.fixture(params=KINDS)
def disk(request, tmp_path):
    with small_disk(tmp_path / "data", request.param) as mounted:
        yield mounted


@pytest.fixture
def plain_disk(tmp_path):
    with small_disk(tmp_path / "data") as mounted:
        yield mounted


def on(disk: SmallDisk, home: Path, up: Upstream) -> Console:
    """The command line whose data folder is the disk."""
    console = Console(home, up.base_url)
    console.tools.write_text(TOOLS)
    console.prefix = disk.prefix(console.folder)
    # What the user trusts is kept on the disk, and there is nothing here to trust.
    console.trusted = False
    return console


async def test_a_run_whose_end_cannot_be_stored_has_failed_and_its_answer_is_printed(disk, tmp_path):
    async with Upstream(text("before"), FILL, text("the answer")) as up:
        console = on(disk, tmp_path, up)
        assert (await console.run("first")).status == 0
        done = await console.run("--allow", "*", "fill it")
    assert (done.status, done.out) == (1, "the answer\n")
    assert NOT_STORED in done.err
    assert "free some space" in done.err


async def test_a_call_that_finds_the_disk_full_is_not_said_to_be_aborted_by_the_user(plain_disk, tmp_path):
    async with Upstream(FILL, FILL) as up:
        done = await on(plain_disk, tmp_path, up).run("--allow", "*", "fill it twice")
    assert done.status == 1
    assert FULL in done.err
    assert "by the user" not in done.err


async def test_events_say_that_the_run_could_not_be_stored(disk, tmp_path):
    async with Upstream(FILL, text("the answer")) as up:
        done = await on(disk, tmp_path, up).run("--format", "json", "--allow", "*", "fill it")
    *_, end, settled = done.events
    assert (done.status, end["type"], settled["type"]) == (1, "run_end", "settled")
    assert (end["reason"], end["text"], end["error"]["code"]) == ("error", "the answer", "store")
    assert NOT_STORED in done.err
    assert [event["seq"] for event in done.events] == sorted({event["seq"] for event in done.events})


async def test_an_output_that_was_asked_for_is_printed_though_it_could_not_be_stored(plain_disk, tmp_path):
    schema = tmp_path / "schema.json"
    schema.write_text(json.dumps(SCHEMA))
    async with Upstream(FILL, text('{"answer": "42"}')) as up:
        done = await on(plain_disk, tmp_path, up).run("--output-schema", str(schema), "--allow", "*", "fill it")
    assert (done.status, json.loads(done.out)) == (1, {"answer": "42"})
    assert NOT_STORED in done.err


async def test_a_stopped_run_that_cannot_be_stored_says_so(plain_disk, tmp_path):
    gate = Gate()
    async with Upstream(FILL, text("half") + pause(gate)) as up:
        process = await on(plain_disk, tmp_path, up).start(
            "run", "--tools", str(tmp_path / "project" / "tools.py"), "--allow", "*", "fill it"
        )
        await gate.reached.wait()
        process.send_signal(signal.SIGINT)
        done = await finished(process)
    assert done.status == 1
    assert NOT_STORED in done.err


async def test_what_is_stored_can_be_read_while_the_disk_is_full(disk, tmp_path):
    """The index of SQLite's log is in mapped memory: where the disk has no room for it, SQLite's process is killed."""
    async with Upstream(text("the first answer"), FILL, text("the second answer")) as up:
        console = on(disk, tmp_path, up)
        await console.run("the first prompt")
        disk.fill()
        # Closed in order: there is no log, and no room to make its index.
        await reads(console, "the first prompt")
        disk.free()
        # Ended on a full disk: there is a log which could not be brought into the database.
        await console.run("--allow", "*", "the second prompt")
        await reads(console, "the second prompt")


async def reads(console: Console, prompt: str) -> None:
    for arguments in (
        ("sessions",),
        ("sessions", "show", "latest"),
        ("sessions", "search", prompt),
        ("sessions", "export", "latest"),
        ("trace",),
    ):
        done = await console.call(*arguments)
        assert done.status == 0, (arguments, done)
        assert prompt in done.out, (arguments, done)
    doctor = await console.call("doctor")
    assert re.search("data .*is full", doctor.out), doctor
    assert re.search("database .*is intact", doctor.out), doctor


async def test_what_would_change_the_store_says_that_the_disk_is_full(disk, tmp_path):
    async with Upstream(text("an answer")) as up:
        console = on(disk, tmp_path, up)
        await console.run("first")
        disk.fill()
        for arguments in (
            ("run", "not asked of a model"),
            ("sessions", "rename", "latest", "other"),
            ("sessions", "delete", "--yes", "latest"),
        ):
            done = await console.call(*arguments)
            assert (done.status, done.out) == (1, ""), done
            assert FULL in done.err
            assert "free some space" in done.err


async def test_a_new_store_on_a_full_disk_says_what_to_do(disk, tmp_path):
    async with Upstream() as up:
        disk.fill()
        done = await on(disk, tmp_path, up).run("hello")
    assert (done.status, done.out) == (1, "")
    assert FULL in done.err


async def test_a_session_goes_on_once_there_is_room(disk, tmp_path):
    async with Upstream(FILL, text("lost"), text("gone on")) as up:
        console = on(disk, tmp_path, up)
        failed = await console.run("--allow", "*", "fill it")
        disk.free()
        done = await console.run("-s", sessions_in(failed.err)[0], "and now?")
        shown = await console.call("sessions", "show", "latest")
    assert (done.status, done.out) == (0, "gone on\n")
    # What was not stored is told as what it is.
    assert "interrupted" in json.dumps(up.requests[-1].body["messages"])
    assert "gone on" in shown.out


async def test_a_chat_says_it_and_stores_all_of_it_once_there_is_room(plain_disk, tmp_path):
    async with Upstream(FILL, text("the answer"), text("more")) as up:
        console = on(plain_disk, tmp_path, up)
        async with console.terminal("chat", "--tools", str(console.tools), "--allow", "*") as terminal:
            await terminal.seen("›")
            terminal.type("fill it\r")
            await terminal.seen("the answer")
            await terminal.seen(NOT_STORED)
            await terminal.seen("›")
            plain_disk.free()
            terminal.type("go on\r")
            await terminal.seen("more")
            await terminal.seen("›")
            terminal.type("\x04")
            assert await terminal.ended() == 0
        shown = await console.call("sessions", "show", "latest")
    assert shown.out.index("it is full now") < shown.out.index("the answer") < shown.out.index("more")


async def test_a_server_lives_on_and_its_runs_fail_until_there_is_room(plain_disk, tmp_path):
    async with Upstream(FILL, text("the answer"), text("stored"), text("stored too")) as up:
        console = on(plain_disk, tmp_path, up)
        (console.folder / ".toolpost" / "config.toml").write_text('[permissions]\n"*" = "allow"\n')
        (console.folder / ".toolpost" / "tools").mkdir()
        (console.folder / ".toolpost" / "tools" / "fill.py").write_text(TOOLS)
        Trust.of_user({**console.environ, "TOOLPOST_DATA_DIR": str(plain_disk.here)}).give(console.folder)
        async with serving(console) as client:
            answer = await said(client, "fill it")
            assert "the answer" in answer
            assert NOT_STORED in answer
            # It does not wait for a run that has ended.
            assert (await client.get("/api/chat/a-chat-of-its-own/stream")).status_code == 204
            refused = await client.post("/api/chat", json=prompt("again"))
            assert (refused.status_code, refused.json()["error"]["message"][:25]) == (507, "the server's disk is full")
            assert "fill it" in (await client.get("/api/sessions/a-chat-of-its-own/messages")).text
            plain_disk.free()
            assert "stored" in await said(client, "and now?")
            kept = (await client.get("/api/sessions/a-chat-of-its-own/messages")).text
            assert kept.index("it is full now") < kept.index("the answer") < kept.index("stored")
        plain_disk.fill()
        async with serving(console) as client:
            assert "fill it" in (await client.get("/api/sessions/a-chat-of-its-own/messages")).text
            refused = await client.post("/api/chat", json=prompt("not yet"))
            assert (refused.status_code, refused.json()["error"]["code"]) == (507, "disk_full")
            plain_disk.free()
            assert "stored too" in await said(client, "and now?")


@contextlib.asynccontextmanager
async def serving(console: Console) -> AsyncIterator[httpx.AsyncClient]:
    """`toolpost serve` as a process, and a client of it."""
    process = await console.start("serve", "--port", "0", "--token", TOKEN)
    try:
        async with asyncio.timeout(PATIENCE):
            greeting = (await process.stderr.readuntil(b"OPENAI_API_KEY=")).decode()
        base_url = re.search(r"on (http://\S+)", greeting)[1]
        headers = {"authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(base_url=base_url, headers=headers, timeout=PATIENCE, trust_env=False) as client:
            yield client
        assert process.returncode is None
    finally:
        if process.returncode is None:
            process.terminate()
        await finished(process)


def prompt(words: str) -> dict[str, object]:
    said = {"id": "m", "role": "user", "parts": [{"type": "text", "text": words}]}
    return {"id": "a-chat-of-its-own", "message": said}


async def said(client: httpx.AsyncClient, words: str) -> str:
    answer = await client.post("/api/chat", json=prompt(words))
    assert answer.status_code == 200, answer.text
    return answer.text
