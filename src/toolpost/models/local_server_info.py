"""Ask a local model server what a model supports: tools, parallel calls, the size of its context window."""

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from msgspec import Struct

from toolpost.types.errors import ModelError

from . import http
from .adapter_settings import AdapterSettings
from .http_model import auth_headers, endpoint

SECONDS = 3.0


class ServerFacts(Struct, frozen=True, omit_defaults=True):
    """What was said; None is not said."""

    tools: bool | None = None
    context_window: int | None = None
    parallel: bool | None = None


async def ask_server(wire: str, settings: AdapterSettings) -> ServerFacts:
    """Ask the routes that Ollama, llama.cpp and vLLM have for it. A server without them says nothing."""
    base_url, name = settings.base_url, settings.name
    headers = auth_headers(settings.headers, authorization=settings.api_key)
    if wire == "ollama":
        return await _ollama(base_url, name, headers)
    found = await _llamacpp(base_url, name, headers)
    return found if found != ServerFacts() else await _vllm(base_url, name, headers)


async def _ollama(base_url: str, name: str, headers: Mapping[str, str]) -> ServerFacts:
    url = endpoint(base_url, "api/show", without=("/v1", "/api"))
    shown = await _asked(http.post_json(url, {"model": name}, headers, timeout=SECONDS))
    capabilities = shown.get("capabilities")
    sizes = [value for key, value in _object(shown.get("model_info")).items() if key.endswith(".context_length")]
    return ServerFacts("tools" in capabilities if isinstance(capabilities, list) else None, _size(*sizes))


async def _llamacpp(base_url: str, name: str, headers: Mapping[str, str]) -> ServerFacts:
    url = endpoint(base_url, "props", f"model={quote(name)}", without=("/v1",))
    props = await _asked(http.get_json(url, headers, timeout=SECONDS))
    caps = _object(props.get("chat_template_caps"))
    window = _object(props.get("default_generation_settings")).get("n_ctx")
    return ServerFacts(
        _truth(caps.get("supports_tool_calls")), _size(window), _truth(caps.get("supports_parallel_tool_calls"))
    )


async def _vllm(base_url: str, name: str, headers: Mapping[str, str]) -> ServerFacts:
    listed = await _asked(http.get_json(endpoint(base_url, "models"), headers, timeout=SECONDS))
    rows: Any = listed.get("data")
    own = [row for row in map(_object, cast("list[Any]", rows or [])) if row.get("id") == name]
    return ServerFacts(context_window=_size(*(row.get("max_model_len") for row in own)))


async def _asked(answer: Any) -> dict[str, Any]:
    try:
        return _object(await answer)
    except ModelError:
        return {}


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _size(*values: Any) -> int | None:
    return next((value for value in values if isinstance(value, int) and value > 0), None)


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None
