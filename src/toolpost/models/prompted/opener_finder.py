"""Find possible starts of a tool call in a text, with one compiled regex."""

import re
from functools import cache

from .dialects.lines import ACTIONS, FUNCTOOLS
from .dialects.table import ALWAYS, MARKERS, THINK_ENDS, Dialect, find_dialect
from .incremental_reader import Markers
from .value_end import QUOTES

FENCE = "```"
OBSERVATION = "Observation:"
FINAL_ANSWER = "Final Answer:"

# What may begin a call only where it begins a line; for some dialects, when chosen, anywhere.
_LINE_WORDS = (OBSERVATION, FINAL_ANSWER, "~~~", FENCE)
_LINE_FORMS = {"action": ACTIONS, "functools": (FUNCTOOLS,)}
_LINE_CHARS = "{[>"
_ANYWHERE = {"object": ("{",), "list": ("[",), "python": ("[",), "functionary": (">>>",)}
_BARE_JSON = rf"""\{{(?=\s*(?:[{QUOTES}{{]|[\w$]+\s*[:：]|[\w$]*\s*\Z))|\[(?=\s*(?:\{{|\Z))"""
# Markers that open no call.
_TEXTUAL = ("result", "think", "wrapper", "end", "citation", "thought")


class OpenerFinder:
    """Made once a dialect: `finder_for`."""

    def __init__(self, dialect: Dialect, blind: bool) -> None:
        anywhere = [] if blind else [word for form in dialect.forms for word in _ANYWHERE.get(form, ())]
        self.openers = Markers((*dialect.markers, *ALWAYS))
        self.markers = Markers((*dialect.markers, *ALWAYS, *anywhere, FENCE, *THINK_ENDS))
        words = (*_LINE_WORDS, *(word for form in dialect.forms for word in _LINE_FORMS.get(form, ())))
        chars = [char for char in _LINE_CHARS if char == ">" or {"object", "list", "python"} & set(dialect.forms)]
        self._words = Markers(words)
        self._line_words = Markers((*words, *chars))
        self.beginnings = Markers((*self.markers.texts, *self._line_words.texts))
        calls = (text for text in dialect.markers if MARKERS[text][0] not in _TEXTUAL)
        self.in_thought = Markers((*calls, *THINK_ENDS, dialect.thinks_until))
        line = self._line_words.pattern
        # All dialects at once look for bare JSON behind words too: it may end the message.
        bare = f"|{_BARE_JSON}" if blind else ""
        self._pattern = re.compile(rf"{self.markers.pattern}|\n {{0,3}}(?={line}){bare}")
        self._at_line = re.compile(rf" {{0,3}}(?={line})")

    def search(self, text: str, at: int) -> re.Match[str] | None:
        return self._pattern.search(text, at)

    def line_start(self, line: str, text: str, at: int) -> re.Match[str] | None:
        """What begins a line, where `line` is all that stands before it on the line."""
        if len(line) > 3 or line.strip(" "):
            return None
        found = self._at_line.match(text, at)
        return found if found and len(line) + found.end() - at <= 3 else None

    def held(self, line: str, text: str, at: int) -> int:
        """How many characters at the end may yet begin something."""
        held = self.markers.held(text, at)
        newline = text.rfind("\n", at)
        if newline < 0 and len(line) > 3 + self._words.longest:
            return held
        rest = text[newline + 1 :] if newline >= 0 else line + text[at:]
        word = rest.lstrip(" ")
        if word and len(rest) - len(word) <= 3 and self._words.may_begin(word):
            held = max(held, min(len(word), len(text) - at))
        return held


@cache
def finder_for(dialect: str | None) -> OpenerFinder:
    # To compile the patterns takes longer than to scan a short text.
    return OpenerFinder(find_dialect(dialect), dialect is None)
