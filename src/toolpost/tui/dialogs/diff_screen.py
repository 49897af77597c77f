"""Diffs on the whole screen: of one file after the other, unified or side by side, with search and the whole file."""

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from msgspec import Struct, structs
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Resize
from textual.message import Message
from textual.screen import ModalScreen
from textual.widgets import Input

from toolpost.control.contract import ChangedFileDiff
from toolpost.tui.drawing.contract import Look
from toolpost.tui.drawing.diffs import SIDE_BY_SIDE_WIDTH, DiffLines
from toolpost.tui.keys import KeyMap, bind, load_keys
from toolpost.types.errors import ToolpostError
from toolpost.view.approvals import DiffPreview
from toolpost.view.diff import DiffHunk, compare_texts, counts, read_diff
from toolpost.view.escape_codes import exact, exact_line
from toolpost.view.words import words

from .line_input import LineInput
from .line_view import LineView
from .text_lines import DialogLines, cut

# Gives the text of a file before and after, to show all of it.
Whole = Callable[[str], Awaitable[tuple[str, str]]]


class DiffFile(Struct, frozen=True):
    """`note` is what no diff shows."""

    path: str
    hunks: tuple[DiffHunk, ...]
    note: str = ""


def changed_files(changes: Sequence[ChangedFileDiff]) -> tuple[DiffFile, ...]:
    return tuple(DiffFile(change.path, read_diff(change.diff), change.note) for change in changes)


def preview_files(preview: DiffPreview) -> tuple[DiffFile, ...]:
    """The files of a preview: that which it names, or those that the hunks of a patch name."""
    files: dict[str, list[DiffHunk]] = {}
    path = preview.path
    for hunk in preview.hunks:
        path = preview.path or hunk.path or path
        files.setdefault(path, []).append(hunk)
    return tuple(DiffFile(path, tuple(hunks)) for path, hunks in files.items())


class ScrolledScreen(ModalScreen[None]):
    """A screen of lines that keys scroll: those of the view with the id `body`."""

    DEFAULT_CSS = """
    ScrolledScreen {
        background: ansi_default;
        color: ansi_default;
        layout: vertical;
        #body { height: 1fr; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("diff.up", "scroll_by(-1)"),
        bind("diff.down", "scroll_by(1)"),
        bind("diff.page_up", "scroll_pages(-1)"),
        bind("diff.page_down", "scroll_pages(1)"),
        bind("diff.first", "scroll_by(-1000000000)"),
        bind("diff.last", "scroll_by(1000000000)"),
        bind("diff.close", "close"),
    ]

    @property
    def _view(self) -> LineView:
        return self.query_one("#body", LineView)

    def action_scroll_by(self, by: int) -> None:
        self._view.go_to(self._view.scroll_y + by)

    def action_scroll_pages(self, by: int) -> None:
        self.action_scroll_by(by * max(1, self._view.size.height - 1))

    def action_close(self) -> None:
        self.dismiss(None)


class DiffScreen(ScrolledScreen):
    """`whole` gives the texts of a file, where they can be had; a `ToolpostError` of it is shown."""

    DEFAULT_CSS = """
    DiffScreen #diff-search { display: none; }
    """
    # The line for the search is there only once it is asked for.
    AUTO_FOCUS = ""
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("diff.layout"),
        bind("diff.whole"),
        bind("diff.next_change", "step_change(1)"),
        bind("diff.previous_change", "step_change(-1)"),
        bind("diff.next_file", "step_file(1)"),
        bind("diff.previous_file", "step_file(-1)"),
        bind("diff.search"),
        bind("diff.next_match", "step_match(1)"),
        bind("diff.previous_match", "step_match(-1)"),
        bind("diff.copy"),
    ]

    class Copied(Message):
        """A person wants this text in the clipboard."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(
        self,
        files: Sequence[DiffFile],
        look: Look,
        *,
        at: int = 0,
        whole: Whole | None = None,
        keys: KeyMap | None = None,
    ) -> None:
        super().__init__()
        self._files, self._look, self._whole, self._keys = tuple(files), look, whole, keys or load_keys()
        self._at = at
        # What a person chose; None: as the width says.
        self._is_split: bool | None = None
        self._whole_hunks: tuple[DiffHunk, ...] | None = None
        self._changes: tuple[int, ...] = ()
        # The change that was stepped to, and the line that was the first in sight then.
        self._stepped = (-1, -1)
        self._matches: list[int] = []
        self._match = -1
        self._said = ""

    def compose(self) -> ComposeResult:
        yield LineView(self._head, id="diff-head")
        yield LineView(self._body, id="body")
        yield LineInput(id="diff-search")
        yield LineView(self._hint, id="diff-hint")

    def on_mount(self) -> None:
        self._input.placeholder = words("diff.search", self._look.language)

    def on_resize(self, event: Resize) -> None:
        self._draw_edges()
        self.call_after_refresh(self._search, self._input.value)

    @property
    def file(self) -> DiffFile | None:
        return self._files[self._at] if self._files else None

    @property
    def is_split(self) -> bool:
        """Whether both sides stand beside each other."""
        return self.size.width >= SIDE_BY_SIDE_WIDTH if self._is_split is None else self._is_split

    @property
    def _input(self) -> Input:
        return self.query_one("#diff-search", Input)

    # Drawing.

    def _draw_all(self, *, is_same: bool = False) -> None:
        self._view.show(self._body, is_same=is_same)
        self._stepped = (-1, -1)
        self._search(self._input.value)

    def _draw_edges(self) -> None:
        self.query_one("#diff-head", LineView).show(self._head)
        self.query_one("#diff-hint", LineView).show(self._hint)

    def _body(self, width: int) -> DialogLines:
        file = self.file
        if file is None:
            return self._message(words("diff.none", self._look.language), width)
        hunks = self._whole_hunks if self._whole_hunks is not None else file.hunks
        look = structs.replace(self._look, width=width)
        form = "beside" if self.is_split else "unified"
        drawn = DiffLines(hunks, look, form=form, is_exact=True, path=file.path)
        lines = self._message(exact(file.note), width) if file.note else DialogLines()
        self._changes = tuple(at + len(lines) for at in drawn.changes)
        lines.join(drawn)
        return lines

    def _message(self, text: str, width: int) -> DialogLines:
        lines = DialogLines()
        lines.wrap(text, self._look.palette.style("dim"), width)
        return lines

    def _head(self, width: int) -> DialogLines:
        lines, style, language = DialogLines(), self._look.palette.style, self._look.language
        file = self.file
        if file is None:
            return lines
        added, removed = counts(file.hunks)
        lines.wrap(exact_line(file.path), style("heading"), width)
        pieces = [(f"+{added} ", style("added")), (f"-{removed}", style("removed"))]
        facts = [words("diff.split" if self.is_split else "diff.unified", language)]
        if len(self._files) > 1:
            facts.insert(0, words("diff.file", language, at=self._at + 1, count=len(self._files)))
        if self._whole_hunks is not None:
            facts.append(words("diff.whole", language))
        used = len(f"+{added} -{removed}")
        lines.add(*pieces, (cut(" · " + " · ".join(facts), max(0, width - used)), style("dim")))
        return lines

    def _hint(self, width: int) -> DialogLines:
        lines, style, shown, language = DialogLines(), self._look.palette.style, self._keys.shown, self._look.language
        if self._said:
            lines.add((cut(self._said, width), style("warning")))
            return lines
        names = ["next_change", "layout", "search", "copy", "close"]
        if len(self._files) > 1:
            names.insert(1, "next_file")
        if self._whole is not None:
            names.insert(1, "whole")
        hints = [f"{shown(f'diff.{name}')} {words(f'keys.diff.{name}', language)}" for name in names]
        lines.add((cut(" · ".join(hints), width), style("dim")))
        return lines

    def _say(self, text: str) -> None:
        self._said = exact_line(text)
        self._draw_edges()

    # Keys.

    def action_layout(self) -> None:
        self._is_split = not self.is_split
        self._say("")
        self._draw_all()

    async def action_whole(self) -> None:
        file = self.file
        if file is None or self._whole is None:
            return
        if self._whole_hunks is not None:
            self._whole_hunks = None
        else:
            try:
                before, after = await self._whole(file.path)
            except ToolpostError as error:
                self._say(words("diff.wholeFailed", self._look.language, text=str(error)))
                return
            self._whole_hunks = compare_texts(before, after, context=None)
        self._say("")
        self._draw_all()
        self.action_step_change(1)

    def action_step_file(self, by: int) -> None:
        if len(self._files) > 1:
            self._at = (self._at + by) % len(self._files)
            self._whole_hunks = None
            self._say("")
            self._draw_all()

    def action_step_change(self, by: int) -> None:
        if not self._changes:
            return
        top = round(self._view.scroll_y)
        at, seen_at = self._stepped
        if seen_at != top or at < 0:
            # Scrolled by hand since: the change above the first line in sight is where a person is.
            at = sum(line <= top for line in self._changes) - 1
            at += 1 if by < 0 and at >= 0 and self._changes[at] < top else 0
        at = max(0, min(at + by, len(self._changes) - 1))
        self._view.go_to(self._changes[at] - 1)
        self._stepped = (at, round(self._view.scroll_y))
        self._say(words("diff.hunk", self._look.language, at=at + 1, count=len(self._changes)))

    def action_search(self) -> None:
        self._input.display = True
        self.set_focus(self._input)

    def action_step_match(self, by: int) -> None:
        if self._matches:
            self._go_to_match((self._match + by) % len(self._matches))

    def action_copy(self) -> None:
        if self.file is not None:
            text = unified_text(self.file)
            self.post_message(self.Copied(text))
            self._say(words("diff.copied", self._look.language, count=text.count("\n")))

    def action_close(self) -> None:
        if self._input.display:
            self._leave_search()
        else:
            self.dismiss(None)

    # Search.

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._say("")
        self._search(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """The matches stay marked, and the keys are those of the diff again."""
        event.stop()
        self.set_focus(None)
        if not event.value:
            self._leave_search()

    def _leave_search(self) -> None:
        self.set_focus(None)
        self._input.display = False
        self._input.value = ""

    def _search(self, text: str) -> None:
        lines, wanted = self._view.lines, text.lower()
        self._matches, self._match = [], -1
        if wanted and isinstance(lines, DialogLines):
            self._matches = [at for at in range(len(lines)) if wanted in lines.text(at).lower()]
        self._view.mark(wanted, self._look.palette.style("match"))
        if self._matches:
            top = round(self._view.scroll_y)
            self._go_to_match(next((at for at, line in enumerate(self._matches) if line >= top), 0))
        elif wanted:
            self._say(words("diff.noMatch", self._look.language, text=text))

    def _go_to_match(self, at: int) -> None:
        self._match = at
        line, top = self._matches[at], round(self._view.scroll_y)
        if not top <= line < top + self._view.size.height:
            self._view.go_to(line - self._view.size.height // 2)
        self._say(words("diff.matches", self._look.language, at=at + 1, count=len(self._matches)))


def unified_text(file: DiffFile) -> str:
    """The diff as a text that other programs read, as far as its hunks have numbers."""
    lines = [f"--- {file.path}", f"+++ {file.path}"]
    for hunk in file.hunks:
        olds = [line.old for line in hunk.lines if line.old is not None]
        news = [line.new for line in hunk.lines if line.new is not None]
        if olds or news:
            old, new = olds[0] if olds else 0, news[0] if news else 0
            lines.append(f"@@ -{old},{len(olds)} +{new},{len(news)} @@ {hunk.heading}".rstrip())
        else:
            lines.append(f"@@ {hunk.heading}".rstrip())
        for line in hunk.lines:
            lines.append(line.sign + line.text)
            if line.is_unended:
                lines.append("\\ No newline at end of file")
    return "\n".join([*lines, ""])
