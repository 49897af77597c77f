"""Parse calls and text between a model's special tokens: message headers, thoughts, wrappers, end tokens."""

import json
import re

from toolpost.models.prompted.call_repair import fitted_call, unreadable_call
from toolpost.models.prompted.incremental_reader import Markers, Parse, kept_markers
from toolpost.models.prompted.lenient_json import Unreadable
from toolpost.models.prompted.scan_state import Scan
from toolpost.models.prompted.values import read

from .blocks import arguments, block
from .table import MARKERS
from .tags import OPEN_CALL, attributes, parameters

MAX_HEADER = 300
MAX_NAME = 200

_MESSAGE = Markers(("<|message|>",))
_THOUGHT_ENDS = Markers(("<|end|>", "<|eom|>", "<|start|>", "<|channel|>", "<|return|>", "<|end_message|>"))
_SEP = Markers(("<|sep|>",))
_THINK_END = Markers(("<|close|>think<|sep|>",))
_ROLE_SEP = Markers(("<|role_sep|>",))
_CONTENT = Markers(("<|content_invoke_tool_json|>", "<|content_text|>", "<|content_thinking|>"))
_CITED = re.compile(r"</co(?:: ?[\d:\[\], ]*)?>")
_CITED_END = Markers((">",))
_RECIPIENT = re.compile(r"\bto=([^\s<|]+)")
_CHANNEL = re.compile(r"<\|channel\|>\s*(\w+)")
_NAME = re.compile(r"[\w.:\-/]*")
_OTHERS = ("user", "all", "self")
_BUILT_IN = ("python", "assistant")


def header(scan: Scan, marker: str) -> Parse[bool]:
    """A message's header: who it is for and on which channel. It is for a tool, for the reader, or a thought."""
    head, end = yield from scan.reader.head(_MESSAGE, MAX_HEADER)
    if not end:
        return False
    scan.reader.take(len(end))
    head = marker + head
    recipient = _RECIPIENT.search(head)
    channel = _CHANNEL.search(head)
    scan.wrapped = True
    scan.addressed = recipient.group(1) if recipient else ""
    if scan.addressed == "self" or (not recipient and channel and channel.group(1) == "analysis"):
        yield from scan.reader.until(_THOUGHT_ENDS, scan.outbox.think)
        return True
    if not recipient or scan.addressed in _OTHERS:
        return True
    # These are tools only if they were offered.
    name = None
    if scan.addressed not in _BUILT_IN or scan.addressed in scan.offer:
        name = scan.offer.called(scan.addressed)
    if name is None:
        return False
    yield from scan.reader.skip_space()
    opener = yield from scan.reader.ahead(scan.openers)
    if opener and MARKERS[opener][0] != "end":
        return True
    return (yield from arguments(scan, name))


def opened(scan: Scan) -> Parse[bool]:
    """Behind Kimi K3's `<|open|>`: an element's name and attributes up to `<|sep|>`."""
    head, end = yield from scan.reader.head(_SEP, MAX_HEADER)
    if not end:
        return False
    scan.reader.take(len(end))
    element = head.split(None, 1)[0] if head.strip() else ""
    if element == "think":
        scan.wrapped = True
        if (yield from scan.reader.until(_THINK_END, scan.outbox.think)):
            scan.reader.take(len(_THINK_END.texts[0]))
        return True
    if element in ("tools", "message", "response"):
        scan.wrapped = True
        return True
    name = scan.offer.called(attributes(head).get("tool", "")) if element == "call" else None
    if name is None:
        return False
    return (yield from parameters(scan, OPEN_CALL, name))


def message_sep(scan: Scan) -> Parse[bool]:
    """Behind GigaChat's `<|message_sep|>`: only the role `function call` makes it a call."""
    head, end = yield from scan.reader.head(_ROLE_SEP, MAX_HEADER)
    if not end or head.strip() != "function call":
        return False
    scan.reader.take(len(end))
    return (yield from block(scan))


def inkling(scan: Scan) -> Parse[bool]:
    """Behind `<|message_model|>`: what kind of content follows is said by the next token, which is left to it."""
    _, end = yield from scan.reader.head(_CONTENT, MAX_HEADER)
    scan.wrapped = scan.wrapped or bool(end)
    return bool(end)


def thought(scan: Scan, end: str) -> Parse[bool]:
    scan.wrapped = True
    # Gemma's thoughts are often left open, so a call ends them too.
    stops = kept_markers((end, "<|tool_call>", *_THOUGHT_ENDS.texts))
    found = yield from scan.reader.until(stops, scan.outbox.think)
    scan.reader.take(len(found) if found == end else 0)
    return True


def citation(scan: Scan, marker: str) -> Parse[bool]:
    """Cohere's marks around what it cites: no text, but only where Cohere speaks."""
    if not (scan.wrapped or (scan.dialect or "").startswith("co")):
        return False
    if marker == "<co>":
        return True
    head, end = yield from scan.reader.head(_CITED_END, 60)
    if not end or not _CITED.fullmatch(marker + head + end):
        return False
    scan.reader.take(1)
    return True


def end_token(scan: Scan) -> Parse[bool]:
    """Drop an end token where the model writes tokens, or at the very end."""
    if scan.wrapped:
        return True
    return (yield from scan.reader.skip_space()) == ""


def gemma(scan: Scan, marker: str) -> Parse[bool]:
    """Gemma's own notation: `call:name{key:<|"|>text<|"|>,days:3}`."""
    reader = scan.reader
    yield from reader.skip_space()
    word = yield from reader.word(_NAME, MAX_NAME)
    name = scan.offer.called(word.removeprefix("call:"))
    if name is None or (yield from reader.skip_space()) != "{":
        return False
    found = scan.outbox.open(name)
    text, whole = yield from _gemma_object(scan, '<|"|>' if marker == "<|tool_call>" else "<escape>")
    try:
        value = read(text, bare_values=True).value
    except Unreadable as error:
        call = unreadable_call(name, scan.offer, str(error))
    else:
        call = fitted_call(name, value, scan.offer)
        found.delta(json.dumps(value, ensure_ascii=False))
    scan.end(found, call, text, whole=whole)
    return True


def _gemma_object(scan: Scan, quote: str) -> Parse[tuple[str, bool]]:
    """Take a balanced object; return it with its strings in JSON's quotes, and whether it ended by itself."""
    reader = scan.reader
    stops = kept_markers((quote, '"', "{", "}", "[", "]", *scan.closers.texts))
    pieces: list[str] = []
    depth = 0
    while True:
        stop = yield from reader.until(stops, pieces.append)
        if not stop or stop in scan.closers:
            return "".join(pieces), False
        reader.take(len(stop))
        if stop in (quote, '"'):
            inner: list[str] = []
            ended = yield from reader.until(kept_markers((stop,)), inner.append)
            reader.take(len(stop))
            pieces.append(json.dumps("".join(inner), ensure_ascii=False))
            if not ended:
                return "".join(pieces), False
            continue
        pieces.append(stop)
        depth += 1 if stop in "{[" else -1
        if depth == 0:
            return "".join(pieces), True
