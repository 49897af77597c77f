"""`toolpost chat`: chat line by line."""

import asyncio
import re
import signal
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, TypeVar

from toolpost.arguments.suggestions import closest
from toolpost.cli.exit_codes import OK, STOPPED
from toolpost.cli.shared.arguments import add_session_arguments
from toolpost.cli.shared.call_text import spent
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.mcp_mentions import ExpandedPrompt, prompt_of_server, server_prompts, with_mentions
from toolpost.cli.shared.open_session import SessionOpener
from toolpost.cli.shared.output import say_error
from toolpost.cli.shared.questions import TerminalQuestions
from toolpost.cli.shared.render import Transcript
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.terminal_writer import BOLD, DIM, YELLOW, TerminalWriter
from toolpost.definitions.commands import CommandFile
from toolpost.engine.session import RunResult, Session
from toolpost.extras import has, missing_text
from toolpost.models.contract import Model
from toolpost.plugins.hooks import Command
from toolpost.store.markdown_export import ending_of
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.text import counted
from toolpost.view.escape_codes import clean, exact, exact_line
from toolpost.workspace.command_prompts import prompt_from

from .slash_commands import COMMANDS

if TYPE_CHECKING:
    from .line_input import ChatInput

T = TypeVar("T")

HELP = "chat line by line (the default without a command)"
RECAP_LINES = 12

_COMMAND = re.compile(r"/([A-Za-z][\w-]*)(?:\s+(.*))?", re.DOTALL)
_STOPPED = {
    "aborted": "stopped; the session is saved and you can go on",
    "limit": "the run reached a limit",
    "denied": "the run ended because a call was rejected; write what to do instead",
    "repetition": "the run ended because the model repeated the same call",
}


def add_arguments(parser: ArgumentParser) -> None:
    add_session_arguments(parser)


def run(args: Namespace) -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise ConfigError('a chat needs a terminal; without one, use toolpost run "…"')
    if not has(("prompt_toolkit",)):
        # A person at a terminal wants the rest as well.
        raise ConfigError(missing_text("all", "a chat in the terminal"))
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    return asyncio.run(_chat(args))


async def _chat(args: Namespace) -> int:
    async with AsyncExitStack() as stack:
        return await Chat(args, stack).go()


class Chat:
    """The open conversation, with the methods that `/` commands use."""

    def __init__(self, args: Namespace, stack: AsyncExitStack) -> None:
        self.pen = TerminalWriter(sys.stdout)
        self.prefill = ""
        self.leaving = False
        self.listed: list[str] = []
        self._transcript = Transcript(self.pen, self.pen)
        self.opening = SessionOpener(args, stack, self.note, TerminalQuestions(self.pen, lambda: self._transcript))
        self._session: Session | None = None
        self._was_killed = False

    @property
    def session(self) -> Session:
        assert self._session is not None
        return self._session

    @property
    def has_begun(self) -> bool:
        """False until the first prompt: then the session is not stored yet."""
        return self.session.info.created > 0

    async def go(self) -> int:
        # Imported here: the line editor takes longer to load than everything else, and errors come first.
        from .line_input import ChatInput

        session = await self.opening.session()
        line_input = ChatInput({**self.other_commands(), **{name: help for name, (help, _) in COMMANDS.items()}})
        self._greet(session)
        await self.adopt(session)
        await self.go_on()
        while not self.leaving:
            text = await self._read(line_input)
            if text is None:
                break
            await self._take(text)
        return await self._leave()

    async def adopt(self, session: Session, *, silently: bool = False) -> None:
        """Switch to this session; show the last messages of a stored one unless `silently`."""
        if self._session is not None:
            await self._session.close()
        self._session = session
        session.subscribe(self._transcript.handle)
        if self.has_begun and not silently:
            self._recap()

    async def go_on(self) -> None:
        """Go on with a run of the session whose process died, or that waits for an answer, as the settings say."""
        policy, record = self.opening.workspace.config.resume, self.session.open_run
        if record is None or policy == "never" or await self._is_driven():
            return
        if policy == "ask" and record.state != "waiting":
            self.note("a run of this session was interrupted: /resume goes on with it")
            return
        await self.resume_run()

    async def resume_run(self) -> None:
        self.note("going on with the run that was interrupted")
        await self.drive(self.session.resume())

    async def _is_driven(self) -> bool:
        holder = await self.opening.workspace.store.holder(self.session.id)
        return holder is not None and holder.is_alive

    async def switch(self, model: Model, agent: str) -> None:
        """Go on in the same session with another model or as another agent."""
        info = self.session.info if self.has_begun else None
        await self.adopt(await self.opening.reopen(model, info, agent), silently=True)

    async def drive(self, work: Coroutine[Any, Any, RunResult[Any]]) -> None:
        """Await a run until it ends or Ctrl-C stops it; the chat continues in any case."""
        began = time.monotonic()
        self.pen.line()
        try:
            result = await self._stoppable(work)
        except ToolpostError as error:
            self._transcript.end()
            say_error(str(error))
            return
        self._transcript.end()
        if result is None:
            return
        if result.reason in _STOPPED:
            self.note(f"{_STOPPED[result.reason]}{f': {result.limit}' if result.limit else ''}")
        took = spent(result.usage, result.cost, result.steps, time.monotonic() - began)
        self.say(self.pen.style(shown(took), DIM))

    def say(self, text: str = "") -> None:
        self.pen.fresh()
        self.pen.line(text)

    def note(self, text: str) -> None:
        self.say(self.pen.style(exact(shown(text)), YELLOW))

    def other_commands(self) -> Mapping[str, str]:
        """The descriptions of commands of MCP servers, Markdown files and plugins, by name."""
        return {
            **{name: prompt.description for name, prompt in server_prompts(self.opening.workspace).items()},
            **{name: command.description for name, command in self.opening.workspace.commands.items()},
            **{name: command.description for name, command in self.plugin_commands().items()},
        }

    def plugin_commands(self) -> Mapping[str, Command]:
        return {
            name: command for plugin in self.opening.workspace.plugins for name, command in plugin.commands().items()
        }

    async def _stoppable(self, work: Coroutine[Any, Any, T]) -> T | None:
        """Await `work`; None if Ctrl-C stopped it."""
        task = asyncio.ensure_future(work)
        with stopping(task.cancel) as signals:
            try:
                return await task
            except asyncio.CancelledError:
                self._transcript.end()
                self._was_killed = signals.number not in (None, signal.SIGINT)
                self.leaving = self.leaving or self._was_killed
                self.note(_STOPPED["aborted"])
                return None

    async def _take(self, text: str) -> None:
        command = _COMMAND.fullmatch(text.strip())
        if command is None:
            said = await self._stoppable(self._mentioned(text))
            if said is not None:
                await self.drive(self.session.run(said.text, files=said.files))
            return
        try:
            await self._stoppable(self._command(command[1], (command[2] or "").strip()))
        except ToolpostError as error:
            say_error(str(error))

    async def _mentioned(self, text: str) -> ExpandedPrompt | None:
        try:
            return await with_mentions(self.opening.workspace, text)
        except ToolpostError as error:
            say_error(str(error))
            self.prefill = text
            return None

    async def _command(self, name: str, argument: str) -> None:
        if name in COMMANDS:
            await COMMANDS[name][1](self, argument)
            return
        plugins, files = self.plugin_commands(), self.opening.workspace.commands
        if name in plugins:
            await self.drive(self.session.run(plugins[name].prompt.replace("$ARGUMENTS", argument)))
            return
        if name in files:
            await self._run_file(files[name], argument)
            return
        if name.startswith("mcp__"):
            said = await prompt_of_server(self.opening.workspace, name, argument)
            await self.drive(self.session.run(said.text, files=said.files))
            return
        likely = closest(name, [*COMMANDS, *plugins, *files])
        self.note(f"unknown command /{name}: " + (f"did you mean /{likely}?" if likely else "/help lists them"))

    async def _run_file(self, command: CommandFile, argument: str) -> None:
        """Run a command of a Markdown file, as its own agent and model where it names them, and go on as before."""
        if not command.agent and not command.model:
            await self._drive_file(command, argument)
            return
        model, agent = self.session.model, self.session.agent
        try:
            chosen = self.opening.workspace.model(command.model) if command.model else model
            await self.switch(chosen, command.agent or agent)
            await self._drive_file(command, argument)
        finally:
            await self.switch(model, agent)

    async def _drive_file(self, command: CommandFile, argument: str) -> None:
        prompt = await prompt_from(command, argument, self.session, self.opening.workspace.project)
        await self.drive(self.session.run(prompt))

    async def _read(self, line_input: "ChatInput") -> str | None:
        """Read the next line of the person; None when they quit."""
        while True:
            prefill, self.prefill = self.prefill, ""
            try:
                text = await line_input.read(prefill)
            except KeyboardInterrupt:
                self.say(self.pen.style(shown("Ctrl-D or /exit quits, /help lists the commands"), DIM))
                continue
            except EOFError:
                return None
            self.pen.at_line_start = True
            if text.strip():
                return text

    async def _leave(self) -> int:
        if self.has_begun and not self.opening.is_unstored:
            self.say(self.pen.style(shown(f"continue with: toolpost chat -s {self.session.id}"), DIM))
        await self.session.close()
        return STOPPED if self._was_killed else OK

    def _greet(self, session: Session) -> None:
        model = self.pen.style(exact_line(session.model.info.id), BOLD)
        self.say(f"{model}  {self.pen.style(shown('/help lists the commands, Ctrl-D quits'), DIM)}")

    def _recap(self) -> None:
        """Show the title of the session, the last prompt, its answer, and how that ended."""
        messages = self.session.messages
        title = self.session.info.title or "(no title)"
        about = shown(f"{title} · {counted(len(messages), 'message')}")
        self.say(self.pen.style(exact_line(about), DIM))
        asked = max((at for at, one in enumerate(messages) if one.role == "user" and one.text), default=0)
        answer = next((one.text for one in reversed(messages[asked + 1 :]) if one.text), "")
        for text, mark in ((messages[asked].text if messages else "", "› "), (answer, "")):
            lines = [line for line in clean(text).splitlines() if line.strip()]
            for line in lines[:RECAP_LINES]:
                self.say(self.pen.style(f"  {mark}{line}", DIM))
            if len(lines) > RECAP_LINES:
                self.say(self.pen.style("  …", DIM))
        if messages and (ending := ending_of(messages[-1])):
            self.say(self.pen.style(f"  ({ending})", DIM))
