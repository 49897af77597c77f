"""Ask a model server what it says of a model: its tools, the size of its context, what a token of context costs."""

import re
from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import quote

from msgspec import Struct

from toolpost.types.errors import ModelError

from . import http
from .adapter_settings import AdapterSettings
from .http_model import auth_headers, endpoint

SECONDS = 3.0
_SHOWN = ("/v1", "/api")
_NUM_CTX = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
# Bits of a weight by the beginning of its quantization's name, with what the scales take.
_BITS = (("Q2", 3.0), ("Q3", 3.9), ("Q4", 4.8), ("Q5", 5.7), ("Q6", 6.6), ("Q8", 8.5), ("MXFP4", 4.5))
_FULL_BITS = {"F32": 32.0, "F16": 16.0, "BF16": 16.0}
_USUAL_BITS = 4.8
# Keys and values are kept in 16 bits unless the server is told otherwise.
_CACHE_BYTES = 2


class ServerFacts(Struct, frozen=True, omit_defaults=True):
    """What was said; None is not said. `context_window` is the most that the model can have or, where its server has
    decided, what it has; `chosen_window` is what the model's own file says. `weight_bytes` is the estimated size of the
    weights and `token_bytes` what one token of context takes beside them. `is_reached`: the server answered at all."""

    tools: bool | None = None
    context_window: int | None = None
    parallel: bool | None = None
    chosen_window: int | None = None
    weight_bytes: int | None = None
    token_bytes: int | None = None
    is_reached: bool = True


async def ask_server(wire: str, settings: AdapterSettings) -> ServerFacts:
    """Ask the routes that Ollama, llama.cpp, LM Studio and vLLM have for it. A server without them says nothing."""
    headers = auth_headers(settings.headers, authorization=settings.api_key)
    if wire == "ollama":
        return await _ollama(settings, headers)
    asks = [_lmstudio] if settings.provider == "lmstudio" else [_llamacpp, _vllm]
    found = ServerFacts()
    for ask in asks:
        # One after the other, on one connection: most that answer at all answer at once.
        found = await ask(settings, headers)
        if not found.is_reached or found != ServerFacts():
            break
    return found


async def _ollama(settings: AdapterSettings, headers: Mapping[str, str]) -> ServerFacts:
    url = endpoint(settings.base_url, "api/show", without=_SHOWN)
    shown = await _asked(http.post_json(url, {"model": settings.name}, headers, timeout=SECONDS))
    if shown is None:
        return ServerFacts(is_reached=False)
    capabilities, info = shown.get("capabilities"), _object(shown.get("model_info"))
    parameters = shown.get("parameters")
    chosen = _NUM_CTX.search(parameters) if isinstance(parameters, str) else None
    return ServerFacts(
        "tools" in capabilities if isinstance(capabilities, list) else None,
        _size(*(value for key, value in info.items() if key.endswith(".context_length"))),
        chosen_window=_size(int(chosen[1])) if chosen else None,
        weight_bytes=_weight_bytes(info, _object(shown.get("details"))),
        token_bytes=_token_bytes(info),
    )


def _weight_bytes(info: Mapping[str, Any], details: Mapping[str, Any]) -> int | None:
    count = _size(info.get("general.parameter_count"))
    if count is None:
        return None
    name = str(details.get("quantization_level") or "").upper()
    bits = _FULL_BITS.get(name) or next((bits for start, bits in _BITS if name.startswith(start)), _USUAL_BITS)
    return int(count * bits / 8)


def _token_bytes(info: Mapping[str, Any]) -> int | None:
    """The keys and values of one token in all layers. A model that keeps only a window of them in some layers takes
    less."""
    kind = str(info.get("general.architecture") or "")

    def of(name: str) -> int | None:
        value = info.get(f"{kind}.{name}")
        if isinstance(value, list):
            # A number for each layer.
            numbers = [one for one in cast("list[Any]", value) if isinstance(one, int)]
            return max(numbers, default=None)
        return _size(value)

    layers, heads, width = of("block_count"), of("attention.head_count"), of("embedding_length")
    if layers is None or heads is None or width is None:
        return None
    groups = of("attention.head_count_kv") or heads
    keys = of("attention.key_length") or width // heads
    values = of("attention.value_length") or keys
    return layers * groups * (keys + values) * _CACHE_BYTES


async def _llamacpp(settings: AdapterSettings, headers: Mapping[str, str]) -> ServerFacts:
    url = endpoint(settings.base_url, "props", f"model={quote(settings.name)}", without=("/v1",))
    props = await _asked(http.get_json(url, headers, timeout=SECONDS))
    if props is None:
        return ServerFacts(is_reached=False)
    caps = _object(props.get("chat_template_caps"))
    window = _object(props.get("default_generation_settings")).get("n_ctx")
    return ServerFacts(
        _truth(caps.get("supports_tool_calls")), _size(window), _truth(caps.get("supports_parallel_tool_calls"))
    )


async def _vllm(settings: AdapterSettings, headers: Mapping[str, str]) -> ServerFacts:
    listed = await _asked(http.get_json(endpoint(settings.base_url, "models"), headers, timeout=SECONDS))
    if listed is None:
        return ServerFacts(is_reached=False)
    rows: Any = listed.get("data")
    found = map(_object, cast("list[Any]", rows) if isinstance(rows, list) else [])
    own = [row for row in found if row.get("id") == settings.name]
    return ServerFacts(context_window=_size(*(row.get("max_model_len") for row in own)))


async def _lmstudio(settings: AdapterSettings, headers: Mapping[str, str]) -> ServerFacts:
    """What is loaded; a model that is not is loaded with the size that its user has set there."""
    url = endpoint(settings.base_url, f"api/v0/models/{quote(settings.name)}", without=("/v1",))
    shown = await _asked(http.get_json(url, headers, timeout=SECONDS))
    if shown is None:
        return ServerFacts(is_reached=False)
    return ServerFacts(context_window=_size(shown.get("loaded_context_length")))


async def _asked(answer: Any) -> dict[str, Any] | None:
    """The object that was answered, empty for a refusal; None where there was no answer."""
    try:
        return _object(await answer)
    except ModelError as error:
        return None if error.info.status is None and error.code != "protocol" else {}


def _object(value: Any) -> dict[str, Any]:
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _size(*values: Any) -> int | None:
    return next((value for value in values if type(value) is int and value > 0), None)


def _truth(value: Any) -> bool | None:
    return value if isinstance(value, bool) else None
