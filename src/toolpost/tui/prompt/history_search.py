"""Search the history of prompts while typing, with the list of completions."""

from collections.abc import Callable, Sequence

from textual import events

from toolpost.fuzzy import FuzzyList, fuzzy_match

from .completion import CompletionList, CompletionRow, one_line

MAX_FOUND = 50
_SHOWN_CHARS = 300


class HistorySearch:
    """`done` is called at the end, with the prompt that was chosen or None."""

    def __init__(
        self,
        entries: Sequence[str],
        shown: CompletionList,
        tell: Callable[[], None],
        done: Callable[[str | None], None],
    ) -> None:
        self.query = ""
        self._newest_first = tuple(reversed(entries))
        self._fuzzy = FuzzyList(self._newest_first)
        self._list = shown
        self._tell = tell
        self._done = done
        self._update()

    @property
    def has_found(self) -> bool:
        return self._list.is_open

    def take_key(self, event: events.Key) -> bool:
        """Everything typed is the query."""
        match event.key:
            case "escape" | "ctrl+c" | "ctrl+g":
                self._end(None)
            case "enter" | "tab":
                chosen = self._list.chosen
                self._end(chosen.value if chosen else None)
            case "up" | "ctrl+p":
                self._list.move(-1)
            case "down" | "ctrl+r" | "ctrl+n":
                self._list.move(1)
            case "backspace":
                self.ask(self.query[:-1])
            case "ctrl+u":
                self.ask("")
            case _ if event.is_printable and event.character:
                self.ask(self.query + event.character)
            case _:
                pass
        return True

    def accept(self) -> None:
        chosen = self._list.chosen
        self._end(chosen.value if chosen else None)

    def ask(self, query: str) -> None:
        """Search for something else."""
        self.query = query
        self._update()
        self._tell()

    def _update(self) -> None:
        self._list.show_rows([self._row(text) for text in self._found()])

    def _found(self) -> list[str]:
        """Those with the query as it is, the newest first, then those with its letters, the best first."""
        low = self.query.lower()
        exact = [text for text in self._newest_first if low in text.lower()][:MAX_FOUND]
        if not low or len(exact) == MAX_FOUND:
            return exact
        alike = (match.text for match in self._fuzzy.best(self.query, MAX_FOUND))
        return list(dict.fromkeys((*exact, *alike)))[:MAX_FOUND]

    def _row(self, text: str) -> CompletionRow:
        shown = one_line(text, _SHOWN_CHARS)
        return CompletionRow(text, shown, "", fuzzy_match(self.query, shown) or ())

    def _end(self, chosen: str | None) -> None:
        self._list.close()
        self._done(chosen)
