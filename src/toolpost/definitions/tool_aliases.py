"""Map the tool names, permission names and lists of other programs to ours."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from toolpost.types.errors import ConfigError

_TOOLS = {
    "agent": "task",
    "applypatch": "apply_patch",
    "askuserquestion": "question",
    "codesearch": "code_search",
    "ls": "list",
    "multiedit": "edit",
    "notebookedit": "edit",
    "patch": "apply_patch",
    "todoread": "todo_read",
    "todowrite": "todo_write",
    "webfetch": "web_fetch",
    "websearch": "web_search",
}
_ENTRY = re.compile(r"([^,()\s]+)(?:\([^)]*\))?")


def tool_name(word: str) -> str:
    """Our name for what may be another tool's: `WebFetch` is `web_fetch`. MCP tools are called the same everywhere."""
    if word.startswith("mcp__"):
        return word
    plain = word.lower()
    return _TOOLS.get(plain, plain)


def tool_names(value: Any, name: str) -> tuple[str, ...] | dict[str, bool] | None:
    """`tools: Read, Grep`, a list, or a table of names with true and false; None for all."""
    if value is None or value == "*":
        return None
    if isinstance(value, str):
        return tuple(dict.fromkeys(tool_name(entry) for entry in _ENTRY.findall(value)))
    if isinstance(value, Sequence):
        entries = cast(Sequence[object], value)
        if all(isinstance(entry, str) for entry in entries):
            return tool_names(", ".join(cast(Sequence[str], entries)), name)
    if isinstance(value, Mapping):
        table = cast(Mapping[object, object], value)
        if all(isinstance(on, bool) for on in table.values()):
            return {tool_name(str(word)): on is True for word, on in table.items()}
    raise ConfigError(f"{name}: tools must be a list of names, or a table of names with true or false")


def permissions(value: Any) -> Any:
    """Permissions as `parse_rules` takes them, with our names."""
    if not isinstance(value, Mapping):
        return value
    return {tool_name(str(word)): entry for word, entry in cast(Mapping[object, object], value).items()}
