"""A small app for the tests of dialogs: a prompt, the panel above it, and a record of what they told."""

from rich.style import Style
from textual.app import App
from textual.widgets import Input

from toolpost.tui.dialogs.ask_panel import AskPanel
from toolpost.tui.drawing.contract import Look
from toolpost.view.items import ApprovalItem

STYLES = {
    "dim": Style(dim=True),
    "strong": Style(bold=True),
    "accent": Style(color="cyan", bold=True),
    "match": Style(underline=True),
    "added_word": Style(color="green", reverse=True),
    "removed_word": Style(color="red", reverse=True),
}


class PlainPalette:
    code_theme = ""

    def style(self, name):
        return STYLES.get(name, Style())


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def look(language="en", **more):
    return Look(80, PlainPalette(), language, **more)


def approval(ask_id="a1", **more):
    given = {
        "permission": "bash",
        "patterns": ("git push",),
        "always": ("git push *",),
        "arguments": {"command": "git push origin main"},
    }
    return ApprovalItem(id=ask_id, **(given | more))


class AskApp(App[None]):
    """The panel docked above a prompt."""

    CSS = "Screen { layout: vertical; } #space { height: 1fr; } AskPanel { dock: none; }"
    ENABLE_COMMAND_PALETTE = False

    def __init__(self, language="en", keys=None):
        super().__init__()
        self.clock = Clock()
        self.told = []
        self.panel = AskPanel(look(language), keys, clock=self.clock, id="asks")
        if keys is not None:
            self.set_keymap(keys.for_textual)

    def compose(self):
        yield self.panel
        yield Input("the draft", id="prompt", select_on_focus=False)

    def on_mount(self):
        self.query_one("#prompt").focus()

    @property
    def prompt(self):
        return self.query_one("#prompt", Input)

    def on_ask_panel_replied(self, event):
        self.told.append((event.ask_id, event.reply, event.message))

    def on_ask_panel_answered(self, event):
        self.told.append((event.question_id, event.answers))

    def on_ask_panel_diff_wanted(self, event):
        self.told.append(("diff", event.ask_id))


class DialogApp(App[None]):
    """Shows one dialog and keeps what it gave."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self, dialog, keys=None):
        super().__init__()
        self.dialog, self.given = dialog, []
        if keys is not None:
            self.set_keymap(keys.for_textual)

    def on_mount(self):
        self.push_screen(self.dialog, self.given.append)


def screen_text(app):
    """What the terminal shows, as plain lines without blanks at their ends."""
    lines = app.screen._compositor.render_strips()
    return "\n".join(strip.text.rstrip() for strip in lines)
