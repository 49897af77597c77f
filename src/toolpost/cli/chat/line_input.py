"""Read lines in the chat: history, several lines, completion of commands. Only the chat loads this."""

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from toolpost.store import default_path

PROMPT = ANSI("\n\x1b[36;1m›\x1b[0m ")


class ChatInput:
    """`read` raises `KeyboardInterrupt` at Ctrl-C and `EOFError` at Ctrl-D."""

    def __init__(self, commands: Mapping[str, str]) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=FileHistory(str(_history_file())),
            completer=_CommandCompleter(commands),
            complete_while_typing=True,
            key_bindings=_keys(),
            multiline=True,
            prompt_continuation="  ",
            enable_open_in_editor=True,
        )

    async def read(self, prefill: str = "") -> str:
        return await self._session.prompt_async(PROMPT, default=prefill)


class _CommandCompleter(Completer):
    def __init__(self, commands: Mapping[str, str]) -> None:
        self._commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text
        if not typed.startswith("/") or " " in typed or "\n" in typed:
            return
        for name, help in sorted(self._commands.items()):
            if name.startswith(typed[1:]):
                yield Completion(name, start_position=1 - len(typed), display=f"/{name}", display_meta=help)


def _keys() -> KeyBindings:
    """Enter sends, Alt+Enter makes a new line. A pasted text comes whole, with its lines."""
    keys = KeyBindings()

    @keys.add("enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.validate_and_handle()

    @keys.add("escape", "enter")
    def _(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys


def _history_file() -> Path:
    """Made by us, so that nobody else may read what was typed."""
    path = default_path().parent / "history"
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    return path
