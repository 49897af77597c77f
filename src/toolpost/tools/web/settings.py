"""`[web]` of the configuration, and the choices that the web tools take. Cheap to import: every start needs it."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from toolpost.types.errors import ConfigError

Format = Literal["markdown", "text", "html"]
Depth = Literal["quick", "deep"]
SearchProvider = Literal["auto", "tavily", "searxng", "ddgs"]


class WebSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`allow_hosts` are hosts that may be fetched from though they are not public. `searxng` is the URL of an instance;
    `search` chooses one provider, where "auto" takes what there is."""

    allow_hosts: tuple[str, ...] = ()
    searxng: str = ""
    search: SearchProvider = "auto"
    tavily: str = "https://api.tavily.com"


def web_settings(tables: Mapping[str, Any]) -> WebSettings:
    """Read `[web]` among the tables of the configuration."""
    try:
        return msgspec.convert(tables.get("web", {}), WebSettings)
    except msgspec.ValidationError as error:
        # Imported here: only a mistake needs it.
        from toolpost.arguments.decode_errors import explain_decode_error

        raise ConfigError(f"[web] of config.toml: {explain_decode_error(error)}") from None
