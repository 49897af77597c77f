"""Parse calls written as Python: `[get_weather(city="Oslo"), get_time()]`, or one a line. Nothing is executed."""

import re
from typing import Any, cast

from toolpost.models.prompted.call_repair import RepairedCall, fitted_call, unreadable_call
from toolpost.models.prompted.incremental_reader import Parse, unseen
from toolpost.models.prompted.lenient_json import LenientParser, Unreadable
from toolpost.models.prompted.scan_state import Scan
from toolpost.models.prompted.tool_matching import PromptedTools

_CALL = re.compile(r"([^\W\d][\w.]*)\s*\(")
_MAYBE_CALL = re.compile(r"[\w.]*\s*")
_SPACE = re.compile(r"[\s;]*")
_PRINTED = re.compile(r"[\s;)]*")


def call_list(scan: Scan, *, explicit: bool) -> Parse[int]:
    """Read a list of calls; return how many it held."""
    reader = scan.reader
    reader.take(1)
    count = 0
    while True:
        char = yield from reader.skip_filler()
        name = yield from ahead_call(scan)
        if not name:
            if char == "]":
                reader.take(1)
                if not explicit and (yield from reader.peek()) == "(":
                    # The text of a link in Markdown.
                    scan.outbox.reject()
            return count
        found = yield from _call(scan, name, explicit=explicit)
        if not found:
            scan.outbox.release() if explicit or count else scan.outbox.reject()
        count += found


def call_lines(scan: Scan, first: str) -> Parse[bool]:
    """Read calls one behind the other, without a list. The name of the first was read already."""
    count = yield from _arguments(scan, first, explicit=True)
    while True:
        yield from scan.reader.skip(_SPACE)
        name = yield from ahead_call(scan)
        if not name or scan.offer.find(name) is None:
            return bool(count)
        count += yield from _call(scan, name)


def statements(scan: Scan) -> Parse[int]:
    """Read calls one a line, some of them perhaps inside of `print`; return how many there were."""
    reader = scan.reader
    count = 0
    while name := (yield from ahead_call(scan)):
        printed = name == "print" and scan.offer.find(name) is None
        if printed:
            reader.take(len(name))
            yield from reader.skip_space()
            reader.take(1)
            yield from reader.skip_space()
            name = yield from ahead_call(scan)
        if not name or scan.offer.find(name) is None or not (yield from _call(scan, name)):
            return 0
        count += 1
        yield from reader.skip(_PRINTED if printed else _SPACE)
    return count


def ahead_call(scan: Scan, offset: int = 0) -> Parse[str]:
    """The name where `name(` stands at `offset` from here, else ""; nothing is taken."""
    return scan.reader.ahead_match(_CALL, _MAYBE_CALL, offset)


def _call(scan: Scan, name: str, *, explicit: bool = False) -> Parse[int]:
    scan.reader.take(len(name))
    yield from scan.reader.skip_space()
    return (yield from _arguments(scan, name, explicit=explicit))


def _arguments(scan: Scan, word: str, *, explicit: bool) -> Parse[int]:
    """From the opening bracket to the end of the call; 1 if it was one."""
    text, whole = yield from scan.reader.value("", unseen)
    name = scan.offer.called(word) if explicit and whole else scan.offer.find(word)
    if name is None:
        return 0
    scan.give(read_python(name, text[1:-1] if whole else text[1:], scan.offer), whole=whole)
    return 1


def read_python(name: str, text: str, offer: PromptedTools) -> RepairedCall:
    """The call whose brackets hold `text`. Arguments by place are named after the schema's properties, in order."""
    literals = LenientParser(text)
    try:
        positional, named = literals.arguments()
    except Unreadable as error:
        return unreadable_call(name, offer, str(error))
    names = list(offer.properties(name))
    if len(positional) > len(names) or named.keys() & set(names[: len(positional)]):
        if len(positional) == 1 and isinstance(positional[0], dict) and not named:
            return fitted_call(name, cast("dict[str, Any]", positional[0]), offer)
        return unreadable_call(name, offer, "the arguments by place do not fit")
    arguments: dict[str, Any] = {**dict(zip(names, positional, strict=False)), **named}
    return fitted_call(name, arguments, offer, mended=literals.cut)
