"""A real terminal to try the full screen in: a tmux server of its own, whose screen is read and keys are typed."""

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import tempfile
from pathlib import Path

import pytest
from console import Console

from toolpost.guard.trust import Trust, fingerprint

TMUX = shutil.which("tmux")
needs_tmux = pytest.mark.skipif(TMUX is None, reason="tmux is missing")

# As in `console.py`: enough for a process that has a fifth of a core, below the time of a test.
PATIENCE = 100.0
# How often the screen is looked at: tmux cannot say when it has changed.
LOOK_SECONDS = 0.03

# Nobody looks at this terminal: it would tell the program that it has no focus.
SETTINGS = """
set -g default-terminal tmux-256color
set -s set-clipboard on
set -s escape-time 0
set -g status off
set -g focus-events off
set -g history-limit 5000
set -g remain-on-exit off
set -g mouse off
"""


class Screen:
    """What the terminal shows, and what is typed. `console` has the project."""

    def __init__(self, console: Console, folder: Path) -> None:
        self.console = console
        self._socket = folder / "tmux"
        self._settings = folder / "tmux.conf"
        self._settings.write_text(SETTINGS)

    async def tmux(self, *arguments: str, fails: bool = False) -> str:
        process = await asyncio.create_subprocess_exec(
            TMUX,
            "-S",
            str(self._socket),
            "-f",
            str(self._settings),
            *arguments,
            env={**self.console.environ, "TERM": "xterm-256color"},
            cwd=self.console.folder,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await process.communicate()
        assert fails or process.returncode == 0, err.decode()
        return out.decode(errors="replace")

    async def start(self, columns: int = 100, lines: int = 30) -> None:
        """Open the terminal, with a shell in it."""
        size = ("-x", str(columns), "-y", str(lines))
        # A shell that looks the same everywhere, with job control.
        shell = "env PS1='$ ' bash --norc --noprofile -i"
        await self.tmux("-u", "new-session", "-d", *size, shell)
        await self.seen("$")

    async def type(self, text: str) -> None:
        await self.tmux("send-keys", "-l", "--", text)

    async def key(self, *names: str) -> None:
        """Keys by tmux's names: Enter, Escape, C-p, F5, BTab."""
        await self.tmux("send-keys", *names)

    async def enter(self, text: str) -> None:
        await self.type(text)
        await self.key("Enter")

    async def paste(self, text: str) -> None:
        """As a terminal pastes: in brackets, where the program asked for them."""
        source = self.console.folder.parent / "pasted"
        source.write_text(text)
        await self.tmux("load-buffer", "-b", "pasted", str(source))
        await self.tmux("paste-buffer", "-p", "-d", "-b", "pasted")

    async def resize(self, columns: int, lines: int) -> None:
        await self.tmux("resize-window", "-x", str(columns), "-y", str(lines))

    async def text(self, *, colours: bool = False, history: bool = False) -> str:
        more = [*(["-e"] if colours else []), *(["-S", "-"] if history else [])]
        return await self.tmux("capture-pane", "-p", *more)

    async def buffer(self) -> str:
        """What was copied last."""
        return await self.tmux("show-buffer", fails=True)

    async def format(self, what: str) -> str:
        return (await self.tmux("display-message", "-p", what)).strip()

    async def until(self, holds, what: str, *, colours: bool = False, history: bool = False) -> str:
        shown = ""
        try:
            async with asyncio.timeout(PATIENCE):
                while not holds(shown := await self.text(colours=colours, history=history)):  # noqa: ASYNC110 - nothing tells of it
                    await asyncio.sleep(LOOK_SECONDS)
        except TimeoutError:
            raise AssertionError(f"never saw {what} in:\n{shown}") from None
        return shown

    async def seen(self, *texts: str, history: bool = False) -> str:
        """Wait until all of these are on the screen; gives the screen."""
        return await self.until(lambda shown: all(text in shown for text in texts), repr(texts), history=history)

    async def matched(self, pattern: str) -> str:
        return await self.until(lambda shown: re.search(pattern, shown) is not None, pattern)

    async def gone(self, *texts: str) -> str:
        return await self.until(lambda shown: not any(text in shown for text in texts), f"the end of {texts!r}")

    async def copied(self, holds) -> str:
        async with asyncio.timeout(PATIENCE):
            while not holds(found := await self.buffer()):  # noqa: ASYNC110 - nothing tells of it
                await asyncio.sleep(LOOK_SECONDS)
        return found

    async def chat(self, *arguments: str, ready: str = "›", **environ: str) -> None:
        """Start `toolpost chat` from the shell."""
        console = self.console
        if console.trusted and fingerprint(console.folder):
            Trust.of_user(console.environ).give(console.folder)
        given = shlex.join(f"{name}={value}" for name, value in environ.items())
        command = shlex.join([console.python, "-m", "toolpost", "chat", *arguments])
        await self.key("C-l")
        await self.enter(f"env {given} {command}; echo left with $?" if given else f"{command}; echo left with $?")
        await self.seen(ready)

    async def leave(self) -> str:
        """Quit by its key; gives all that the terminal holds, with what has scrolled away."""
        await self.key("C-q")
        await self.seen("left with 0", history=True)
        return await self.text(history=True)

    async def pid(self) -> int:
        """The process of the chat."""
        shell = await self.format("#{pane_pid}")
        async with asyncio.timeout(PATIENCE):
            while not (children := Path(f"/proc/{shell}/task/{shell}/children").read_text().split()):  # noqa: ASYNC110, ASYNC240 - nothing tells of it
                await asyncio.sleep(LOOK_SECONDS)
        return int(children[0])

    async def kill(self) -> None:
        """The terminal is gone, as when its window is closed."""
        await self.tmux("kill-server", fails=True)


@contextlib.asynccontextmanager
async def terminal(console: Console, *, columns: int = 100, lines: int = 30):
    """A terminal with a shell in the project."""
    # A socket's path must be short.
    with tempfile.TemporaryDirectory(prefix="tp-") as folder:
        screen = Screen(console, Path(folder))
        await screen.start(columns, lines)
        try:
            yield screen
        finally:
            await screen.kill()


async def ended(pid: int) -> None:
    """Wait until a process that is no child of this one has ended."""
    async with asyncio.timeout(PATIENCE):
        while is_alive(pid):  # noqa: ASYNC110 - nothing tells of it
            await asyncio.sleep(LOOK_SECONDS)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
        # One that has ended may wait for its parent, which may be nobody's business here.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False
