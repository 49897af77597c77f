"""Commands on a real terminal: questions, unseen typing, tables that keep to the line."""

from pathlib import Path

import pytest
from console import Console

from toolpost.store.contract import SessionInfo
from toolpost.store.sqlite.store import SqliteStore
from toolpost.view.cells import width


@pytest.fixture
def console(tmp_path: Path) -> Console:
    return Console(tmp_path)


async def add_session(console: Console, session_id: str, title: str) -> None:
    store = SqliteStore(console.data / "toolpost.db")
    await store.create(SessionInfo(session_id, title, str(console.folder)))
    await store.close()


async def titles(console: Console) -> str:
    return (await console.call("sessions", "--json")).out


async def test_delete_asks_and_a_no_keeps_the_session(console):
    await add_session(console, "ses_one", "precious")
    async with console.terminal("sessions", "delete", "ses_one") as terminal:
        await terminal.seen("precious")
        await terminal.seen("[y/N]")
        terminal.type("\n")
        await terminal.seen("nothing was deleted")
        assert await terminal.ended() == 0
    assert "precious" in await titles(console)


async def test_delete_asks_and_a_yes_deletes(console):
    await add_session(console, "ses_one", "precious")
    async with console.terminal("sessions", "delete", "ses_one") as terminal:
        await terminal.seen("[y/N]")
        terminal.type("y\n")
        await terminal.seen("deleted")
        assert await terminal.ended() == 0
    assert await titles(console) == "[]\n"


async def test_a_wide_title_stays_on_its_line(console):
    await add_session(console, "ses_one", "東京の天気" * 30)
    async with console.terminal("sessions") as terminal:
        assert await terminal.ended() == 0
        await terminal.seen("…")
        row = next(line for line in terminal.screen.splitlines() if "東京" in line)
    assert width(row) <= 100


async def test_a_key_is_typed_unseen(console):
    console.environ["PYTHON_KEYRING_BACKEND"] = "keyring.backends.fail.Keyring"
    async with console.terminal("config", "set-key", "openai") as terminal:
        await terminal.seen("Key for openai")
        terminal.type("hidden-word-123\n")
        assert await terminal.ended() == 2
        assert "hidden-word-123" not in terminal.screen
