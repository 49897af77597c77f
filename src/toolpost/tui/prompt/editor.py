"""The prompt of the full-screen chat: what Enter does, pasted texts and images, completion, history, an external
editor, and vim keys."""

import asyncio
import os
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

from rich.text import Text
from textual import events, on
from textual.actions import SkipAction
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.reactive import reactive
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static, TextArea

from toolpost.control.file_parts import UnusableImage, dropped_images, mentioned_images
from toolpost.tui.keys import bind
from toolpost.types.messages import FilePart
from toolpost.types.text import Language
from toolpost.view.words import words

from .clipboard import NoClipboardProgram, clipboard_image
from .completer import Completer
from .completion import CompletionList, CompletionSources
from .external_editor import edit_in, find_editor
from .folded_texts import FoldedTexts, is_long, pasted_text
from .history import MAX_PROMPT, HistoryWalk, PromptHistory
from .history_search import HistorySearch
from .key_bursts import WAIT_SECONDS, KeyBursts
from .text_area import PromptArea
from .vim_keys import VimKeys

# What is unfolded is wrapped and drawn: more would be felt at every key.
MAX_UNFOLDED = 20_000
SHELL = "!"


class PromptEditor(Widget):
    """`folder` is where relative paths of images are looked for, `history` the file of former prompts. Every key can be
    given to another action by the id of its binding, with `App.set_keymap`.

    `guards_keys`: an Enter that comes as fast as a paste is a line break. By default not without a terminal, where
    every key comes from a program.
    """

    DEFAULT_CSS = """
    PromptEditor {
        height: auto; width: 1fr; background: transparent; layout: vertical;
        & > Horizontal { height: auto; }
        & #prompt-mark { width: 2; }
        & #prompt-foot { height: 1; display: none; color: $text-muted; }
        &.-foot #prompt-foot { display: block; }
        &.-shell #prompt-mark { color: $warning; text-style: bold; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("prompt.send"),
        bind("prompt.new_line"),
        bind("prompt.queue"),
        bind("prompt.unfold"),
        bind("prompt.search_history"),
        bind("prompt.external_editor"),
    ]

    is_busy: reactive[bool] = reactive(False)
    """A run works: Enter steers it, and another key lets the prompt wait for its end."""
    is_elsewhere: reactive[bool] = reactive(False)
    """The run that works is in a process that takes no prompts from here."""
    vim: reactive[bool] = reactive(False)

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
        environ: Mapping[str, str] = os.environ,
        guards_keys: bool | None = None,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self.folder = folder
        self._environ = environ
        self._guards_keys = guards_keys
        self._language: Language = language
        self._folded = FoldedTexts(language)
        self._history = PromptHistory(history)
        self._walk: HistoryWalk | None = None
        self._search: HistorySearch | None = None
        self._bursts = KeyBursts()
        self._held_enter: Timer | None = None
        self._is_shown = False
        # Prompts are sent in the order in which they were typed, whatever has to be read for them.
        self._sending = asyncio.Lock()
        self._mark = Static("›", id="prompt-mark", markup=False)
        self._foot = Static("", id="prompt-foot", markup=False)
        self._list = CompletionList()
        self._area = PromptArea(
            lambda line: self._folded.spans(line),
            take_key=self._take_key,
            take_paste=self._take_paste,
            leave=self._walk_history,
            paste_image=self._paste_image,
            style_line=self._style_line,
        )
        self._completer = Completer(self._area, self._list, self)
        self._vim = VimKeys(self._area, self._say_state, self.action_search_history)
        self.set_reactive(PromptEditor.vim, vim)

    def compose(self) -> ComposeResult:
        yield self._list
        with Horizontal():
            yield self._mark
            yield self._area
        yield self._foot

    def on_mount(self) -> None:
        self._is_shown = True
        self._say_state()

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

    @property
    def completions(self) -> CompletionList:
        return self._list

    def load(self, text: str) -> None:
        """Show a text to edit; one that is very long is folded."""
        text = pasted_text(text)
        self._show(self._folded.fold(text) if len(text) > MAX_UNFOLDED else text)

    def clear(self) -> None:
        self._walk = None
        self._folded = FoldedTexts(self._language)
        self._vim.insert()
        self._show("")

    def use(self, sources: CompletionSources) -> None:
        self._completer.sources = sources

    def paste(self, text: str) -> None:
        """Insert a text as if it were pasted: paths of images become images, and a long text is folded."""
        try:
            images = dropped_images(text, self.folder)
        except UnusableImage as error:
            self._say_unusable(error)
            images = []
        if images:
            self._area.put("".join(f"{self._folded.attach(image)} " for image in images))
            return
        text = pasted_text(text)
        self._area.put(self._folded.fold(text) if is_long(text) else text)

    def focus(self, scroll_visible: bool = True) -> "PromptEditor":
        self._area.focus(scroll_visible)
        return self

    # Send.

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

    def _send(self, *, is_steer: bool) -> None:
        text = self.draft.rstrip()
        if not text:
            return
        shown, folded = self._area.text, self._folded
        self._history.add(text if len(text) <= MAX_PROMPT else shown.rstrip())
        self.clear()
        files = folded.files_in(shown)
        if "@" not in text and not self._sending.locked():
            self.post_message(self.Submitted(text, files, is_steer))
            return

        async def send() -> None:
            async with self._sending:
                try:
                    mentioned = await asyncio.to_thread(mentioned_images, text, self.folder)
                except UnusableImage as error:
                    self._say_unusable(error)
                    if not self._area.text:
                        self._folded = folded
                        self._show(shown)
                    return
                self.post_message(self.Submitted(text, (*files, *mentioned), is_steer))

        self.run_worker(send(), group="prompt.send")

    # Keys and pastes.

    def _take_key(self, event: events.Key) -> bool:
        """Before the text area: gives True for a key that goes no further."""
        if self._search is not None:
            return self._search.take_key(event)
        if self._belongs_to_paste(event):
            return True
        return self._completer.take_key(event) or (self.vim and self._vim.take(event))

    def _belongs_to_paste(self, event: events.Key) -> bool:
        """True for an Enter that came as fast as a paste: it is a line break, unless nothing follows it."""
        if not (self._guards_keys or (self._guards_keys is None and not self._app.is_headless)):
            return False
        bursts, is_enter = self._bursts, event.key == "enter"
        if self._held_enter is not None:
            self._held_enter.stop()
            self._held_enter = None
            if bursts.continues(event.time):
                self._area.put("\n")
            else:
                self.action_send()
        bursts.see(event.time, is_enter=is_enter)
        if not is_enter or not bursts.is_in_burst():
            return False
        if bursts.has_lines():
            self._area.put("\n")
        else:
            self._held_enter = self.set_timer(WAIT_SECONDS, self._release_enter)
        return True

    def _release_enter(self) -> None:
        """Nothing followed: it was pressed, by a person or by a program that types."""
        self._held_enter = None
        # As from the terminal: what this widget sends does not reach the bindings.
        self._app.post_message(events.Key("enter", "\r").set_sender(self._app))

    def _take_paste(self, text: str) -> None:
        if self._search is not None:
            self._search.ask(self._search.query + pasted_text(text).partition("\n")[0])
        elif text:
            self.paste(text)
        else:
            # What a terminal sends for a clipboard without text.
            self._paste_image()

    def _paste_image(self) -> None:
        self.run_worker(self._paste_from_clipboard(), group="prompt.clipboard", exclusive=True)

    async def _paste_from_clipboard(self) -> None:
        try:
            image = await clipboard_image(self._environ)
        except NoClipboardProgram:
            image, missing = None, "prompt.noClipboardProgram"
        else:
            missing = "prompt.noImage"
        if image is not None:
            self._area.put(f"{self._folded.attach(image)} ")
        elif self._app.clipboard:
            self.paste(self._app.clipboard)
        else:
            self._warn(missing)

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

    # History.

    def _walk_history(self, by: int) -> bool:
        """From the first row upwards and from the last one downwards."""
        if self._walk is None or self._walk.is_at_draft:
            if by > 0:
                return False
            # Another chat may have added to it since.
            self._walk = HistoryWalk(self._history.entries(), self._area.text)
        text = self._walk.step(by)
        if text is None:
            return False
        if self._walk.is_at_draft:
            # With its labels, which stand for what they did.
            self._show(text)
        else:
            self.load(text)
        if by < 0:
            self._area.move_cursor((0, len(self._area.document.get_line(0))))
        return True

    def action_search_history(self) -> None:
        self._completer.hush()
        self._search = HistorySearch(self._history.entries(), self._list, self._say_state, self._end_search)
        self._say_state()

    def _end_search(self, chosen: str | None) -> None:
        self._search = None
        if chosen is not None:
            self.load(chosen)
        self._say_state()

    # The external editor.

    def action_external_editor(self) -> None:
        command = find_editor(self._environ)
        if not command:
            self._warn("prompt.noEditor")
            return
        self.run_worker(self._edit_outside(command), group="prompt.editor", exclusive=True)

    async def _edit_outside(self, command: list[str]) -> None:
        """A run goes on meanwhile: only the drawing waits."""
        app = self._app
        try:
            with app.batch_update(), app.suspend():
                text = await asyncio.to_thread(edit_in, command, self.draft)
        except (OSError, subprocess.CalledProcessError, SuspendNotSupported) as error:
            self._warn("prompt.editorFailed", name=command[0], why=error)
            return
        finally:
            app.refresh()
        self.load(text)

    # What is shown beside the text.

    @on(TextArea.Changed)
    def _changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._walk is not None and not self._walk.shows(self._area.text, self.draft):
            self._walk = None
        if self._search is None:
            self._completer.update()
        self._say_state()

    @on(TextArea.SelectionChanged)
    def _moved(self, event: TextArea.SelectionChanged) -> None:
        event.stop()
        if self._search is None:
            self._completer.moved()

    @on(CompletionList.Picked)
    def _picked(self, event: CompletionList.Picked) -> None:
        event.stop()
        if self._search is not None:
            self._search.accept()
        else:
            self._completer.accept()

    def watch_is_busy(self) -> None:
        self._say_state()

    def watch_is_elsewhere(self) -> None:
        self._say_state()

    def watch_vim(self) -> None:
        self._vim.insert()
        self._say_state()

    @property
    def is_shell(self) -> bool:
        """The text is a command for the shell."""
        return self._area.text.startswith(SHELL)

    def _show(self, text: str) -> None:
        self._area.load_text(text)
        self._area.move_cursor(self._area.document.end)
        self._completer.hush()

    def _say_state(self) -> None:
        if not self._is_shown:
            return
        self.set_class(self.is_shell, "-shell")
        _change(self._mark, SHELL if self.is_shell else "›")
        if not self._area.text:
            self._area.placeholder = self._placeholder()
        foot = self._foot_text()
        self.set_class(bool(foot), "-foot")
        _change(self._foot, foot)

    def _placeholder(self) -> str:
        if not self.is_busy:
            return words("prompt.idle", self._language)
        if self.is_elsewhere:
            return words("prompt.elsewhere", self._language)
        send, queue = self._key("prompt.send"), self._key("prompt.queue")
        return words("prompt.busy", self._language, send=send, queue=queue)

    def _foot_text(self) -> str:
        """The line below: the query of a search, else the mode of vim and what the text is."""
        if self._search is not None:
            found = "" if self._search.has_found else f"  ({words('prompt.nothingFound', self._language)})"
            return f"{words('prompt.search', self._language)} {self._search.query}{found}"
        parts: list[str] = []
        if self.vim:
            mode = "prompt.vimNormal" if self._vim.mode == "normal" else "prompt.vimInsert"
            parts.append(f"-- {words(mode, self._language)} -- {self._vim.pending}".rstrip())
        if self.is_shell:
            parts.append(words("prompt.shell", self._language, send=self._key("prompt.send")))
        return "  ".join(parts)

    def _key(self, binding_id: str) -> str:
        """The key of a binding, as it is set now."""
        for active in self.screen.active_bindings.values():
            if active.binding.id == binding_id:
                return self._app.get_key_display(active.binding)
        return ""

    def _style_line(self, row: int, line: Text) -> None:
        if row == 0 and line.plain.startswith(SHELL):
            line.stylize("bold", 0, 1)

    def _say_unusable(self, error: UnusableImage) -> None:
        self._warn(error.key, **error.values)

    def _warn(self, key: str, **values: object) -> None:
        self._app.notify(words(key, self._language, **values), severity="warning", markup=False)

    @property
    def _app(self) -> App[Any]:
        return cast("App[Any]", self.app)  # pyright: ignore[reportUnknownMemberType] - of Textual, without its result


def _change(line: Static, text: str) -> None:
    """An update lays the whole screen out again, also one that changes nothing: too much for every key."""
    if line.content != text:
        line.update(text)
