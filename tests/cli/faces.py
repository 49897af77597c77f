"""A face that notes what a control tells it, and a control on a project of its own, in this process."""

import asyncio
import contextlib
from argparse import ArgumentParser
from contextlib import AsyncExitStack

from toolpost.cli.chat.command import add_arguments
from toolpost.cli.chat.local_control import LocalControl

PATIENCE = 60.0


class NotingFace:
    def __init__(self):
        self.control = None
        self.opened = 0
        self.changes = []
        self.notes = []
        self._turned = asyncio.Event()

    def session_opened(self):
        self.opened += 1
        self._turned.set()

    def session_changed(self, changes):
        self.changes.append(changes)
        self._turned.set()

    def note(self, text, kind="info"):
        self.notes.append(text)
        self._turned.set()

    async def until(self, holds):
        """Wait until something is true, which is looked at whenever the control has told something."""
        async with asyncio.timeout(PATIENCE):
            while not holds():
                self._turned.clear()
                await self._turned.wait()

    async def idle(self):
        await self.until(lambda: self.control.view.facts.state == "idle")

    async def asked(self):
        await self.until(lambda: self.control.view.asks)
        return self.control.view.asks[0]

    @property
    def items(self):
        return list(self.control.view.items)

    @property
    def kinds(self):
        return [item.kind for item in self.items]

    def of(self, kind):
        return [item for item in self.items if item.kind == kind]

    @property
    def prompts(self):
        return [item.text for item in self.of("prompt")]

    @property
    def answer(self):
        return self.of("text")[-1].text


def project(monkeypatch, home, base_url):
    folder = home / "project"
    (folder / ".git").mkdir(parents=True, exist_ok=True)
    monkeypatch.chdir(folder)
    for name, value in {
        "HOME": str(home),
        "TOOLPOST_DATA_DIR": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "TOOLPOST_MODEL": "openai/scripted",
        "OPENAI_BASE_URL": base_url,
        "OPENAI_API_KEY": "sk-test-0123456789abcdef",
    }.items():
        monkeypatch.setenv(name, value)
    return folder


@contextlib.asynccontextmanager
async def controlled(*arguments):
    """A control with its face, started."""
    parser = ArgumentParser()
    add_arguments(parser)
    async with AsyncExitStack() as stack:
        control, face = LocalControl(parser.parse_args(arguments), stack), NotingFace()
        face.control = control
        await control.start(face)
        try:
            yield control, face
        finally:
            await control.close()
