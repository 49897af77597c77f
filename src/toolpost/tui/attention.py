"""Tell a person whose terminal window is elsewhere that they are waited for: title, bell, desktop notification."""

import os
from collections.abc import Callable, Mapping

from toolpost.view.escape_codes import exact_line

from .options import Notify

MAX_CHARACTERS = 200


class Attention:
    """Writes to the terminal's own channels. `write` takes escape sequences for the terminal."""

    def __init__(self, write: Callable[[str], None], notify: Notify, environ: Mapping[str, str] = os.environ) -> None:
        self._write = write
        self._notify = notify
        self._is_in_tmux = "TMUX" in environ
        # Which notification a terminal knows; others swallow a sequence that they do not.
        self._is_kitty = "kitty" in environ.get("TERM", "") or "KITTY_WINDOW_ID" in environ
        self._is_urxvt = environ.get("TERM", "").startswith("rxvt")
        self.has_focus = True

    def title(self, text: str) -> None:
        self._write(f"\x1b]2;{_line(text)}\x07")

    def push_title(self) -> None:
        """Keep the title that the window has, for `pop_title`."""
        self._write("\x1b[22;2t")

    def pop_title(self) -> None:
        self._write("\x1b[23;2t")

    def call(self, title: str, text: str) -> None:
        """Call the person, unless they look at this window."""
        if self.has_focus or self._notify == "off":
            return
        self._write("\x07")
        if self._notify == "auto":
            self._write(self._passed_through(self._notification(_line(title), _line(text))))

    def _notification(self, title: str, text: str) -> str:
        if self._is_kitty:
            return f"\x1b]99;i=toolpost:d=0;{title}\x1b\\\x1b]99;i=toolpost:p=body;{text}\x1b\\"
        if self._is_urxvt:
            return f"\x1b]777;notify;{title};{text}\x07"
        return f"\x1b]9;{title}: {text}\x07"

    def _passed_through(self, sequence: str) -> str:
        """tmux keeps for itself what is not wrapped."""
        if not self._is_in_tmux:
            return sequence
        doubled = sequence.replace("\x1b", "\x1b\x1b")
        return f"\x1bPtmux;{doubled}\x1b\\"


def clipboard_sequence(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The sequence that copies a text (OSC 52), which reaches the person's own machine also through SSH and tmux."""
    # Imported here: few copy.
    from base64 import b64encode

    sequence = f"\x1b]52;c;{b64encode(text.encode()).decode()}\x07"
    if "TMUX" not in environ:
        return sequence
    doubled = sequence.replace("\x1b", "\x1b\x1b")
    # tmux takes the plain one where `set-clipboard` is on, and the wrapped one where `allow-passthrough` is.
    return f"{sequence}\x1bPtmux;{doubled}\x1b\\"


def _line(text: str) -> str:
    return exact_line(text)[:MAX_CHARACTERS].replace(";", ",")
