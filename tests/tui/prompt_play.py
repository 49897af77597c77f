"""A prompt in a small app, driven by keys."""

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from textual import events
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Static

from toolpost.tui.prompt.editor import PromptEditor

PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 24


class Sources:
    """Completions for tests: `answers` by query; a query with a gate waits for it."""

    def __init__(self) -> None:
        self.answers: dict[str, Sequence[str]] = {}
        self.gates: dict[str, asyncio.Event] = {}
        self.asked: list[str] = []

    def commands(self) -> Mapping[str, str]:
        return {"help": "Show the commands", "model": "Choose a model", "compact": "Summarise"}

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        self.asked.append(query)
        if query in self.gates:
            await self.gates[query].wait()
        return self.answers.get(query, ())


class PromptApp(App[None]):
    ENABLE_COMMAND_PALETTE = False
    CSS = "#above { height: 1fr; }"
    BINDINGS = [("escape", "stop", "Stop")]  # noqa: RUF012 - as Textual wants it

    def __init__(self, prompt: PromptEditor, sources: Sources | None = None) -> None:
        super().__init__()
        self.prompt = prompt
        self.sources = sources
        self.sent: list[PromptEditor.Submitted] = []
        self.stops = 0
        self.notes: list[str] = []
        self.outside: list[str] = []

    def compose(self) -> ComposeResult:
        yield Static("", id="above")
        yield self.prompt

    def on_mount(self) -> None:
        if self.sources is not None:
            self.prompt.use(self.sources)
        self.prompt.focus()

    def on_prompt_editor_submitted(self, message: PromptEditor.Submitted) -> None:
        self.sent.append(message)

    def action_stop(self) -> None:
        self.stops += 1

    def notify(self, message: str, **_: Any) -> None:
        self.notes.append(message)

    @contextlib.contextmanager
    def suspend(self) -> Iterator[None]:
        """A terminal that is not there can be lent, too."""
        self.outside.append("suspended")
        yield
        self.outside.append("resumed")


class Play:
    def __init__(self, app: PromptApp, pilot: Pilot[None]) -> None:
        self.app = app
        self.pilot = pilot
        self.prompt = app.prompt

    @property
    def text(self) -> str:
        """As it is shown."""
        return self.prompt.area.text

    @property
    def rows(self) -> list[str]:
        return [row.value for row in self.prompt.completions.rows]

    @property
    def foot(self) -> str:
        return str(self.prompt.query_one("#prompt-foot", Static).render())

    async def keys(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        for letter in text:
            await self.press(letter)

    async def press(self, key: str) -> None:
        """A key as the terminal tells it, which may be any character."""
        event = events.Key(key, key if len(key) == 1 else None).set_sender(self.app)
        self.app.post_message(event)
        await self.pilot.pause()

    async def paste(self, text: str) -> None:
        self.prompt.area.post_message(events.Paste(text))
        await self.pilot.pause()

    async def burst(self, text: str) -> None:
        """Keys that a terminal hands over in one piece."""
        keys = [events.Key("enter", "\r") if letter == "\n" else events.Key(letter, letter) for letter in text]
        for key in keys:
            # All of one moment, as its parser makes them, however slow this machine is.
            key.time = keys[0].time
            self.app.post_message(key)
        await self.pilot.pause()

    async def until(self, is_so: Callable[[], object]) -> None:
        async with asyncio.timeout(30):
            while not is_so():
                await self.pilot.pause(0.01)

    async def sent(self, count: int = 1) -> PromptEditor.Submitted:
        await self.until(lambda: len(self.app.sent) >= count)
        return self.app.sent[count - 1]


@contextlib.asynccontextmanager
async def playing(
    sources: Sources | None = None, *, size: tuple[int, int] = (60, 20), **options: Any
) -> AsyncGenerator[Play]:
    app = PromptApp(PromptEditor(**options), sources)
    async with app.run_test(size=size) as pilot:
        yield Play(app, pilot)


def picture(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(PNG)
    return path
