"""Find the line of each key in a TOML text, which `tomllib` does not give.

It reads only texts that `tomllib` has accepted, so it skips values without checking them.
"""

import re

KeyPath = tuple[str | int, ...]

_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*+"{3,5}' + r"|'''(?:[^']|'(?!''))*+'{3,5}" + r'|"(?:[^"\\\n]|\\.)*+"' + r"|'[^'\n]*+'",
    re.DOTALL,
)
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
_SCALAR = re.compile(r"[^,\]}#\n]+")


def key_lines(text: str) -> dict[KeyPath, int]:
    """Return the 1-based line of every key and table, by its path; a table's path is at its first mention."""
    return _Reader(text).read()


def line_of(lines: dict[KeyPath, int], path: KeyPath) -> int:
    """The line of `path`, or of the nearest table around it."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 1


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.lines: dict[KeyPath, int] = {}
        self.counts: dict[KeyPath, int] = {}
        self.line = 1
        self.line_at = 0

    def read(self) -> dict[KeyPath, int]:
        table: KeyPath = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.lines

    def _header(self) -> KeyPath:
        start = self.at
        is_array = self.text.startswith("[[", start)
        self.at += 2 if is_array else 1
        path = self._resolve(self._dotted())
        self.at += 2 if is_array else 1
        if is_array:
            self.counts[path] = self.counts.get(path, -1) + 1
            path = (*path, self.counts[path])
        self._note(path, start)
        return path

    def _resolve(self, keys: list[str]) -> KeyPath:
        """Inside an array of tables, a header speaks of the latest element."""
        path: KeyPath = ()
        for place, key in enumerate(keys):
            path = (*path, key)
            if path in self.counts and place < len(keys) - 1:
                path = (*path, self.counts[path])
        return path

    def _pair(self, table: KeyPath) -> None:
        start = self.at
        path = (*table, *self._dotted())
        self._note(path, start)
        self.at += 1
        self._skip(_SPACE)
        self._value(path)

    def _dotted(self) -> list[str]:
        keys: list[str] = []
        while True:
            self._skip(_SPACE)
            keys.append(self._key())
            self._skip(_SPACE)
            if self.text[self.at] != ".":
                return keys
            self.at += 1

    def _key(self) -> str:
        is_quoted = self.text[self.at] in "\"'"
        word = self._skip(_STRING if is_quoted else _BARE_KEY)
        return _unquoted(word) if is_quoted else word

    def _value(self, path: KeyPath) -> None:
        match self.text[self.at]:
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case '"' | "'":
                self._skip(_STRING)
            case _:
                self._skip(_SCALAR)

    def _array(self, path: KeyPath) -> None:
        self.at += 1
        index = 0
        while self._more("]"):
            self._note((*path, index), self.at)
            self._value((*path, index))
            index += 1

    def _inline_table(self, path: KeyPath) -> None:
        self.at += 1
        while self._more("}"):
            self._pair(path)

    def _more(self, end: str) -> bool:
        """Go to the next element, over blanks and a comma; False behind the end."""
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
            self._skip(_BLANK)
        if self.text[self.at] != end:
            return True
        self.at += 1
        return False

    def _skip(self, what: re.Pattern[str]) -> str:
        found = what.match(self.text, self.at)
        word = found.group() if found else ""
        self.at += len(word)
        return word

    def _note(self, path: KeyPath, at: int) -> None:
        self.line += self.text.count("\n", self.line_at, at)
        self.line_at = at
        for end in range(1, len(path) + 1):
            self.lines.setdefault(path[:end], self.line)


def _unquoted(word: str) -> str:
    import tomllib  # only a quoted key needs it

    return tomllib.loads(f"key = {word}")["key"]
