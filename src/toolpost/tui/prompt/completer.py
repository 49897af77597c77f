"""Completion while typing: when the list opens, what its keys do, and files that are found in the background."""

import asyncio

from textual import events
from textual.widget import Widget
from textual.worker import Worker

from toolpost.types.errors import ToolpostError

from .completion import (
    DEBOUNCE_SECONDS,
    CompletionList,
    CompletionSources,
    Wanted,
    as_mention,
    command_rows,
    file_rows,
    wanted_at,
)
from .text_area import PromptArea

MAX_FILES = 30


class Completer:
    def __init__(self, area: PromptArea, shown: CompletionList, owner: Widget) -> None:
        self.sources: CompletionSources | None = None
        self._area = area
        self._list = shown
        self._owner = owner
        self._wanted: Wanted | None = None
        self._search: Worker[None] | None = None
        # A place where the list was closed by a person stays without one.
        self._closed_at: tuple[int, int] | None = None
        self._hushed_text: str | None = None

    def update(self) -> None:
        """The text has changed."""
        wanted = self._now_wanted()
        if self._area.text == self._hushed_text or wanted is None or self._place(wanted) == self._closed_at:
            self._forget(keep_closed=wanted is not None)
            return
        self._hushed_text = None
        self._closed_at = None
        if wanted == self._wanted:
            return
        self._wanted = wanted
        assert self.sources is not None
        if wanted.kind == "command":
            self._list.show_rows(command_rows(wanted.query, self.sources.commands()))
        else:
            self._search = self._owner.run_worker(
                self._find(wanted, self.sources), group="completion", exclusive=True, exit_on_error=False
            )

    def moved(self) -> None:
        """The cursor has moved: a list that belongs to another place is closed."""
        if self._wanted is not None and self._now_wanted() != self._wanted:
            self.update() if self._now_wanted() else self._forget()

    def hush(self) -> None:
        """The text was not typed: nothing is completed in it."""
        self._forget()
        self._hushed_text = self._area.text

    def take_key(self, event: events.Key) -> bool:
        if not self._list.is_open:
            return False
        match event.key:
            case "up" | "ctrl+p":
                self._list.move(-1)
            case "down" | "ctrl+n":
                self._list.move(1)
            case "escape":
                self._close()
            case "tab":
                self.accept()
            case "enter":
                return self._accept_by_enter()
            case _:
                return False
        return True

    def accept(self) -> None:
        """Put the chosen row into the text."""
        row, wanted = self._list.chosen, self._wanted
        if row is None or wanted is None:
            return
        line, column = self._area.cursor_location
        is_folder = wanted.kind == "file" and row.value.endswith("/") and "://" not in row.value
        text = row.value if wanted.kind == "command" or is_folder else as_mention(row.value)
        self._forget()
        self._area.replace(
            text if is_folder else f"{text} ", (line, wanted.start), (line, column), maintain_selection_offset=False
        )

    def _accept_by_enter(self) -> bool:
        """What is written out already is sent."""
        row, wanted = self._list.chosen, self._wanted
        if row is not None and wanted is not None and row.value == wanted.query:
            self._forget()
            return False
        self.accept()
        return True

    async def _find(self, wanted: Wanted, sources: CompletionSources) -> None:
        await asyncio.sleep(DEBOUNCE_SECONDS)
        try:
            paths = await sources.find_files(wanted.query, MAX_FILES)
        except ToolpostError:
            # Nobody asked for an error while typing.
            paths = ()
        if wanted == self._wanted:
            self._list.show_rows(file_rows(wanted.query, paths))

    def _now_wanted(self) -> Wanted | None:
        if self.sources is None:
            return None
        return wanted_at(self._area.before_cursor, self._area.cursor_location[0] == 0)

    def _place(self, wanted: Wanted) -> tuple[int, int]:
        return self._area.cursor_location[0], wanted.start

    def _close(self) -> None:
        wanted = self._wanted
        self._forget()
        if wanted is not None:
            self._closed_at = self._place(wanted)

    def _forget(self, *, keep_closed: bool = False) -> None:
        self._wanted = None
        if not keep_closed:
            self._closed_at = None
        if self._search is not None:
            self._search.cancel()
            self._search = None
        self._list.close()
