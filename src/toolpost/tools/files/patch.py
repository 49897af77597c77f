"""Parse patches as models write them: the `*** Begin Patch` envelope, or a unified diff. Both become one form."""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NoReturn

from msgspec import Struct, structs

from toolpost.types.errors import ToolError

Sign = Literal[" ", "-", "+"]

BEGIN, END = "*** Begin Patch", "*** End Patch"
FORMS = f'Write "{BEGIN}", then "*** Update File: path" with @@ hunks, and "{END}"; or write a unified diff.'
NO_FILE = "/dev/null"


class Hunk(Struct, frozen=True):
    """Lines that stay, go and come. `line` is where a unified diff puts it; `headers` are lines to look for before it.

    `final_newline` is what the patch says of the file's end: that it has a line end afterwards or not, or nothing.
    """

    lines: tuple[tuple[Sign, str], ...]
    headers: tuple[str, ...] = ()
    line: int | None = None
    at_end: bool = False
    final_newline: bool | None = None


class FilePatch(Struct, frozen=True):
    """The part of a patch that is about one file. `move_to` is its new path where it gets one.

    A deletion has hunks where the patch says what is deleted. `executable` is for a file that is added.
    """

    kind: Literal["add", "delete", "update"]
    path: str
    move_to: str = ""
    hunks: tuple[Hunk, ...] = ()
    content: str = ""
    executable: bool = False

    @property
    def paths(self) -> tuple[str, ...]:
        return (self.path, self.move_to) if self.move_to else (self.path,)


def parse_patch(text: str) -> tuple[FilePatch, ...]:
    """Read a patch; raises a `ToolError` of the kind `invalid` that says which line is wrong."""
    lines = text.replace("\r\n", "\n").split("\n")
    begin = next((at for at, line in enumerate(lines) if line.strip() == BEGIN), None)
    reader = _Unified(lines) if begin is None else _Envelope(lines, begin + 1)
    changes = tuple(reader.changes())
    if not changes:
        raise ToolError(f"There is no change in the patch. {FORMS}", kind="invalid")
    return changes


class _Reader:
    """Lines with a place in them."""

    def __init__(self, lines: Sequence[str], at: int = 0) -> None:
        self.lines = lines
        self.at: int = at

    @property
    def more(self) -> bool:
        return self.at < len(self.lines)

    @property
    def line(self) -> str:
        return self.lines[self.at] if self.more else ""

    def fail(self, problem: str) -> NoReturn:
        raise ToolError(f"Line {self.at + 1} of the patch: {problem} Nothing was changed.", kind="invalid")


class _Envelope(_Reader):
    def changes(self) -> Iterator[FilePatch]:
        while self.line.strip() != END:
            if not self.more:
                self.fail(f'it ends without "{END}". Was it cut off?')
            if not self.line.strip():
                self.at += 1
                continue
            match = _FILE.match(self.line)
            if match is None:
                self.fail(f'"{self.line[:80]}" begins no change: use Add File, Update File or Delete File.')
            self.at += 1
            yield self._change(match.group(1).lower(), match.group(2).strip())

    def _change(self, verb: str, path: str) -> FilePatch:
        if verb == "delete":
            return FilePatch("delete", path)
        if verb == "add":
            return FilePatch("add", path, content="".join(f"{line}\n" for line in self._added()))
        move_to = ""
        if match := _MOVE.match(self.line):
            move_to = match.group(1).strip()
            self.at += 1
        hunks = tuple(self._hunks())
        if not hunks and not move_to:
            self.fail(f"the update of {path} has no lines that change.")
        return FilePatch("update", path, move_to, hunks)

    def _added(self) -> Iterator[str]:
        while self.more and not self._is_over:
            if not self.line.startswith("+"):
                if self.line.strip():
                    self.fail("every line of an added file begins with +.")
                self.at += 1
                continue
            yield self.line[1:]
            self.at += 1

    def _hunks(self) -> Iterator[Hunk]:
        while self.more and not self._is_over:
            headers: list[str] = []
            while self.line.startswith("@@"):
                headers.append(self.line[2:].removesuffix("@@").strip())
                self.at += 1
            body: list[str] = []
            while self.more and not self._is_over and not self.line.startswith(("@@", "*** End of File")):
                body.append(self.line)
                self.at += 1
            at_end = self.line.startswith("*** End of File")
            self.at += at_end
            lines = _signed(self, body)
            if not lines:
                self.fail("there is an empty hunk.")
            yield _with_range(Hunk(lines, tuple(filter(None, headers)), at_end=at_end))

    @property
    def _is_over(self) -> bool:
        return self.line.strip() == END or _FILE.match(self.line) is not None


class _Unified(_Reader):
    def changes(self) -> Iterator[FilePatch]:
        while self.more:
            if self.line.startswith("diff --git "):
                yield from self._git_change()
            elif self._is_header:
                yield self._change()
            elif self.line.startswith("@@ "):
                self.fail("a hunk needs the file's name before it, in lines with --- and +++.")
            else:
                self.at += 1

    def _git_change(self) -> Iterator[FilePatch]:
        """What git says before the hunks, where there may be none: a rename, an empty file that comes or goes."""
        names = _GIT_NAMES.match(self.line)
        said: dict[str, str] = {}
        self.at += 1
        while self.more and not self._is_header and not self.line.startswith("diff --git "):
            if self.line.startswith(("GIT binary patch", "Binary files")):
                self.fail("binary files can't be patched.")
            if self.line.startswith("copy from"):
                self.fail("a copy can't be patched: add the file with what it is to hold.")
            word = next((word for word in _GIT_WORDS if self.line.startswith(word)), "")
            if word:
                said[word] = self.line[len(word) :].strip()
            self.at += 1
        if "rename to" in said and not self._is_header_of(said["rename to"]):
            yield FilePatch("update", _name(said["rename from"]), _name(said["rename to"]))
        elif self._is_header:
            yield structs.replace(self._change(), executable=said.get("new file", "").endswith("755"))
        elif names and "deleted file" in said:
            yield FilePatch("delete", _unescaped(names))
        elif names and "new file" in said:
            yield FilePatch("add", _unescaped(names), executable=said["new file"].endswith("755"))

    @property
    def _is_header(self) -> bool:
        after = self.lines[self.at + 1 : self.at + 2]
        return self.line.startswith("--- ") and bool(after) and after[0].startswith("+++ ")

    def _is_header_of(self, name: str) -> bool:
        return self._is_header and _names(self.line[4:], self.lines[self.at + 1][4:])[1] == _name(name)

    def _change(self) -> FilePatch:
        old, new = _names(self.line[4:], self.lines[self.at + 1][4:])
        self.at += 2
        hunks = tuple(self._hunks())
        if old == NO_FILE:
            return FilePatch("add", new, content=_content(hunks))
        if new == NO_FILE:
            return FilePatch("delete", old, hunks=hunks)
        if not hunks:
            self.fail(f"there is no hunk for {new}.")
        return FilePatch("update", old, new if new != old else "", hunks)

    def _hunks(self) -> Iterator[Hunk]:
        while self.more and self.line.startswith("@@"):
            match = _RANGE.match(self.line)
            self.at += 1
            body: list[str] = []
            while self.more and not self.line.startswith(("@@", "diff --git ")) and not self._is_next_file:
                body.append(self.line)
                self.at += 1
            yield Hunk(
                _signed(self, [line for line in body if not line.startswith("\\")]),
                line=int(match.group(1)) if match else None,
                final_newline=_final_newline(body),
            )

    @property
    def _is_next_file(self) -> bool:
        # A removed line may begin with "-- " too, so the line of the first hunk has to follow.
        after = self.lines[self.at + 2 : self.at + 3]
        return self._is_header and bool(after) and after[0].startswith("@@")


def _signed(reader: _Reader, body: list[str]) -> tuple[tuple[Sign, str], ...]:
    """The lines of a hunk by their sign. An empty line stands for an empty one that stays: its space is often lost."""
    while body and (not body[-1] or body[-1].startswith("```")):
        body.pop()
    signed: list[tuple[Sign, str]] = []
    for line in body:
        sign = line[:1]
        if sign == "+" or sign == "-" or sign == " ":
            signed.append((sign, line[1:]))
        elif not line:
            signed.append((" ", ""))
        else:
            reader.fail(f'"{line[:80]}" begins neither with a space nor with + or -.')
    return tuple(signed)


def _with_range(hunk: Hunk) -> Hunk:
    """Some write the ranges of a unified diff into the other form; they are not lines to look for."""
    ranges = [match for header in hunk.headers if (match := _RANGE.match(f"@@ {header} @@"))]
    if not ranges:
        return hunk
    headers = tuple(header for header in hunk.headers if not _RANGE.match(f"@@ {header} @@"))
    return structs.replace(hunk, headers=headers, line=int(ranges[-1].group(1)))


def _content(hunks: Sequence[Hunk]) -> str:
    lines = [line for hunk in hunks for sign, line in hunk.lines if sign == "+"]
    ended = not hunks or hunks[-1].final_newline is not False
    return "\n".join(lines) + ("\n" if lines and ended else "")


def _final_newline(body: Sequence[str]) -> bool | None:
    """What the mark for a missing line end says: behind a line that stays or comes it is missing afterwards too."""
    marks = [body[at - 1][:1] for at, line in enumerate(body) if line.startswith("\\") and at]
    if not marks:
        return None
    return not ("+" in marks or " " in marks)


def _names(old: str, new: str) -> tuple[str, str]:
    """Both names of a file, without the letters that git puts before them."""
    old, new = _name(old), _name(new)
    if (old == NO_FILE or old.startswith("a/")) and (new == NO_FILE or new.startswith("b/")):
        return old.removeprefix("a/"), new.removeprefix("b/")
    return old, new


def _name(text: str) -> str:
    """A file's name without the time that some put behind it."""
    name = text.partition("\t")[0].strip()
    quoted = _QUOTED.fullmatch(name)
    return _unescaped(quoted) if quoted else name


def _unescaped(found: re.Match[str]) -> str:
    """A name from between quotes, in which git writes bytes outside ASCII as numbers."""
    if not found["quote"]:
        return found["name"]
    data = _ESCAPE.sub(_byte, found["name"].encode(errors="surrogateescape"))
    return data.decode(errors="surrogateescape")


def _byte(found: re.Match[bytes]) -> bytes:
    said = found[1]
    return bytes([int(said, 8) & 0xFF]) if said.isdigit() else _ESCAPED.get(said, said)


_FILE = re.compile(r"\*\*\* (Add|Update|Delete) File: ?(.+)", re.IGNORECASE)
_MOVE = re.compile(r"\*\*\* Move to: ?(.+)", re.IGNORECASE)
_RANGE = re.compile(r"@@ -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@")
_GIT_NAMES = re.compile(r'diff --git (?P<quote>"?)a/(?P<name>.+)(?P=quote) (?P=quote)b/(?P=name)(?P=quote)$')
_QUOTED = re.compile(r'(?P<quote>")(?P<name>.*)"')
_ESCAPE = re.compile(rb"\\([0-7]{3}|.)")
_ESCAPED = {b"n": b"\n", b"t": b"\t"}
_GIT_WORDS = ("rename from", "rename to", "deleted file", "new file")
