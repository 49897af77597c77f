"""A project with a store of its own, and the commands run in it: in this process, through the real entry."""

import asyncio
import contextlib
import logging
from pathlib import Path

import msgspec
import pytest

from toolpost.cli.main import main
from toolpost.guard.trust import Trust, TrustError
from toolpost.store.sqlite.store import SqliteStore
from toolpost.testing import ScriptedModel, Turn
from toolpost.workspace import Workspace

WEATHER = '''
from typing import Annotated
from toolpost import tool

@tool
def get_weather(city: Annotated[str, "City name, e.g. Tokyo"]) -> str:
    """Get the current weather for a city. Use when the user asks about weather."""
    return "18.5 degrees, cloudy"

@tool
def secret_tool(city: Annotated[str, "City name, e.g. Tokyo"]) -> str:
    """Tell a secret of a city. Use when the user asks about secrets."""
    return "nothing"
'''
CONFIG = """
model = "scripted/model"
[permissions]
get_weather = "allow"
secret_tool = "deny"
"""
KEY = "sk-abcdefghijklmnopqrstuvwx"


class Done(msgspec.Struct):
    status: int
    out: str
    err: str

    @property
    def json(self):
        return msgspec.json.decode(self.out)


class Project:
    def __init__(self, home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.trusted = True
        self.folder = home / "project"
        self.data = home / "data"
        self.database = self.data / "toolpost.db"
        (self.folder / ".toolpost" / "tools").mkdir(parents=True)
        self.write(".toolpost/tools/weather.py", WEATHER)
        self.write(".toolpost/config.toml", CONFIG)
        self._capsys = capsys
        for name in (
            "TOOLPOST_CONFIG",
            "TOOLPOST_MODEL",
            "XDG_CONFIG_HOME",
            "DBUS_SESSION_BUS_ADDRESS",
            "XDG_RUNTIME_DIR",
        ):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("HOME", str(home))
        monkeypatch.setenv("TOOLPOST_DATA_DIR", str(self.data))
        monkeypatch.setenv("OLLAMA_HOST", "127.0.0.1:9")
        monkeypatch.chdir(self.folder)
        # The log handler that the entry installs must not outlive the test.
        monkeypatch.setattr(logging.getLogger(), "handlers", list(logging.getLogger().handlers))

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text)
        return path

    def call(self, *arguments: str) -> Done:
        """Run a command as `toolpost` does; what argparse refuses is a status too."""
        self._capsys.readouterr()
        if self.trusted:
            # Where the data folder is broken, that is what the test is about.
            with contextlib.suppress(TrustError):
                Trust.of_user().give(self.folder)
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
        captured = self._capsys.readouterr()
        return Done(status, captured.out, captured.err)

    def converse(self, prompt: str, *turns: Turn, session: str | None = None, folder: Path | None = None) -> str:
        """A run of the real engine in the real store; gives the session's id."""

        async def act() -> str:
            workspace = Workspace(folder or self.folder, trusted=True)
            try:
                with ScriptedModel(*turns) as model:
                    opened = workspace.session(workspace.setup(model), session)
                    await opened.run(prompt)
                    await opened.close()
                    return opened.id
            finally:
                await workspace.close()

        return asyncio.run(act())

    def in_store(self, work):
        """Do `await work(store)` and give what it gives."""

        async def act():
            store = SqliteStore(self.database)
            try:
                return await work(store)
            finally:
                await store.close()

        return asyncio.run(act())
