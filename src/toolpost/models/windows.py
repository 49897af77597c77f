"""Find the context window of a model on a server of one's own: what the server says, and what its machine can hold.

Ollama cuts a conversation at 4,096 tokens, and says nothing, unless each request names a size. So a size is always
named: what the model's own file chooses, else as much of the model's window as memory allows.
"""

import os
from pathlib import Path

from toolpost.net.urls import is_loopback

from .adapter_settings import AdapterSettings
from .server_facts import ServerFacts, ask_server

# Every size is a multiple of it, so that small differences do not make Ollama load the model again.
STEP = 4_096
SMALLEST = 4_096
# More is slow to read on most machines, and has to be asked for with `max_context`.
LARGEST = 32_768
# Where it can't be known what the machine holds: another one, or sizes that the server does not tell.
UNKNOWN_MEMORY = 16_384
# Where the server does not say what the model can have.
UNKNOWN_MODEL = 8_192
# What of a machine's memory weights and context may take.
MEMORY_SHARE = 0.7
_CGROUP_LIMITS = (Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"))


async def served_window(wire: str, settings: AdapterSettings) -> tuple[int | None, bool]:
    """The window to use with a model, and whether that is final: it is not where the server could not be reached."""
    facts = await ask_server(wire, settings)
    if not facts.is_reached:
        return None, False
    if wire != "ollama":
        # Those servers have decided when they were started.
        return _least(facts.context_window, settings.max_context), True
    memory = installed_memory() if is_loopback(settings.base_url) else None
    return window_for(facts, memory, settings.max_context), True


def window_for(facts: ServerFacts, memory: int | None, most: int | None) -> int:
    """The window to ask a server for that takes any. `memory`: the bytes of its machine; `most`: what a person set."""
    chosen = most or facts.chosen_window
    if chosen is not None:
        return _least(chosen, facts.context_window) or chosen
    if facts.context_window is None:
        return UNKNOWN_MODEL
    if memory is None or facts.weight_bytes is None or facts.token_bytes is None:
        return min(facts.context_window, UNKNOWN_MEMORY)
    tokens = int(memory * MEMORY_SHARE - facts.weight_bytes) // facts.token_bytes
    return min(facts.context_window, max(SMALLEST, min(tokens // STEP * STEP, LARGEST)))


def installed_memory() -> int | None:
    """The memory of this machine or container, whatever is free of it now; None where the system does not tell."""
    limits = [int(text) for file in _CGROUP_LIMITS if (text := _text(file)).isdecimal()]
    try:
        limits.append(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (ValueError, OSError, AttributeError):
        return None
    return min(limits)


def _text(file: Path) -> str:
    try:
        return file.read_text().strip()
    except OSError:
        return ""


def _least(*values: int | None) -> int | None:
    return min((value for value in values if value is not None), default=None)
