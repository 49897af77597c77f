"""One line of text to type in, without a box, a colour of its own, or a caret that blinks."""

from textual.widgets import Input


class LineInput(Input):
    DEFAULT_CSS = """
    LineInput, LineInput:focus {
        background: transparent;
        background-tint: transparent;
    }
    """

    def __init__(self, value: str = "", *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(value, placeholder, compact=True, select_on_focus=False, id=id)
        # A caret that blinks is a timer that never rests.
        self.set_reactive(Input.cursor_blink, False)
