"""Parse the block behind an opening marker: JSON, Python, or a name and its arguments in one of many ways."""

import re
from typing import Any, cast

from toolpost.models.prompted.call_repair import repair_call
from toolpost.models.prompted.incremental_reader import Markers, Parse, unseen
from toolpost.models.prompted.lenient_json import Unreadable
from toolpost.models.prompted.scan_state import Scan
from toolpost.models.prompted.value_end import OPENS
from toolpost.models.prompted.values import read

from .objects import items
from .python_calls import call_lines, call_list
from .tags import ARG_KEYS, parameters

MAX_NAME = 200
MAX_FENCE_HEAD = 40
MAX_NOISE = 300

_NAME = re.compile(r"[\w.:\-/]*")
_SEPARATORS = ("<｜tool▁sep｜>", "<|tool▁sep|>", "<｜tool_sep｜>")
_FENCE = "```"
_BEHIND_NAME = Markers(
    ("(", "{", "[ARGS]", "[CALL_ID]", "<|tool_call_argument_begin|>", "<arg_key>", "<tool_sep>", _FENCE, *_SEPARATORS)
)
_ARGS = Markers(("[ARGS]", "<|tool_call_argument_begin|>"))
_FENCES = Markers((_FENCE,))
_LINE_END = Markers(("\n", "{", "["))


def block(scan: Scan, *, noisy: bool = False) -> Parse[bool]:
    """Read what stands behind a marker. False where it is not a call: then the marker was text.

    A `noisy` marker cannot stand in prose, so a few words between it and the call are passed over.
    """
    done = yield from _body(scan)
    if done or not noisy:
        return done
    _, found = yield from scan.reader.head(scan.openers, MAX_NOISE)
    return bool(found)


def _body(scan: Scan) -> Parse[bool]:
    reader = scan.reader
    char = yield from reader.skip_space()
    if char == "`" and (yield from reader.ahead(_FENCES)):
        yield from skip_fence(scan)
        char = yield from reader.skip_space()
    if char in OPENS and char != "(":
        return (yield from _values(scan))
    if not char or (yield from reader.ahead(scan.closers)) or (yield from reader.ahead(scan.openers)):
        return True
    return (yield from named(scan))


def _values(scan: Scan) -> Parse[bool]:
    """JSON values one behind the other, or a Python list of calls."""
    reader = scan.reader
    count = 0
    while True:
        char = yield from reader.peek()
        second = yield from reader.visible(1)
        empty = (char, second) == ("[", "]")
        if char == "[" and second.isidentifier():
            found = yield from call_list(scan, explicit=True)
        else:
            found = yield from items(scan, explicit=True)
        count += found
        if not count and not empty:
            return False
        if not found:
            scan.outbox.release() if count else scan.outbox.settle()
        char = yield from reader.skip(_BETWEEN)
        if char == "`" and (yield from reader.ahead(_FENCES)):
            reader.take(len(_FENCE))
            char = yield from reader.skip(_BETWEEN)
        if char not in OPENS or (yield from reader.ahead(scan.closers)) or (yield from reader.ahead(scan.openers)):
            return True


def named(scan: Scan) -> Parse[bool]:
    """A tool's name, then its arguments."""
    reader = scan.reader
    word = yield from reader.word(_NAME, MAX_NAME)
    if not word:
        return False
    yield from reader.skip_space()
    behind = yield from reader.ahead(_BEHIND_NAME)
    if behind == "(":
        return (yield from call_lines(scan, word))
    if behind in _SEPARATORS:
        reader.take(len(behind))
        return (yield from _separated(scan, word))
    name = scan.offer.find(word)
    carried = word if ":" in word else ""
    if behind == "[CALL_ID]":
        reader.take(len(behind))
        carried = yield from reader.word(_NAME, MAX_NAME)
        behind = yield from reader.ahead(_ARGS)
    if name is None and behind == "<|tool_call_argument_begin|>":
        return (yield from _nameless(scan, word))
    if name is None:
        name = scan.offer.called(word) if behind in _BEHIND_NAME else None
    if name is None:
        return False
    if behind in _ARGS:
        reader.take(len(behind))
    if behind in ("<arg_key>", "<tool_sep>"):
        if behind == "<tool_sep>":
            reader.take(len(behind))
        return (yield from parameters(scan, ARG_KEYS, name))
    return (yield from arguments(scan, name, carried))


def _separated(scan: Scan, word: str) -> Parse[bool]:
    """DeepSeek's two forms: `function`, separator, name, fence; or name, separator, JSON."""
    reader = scan.reader
    yield from reader.skip_space()
    if (yield from reader.ahead(scan.openers)):
        return True
    if word in ("function", "tool") and word not in scan.offer:
        word = yield from reader.word(_NAME, MAX_NAME)
    name = scan.offer.called(word)
    return False if name is None else (yield from arguments(scan, name))


def arguments(scan: Scan, name: str, carried: str = "") -> Parse[bool]:
    """The arguments of the tool `name`: a JSON object, fenced or not, or none at all."""
    reader = scan.reader
    char = yield from reader.skip_space()
    fenced = char == "`" and bool((yield from reader.ahead(_FENCES)))
    if fenced:
        yield from skip_fence(scan)
        char = yield from reader.skip_space()
    if char == "{":
        opened = scan.outbox.open(name)
        text, whole = yield from reader.value("", opened.delta)
        scan.end_json(opened, text, whole=whole, carried=carried)
        if fenced and (yield from reader.ahead_past_space(_FENCES)):
            yield from reader.skip_space()
            reader.take(len(_FENCE))
        return True
    if char == '"':
        text, whole = yield from reader.value("", unseen)
        scan.give(repair_call(name, text, scan.offer, whole=whole, carried=carried), whole=whole)
        return True
    closes = yield from reader.ahead(scan.closers)
    # Where any name is taken, any word in prose would be one.
    if closes or (not scan.offer.open and (not char or (yield from reader.ahead(scan.openers)))):
        scan.give(repair_call(name, "", scan.offer, carried=carried), whole=bool(char) or not scan.cut_off)
        return True
    return False


def _nameless(scan: Scan, word: str) -> Parse[bool]:
    """Kimi may write only its counter: then the arguments must tell the tool."""
    scan.reader.take(len("<|tool_call_argument_begin|>"))
    if (yield from scan.reader.skip_space()) != "{":
        return False
    text, whole = yield from scan.reader.value("", unseen)
    try:
        value = read(text).value
    except Unreadable:
        return False
    if not isinstance(value, dict):
        return False
    counted = word.split(":")[-1].isdigit()
    name = (counted and scan.offer.guess(cast("dict[str, Any]", value))) or scan.offer.called(word)
    if name is None:
        return False
    scan.give(repair_call(name, text, scan.offer, whole=whole, carried=word), whole=whole)
    return True


def skip_fence(scan: Scan) -> Parse[None]:
    """Past an opening fence and its language."""
    scan.reader.take(len(_FENCE))
    yield from scan.reader.head(_LINE_END, MAX_FENCE_HEAD)


_BETWEEN = re.compile(r"[\s,;，；]*")
