"""Prices and context windows of models, from genai-prices, without paying for its import every time.

Importing genai-prices takes half a second and 30 MB. So what it says about a model is kept in `prices.json` in the
user's cache folder, under the version of the data it came from, for as long as it can be said in four flat rates.
A tiered or time-of-day price is asked from the library itself. A price that is not known is None, never 0; without the
library none is.
"""

import contextlib
import os
import sys
import warnings
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from msgspec import Struct

from toolpost.extras import has
from toolpost.folders import user_folder
from toolpost.types.messages import Usage

if TYPE_CHECKING:
    from genai_prices.types import ModelInfo, Provider

LOCAL_PROVIDERS = frozenset({"ollama", "vllm", "llamacpp", "lmstudio", "embedded", "scripted"})
_PROVIDER_IDS = {
    "xai": "x-ai",
    "moonshot": "moonshotai",
    "zhipu": "zhipuai",
    "gemini": "google",
    "bedrock": "aws",
    "openai-responses": "openai",
}
_MILLION = 1_000_000
_NEEDED = ("genai_prices",)


class Rates(Struct, frozen=True, omit_defaults=True):
    """US dollars for a million tokens, the same at any size and hour until `until` (an ISO date, "" for ever)."""

    input: float
    output: float
    cache_read: float
    cache_write: float
    until: str = ""

    def cost(self, usage: Usage) -> float:
        fresh = usage.input - usage.cache_read - usage.cache_write
        total = (
            max(0, fresh) * self.input
            + usage.cache_read * self.cache_read
            + usage.cache_write * self.cache_write
            + usage.output * self.output
        )
        return total / _MILLION


class PriceEntry(Struct, frozen=True, omit_defaults=True):
    """What is known about one model. `varies`: there is a price, but not a flat rate."""

    context_window: int | None = None
    rates: Rates | None = None
    varies: bool = False


class _File(Struct):
    version: str = ""
    models: dict[str, PriceEntry] = {}


_unpriced: set[str] = set()
# What people pay by their own words, whatever the library says.
_own: dict[str, Rates] = {}


def known(provider: str, model: str) -> PriceEntry:
    """What is known about a model; nothing is known about one that runs on the user's own machine. A price of one's own
    stands in the place of the library's."""
    listed, rates = _listed(provider, model), _own.get(f"{provider}/{model}")
    return listed if rates is None else PriceEntry(listed.context_window, rates)


def _listed(provider: str, model: str) -> PriceEntry:
    key = f"{provider}/{model}"
    if provider in LOCAL_PROVIDERS or key in _unpriced:
        return PriceEntry()
    file = _load(user_folder("cache") / "prices.json")
    found = file.models.get(key)
    if found is None or _expired(found):
        # Asked last: to look for a package takes longer than all the rest, and this is done every step.
        if not has(_NEEDED):
            return PriceEntry()
        found = file.models[key] = _look_up(provider, model)
        _save(user_folder("cache") / "prices.json", file)
    return found


def cost(provider: str, model: str, usage: Usage) -> float | None:
    """US dollars for `usage`, or None where the price is not known."""
    if (own := _own.get(f"{provider}/{model}")) is not None:
        return own.cost(usage)
    found = known(provider, model)
    if found.rates is not None:
        return found.rates.cost(usage)
    return _ask(provider, model, usage) if found.varies and has(_NEEDED) else None


def is_at_hand(provider: str, model: str) -> bool:
    """True if `cost` answers at once, without the import."""
    key = f"{provider}/{model}"
    if key in _own or provider in LOCAL_PROVIDERS or key in _unpriced or "genai_prices" in sys.modules:
        return True
    found = _load(user_folder("cache") / "prices.json").models.get(key)
    return (found is not None and not found.varies and not _expired(found)) or not has(_NEEDED)


def context_window(provider: str, model: str) -> int | None:
    return known(provider, model).context_window


def mark_own(provider: str, model: str, *, own: bool) -> None:
    """Say whether this model runs on the user's own machine, whatever its provider is called. A provider may move."""
    if own:
        _unpriced.add(f"{provider}/{model}")
    else:
        _unpriced.discard(f"{provider}/{model}")


def set_own(provider: str, model: str, rates: Rates | None) -> None:
    """Set the price that a person says; None takes it back."""
    if rates is None:
        _own.pop(f"{provider}/{model}", None)
    else:
        _own[f"{provider}/{model}"] = rates


def is_own(provider: str, model: str) -> bool:
    """True if it runs on the user's own machine, where tokens cost nothing, unless the user says what they cost."""
    if f"{provider}/{model}" in _own:
        return False
    return provider in LOCAL_PROVIDERS or f"{provider}/{model}" in _unpriced


def _expired(found: PriceEntry) -> bool:
    until = found.rates.until if found.rates is not None else ""
    return bool(until) and datetime.now(UTC).date().isoformat() >= until


@cache
def _load(path: Path) -> _File:
    version = _data_version()
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        file = msgspec.json.decode(path.read_bytes(), type=_File)
        if file.version == version:
            return file
    return _File(version)


def _save(path: Path, file: _File) -> None:
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    # A cache that cannot be written costs time, nothing else.
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(msgspec.json.encode(file))
        temporary.replace(path)


def _data_version() -> str:
    """The installed version by the name of its folder: `importlib.metadata` would cost 20 ms."""
    spec = find_spec("genai_prices")
    if spec is None or spec.origin is None:
        return ""
    folder = Path(spec.origin).parent
    return next(
        (found.name for found in folder.parent.glob("genai_prices-*.dist-info")), str(folder.stat().st_mtime_ns)
    )


def _look_up(provider: str, model: str) -> PriceEntry:
    found = _find(provider, model)
    if found is None:
        return PriceEntry()
    _, info = found
    rates = _flat_rates(provider, model, info)
    priced = rates is not None or _ask(provider, model, Usage(input=1000, output=1000)) is not None
    return PriceEntry(info.context_window, rates, varies=priced and rates is None)


def _find(provider: str, model: str) -> "tuple[Provider, ModelInfo] | None":
    # Half a second of import: only for a model that the cache does not know.
    from genai_prices.data_snapshot import get_snapshot

    try:
        return get_snapshot().find_provider_model(model, None, _PROVIDER_IDS.get(provider, provider), None)
    except LookupError:
        return None


def _flat_rates(provider: str, model: str, info: "ModelInfo") -> Rates | None:
    """The four rates, if they give what the library itself says for a turn that uses all of them."""
    from genai_prices.types import ConditionalPrice, StartDateConstraint

    until = ""
    if isinstance(info.prices, list):
        conditions: list[ConditionalPrice] = info.prices
        starts: list[date] = []
        for condition in conditions:
            if isinstance(condition.constraint, StartDateConstraint):
                starts.append(condition.constraint.start_date)
            elif condition.constraint is not None:
                return None
        today = datetime.now(UTC).date()
        until = min((start.isoformat() for start in starts if start > today), default="")
    prices: dict[str, Any] = vars(info.get_prices(datetime.now(UTC)))
    if not all(price is None or isinstance(price, Decimal) for price in prices.values()):
        return None
    plain = prices.get("input_mtok"), prices.get("output_mtok")
    if plain[0] is None or plain[1] is None:
        return None
    read, write = (prices.get(name) for name in ("cache_read_mtok", "cache_write_mtok"))
    per_input = float(plain[0])
    rates = Rates(
        per_input,
        float(plain[1]),
        per_input if read is None else float(read),
        per_input if write is None else float(write),
        until,
    )
    sample = Usage(input=10_000, output=2_000, cache_read=3_000, cache_write=1_000)
    told = _ask(provider, model, sample)
    return rates if told is not None and abs(told - rates.cost(sample)) < 1e-9 else None


def _ask(provider: str, model: str, usage: Usage) -> float | None:
    import genai_prices

    found = _find(provider, model)
    if found is None:
        return None
    tokens = genai_prices.Usage(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            told = found[1].calc_price(tokens, found[0])
        except ValueError:
            return None
    priced = any(value is not None for value in vars(told.model_price).values())
    return float(told.total_price) if priced else None
