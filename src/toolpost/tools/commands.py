"""Ask for the permissions of a shell command and prepare it to start; shared by `bash` and background jobs."""

import asyncio
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from toolpost.guard.paths import ResolvedPath
from toolpost.guard.sandbox.sandbox import (
    Bounds,
    Launch,
    Sandbox,
    SandboxedCommand,
    SandboxError,
    SandboxSettings,
    find_sandbox,
    find_shell,
)
from toolpost.guard.sandbox.system_folders import is_shown
from toolpost.guard.shell.judge import JudgedCommand, judge
from toolpost.guard.shell.syntax_tree import GrammarMissing
from toolpost.types.errors import PermissionDenied, ToolError

from .define import ToolContext
from .files.path_permissions import EDIT, allow
from .jobs import BackgroundJobs
from .threads import run_in_thread
from .workbench import Workbench

NETWORK = "bash_network"
# Private in the sandbox: what is written there is gone with the command, so nothing has to be asked.
PRIVATE = (Path("/tmp"), Path("/var/tmp"), Path("/dev"))
# The kernel takes no word of a command line that is longer than 131,071 bytes.
MAX_COMMAND = 120_000
# There is no terminal: an editor would wait for one, a question for its answer. So every text stays as it is proposed.
NO_TERMINAL = {
    "TERM": "dumb",
    "GIT_TERMINAL_PROMPT": "0",
    **dict.fromkeys(("EDITOR", "VISUAL", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR"), "true"),
}
# They wait for a terminal even where there is none, unless they are told what to do.
SCREEN_EDITORS = frozenset({"nvim", "rview", "rvim", "vi", "view", "vim", "vimdiff"})


class AllowedCommand(Struct, frozen=True):
    """A command that may run: in which folder, with or without network, and with which places outside the project that
    it may write, places outside that it may read, and secrets of the project that it may read."""

    command: str
    folder: Path
    network: bool
    granted: tuple[Path, ...] = ()
    readable: tuple[Path, ...] = ()
    revealed: frozenset[Path] = frozenset()


class CommandRequest(Struct, frozen=True):
    """A command as the model asks for it: its folder, by default the project's, whether it needs the network, and the
    secret files that it needs."""

    command: str
    workdir: str = ""
    network: bool = False
    secrets: Sequence[str] = ()


class CommandJudge:
    """The `patterns` and `always` of a tool that takes a `command`."""

    def __init__(self, bench: Workbench) -> None:
        self._limit = bench.limits.command_bytes

    def patterns(self, arguments: dict[str, Any]) -> tuple[str, ...]:
        return self._judged(arguments).patterns

    def always(self, arguments: dict[str, Any]) -> tuple[str, ...]:
        return self._judged(arguments).always

    def _judged(self, arguments: dict[str, Any]) -> JudgedCommand:
        return _judged(arguments["command"], self._limit)


def require_command(command: str) -> None:
    """Raise `ToolError` for what no shell could be given."""
    try:
        size = len(command.encode())
    except UnicodeEncodeError as error:
        raise ToolError(f"The command holds half a character at {error.start}.", kind="invalid") from error
    if not command.strip():
        raise ToolError("The command is empty.", kind="invalid")
    if "\0" in command:
        raise ToolError("The command holds a NUL character, which no program can be given.", kind="invalid")
    if size > MAX_COMMAND:
        told = "write it into a file and run that"
        raise ToolError(f"The command has {size:,} bytes, and {MAX_COMMAND:,} is the limit: {told}.", kind="invalid")


async def permit(bench: Workbench, ctx: ToolContext, request: CommandRequest) -> AllowedCommand:
    """Ask for what a command needs besides itself, which the engine has asked for: places outside, secrets, network.

    What it reads and writes in the project is not asked for again, but where a rule denies that, it is denied here too.
    """
    command = request.command
    folder = await _folder(bench, ctx, request.workdir)
    judged = _judged(command, bench.limits.command_bytes)
    _require_no_screen(judged)
    readable, revealed = await _reads(bench, ctx, [_from(folder, path) for path in judged.reads])
    _, named = await _reads(bench, ctx, [_from(folder, path) for path in request.secrets])
    # A read-only agent's commands can't write anywhere, so there is nothing to ask for.
    granted = () if ctx.read_only else await _grants(bench, ctx, folder, judged)
    always_on = bool(bench.settings.get("network", False))
    if request.network and not always_on:
        await ctx.ask(NETWORK, [command], title="Let this command use the network")
    return AllowedCommand(command, folder, request.network or always_on, granted, readable, revealed | named)


async def launch(bench: Workbench, ctx: ToolContext, allowed: AllowedCommand) -> Launch:
    """The command, ready to start in the sandbox. Raises `ToolError` where there is none."""
    sandbox = await sandbox_of(bench)
    env = await ctx.environment() | NO_TERMINAL
    kept = _Kept()
    project_files = bench.project_files

    def reveals(path: Path) -> bool:
        named = str(path.relative_to(project_files.root) if path.is_relative_to(project_files.root) else path)
        return path in allowed.revealed or ctx.decide("secret", named) == "allow"

    command = SandboxedCommand(
        [find_shell(), "-c", allowed.command],
        project=project_files.root,
        cwd=allowed.folder,
        env=env,
        writable=not ctx.read_only,
        network=allowed.network,
        granted=allowed.granted,
        readable=allowed.readable,
        reveals=reveals,
    )
    try:
        return await run_in_thread(lambda: kept.take(sandbox.wrap(command)))
    except asyncio.CancelledError:
        kept.drop()
        raise
    except SandboxError as error:
        raise ToolError(str(error), kind="denied") from error
    except OSError as error:
        raise ToolError(f"No command was run: the sandbox could not be made ready ({error}).") from error


async def sandbox_of(bench: Workbench) -> Sandbox:
    """The workspace's sandbox, found at the first command: it is started once to see that it works."""
    if bench.sandbox is None:
        limits = bench.limits
        bounds = Bounds(limits.bash_memory, limits.bash_processes, limits.bash_file_bytes)
        settings = SandboxSettings(bench.settings.get("sandbox", "auto"), bounds)
        bench.sandbox = await run_in_thread(lambda: find_sandbox(settings))
    return bench.sandbox


def jobs_of(bench: Workbench) -> BackgroundJobs:
    """The workspace's background jobs."""
    if bench.jobs is None:
        bench.jobs = BackgroundJobs(bench.limits.jobs, bench.limits.job_output_bytes)
    return bench.jobs


def _judged(command: str, limit: int) -> JudgedCommand:
    """What a command is about to do. One that can't be judged is refused, whatever the rules say."""
    try:
        return judge(command, limit=limit)
    except GrammarMissing as error:
        raise ToolError(f"No command was run: {error}", kind="denied") from None


def _require_no_screen(judged: JudgedCommand) -> None:
    for name, *words in map(str.split, judged.patterns):
        if name in SCREEN_EDITORS and not any(word.startswith(("-", "+")) for word in words):
            told = f"{name} waits for a terminal, and there is none. Use edit, or tell it what to do: {name} -es -c …"
            raise ToolError(told, kind="invalid")


class _Kept:
    """A launch that a thread makes for somebody who may have gone away meanwhile: then it is closed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._launch: Launch | None = None
        self._dropped = False

    def take(self, launch: Launch) -> Launch:
        with self._lock:
            self._launch = launch
            if self._dropped:
                launch.close()
        return launch

    def drop(self) -> None:
        with self._lock:
            self._dropped = True
            if self._launch is not None:
                self._launch.close()


async def _folder(bench: Workbench, ctx: ToolContext, workdir: str) -> Path:
    place = bench.project_files.resolve(workdir or ".")
    if not place.inside:
        await allow(ctx, bench.project_files, place, "read")
    if not await run_in_thread(place.real.is_dir):
        raise ToolError(f"{place.shown} is not a folder. Leave workdir out to run in the project's folder.")
    return place.real


async def _reads(bench: Workbench, ctx: ToolContext, paths: Sequence[str]) -> tuple[tuple[Path, ...], frozenset[Path]]:
    """Ask for what is read by name and would not be seen: places outside that are not shown, and secrets."""
    outside: dict[Path, None] = {}
    revealed: set[Path] = set()
    env, walled = await ctx.environment(), (await sandbox_of(bench)).kind != "none"
    for path in paths:
        place = bench.project_files.resolve(path)
        _require_not_forbidden(ctx, "read", place.shown, place.target)
        is_unseen = walled and not place.inside and place.real.exists()
        if is_unseen and not await run_in_thread(
            lambda real=place.real: is_shown(real, env, [bench.project_files.root])
        ):
            await allow(ctx, bench.project_files, place, "read")
            outside[place.real] = None
            revealed |= {place.real} if place.secret else set()
        elif place.secret:
            await allow(ctx, bench.project_files, place, "read")
            revealed.add(place.real)
    return tuple(outside), frozenset(revealed)


async def _grants(bench: Workbench, ctx: ToolContext, folder: Path, judged: JudgedCommand) -> tuple[Path, ...]:
    """Ask for each place that is written by name; those outside the project have to be opened to the command."""
    outside: dict[Path, None] = {}
    walled = (await sandbox_of(bench)).kind != "none"
    for path in judged.writes:
        place = bench.project_files.resolve(_from(folder, path))
        if walled and not place.inside and any(place.real.is_relative_to(private) for private in PRIVATE):
            continue
        # To remove or move a folder is to do so with all that is in it.
        _require_not_forbidden(ctx, EDIT, place.shown, place.target, f"{place.target}/*")
        await allow(ctx, bench.project_files, place, EDIT)
        if not place.inside:
            outside[_grant(place)] = None
    return tuple(outside)


def _require_not_forbidden(ctx: ToolContext, permission: str, *names: str) -> None:
    for name in names:
        if ctx.forbids(permission, name):
            raise PermissionDenied(f"A rule denies {permission} for {name!r}, so a command may not do it either.")


def _from(folder: Path, path: str) -> str:
    return path if path.startswith(("/", "~")) else str(folder / path)


def _grant(place: ResolvedPath) -> Path:
    """What has to be writable for a place outside: itself, or the folder that it will be made in."""
    found = place.real if place.real.exists() else place.real.parent
    if found in (Path("/"), Path.home()) or not found.exists():
        raise ToolError(
            f"{place.target} can't be written by a command: its folder is too wide or does not exist. "
            "Write into the project, or create the folder first."
        )
    return found
