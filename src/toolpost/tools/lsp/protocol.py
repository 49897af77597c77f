"""Initialise a language server, and answer its requests."""

import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from toolpost.extras import has, missing_text
from toolpost.types.errors import ToolError

from .settings import LanguageServer
from .types import PublishedDiagnostics

if TYPE_CHECKING:
    from pygls.client import JsonRPCClient

# What a server says or asks that makes no difference here. An error instead of an answer has ended a server before.
IGNORED = (
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


def new_client(
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
        **dict.fromkeys(IGNORED, lambda params: None),
    }
    for method, answer in answers.items():
        client.protocol.fm.feature(method)(answer)  # pyright: ignore[reportUnknownMemberType]
    return client


def introduction(spec: LanguageServer, root: Path) -> dict[str, Any]:
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
