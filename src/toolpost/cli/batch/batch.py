"""One `toolpost batch`: check all items, run them, say how it ended and how to go on."""

import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from contextlib import AsyncExitStack
from pathlib import Path

from toolpost.cli.exit_codes import DENIED, FAILED, LIMIT, OK, OUTPUT_CLOSED, STOPPED, of_reason
from toolpost.cli.main import silence_stdout
from toolpost.cli.shared.allow_flags import allow_flags
from toolpost.cli.shared.arguments import limits_of
from toolpost.cli.shared.input_files import schema_of
from toolpost.cli.shared.open_session import SessionOpener
from toolpost.cli.shared.output import say_error, say_on_stderr
from toolpost.cli.shared.signals import stopping
from toolpost.cli.shared.terminal_writer import TerminalWriter
from toolpost.engine.session_setup import Setup
from toolpost.types.errors import ConfigError, ToolpostError
from toolpost.types.events import RunReason
from toolpost.types.ids import new_id
from toolpost.types.messages import Usage
from toolpost.types.text import counted
from toolpost.view.escape_codes import exact_json
from toolpost.workspace import Workspace

from .batch_runner import MOST_HOPELESS, BatchLimits, BatchRunner, StopReason
from .command import CONCURRENCY, CONCURRENCY_OF_ENGINE
from .engine_runs import EngineRuns, NotSubmitted, engine_of
from .item_sessions import ItemSessions
from .item_setups import ItemSetups
from .items import ItemFile
from .local_runs import LocalRuns
from .progress import BatchProgress
from .results import ResultFile, ResultStream, ResultTarget
from .run_endings import RunEndings

MAX_NAME_CHARS = 200


class Batch:
    """Runs the items once, with the arguments of the command, in the current folder."""

    def __init__(self, args: Namespace, items: ItemFile) -> None:
        self._args = args
        self._items = items
        self._progress = BatchProgress(is_quiet=args.quiet)
        self._out = TerminalWriter(sys.stdout, on_closed=lambda: self._stop("output_closed"))
        self._stopped_by: StopReason | None = None
        self._runner: BatchRunner | None = None
        self._own_name = ""
        self._priced: set[str] = set()

    async def go(self) -> int:
        args = self._args
        schema = schema_of(args.output_schema) if args.output_schema else None
        with stopping(lambda: self._stop("signal")):
            async with AsyncExitStack() as stack:
                opener = SessionOpener(args, stack, self._progress.say)
                workspace = opener.workspace
                engine = engine_of(args, workspace)
                sessions = ItemSessions(workspace.store, workspace.project, self._name(workspace.project))
                results = self._results(sessions, stack)
                setups = ItemSetups(opener, schema, args.files)
                self._progress.total = await self._check(sessions, setups, results)
                results.mend()
                usual = CONCURRENCY if engine is None else CONCURRENCY_OF_ENGINE
                limits = BatchLimits(args.concurrency or usual, args.max_failures, args.max_total_cost)
                runner = BatchRunner(results, self._progress, limits, retry_failed=args.retry_failed)
                if engine is None:
                    runs = self._local_runs(workspace, setups, sessions, runner)
                else:
                    stack.push_async_callback(engine.close)
                    endings = await stack.enter_async_context(RunEndings(workspace.store))
                    runs = EngineRuns(workspace, setups, sessions, engine, endings, is_detached=args.detach)
                async with self._progress.shown():
                    await self._run(runner, runs)
        return self._conclude(runner, runs, results)

    def _local_runs(
        self, workspace: Workspace, setups: ItemSetups, sessions: ItemSessions, runner: BatchRunner
    ) -> LocalRuns:
        if workspace.servers is not None:
            # They connect while the first items are sent.
            workspace.servers.start()
        return LocalRuns(workspace, setups, sessions, limits_of(self._args), runner.hold_back, self._progress.say)

    def _name(self, project: Path) -> str:
        """The name of the batch: the file of its results, if nobody gave it one."""
        name, output = self._args.name, self._args.output
        if name is None and output is None:
            name = self._own_name = new_id("bat")
        elif name is None:
            path = Path(os.path.realpath(output))
            name = str(path.relative_to(project) if path.is_relative_to(project) else path)
        if not name.strip() or len(name) > MAX_NAME_CHARS:
            raise ConfigError(f"--name must have 1 to {MAX_NAME_CHARS} characters")
        return name

    def _results(self, sessions: ItemSessions, stack: AsyncExitStack) -> ResultTarget:
        path: Path | None = self._args.output
        if path is None:
            stack.enter_context(self._out.watched())
            return ResultStream(self._write_line)
        if self._items.is_file(path):
            raise ConfigError(f"{path} holds the items: give another --output")
        return stack.enter_context(ResultFile(path, sessions.id_of, without_failed=self._args.retry_failed))

    async def _check(self, sessions: ItemSessions, setups: ItemSetups, results: ResultTarget) -> int:
        """Raise `ConfigError` for the first item that can't be run; gives how many there are."""
        total = await self._check_items(setups)
        for item in self._items:
            if self._stopped_by:
                break
            if not self._own_name:
                await sessions.find(item)
            self._progress.done += results.has(item.id)
        return total

    async def _check_items(self, setups: ItemSetups) -> int:
        lines: dict[str, int] = {}
        for item in self._items:
            if item.id in lines:
                text = f"the id {item.id!r} is that of line {lines[item.id]} too: give each item its own"
                raise self._items.error(item.line, text)
            lines[item.id] = item.line
            try:
                setup = await setups.check(item)
            except ConfigError as error:
                if not item.has_own_settings:
                    raise
                raise self._items.error(item.line, str(error)) from error
            if self._args.max_total_cost:
                await self._require_price(setup)
        return len(lines)

    async def _run(self, runner: BatchRunner, runs: LocalRuns | EngineRuns) -> None:
        self._runner = runner
        if self._stopped_by:
            runner.end(self._stopped_by)
        try:
            await runner.go(iter(self._items), runs)
        except NotSubmitted as error:
            text = f"{error}; to go on: {self._same_command}, or with --here to run the items in this process"
            raise ToolpostError(text) from error

    def _conclude(self, runner: BatchRunner, runs: LocalRuns | EngineRuns, results: ResultTarget) -> int:
        """Say what a person has to know of the end; gives the exit status."""
        reason, failed = runner.stopped_by, results.failed
        if reason == "output_closed":
            return self._output_closed()
        if isinstance(runs, EngineRuns) and runs.submitted and not self._args.quiet:
            collect = f"{self._same_command} without --detach" if self._args.detach else self._same_command
            say_on_stderr(f"with the engine: {counted(runs.submitted, 'run')}; to collect the results: {collect}")
        if text := self._why_stopped(runner):
            say_error(f"{text}; to go on: {self._same_command}")
        if failed:
            say_error(f"{counted(failed, 'item')} failed; to run them again: {self._same_command} with --retry-failed")
        if runs.refusals:
            flags = " ".join(allow_flags(runs.refusals))
            say_error(f"calls were denied because no person could approve them. To allow them: {flags}")
        if reason is not None:
            return _STATUSES[reason]
        if left := self._left_open():
            say_error(f"{counted(left, 'item')} could not be run to the end; to go on: {self._same_command}")
            return FAILED
        status = _status_of(results.reasons)
        return DENIED if status == OK and runs.refusals else status

    def _left_open(self) -> int:
        """How many runs were taken over by other processes, or parked, and not seen to end."""
        return 0 if self._args.detach else self._progress.total - self._progress.done

    def _why_stopped(self, runner: BatchRunner) -> str:
        match runner.stopped_by:
            case "signal":
                return "stopped"
            case "store":
                return "stopped, because a run could not be stored"
            case "hopeless":
                said = runner.last_error.message if runner.last_error else ""
                return f"stopped, because {MOST_HOPELESS} items failed one after the other: {said}"
            case "max_failures":
                return f"stopped, because {counted(runner.failed, 'item')} failed"
            case "max_total_cost":
                return "stopped, because --max-total-cost was reached; raise it"
            case _:
                return ""

    def _output_closed(self) -> int:
        silence_stdout()
        if not self._out.failure:
            return OUTPUT_CLOSED
        say_error(f"cannot write the results: {self._out.failure}; to go on: {self._same_command}")
        return FAILED

    @property
    def _same_command(self) -> str:
        return f"the same command with --name {self._own_name}" if self._own_name else "the same command"

    async def _require_price(self, setup: Setup) -> None:
        """Without a price a limit of the cost would never be reached."""
        info = setup.model.info
        if info.id in self._priced:
            return
        if await setup.price(info.provider, info.name, Usage()) is None:
            raise ConfigError(
                f"--max-total-cost is set, but the price of {info.id} is not known: use --max-tokens instead"
            )
        self._priced.add(info.id)

    def _write_line(self, line: str) -> None:
        with self._progress.hidden():
            self._out.line(exact_json(line))

    def _stop(self, reason: StopReason) -> None:
        self._stopped_by = self._stopped_by or reason
        if self._runner is not None:
            self._runner.stop(reason)


_STATUSES: dict[StopReason, int] = {
    "signal": STOPPED,
    "store": FAILED,
    "hopeless": FAILED,
    "max_failures": FAILED,
    "max_total_cost": LIMIT,
}


def _status_of(reasons: Iterable[RunReason]) -> int:
    """The status of several runs: that of the worst."""
    found = {of_reason(reason) for reason in reasons}
    return next((status for status in (FAILED, STOPPED, DENIED, LIMIT) if status in found), OK)
