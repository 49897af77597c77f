"""A short list of choices, each whole on as many lines as it needs, with a mark and the key of each."""

from collections.abc import Sequence

from msgspec import Struct
from rich.cells import cell_len
from textual.events import Click, MouseDown
from textual.message import Message

from toolpost.tui.drawing.contract import Look

from .key_guard import KeyGuard
from .line_view import LineView
from .text_lines import DialogLines


class Choice(Struct, frozen=True):
    """`key` is shown before the label, `box` says whether it is chosen: `[x]`."""

    label: str
    key: str = ""
    box: str = ""


class ChoiceList(LineView):
    """Marks one of its choices. Keys are the business of the widget around it."""

    class Clicked(Message):
        def __init__(self, sender: "ChoiceList", at: int) -> None:
            super().__init__()
            self.sender, self.at = sender, at

    ALLOW_SELECT = False

    def __init__(self, look: Look, guard: KeyGuard | None = None, *, id: str | None = None) -> None:
        super().__init__(self._lines_of, id=id)
        self._look, self._guard = look, guard
        self._choices: tuple[Choice, ...] = ()
        self._owners: list[int] = []
        self._pressed = -1
        self.at = 0

    def use_look(self, look: Look) -> None:
        self._look = look
        self.show(self._lines_of)

    def offer(self, choices: Sequence[Choice], at: int = 0) -> None:
        self._choices, self.at = tuple(choices), at
        self.show(self._lines_of, is_same=True)
        self.call_after_refresh(self._keep_in_sight)

    def move(self, by: int) -> None:
        if self._choices:
            self.offer(self._choices, (self.at + by) % len(self._choices))

    def on_mouse_down(self, event: MouseDown) -> None:
        # The press counts, not the release: the one that gave focus to the terminal comes before the time is over.
        self._pressed = self._choice_at(event.y) if self._guard is None or self._guard.takes(event) else -1

    def on_click(self, event: Click) -> None:
        event.stop()
        at, pressed = self._choice_at(event.y), self._pressed
        self._pressed = -1
        if at >= 0 and at == pressed:
            self.post_message(self.Clicked(self, at))

    def _choice_at(self, y: int) -> int:
        line = round(self.scroll_y) + y
        return self._owners[line] if 0 <= line < len(self._owners) else -1

    def _keep_in_sight(self) -> None:
        lines = [line for line, owner in enumerate(self._owners) if owner == self.at]
        if not lines or not self.size.height:
            return
        top = round(self.scroll_y)
        if lines[0] < top or lines[-1] >= top + self.size.height:
            self.go_to(min(lines[0], lines[-1] - self.size.height + 1))

    def _lines_of(self, width: int) -> DialogLines:
        lines, style = DialogLines(), self._look.palette.style
        keys = max((cell_len(choice.key) for choice in self._choices), default=0)
        self._owners = []
        for at, choice in enumerate(self._choices):
            key = f"{choice.key}{' ' * (keys - cell_len(choice.key) + 2)}" if keys else ""
            box = f"{choice.box} " if choice.box else ""
            mark = "> " if at == self.at else "  "
            lines.wrap(choice.label, style("accent" if at == self.at else "text"), width, first=mark + key + box)
            self._owners += [at] * (len(lines) - len(self._owners))
        return lines
