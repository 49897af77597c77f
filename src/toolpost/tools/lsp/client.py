"""Talk to one running language server, through pygls."""

import asyncio
import contextlib
import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct

from toolpost.extras import has, missing_text
from toolpost.guard.sandbox.sandbox import Launch
from toolpost.tools.process import MARK, end_tree
from toolpost.types.errors import ToolError
from toolpost.types.ids import new_id

from .settings import LanguageServer
from .types import Diagnostic, PublishedDiagnostics

if TYPE_CHECKING:
    from pygls.client import JsonRPCClient


MAX_OPEN = 50
MAX_SAID = 2_000
# A server that reports in several goes pauses less than this between them; the first is often empty.
SETTLE_SECONDS = 0.3
SETTLE_EMPTY_SECONDS = 0.8
STOP_SECONDS = 1.0
RETRY_SECONDS = 0.2
# What a server answers when files changed under a request: ask again.
CONTENT_MODIFIED = -32801
METHOD_NOT_FOUND = -32601
CREATED, CHANGED = 1, 2
# What a server says or asks that makes no difference here. An error instead of an answer has ended a server before.
_IGNORED = (
    "client/unregisterCapability",
    "window/logMessage",
    "window/showMessage",
    "window/showMessageRequest",
    "window/workDoneProgress/create",
    *(
        f"workspace/{what}/refresh"
        for what in ("codeLens", "diagnostic", "foldingRange", "inlayHint", "semanticTokens")
    ),
)


class ServerEnded(ToolError):
    """The server is gone; what was asked has no answer."""


class LspClient:
    """A server of one language for one project. Everything of it ends with `stop`."""

    def __init__(self, spec: LanguageServer, root: Path, launch: Launch) -> None:
        self.spec = spec
        self.loop = asyncio.get_running_loop()
        self._root = root
        self._launch = launch
        self._mark = new_id("prc")
        self._process: asyncio.subprocess.Process | None = None
        self._client = _new_client(spec, root, self._take, self._register)
        self._tasks: list[asyncio.Task[Any]] = []
        self._ended = asyncio.Event()
        self._said = bytearray()
        self._open: OrderedDict[str, _Document] = OrderedDict()
        self._published: dict[str, _Reported] = {}
        self._reports = asyncio.Event()

    @property
    def alive(self) -> bool:
        return self._process is not None and not self._ended.is_set()

    async def start(self, seconds: float) -> None:
        """Start the process and introduce ourselves. Raises `ToolError` with what the server said if it fails."""
        launch = self._launch
        self._process = await asyncio.create_subprocess_exec(
            *launch.argv,
            cwd=launch.cwd,
            env={**launch.env, MARK: self._mark},
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            start_new_session=True,
            pass_fds=tuple(launch.pass_fds),
        )
        self._tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._hear())]
        assert self._process.stdin is not None
        self._client.protocol.set_writer(self._process.stdin)
        answer = await self.request("initialize", _introduction(self.spec, self._root), seconds)
        if answer["capabilities"].get("diagnosticProvider"):
            self._reports.set()
        self._notify("initialized", {})
        if self.spec.settings:
            self._notify("workspace/didChangeConfiguration", {"settings": self.spec.settings})

    async def request(self, method: str, params: Any, seconds: float) -> Any:
        """The answer, or a `ToolError`: an error of the server, its end, or no answer in time."""
        from pygls.exceptions import JsonRpcException

        deadline = self.loop.time() + seconds
        while True:
            try:
                return await self._answer(method, params, deadline - self.loop.time())
            except JsonRpcException as error:
                if error.code == METHOD_NOT_FOUND:
                    raise ToolError(f"{self.spec.name} can't do that ({method}). Use grep or code_search.") from None
                if error.code != CONTENT_MODIFIED or self.loop.time() + RETRY_SECONDS > deadline:
                    raise ToolError(f"{self.spec.name} answers with an error: {error.message}") from None
            await asyncio.sleep(RETRY_SECONDS)

    async def _answer(self, method: str, params: Any, seconds: float) -> Any:
        if not self.alive:
            raise self._gone()
        request = new_id("req")
        answer = asyncio.ensure_future(self._client.protocol.send_request_async(method, params, request))
        ended = asyncio.create_task(self._ended.wait())
        try:
            await asyncio.wait({answer, ended}, timeout=max(seconds, 0), return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
            if ended.done():
                raise self._gone()
            raise ToolError(
                f"{self.spec.name} gave no answer within {seconds:.0f} s; it may still be reading the project."
            )
        finally:
            ended.cancel()
            if not answer.done():
                answer.cancel()
                if self.alive:
                    self._notify("$/cancelRequest", {"id": request})

    def show(self, uri: str, language: str, text: str) -> None:
        """Tell the server what is in a file, if that has changed."""
        digest = sha256(text.encode(errors="replace")).hexdigest()
        known = self._open.get(uri, _Document(language, 0, ""))
        if known.digest == digest:
            self._open.move_to_end(uri)
            return
        document = {"uri": uri, "version": known.version + 1}
        if known.version:
            self._notify("textDocument/didChange", {"textDocument": document, "contentChanges": [{"text": text}]})
        else:
            opened = {**document, "languageId": language, "text": text}
            self._notify("textDocument/didOpen", {"textDocument": opened})
        # For what the server knows of files without having them open, such as where an import leads.
        event = {"uri": uri, "type": CHANGED if known.version else CREATED}
        self._notify("workspace/didChangeWatchedFiles", {"changes": [event]})
        self._open[uri] = _Document(language, known.version + 1, digest)
        for reported in self._published.values():
            reported.doubt()
        self._reported(uri).expect(known.version + 1)
        if len(self._open) > MAX_OPEN:
            self.hide(next(iter(self._open)))

    def hide(self, uri: str) -> None:
        """Tell the server that we look at a file no more."""
        del self._open[uri]
        self._published.pop(uri, None)
        self._notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    @property
    def shown(self) -> dict[str, str]:
        """The files that the server was told about, with their languages."""
        return {uri: document.language for uri, document in self._open.items()}

    async def diagnostics(self, uri: str, seconds: float) -> Sequence[Diagnostic]:
        """The diagnostics of a file that the server knows: requested if it supports that, else as it published them."""
        deadline, reported = self.loop.time() + seconds, self._reported(uri)
        waiting = {asyncio.create_task(self._reports.wait()), asyncio.create_task(reported.settled(seconds))}
        try:
            # A server may say only after its start that it can be asked; then it says nothing by itself.
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()
        if not self._reports.is_set():
            return reported.items
        params = {"textDocument": {"uri": uri}}
        report = await self.request("textDocument/diagnostic", params, deadline - self.loop.time())
        return msgspec.convert(report["items"] if report else (), tuple[Diagnostic, ...])

    async def stop(self) -> None:
        """End the server and everything that it started."""
        # One whose loop has ended can't be talked to any more; its processes can be ended all the same.
        here = self.loop is asyncio.get_running_loop()
        if here and self.alive:
            with contextlib.suppress(Exception):
                await self._answer("shutdown", None, STOP_SECONDS)
                self._notify("exit", None)
        if self._process is not None:
            await end_tree(self._process.pid, self._mark)
        if here:
            self._ended.set()
            for task in self._tasks:
                task.cancel()
            await asyncio.wait({*self._tasks, asyncio.create_task(self._reaped())}, timeout=STOP_SECONDS)
        self._launch.close()

    async def _reaped(self) -> None:
        if self._process is not None and self._process.stdin is not None:
            self._process.stdin.close()
            await self._process.wait()

    def _notify(self, method: str, params: Any) -> None:
        if self.alive:
            self._client.protocol.notify(method, params)

    def _reported(self, uri: str) -> "_Reported":
        return self._published.setdefault(uri, _Reported())

    def _take(self, said: PublishedDiagnostics) -> None:
        self._reported(said.uri).take(said.version, said.diagnostics)

    def _register(self, method: str) -> None:
        if method == "textDocument/diagnostic":
            self._reports.set()

    async def _listen(self) -> None:
        from pygls.io_ import run_async

        assert self._process is not None
        assert self._process.stdout is not None
        try:
            await run_async(threading.Event(), self._process.stdout, self._client.protocol)
        except (asyncio.IncompleteReadError, ValueError, OSError):
            logging.getLogger("toolpost.lsp").debug("%s stopped speaking the protocol", self.spec.name)
        finally:
            self._ended.set()

    async def _hear(self) -> None:
        """Read what the server says besides, or it would wait for ever to say it; its last words tell why it ended."""
        assert self._process is not None
        assert self._process.stderr is not None
        while data := await self._process.stderr.read(MAX_SAID):
            self._said += data
            del self._said[:-MAX_SAID]

    def _gone(self) -> ServerEnded:
        said = self._said.decode(errors="replace").strip().splitlines()
        return ServerEnded(f"{self.spec.name} has ended" + (f": {said[-1]}" if said else "."))


class _Document(Struct, frozen=True):
    language: str
    version: int
    digest: str


class _Reported:
    """What a server said by itself about one file."""

    def __init__(self) -> None:
        self.items: Sequence[Diagnostic] = ()
        self._version = 0
        self._doubtful = False
        self._current = asyncio.Event()
        self._news = asyncio.Event()

    def expect(self, version: int) -> None:
        """Treat what was reported so far as being about an older text."""
        self._version = version
        self._current.clear()

    def doubt(self) -> None:
        """Another file has changed: perhaps something else will be said."""
        self._doubtful = True

    def take(self, version: int | None, items: Sequence[Diagnostic]) -> None:
        if version is not None and version < self._version:
            return
        self.items = items
        self._doubtful = False
        self._current.set()
        self._news.set()

    async def settled(self, seconds: float) -> None:
        """Return when something was said about the present text and no more comes, or when the time is up."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                if self._current.is_set() and not self._doubtful:
                    return
                await self._current.wait()
                while True:
                    self._news.clear()
                    async with asyncio.timeout(SETTLE_SECONDS if self.items else SETTLE_EMPTY_SECONDS):
                        await self._news.wait()
        self._doubtful = False


def _new_client(
    spec: LanguageServer, root: Path, publish: Callable[[PublishedDiagnostics], None], register: Callable[[str], None]
) -> "JsonRPCClient":
    """A client that hands on diagnostics and what else the server can do, and answers what the server asks."""
    if not has(("pygls",)):
        raise ToolError(missing_text("code", "asking a language server"))
    # Only who asks a server pays for these.
    from pygls.client import JsonRPCClient
    from pygls.protocol import JsonRPCNotification, JsonRPCProtocol, JsonRPCRequestMessage, JsonRPCResponseMessage

    class Lenient(JsonRPCProtocol):
        """Takes messages as they are. Their whole form is not checked: a server may get unused parts wrong."""

        def structure_message(self, data: dict[str, Any]) -> Any:
            if "jsonrpc" not in data or "error" in data:
                return super().structure_message(data)
            version, method, params = data["jsonrpc"], data.get("method"), data.get("params")
            if "id" not in data:
                return JsonRPCNotification(str(method), version, params)
            if method is not None:
                return JsonRPCRequestMessage(data["id"], method, version, params)
            return JsonRPCResponseMessage(data["id"], version, data.get("result"))

    # What a server does wrong is said to the caller; pygls would say it on the terminal.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    client = JsonRPCClient(protocol_cls=Lenient)
    answers: dict[str, Callable[[Any], Any]] = {
        "textDocument/publishDiagnostics": lambda params: publish(msgspec.convert(params, PublishedDiagnostics)),
        "workspace/configuration": lambda params: [_section(spec.settings, item) for item in params["items"]],
        "client/registerCapability": lambda params: [register(item["method"]) for item in params["registrations"]],
        "workspace/workspaceFolders": lambda params: _folders(root),
        "workspace/applyEdit": lambda params: {"applied": False, "failureReason": "only the agent edits files"},
        **dict.fromkeys(_IGNORED, lambda params: None),
    }
    for method, answer in answers.items():
        client.protocol.fm.feature(method)(answer)  # pyright: ignore[reportUnknownMemberType]
    return client


def _introduction(spec: LanguageServer, root: Path) -> dict[str, Any]:
    """The first request: who we are, and what we can make sense of."""
    document = {
        "synchronization": {},
        "publishDiagnostics": {"versionSupport": True},
        "diagnostic": {"dynamicRegistration": True},
        "definition": {"linkSupport": True},
        "references": {},
        "hover": {"contentFormat": ["plaintext", "markdown"]},
        "documentSymbol": {"hierarchicalDocumentSymbolSupport": True},
        "callHierarchy": {},
    }
    return {
        # In a sandbox this process is not to be seen, and a server that misses it ends. Its input's end tells it, too.
        "processId": None,
        "clientInfo": {"name": "toolpost"},
        "rootUri": root.as_uri(),
        "workspaceFolders": _folders(root),
        "capabilities": {
            "textDocument": document,
            "workspace": {"configuration": True, "workspaceFolders": True, "symbol": {}},
        },
        "initializationOptions": spec.options or None,
    }


def _folders(root: Path) -> list[dict[str, str]]:
    return [{"uri": root.as_uri(), "name": root.name}]


def _section(settings: Mapping[str, Any], item: Mapping[str, Any]) -> Any:
    """What stands under `python.analysis` in the settings."""
    found: Any = settings
    for part in filter(None, str(item.get("section") or "").split(".")):
        found = cast("dict[str, Any]", found).get(part) if isinstance(found, dict) else None
    return found
