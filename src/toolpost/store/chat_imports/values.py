"""Read the values of exported documents: MongoDB's extended JSON, times in many forms, text in pieces."""

import base64
import binascii
import contextlib
import re
import uuid
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from mimetypes import guess_type
from typing import Any, cast
from urllib.parse import urlsplit

from toolpost.types.messages import FilePart, Part, ReasoningPart, TextPart

MAX_DEPTH = 100
# Open WebUI keeps what a model thought in its answer, folded.
_FOLD, _FOLD_END, _SUMMARY_END = "<details", "</details>", "</summary>"
_DATA_URL = re.compile(r"data:([\w.+-]+/[\w.+-]+)(?:;[\w=.+-]+)*;base64,")


def plain(value: Any, depth: int = 0) -> Any:
    """The value with MongoDB's `{"$oid": …}`, `{"$date": …}` and the like replaced by texts and numbers."""
    if depth > MAX_DEPTH:
        raise ValueError("it is nested too deeply")
    if isinstance(value, list):
        return [plain(item, depth + 1) for item in cast("list[Any]", value)]
    if not isinstance(value, dict):
        return value
    table = cast("dict[str, Any]", value)
    key = next(iter(table), "")
    if key.startswith("$") and key in _EXTENDED and len(table) <= 2:
        return _extended(key, table)
    return {name: plain(item, depth + 1) for name, item in table.items()}


_EXTENDED = frozenset(
    {"$oid", "$date", "$numberLong", "$numberInt", "$numberDouble", "$numberDecimal", "$uuid", "$binary", "$symbol"}
    | {"$timestamp", "$undefined", "$minKey", "$maxKey"}
)


def _extended(key: str, table: Mapping[str, Any]) -> Any:
    value = table[key]
    match key:
        case "$date":
            return seconds(plain(value))
        case "$numberLong" | "$numberInt":
            return int(value)
        case "$numberDouble" | "$numberDecimal":
            return float(value)
        case "$timestamp":
            return float(value.get("t", 0)) if isinstance(value, dict) else 0.0  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
        case "$binary":
            return _binary(value)
        case "$undefined" | "$minKey" | "$maxKey":
            return None
        case _:
            return str(value)


def _binary(value: Any) -> str:
    """Ids are binary in some databases: sixteen bytes are a UUID."""
    text = str(cast("Mapping[str, Any]", value).get("base64", "")) if isinstance(value, Mapping) else str(value)
    try:
        data = base64.b64decode(text, validate=True)
    except binascii.Error:
        return ""
    return str(uuid.UUID(bytes=data)) if len(data) == 16 else data.hex()


def seconds(value: Any) -> float:
    """A time as seconds since 1970: a number of seconds, milliseconds or microseconds, or an ISO date; else 0."""
    if isinstance(value, bool) or value is None:
        return 0.0
    if isinstance(value, str):
        with contextlib.suppress(ValueError):
            return seconds(float(value))
        with contextlib.suppress(ValueError, OverflowError):
            moment = datetime.fromisoformat(value.strip())
            return _in_range((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())
        return 0.0
    if not isinstance(value, int | float):
        return 0.0
    try:
        number = float(value)
    except OverflowError:
        return 0.0
    if number > 1e14:
        number /= 1e6
    elif number > 1e11:
        number /= 1e3
    return _in_range(number)


def _in_range(number: float) -> float:
    """Not before 1970 and not after 9999, where calendars end; a time that is no number is none."""
    return number if 0 < number < 253_402_300_800 else 0.0


def text_of(value: Any) -> str:
    return value if isinstance(value, str) else "" if value is None or isinstance(value, dict | list) else str(value)


def parts_of(value: Any) -> Iterator[Part]:
    """The content of a message: a text, or pieces as the APIs of OpenAI, Anthropic and LibreChat write them."""
    if isinstance(value, str):
        yield from _with_reasoning(value)
    elif isinstance(value, list):
        for piece in cast("list[Any]", value):
            yield from parts_of(piece)
    elif isinstance(value, dict):
        yield from _piece(cast("dict[str, Any]", value))


def _piece(piece: Mapping[str, Any]) -> Iterator[Part]:
    for name in ("think", "thinking", "reasoning", "reasoning_content"):
        if text := text_of(piece.get(name)).strip():
            yield ReasoningPart(text)
            return
    given: Any = piece.get("text", piece.get("content"))
    if isinstance(given, Mapping):
        given = cast("Mapping[str, Any]", given).get("value")
    if text := text_of(given):
        yield TextPart(text)
        return
    image: Any = piece.get("image_url", piece.get("url"))
    if isinstance(image, Mapping):
        image = cast("Mapping[str, Any]", image).get("url")
    if part := file_of(text_of(image), text_of(piece.get("name"))):
        yield part


def file_of(url: str, name: str = "") -> FilePart | None:
    """An image or file by its address, or with its bytes in a `data:` URL."""
    if found := _DATA_URL.match(url):
        return FilePart(found[1], url[found.end() :], name=name)
    if url.startswith(("https://", "http://")):
        mime = guess_type(name or urlsplit(url).path)[0] or "image/png"
        return FilePart(mime, url=url, name=name)
    return None


def _with_reasoning(text: str) -> Iterator[Part]:
    """In one pass: what stands in a file of others may have any number of folds that never end."""
    rest: list[str] = []
    place = 0
    while (start := text.find(_FOLD, place)) >= 0 and (opened := text.find(">", start)) >= 0:
        tag = text[start + len(_FOLD) : opened]
        if not tag[:1].isspace() or 'type="reasoning"' not in tag:
            rest.append(text[place : opened + 1])
            place = opened + 1
            continue
        end = text.find(_FOLD_END, opened)
        if end < 0:
            break
        if thought := _thought(text[opened + 1 : end]):
            yield ReasoningPart(thought)
        rest.append(text[place:start])
        place = end + len(_FOLD_END)
    rest.append(text[place:])
    if said := "".join(rest).strip():
        yield TextPart(said)


def _thought(folded: str) -> str:
    """The text of a fold without its heading and the marks of a quotation."""
    folded = folded.strip()
    if folded.startswith("<summary>"):
        folded = folded[folded.find(_SUMMARY_END) + len(_SUMMARY_END) :] if _SUMMARY_END in folded else folded
    return "\n".join(line.removeprefix("> ") for line in folded.strip().splitlines())
