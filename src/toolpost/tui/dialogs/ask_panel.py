"""The panel above the prompt that asks a person: approvals of calls, and questions of the model as forms.

Nothing that was typed or clicked before an ask could be read answers it (`key_guard`), and the prompt keeps its draft.
"""

import time
from collections.abc import Callable, Sequence
from typing import ClassVar, cast

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key, Paste
from textual.geometry import Size
from textual.message import Message
from textual.screen import Screen
from textual.signal import Signal
from textual.widget import Widget
from textual.widgets import Input

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import KeyMap, bind, load_keys
from toolpost.types.messages import Reply
from toolpost.view.approvals import rule_words
from toolpost.view.escape_codes import exact_line
from toolpost.view.items import ApprovalItem, QuestionItem
from toolpost.view.words import words

from .approval_lines import approval_lines, approval_title, rule_lines
from .choice_list import Choice, ChoiceList
from .key_guard import KeyGuard
from .line_input import LineInput
from .line_view import LineView
from .picker import Picker, PickerRow
from .question_form import QuestionForm
from .text_dialog import app_of, open_dialog
from .text_lines import DialogLines, cut, wrapped

Ask = ApprovalItem | QuestionItem
# A rule that takes more lines in the list of choices is shown with what is decided on.
_RULE_LINES = 2
_LEAST_LINES = 2
_LOW_TERMINAL = 16


class AskPanel(Widget, can_focus=True):
    """Shows the oldest open ask, unless a person looks at another, and takes the focus while there is one."""

    DEFAULT_CSS = """
    AskPanel {
        height: auto;
        max-height: 100%;
        background: transparent;
        border: none;
        display: none;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("ask.once", "choose('once')"),
        bind("ask.always", "choose('always')"),
        bind("ask.deny", "choose('reject')"),
        bind("ask.reason", "choose('reason')"),
        bind("ask.choose", "choose_marked"),
        bind("ask.up", "mark(-1)"),
        bind("ask.down", "mark(1)"),
        bind("ask.full_screen"),
        bind("ask.next", "step(1)"),
        bind("ask.previous", "step(-1)"),
        bind("ask.list"),
        bind("ask.scroll_up", "scroll(-1)"),
        bind("ask.scroll_down", "scroll(1)"),
    ]

    class Replied(Message):
        """A person has decided. `message` is why it was denied: the model reads it."""

        def __init__(self, ask_id: str, reply: Reply, message: str = "") -> None:
            super().__init__()
            self.ask_id = ask_id
            self.reply: Reply = reply
            self.message = message

    class Answered(Message):
        """The form was filled in: one tuple for each question. None: it was dismissed."""

        def __init__(self, question_id: str, answers: tuple[tuple[str, ...], ...] | None) -> None:
            super().__init__()
            self.question_id, self.answers = question_id, answers

    class DiffWanted(Message):
        """A person wants to see what is asked on the whole screen."""

        def __init__(self, ask_id: str) -> None:
            super().__init__()
            self.ask_id = ask_id

    def __init__(
        self,
        look: Look,
        keys: KeyMap | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        id: str | None = None,
    ) -> None:
        super().__init__(id=id)
        self._look, self._keys = look, keys or load_keys()
        self._guard = KeyGuard(clock)
        self._asks: tuple[Ask, ...] = ()
        # Answered here, while whoever asked does not know it yet.
        self._sent: set[str] = set()
        self._current: Ask | None = None
        self._replies: tuple[str, ...] = ()
        self._before: Widget | None = None

    @property
    def current(self) -> Ask | None:
        """What is asked now."""
        return self._current

    def compose(self) -> ComposeResult:
        yield LineView(self._head_lines, id="ask-head")
        yield _AskBody(self._free_lines, self._draw_hint, id="ask-body")
        yield ChoiceList(self._look, self._guard, id="ask-choices")
        yield LineInput(id="ask-reason")
        yield QuestionForm(self._look, self._keys, self._guard, id="ask-form")
        yield LineView(self._hint_lines, id="ask-hint")

    def on_mount(self) -> None:
        self.query_one("#ask-reason", Input).display = False
        app = app_of(self)
        self.watch(app, "app_focus", self._app_focus_changed, init=False)
        changes = cast("Signal[Screen[object]]", app.screen_change_signal)  # pyright: ignore[reportUnknownMemberType]
        changes.subscribe(self, self._screen_changed, immediate=True)
        self._choose_current()

    def show(self, asks: Sequence[Ask]) -> None:
        """Show these, the oldest first. The same as before change nothing, and draw nothing."""
        if tuple(asks) == self._asks:
            return
        self._asks = tuple(asks)
        self._sent &= {ask.id for ask in asks}
        if self.is_mounted:
            self._choose_current()

    def reopen(self, ask_id: str) -> None:
        """The answer could not be given: ask again."""
        self._sent.discard(ask_id)
        self._choose_current()

    def use_look(self, look: Look) -> None:
        self._look = look
        self.query_one(ChoiceList).use_look(look)
        self.query_one(QuestionForm).use_look(look)
        self._draw_parts(is_same=True)

    # What is shown.

    @property
    def _open(self) -> list[Ask]:
        return [ask for ask in self._asks if ask.state == "open" and ask.id not in self._sent]

    def _choose_current(self) -> None:
        asks = self._open
        here = self._current.id if self._current is not None else ""
        found = next((ask for ask in asks if ask.id == here), asks[0] if asks else None)
        if found is None:
            self._leave()
        elif found != self._current:
            self._ask(found)
        else:
            self._draw_edges()

    def _ask(self, ask: Ask) -> None:
        """Show it, with the focus here; keys are taken once it could be read."""
        self._current = ask
        self._guard.close()
        self.display = True
        is_approval = isinstance(ask, ApprovalItem)
        self.query_one("#ask-reason", Input).display = False
        self.query_one("#ask-body").display = is_approval
        self.query_one("#ask-choices").display = is_approval
        self.query_one("#ask-form").display = not is_approval
        if isinstance(ask, QuestionItem):
            self.query_one(QuestionForm).ask(ask.id, ask.fields)
        self._draw_parts()
        self._take_focus()
        self.call_after_refresh(self._was_drawn, ask.id)

    def _leave(self) -> None:
        self._current = None
        self._guard.close()
        had_focus = self.has_focus_within
        self.query_one("#ask-reason", Input).display = False
        self.display = False
        # While the terminal is not focused, nothing is.
        if (had_focus or self.screen.focused is None) and self._before is not None and self._before.is_attached:
            self.screen.set_focus(self._before)
        self._before = None

    def _take_focus(self) -> None:
        focused = self.screen.focused
        if focused is not None and focused is not self and self not in focused.ancestors:
            self._before = focused
        form = self.query_one(QuestionForm)
        if isinstance(self._current, QuestionItem):
            form.take_focus()
        else:
            self.screen.set_focus(self, scroll_visible=False)

    def _was_drawn(self, ask_id: str) -> None:
        if self._current is not None and self._current.id == ask_id and app_of(self).screen is self.screen:
            self._guard.drawn()

    def _screen_changed(self, screen: Screen[object]) -> None:
        # Keys that were meant for the dialog above do not answer what was below it.
        if screen is self.screen:
            self._guard.restart()
            if self._current is not None:
                self.call_after_refresh(self._was_drawn, self._current.id)

    def _app_focus_changed(self, has_focus: bool) -> None:
        if has_focus:
            self._guard.restart()

    # Drawing.

    def _draw_parts(self, *, is_same: bool = False) -> None:
        if isinstance(self._current, ApprovalItem):
            self.query_one("#ask-body", LineView).show(self._body_lines, is_same=is_same)
            self._offer_choices(self._current)
        self._draw_edges()

    def _draw_edges(self) -> None:
        self.query_one("#ask-head", LineView).show(self._head_lines)
        self._draw_hint()

    def _draw_hint(self) -> None:
        self.query_one("#ask-hint", LineView).show(self._hint_lines)

    def _free_lines(self, width: int, height: int) -> int:
        """How many lines the preview may take on a screen of this height, so that the panel takes half of it."""
        others = [self.query_one(f"#ask-{name}", LineView) for name in ("head", "choices", "hint")]
        used = sum(other.lines_at(width) for other in others) + self._is_reasoning
        return max(_LEAST_LINES, height // 2 - used)

    def _head_lines(self, width: int) -> DialogLines:
        lines, ask = DialogLines(), self._current
        if ask is None:
            return lines
        style, language = self._look.palette.style, self._look.language
        asks = self._open
        place = ""
        if len(asks) > 1:
            at = next((at for at, one in enumerate(asks, 1) if one.id == ask.id), 1)
            place = f"{words('ask.of', language, at=at, count=len(asks))} · "
        title = words("ask.question", language)
        if isinstance(ask, ApprovalItem):
            title = f"{words('approval.title', language)} {approval_title(ask, self._look)}"
        # On a low terminal the lines are for what is decided on, which says it all again.
        is_low = app_of(self).size.height < _LOW_TERMINAL
        lines.wrap(cut(place + title, width) if is_low else place + title, style("heading"), width)
        if ask.agent:
            lines.wrap(words("ask.agent", language, agent=exact_line(ask.agent)), style("dim"), width)
        return lines

    def _body_lines(self, width: int) -> DialogLines:
        assert isinstance(self._current, ApprovalItem)
        lines = approval_lines(self._current, self._look, width)
        if not self._short_rule(self._current):
            lines.append(rule_lines(self._current, self._look, width))
        return lines

    def _hint_lines(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style("dim")
        if isinstance(self._current, ApprovalItem):
            lines.add((cut(" · ".join(self._hints()), width), style))
        return lines

    def _hints(self) -> list[str]:
        language, shown = self._look.language, self._keys.shown
        if self._is_reasoning:
            return [words("ask.back", language)]
        body = self.query_one("#ask-body", LineView)
        found = [f"{shown('ask.full_screen')} {words('ask.fullScreen', language)}"]
        if body.hidden_below:
            more = words("ask.moreLines", language, count=body.hidden_below)
            found.insert(0, f"{more} {shown('ask.scroll_down')}")
        if len(self._open) > 1:
            found.append(
                f"{shown('ask.previous')}/{shown('ask.next')} {shown('ask.list')} {words('ask.list', language)}"
            )
        return found

    def _offer_choices(self, ask: ApprovalItem) -> None:
        language, shown = self._look.language, self._keys.shown
        again = ask.permission == "doom_loop"
        labels = {
            "once": words("approval.goOn" if again else "approval.once", language),
            "always": self._rule_label(ask),
            "reject": words("approval.stopIt" if again else "approval.deny", language),
            "reason": words("approval.tellIt" if again else "ask.denyReason", language),
        }
        keys = {"once": "ask.once", "always": "ask.always", "reject": "ask.deny", "reason": "ask.reason"}
        self._replies = tuple(name for name in labels if name != "always" or ask.always)
        choices = [Choice(labels[name], shown(keys[name])) for name in self._replies]
        self.query_one(ChoiceList).offer(choices)

    def _rule_label(self, ask: ApprovalItem) -> str:
        return self._short_rule(ask) or words("approval.always", self._look.language)

    def _short_rule(self, ask: ApprovalItem) -> str:
        """The rule that "always" would save, where it is the only one and can be read in the list of choices."""
        rules = rule_words(ask, self._look.language)
        text = exact_line(rules[0]) if len(rules) == 1 else ""
        width = max(20, app_of(self).size.width - 8)
        return text if len(list(wrapped(text, width))) <= _RULE_LINES else ""

    # Keys and clicks.

    def on_key(self, event: Key) -> None:
        if self._is_reasoning:
            if event.key == "escape":
                event.stop()
                self._end_reason()
            return
        if not self._guard.takes(event):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: Paste) -> None:
        # What is pasted was meant for the prompt; as an answer nobody could have read it.
        if not self._is_reasoning:
            event.stop()

    def on_choice_list_clicked(self, event: ChoiceList.Clicked) -> None:
        if event.sender.id == "ask-choices":
            event.stop()
            self._choose_at(event.at)

    def action_choose(self, choice: str) -> None:
        if choice in self._replies and not self._is_reasoning:
            self._choose_at(self._replies.index(choice))

    def action_choose_marked(self) -> None:
        self._choose_at(self.query_one(ChoiceList).at)

    def action_mark(self, by: int) -> None:
        if not self._is_reasoning:
            self.query_one("#ask-choices", ChoiceList).move(by)

    def action_scroll(self, by: int) -> None:
        body = self.query_one("#ask-body", LineView)
        body.go_to(body.scroll_y + by * max(1, body.size.height - 1))
        self._draw_edges()

    def action_full_screen(self) -> None:
        if isinstance(self._current, ApprovalItem):
            self.post_message(self.DiffWanted(self._current.id))

    def action_step(self, by: int) -> None:
        asks = self._open
        here = next((at for at, ask in enumerate(asks) if self._current and ask.id == self._current.id), 0)
        if len(asks) > 1:
            self._ask(asks[(here + by) % len(asks)])

    def action_list(self) -> None:
        asks = self._open
        here = self._current.id if self._current is not None else ""
        rows = [PickerRow(ask.id, self._row_label(ask), is_current=ask.id == here) for ask in asks]
        picker = Picker(rows, self._look, title=words("ask.open", self._look.language), keys=self._keys)
        open_dialog(self, picker, self._show_chosen)

    def _show_chosen(self, ask_id: str | None) -> None:
        found = next((ask for ask in self._open if ask.id == ask_id), None)
        if found is not None:
            self._ask(found)

    def _row_label(self, ask: Ask) -> str:
        text = approval_title(ask, self._look) if isinstance(ask, ApprovalItem) else exact_line(ask.fields[0].question)
        return f"{exact_line(ask.agent)}: {text}" if ask.agent else text

    # Replies.

    def _choose_at(self, at: int) -> None:
        ask = self._current
        if not isinstance(ask, ApprovalItem) or not 0 <= at < len(self._replies):
            return
        match self._replies[at]:
            case "reason":
                self._begin_reason()
            case "always" if not self._has_seen_rules(ask):
                self._scroll_to_rules()
            case "once" | "always" | "reject" as reply:
                self._reply(ask, reply)
            case _:
                pass

    def _has_seen_rules(self, ask: ApprovalItem) -> bool:
        return bool(self._short_rule(ask)) or not self.query_one("#ask-body", LineView).hidden_below

    def _scroll_to_rules(self) -> None:
        """They are the last lines. Whoever wants to save them sees them first."""
        body = self.query_one("#ask-body", LineView)
        body.go_to(len(body.lines))
        self._guard.restart()
        self._draw_edges()

    def _reply(self, ask: ApprovalItem, reply: Reply, message: str = "") -> None:
        self._sent.add(ask.id)
        self.post_message(self.Replied(ask.id, reply, message))
        self._choose_current()

    @property
    def _is_reasoning(self) -> bool:
        return self.query_one("#ask-reason", Input).display

    def _begin_reason(self) -> None:
        line = self.query_one("#ask-reason", Input)
        line.placeholder = words("approval.reason", self._look.language)
        line.value = ""
        line.display = True
        self.screen.set_focus(line, scroll_visible=False)
        self._draw_edges()

    def _end_reason(self) -> None:
        self.screen.set_focus(self, scroll_visible=False)
        self.query_one("#ask-reason", Input).display = False
        self._draw_edges()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        if event.input.id == "ask-reason" and isinstance(self._current, ApprovalItem):
            event.stop()
            self._reply(self._current, "reject", event.value.strip())

    def on_question_form_sent(self, event: QuestionForm.Sent) -> None:
        event.stop()
        self._sent.add(event.question_id)
        self.post_message(self.Answered(event.question_id, event.answers))
        self._choose_current()


class _AskBody(LineView):
    """As high as its lines, and at most as high as the panel gives it on a screen of this height."""

    def __init__(self, free: Callable[[int, int], int], moved: Callable[[], None], *, id: str) -> None:
        super().__init__(id=id)
        self._free, self._moved = free, moved

    def on_resize(self) -> None:
        self._moved()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._moved()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return min(super().get_content_height(container, viewport, width), self._free(width, viewport.height))
