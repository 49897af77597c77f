"""Start, keep and stop the language servers of a workspace."""

import asyncio
import contextlib
import logging

from toolpost.guard.paths import NotAFile, ResolvedPath
from toolpost.guard.sandbox.sandbox import Launch, SandboxedCommand, SandboxError
from toolpost.tools.code_search.dependencies import dependency_folders
from toolpost.tools.commands import sandbox_of
from toolpost.tools.define import ToolContext
from toolpost.tools.threads import run_in_thread
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

from .client import LspClient
from .documents import MAX_BYTES, ProjectTexts, path_of, uri_of
from .operations import diagnostic_line
from .settings import LanguageServer, find_server, known_servers, language_of, server_settings
from .types import ERROR

AFTER_EDIT_SECONDS = 3.0
# It may crash once; after that something is wrong that starting it again does not mend.
MAX_CRASHES = 1

log = logging.getLogger("toolpost.lsp")


def servers_of(bench: Workbench) -> "LanguageServers":
    """The workspace's language servers."""
    if bench.lsp is None:
        bench.lsp = LanguageServers(bench)
    return bench.lsp


class LanguageServers:
    """One server a language. They run in the sandbox, where they can read the project and change nothing."""

    def __init__(self, bench: Workbench) -> None:
        self._bench = bench
        self._settings = server_settings(bench.settings)
        self._starts: dict[str, asyncio.Task[LspClient]] = {}
        self._crashes: dict[str, int] = {}

    async def ask(self, ctx: ToolContext, place: ResolvedPath) -> tuple[LspClient, str]:
        """The server for a file, which knows what is in it now, and the file's URI."""
        language, kind = self._language(place)
        client = await self._client(ctx, language)
        return client, await self._show(client, place, kind)

    async def after_edit(self, ctx: ToolContext, place: ResolvedPath) -> str:
        """The errors in a file that was just changed, where a server runs or is configured: in a moment, or none."""
        try:
            async with asyncio.timeout(AFTER_EDIT_SECONDS):
                return await self._errors(ctx, place)
        except (TimeoutError, ToolError) as error:
            log.debug("no diagnostics of %s: %s", place.shown, error)
            return ""

    async def close(self) -> None:
        """End them all, with everything that they started."""
        starts, self._starts = list(self._starts.values()), {}
        await asyncio.gather(*(self._stop(start) for start in starts), return_exceptions=True)

    def _language(self, place: ResolvedPath) -> tuple[str, str]:
        language, kind = language_of(place.shown, self._settings)
        if not language:
            raise ToolError(f"No language server is known for {place.shown}. Use grep and code_search instead.")
        return language, kind

    async def _client(self, ctx: ToolContext, language: str) -> LspClient:
        start = self._starts.get(language)
        if start is not None and _usable(start):
            return await asyncio.shield(start)
        if start is not None:
            await self._bury(language, start)
        spec = await self._spec(ctx, language)
        if spec is None:
            wanted = known_servers(language)
            hint = f": install {wanted}, or" if wanted else ":"
            raise ToolError(
                f"There is no language server for {language}{hint} configure [lsp.{language}]. Use grep instead."
            )
        # A task of its own: the first call that asked may be stopped, and the server still comes up.
        start = self._starts[language] = asyncio.create_task(self._start(ctx, spec))
        start.add_done_callback(_look_at)
        return await asyncio.shield(start)

    async def _bury(self, language: str, start: "asyncio.Task[LspClient]") -> None:
        """Put away one that crashed, failed to start, or belongs to a loop that has ended."""
        crashed = start.done() and (start.cancelled() or start.exception() is not None or not start.result().alive)
        if crashed:
            crashes = self._crashes[language] = self._crashes.get(language, 0) + 1
            if crashes > MAX_CRASHES:
                said = "" if start.cancelled() else f" {start.exception() or ''}".rstrip()
                raise ToolError(
                    f"The language server for {language} ended again and is not restarted.{said} Use grep instead."
                )
        del self._starts[language]
        await self._stop(start)

    async def _spec(self, ctx: ToolContext, language: str) -> LanguageServer | None:
        path = (await ctx.environment()).get("PATH", "")
        return await run_in_thread(lambda: find_server(language, self._settings, path))

    async def _start(self, ctx: ToolContext, spec: LanguageServer) -> LspClient:
        project_files = self._bench.project_files
        launch = await self._launch(ctx, spec)
        client = LspClient(
            _with_packages(spec, [str(place.real) for place in dependency_folders(project_files)]),
            project_files.root,
            launch,
        )
        try:
            await client.start(self._bench.limits.lsp_seconds)
        except BaseException:
            await asyncio.shield(asyncio.ensure_future(client.stop()))
            raise
        return client

    async def _launch(self, ctx: ToolContext, spec: LanguageServer) -> Launch:
        sandbox = await sandbox_of(self._bench)
        env, root = await ctx.environment(), self._bench.project_files.root
        # Without a sandbox nothing can be made read-only, and the user who switched it off knows.
        writable = sandbox.kind == "none"
        try:
            return await run_in_thread(lambda: sandbox.wrap(SandboxedCommand(spec.command, root, root, env, writable)))
        except SandboxError as error:
            raise ToolError(str(error), kind="denied") from error

    async def _show(self, client: LspClient, place: ResolvedPath, kind: str) -> str:
        """Tell the server what is on the disk now, of this file and of those that it has open."""
        project_files, uri = self._bench.project_files, uri_of(place)
        data = await run_in_thread(lambda: project_files.read(place, MAX_BYTES))
        client.show(uri, kind, data.decode(errors="replace"))
        for other, language in client.shown.items():
            if other != uri:
                await self._show_again(client, other, language)
        return uri

    async def _show_again(self, client: LspClient, uri: str, kind: str) -> None:
        project_files = self._bench.project_files
        try:
            place = project_files.resolve(path_of(uri))
            if place.real != place.path:
                raise NotAFile(f"{place.shown} is a link by now, and where it leads was not allowed.")
            data = await run_in_thread(lambda: project_files.read(place, MAX_BYTES))
        except ToolError:
            client.hide(uri)  # gone, a link, or too large by now
        else:
            client.show(uri, kind, data.decode(errors="replace"))

    async def _stop(self, start: "asyncio.Task[LspClient]") -> None:
        if not start.done():
            start.cancel()
            with contextlib.suppress(asyncio.CancelledError, Exception):
                await start
        elif not start.cancelled() and start.exception() is None:
            await start.result().stop()

    async def _errors(self, ctx: ToolContext, place: ResolvedPath) -> str:
        language, kind = language_of(place.shown, self._settings)
        start = self._starts.get(language)
        running = start is not None and _usable(start)
        configured = bool(self._settings.get(language) and self._settings[language].command)
        if not language or not place.inside or not (running or configured):
            return ""
        client = await self._client(ctx, language)
        uri = await self._show(client, place, kind)
        found = await client.diagnostics(uri, AFTER_EDIT_SECONDS)
        errors = [item for item in found if item.weight == ERROR]
        texts, limit = ProjectTexts(self._bench.project_files, ctx), self._bench.limits.lsp_diagnostics
        lines = [diagnostic_line(texts, uri, error) for error in errors[:limit]]
        if len(errors) > limit:
            lines.append(f"… and {len(errors) - limit:,} more.")
        return "\n".join((f"\n{client.spec.name} finds errors in it now:", *lines)) if lines else ""


def _usable(start: "asyncio.Task[LspClient]") -> bool:
    if start.get_loop() is not asyncio.get_running_loop() or start.cancelled():
        return False
    return not start.done() or (start.exception() is None and start.result().alive)


def _look_at(start: "asyncio.Task[LspClient]") -> None:
    """Retrieve the exception of a task that is not awaited, so that asyncio does not report it."""
    if not start.cancelled():
        start.exception()


def _with_packages(spec: LanguageServer, folders: list[str]) -> LanguageServer:
    """Where a Python server finds what the project has installed, without running the project's own interpreter."""
    if spec.language != "python" or spec.settings or not folders:
        return spec
    return LanguageServer(
        spec.language, spec.command, {"python": {"analysis": {"extraPaths": folders}}}, spec.options, spec.configured
    )
