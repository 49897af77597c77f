"""Colour streamed Markdown for a terminal. No letter is dropped or held back for long."""

import re

BOLD, CODE, DIM, RESET = "\x1b[1m", "\x1b[36m", "\x1b[2m", "\x1b[0m"

# A line's beginning is held until it is known whether it is a fence or a heading; a star until its neighbour came.
_UNDECIDED = re.compile(r" {0,3}(?:`{0,2}|#{0,6})")
_FENCE = re.compile(r" {0,3}```")
_HEADING = re.compile(r" {0,3}#{1,6} ")


class Markdown:
    """`feed` what arrives and write what it gives back; `end` closes what is open. Without escapes it is the text."""

    def __init__(self) -> None:
        self._held = ""
        self._at_start = True
        self._in_fence = False
        self._line_style = ""
        self._is_bold = False
        self._in_code = False

    def feed(self, text: str) -> str:
        pieces: list[str] = []
        *lines, rest = (self._held + text).split("\n")
        self._held = ""
        for line in lines:
            pieces += [self._line(line, is_whole=True), self._end_line(), "\n"]
        pieces.append(self._line(rest, is_whole=False))
        return "".join(pieces)

    def end(self) -> str:
        held, self._held = self._held, ""
        shown = self._line(held, is_whole=True) + self._end_line()
        self._in_fence = False
        return shown

    def _line(self, text: str, *, is_whole: bool) -> str:
        if not text:
            return ""
        opened = ""
        if self._at_start:
            if not is_whole and _UNDECIDED.fullmatch(text):
                self._held = text
                return ""
            self._at_start = False
            opened = self._open_line(text)
        if self._in_fence or self._line_style:
            return opened + text
        if not is_whole and (len(text) - len(text.rstrip("*"))) % 2:
            text, self._held = text[:-1], "*"
        return opened + self._inline(text)

    def _open_line(self, text: str) -> str:
        if _FENCE.match(text):
            self._in_fence = not self._in_fence
            self._line_style = DIM
        elif self._in_fence:
            self._line_style = CODE
        elif _HEADING.match(text):
            self._line_style = BOLD
        return self._line_style

    def _inline(self, text: str) -> str:
        pieces: list[str] = []
        for piece in re.split(r"(\*\*|`)", text):
            if piece == "`":
                self._in_code = not self._in_code
                pieces.append(f"{CODE}`" if self._in_code else f"`{RESET}{BOLD if self._is_bold else ''}")
            elif piece == "**" and not self._in_code:
                self._is_bold = not self._is_bold
                pieces.append(f"{BOLD}**" if self._is_bold else f"**{RESET}")
            else:
                pieces.append(piece)
        return "".join(pieces)

    def _end_line(self) -> str:
        """Styles end with their line: a star that was never closed must not colour the rest."""
        is_styled = self._line_style or self._is_bold or self._in_code
        self._at_start, self._line_style, self._is_bold, self._in_code = True, "", False, False
        return RESET if is_styled else ""
