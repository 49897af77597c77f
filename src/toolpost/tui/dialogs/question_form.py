"""A form for the questions of a model: one field for each, with options and a line for something else."""

from collections.abc import Sequence
from typing import ClassVar

from msgspec import Struct
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.events import Key, Paste
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from toolpost.tui.drawing.contract import Look
from toolpost.tui.keys import KeyMap, bind
from toolpost.types.events import Question
from toolpost.view.escape_codes import exact
from toolpost.view.words import words

from .choice_list import Choice, ChoiceList
from .key_guard import KeyGuard
from .line_input import LineInput
from .line_view import LineView
from .text_dialog import ConfirmDialog, open_dialog
from .text_lines import DialogLines, cut


class _Field(Struct):
    """What a person has entered. `at` is the marked option; behind the last one stands the line for other text."""

    question: Question
    chosen: list[int] = []
    text: str = ""
    at: int = 0

    @property
    def is_on_text(self) -> bool:
        return self.at >= len(self.question.options)

    @property
    def answer(self) -> tuple[str, ...]:
        text = (self.text.strip(),) if self.text.strip() else ()
        return (*(self.question.options[at] for at in sorted(self.chosen)), *text)


class _OtherText(LineInput):
    """A line of text that takes nothing that was typed or pasted before it could be seen."""

    def __init__(self, guard: KeyGuard) -> None:
        super().__init__(id="form-text")
        self._guard = guard

    def on_key(self, event: Key) -> None:
        if not self._guard.takes(event):
            event.stop()
            event.prevent_default()

    def on_paste(self, event: Paste) -> None:
        if not self._guard.takes(event):
            event.stop()
            event.prevent_default()


class QuestionForm(Widget, can_focus=True):
    """Shows one question at a time, so that it fits small terminals."""

    DEFAULT_CSS = """
    QuestionForm {
        height: auto;
        background: transparent;
    }
    QuestionForm ChoiceList {
        max-height: 40vh;
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        bind("form.next", "turn(1)"),
        bind("form.previous", "turn(-1)"),
        bind("form.up", "mark(-1)"),
        bind("form.down", "mark(1)"),
        bind("form.toggle", "pick"),
        bind("form.send"),
        bind("form.dismiss"),
    ]

    class Sent(Message):
        """The answers, one tuple for each question; None: the form was dismissed."""

        def __init__(self, question_id: str, answers: tuple[tuple[str, ...], ...] | None) -> None:
            super().__init__()
            self.question_id, self.answers = question_id, answers

    def __init__(self, look: Look, keys: KeyMap, guard: KeyGuard, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._look, self._keys, self._guard = look, keys, guard
        self._question_id = ""
        self._fields: list[_Field] = []
        self._place = 0

    def compose(self) -> ComposeResult:
        yield LineView(self._head_lines, id="form-head")
        yield ChoiceList(self._look, self._guard, id="form-options")
        yield _OtherText(self._guard)
        yield LineView(self._hint_lines, id="form-hint")

    def ask(self, question_id: str, questions: Sequence[Question]) -> None:
        self._question_id, self._place = question_id, 0
        self._fields = [_Field(question) for question in questions]
        self._load()

    def use_look(self, look: Look) -> None:
        self._look = look
        self.query_one(ChoiceList).use_look(look)
        if self._fields:
            self._draw_parts()

    def take_focus(self) -> None:
        """The line for other text has the caret while it is marked."""
        has_text = bool(self._fields) and self._field.is_on_text
        self.screen.set_focus(self.query_one(Input) if has_text else self, scroll_visible=False)

    @property
    def _field(self) -> _Field:
        return self._fields[self._place]

    def _load(self) -> None:
        """Show the field at its place."""
        line = self.query_one(Input)
        with self.prevent(Input.Changed):
            line.value = self._field.text if self._fields else ""
        line.placeholder = words("question.other", self._look.language)
        self._draw_parts()

    def _draw_parts(self) -> None:
        self.query_one("#form-head", LineView).show(self._head_lines)
        self.query_one("#form-hint", LineView).show(self._hint_lines)
        self._offer_options()

    def _offer_options(self) -> None:
        field = self._field
        marks = ("[ ]", "[x]") if field.question.multiple else ("( )", "(x)")
        options = [
            Choice(exact(option), box=marks[at in field.chosen]) for at, option in enumerate(field.question.options)
        ]
        if options:
            options.append(Choice(words("question.other", self._look.language), box=marks[bool(field.text.strip())]))
        choices = self.query_one(ChoiceList)
        choices.display = bool(options)
        choices.offer(options, min(field.at, max(0, len(options) - 1)))
        self.query_one(Input).display = field.is_on_text

    def _head_lines(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style
        if self._fields:
            count = len(self._fields)
            place = words("ask.of", self._look.language, at=self._place + 1, count=count) + " · " if count > 1 else ""
            lines.wrap(place + exact(self._field.question.question), style("strong"), width)
        return lines

    def _hint_lines(self, width: int) -> DialogLines:
        lines, language, shown = DialogLines(), self._look.language, self._keys.shown
        hints = [f"{shown('form.send')} {words('form.send', language)}"]
        if self._fields and self._field.question.multiple:
            hints.append(f"{shown('form.toggle')} {words('form.toggle', language)}")
        if len(self._fields) > 1:
            hints.append(f"{shown('form.next')} {words('form.next', language)}")
        hints.append(f"{shown('form.dismiss')} {words('form.skip', language)}")
        lines.add((cut(" · ".join(hints), width), self._look.palette.style("dim")))
        return lines

    # Keys and clicks.

    def on_key(self, event: Key) -> None:
        if not self._guard.takes(event):
            event.stop()
            event.prevent_default()
        elif event.character is not None and event.character in "123456789":
            self._pick_number(event)

    def on_choice_list_clicked(self, event: ChoiceList.Clicked) -> None:
        event.stop()
        self._mark_at(event.at)
        if not self._field.is_on_text:
            self.action_pick()

    def on_input_changed(self, event: Input.Changed) -> None:
        event.stop()
        field = self._field
        field.text = event.value
        if field.text.strip() and not field.question.multiple:
            field.chosen = []
        self._offer_options()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._go_on()

    def action_turn(self, by: int) -> None:
        self._place = (self._place + by) % len(self._fields)
        self._load()
        self.take_focus()

    def action_mark(self, by: int) -> None:
        self._mark_at((self._field.at + by) % (len(self._field.question.options) + 1))

    def action_pick(self) -> None:
        field = self._field
        if field.is_on_text:
            return
        if field.at in field.chosen:
            field.chosen = [at for at in field.chosen if at != field.at]
        else:
            field.chosen = [*field.chosen, field.at] if field.question.multiple else [field.at]
            self._drop_text(field)
        self._offer_options()

    def action_send(self) -> None:
        """Enter takes the marked option, where nothing else was chosen, and goes on."""
        field = self._field
        if not field.is_on_text and not (field.question.multiple and field.answer):
            field.chosen = [field.at]
            self._drop_text(field)
        self._go_on()

    def action_dismiss(self) -> None:
        if not any(field.answer for field in self._fields):
            self._send(None)
            return
        question = words("form.lose", self._look.language)
        question_id = self._question_id

        def dismiss(is_sure: bool | None) -> None:
            if is_sure and question_id == self._question_id:
                self._send(None)

        open_dialog(self, ConfirmDialog(question, self._look), dismiss)

    def _drop_text(self, field: _Field) -> None:
        if not field.question.multiple:
            field.text = ""
            with self.prevent(Input.Changed):
                self.query_one(Input).value = ""

    def _mark_at(self, at: int) -> None:
        self._field.at = at
        self._offer_options()
        self.take_focus()

    def _pick_number(self, event: Key) -> None:
        at = int(event.character or 0) - 1
        if at < len(self._field.question.options) and self.has_focus:
            event.stop()
            self._mark_at(at)
            self.action_pick()

    def _go_on(self) -> None:
        """To the next field that has no answer; where all have one, the form is sent."""
        count = len(self._fields)
        following = [(self._place + by) % count for by in range(1, count)]
        empty = next((at for at in following if not self._fields[at].answer), None)
        if empty is not None:
            self._place = empty
            self._load()
            self.take_focus()
        elif self._field.answer:
            self._send(tuple(field.answer for field in self._fields))
        else:
            self._offer_options()

    def _send(self, answers: tuple[tuple[str, ...], ...] | None) -> None:
        self.post_message(self.Sent(self._question_id, answers))
