"""Settings of the full-screen chat, as its caller has read them from the configuration and the terminal."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct

from toolpost.types.text import Language

Notify = Literal["auto", "bell", "off"]
# Why the full screen was left: to quit, to go on in another face, or because its terminal is gone.
Leaving = Literal["quit", "inline", "plain", "lost"]


class TerminalOptions(Struct, frozen=True):
    """- `theme` is a name, or "auto": the colours of the terminal, light or dark as its `background` is.
    - `keys` are those of `[keys]`: an action with its key or keys.
    - `notify`: tell a person whose window is elsewhere by the terminal's notifications, only by its bell, or not.
    - `status_command` prints the right end of the status line; it gets the facts as JSON.
    - `history` is the file with earlier prompts.
    - `resume_command` goes on with a session, whose id stands for `{id}` in it.
    - `has_unicode` is False where the terminal can't show more than ASCII.
    """

    theme: str = "auto"
    background: tuple[int, int, int] | None = None
    no_color: bool = False
    keys: Mapping[str, Any] = {}
    mouse: bool = True
    vim: bool = False
    notify: Notify = "auto"
    motion: bool = True
    status_command: str = ""
    language: Language = "en"
    history: Path | None = None
    resume_command: str = ""
    has_unicode: bool = True
    side_pane: bool = True
