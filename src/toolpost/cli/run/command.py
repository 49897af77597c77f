"""`toolpost run "…"`: answer one prompt on stdout, with an exit status that says how the run ended."""

import asyncio
import sys
import time
from argparse import ArgumentParser, Namespace
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import msgspec

from toolpost.cli.exit_codes import (
    DENIED,
    EXIT_CODES,
    FAILED,
    OK,
    OUTPUT_CLOSED,
    STOPPED,
    of_reason,
)
from toolpost.cli.main import silence_stdout
from toolpost.cli.shared.allow_flags import allow_flags
from toolpost.cli.shared.arguments import add_session_arguments, limits_of
from toolpost.cli.shared.call_text import spent
from toolpost.cli.shared.input_files import files_of, schema_of
from toolpost.cli.shared.language import shown
from toolpost.cli.shared.mcp_mentions import ExpandedPrompt, prompt_of_server, with_mentions
from toolpost.cli.shared.open_session import SessionOpener
from toolpost.cli.shared.output import report_error, say_error
from toolpost.cli.shared.questions import TerminalQuestions
from toolpost.cli.shared.render import JsonEventWriter, Transcript
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.stop_requests import heed_stops
from toolpost.cli.shared.terminal_writer import DIM, YELLOW, TerminalWriter
from toolpost.definitions.commands import CommandFile
from toolpost.engine.result import RunResult
from toolpost.engine.session import Session
from toolpost.engine.structured_output import NAME as FINAL_OUTPUT
from toolpost.types.errors import ConfigError, RunNotStored, ToolpostError
from toolpost.types.events import Event, RunEnd, RunStart
from toolpost.view.escape_codes import exact, exact_json
from toolpost.workspace import Workspace
from toolpost.workspace.command_prompts import prompt_from

from .prompt import prompt_of

HELP = "answer one prompt with tools, then exit"


def add_arguments(parser: ArgumentParser) -> None:
    parser.epilog = "exit status:\n" + "\n".join(f"  {code:<5} {meaning}" for code, meaning in EXIT_CODES.items())
    parser.add_argument("prompt", nargs="*", help="the prompt; text from standard input is appended")
    parser.add_argument(
        "--command", metavar="NAME", help="run the command of .toolpost/commands/NAME.md; the prompt is its arguments"
    )
    add_session_arguments(parser)
    parser.add_argument(
        "--resume",
        action="store_true",
        help="go on with a run that was interrupted, or on a terminal with one that waits for an answer: of the "
        "session whose id stands in place of a prompt, or of this project's newest",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="json: one event per line")
    parser.add_argument(
        "--output-schema", type=Path, metavar="FILE", help="answer with JSON that is valid for this JSON Schema"
    )
    parser.add_argument(
        "--file", type=Path, action="append", default=[], metavar="PATH", help="attach an image or another file"
    )


def run(args: Namespace) -> int:
    prompt = prompt_of(args)
    # What can't be written in the terminal's encoding must not end a run.
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # pyright: ignore[reportAttributeAccessIssue, reportUnknownMemberType]
    return asyncio.run(_Run(args).go(prompt))


class _Run:
    """One invocation: who is listening, and what they are told."""

    def __init__(self, args: Namespace) -> None:
        self._args = args
        self._answer = TerminalWriter(sys.stdout, on_closed=self._cancel)
        self._notes = TerminalWriter(sys.stderr)
        side = self._answer if self._answer.is_terminal else self._notes
        is_shown = args.output_schema is None
        self._transcript = Transcript(self._answer, side, show_answer=is_shown, hidden=frozenset({FINAL_OUTPUT}))
        self._task: asyncio.Task[Any] | None = None
        self._session: Session | None = None
        self._unstored = ""

    async def go(self, prompt: str) -> int:
        self._task = asyncio.current_task()
        with stopping(self._cancel) as signals, self._answer.watched():
            try:
                async with AsyncExitStack() as stack:
                    return await self._open_and_run(prompt, stack)
            except asyncio.CancelledError:
                self._transcript.end()
                if self._answer.failure:
                    silence_stdout()
                    say_error(f"cannot write the answer: {self._answer.failure}")
                    self._say_how_to_go_on()
                    return FAILED
                if self._answer.closed:
                    return OUTPUT_CLOSED
                if not signals.asked:
                    raise
                self._note("stopped")
                if self._unstored:
                    say_error(self._unstored)
                self._say_how_to_go_on()
                return FAILED if self._unstored else STOPPED

    async def _open_and_run(self, prompt: str, stack: AsyncExitStack) -> int:
        args = self._args
        files = files_of(args.file)
        wanted: dict[str, Any] = {"output": schema_of(args.output_schema)} if args.output_schema else {}
        questions = TerminalQuestions(self._notes, lambda: self._transcript) if self._has_person() else None
        opening = SessionOpener(args, stack, self._note, questions)
        command = _find_command(opening.workspace, args.command) if args.command and not self._server_command else None
        if command is not None:
            opening.agent, opening.model_id = args.agent or command.agent, args.model or command.model
        session = self._session = await (opening.interrupted() if args.resume else opening.session())
        if session.open_run is not None and not args.resume:
            await self._tell_of_closing(session, opening)
        if args.resume:
            await _refuse_to_resume(session, opening.workspace)
        if args.resume and questions is None and await session.requests():
            # Without a person the policy would answer what somebody else is asked.
            raise ConfigError(
                f"this run waits for a person: --resume on a terminal asks, or toolpost chat -s {session.id}"
            )
        if not args.no_store:
            listening = asyncio.create_task(heed_stops(opening.workspace.store, lambda: [session]))
            stack.callback(listening.cancel)
        lines = JsonEventWriter(self._answer) if args.format == "json" else self._transcript
        session.subscribe(lines.handle)
        session.subscribe(self._notice_end)
        began = time.monotonic()
        try:
            if command is not None:
                prompt = await prompt_from(command, prompt, session, opening.workspace.project)
            if args.resume:
                result = await session.resume(limits=limits_of(args))
            else:
                said = await self._say(prompt, opening)
                result = await session.run(said.text, files=[*files, *said.files], **wanted)
        except ToolpostError as error:
            self._transcript.end()
            if isinstance(error, RunNotStored):
                # It is nowhere else.
                self._write_output(error.result.output)
            status = report_error(error)
            self._say_how_to_go_on()
            return status
        self._transcript.end()
        self._write_output(result.output)
        return self._conclude(result, questions is None, time.monotonic() - began)

    async def _tell_of_closing(self, session: Session, opening: SessionOpener) -> None:
        """Say that the prompt closes the run that is open here, once it has done so."""
        holder = await opening.workspace.store.holder(session.id)
        if holder is not None and holder.is_alive:
            # Another process drives it: then the prompt is refused.
            return
        if opening.workspace.config.resume == "never":
            text = 'the run that was interrupted here is closed, as resume = "never" says'
        elif await session.requests():
            text = "the run that waited for an answer here is closed; toolpost chat would have asked"
        else:
            text = "the run that was interrupted here is closed; --resume would have gone on with it"

        def tell(event: Event) -> None:
            if isinstance(event, RunStart):
                self._note(text)
                forget()

        forget = session.subscribe(tell)

    async def _say(self, prompt: str, opening: SessionOpener) -> ExpandedPrompt:
        """The prompt with what MCP servers have to add to it, or to make of it."""
        if self._server_command:
            return await prompt_of_server(opening.workspace, self._server_command, prompt)
        return await with_mentions(opening.workspace, prompt)

    @property
    def _server_command(self) -> str:
        name = (self._args.command or "").removeprefix("/")
        return name if name.startswith("mcp__") else ""

    def _has_person(self) -> bool:
        """Somebody who sees the question and can answer it."""
        return self._args.format == "text" and sys.stdin.isatty() and self._notes.is_terminal

    def _notice_end(self, event: Event) -> None:
        if isinstance(event, RunEnd) and event.error is not None and event.error.code == "store":
            self._unstored = event.error.message

    def _write_output(self, output: Any) -> None:
        """The output that was asked for with a schema, if there is one; `json` has it in an event."""
        if output is None or self._args.format == "json":
            return
        data = msgspec.json.encode(output)
        text = (msgspec.json.format(data) if self._answer.is_terminal else data).decode()
        self._answer.line(exact_json(text))

    def _conclude(self, result: RunResult[Any], is_headless: bool, took: float) -> int:
        """Say on stderr how it ended, where that is not plain from the answer."""
        match result.reason:
            case "limit":
                say_error(f"the run reached a limit: {_limit(result.limit)}")
            case "denied":
                say_error("the run ended because a call was rejected")
            case "repetition":
                say_error("the run ended because the model repeated the same call")
            case "done" if not result.text.strip() and result.output is None and not result.files:
                hint = "" if self._args.no_store else "; see `toolpost trace`"
                say_error(f"the model returned an empty answer{hint}")
            case _:
                pass
        status = of_reason(result.reason)
        if is_headless and result.denied:
            names = sorted(set(result.denied))
            told = " ".join(allow_flags(result.refusals))
            say_error(f"denied because no person could approve it: {', '.join(names)}. To allow it: {told}")
            status = DENIED if status == OK else status
        if self._notes.is_terminal and self._args.format == "text":
            self._note(spent(result.usage, result.cost, result.steps, took))
        if status != OK or self._notes.is_terminal:
            self._say_how_to_go_on()
        return status

    def _say_how_to_go_on(self) -> None:
        session = self._session
        if session is not None and session.info.head is not None and not self._args.no_store:
            how = shown(f'continue with: toolpost run -s {session.id} "…"')
            self._notes.line(self._notes.style(how, DIM))

    def _note(self, text: str) -> None:
        self._notes.fresh()
        self._notes.line(self._notes.style(f"toolpost: {exact(shown(text))}", YELLOW))

    def _cancel(self) -> None:
        if self._task is not None:
            self._task.cancel()


async def _refuse_to_resume(session: Session, workspace: Workspace) -> None:
    """Close the run that lost its process, where the settings say that such a one does not go on."""
    # Imported here: it needs much that a prompt does not.
    from toolpost.engine.unheld_runs import close_interrupted

    if workspace.config.resume == "never" and await close_interrupted(workspace.store, session.id):
        raise ConfigError(
            f'the run that was interrupted here is closed, as resume = "never" says: toolpost run -s {session.id} "…" '
            "goes on with its session"
        )


def _limit(name: str) -> str:
    if name == "max_output":
        return "the answer was cut at the model's output limit"
    if name == "context_window":
        return "the answer was cut because the model's context window is full"
    return f"{name}; raise it with --{name.replace('_', '-')}"


def _find_command(workspace: Workspace, name: str) -> CommandFile:
    """A command that a person wrote as Markdown."""
    # Imported here: only a mistake needs it.
    from toolpost.arguments.suggestions import did_you_mean

    known = workspace.commands
    found = known.get(name.removeprefix("/"))
    if found is not None:
        return found
    hint = did_you_mean(name, known, "to create it, write .toolpost/commands/NAME.md")
    raise ConfigError(f"unknown command {name!r}: {hint}")
