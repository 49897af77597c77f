"""`toolpost backup` and `toolpost restore` from the command line, beside a server that runs."""

import asyncio
import random
import signal
import zipfile
from collections.abc import Callable
from pathlib import Path

import msgspec
from console import PATIENCE, Console, finished
from test_commands_serve import TOKEN, serving

from toolpost.testing import Upstream, text


async def until(true: Callable[[], bool]) -> None:
    """Wait for what nothing tells of."""
    async with asyncio.timeout(PATIENCE):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0.001)


async def ask(console: Console) -> str:
    done = await console.run("--allow", "*", "what is the weather?")
    assert done.status == 0, done.err
    return done.out


async def listed(console: Console, *arguments: str) -> list[str]:
    done = await console.call("sessions", "list", "--json", *arguments)
    return [session["id"] for session in msgspec.json.decode(done.out)]


async def test_a_backup_beside_a_running_server_comes_back_on_another_machine(tmp_path: Path) -> None:
    async with Upstream(text("sunny")) as up:
        console = Console(tmp_path / "old", up.base_url)
        await ask(console)
        async with serving(console) as server:
            headers = {"authorization": f"Bearer {TOKEN}"}
            assert (await server.http.get("/api/sessions", headers=headers)).status_code == 200
            done = await console.call("backup", str(tmp_path / "all.zip"))
        assert (done.status, done.err) == (0, "")
        assert "1 session, 2 messages" in done.out
        new = Console(tmp_path / "new", up.base_url)
        checked = await new.call("restore", "--check", str(tmp_path / "all.zip"))
        assert "all.zip is whole: 1 session, 2 messages, from 20" in checked.out
        back = await new.call("restore", str(tmp_path / "all.zip"))
        assert (back.status, back.err) == (0, "")
        assert await listed(new, "--all") == await listed(console, "--all")
        again = await new.call("restore", str(tmp_path / "all.zip"))
        assert again.status == 1
        assert "is not empty" in again.err
        assert "--replace" in again.err
        assert (await new.call("restore", "--replace", str(tmp_path / "all.zip"))).status == 0


async def test_a_server_that_runs_keeps_its_store(tmp_path: Path) -> None:
    async with Upstream(text("sunny")) as up:
        console = Console(tmp_path, up.base_url)
        await ask(console)
        assert (await console.call("backup", "b.zip")).status == 0
        before = await listed(console)
        async with serving(console):
            refused = await console.call("restore", "--replace", "b.zip")
        assert refused.status == 1
        assert "is in use: stop the server" in refused.err
        assert await listed(console) == before


async def test_a_backup_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    console = Console(tmp_path)
    (console.folder / "bad.zip").write_text("nothing")
    for arguments, told, status in (
        (("restore", "bad.zip"), "bad.zip is not a whole backup of Toolpost: ", 1),
        (("restore", "none.zip"), "none.zip can't be read: ", 2),
        (("backup", "b.zip"), "there is no database ", 1),
        (("backup", "b.zip", "--store", "memory"), "a store in memory has no backups", 2),
    ):
        done = await console.call(*arguments)
        assert done.status == status, done
        assert told in done.err
        assert done.err.count("\n") == 1
    assert sorted(path.name for path in console.folder.iterdir()) == [".toolpost", "bad.zip", "tools.py"]


async def test_ctrl_c_and_sigterm_leave_no_half_backup(tmp_path: Path) -> None:
    async with Upstream(text("sunny")) as up:
        console = Console(tmp_path, up.base_url)
        await ask(console)
    outputs = console.data / "outputs" / "one"
    outputs.mkdir(parents=True)
    # Enough that the backup is still at it when the signal comes.
    for number in range(40):
        (outputs / f"{number}.txt").write_bytes(random.randbytes(5_000_000))
    for number in (signal.SIGINT, signal.SIGTERM):
        process = await console.start("backup", str(tmp_path / "b" / "all.zip"))
        await until(lambda: bool(list((tmp_path / "b").glob(".toolpost-backup-*/backup.zip"))))
        process.send_signal(number)
        done = await finished(process)
        assert (done.status, done.out) == (130, "")
        assert list((tmp_path / "b").iterdir()) == []


async def test_a_terminal_shows_how_far_it_is(tmp_path: Path) -> None:
    async with Upstream(text("sunny")) as up:
        console = Console(tmp_path, up.base_url)
        await ask(console)
        async with console.terminal("backup", "b.zip") as terminal:
            await terminal.seen("backup ")
            await terminal.seen("b.zip: 1 session")
            assert await terminal.ended() == 0
        with zipfile.ZipFile(console.folder / "b.zip") as archive:
            assert "manifest.json" in archive.namelist()
