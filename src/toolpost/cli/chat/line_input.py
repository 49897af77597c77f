"""Read lines in the chat: history, several lines, completion of commands and files. Only the chat loads this."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import ANSI
from prompt_toolkit.history import FileHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

from .history_file import history_file

FindFiles = Callable[[str], Awaitable[Sequence[str]]]
PROMPT = ANSI("\n\x1b[36;1m›\x1b[0m ")


class ChatInput:
    """`read` raises `KeyboardInterrupt` at Ctrl-C and `EOFError` at Ctrl-D."""

    def __init__(self, commands: Mapping[str, str], find_files: FindFiles) -> None:
        self._session: PromptSession[str] = PromptSession(
            history=FileHistory(str(history_file())),
            completer=_PromptCompleter(commands, find_files),
            complete_while_typing=True,
            key_bindings=_keys(),
            multiline=True,
            prompt_continuation="  ",
            enable_open_in_editor=True,
        )

    async def read(self, prefill: str = "") -> str:
        return await self._session.prompt_async(PROMPT, default=prefill)


class _PromptCompleter(Completer):
    """Completes `/command` at the beginning, and `@path` anywhere."""

    def __init__(self, commands: Mapping[str, str], find_files: FindFiles) -> None:
        self._commands = commands
        self._find_files = find_files

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text
        if not typed.startswith("/") or " " in typed or "\n" in typed:
            return
        for name, help in sorted(self._commands.items()):
            if name.startswith(typed[1:]):
                yield Completion(name, start_position=1 - len(typed), display=f"/{name}", display_meta=help)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        for completion in self.get_completions(document, complete_event):
            yield completion
        word = document.text_before_cursor.rpartition("\n")[2].rpartition(" ")[2]
        if word.startswith("@"):
            for path in await self._find_files(word[1:]):
                yield Completion(path, start_position=1 - len(word), display=f"@{path}")


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
