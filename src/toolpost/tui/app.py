"""The full-screen chat: transcript, prompt, asks, side pane and status line around the open session of a `Control`."""

import os
import time
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any, ClassVar, cast

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.driver import Driver
from textual.drivers.linux_driver import LinuxDriver
from textual.signal import Signal
from textual.timer import Timer
from textual.widgets import Static

from toolpost.control.contract import Control, NoteKind, PermissionMode, ServerRow
from toolpost.types.errors import ToolpostError
from toolpost.types.text import Language
from toolpost.view.actions import actions_of
from toolpost.view.changes import NOTHING, Changes
from toolpost.view.escape_codes import clean, exact_line
from toolpost.view.items import ApprovalItem, CallItem, PromptItem, QuestionItem, RunEndItem, TextItem
from toolpost.view.stages import stage_words
from toolpost.view.words import words

from .attention import Attention, clipboard_sequence
from .chat_screen import ChatScreen
from .commands import COMMAND_KEYS, COMMANDS, run_command
from .dialogs.approval_screen import approval_screen
from .dialogs.ask_panel import AskPanel
from .dialogs.diff_screen import DiffScreen
from .drawing.contract import Look
from .drawing.items import draw_item
from .keys import bind, load_keys
from .leaving import farewell, forget_signals, listen_to_signals, write_to_terminal
from .options import Leaving, TerminalOptions
from .prompt.editor import PromptEditor
from .side_pane import WIDTH as SIDE_WIDTH
from .side_pane import SidePane
from .status_line import StatusLine
from .sub_agent_screen import SubAgentScreen
from .terminal_driver import TerminalDriver
from .themes import Theme, theme_for
from .transcript_pane import TranscriptPane

FRAME_SECONDS = 1 / 30
# While so many writes wait for the terminal, nothing new is drawn.
MAX_BACKLOG = 4
# Beside a narrower transcript there is no side pane.
MIN_TRANSCRIPT_CELLS = 80
# Esc twice within this time goes back to an earlier prompt; Ctrl+C twice quits.
TWICE_SECONDS = 0.8
MODES: tuple[PermissionMode, ...] = ("ask", "edits", "plan")


class TerminalApp(App[Leaving]):
    """Implements `Face`. Changes of the session are drawn at most 30 times a second, and nothing runs while it is
    idle."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("app.quit", "leave('quit')"),
        bind("app.interrupt", priority=True),
        bind("app.end", "quit_if_empty"),
        bind("app.stop"),
        bind("app.mode", "next_mode"),
        bind("app.side_pane", "toggle_side_pane"),
        bind("app.ask", "focus_ask"),
        bind("app.suspend", "suspend_process"),
        bind("app.focus", "focus_transcript"),
        bind("app.copy", "copy_answer"),
        bind("app.fold_all"),
        bind("app.follow"),
        bind("app.next_match", "step_match(1)"),
        bind("app.previous_match", "step_match(-1)"),
        *(bind(f"app.{name}", f"command('{command}')") for name, command in COMMAND_KEYS.items()),
    ]

    def __init__(self, control: Control, options: TerminalOptions) -> None:
        super().__init__()
        self.control = control
        self.options = options
        self.language: Language = options.language
        self.palette: Theme = theme_for(options.theme, options.background, options.no_color)
        self.keys = load_keys(options.keys, options.language)
        self.attention = Attention(self._write, options.notify)
        self.tail = ""
        self._changes = NOTHING
        self._frame: Timer | None = None
        self._drawn = 0.0
        self._clock: Timer | None = None
        self._servers: Sequence[ServerRow] = ()
        self._side_is_wanted = options.side_pane
        self._escaped = self._interrupted = 0.0

    # The widgets.

    def compose(self) -> ComposeResult:
        options, palette = self.options, self.palette
        with Horizontal(id="body"):
            with Vertical(id="main"):
                yield TranscriptPane(draw_item, self.look, id="transcript")
                yield Static(id="more", classes="empty", markup=False)
                yield Static(id="queue", classes="empty", markup=False)
                yield AskPanel(self.look, self.keys)
                yield Static(id="note", classes="empty", markup=False)
                folder = Path(self.control.folder) if self.control.folder else None
                yield PromptEditor(
                    history=options.history, folder=folder, language=self.language, vim=options.vim, id="prompt"
                )
            yield SidePane(palette, self.language, has_unicode=options.has_unicode)
        yield StatusLine(palette, self.language, command=options.status_command, has_unicode=options.has_unicode)

    @property
    def look(self) -> Look:
        """How items are drawn here; who draws them knows for which width."""
        unicode = self.options.has_unicode
        return Look(80, self.palette, self.language, folder=self.control.folder, has_unicode=unicode)

    @property
    def transcript(self) -> TranscriptPane:
        return self.query_one("#transcript", TranscriptPane)

    @property
    def editor(self) -> PromptEditor:
        return self.query_one(PromptEditor)

    async def on_mount(self) -> None:
        self.set_keymap(self.keys.for_textual)
        self._use_widget_theme()
        self.animation_level = "full" if self.options.motion else "none"
        self.editor.use(self)
        self.editor.focus()
        self.attention.push_title()
        listen_to_signals(self.lose)
        # The terminal has shown a shell meanwhile.
        resumed = cast("Signal[App[Any]]", self.app_resume_signal)  # pyright: ignore[reportUnknownMemberType]
        resumed.subscribe(self, lambda _: self.refresh(layout=True), immediate=True)
        if self.keys.conflicts:
            self.note("\n".join(self.keys.conflicts), "warning")
        self.work(self.control.start(self))

    # What the control tells: `Face`.

    def session_opened(self) -> None:
        self._changes = NOTHING
        self.transcript.show(self.control.view)
        self._show_asks()
        self._show_facts()
        self.work(self._read_servers())

    def get_default_screen(self) -> ChatScreen:
        return ChatScreen(id="_default")

    def get_driver_class(self) -> type[Driver]:
        usual = super().get_driver_class()
        return TerminalDriver if usual is LinuxDriver else usual

    def session_changed(self, changes: Changes) -> None:
        self._changes += changes
        if self._frame is None:
            wait = max(0.0, self._drawn + FRAME_SECONDS - time.monotonic())
            self._frame = self.set_timer(wait, self._draw) if wait else None
            if self._frame is None:
                self._draw()

    def note(self, text: str, kind: NoteKind = "info") -> None:
        line = self.query_one("#note", Static)
        line.update(_styled(clean(text), self, {"info": "dim", "warning": "warning", "error": "error"}[kind]))
        line.set_class(not text, "empty")

    # Drawing.

    def _draw(self) -> None:
        self._frame, self._drawn = None, time.monotonic()
        if isinstance(self._driver, TerminalDriver) and self._driver.output.backlog > MAX_BACKLOG:
            # The terminal is slower than the model: it gets fewer frames, and the run waits for none.
            self._frame = self.set_timer(FRAME_SECONDS, self._draw)
            return
        changes, self._changes = self._changes, NOTHING
        if not changes:
            return
        self.transcript.apply(changes)
        for screen in self.screen_stack:
            if isinstance(screen, SubAgentScreen) and screen.session_id in changes.sub_agents:
                screen.apply(changes.sub_agents[screen.session_id])
        asks_changed = "asks" in changes.facts
        if asks_changed:
            self._show_asks()
        if changes.facts or changes.added or changes.finished:
            self._show_facts()
        if asks_changed and self.control.view.asks:
            self.attention.call("Toolpost", words("state.waiting", self.language))
        elif "state" in changes.facts and self.control.view.facts.state == "idle":
            self.attention.call("Toolpost", self._ending())

    def _show_asks(self) -> None:
        self.query_one(AskPanel).show(self.control.view.asks)

    def _show_facts(self) -> None:
        view = self.control.view
        facts = view.facts
        is_busy = facts.state in ("busy", "retrying", "waiting")
        stage = stage_words(self._last_items(), self.language) if facts.state == "busy" else ""
        self.query_one(StatusLine).show(facts, self.control.mode, stage)
        self.query_one(SidePane).show(facts, facts.title, self._servers)
        self.editor.is_busy = is_busy
        self.editor.is_elsewhere = is_busy and facts.is_elsewhere
        self._show_queue()
        self._tick(is_busy)
        mark = "● " if is_busy else ""
        self.attention.title(f"{mark}{facts.title or 'toolpost'}")

    def _show_queue(self) -> None:
        line, queue = self.query_one("#queue", Static), self.control.view.facts.queue
        texts = [
            f"{words('message.steering' if one.is_steer else 'message.queued', self.language)}: {exact_line(one.text)}"
            for one in queue
        ]
        line.update(_styled("\n".join(texts), self, "dim"))
        line.set_class(not queue, "empty")

    def _tick(self, is_busy: bool) -> None:
        """The seconds of a run are counted while it works; nothing ticks while it is idle."""
        if is_busy and self._clock is None:
            self._clock = self.set_interval(1.0, self.query_one(StatusLine).refresh)
        elif not is_busy and self._clock is not None:
            self._clock.stop()
            self._clock = None

    def _last_items(self) -> list[Any]:
        """The items since the last prompt."""
        view, found = self.control.view, list[Any]()
        for id in reversed(view.ids):
            found.append(view.item(id))
            if isinstance(found[-1], PromptItem):
                break
        return found[::-1]

    def _ending(self) -> str:
        last = next((item for item in reversed(self._last_items()) if isinstance(item, TextItem)), None)
        return (last.text.strip().partition("\n")[0] if last else "") or words("state.idle", self.language)

    async def _read_servers(self) -> None:
        self._servers = await self.control.servers() if "servers" in self.control.features else ()
        self._show_facts()

    # Work beside the screen.

    def work(self, task: Coroutine[Any, Any, object]) -> None:
        """Do something that takes time. What goes wrong is told to the person."""
        self.run_worker(self._told(task), exit_on_error=True)

    async def _told(self, task: Coroutine[Any, Any, object]) -> None:
        try:
            await task
        except ToolpostError as error:
            self.note(str(error), "error")

    # The prompt.

    def commands(self) -> dict[str, str]:
        own = {name: words(f"command.{name}", self.language) for name in COMMANDS}
        return {**self.control.commands(), **own}

    async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
        return await self.control.find_files(query, limit)

    def on_prompt_editor_submitted(self, event: PromptEditor.Submitted) -> None:
        self.note("")
        self.transcript.follow()
        self.work(self._submit(event))

    async def _submit(self, event: PromptEditor.Submitted) -> None:
        text = event.text
        try:
            if text.startswith("/") and await run_command(self, text):
                return
            if text.startswith("!") and "shell" in self.control.features:
                await self.control.shell(text[1:].strip())
            elif self.editor.is_busy:
                await self.control.put(text, steer=event.is_steer)
            else:
                await self.control.prompt(text, event.files)
        except ToolpostError:
            # Nothing that was typed is lost.
            if not self.editor.draft:
                self.editor.load(text)
            raise

    # Asks.

    def on_ask_panel_replied(self, event: AskPanel.Replied) -> None:
        self.work(self._replied(event.ask_id, self.control.reply(event.ask_id, event.reply, event.message)))

    def on_ask_panel_answered(self, event: AskPanel.Answered) -> None:
        self.work(self._replied(event.question_id, self.control.answer(event.question_id, event.answers)))

    async def _replied(self, ask_id: str, reply: Coroutine[Any, Any, None]) -> None:
        try:
            await reply
        except ToolpostError:
            # It still waits for an answer.
            self.query_one(AskPanel).reopen(ask_id)
            raise

    def on_ask_panel_diff_wanted(self, event: AskPanel.DiffWanted) -> None:
        ask = next((one for one in self.control.view.asks if one.id == event.ask_id), None)
        if isinstance(ask, ApprovalItem):
            self.push_screen(approval_screen(ask, self.look, keys=self.keys))

    def on_diff_screen_copied(self, event: DiffScreen.Copied) -> None:
        self.copy_to_clipboard(event.text)

    # The transcript.

    def on_transcript_pane_earlier_wanted(self) -> None:
        if not self.control.is_at_beginning:
            self.work(self.control.earlier())

    def on_transcript_pane_follow_changed(self, event: TranscriptPane.FollowChanged) -> None:
        line = self.query_one("#more", Static)
        is_hidden = event.is_following or not event.new_lines
        text = "" if is_hidden else f"{words('lines.new', self.language, count=event.new_lines)} ↓"
        line.update(_styled(text, self, "accent"))
        line.set_class(is_hidden, "empty")

    def on_transcript_pane_copied(self, event: TranscriptPane.Copied) -> None:
        self.copy_to_clipboard(event.text)

    def on_transcript_pane_item_activated(self, event: TranscriptPane.ItemActivated) -> None:
        item = self.control.view.item(event.id)
        if isinstance(item, CallItem) and item.sub_agent is not None:
            self.work(self.enter_sub_agent(item.sub_agent.session_id))
        elif isinstance(item, RunEndItem) and any(
            one.kind == "retry" for one in actions_of(item, self.control.view.facts, is_last=True)
        ):
            self.work(self.control.retry())
        elif not isinstance(item, ApprovalItem | QuestionItem):
            self.transcript.toggle(event.id)

    async def enter_sub_agent(self, session_id: str) -> None:
        view = await self.control.watch(session_id)
        self.push_screen(SubAgentScreen(view, self))

    def copy_to_clipboard(self, text: str) -> None:
        self._clipboard = text
        self._write(clipboard_sequence(text))
        self.note(words("app.copied", self.language))

    # Keys.

    def action_stop(self) -> None:
        """Stop the run; twice while nothing runs, go back to an earlier prompt."""
        now = time.monotonic()
        if self.editor.is_busy:
            self.work(self.control.stop())
        elif now - self._escaped < TWICE_SECONDS:
            self.run_slash("timeline")
        self._escaped = now

    def action_interrupt(self) -> None:
        """Ctrl+C: copy what is selected, stop the run, clear the prompt, or quit at the second time."""
        now = time.monotonic()
        if selected := self.transcript.selected_text():
            self.copy_to_clipboard(selected)
        elif self.editor.is_busy:
            self.work(self.control.stop())
        elif self.editor.draft:
            self.editor.clear()
        elif now - self._interrupted < TWICE_SECONDS:
            self.leave("quit")
        else:
            self.note(words("quit.again", self.language))
        self._interrupted = now

    def action_quit_if_empty(self) -> None:
        if not self.editor.draft:
            self.leave("quit")

    def action_next_mode(self) -> None:
        self.work(self.use_mode(MODES[(MODES.index(self.control.mode) + 1) % len(MODES)]))

    async def use_mode(self, mode: PermissionMode) -> None:
        await self.control.use_mode(mode)
        self._show_facts()

    def action_toggle_side_pane(self) -> None:
        self._side_is_wanted = not self._side_is_wanted
        self._fit_side_pane()

    def action_fold_all(self) -> None:
        self.transcript.toggle_all()

    def action_follow(self) -> None:
        self.transcript.follow()

    def action_scroll_transcript(self, pages: int) -> None:
        self.transcript.action_move_pages(pages)

    def action_step_match(self, by: int) -> None:
        self.transcript.step_match(by)

    def action_copy_answer(self) -> None:
        last = next((item for item in reversed(list(self.control.view.items)) if isinstance(item, TextItem)), None)
        if last is not None:
            self.copy_to_clipboard(last.text.strip())

    def action_focus_ask(self) -> None:
        self.query_one(AskPanel).focus()

    def action_leave(self, why: Leaving) -> None:
        self.leave(why)

    def action_focus_transcript(self) -> None:
        (self.transcript if self.editor.has_focus_within else self.editor).focus()

    def action_command(self, name: str) -> None:
        self.run_slash(name)

    async def run_action_of(self, name: str) -> None:
        """Do what the key of an action of the table does."""
        binding = next(one for one in self.BINDINGS if isinstance(one, Binding) and one.id == name)
        await self.run_action(binding.action)

    def run_slash(self, name: str, argument: str = "") -> None:
        self.work(run_command(self, f"/{name} {argument}".rstrip()))

    # The terminal.

    def use_theme(self, theme: Theme) -> None:
        self.palette = theme
        self._use_widget_theme()
        self.query_one(StatusLine).use_palette(theme)
        self.query_one(SidePane).use_palette(theme)
        self.query_one(AskPanel).use_look(self.look)
        self.transcript.use_look(self.look)

    def _use_widget_theme(self) -> None:
        theme = self.palette.for_widgets
        self.register_theme(theme)
        self.theme = theme.name

    def on_resize(self, event: events.Resize) -> None:
        self._fit_side_pane()

    def _fit_side_pane(self) -> None:
        has_room = self.size.width >= MIN_TRANSCRIPT_CELLS + SIDE_WIDTH
        self.query_one(SidePane).display = self._side_is_wanted and has_room

    def on_app_focus(self) -> None:
        self.attention.has_focus = True

    def on_app_blur(self) -> None:
        self.attention.has_focus = False

    def leave(self, why: Leaving) -> None:
        """Close the screen. What was said last is kept for the terminal's own scrollback."""
        self.tail = farewell(self, goes_on=why != "quit")
        self.attention.pop_title()
        self.exit(why)

    def lose(self) -> None:
        """The terminal is gone, or the process has to end: the session is left as it is."""
        self.exit("lost")

    def _write(self, sequence: str) -> None:
        if self._driver is not None:
            self._driver.write(sequence)


async def run_full_screen(control: Control, options: TerminalOptions) -> Leaving:
    """Show the full screen until it is left. The end of the transcript is written to the terminal then."""
    app = _app_of(control, options)
    try:
        left = await app.run_async(mouse=options.mouse)
    finally:
        forget_signals()
    write_to_terminal(app.tail)
    return left or "quit"


def _app_of(control: Control, options: TerminalOptions) -> TerminalApp:
    """`NO_COLOR` is answered by a theme: Textual's own filter for it takes no strip without a style."""
    asked = os.environ.pop("NO_COLOR", None)
    try:
        return TerminalApp(control, options)
    finally:
        if asked is not None:
            os.environ["NO_COLOR"] = asked


def _styled(text: str, app: TerminalApp, name: Any) -> Any:
    from rich.text import Text

    return Text(text, app.palette.style(name))
