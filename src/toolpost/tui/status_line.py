"""The status line: state, mode, model, agent, context, tokens, cost, and what the person's own command prints."""

import asyncio
import contextlib
import time

import msgspec
from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.app import RenderResult
from textual.widget import Widget

from toolpost.control.contract import PermissionMode
from toolpost.types.text import Language
from toolpost.view.escape_codes import exact_line
from toolpost.view.session_facts import SessionFacts
from toolpost.view.words import seconds_words, words

from .drawing.contract import Palette

GAUGE_CELLS = 8
# The person's command is run at most so often, and may take so long.
COMMAND_EVERY_SECONDS = 2.0
COMMAND_SECONDS = 2.0
MAX_COMMAND_CHARACTERS = 200


class StatusLine(Widget):
    """Drawn anew when a fact changes, and each second while a run works."""

    DEFAULT_CSS = "StatusLine { height: 1; dock: bottom; background: transparent; }"

    def __init__(self, palette: Palette, language: Language, *, command: str = "", has_unicode: bool = True) -> None:
        super().__init__()
        self._palette = palette
        self._language: Language = language
        self._command = command
        self._has_unicode = has_unicode
        self._facts = SessionFacts()
        self._mode: PermissionMode = "ask"
        self._stage = ""
        self._printed = ""
        self._last_command = 0.0
        self._reading: asyncio.Task[None] | None = None

    def show(self, facts: SessionFacts, mode: PermissionMode, stage: str) -> None:
        self._facts, self._mode, self._stage = facts, mode, stage
        self._run_command()
        self.refresh()

    def use_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.refresh()

    def render(self) -> RenderResult:
        width = self.size.width
        left, right = self._left(), self._right()
        room = width - cell_len(left.plain) - 2
        if cell_len(right.plain) > room:
            # The state is what matters most; of the rest the beginning is shown.
            right = Text(set_cell_size(right.plain, max(0, room)), self._palette.style("dim"))
        gap = max(1, width - cell_len(left.plain) - cell_len(right.plain))
        return Text.assemble(left, " " * gap, right, no_wrap=True, overflow="crop")

    def _left(self) -> Text:
        facts, palette = self._facts, self._palette
        state = words(f"state.{facts.state}", self._language, seconds=max(0, round(facts.retry_at - time.time())))
        style = {"idle": "dim", "waiting": "warning", "interrupted": "warning"}.get(facts.state, "running")
        text = Text(f" {self._stage or state}", palette.style(style))  # pyright: ignore[reportArgumentType]
        if facts.busy_since and facts.state != "idle":
            text.append(f" {seconds_words(max(0.1, time.time() - facts.busy_since))}", palette.style("dim"))
        if facts.queue:
            text.append(f"  +{len(facts.queue)}", palette.style("accent"))
        mode = words(f"mode.{self._mode}", self._language)
        text.append(f"  {mode}", palette.style("accent" if self._mode != "ask" else "dim"))
        return text

    def _right(self) -> Text:
        facts, dim = self._facts, self._palette.style("dim")
        parts = [exact_line(facts.model), exact_line(facts.agent), self._gauge()]
        total = facts.usage.total
        parts.append(f"{short_count(total)} tok" if total else "")
        parts.append("" if not facts.cost else f"${facts.cost:.2f}" if facts.cost >= 0.01 else f"${facts.cost:.4f}")
        parts.append(self._printed)
        return Text("  ".join(part for part in parts if part) + " ", dim)

    def _gauge(self) -> str:
        facts = self._facts
        if not facts.window or not facts.used:
            # How full it is, nobody knows; how much was used stands beside it.
            return ""
        share = min(1.0, facts.used / facts.window)
        full, empty = ("█", "░") if self._has_unicode else ("#", ".")
        filled = round(share * GAUGE_CELLS)
        return f"{full * filled}{empty * (GAUGE_CELLS - filled)} {share:.0%}"

    def _run_command(self) -> None:
        now = time.monotonic()
        is_due = self._command and self._reading is None and now - self._last_command >= COMMAND_EVERY_SECONDS
        if is_due:
            self._last_command = now
            self._reading = asyncio.create_task(self._read_command())

    async def _read_command(self) -> None:
        """Show the first line that the person's command prints. It gets the facts on its standard input."""
        try:
            process = await asyncio.create_subprocess_shell(
                self._command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
            )
            try:
                async with asyncio.timeout(COMMAND_SECONDS):
                    printed, _ = await process.communicate(msgspec.json.encode(self._facts))
            except TimeoutError:
                with contextlib.suppress(ProcessLookupError):
                    process.kill()
                await process.wait()
                printed = b""
        except OSError:
            printed = b""
        finally:
            self._reading = None
        line = printed.decode(errors="replace").partition("\n")[0]
        self._printed = exact_line(line)[:MAX_COMMAND_CHARACTERS]
        self.refresh()


def short_count(number: int) -> str:
    """`950`, `12.3k`, `1.2M`."""
    if number < 1_000:
        return str(number)
    return f"{number / 1_000:.1f}k" if number < 1_000_000 else f"{number / 1_000_000:.1f}M"
