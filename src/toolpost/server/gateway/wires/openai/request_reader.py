"""Read fields, files and messages of requests on both OpenAI wires, and encode JSON for their streams."""

import binascii
import re
from collections import defaultdict, deque
from collections.abc import Collection, Sequence
from typing import Any, cast

from msgspec import structs

from toolpost.arguments.parse_json import MAX_NESTING, parse_arguments
from toolpost.models.message_parts import encode
from toolpost.server.refusals import BadRequest
from toolpost.types.messages import (
    Completed,
    Content,
    Failed,
    FilePart,
    Message,
    Part,
    Pending,
    Role,
    TextPart,
    ToolPart,
)

_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)?(?:;[\w.+-]+=[^;,]*)*;base64,", re.IGNORECASE)
_LINE_END = re.compile(b"\xe2\x80[\xa8\xa9]|\xc2\x85")
_ESCAPED = {b"\xe2\x80\xa8": b"\\u2028", b"\xe2\x80\xa9": b"\\u2029", b"\xc2\x85": b"\\u0085"}
_AUDIO = {"wav": "audio/wav", "mp3": "audio/mpeg"}
_MIMES = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "webp": "image/webp",
    "pdf": "application/pdf",
    "txt": "text/plain",
    "md": "text/markdown",
    "csv": "text/csv",
    "json": "application/json",
    "html": "text/html",
}


class RequestFields:
    """One object of a request. `null` counts as absent, and each error has the path of its field."""

    def __init__(self, table: dict[str, Any], path: str = "") -> None:
        self.raw = table
        self.place = path

    def path(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def wrong(self, key: str, what: str) -> BadRequest:
        return BadRequest(f"{self.path(key)} {what}", param=self.path(key))

    def has(self, key: str) -> bool:
        return self.raw.get(key) is not None

    def text(self, key: str) -> str:
        value = self.raw.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise self.wrong(key, f"must be a string, not {_kind(value)}")
        return value

    def needed_text(self, key: str) -> str:
        value = self.text(key)
        if not value:
            raise self.wrong(key, "must be a string that is not empty")
        return value

    def one_of(self, key: str, allowed: Collection[str]) -> str:
        """Return one of these words, or "" if the field is absent."""
        value = self.text(key)
        if value not in allowed and self.has(key):
            raise self.wrong(key, f"must be one of {', '.join(allowed)}, not {shown(value)}")
        return value

    def number(self, key: str) -> float | None:
        value = self.raw.get(key)
        if value is not None and (isinstance(value, bool) or not isinstance(value, int | float)):
            raise self.wrong(key, f"must be a number, not {_kind(value)}")
        return value

    def whole_number(self, key: str, least: int | None = None) -> int | None:
        value = self.raw.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.wrong(key, f"must be a whole number, not {_kind(value)}")
        if least is not None and value < least:
            raise self.wrong(key, f"must be {least} or more, not {value}")
        return value

    def flag(self, key: str, default: bool) -> bool:
        value = self.raw.get(key)
        if value is None:
            return default
        if not isinstance(value, bool):
            raise self.wrong(key, f"must be true or false, not {_kind(value)}")
        return value

    def items(self, key: str) -> list[Any]:
        value = self.raw.get(key)
        if value is None:
            return []
        if not isinstance(value, list):
            raise self.wrong(key, f"must be an array, not {_kind(value)}")
        return cast("list[Any]", value)

    def texts(self, key: str) -> list[str]:
        items = self.items(key)
        for index, item in enumerate(items):
            if not isinstance(item, str):
                raise self.wrong(f"{key}[{index}]", f"must be a string, not {_kind(item)}")
        return items

    def table(self, key: str) -> dict[str, Any] | None:
        """Return an object without checking its content."""
        value = self.raw.get(key)
        if value is None:
            return None
        if not isinstance(value, dict):
            raise self.wrong(key, f"must be an object, not {_kind(value)}")
        return cast("dict[str, Any]", value)

    def fields(self, key: str) -> "RequestFields":
        """Return an object, which must be present."""
        value = self.table(key)
        if value is None:
            raise self.wrong(key, "is missing: it must be an object")
        return RequestFields(value, self.path(key))

    def each(self, key: str) -> list["RequestFields"]:
        """Return an array of objects."""
        found: list[RequestFields] = []
        for index, item in enumerate(self.items(key)):
            if not isinstance(item, dict):
                raise self.wrong(f"{key}[{index}]", f"must be an object, not {_kind(item)}")
            found.append(RequestFields(cast("dict[str, Any]", item), self.path(f"{key}[{index}]")))
        return found

    def others(self, known: Collection[str]) -> dict[str, Any]:
        return {name: value for name, value in self.raw.items() if name not in known and value is not None}


class OpenAIConversation:
    """Collects messages. What the model says in a row is one message until it is closed; results are put into the calls
    that they answer."""

    def __init__(self) -> None:
        self._system: list[str] = []
        self._made: list[tuple[Role, list[Part]]] = []
        self._is_open = False
        # Calls without a result, by id: the parts that each is in, its place there, and where the request has it.
        self._unanswered: defaultdict[str, deque[tuple[list[Part], int, str]]] = defaultdict(deque)

    def instruct(self, text: str) -> None:
        """Add instructions. Before everything else they are the system prompt. Later ones stay in their place, as a
        user message, because they refer to what came before them and not every model accepts them otherwise."""
        if not text:
            return
        if self._made:
            self.ask([TextPart(f"<system>\n{text}\n</system>")])
        else:
            self._system.append(text)

    def ask(self, parts: Sequence[Part]) -> None:
        self.close()
        if parts:
            self._made.append(("user", list(parts)))

    def say(self, *parts: Part) -> None:
        """Add what the model said."""
        if not parts:
            return
        if not self._is_open:
            self._made.append(("assistant", []))
            self._is_open = True
        self._made[-1][1].extend(parts)

    def call(self, call_id: str, name: str, arguments: str, path: str, metadata: dict[str, Any] | None = None) -> None:
        self.say(ToolPart(call_id, name, Pending(arguments), metadata=metadata))
        parts = self._made[-1][1]
        self._unanswered[call_id].append((parts, len(parts) - 1, path))

    def close(self) -> None:
        self._is_open = False

    def answer(self, call_id: str, content: Sequence[Content]) -> bool:
        """Add the result of a call. Return False if no call with this id waits for a result."""
        self.close()
        waiting = self._unanswered.get(call_id)
        if not waiting:
            return False
        parts, place, _ = waiting.popleft()
        call = cast("ToolPart", parts[place])
        arguments = parse_arguments(cast("Pending", call.state).raw)[0]
        parts[place] = structs.replace(call, state=Completed(arguments, tuple(content), 0.0, 0.0))
        return True

    def messages(self) -> tuple[Message, ...]:
        for call_id, waiting in self._unanswered.items():
            for _, _, path in waiting:
                text = f"{path} has no result: send the result of the call {shown(call_id)} after it"
                raise BadRequest(text, param=path)
        if not self._made and self._system:
            # Nothing but instructions: they are answered as a question would be, so the last of them is one.
            self.ask([TextPart(self._system.pop())])
        # The ids are the same whenever the conversation comes again, so that what is sent for it is so too.
        return tuple(Message(f"msg_{n}", role, tuple(parts)) for n, (role, parts) in enumerate(self._made))

    @property
    def system(self) -> tuple[str, ...]:
        return tuple(self._system)


def settled_call(call_id: str, name: str, arguments: str, output: str, error: str) -> ToolPart:
    """Return a call that came together with its result or its error."""
    given = parse_arguments(arguments)[0]
    if error:
        return ToolPart(call_id, name, Failed("failed", error, given))
    return ToolPart(call_id, name, Completed(given, (TextPart(output),) if output else (), 0.0, 0.0))


def read_image(url: str, path: str) -> FilePart:
    if url.startswith(("https://", "http://")):
        return FilePart(mime_of_name(url.partition("?")[0], "image/png"), url=url)
    return read_data(url, path, "image/png")


def read_data(url: str, path: str, mime: str, name: str = "") -> FilePart:
    """Read a file from a data URL, or from plain base64, which some clients send."""
    head = _DATA_URL.match(url)
    if head is None and url.startswith("data:"):
        raise BadRequest(f"{path} must be a base64 data URL, such as data:image/png;base64,…", param=path)
    data = url[head.end() :] if head else url
    try:
        is_good = bool(binascii.a2b_base64(data))
    except ValueError:
        is_good = False
    if not is_good:
        raise BadRequest(f"{path} must contain a base64 file, or an https URL where URLs are accepted", param=path)
    return FilePart(head[1] if head and head[1] else mime, data, name=name)


def read_audio(fields: RequestFields) -> FilePart:
    """Read `{"data": base64, "format": "wav" or "mp3"}`."""
    if not fields.has("format"):
        raise fields.wrong("format", "is missing: it must be wav or mp3")
    kind = fields.one_of("format", _AUDIO)
    return read_data(fields.needed_text("data"), fields.path("data"), _AUDIO[kind])


def read_file(fields: RequestFields) -> FilePart:
    """Read a file that is in the request, or its URL. Ids refer to files that are stored elsewhere, and are refused."""
    if fields.has("file_id"):
        raise fields.wrong(
            "file_id", "refers to an uploaded file, but files are not stored here: send its content as file_data"
        )
    name = fields.text("filename")
    if url := fields.text("file_url"):
        if not url.startswith(("https://", "http://")):
            raise fields.wrong("file_url", "must begin with https:// or http://")
        return FilePart(mime_of_name(name or url.partition("?")[0], "application/pdf"), url=url, name=name)
    if not fields.has("file_data"):
        raise fields.wrong("file_data", "is missing: it must contain the file as a data URL")
    data = fields.needed_text("file_data")
    return read_data(data, fields.path("file_data"), mime_of_name(name, "application/pdf"), name)


def mime_of_name(name: str, usual: str) -> str:
    return _MIMES.get(name.rpartition(".")[2].lower(), usual)


def line(value: Any) -> bytes:
    """Encode JSON for one line of a stream, without the line ends of Unicode: some clients split lines there too."""
    data = encode(value)
    if data.isascii() or _LINE_END.search(data) is None:
        return data
    return _LINE_END.sub(lambda end: _ESCAPED[end[0]], data)


def is_too_deep(value: Any, room: int = MAX_NESTING) -> bool:
    """Return whether a value is nested so deeply that recursion over it could overflow the stack."""
    if not room:
        return True
    if isinstance(value, dict):
        value = list(cast("dict[str, Any]", value).values())
    return isinstance(value, list) and any(is_too_deep(item, room - 1) for item in cast("list[Any]", value))


def shown(text: str) -> str:
    return f'"{text}"' if len(text) <= 60 else f'"{text[:60]}…"'


def _kind(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if value is None:
        return "null"
    names: dict[type, str] = {str: "a string", int: "a number", float: "a number", list: "an array", dict: "an object"}
    return names.get(type(value), "this")
