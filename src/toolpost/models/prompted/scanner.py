"""Find the tool calls in a model's text while it streams, in every dialect at once or in a chosen one.

Prose passes at once; only an ending that may begin a marker is held back. A call's own text is never given out as
text, unless it turns out not to be one: then it comes unchanged. However the text is cut, the same events come out.
"""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct

from toolpost.types.stream import ReasoningDelta, StreamEvent, TextDelta, ToolCall

from .dialects import lines
from .dialects.dispatch import marked
from .dialects.table import CLOSERS, MARKERS, THINK_ENDS, find_dialect
from .dialects.tokens import header
from .incremental_reader import Markers, Parse, Sink, kept_markers
from .opener_finder import FENCE, FINAL_ANSWER, OBSERVATION, finder_for
from .quoted_markers import MAX_LINE, mention, quoting
from .scan_state import Scan
from .tool_matching import OfferedTool, PromptedTools

Tools = Iterable[OfferedTool | Mapping[str, Any]]

# In these dialects a call in an unfinished thought ends the thought.
_CALLS_END_THOUGHT = ("kimi_k2", "qwen3_coder_xml")


class ExtractedCall(Struct, frozen=True):
    """A call that a text holds. `problem` says, in words for the model, why it cannot run."""

    name: str
    arguments: dict[str, Any]
    problem: str = ""


class Extraction(Struct, frozen=True):
    """What a text holds: its calls in order, the text around them, calls that cannot run because they cannot be read
    or name no tool on offer (each says why), and the model's thoughts."""

    calls: tuple[ExtractedCall, ...]
    text: str
    broken: tuple[ExtractedCall, ...] = ()
    reasoning: str = ""


def extract_calls(text: str, tools: Tools | None = None, dialect: str | None = None) -> Extraction:
    """Take the tool calls out of a whole text.

    `tools` are the tools on offer: only they can be called. They have a `name` and `parameters`, a JSON Schema, as
    attributes or as keys; definitions as OpenAI, Anthropic and MCP write them will do. None takes any name, where a
    marker says that it is a call. `dialect` is the name of the one to look for, such as `hermes` or `qwen3_coder_xml`;
    without it, all are recognised.
    """
    scanner = CallScanner(tools, dialect)
    events = scanner.feed(text) + scanner.close()
    calls = [event for event in events if isinstance(event, ToolCall)]
    problems = [scanner.problem(call) for call in calls]
    return Extraction(
        tuple(
            ExtractedCall(call.name, call.arguments)
            for call, problem in zip(calls, problems, strict=True)
            if not problem
        ),
        "".join(event.text for event in events if isinstance(event, TextDelta)),
        tuple(ExtractedCall(call.name, {}, problem) for call, problem in zip(calls, problems, strict=True) if problem),
        "".join(event.text for event in events if isinstance(event, ReasoningDelta)),
    )


class CallScanner:
    """Finds calls in text that comes in pieces. Give it each piece; it returns the stream events that are certain.

    They are those of a native model: `text-delta`, `reasoning-delta`, `tool-input-start`, `-delta` and `-end`, and
    `tool-call`; there is no `finish`. A call that cannot be read has its text in `raw`, no arguments, and says in
    `metadata["prompted"]["problem"]` how to put it right.
    """

    def __init__(self, tools: Tools | None = None, dialect: str | None = None, *, behind: str = "") -> None:
        """`behind` is the line so far, where the scan begins inside of one."""
        chosen = find_dialect(dialect)
        self._finder = finder_for(dialect)
        self._scan = Scan(PromptedTools(tools), dialect, self._finder.openers, CLOSERS)
        self._outbox = self._scan.outbox
        self._reader = self._scan.reader
        self._forms = frozenset(chosen.forms)
        self._thinks_until = chosen.thinks_until
        self._blind = dialect is None
        self._line = behind[:MAX_LINE]
        # Whether words stand on the line.
        self._worded = bool(_LETTER.search(self._line))
        self._thinking = False
        self._parse = self._read()
        self._done = False

    def feed(self, chunk: str) -> list[StreamEvent]:
        """Take the next piece of the text. Raises `RuntimeError` behind `close`: a scanner reads one text."""
        if chunk and self._done:
            raise RuntimeError("this CallScanner was closed; make a new one for the next text")
        if chunk:
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

    def problem(self, call: ToolCall) -> str:
        """Why a call that was found cannot run, in words for the model; "" if it can."""
        if not self._scan.offer.knows(call.name):
            return f"there is no tool {call.name}"
        return str((call.metadata or {}).get("prompted", {}).get("problem", "")) if call.raw else ""

    def _go_on(self) -> None:
        try:
            next(self._parse)
        except StopIteration:
            self._done = True

    def _read(self) -> Parse[None]:
        if not self._line:
            yield from self._beginning()
        if self._thinks_until and not (yield from self._reader.ahead(self._finder.openers)):
            # A stream cannot tell the thought from the answer; but a call in it is only drafted.
            self._thinking = True
            end = yield from self._muse((self._thinks_until,), self._pass)
            if end:
                yield from self._thought_ends(end)
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
            keep = 0 if reader.ended else finder.held(self._line, reader.text, reader.at)
            # One that begins before it and is not whole yet would go before it.
            if found and found.start() <= len(reader.text) - keep:
                begins_line = found.group()[:1] in ("", " ", "\n")
                self._show((found.end() if begins_line else found.start()) - reader.at)
                # A longer one may begin with this one.
                unmarked = begins_line or found.group() in ("{", "[")
                return (yield from reader.ahead(finder.beginnings if unmarked else finder.markers))
            self._show(len(reader.text) - keep - reader.at)
            if reader.ended:
                return ""
            yield

    def _candidate(self, word: str) -> Parse[None]:
        """Something begins here that may be a call: `word` stands next in the text."""
        if word in (FENCE, "~~~"):
            yield from self._fence()
        elif word == ">":
            self._show(1)
            yield from self._reader.until(_NEWLINE, self._pass)
        elif word in (OBSERVATION, FINAL_ANSWER):
            yield from self._react_word(word)
        elif word in ("{", "[") and not (yield from self._may_be_bare()):
            self._show(1)
        elif mentioned := (yield from self._mentioned(word)):
            self._pass(self._reader.take(mentioned), seen="x")
        elif word in THINK_ENDS:
            yield from self._thought_ends(word)
        elif word in MARKERS:
            yield from self._marker(word)
        else:
            yield from self._judge(self._unmarked(word))

    def _mentioned(self, word: str) -> Parse[int]:
        """How much of the text is a marker, and what it opens, that is only quoted."""
        quote = quoting(self._line)
        if not quote:
            return 0
        end = MARKERS[word][1] if word in MARKERS else ""

        def judge(text: str, last: bool) -> int | None:
            # Had the text not been cut off, the quote might have closed.
            open_end = last and self._scan.cut_off
            found = mention(text, quote, word, end, last and not open_end)
            return len(text) if found is None and open_end else found

        return (yield from self._reader.foresee(judge, MAX_LINE))

    def _may_be_bare(self) -> Parse[bool]:
        """Whether a bracket may begin a call: it begins a line or stands behind words, not in a list or in code."""
        begins_line = len(self._line) <= 3 and not self._line.strip()
        return not self._blind or begins_line or (self._worded and (yield from lines.worth_a_trial(self._scan)))

    def _unmarked(self, word: str) -> Parse[bool]:
        scan = self._scan
        if word in lines.ACTIONS:
            return lines.action(scan)
        if word == lines.FUNCTOOLS:
            return lines.functools(scan)
        if word == ">>>":
            return lines.functionary(scan, word)
        return lines.bare(scan, ending=self._blind and self._worded)

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
        """Drop what belongs to a call and is not text: end tags, tokens, brackets too many, white space."""
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
                self._line, self._worded = "", False
                return
            else:
                self._moved(self._outbox.release() or "x")
                return

    def _stands_marker(self) -> Parse[bool]:
        return bool((yield from self._reader.ahead(self._finder.beginnings)))

    def _fence(self) -> Parse[None]:
        """Code is a call only if the fence itself is the dialect, or is wholly one call and ends the text."""
        reader = self._reader
        own_line = not self._line.strip()
        if "fence" in self._forms and reader.text[reader.at] == "`":
            fence = yield from lines.fence(self._scan, alone=self._blind)
            if fence.called:
                yield from self._after_call()
                return
            run, lined = fence.open_run, fence.lined
        else:
            run = yield from reader.word(_RUN, MAX_LINE)
            yield from reader.word(_LABEL, MAX_LINE)
            lined = (yield from reader.skip(_BLANKS)) == "\n"
            self._outbox.release()
        self._moved("" if lined else run)
        if run and (lined or own_line):
            yield from self._code(run, lined=lined)

    def _code(self, run: str, *, lined: bool) -> Parse[None]:
        """Text up to the line that ends a fence, or to the end of the code that stands within the line."""
        reader = self._reader
        if not lined and (yield from reader.until(kept_markers((run, "\n")), self._pass)) == run:
            yield from reader.skip(_RUN)
            self._moved(self._outbox.release())
            return
        stops = kept_markers(tuple(f"\n{' ' * indent}{run}" for indent in range(4)))
        while stop := (yield from reader.until(stops, self._pass)):
            reader.take(len(stop))
            yield from reader.skip(_RUN)
            char = yield from reader.skip(_BLANKS)
            self._moved(self._outbox.release())
            if char in ("\n", ""):
                return

    def _result(self, word: str) -> Parse[None]:
        """A tool's result in the model's own text: made up behind a call, else quoted. It is not looked into."""
        if self._outbox.calls:
            yield from self._drop_rest()
            return
        self._show(len(word))
        yield from self._reader.until(kept_markers((MARKERS[word][1],)), self._pass)

    def _react_word(self, word: str) -> Parse[None]:
        if word == OBSERVATION and self._outbox.calls:
            yield from self._drop_rest()
            return
        self._scan.answered = self._scan.answered or word == FINAL_ANSWER
        self._show(len(word))

    def _drop_rest(self) -> Parse[None]:
        yield from self._reader.until(_NOTHING, self._drop)

    def _thought(self, word: str) -> Parse[None]:
        """A thought, where it begins a line, is not text. A call drafted in it is part of it, unless it never ends."""
        if self._line.strip():
            self._show(len(word))
            yield from self._muse(THINK_ENDS, self._pass)
            return
        self._reader.take(len(word))
        self._outbox.settle()
        self._thinking = True
        end = yield from self._muse(THINK_ENDS, self._think)
        if end:
            yield from self._thought_ends(end)

    def _thought_ends(self, end: str) -> Parse[None]:
        """Drop what ends a thought, unless text came before it and the beginning of the thought was not seen."""
        if self._thinking or not self._outbox.spoke:
            self._reader.take(len(end))
            # The blank lines between the thought and the answer belong to neither.
            yield from self._reader.skip_space()
            self._outbox.settle()
        else:
            self._show(len(end))
        self._thinking = False
        self._line, self._worded = "", False
        yield from self._beginning()

    def _muse(self, ends: tuple[str, ...], sink: Sink) -> Parse[str]:
        """Give a thought to `sink`; return what ends it, which is not taken. "" where a call ends it, or the text."""
        reader = self._reader
        stop = yield from reader.until(self._finder.in_thought, sink)
        if stop in ends or self._scan.dialect in _CALLS_END_THOUGHT:
            return stop if stop in ends else ""
        held: list[str] = []
        end = yield from reader.until(kept_markers(ends), held.append)
        self._outbox.settle()
        # Had the text not been cut off, the thought might have ended.
        if end or self._scan.cut_off:
            sink("".join(held))
        else:
            reader.push_back("".join(held))
            self._line, self._worded = "", False
        return end

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

    def _pass(self, piece: str, *, seen: str = "") -> None:
        """Give out what was taken as text; `seen` stands for it in the line."""
        self._outbox.settle()
        self._outbox.say(piece)
        self._moved(seen or piece)

    def _think(self, piece: str) -> None:
        """Give out what was taken as a thought."""
        self._outbox.settle()
        self._outbox.think(piece)

    def _drop(self, piece: str) -> None:
        del piece
        self._outbox.settle()

    def _moved(self, piece: str) -> None:
        """Remember the line that the text has come to."""
        newline = piece.rfind("\n")
        if newline >= 0:
            self._line = piece[newline + 1 : newline + 1 + MAX_LINE]
            self._worded = bool(_LETTER.search(self._line))
        elif len(self._line) < MAX_LINE:
            self._line += piece[: MAX_LINE - len(self._line)]
            self._worded = self._worded or bool(_LETTER.search(piece))

    def _takes_headers(self) -> bool:
        return self._blind or self._scan.dialect in ("harmony", "muse_glimmer")


_TO = Markers(("to=",))
_NEWLINE = Markers(("\n",))
_NOTHING = Markers(())
_LETTER = re.compile(r"[^\W\d_]")
_RUN = re.compile(r"[`~]*")
_LABEL = re.compile(r"[\w+\-]*")
_BLANKS = re.compile(r"[ \t]*")
