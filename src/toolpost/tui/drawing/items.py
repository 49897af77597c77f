"""Draw the items of a transcript: what a person sees of each kind, as lines of cells."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from msgspec import structs
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from toolpost.types.messages import FilePart
from toolpost.view.growing_text import GrowingText
from toolpost.view.items import (
    ApprovalItem,
    CallItem,
    CompactionItem,
    FileItem,
    Item,
    NoticeItem,
    PromptItem,
    QuestionItem,
    ReasoningItem,
    RunEndItem,
    TextItem,
)
from toolpost.view.words import end_words, notice_words, seconds_words, words

from .calls import CallDrawing
from .contract import Drawing, Look, StyleName
from .copied_text import CopiedLine
from .inline import link_style
from .lines import MIN_WIDTH, Line, RuledLines, Strips, copied_at, cut, first_change, goes_on, shifted, tidy, wrap
from .markdown import MarkdownLines
from .marks import cost_words, fold_mark
from .results import file_line

# A longer prompt is folded to so many lines.
PROMPT_LINES = 12
# What is seen of reasoning while it goes on.
THINKING_LINES = 3
MAX_SOURCES = 8
_PROBLEMS = frozenset({"window_full", "retry", "compaction_failed"})


def draw_item(item: Item, look: Look) -> Drawing:
    """The drawing of an item, of whatever kind."""
    inner = structs.replace(look, width=max(look.width, MIN_WIDTH))
    match item:
        case TextItem():
            return _MarkdownDrawing(item, look)
        case ReasoningItem():
            return _ReasoningDrawing(item, look)
        case CallItem():
            return CallDrawing(item, look)
        case _:
            return _ShortDrawing(item, look, partial(_short_lines, look=inner))


class _ShortDrawing:
    """An item that is drawn anew each time: it is short, or changes seldom."""

    def __init__(self, item: Item, look: Look, draw: Callable[[Item, float], list[Line]]) -> None:
        self._width = look.width
        self._draw = draw
        self._lines = draw(item, time.time())

    @property
    def lines(self) -> Sequence[Strip]:
        return Strips(self._width, self._lines)

    def copied(self, line: int) -> CopiedLine:
        return copied_at([self._lines], line)

    def update(self, item: Item, now: float = 0.0) -> int:
        before, self._lines = self._lines, self._draw(item, now or time.time())
        return first_change(before, self._lines)


class _MarkdownDrawing:
    """What the model says: only what is new of it is drawn."""

    def __init__(self, item: TextItem, look: Look) -> None:
        self._width = look.width
        self._look = look
        self._source = GrowingText()
        self._seen = 0
        self._markdown = MarkdownLines(look)
        self.update(item)

    @property
    def lines(self) -> Sequence[Strip]:
        return Strips(self._width, *self._markdown.parts)

    def copied(self, line: int) -> CopiedLine:
        return copied_at(self._markdown.parts, line)

    def update(self, item: Item, now: float = 0.0) -> int:
        assert isinstance(item, TextItem)
        source = item.source
        if not goes_on(self._source, source, self._seen):
            self._seen, self._markdown = 0, MarkdownLines(self._look)
        new, self._source, self._seen = source.after(self._seen), source, len(source)
        return self._markdown.feed(new)


class _ReasoningDrawing:
    """A line that says how long it took; open: all of it; while it goes on: its end."""

    def __init__(self, item: ReasoningItem, look: Look) -> None:
        self._look = look
        self._source = GrowingText()
        self._seen = 0
        self._head: list[Line] = []
        self._last: list[Line] = []
        self._markdown = MarkdownLines(look, style="reasoning", indent=2)
        self.update(item)

    @property
    def lines(self) -> Sequence[Strip]:
        if self._look.is_expanded:
            return Strips(self._look.width, self._head, *self._markdown.parts)
        return Strips(self._look.width, self._head, self._last)

    def copied(self, line: int) -> CopiedLine:
        return copied_at([self._head, *self._markdown.parts] if self._look.is_expanded else [self._head], line)

    def update(self, item: Item, now: float = 0.0) -> int:
        assert isinstance(item, ReasoningItem)
        before = self._head
        self._head = [_reasoning_head(item, self._look)]
        if self._look.is_expanded:
            source = item.source
            if not goes_on(self._source, source, self._seen):
                self._seen, self._markdown, before = 0, MarkdownLines(self._look, style="reasoning", indent=2), []
            new, self._source, self._seen = source.after(self._seen), source, len(source)
            changed = self._markdown.feed(new) + len(self._head)
            return changed if before == self._head else 0
        last, self._last = self._last, self._end_of(item)
        return first_change([*before, *last], [*self._head, *self._last])

    def _end_of(self, item: ReasoningItem) -> list[Line]:
        if not _is_thinking(item):
            return []
        width = max(self._look.width, MIN_WIDTH) - 2
        end = item.source.after(max(0, len(item.source) - width * (THINKING_LINES + 1)))
        style = self._look.palette.style("reasoning")
        lines = [line for text in end.split("\n") if text.strip() for line in wrap([(tidy(text), style)], width)]
        return [(Segment("  "), *line) for line in lines[-THINKING_LINES:]]


def _is_thinking(item: ReasoningItem) -> bool:
    return not item.ended and not item.is_finished


def _reasoning_head(item: ReasoningItem, look: Look) -> Line:
    if _is_thinking(item):
        text = words("message.thinking", look.language)
    elif item.seconds is None:
        text = words("message.thoughtShort", look.language)
    else:
        text = words("message.thought", look.language, seconds=max(1, round(item.seconds)))
    style = look.palette.style("reasoning")
    return cut([(fold_mark(look), style), (text, style)], max(look.width, MIN_WIDTH))


def _short_lines(item: Item, now: float, look: Look) -> list[Line]:
    match item:
        case PromptItem():
            return _prompt_lines(item, look)
        case FileItem():
            return [file_line(item.file or FilePart(item.mime, name=item.name), look, is_whole=item.file is not None)]
        case ApprovalItem():
            return [_waiting(item.title or " ".join((item.permission, *item.patterns)), item, look)]
        case QuestionItem():
            return [_waiting(field.question, item, look) for field in item.fields]
        case NoticeItem():
            return list(_notice_lines(item, now, look))
        case CompactionItem():
            return list(_compaction_lines(item, look))
        case RunEndItem():
            return list(_end_lines(item, look))
        case _:
            raise TypeError(f"{item.kind} is not drawn here")


def _prompt_lines(item: PromptItem, look: Look) -> RuledLines:
    style, dim = look.palette.style("prompt"), look.palette.style("dim")
    mark = "❯ " if look.has_unicode else "> "
    texts = item.text.strip("\n").split("\n")
    left_out = 0
    if not look.is_expanded and len(texts) > PROMPT_LINES + 2:
        left_out = len(texts) - PROMPT_LINES
        texts = texts[:PROMPT_LINES]
    lines = _marked(mark, "\n".join(texts), style, look)
    if not look.is_expanded and len(lines) > PROMPT_LINES + 2 and not left_out:
        left_out = len(lines) - PROMPT_LINES
        lines.keep(PROMPT_LINES)
    for line in _below_prompt(item, left_out, look, dim):
        lines.put(line)
    return lines


def _below_prompt(item: PromptItem, left_out: int, look: Look, dim: Style) -> Iterator[Line]:
    if left_out:
        more = words("lines.more", look.language, count=f"{left_out:,}")
        yield cut([(f"  … {more}", dim)], look.width)
    if item.is_steered:
        yield cut([("  " + words("message.steered", look.language), dim)], look.width)
    for file in item.files:
        yield (*cut([("  ", dim)], 2), *file_line(file, structs.replace(look, width=look.width - 2)))
    yield from _source_lines(item, look)


def _source_lines(item: PromptItem, look: Look) -> Iterator[Line]:
    if not item.sources:
        return
    dim = look.palette.style("dim")
    yield cut([("  " + words("message.sources", look.language), dim)], look.width)
    for link in item.sources if look.is_expanded else item.sources[:MAX_SOURCES]:
        title = tidy(link.title or link.url)
        yield cut([("  - ", dim), (title, link_style(look, link.url))], look.width)
    if not look.is_expanded and (more := len(item.sources) - MAX_SOURCES) > 0:
        yield cut([("    … " + words("lines.more", look.language, count=more), dim)], look.width)


def _waiting(text: str, item: ApprovalItem | QuestionItem, look: Look) -> Line:
    """That it waits. What is decided on is shown whole where it is answered."""
    style = look.palette.style("warning")
    agent = f"{item.agent}: " if item.agent else ""
    state = words("stage.waiting" if item.kind == "approval" else "state.waiting", look.language)
    if item.state != "open":
        known = item.state if item.state in ("once", "always", "reject") else ""
        state = words(f"approval.answered.{known}" if known else "tool.states.approval-responded", look.language)
    subject = tidy(f"{agent}{text}".partition("\n")[0])
    return cut([("? ", style), (state, style), ("  " + subject, look.palette.style("text"))], look.width)


def _notice_lines(item: NoticeItem, now: float, look: Look) -> Iterator[Line]:
    name: StyleName = "warning" if item.code in _PROBLEMS or item.error is not None else "dim"
    style = look.palette.style(name)
    mark = ("! " if name == "warning" else "· ") if look.has_unicode else "* "
    yield from _marked(mark, notice_words(item, look.language, now), style, look)
    if look.is_expanded and item.error is not None:
        yield from _marked("  ", item.error.message, look.palette.style("dim"), look)


def _marked(mark: str, text: str, style: Style, look: Look) -> RuledLines:
    """A text with a mark before it, which is not copied."""
    lines = RuledLines()
    wrapped = wrap([("\n".join(map(tidy, text.split("\n"))), style)], look.width - 2)
    for number, line in enumerate(wrapped):
        before = cut([("  " if number else mark, style)], 2)
        lines.put((*before, *line), shifted(wrapped.copied(number), 2))
    return lines


def _compaction_lines(item: CompactionItem, look: Look) -> Iterator[Line]:
    border = look.palette.style("border")
    rule = "─" if look.has_unicode else "-"
    text = words("message.compacted", look.language, tokens=f"{item.tokens:,}")
    head = cut([(rule * 2 + " ", border), (text, look.palette.style("dim")), (" ", border)], look.width)
    rest = look.width - sum(segment.cell_length for segment in head)
    yield (*head, *cut([(rule * rest, border)], look.width))
    if look.is_expanded and item.summary:
        markdown = MarkdownLines(look, style="dim", indent=2)
        markdown.feed(item.summary)
        for part in markdown.parts:
            yield from part


def _end_lines(item: RunEndItem, look: Look) -> Iterator[Line]:
    name: StyleName = "error" if item.reason == "error" else "dim" if item.reason == "done" else "warning"
    text = end_words(item, look.language)
    if text:
        mark = {"error": "✗ ", "warning": "■ "}.get(name, "· ") if look.has_unicode else "! "
        yield from _marked(mark, text, look.palette.style(name), look)
    if item.error is not None and item.error.message not in text and (look.is_expanded or item.reason == "error"):
        yield from _marked("  ", item.error.message, look.palette.style("dim"), look)
    taken = " · ".join(_taken(item, look))
    if taken:
        mark = "  " if text else "✓ " if look.has_unicode else "= "
        mark_style = look.palette.style("dim" if text else "success")
        yield cut([(mark, mark_style), (taken, look.palette.style("dim"))], look.width)


def _taken(item: RunEndItem, look: Look) -> Iterator[str]:
    """What a run took."""
    if item.steps:
        yield words("run.steps", look.language, count=item.steps)
    tokens = item.usage.input + item.usage.output
    if tokens:
        yield words("run.tokens", look.language, count=f"{tokens:,}")
    if item.cost is not None:
        yield cost_words(item.cost)
    if item.seconds is not None:
        yield seconds_words(item.seconds)
