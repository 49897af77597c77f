"""Find the tool calls in a model's text while it streams, in every dialect at once or in a chosen one.

Prose passes at once; only an ending that may begin a marker is held back. A call's own text is never given out as
text, unless it turns out to be none: then it comes unchanged. However the text is cut, the same events come out.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from msgspec import Struct

from toolpost.types.stream import StreamEvent, TextDelta, ToolCall

from .contexts import LONGEST_LINE, quoting
from .dialects import lines
from .dialects.marked import marked
from .dialects.table import ALWAYS, CLOSERS, MARKERS, THINK_ENDS, Dialect, find_dialect
from .dialects.tokens import header
from .reader import Markers, Parse, kept_markers
from .repair import Offer, OfferedTool
from .scan import Scan

Tools = Iterable[OfferedTool | Mapping[str, Any]]

_FENCE = "```"
_LINE_WORDS = ("Action:", "functools[", "Observation:", "Final Answer:", "~~~", _FENCE)
_LINE_CHARS = "{[>"
_INDENT = re.compile(r" {0,3}")
# In these dialects a call in an unfinished thought ends the thought.
_CALLS_END_THOUGHT = ("kimi_k2", "qwen3_coder_xml")


class Call(Struct, frozen=True):
    """A call that a text holds. `problem` says, in words for the model, why it cannot run."""

    name: str
    arguments: dict[str, Any]
    problem: str = ""


class Extraction(Struct, frozen=True):
    """What a text holds: its calls, those that name a tool but cannot be read, and the text without them."""

    calls: tuple[Call, ...]
    text: str
    broken: tuple[Call, ...] = ()


def extract_calls(text: str, tools: Tools | None = None, dialect: str | None = None) -> Extraction:
    """Take the tool calls out of a whole text.

    `tools` are the tools on offer: only they can be called. They have a `name` and `parameters`, a JSON Schema, as
    attributes or as keys. None takes any name, where a marker says that it is a call. `dialect` is the name of the one
    to look for, such as `hermes` or `qwen3_coder_xml`; without it, all are recognised.
    """
    scanner = CallScanner(tools, dialect)
    events = scanner.feed(text) + scanner.close()
    calls = [event for event in events if isinstance(event, ToolCall)]
    return Extraction(
        tuple(Call(call.name, call.arguments) for call in calls if not call.raw),
        "".join(event.text for event in events if isinstance(event, TextDelta)),
        tuple(Call(call.name, {}, _problem(call)) for call in calls if call.raw),
    )


class CallScanner:
    """Finds calls in text that comes in pieces. Give it each piece; it returns the stream events that are certain.

    They are those of a native model: `text-delta`, `tool-input-start`, `-delta` and `-end`, `tool-call`, and
    `reasoning-delta` where a dialect marks its thoughts with tokens of its own. There is no `finish`.
    """

    def __init__(self, tools: Tools | None = None, dialect: str | None = None) -> None:
        chosen = find_dialect(dialect)
        self._finder = _finder(dialect)
        self._scan = Scan(Offer(tools), dialect, self._finder.openers, CLOSERS)
        self._outbox = self._scan.outbox
        self._reader = self._scan.reader
        self._forms = frozenset(chosen.forms)
        self._blind = dialect is None
        self._line: str = ""
        self._parse = self._read()
        self._done = False

    def feed(self, chunk: str) -> list[StreamEvent]:
        """Take the next piece of the text."""
        if chunk and not self._done:
            self._reader.add(chunk)
            self._go_on()
        return self._outbox.drain()

    def close(self, *, cut: bool = False) -> list[StreamEvent]:
        """The text has ended: return what was held back. `cut`: at the model's length limit, so an open call is not
        to be run."""
        self._reader.ended = True
        self._scan.cut_off = cut
        if not self._done:
            self._go_on()
        return self._outbox.drain()

    def _go_on(self) -> None:
        try:
            next(self._parse)
        except StopIteration:
            self._done = True

    def _read(self) -> Parse[None]:
        yield from self._beginning()
        while True:
            found = yield from self._prose()
            if not found:
                return
            yield from self._candidate(found)

    def _beginning(self) -> Parse[None]:
        """White space before the first word waits for it: before a call it is nothing, else it is text."""
        yield from self._reader.skip_space()
        if "functionary" in self._forms and (yield from lines.functionary(self._scan, "")):
            yield from self._after_call()
            return
        if self._takes_headers() and (yield from self._reader.ahead(_TO)) and (yield from header(self._scan, "")):
            yield from self._after_call()
            return
        if not (yield from self._stands_marker()):
            self._moved(self._outbox.release())

    def _prose(self) -> Parse[str]:
        """Give out text up to the next thing that may begin a call, and return how it begins; "" at the end."""
        reader, finder = self._reader, self._finder
        while True:
            found = finder.line_start(self._line, reader.text, reader.at) or finder.search(reader.text, reader.at)
            if found:
                begins_line = found.group()[:1] in ("", " ", "\n")
                self._show((found.end() if begins_line else found.start()) - reader.at)
                # A longer one may begin with this one.
                return (yield from reader.ahead(finder.beginnings if begins_line else finder.markers))
            keep = 0 if reader.ended else finder.held(self._line, reader.text, reader.at)
            self._show(len(reader.text) - keep - reader.at)
            if reader.ended:
                return ""
            yield

    def _candidate(self, word: str) -> Parse[None]:
        """Something begins here that may be a call: `word` stands next in the text."""
        if word in (_FENCE, "~~~"):
            yield from self._fence()
        elif word == ">":
            self._show(1)
            yield from self._reader.until(_NEWLINE, self._pass)
        elif word in THINK_ENDS:
            self._show(len(word))
            self._line = ""
            yield from self._beginning()
        elif word in ("Observation:", "Final Answer:"):
            yield from self._react_word(word)
        elif word in MARKERS or self._moves_inside(word):
            quote = quoting(self._line)
            if quote:
                yield from self._quoted(word, quote)
            elif word in MARKERS:
                yield from self._marker(word)
            else:
                yield from self._judge(self._unmarked(word))
        else:
            yield from self._judge(self._unmarked(word))

    def _moves_inside(self, word: str) -> bool:
        """Whether `word` was found in the middle of a line."""
        return word in ("{", "[", ">>>") and bool(self._line.strip())

    def _unmarked(self, word: str) -> Parse[bool]:
        scan = self._scan
        if word == "Action:":
            return lines.action(scan)
        if word == "functools[":
            return lines.functools(scan)
        if word == ">>>":
            return lines.functionary(scan, word)
        return lines.bare(scan)

    def _marker(self, word: str) -> Parse[None]:
        kind = MARKERS[word][0]
        if kind == "result":
            yield from self._result(word)
        elif kind == "think":
            yield from self._thought(word)
        else:
            self._reader.take(len(word))
            yield from self._judge(marked(self._scan, word))

    def _judge(self, parse: Parse[bool]) -> Parse[None]:
        """Follow a parser to its end: it read a call, or what it took was text."""
        if (yield from parse):
            yield from self._after_call()
        else:
            self._moved(self._outbox.release() or "x")

    def _after_call(self) -> Parse[None]:
        """Pass over what belongs to a call and is no text: end tags, tokens, brackets too many, white space."""
        self._outbox.settle()
        reader = self._reader
        while True:
            char = yield from reader.skip_space()
            closer = yield from reader.ahead(CLOSERS)
            if closer or (char and char in "}]),;" and not (yield from reader.ahead(self._scan.openers))):
                reader.take(len(closer) or 1)
                self._outbox.settle()
            elif not char or (yield from self._stands_marker()):
                if not char:
                    self._outbox.settle()
                self._line = ""
                return
            else:
                self._moved(self._outbox.release() or "x")
                return

    def _stands_marker(self) -> Parse[bool]:
        return bool((yield from self._reader.ahead(self._finder.beginnings)))

    def _fence(self) -> Parse[None]:
        """Code is no call, unless the fence itself is the dialect, or holds one call and ends the text."""
        reader = self._reader
        own_line = not self._line.strip()
        if "fence" in self._forms and reader.text[reader.at] == "`":
            fence = yield from lines.fence(self._scan, alone=self._blind)
            if fence.called:
                yield from self._after_call()
                return
            self._moved("x")
            run, own_line = fence.open_run, own_line or fence.lined
        else:
            run = yield from reader.word(_RUN, LONGEST_LINE)
            yield from reader.word(_LABEL, LONGEST_LINE)
            own_line = own_line or (yield from reader.skip(_BLANKS)) == "\n"
            self._moved(self._outbox.release())
        if run and own_line:
            yield from self._code(run)
        elif run:
            # Code within a line: it ends with its run, or was none where the paragraph ends first.
            yield from reader.until(kept_markers((run, "\n\n")), self._pass)
            yield from reader.skip(_RUN)
            self._moved(self._outbox.release())

    def _code(self, run: str) -> Parse[None]:
        """Text up to the line that ends a fence."""
        reader = self._reader
        stops = kept_markers(tuple(f"\n{' ' * indent}{run}" for indent in range(4)))
        while stop := (yield from reader.until(stops, self._pass)):
            reader.take(len(stop))
            yield from reader.skip(_RUN)
            char = yield from reader.skip(_BLANKS)
            self._moved(self._outbox.release())
            if char in ("\n", ""):
                return

    def _quoted(self, word: str, quote: str) -> Parse[None]:
        """A marker that is only mentioned: neither it nor what it holds is a call."""
        self._show(len(word))
        end = MARKERS[word][1] if word in MARKERS else ""
        if quote[0] in "`<":
            stops = kept_markers((quote, "\n\n"))
        elif (yield from self._reader.peek()) == quote or not end:
            return
        else:
            stops = kept_markers((end, "\n\n", f"\n{word}"))
        yield from self._reader.until(stops, self._pass)

    def _result(self, word: str) -> Parse[None]:
        """A tool's result in the model's own text: made up behind a call, else quoted. It is not looked into."""
        if self._outbox.calls:
            yield from self._drop_rest()
            return
        self._show(len(word))
        yield from self._reader.until(kept_markers((MARKERS[word][1],)), self._pass)

    def _react_word(self, word: str) -> Parse[None]:
        if word == "Observation:" and self._outbox.calls:
            yield from self._drop_rest()
            return
        self._scan.answered = self._scan.answered or word == "Final Answer:"
        self._show(len(word))

    def _drop_rest(self) -> Parse[None]:
        yield from self._reader.until(_NOTHING, self._drop)

    def _thought(self, word: str) -> Parse[None]:
        """A call drafted in a thought is part of it, unless the thought never ends."""
        self._show(len(word))
        if self._scan.dialect in _CALLS_END_THOUGHT:
            return
        reader = self._reader
        stop = yield from reader.until(self._finder.in_thought, self._pass)
        if stop and stop not in THINK_ENDS:
            held: list[str] = []
            ended = yield from reader.until(kept_markers(THINK_ENDS), held.append)
            self._outbox.settle()
            if not ended:
                reader.push_back("".join(held))
                self._line = ""
                return
            self._pass("".join(held))

    def _show(self, count: int) -> None:
        """Give out the next characters as text."""
        if count:
            if self._outbox.pending:
                self._outbox.release()
            reader = self._reader
            piece = reader.text[reader.at : reader.at + count]
            reader.at += count
            self._outbox.say(piece)
            self._moved(piece)

    def _pass(self, piece: str) -> None:
        """Give out what was taken as text."""
        self._outbox.settle()
        self._outbox.say(piece)
        self._moved(piece)

    def _drop(self, piece: str) -> None:
        del piece
        self._outbox.settle()

    def _moved(self, piece: str) -> None:
        """Remember the line that the text has come to."""
        newline = piece.rfind("\n")
        if newline >= 0:
            self._line = piece[newline + 1 : newline + 1 + LONGEST_LINE]
        elif len(self._line) < LONGEST_LINE:
            self._line += piece[: LONGEST_LINE - len(self._line)]

    def _takes_headers(self) -> bool:
        return self._blind or self._scan.dialect in ("harmony", "muse_glimmer")


class _Finder:
    """Looks for whatever may begin a call, with one compiled pattern over the text."""

    def __init__(self, dialect: Dialect, blind: bool) -> None:
        anywhere = [] if blind else [word for form in dialect.forms for word in _ANYWHERE.get(form, ())]
        self.openers = Markers((*dialect.markers, *ALWAYS))
        self.markers = Markers((*dialect.markers, *ALWAYS, *anywhere, _FENCE, *THINK_ENDS))
        words = [word for word in _LINE_WORDS if word != "functools[" or "functools" in dialect.forms]
        chars = [char for char in _LINE_CHARS if char == ">" or {"object", "list", "python"} & set(dialect.forms)]
        self._words = Markers(words)
        self._line_words = Markers((*words, *chars))
        self.beginnings = Markers((*self.markers.texts, *self._line_words.texts))
        calls = (text for text in dialect.markers if MARKERS[text][0] not in _TEXTUAL)
        self.in_thought = Markers((*calls, *THINK_ENDS))
        line = self._line_words.pattern
        self._pattern = re.compile(rf"{self.markers.pattern}|\n {{0,3}}(?={line})")
        self._at_line = re.compile(rf" {{0,3}}(?={line})")

    def search(self, text: str, at: int) -> re.Match[str] | None:
        return self._pattern.search(text, at)

    def line_start(self, line: str, text: str, at: int) -> re.Match[str] | None:
        """What begins a line, where `line` is all that stands before it on the line."""
        if len(line) > 3 or line.strip(" "):
            return None
        found = self._at_line.match(text, at)
        return found if found and len(line) + found.end() - at <= 3 else None

    def held(self, line: str, text: str, at: int) -> int:
        """How many characters at the end may yet begin something."""
        held = self.markers.held(text, at)
        newline = text.rfind("\n", at)
        if newline < 0 and len(line) > 3 + self._words.longest:
            return held
        rest = text[newline + 1 :] if newline >= 0 else line + text[at:]
        word = rest.lstrip(" ")
        if word and len(rest) - len(word) <= 3 and self._words.may_begin(word):
            held = max(held, min(len(word), len(text) - at))
        return held


@cache
def _finder(dialect: str | None) -> _Finder:
    # Made once a dialect: to compile the patterns takes longer than to scan a short text.
    return _Finder(find_dialect(dialect), dialect is None)


def _problem(call: ToolCall) -> str:
    return str((call.metadata or {}).get("prompted", {}).get("problem", ""))


_ANYWHERE = {"object": ("{",), "list": ("[",), "python": ("[",), "functionary": (">>>",)}
_TEXTUAL = ("result", "think", "wrapper", "end", "citation", "thought")
_TO = Markers(("to=",))
_NEWLINE = Markers(("\n",))
_NOTHING = Markers(())
_RUN = re.compile(r"[`~]*")
_LABEL = re.compile(r"[\w+\-]*")
_BLANKS = re.compile(r"[ \t]*")
