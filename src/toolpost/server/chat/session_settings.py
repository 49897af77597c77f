"""The settings of one session that a person has chosen; they are stored with the session."""

from typing import Any

import msgspec
from msgspec import Struct

from toolpost.store.contract import SessionInfo

# The name under which a session's metadata holds it.
KEPT_AS = "chat"


class ChatSettings(Struct, frozen=True, omit_defaults=True):
    """Empty values are left to the agent or the server. `system` replaces the agent's prompt, `variant` is one of the
    model's, and `switched_off` has names of tools that are not offered."""

    model: str = ""
    agent: str = ""
    system: str = ""
    variant: str = ""
    options: dict[str, Any] = {}
    switched_off: tuple[str, ...] = ()
    pinned: bool = False


def settings_of(info: SessionInfo) -> ChatSettings:
    """Return the settings of a session; the defaults if it has none, or none that can be read."""
    try:
        return msgspec.convert((info.metadata or {}).get(KEPT_AS, {}), ChatSettings)
    except msgspec.ValidationError:
        return ChatSettings()


def kept(settings: ChatSettings) -> dict[str, Any]:
    """Return settings as the metadata of a session stores them."""
    return msgspec.to_builtins(settings)
