"""The permission mode of a chat, and the results of its `!` commands for the model: a plugin of the chat's own."""

from dataclasses import replace
from typing import Literal

from msgspec import structs

from toolpost.control.contract import PermissionMode
from toolpost.control.modes import is_edit
from toolpost.engine.session_setup import Setup
from toolpost.plugins.hooks import AskHook, Hooks, Plugin, PromptHook
from toolpost.types.messages import ContextPart


class ChatHooks(Plugin):
    """In the mode `edits`, allow changes of files in the project that a person would be asked about. Tell the model,
    with the next prompt, what the person's own commands gave."""

    name = "chat"

    def __init__(self) -> None:
        self.mode: PermissionMode = "ask"
        self._results: dict[str, list[ContextPart]] = {}

    def arranged(self, setup: Setup) -> Setup:
        """The same with these hooks, for a session whose asks are answered by `reply` and `answer`."""
        hooks = Hooks((*setup.hooks.plugins, self), timeout=setup.limits.hook_timeout)
        return replace(setup, hooks=hooks, interactive=True)

    def note_result(self, session_id: str, command: str, result: str) -> None:
        """Keep what a command of the person gave, for the next prompt of the session."""
        text = f"The user ran this command:\n$ {command}\n{result}"
        self._results.setdefault(session_id, []).append(ContextPart(text, "bash"))

    async def permission_ask(self, ask: AskHook) -> Literal["allow", "deny"] | None:
        return "allow" if self.mode == "edits" and is_edit(ask.permission, ask.patterns) else None

    async def chat_message(self, prompt: PromptHook) -> PromptHook | None:
        results = self._results.pop(prompt.session_id, None)
        return structs.replace(prompt, context=(*prompt.context, *results)) if results else None
