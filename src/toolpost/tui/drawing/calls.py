"""Draw the card of a call: how far it is, what it is about, and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import structs
from rich.segment import Segment
from textual.strip import Strip

from toolpost.view.argument_reader import ArgumentReader
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import CallItem, Item, SentAgent
from toolpost.view.results import TerminalResult, result_of
from toolpost.view.words import label_of, outcome_words, phase_words, seconds_words, subject_of, words

from .contract import Look
from .copied_text import CopiedLine
from .lines import (
    MIN_WIDTH,
    Line,
    OnDemand,
    Piece,
    Strips,
    TextLines,
    cells,
    copied_at,
    cut,
    first_change,
    goes_on,
    line_at,
    tidy,
    wrap,
)
from .marks import cost_words, in_folder, phase_mark
from .results import Parts, json_text, narrowed, result_parts, text_parts
from .terminal_output import TerminalLines

# The lines of a card stand below its label.
INDENT = 2
# What is seen of arguments while they are written.
WRITTEN_LINES = 3
# A longer argument says nothing on one line.
_MAX_SUBJECT = 400
_QUIET = frozenset({"done", "running", "preparing"})


class CallDrawing:
    """Only its first line is drawn while a call does nothing but take time."""

    def __init__(self, item: CallItem, look: Look) -> None:
        self._width = look.width
        self._look = structs.replace(look, width=max(look.width, MIN_WIDTH))
        self._inner = narrowed(self._look, INDENT)
        self._written = _WrittenArguments(self._inner)
        self._head: list[Line] = []
        self._body: Parts = []
        self._key: tuple[Any, ...] = ()
        self.update(item)

    @property
    def lines(self) -> Sequence[Strip]:
        return Strips(self._width, self._head, *(_Indented(part) for part in self._body))

    def copied(self, line: int) -> CopiedLine:
        return copied_at([self._head, *(_Indented(part) for part in self._body)], line)

    def update(self, item: Item, now: float = 0.0) -> int:
        assert isinstance(item, CallItem)
        before, total = self._head, len(self.lines)
        is_written = item.phase == "preparing" and item.raw is not None
        if not is_written or not self._written.goes_on(item):
            self._written = _WrittenArguments(self._inner)
        changed = self._written.read(item) if is_written else 1
        self._head = [_head(item, self._look, now, self._written.fields)]
        key = _key(item)
        if key == self._key:
            changed = total
        else:
            self._key = key
            last, self._body = self._body, list(self._parts(item))
            if not (is_written and self._look.is_expanded):
                changed = 1 + _first_changed_part(last, self._body)
        return changed if before == self._head else 0

    def _parts(self, item: CallItem) -> Iterator[Sequence[Line]]:
        look = self._inner
        if item.phase == "preparing":
            yield from self._written.parts
        elif look.is_expanded:
            yield from _argument_parts(item, look)
        if item.sub_agent is not None:
            yield [_sub_agent(item.sub_agent, look)]
        if item.has_ended:
            yield from _end_parts(item, look)
        elif item.output is not None:
            yield from _live_parts(item, look)
        for notice in item.notices:
            yield [line for text in notice.split("\n") for line in wrap([_notice(text, look)], look.width)]


def _key(item: CallItem) -> tuple[Any, ...]:
    """What the lines below the first depend on."""
    raw, output = item.raw, item.output
    return (
        *(item.phase, id(item.arguments), 0 if raw is None else len(raw)),
        *(None if output is None else (output.size, output.count), id(item.content)),
        *(item.error, item.sub_agent, id(item.details)),
    )


def _head(item: CallItem, look: Look, now: float, written: Mapping[str, str]) -> Line:
    style = look.palette.style
    mark, mark_style = phase_mark(item.phase, look)
    label = label_of(item.name, look.language, item.label)
    subject = item.title or subject_of(item.arguments if item.arguments is not None else written)
    behind: list[Piece] = []
    if item.has_ended and item.edits:
        added, removed = (sum(edit.added or 0 for edit in item.edits), sum(edit.removed or 0 for edit in item.edits))
        behind += [(f"  +{added}", style("added")), (f" -{removed}", style("removed"))]
    if item.phase not in _QUIET:
        behind.append((f"  {phase_words(item, look.language)}", style(mark_style)))
    seconds = item.duration or (now - item.started if item.phase == "running" and item.started and now else 0)
    if seconds > 0:
        behind.append((f"  {seconds_words(seconds)}", style("dim")))
    end = cut(behind, look.width // 2)
    front: list[Piece] = [(f"{mark} ", style(mark_style)), (tidy(label), style("strong"))]
    if subject:
        front.append(("  " + tidy(in_folder(subject.partition("\n")[0][:_MAX_SUBJECT], look)), style("text")))
    return (*cut(front, look.width - cells(end)), *end)


class _WrittenArguments:
    """The arguments while the model writes them: what is new is read and measured once."""

    def __init__(self, look: Look) -> None:
        self._look = look
        self._reader = ArgumentReader()
        self._raw = GrowingText()
        self._seen = 0
        self._taken: dict[str, int] = {}
        self._lines: dict[str, TextLines] = {}
        self.fields: dict[str, str] = {}

    def goes_on(self, item: CallItem) -> bool:
        return item.raw is not None and goes_on(self._raw, item.raw, self._seen)

    def read(self, item: CallItem) -> int:
        """Read on; gives the first line of an open card that is not as before, or one before that."""
        if item.raw is None:
            return 1
        new, self._raw, self._seen = item.raw.after(self._seen), item.raw, len(item.raw)
        self._reader.feed(new)
        at, changed = 1, None
        for name, value in self._reader.fields.items():
            if name not in self._lines:
                self._lines[name] = self._new_lines()
                changed = at if changed is None else changed
            lines = self._lines[name]
            at += 1
            taken, self._taken[name] = self._taken.get(name, 0), len(value)
            if len(value) > taken:
                first = at + lines.feed(value.after(taken))
                changed = first if changed is None else changed
                if len(value) <= _MAX_SUBJECT:
                    self.fields[name] = str(value)
            at += len(lines)
        return at if changed is None else changed

    def _new_lines(self) -> TextLines:
        style = self._look.palette.style("text" if self._look.is_expanded else "dim")
        return TextLines(self._look.width, style, (Segment("  "),))

    @property
    def parts(self) -> Parts:
        if not self._look.is_expanded:
            last = next(reversed(self._lines.values()), None)
            return [last[-WRITTEN_LINES:]] if last is not None and len(last) > 1 else []
        style = self._look.palette.style("dim")
        named = ((cut([(f"{tidy(name)}:", style)], self._look.width), lines) for name, lines in self._lines.items())
        return [part for head, lines in named for part in ([head], lines)]


def _argument_parts(item: CallItem, look: Look) -> Iterator[Sequence[Line]]:
    dim, text = look.palette.style("dim"), look.palette.style("text")
    if not item.arguments:
        written = str(item.raw) if item.raw is not None and item.arguments is None else ""
        yield from text_parts(written, look) if written else ()
        return
    for name, value in item.arguments.items():
        shown = value if isinstance(value, str) else json_text(value)
        if not isinstance(value, str) and len(shown) > look.width - len(name):
            shown = json_text(value, indent=2)
        if "\n" not in shown and len(shown) < 4 * look.width:
            yield wrap([(f"{tidy(name)}: ", dim), (tidy(shown), text)], look.width)
            continue
        yield [cut([(f"{tidy(name)}:", dim)], look.width)]
        lines = TextLines(look.width, text, (Segment("  "),))
        lines.feed(shown)
        yield lines


def _live_parts(item: CallItem, look: Look) -> Iterator[Sequence[Line]]:
    """The output of a call that runs: its end, or all that is kept of it."""
    output = item.output
    if output is None or not output.size:
        return
    kept = output.lines
    texts = [*kept.lines, *([output.unfinished] if output.unfinished else [])]
    if look.is_expanded:
        head = output.head_count if kept.left_out else len(texts)
        yield _terminal_lines(texts[:head], look)
        if kept.left_out:
            yield [_left_out(kept.left_out, look)]
            yield _terminal_lines(texts[head:], look)
        return
    shown = texts[-look.output_lines :]
    if (hidden := kept.left_out + len(texts) - len(shown)) > 0:
        yield [_left_out(hidden, look)]
    yield _terminal_lines(shown, look)[-look.output_lines :]


def _terminal_lines(texts: Sequence[str], look: Look) -> TerminalLines:
    lines = TerminalLines(look, look.palette.style("text" if look.is_expanded else "dim"))
    lines.feed("".join(f"{text}\n" for text in texts))
    return lines


def _left_out(count: int, look: Look) -> Line:
    return cut([("… " + words("lines.more", look.language, count=f"{count:,}"), look.palette.style("dim"))], look.width)


def _end_parts(item: CallItem, look: Look) -> Iterator[Sequence[Line]]:
    """What came of a call: its result, or why there is none, with the output up to then."""
    outcome = outcome_words(item, look.language)
    if not outcome:
        result = result_of(item)
        is_said = item.sub_agent is not None and not look.is_expanded
        if not is_said:
            yield from result_parts(result, look)
        return
    if item.output is not None and (look.is_expanded or not item.error or item.error.text == ""):
        yield from _live_parts(item, look)
    elif item.content:
        yield from result_parts(result_of(item), look)
    if "\n" in outcome and look.is_expanded:
        yield from result_parts(TerminalResult(outcome), look)
        return
    name = "error" if item.phase == "failed" else "warning"
    lines = [line for text in outcome.split("\n", 20)[:20] for line in wrap([_styled(text, name, look)], look.width)]
    yield lines if look.is_expanded else lines[: look.output_lines]


def _styled(text: str, name: Any, look: Look) -> Piece:
    return tidy(text), look.palette.style(name)


def _notice(text: str, look: Look) -> Piece:
    return f"! {tidy(text)}", look.palette.style("warning")


def _sub_agent(sent: SentAgent, look: Look) -> Line:
    mark = "↳ " if look.has_unicode else "> "
    name = tidy(sent.agent) or words("sub_agent.copy", look.language)
    told = [words("sub_agent.calls", look.language, count=sent.calls)]
    if sent.tokens:
        told.append(words("run.tokens", look.language, count=f"{sent.tokens:,}"))
    if sent.cost is not None:
        told.append(cost_words(sent.cost))
    if sent.ending and sent.ending != "done":
        told.append(tidy(sent.ending))
    pieces = [(mark + name, look.palette.style("accent")), ("  " + " · ".join(told), look.palette.style("dim"))]
    if sent.is_asking:
        pieces.append((f"  {words('stage.waiting', look.language)}", look.palette.style("warning")))
    return cut(pieces, look.width)


def _first_changed_part(before: Parts, after: Parts) -> int:
    """Up to where the parts have the same lines. What is drawn when it is looked at counts as changed."""
    at = 0
    for old, new in zip(before, after, strict=False):
        if not isinstance(old, list) or not isinstance(new, list):
            return at
        same = first_change(old, new)
        at += same
        if same < len(new) or same < len(old):
            return at
    return at


class _Indented(OnDemand[Line]):
    def __init__(self, lines: Sequence[Line]) -> None:
        self._lines = lines

    def __len__(self) -> int:
        return len(self._lines)

    def at(self, place: int) -> Line:
        return (Segment(" " * INDENT), *line_at([self._lines], place))

    def copied(self, place: int) -> CopiedLine:
        return copied_at([self._lines], place, INDENT)
