"""Make the names of MCP tools unique and valid for models: `mcp__<server>__<tool>`."""

import hashlib
import re
from collections.abc import Iterable

MAX_LENGTH = 64
_MAX_SERVER = 28
_HASH = 6


def server_words(names: Iterable[str]) -> dict[str, str]:
    """Make a unique prefix for each server. None contains `__`, so a tool's name tells its server."""
    words: dict[str, str] = {}
    # Those whose name needs no change keep it, whoever else would be cleaned to the same.
    for name in sorted(names, key=lambda name: (_server_word(name) != name, name)):
        word = _server_word(name)
        # Again where somebody bears the very name that the first way out leads to.
        while word in words.values():
            word = f"{_server_word(name)}-{_digest(name + word)}"
        words[name] = word
    return words


def tool_names(word: str, names: Iterable[str]) -> dict[str, str]:
    """Make a unique name for each tool of a server, the same at every start."""
    prefix = f"mcp__{word}__"
    found: dict[str, str] = {}
    taken: set[str] = set()
    for name in sorted(set(names), key=lambda name: (_clean(name) != name, name)):
        whole = cleaned = prefix + (_clean(name) or "tool")
        while len(cleaned) > MAX_LENGTH or cleaned in taken:
            cleaned = f"{whole[: MAX_LENGTH - _HASH - 1]}_{_digest(name + cleaned)}"
        taken.add(cleaned)
        found[name] = cleaned
    return found


def _server_word(name: str) -> str:
    cleaned = re.sub(r"_{2,}", "_", _clean(name)).strip("_-")
    if len(cleaned) > _MAX_SERVER:
        return f"{cleaned[:_MAX_SERVER].rstrip('_-')}-{_digest(name)}"
    return cleaned or f"server-{_digest(name)}"


def _clean(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9_-]", "_", name)


def _digest(name: str) -> str:
    return hashlib.sha256(name.encode(errors="replace")).hexdigest()[:_HASH]
