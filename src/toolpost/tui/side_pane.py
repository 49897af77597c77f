"""The side pane: tasks, changed files, MCP servers and background jobs of the open session."""

from collections.abc import Sequence

from rich.text import Text
from textual.app import ComposeResult, RenderResult
from textual.containers import VerticalScroll
from textual.widget import Widget

from toolpost.control.contract import ServerRow
from toolpost.types.text import Language
from toolpost.view.cells import fit
from toolpost.view.escape_codes import exact_line
from toolpost.view.session_facts import SessionFacts
from toolpost.view.words import words

from .drawing.contract import Palette, StyleName

WIDTH = 36
MAX_ROWS = 200
_TODO_MARKS = {"pending": "○", "in_progress": "◐", "completed": "●", "cancelled": "✕"}
_ASCII_MARKS = {"pending": "[ ]", "in_progress": "[~]", "completed": "[x]", "cancelled": "[-]"}
_CHANGE_MARKS = {"added": "+", "changed": "~", "deleted": "-"}


class SidePane(VerticalScroll):
    """Hidden while the terminal is narrow, and by a key."""

    DEFAULT_CSS = f"""
    SidePane {{ width: {WIDTH}; padding: 0 1; background: transparent; scrollbar-size-vertical: 1; }}
    SidePane > _SideText {{ width: 1fr; height: auto; background: transparent; }}
    """
    can_focus = False

    def __init__(self, palette: Palette, language: Language, *, has_unicode: bool = True) -> None:
        super().__init__()
        self._text = _SideText(palette, language, has_unicode)

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, facts: SessionFacts, title: str, servers: Sequence[ServerRow]) -> None:
        self._text.show(facts, title, servers)

    def use_palette(self, palette: Palette) -> None:
        self._text.use_palette(palette)


class _SideText(Widget):
    def __init__(self, palette: Palette, language: Language, has_unicode: bool) -> None:
        super().__init__()
        self._palette = palette
        self._language: Language = language
        self._has_unicode = has_unicode
        self._facts = SessionFacts()
        self._title = ""
        self._servers: Sequence[ServerRow] = ()

    def show(self, facts: SessionFacts, title: str, servers: Sequence[ServerRow]) -> None:
        if (facts, title, servers) != (self._facts, self._title, self._servers):
            self._facts, self._title, self._servers = facts, title, servers
            self.refresh(layout=True)

    def use_palette(self, palette: Palette) -> None:
        self._palette = palette
        self.refresh()

    def render(self) -> RenderResult:
        text = Text(no_wrap=True, overflow="ellipsis")
        self._line(text, exact_line(self._title), "strong")
        self._todos(text)
        self._files(text)
        self._server_rows(text)
        self._jobs(text)
        text.rstrip()
        return text

    def _todos(self, text: Text) -> None:
        todos = self._facts.todos
        self._heading(text, "panel.todos", len(todos))
        marks = _TODO_MARKS if self._has_unicode else _ASCII_MARKS
        for todo in todos[:MAX_ROWS]:
            style: StyleName = "dim" if todo.state in ("completed", "cancelled") else "text"
            self._line(text, f"{marks[todo.state]} {exact_line(todo.text)}", style)

    def _files(self, text: Text) -> None:
        files = self._facts.files
        self._heading(text, "panel.files", len(files))
        for file in files[:MAX_ROWS]:
            counts = "".join(f" {sign}{count}" for sign, count in (("+", file.added), ("-", file.removed)) if count)
            room = max(8, self.size.width - len(counts) - 2)
            path = _shortened(exact_line(file.path), room)
            self._line(text, f"{_CHANGE_MARKS[file.change]} {path}{counts}", "text")

    def _server_rows(self, text: Text) -> None:
        self._heading(text, "panel.servers", len(self._servers))
        for server in self._servers:
            style: StyleName = "text" if server.state == "connected" else "dim"
            self._line(text, f"{exact_line(server.name)} {exact_line(server.state)}", style)

    def _jobs(self, text: Text) -> None:
        jobs = self._facts.jobs
        self._heading(text, "panel.jobs", len(jobs))
        for job in jobs[:MAX_ROWS]:
            state = words("job.running" if job.is_running else "job.ended", self._language)
            self._line(text, f"{exact_line(job.title or job.id)} {state}", "text" if job.is_running else "dim")

    def _heading(self, text: Text, key: str, count: int) -> None:
        """Sections without rows are left out."""
        if count:
            if text:
                text.append("\n")
            self._line(text, words(key, self._language), "heading")

    def _line(self, text: Text, line: str, style: StyleName) -> None:
        if line:
            text.append(fit(line, max(4, self.size.width or WIDTH - 3)) + "\n", self._palette.style(style))


def _shortened(path: str, cells: int) -> str:
    """Of a long path its end says more."""
    return path if len(path) <= cells else f"…{path[1 - cells :]}"
