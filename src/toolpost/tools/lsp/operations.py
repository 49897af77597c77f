"""Ask a language server, and format its answers as lines: `path:line:col text`."""

from collections.abc import Iterator
from typing import Any, Literal, TypeVar

import msgspec
from msgspec import Struct

from toolpost.types.errors import ToolError

from .client import LspClient
from .documents import ProjectTexts, column_of, to_wire
from .types import (
    SEVERITIES,
    CallHierarchyItem,
    Diagnostic,
    IncomingCall,
    Location,
    LspSymbol,
    OutgoingCall,
    kind_name,
    several,
)

T = TypeVar("T")
Operation = Literal[
    "definition",
    "references",
    "hover",
    "document_symbols",
    "workspace_symbols",
    "incoming_calls",
    "outgoing_calls",
    "diagnostics",
]
MAX_HOVER_CHARS = 8_000


class LspRequest(Struct, frozen=True):
    """A question about a file. Positions are as people count them, from 1; `query` is a name to look for."""

    operation: Operation
    line: int = 1
    character: int = 1
    query: str = ""


class LspQuestion:
    """Asks a server about one file."""

    def __init__(self, client: LspClient, uri: str, texts: ProjectTexts, seconds: float) -> None:
        self._client = client
        self._uri = uri
        self._texts = texts
        self._seconds = seconds

    async def answer(self, request: LspRequest) -> list[str]:
        """The lines of the answer; none where the server knows nothing."""
        operation = request.operation
        match operation:
            case "document_symbols":
                return await self._document_symbols()
            case "workspace_symbols":
                return await self._workspace_symbols(request.query)
            case "diagnostics":
                return await self._diagnostics()
            case "definition":
                return await self._definition(self._position(request))
            case "references":
                return await self._references(self._position(request))
            case "hover":
                return await self._hover(self._position(request))
            case "incoming_calls" | "outgoing_calls":
                return await self._calls(self._position(request), operation == "incoming_calls")

    def _position(self, request: LspRequest) -> dict[str, Any]:
        line, character, name = request.line, request.character, request.query
        text = self._texts.line(self._uri, line - 1)
        if not text.strip():
            raise ToolError(f"Line {line} of {self._texts.shown(self._uri)} is empty or not there; lines count from 1.")
        column = column_of(text, max(character - 1, 0), name)
        return {**self._document, "position": {"line": line - 1, "character": to_wire(text, column)}}

    @property
    def _document(self) -> dict[str, Any]:
        return {"textDocument": {"uri": self._uri}}

    async def _ask(self, method: str, params: dict[str, Any], form: type[T]) -> list[T]:
        found = several(await self._client.request(method, params, self._seconds))
        return msgspec.convert(found, list[form])

    async def _definition(self, at: dict[str, Any]) -> list[str]:
        found = await self._ask("textDocument/definition", at, Location)
        return [self._texts.spot(one.file, one.start) for one in found]

    async def _references(self, at: dict[str, Any]) -> list[str]:
        found = await self._ask("textDocument/references", {**at, "context": {"includeDeclaration": True}}, Location)
        return [self._texts.spot(one.file, one.start) for one in sorted(found, key=lambda one: (one.file, one.start))]

    async def _hover(self, at: dict[str, Any]) -> list[str]:
        found = await self._client.request("textDocument/hover", at, self._seconds)
        texts = [_marked(one) for one in several(found["contents"] if found else None)]
        return "\n\n".join(filter(None, texts))[:MAX_HOVER_CHARS].splitlines()

    async def _document_symbols(self) -> list[str]:
        found = await self._ask("textDocument/documentSymbol", self._document, LspSymbol)
        return [line for one in found for line in self._symbol(one, 0)]

    async def _workspace_symbols(self, query: str) -> list[str]:
        if not query:
            raise ToolError("Give the symbol to look for as query.", kind="invalid")
        found = await self._ask("workspace/symbol", {"query": query}, LspSymbol)
        return [line for one in found for line in self._symbol(one, 0)]

    async def _calls(self, at: dict[str, Any], incoming: bool) -> list[str]:
        items = several(await self._client.request("textDocument/prepareCallHierarchy", at, self._seconds))
        if not items:
            return []
        if incoming:
            callers = await self._ask("callHierarchy/incomingCalls", {"item": items[0]}, IncomingCall)
            return [line for call in callers for line in self._caller(call)]
        called = await self._ask("callHierarchy/outgoingCalls", {"item": items[0]}, OutgoingCall)
        return [self._item(call.to) for call in called]

    async def _diagnostics(self) -> list[str]:
        found = await self._client.diagnostics(self._uri, self._seconds)
        found = sorted(found, key=lambda one: (one.weight, one.range.start))
        return [diagnostic_line(self._texts, self._uri, one) for one in found]

    def _symbol(self, found: LspSymbol, depth: int) -> Iterator[str]:
        uri = found.location.file if found.location else self._uri
        yield "  " * depth + self._texts.spot(uri, found.start, found.title)
        for inner in found.children or ():
            yield from self._symbol(inner, depth + 1)

    def _caller(self, call: IncomingCall) -> Iterator[str]:
        yield self._item(call.caller)
        for place in sorted({place.start for place in call.from_ranges}):
            yield f"  {self._texts.spot(call.caller.uri, place)}"

    def _item(self, item: CallHierarchyItem) -> str:
        return self._texts.spot(item.uri, item.selection_range.start, f"{kind_name(item.kind)} {item.name}")


def diagnostic_line(texts: ProjectTexts, uri: str, found: Diagnostic) -> str:
    said = f"{SEVERITIES.get(found.weight, 'hint')}: {' '.join(found.message.split())}"
    return texts.spot(uri, found.range.start, said)


def _marked(found: Any) -> str:
    return (found if isinstance(found, str) else str(found.get("value", ""))).strip()
