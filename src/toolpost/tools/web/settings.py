"""Read `[web]` of the configuration. Cheap to import: every start needs it."""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec
from msgspec import Struct

from toolpost.types.errors import ConfigError

Format = Literal["markdown", "text", "html"]
Depth = Literal["quick", "deep"]
Topic = Literal["general", "news", "finance"]
TimeRange = Literal["day", "week", "month", "year"]
Provider = Literal["tavily", "searxng", "ddgs"]

# The name that Tavily's key has in the keyring, and the variable that may hold it.
TAVILY = "tavily"
TAVILY_VARIABLE = "TAVILY_API_KEY"


class WebSettings(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """`allow_hosts` are hosts that may be fetched from though they are not public. `searxng` is the URL of an instance;
    `search` names the providers to ask, in this order, where "auto" takes what there is. `depth`, `topic`, `time_range`
    and `raw_content` hold for searches that do not say it; no search leaves `include_domains`, or finds anything of
    `exclude_domains`."""

    allow_hosts: tuple[str, ...] = ()
    searxng: str = ""
    search: Literal["auto"] | Provider | tuple[Provider, ...] = "auto"
    tavily: str = "https://api.tavily.com"
    depth: Depth = "quick"
    topic: Topic = "general"
    time_range: TimeRange | Literal[""] = ""
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    raw_content: bool = False


def web_settings(tables: Mapping[str, Any]) -> WebSettings:
    """Read `[web]` among the tables of the configuration."""
    try:
        return msgspec.convert(tables.get("web", {}), WebSettings)
    except msgspec.ValidationError as error:
        # Imported here: only a mistake needs it.
        from toolpost.arguments.decode_errors import explain_decode_error

        raise ConfigError(f"[web] of config.toml: {explain_decode_error(error)}") from None
