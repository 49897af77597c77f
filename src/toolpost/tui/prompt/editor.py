"""The prompt of the full-screen chat: what Enter does, pasted texts and images, completion, history, an external
editor, and vim keys."""

from pathlib import Path

from textual import events, on
from textual.actions import SkipAction
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Static, TextArea

from toolpost.types.messages import FilePart
from toolpost.types.text import Language
from toolpost.view.words import words

from .completer import Completer
from .completion import CompletionList, CompletionSources
from .folded_texts import FoldedTexts, is_long, pasted_text
from .history import MAX_PROMPT, HistoryWalk, PromptHistory
from .text_area import PromptArea

# What is unfolded is wrapped and drawn: more would be felt at every key.
MAX_UNFOLDED = 100_000


class PromptEditor(Widget):
    """`folder` is where relative paths of images are looked for, `history` the file of former prompts."""

    DEFAULT_CSS = """
    PromptEditor {
        height: auto; width: 1fr; background: transparent; layout: vertical;
        & > Horizontal { height: auto; }
        & #prompt-mark { width: 2; }
        & #prompt-foot { height: 1; display: none; color: $text-muted; }
        &.-foot #prompt-foot { display: block; }
    }
    """
    BINDINGS = [
        Binding("enter", "send", "Send", show=False, id="prompt.send"),
        Binding("shift+enter,alt+enter,ctrl+j", "new_line", "New line", show=False, id="prompt.new_line"),
        Binding("tab,alt+q", "queue", "Queue", show=False, id="prompt.queue"),
        Binding("alt+p", "unfold", "Unfold pasted text", show=False, id="prompt.unfold"),
        Binding("ctrl+r", "search_history", "Search the history", show=False, id="prompt.search_history"),
        Binding("ctrl+g", "external_editor", "Edit in an editor", show=False, id="prompt.external_editor"),
    ]

    is_busy: reactive[bool] = reactive(False)
    """A run works: Enter steers it, and another key lets the prompt wait for its end."""

    class Submitted(Message):
        """A prompt to send. `is_steer` is for the run that works; without it, a prompt waits for the end of that."""

        def __init__(self, text: str, files: tuple[FilePart, ...], is_steer: bool) -> None:
            super().__init__()
            self.text = text
            self.files = files
            self.is_steer = is_steer

    def __init__(
        self,
        *,
        history: Path | None = None,
        folder: Path | None = None,
        language: Language = "en",
        vim: bool = False,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.folder = folder
        self._language: Language = language
        self._folded = FoldedTexts(language)
        self._history = PromptHistory(history)
        self._walk: HistoryWalk | None = None
        self._list = CompletionList()
        self._area = PromptArea(
            self._folded.spans,
            take_key=self._take_key,
            take_paste=self.paste,
            leave=self._leave,
            paste_image=lambda: None,
            style_line=lambda *_: None,
        )
        self._completer = Completer(self._area, self._list, self)

    def compose(self) -> ComposeResult:
        yield self._list
        with Horizontal():
            yield Static("›", id="prompt-mark", markup=False)
            yield self._area
        yield Static("", id="prompt-foot", markup=False)

    def on_mount(self) -> None:
        self._say_placeholder()

    # What the app uses.

    @property
    def draft(self) -> str:
        """The whole text, with the folded parts written out."""
        return self._folded.unfold(self._area.text)

    @draft.setter
    def draft(self, text: str) -> None:
        self.load(text)

    @property
    def area(self) -> PromptArea:
        return self._area

    def load(self, text: str) -> None:
        """Show a text to edit; one that is very long is folded."""
        text = pasted_text(text)
        self._area.load_text(self._folded.fold(text) if len(text) > MAX_UNFOLDED else text)
        self._area.move_cursor(self._area.document.end)
        self._completer.hush()

    def clear(self) -> None:
        self._walk = None
        self.load("")
        self._folded.forget()

    def use(self, sources: CompletionSources) -> None:
        self._completer.sources = sources

    def paste(self, text: str) -> None:
        """Insert a text as if it were pasted."""
        text = pasted_text(text)
        self._area.put(self._folded.fold(text) if is_long(text) else text)

    def focus(self, scroll_visible: bool = True) -> "PromptEditor":
        self._area.focus(scroll_visible)
        return self

    # Keys.

    def action_send(self) -> None:
        if self._area.before_cursor.endswith("\\"):
            self._area.action_delete_left()
            self._area.put("\n")
            return
        self._send(is_steer=self.is_busy)

    def action_queue(self) -> None:
        if not self.is_busy or not self._area.text.strip():
            raise SkipAction
        self._send(is_steer=False)

    def action_new_line(self) -> None:
        self._area.put("\n")

    def action_unfold(self) -> None:
        found = self._area.label_at_cursor()
        if found is None:
            raise SkipAction
        text = self._folded.text_of(self._area.get_text_range(*found))
        if text is None:
            return
        if len(text) > MAX_UNFOLDED:
            self._warn("prompt.tooLong")
            return
        self._area.replace(text, *found, maintain_selection_offset=False)

    def _send(self, *, is_steer: bool) -> None:
        text = self.draft.rstrip()
        if not text:
            return
        files = self._folded.files_in(self._area.text)
        self._history.add(text if len(text) <= MAX_PROMPT else self._area.text)
        self.clear()
        self.post_message(self.Submitted(text, files, is_steer))

    def _take_key(self, event: events.Key) -> bool:
        return self._completer.take_key(event)

    def _leave(self, by: int) -> bool:
        """Go through the history, from the first row upwards and from the last one downwards."""
        if self._walk is None:
            if by > 0:
                return False
            self._walk = HistoryWalk(self._history.entries(), self.draft)
        text = self._walk.step(by)
        if text is None:
            return False
        walk = self._walk
        self.load(text)
        if by < 0:
            self._area.move_cursor((0, len(self._area.document.get_line(0))))
        self._walk = walk
        return True

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._walk is not None and self.draft != self._walk.text:
            self._walk = None
        self._completer.update()

    @on(TextArea.SelectionChanged)
    def _moved(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        self._completer.moved()

    @on(CompletionList.Picked)
    def _picked(self, event: CompletionList.Picked) -> None:
        event.stop()
        self._completer.accept()

    # What is shown beside the text.

    def watch_is_busy(self) -> None:
        self._say_placeholder()

    def _say_placeholder(self) -> None:
        self._area.placeholder = words(
            "prompt.busy" if self.is_busy else "prompt.idle", self._language, send="Enter", queue="Tab"
        )

    def _warn(self, key: str, **values: object) -> None:
        self.app.notify(words(key, self._language, **values), severity="warning", markup=False)
