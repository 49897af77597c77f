"""The base of all request writers: options, what a server refused, and a body assembled from encoded messages."""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from copy import copy
from functools import cached_property
from typing import Any, ClassVar, cast

import msgspec
from msgspec import Raw

from toolpost.types.messages import Message
from toolpost.types.tool_spec import ToolSpec

from .adapter_settings import AdapterSettings
from .contract import ModelRequest
from .message_parts import ToolBytes, encode, merge


class RequestWriter(ABC):
    """Writes the bodies of one adapter's requests, and remembers what its server refused."""

    # What a server may refuse and can be left out, with what its refusal says.
    refusable: ClassVar[Mapping[str, re.Pattern[str]]] = {}

    def __init__(self, settings: AdapterSettings) -> None:
        self._model = settings.name
        self._provider = settings.provider
        self._extra_body = dict(settings.extra_body or {})
        self._options = dict(settings.options or {})
        self._refused: set[str] = set()
        self._tools = ToolBytes(self._tool)

    @abstractmethod
    def body(self, request: ModelRequest) -> bytes: ...

    def relayed(self, body: bytes) -> bytes:
        """A body that came on this wire, for our model. All else is sent to the byte as it came; the user's settings
        stand where it says nothing."""
        fields = msgspec.json.decode(body, type=dict[str, Raw])
        fields["model"] = Raw(encode(self._model))
        for name, value in self._settings.items():
            given = fields.get(name)
            if given is None:
                fields[name] = Raw(encode(value))
            elif isinstance(value, dict) and bytes(given).startswith(b"{"):
                fields[name] = Raw(_over(cast("dict[str, Any]", value), given))
        return encode(fields | self._needed(fields))

    @abstractmethod
    def message(self, message: Message) -> bytes:
        """One message in the form of the wire, each of its pieces behind a comma; empty if it says nothing."""

    def gives_way(self, refusal: str, request: ModelRequest) -> bool:
        """Remember to leave out what a refusal names. False if it names nothing that can be left out."""
        for name, pattern in self.refusable.items():
            if name not in self._refused and self._was_sent(name, request) and pattern.search(refusal):
                self._refused.add(name)
                self._tools = ToolBytes(self._tool)
                return True
        return False

    def _needed(self, fields: Mapping[str, Raw]) -> dict[str, Raw]:
        """What a body that is sent on has to ask for besides, for ourselves."""
        return {}

    @cached_property
    def _settings(self) -> dict[str, Any]:
        """The fields that the user's options and `extra_body` put into a body of this wire."""
        if not self._options and not self._extra_body:
            return {}
        bare = copy(self)
        bare._options, bare._extra_body = {}, {}
        request = ModelRequest(())
        plain, full = (msgspec.json.decode(writer.body(request), type=dict[str, Any]) for writer in (bare, self))
        return {name: value for name, value in full.items() if name not in plain or plain[name] != value}

    @abstractmethod
    def _tool(self, tool: ToolSpec) -> bytes:
        """One tool in the form of the wire."""

    def _was_sent(self, name: str, request: ModelRequest) -> bool:
        return True

    def _given(self, request: ModelRequest) -> tuple[dict[str, Any], dict[str, Any]]:
        """The options of a request over those of the model, and apart from them `extra`."""
        options = {**self._options, **request.options}
        extra = options.pop("extra", None)
        return options, extra or {}

    def _extended(self, fields: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
        """The fields with what the user puts into every body, and into this one, merged in."""
        merge(fields, self._extra_body)
        merge(fields, extra)
        return fields


def system_message(system: Sequence[str], conversation: bytes | bytearray) -> list[bytes | bytearray]:
    """The pieces of a conversation that begins with the system prompt."""
    text = "\n\n".join(part for part in system if part)
    if not text:
        return [conversation]
    return [encode({"role": "system", "content": text}), b"," if conversation else b"", conversation]


def assemble(fields: dict[str, Any], name: str, items: Sequence[bytes | bytearray], tools: bytes) -> bytes:
    """One JSON object: the fields, the tools before those that the fields hold, and the conversation under `name`.

    What is new comes last, so that the end of a body, which a trace keeps, shows it.
    """
    theirs = fields.pop("tools", None)
    tools = b",".join(filter(None, [tools, encode(theirs)[1:-1] if theirs else b""]))
    pieces = [encode(fields)[:-1], b',"' if fields else b'"']
    if tools:
        pieces += [b'tools":[', tools, b'],"']
    return b"".join((*pieces, name.encode(), b'":[', *items, b"]}"))


def _over(own: dict[str, Any], given: Raw) -> bytes:
    """The user's fields with those of the request laid over them."""
    fields = dict(own)
    merge(fields, msgspec.json.decode(given))
    return encode(fields)
