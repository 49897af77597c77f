"""The command line as a process of its own: piped, or on a real terminal, with a home and a project of its own."""

import asyncio
import contextlib
import fcntl
import os
import signal
import struct
import sys
import termios
from pathlib import Path

import msgspec

from toolpost.guard.trust import Trust, fingerprint
from toolpost.models.embedded.weights.folder import path_of
from toolpost.models.embedded.weights.known import SMALLEST

# Below the time of a test, and enough for a model in a process that has a fifth of a core.
PATIENCE = 100.0

TOOLS = '''
import asyncio
from toolpost import ToolContext, ToolError, tool

@tool
def get_weather(city: str) -> str:
    """Get the weather of a city."""
    return f"{city}: sunny, 22°C"

@tool(permission="shell", patterns=lambda arguments: [arguments["command"]])
async def sh(command: str, ctx: ToolContext) -> str:
    """Run a command."""
    for number in range(20):
        ctx.update(f"line {number}\\n")
    return "\\n".join(f"line {number}" for number in range(20))

@tool
def long_text() -> str:
    """Give a long text."""
    return "\\n".join(f"row {number} \\x1b[31mred\\x1b[0m \\x1b]0;title\\x07 \\x07" for number in range(130))

@tool
def broken() -> str:
    """Fail."""
    raise ToolError("it is broken")
'''


class Done(msgspec.Struct):
    status: int
    out: str
    err: str

    @property
    def events(self):
        return [msgspec.json.decode(line) for line in self.out.splitlines()]


class Console:
    """`trusted`: what the project brings along may act, whatever a test writes into it. `prefix` starts a process, and
    `python` runs it."""

    def __init__(self, home: Path, base_url: str = "http://127.0.0.1:9", **environ: str) -> None:
        self.trusted = True
        self.prefix: tuple[str, ...] = ()
        self.python = sys.executable
        self.folder = home / "project"
        (self.folder / ".toolpost").mkdir(parents=True, exist_ok=True)
        self.tools = self.folder / "tools.py"
        self.tools.write_text(TOOLS)
        self.data = home / "data"
        self.environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "TERM": "xterm-256color",
            "TOOLPOST_DATA_DIR": str(self.data),
            "XDG_CACHE_HOME": str(home / "cache"),
            "TOOLPOST_MODEL": "openai/scripted",
            "OPENAI_BASE_URL": base_url,
            "OPENAI_API_KEY": "sk-test-0123456789abcdef",
            "PROMPT_TOOLKIT_NO_CPR": "1",
            **environ,
        }
        # The code that these tests are run with, also where another one is installed.
        if path := os.environ.get("PYTHONPATH"):
            self.environ["PYTHONPATH"] = os.pathsep.join(filter(None, (environ.get("PYTHONPATH"), path)))

    def give_weights(self, name: str = SMALLEST) -> None:
        """Put weights into this console's cache, where they would be fetched to."""
        weights = path_of(name)
        assert weights.exists(), f"the weights of embedded/{name} are missing: `make weights weights-default`"
        place = path_of(name, self.environ)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(weights)

    async def start(self, *arguments: str, **options) -> asyncio.subprocess.Process:
        if self.trusted and fingerprint(self.folder):
            Trust.of_user(self.environ).give(self.folder)
        piped = {
            "stdin": asyncio.subprocess.DEVNULL,
            "stdout": asyncio.subprocess.PIPE,
            "stderr": asyncio.subprocess.PIPE,
        }
        return await asyncio.create_subprocess_exec(
            *self.prefix,
            self.python,
            "-m",
            "toolpost",
            *arguments,
            cwd=self.folder,
            env=self.environ,
            **(piped | options),
        )

    async def call(self, *arguments: str, stdin: bytes | None = None) -> Done:
        kind = asyncio.subprocess.DEVNULL if stdin is None else asyncio.subprocess.PIPE
        process = await self.start(*arguments, stdin=kind)
        return await finished(process, stdin)

    async def run(self, *arguments: str, stdin: bytes | None = None) -> Done:
        """`toolpost run` with the tools of this project."""
        return await self.call("run", "--tools", str(self.tools), *arguments, stdin=stdin)

    @contextlib.asynccontextmanager
    async def terminal(self, *arguments: str, stdout_to: str | None = None):
        """The process on a terminal of its own; `stdout_to` is a file that only its stdout goes to. A chat is line by
        line, unless `--tui` says otherwise."""
        if (not arguments or arguments[0] == "chat" or arguments[0].startswith("-")) and "--tui" not in arguments:
            arguments = (*arguments, "--tui", "inline")
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        process = await self.start(
            *arguments,
            stdin=slave,
            stdout=slave if stdout_to is None else os.open(stdout_to, os.O_WRONLY | os.O_CREAT),
            stderr=slave,
            start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),
        )
        os.close(slave)
        terminal = Terminal(master, process)
        try:
            yield terminal
        finally:
            terminal.close()
            if process.returncode is None:
                process.kill()
            await process.wait()


class Terminal:
    """What a person sees and types. `seen` goes on from what was seen last."""

    def __init__(self, master: int, process: asyncio.subprocess.Process) -> None:
        self.master = master
        self.process = process
        self.screen = ""
        self._at = 0
        self._data = b""
        self._changed = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(master, self._read)

    def type(self, text: str) -> None:
        os.write(self.master, text.encode())

    async def seen(self, text: str) -> str:
        """Wait for a text; gives what came up to its end."""
        try:
            async with asyncio.timeout(PATIENCE):
                while (found := self.screen.find(text, self._at)) < 0:
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"never saw {text!r} in:\n{self.screen[self._at :]}") from None
        start, self._at = self._at, found + len(text)
        return self.screen[start : self._at]

    async def ended(self) -> int:
        async with asyncio.timeout(PATIENCE):
            status = await self.process.wait()
        self._read()
        return status

    def close(self) -> None:
        self._loop.remove_reader(self.master)
        os.close(self.master)

    def _read(self) -> None:
        try:
            data = os.read(self.master, 65_536)
        except OSError:
            data = b""
        if not data:
            self._loop.remove_reader(self.master)
        self._data += data
        self.screen = self._data.decode(errors="replace").replace("\r\n", "\n")
        self._changed.set()


async def finished(process: asyncio.subprocess.Process, stdin: bytes | None = None) -> Done:
    try:
        async with asyncio.timeout(PATIENCE):
            out, err = await process.communicate(stdin)
    finally:
        # One that is given up must not run on beside the next test.
        if process.returncode is None:
            process.kill()
            await process.wait()
    assert process.returncode is not None
    return Done(process.returncode, out.decode(), err.decode())


def interrupt(process: asyncio.subprocess.Process, number: int = signal.SIGINT) -> None:
    process.send_signal(number)


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


def sessions_in(err: str) -> list[str]:
    return [word for word in err.split() if word.startswith("ses_")]


__all__ = ["Console", "Done", "Terminal", "finished", "interrupt", "lines", "sessions_in"]
