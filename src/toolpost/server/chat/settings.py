"""What a person has chosen for one conversation; it is kept with the session."""

from typing import Any

import msgspec
from msgspec import Struct

from toolpost.store.contract import SessionInfo

# The name under which a session's metadata holds it.
KEPT_AS = "chat"


class ChatSettings(Struct, frozen=True, omit_defaults=True):
    """What is empty is the agent's, or the server's, to say. `system` stands in place of the agent's prompt,
    `variant` is one of the model's, `switched_off` are names of tools that are not offered."""

    model: str = ""
    agent: str = ""
    system: str = ""
    variant: str = ""
    options: dict[str, Any] = {}
    switched_off: tuple[str, ...] = ()
    pinned: bool = False


def settings_of(info: SessionInfo) -> ChatSettings:
    """Those of a session; the defaults where it has none, or none that can be read."""
    try:
        return msgspec.convert((info.metadata or {}).get(KEPT_AS, {}), ChatSettings)
    except msgspec.ValidationError:
        return ChatSettings()


def kept(settings: ChatSettings) -> dict[str, Any]:
    """As metadata holds them."""
    return msgspec.to_builtins(settings)
