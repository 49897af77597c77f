"""Parse arguments in tags, one tag a parameter, as bare text whose type only the schema can tell.

One reader for all of them: they differ in the words of their tags, which stand in a table. A value that is a string
by its schema goes out as it comes; any other is held until it has ended.
"""

import json
import re
from functools import lru_cache
from html import unescape
from typing import Any, NamedTuple

from toolpost.models.prompted.call_repair import fitted_call, unreadable_call
from toolpost.models.prompted.incremental_reader import Markers, Parse, kept_markers, unseen
from toolpost.models.prompted.scan_state import OpenCall, Scan
from toolpost.models.prompted.values import convert, kinds_of, literal, property_for

from .table import END_TOKENS, OUTER_ENDS

MAX_HEAD = 300
# End tags in a row.
MAX_ENDS = 4


class ParameterTags(NamedTuple):
    """The words of one family. `head_ends` close what holds the key; `trims` takes one newline off each end."""

    call: str
    parameter: tuple[str, ...]
    head_ends: tuple[str, ...]
    value_end: str
    call_end: str
    value_begin: str = ""
    trims: bool = False
    escaped: bool = False

    def of(self, opening: str) -> "ParameterTags":
        """A family that has two tags for a parameter closes each with its own."""
        return self._replace(value_end="</parameter>") if opening == "<parameter name=" else self


FUNCTION = ParameterTags("<function=", ("<parameter=",), (">", "\n"), "</parameter>", "</function>", trims=True)
SEED_FUNCTION = FUNCTION._replace(trims=False)
ARG_KEYS = ParameterTags(
    "<tool_call>", ("<arg_key>",), ("</arg_key>",), "</arg_value>", "</tool_call>", value_begin="<arg_value>"
)
NAMED_FUNCTION = ParameterTags(
    "<function name=",
    ("<param name=", "<paramname=", "<paramĠname=", "<parameter name="),
    (">",),
    "</param>",
    "</function>",
    escaped=True,
)
OPEN_CALL = ParameterTags(
    "<|open|>call", ("<|open|>argument",), ("<|sep|>",), "<|close|>argument<|sep|>", "<|close|>call<|sep|>"
)

_ATTRIBUTE = re.compile(r"""([\w:]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>/]+))""")
_CDATA = "<![CDATA["
_CDATA_END = Markers(("]]>",))
_CDATA_BEGIN = Markers((_CDATA,))


def invoke(prefix: str) -> ParameterTags:
    return ParameterTags(
        f"<{prefix}invoke name=", (f"<{prefix}parameter name=",), (">",), f"</{prefix}parameter>", f"</{prefix}invoke>"
    )


def attributes(head: str) -> dict[str, str]:
    """`name="city" string="true"` as a dict; the entities in it resolved."""
    return {found[1]: unescape(found[2] or found[3] or found[4] or "") for found in _ATTRIBUTE.finditer(head)}


def parameters(scan: Scan, tags: ParameterTags, name: str, carried: str = "") -> Parse[bool]:
    """Read the parameters of a call of the tool `name`, to the end of the call. The call is certain."""
    call = _Fields(scan, name, carried)
    opens = kept_markers(tags.parameter)
    ends = kept_markers((tags.call_end,))
    surplus_ends = kept_markers((tags.value_end,))
    reader = scan.reader
    whole = True
    while whole:
        # Other text, or an end tag further out, ends the call too, although its own tag is missing.
        whole = bool((yield from reader.skip_space()))
        surplus = yield from reader.ahead(surplus_ends)
        if surplus:
            reader.take(len(surplus))
            continue
        opening = yield from reader.ahead(opens)
        if not opening:
            whole = whole and not reader.ends_within(opens)
            reader.take(len((yield from reader.ahead(ends))))
            break
        reader.take(len(opening))
        whole = yield from _parameter(scan, tags.of(opening), call)
    call.finish(whole=whole)
    return True


def _parameter(scan: Scan, tags: ParameterTags, call: "_Fields") -> Parse[bool]:
    """One parameter, from behind its opening; False where the text ended within it."""
    reader = scan.reader
    head, end = yield from reader.head(kept_markers(tags.head_ends), MAX_HEAD)
    if not end:
        yield from reader.until(kept_markers((tags.call_end,)), unseen)
        return reader.at < len(reader.text)
    reader.take(len(end))
    key, kind = _key(tags, head)
    if tags.value_begin:
        begins = kept_markers((tags.value_begin,))
        char = yield from reader.skip_space()
        if not (yield from reader.ahead(begins)):
            return bool(char) and not reader.ends_within(begins)
        reader.take(len(tags.value_begin))
    field = call.begin(key, kind, tags)
    whole = yield from _value(scan, tags, field, call)
    call.end(field)
    return whole


def _key(tags: ParameterTags, head: str) -> tuple[str, str]:
    """The parameter's name, and "string" or "json" where its tag says what the value is."""
    if tags.parameter[0].endswith("name="):
        found = attributes("name=" + head.replace("Ġ", " "))
        kind = {"true": "string", "false": "json"}.get(found.get("string", ""), "")
        return found.get("name", ""), kind
    if tags is OPEN_CALL:
        found = attributes(head)
        kind = found.get("type", "")
        return found.get("key", ""), "string" if kind == "string" else "json" if kind else ""
    return head.strip().strip("\"'"), ""


def _value(scan: Scan, tags: ParameterTags, field: "_Field", call: "_Fields") -> Parse[bool]:
    """Give the value to `field`; take its end tag where there is one. False where the text ended first."""
    reader = scan.reader
    if tags.escaped and (yield from reader.ahead_past_space(_CDATA_BEGIN)):
        yield from reader.skip_space()
        reader.take(len(_CDATA))
        field.raw = True
        yield from reader.until(_CDATA_END, field.add)
        reader.take(3)
    siblings = _siblings(tags, tuple(key for key in call.missing() if key != field.key))
    stops = kept_markers((tags.value_end, tags.call_end, tags.call, *tags.parameter, *siblings, *OUTER_ENDS))
    nest = _Nest(tags)
    while True:
        stop = yield from reader.until(stops, field.add)
        if not stop or (stop in siblings and not nest.seen):
            break
        if not nest.holds(stop, opens=stop in siblings) and (
            yield from _ends(scan, tags, stop, siblings if nest.seen else None)
        ):
            break
        field.add(reader.take(len(stop)))
    if stop == tags.value_end:
        reader.take(len(stop))
    elif nest.seen:
        # What the value seems to hold was only mentioned: the end tags behind that are those of the value and its call.
        return field.without_ends((tags.value_end, tags.call_end, *OUTER_ENDS)) and not scan.cut_off
    return bool(stop)


def _ends(scan: Scan, tags: ParameterTags, stop: str, siblings: frozenset[str] | None) -> Parse[bool]:
    """Whether the end tag `stop` is one, and not part of a value, which may hold such tags: by what follows it.

    `siblings` are given where the value holds a parameter's tag, so that more end tags may be its own.
    """
    reader = scan.reader
    behind_call = (*OUTER_ENDS, *END_TOKENS, *scan.openers.texts)
    if stop != tags.value_end:
        behind = behind_call
    elif siblings is None:
        # Behind its end tag another one too many may stand.
        behind = (*tags.parameter, tags.value_end, tags.call_end, *behind_call)
    else:
        behind = (*siblings, tags.call_end, *behind_call)
    following = yield from reader.ahead_past_space(kept_markers(behind), len(stop))
    if siblings is None or not following or following in siblings:
        return following is None or bool(following)
    return not (yield from _goes_on(scan, tags, len(stop)))


def _goes_on(scan: Scan, tags: ParameterTags, offset: int) -> Parse[bool]:
    """Whether the end of a parameter stands behind the end tags of calls at `offset`: all of them are in a value."""
    ends = kept_markers((tags.call_end, *OUTER_ENDS))
    values = kept_markers((tags.value_end,))
    for _ in range(MAX_ENDS):
        offset += yield from scan.reader.blanks(offset)
        end = yield from scan.reader.ahead(ends, offset)
        if not end:
            break
        offset += len(end)
    return bool((yield from scan.reader.ahead(values, offset)))


class _Nest:
    """The tags of calls that a value holds itself, as an example of one does."""

    def __init__(self, tags: ParameterTags) -> None:
        self.seen = False
        self._tags = tags
        self._calls = 0
        self._parameters = 0

    def holds(self, tag: str, *, opens: bool) -> bool:
        """Whether `tag` belongs to a call in the value: it opens one, or its parameter, or ends what was opened."""
        tags = self._tags
        if tag == tags.call:
            self._calls += 1
        elif opens or tag in tags.parameter:
            self.seen = True
            self._parameters += self._calls > 0
        elif tag == tags.value_end and self._parameters:
            self._parameters -= 1
        elif tag == tags.call_end and self.seen and self._calls:
            self._calls -= 1
            self._parameters = 0
        else:
            return False
        return True


@lru_cache(maxsize=256)
def _siblings(tags: ParameterTags, keys: tuple[str, ...]) -> frozenset[str]:
    """How the other parameters would begin: they end a value whose own end tag was forgotten."""
    if tags.parameter[0].endswith("name="):
        return frozenset(f'{opening}"{key}"' for opening in tags.parameter for key in keys)
    if tags is OPEN_CALL:
        return frozenset(f'{opening} key="{key}"' for opening in tags.parameter for key in keys)
    return frozenset(f"{opening}{key}{end}" for opening in tags.parameter for key in keys for end in tags.head_ends)


class _Field:
    """One value while it comes. `stream` takes its text at once where it is a string."""

    def __init__(self, key: str, kind: str, schema: Any, tags: ParameterTags, opened: OpenCall) -> None:
        self.key = key
        self.kind = kind
        self.schema = schema
        self.raw = not tags.escaped
        self.streams = kind == "string" or (not kind and self.raw and kinds_of(schema) == {"string"})
        self._pieces: list[str] = []
        self._trims = tags.trims
        self._newline = ""
        self._begun = False
        self._opened = opened

    def add(self, piece: str) -> None:
        if self._trims:
            piece = self._trimmed(piece)
        self._pieces.append(piece)
        if self.streams and piece:
            self._opened.delta(json.dumps(piece, ensure_ascii=False)[1:-1])

    def without_ends(self, tags: tuple[str, ...]) -> bool:
        """Take off the end tags that the text ends with; False where it does not end with any."""
        text = "".join(self._pieces)
        rest = text
        while tag := next((tag for tag in tags if rest.rstrip().endswith(tag)), ""):
            rest = rest.rstrip().removesuffix(tag)
        self._pieces = [rest.removesuffix("\n") if self._trims else rest]
        return rest != text

    @property
    def text(self) -> str:
        text = "".join(self._pieces)
        return text if self.raw else unescape(text)

    def _trimmed(self, piece: str) -> str:
        """Without the first newline, and holding a last one back, for it may be the last of all."""
        if not self._begun:
            self._begun = True
            piece = piece.removeprefix("\n")
        piece = self._newline + piece
        self._newline = "\n" if piece.endswith("\n") else ""
        return piece.removesuffix("\n")


class _Fields:
    """The arguments of a call, put together from its parameters, and given out as JSON text as they come."""

    def __init__(self, scan: Scan, name: str, carried: str) -> None:
        self._scan = scan
        self._name = name
        self._carried = carried
        self._opened = scan.outbox.open(name)
        self._properties = scan.offer.properties(name)
        self._arguments: dict[str, Any] = {}
        self._twice = ""
        self._before = "{"

    def missing(self) -> list[str]:
        return [name for name in self._properties if name not in self._arguments]

    def begin(self, key: str, kind: str, tags: ParameterTags) -> _Field:
        key = property_for(key, self._properties)
        field = _Field(key, kind, self._properties.get(key), tags, self._opened)
        self._opened.delta(f"{self._before}{json.dumps(key, ensure_ascii=False)}: " + ('"' if field.streams else ""))
        self._before = ", "
        return field

    def end(self, field: _Field) -> None:
        value = self._converted(field)
        if field.streams:
            self._opened.delta('"')
        else:
            self._opened.delta(json.dumps(value, ensure_ascii=False))
        if field.key in self._arguments and self._arguments[field.key] != value:
            self._twice = field.key
        self._arguments[field.key] = value

    def finish(self, *, whole: bool) -> None:
        self._opened.delta("{}" if self._before == "{" else "}")
        offer, name = self._scan.offer, self._name
        if self._twice:
            call = unreadable_call(name, offer, f"{self._twice[:40]!r} is given twice", self._carried)
        elif not self._arguments and offer.required(name):
            call = unreadable_call(name, offer, "the arguments are missing", self._carried)
        else:
            call = fitted_call(name, self._arguments, offer, carried=self._carried)
        self._scan.end(self._opened, call, json.dumps(self._arguments, ensure_ascii=False), whole=whole)

    def _converted(self, field: _Field) -> Any:
        if field.streams:
            return field.text
        if field.kind == "json" or (field.schema is None and self._reads_literals()):
            return literal(field.text)
        return self._scan.offer.fit_one(self._name, field.key, convert(field.text, field.schema))

    def _reads_literals(self) -> bool:
        return bool(self._scan.addressed)
