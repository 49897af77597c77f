"""Calls as a JSON object `{action, …}`, for servers that can force a schema only on the whole response.

`{"action": "final", "text": "…"}`, or `{"action": "call", "calls": [{"name": "…", "arguments": {…}}]}`. The action
stands first, so that the model decides before it writes, and the reader knows what comes.
"""

import json
import re
from collections.abc import Sequence
from typing import Any, cast

from toolpost.models.schemas.normalize import LISTS, Schema
from toolpost.models.schemas.provider_schema import for_provider
from toolpost.types.stream import StreamEvent
from toolpost.types.tool_spec import ToolSpec

from .dialects.objects import CALL_KEYS, items, read_value
from .grammar.calls import MAX_CALLS
from .grammar.schema import MAX_REPEATS
from .incremental_reader import Markers, Parse, unseen
from .scan_state import Scan
from .scanner import CallScanner, Tools
from .tool_matching import NAME_KEYS, PromptedTools
from .values import plain_text

MAX_WORD = 40

ENVELOPE_NOTE = """Write one JSON object and nothing else.
To use tools: {"action": "call", "calls": [{"name": "<tool>", "arguments": {<its arguments>}}]}
To answer: {"action": "final", "text": "<your answer>"}"""


def envelope_schema(tools: Sequence[ToolSpec], *, required: bool = False) -> Schema:
    """The schema of what a model may write. `required`: calls only."""
    definitions: Schema = {}
    calls = [_call_schema(tool, place, definitions) for place, tool in enumerate(tools)]
    several = {"type": "array", "items": {"anyOf": calls}, "minItems": 1, "maxItems": MAX_CALLS}
    forms = [_object(action={"const": "call"}, calls=several)]
    if not required:
        forms.append(_object(action={"const": "final"}, text={"type": "string"}))
    schema = forms[0] if required else {"anyOf": forms}
    return {**schema, "$defs": definitions} if definitions else schema


def write_answer(text: str) -> str:
    """An answer of an earlier turn, as the model would have written it."""
    return json.dumps({"action": "final", "text": text}, ensure_ascii=False)


def write_calls(calls: Sequence[tuple[str, dict[str, Any]]]) -> str:
    """Calls of an earlier turn, each its name and arguments, as the model would have written them."""
    written = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return json.dumps({"action": "call", "calls": written}, ensure_ascii=False)


class EnvelopeReader:
    """Takes the object apart while it streams, into the events of `CallScanner`. Other text, because the server did
    not hold the model to the object, is scanned for calls in any dialect."""

    def __init__(self, tools: Tools | None = None) -> None:
        self._tools = None if tools is None else list(tools)
        self._scan = Scan(PromptedTools(self._tools), None, _NONE, _NONE)
        self._parse = self._read()
        self._done = False
        # Everything so far, until it is certain that this is the object.
        self._head: list[str] | None = []
        # Reads what is not an object, or stands behind it.
        self._scanner: CallScanner | None = None

    def feed(self, chunk: str) -> list[StreamEvent]:
        """Take the next piece of the text."""
        if self._scanner is not None:
            return self._scanner.feed(chunk)
        if self._head is not None:
            self._head.append(chunk)
        if chunk and not self._done:
            self._scan.reader.add(chunk)
            self._go_on()
        return self._scan.outbox.drain()

    def close(self, *, cut: bool = False) -> list[StreamEvent]:
        """The text has ended. `cut`: at the model's length limit, so an open call is not to be run."""
        self._scan.reader.ended = True
        self._scan.cut_off = cut
        if not self._done:
            self._go_on()
        events = self._scan.outbox.drain()
        return events + (self._scanner.close(cut=cut) if self._scanner else [])

    def _go_on(self) -> None:
        try:
            next(self._parse)
        except StopIteration:
            self._done = True
            if self._head is not None:
                self._scan_rest("".join(self._head))

    def _scan_rest(self, text: str) -> None:
        self._scanner = CallScanner(self._tools)
        for event in self._scanner.feed(text):
            self._scan.outbox.put(event)

    def _read(self) -> Parse[None]:
        reader = self._scan.reader
        char = yield from reader.skip_space()
        if char == "`":
            char = yield from self._skip_fence()
        if char != "{":
            return
        reader.take(1)
        action = yield from self._action()
        if action not in ("call", "final"):
            return
        self._head = None
        self._scan.outbox.settle()
        yield from self._members(action)
        if (yield from reader.skip_space()) == "`":
            yield from self._skip_fence()
            self._scan.outbox.settle()
        # What a model adds to its calls can only be made up: it has not seen their results.
        if action == "final" and (yield from reader.peek()):
            self._scan.outbox.release()
            self._scan_rest(reader.text[reader.at :])

    def _skip_fence(self) -> Parse[str]:
        """Past a fence around the object, and its label; return the character behind it."""
        yield from self._scan.reader.skip(_FENCE)
        yield from self._scan.reader.skip(_LABEL)
        return (yield from self._scan.reader.skip_space())

    def _action(self) -> Parse[str]:
        """The value of the first key, if that is `action`."""
        if (yield from self._key()) != "action":
            return ""
        text, _ = yield from self._scan.reader.value("{", unseen, most=MAX_WORD)
        return plain_text(text)

    def _key(self) -> Parse[str]:
        """Take a key and its colon. "" where there is none."""
        reader = self._scan.reader
        if (yield from reader.skip_filler()) != '"':
            return ""
        text, _ = yield from reader.value("", unseen, key=True, most=MAX_WORD)
        if (yield from reader.skip_space()) != ":":
            return ""
        reader.take(1)
        yield from reader.skip_space()
        return plain_text(text)

    def _members(self, action: str) -> Parse[None]:
        """What stands behind the action, to the end of the object."""
        scan = self._scan
        while key := (yield from self._key()):
            char = yield from scan.reader.peek()
            scan.outbox.settle()
            if action == "call" and key in NAME_KEYS:
                # A single call without its list.
                scan.reader.push_back(f'{{"{key}": ')
                yield from items(scan, explicit=True)
                break
            if char in ("[", "{") and key in CALL_KEYS:
                yield from items(scan, explicit=True)
            elif char == '"' and (action == "final" or key == "text"):
                yield from self._text()
            elif not char or not (yield from read_value(scan, char, "{")):
                break
        if (yield from scan.reader.skip_filler()) == "}":
            scan.reader.take(1)
        scan.outbox.settle()

    def _text(self) -> Parse[None]:
        """The string that begins here, given out as it comes."""
        text = _Unescaped()

        def show(raw: str) -> None:
            self._scan.outbox.settle()
            self._scan.outbox.say(text.feed(raw))

        yield from self._scan.reader.value("{", show)
        self._scan.outbox.say(text.close())


class _Unescaped:
    """The text of a JSON string that comes in pieces, from its opening quote on."""

    def __init__(self) -> None:
        self._held = ""
        self._begun = False

    def feed(self, raw: str) -> str:
        """What is certain by now. A quote that was not escaped may end the string, until more follows it."""
        if not self._begun:
            self._begun, raw = True, raw[1:]
        text = self._held + raw
        found = _CERTAIN.match(text)
        end = found.end() if found else 0
        self._held = text[end:]
        return _ESCAPE.sub(_meant, text[:end])

    def close(self) -> str:
        """What was held back. An escape that is not whole is dropped."""
        return _ESCAPE.sub(_meant, _UNFINISHED.sub("", self._held.rstrip(" \t\r\n,，").removesuffix('"')))


def _meant(escape: re.Match[str]) -> str:
    """The character that an escape stands for; one that stands for none is left as it is."""
    try:
        text = str(json.loads(f'"{escape[0]}"'))
    except ValueError:
        return escape[0]
    return "\ufffd" if "\ud800" <= text <= "\udfff" else text


def _call_schema(tool: ToolSpec, place: int, definitions: Schema) -> Schema:
    """The schema of a call. Definitions of its own go to those of the whole, where references look for them."""
    parameters, _ = for_provider(tool.parameters, "openai")
    prefix = f"{place}-"
    for name, definition in parameters.pop("$defs", {}).items():
        definitions[prefix + name] = _adapted(definition, prefix)
    return _object(name={"const": tool.name}, arguments=_adapted(parameters, prefix))


def _adapted(schema: Schema, prefix: str) -> Schema:
    """The schema with its references led to definitions whose names begin with `prefix`, and with no more than what
    llama.cpp, which works in most of these servers, can hold a model to. At the rest it may give up."""
    node: Schema = {}
    for key, value in schema.items():
        if key == "properties":
            node[key] = {name: _adapted(item, prefix) for name, item in value.items()}
        elif key in LISTS:
            node[key] = [_adapted(item, prefix) for item in value]
        elif key in ("items", "additionalProperties") and isinstance(value, dict):
            node[key] = _adapted(cast("Schema", value), prefix)
        elif key == "$ref":
            node[key] = str(value).replace("#/$defs/", f"#/$defs/{prefix}", 1)
        elif key in _KEPT and not (key in _REPEATS and value > MAX_REPEATS):
            node[key] = value
    if schema.get("items") is False and "prefixItems" in node:
        node["maxItems"] = len(node["prefixItems"])
    return node


def _object(**properties: Any) -> Schema:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


_REPEATS = frozenset({"minLength", "maxLength", "minItems", "maxItems"})
_KEPT = _REPEATS | {
    *("type", "enum", "const", "required", "format", "description", "additionalProperties"),
    *("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"),
}
_NONE = Markers(())
_FENCE = re.compile("`*")
_LABEL = re.compile(r"\w*")
_HIGH = r"[dD][89abAB][0-9a-fA-F]{2}"
_LOW = r"[dD][c-fC-F][0-9a-fA-F]{2}"
_ESCAPE = re.compile(rf"\\u{_HIGH}\\u{_LOW}|\\u[0-9a-fA-F]{{4}}|\\[^u]|\\u", re.DOTALL)
# Plain text, whole escapes, escapes that will never be whole, and quotes that something stands behind.
_CERTAIN = re.compile(
    rf"(?:[^\"\\]++|\\u{_HIGH}\\u{_LOW}|\\u{_HIGH}(?=[^\\]|\\[^u]|\\u[^dD]|\\u[dD][^c-fC-F])"
    rf"|\\u(?!{_HIGH})[0-9a-fA-F]{{4}}|\\u(?=[0-9a-fA-F]{{0,3}}[^0-9a-fA-F])|\\[^u]"
    r"|\"(?=[\s,，]*[^\s,，]))*+",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")
