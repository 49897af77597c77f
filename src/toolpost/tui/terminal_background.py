"""Ask the terminal for its background colour, to choose a theme that is readable on it."""

import os
import re
import select
import sys
import time

# A terminal that knows the question answers at once, also through tmux; over a slow line the theme is guessed.
WAIT_SECONDS = 0.2
_ANSWER = re.compile(rb"\x1b\]11;rgba?:([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})/([0-9a-fA-F]{1,4})")
# Every terminal answers this one, so that a terminal which ignores the colour need not be waited for.
_QUESTIONS = b"\x1b]11;?\x07\x1b[c"
_LAST_ANSWER = re.compile(rb"\x1b\[\?[0-9;]*c")


def ask_background(seconds: float = WAIT_SECONDS) -> tuple[int, int, int] | None:
    """The colour as red, green and blue from 0 to 255; None where the terminal does not say. Call it before anything
    else reads the keyboard."""
    if sys.platform == "win32":
        return None
    # Imported here: they are not on every system.
    import termios
    import tty

    try:
        fd = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY)
    except OSError:
        return None
    try:
        before = termios.tcgetattr(fd)
        try:
            tty.setcbreak(fd, termios.TCSANOW)
            os.write(fd, _QUESTIONS)
            return read_color(_read_answer(fd, seconds))
        finally:
            termios.tcsetattr(fd, termios.TCSANOW, before)
    except (OSError, termios.error):
        return None
    finally:
        os.close(fd)


def read_color(answer: bytes) -> tuple[int, int, int] | None:
    found = _ANSWER.search(answer)
    if found is None:
        return None
    red, green, blue = (round(int(part, 16) * 255 / (16 ** len(part) - 1)) for part in found.groups())
    return red, green, blue


def _read_answer(fd: int, seconds: float) -> bytes:
    answer, deadline = b"", time.monotonic() + seconds
    while not _LAST_ANSWER.search(answer):
        ready, _, _ = select.select([fd], [], [], max(0.0, deadline - time.monotonic()))
        piece = os.read(fd, 1024) if ready else b""
        if not piece:
            break
        answer += piece
    return answer
