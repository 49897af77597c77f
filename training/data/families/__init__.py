"""The domains, one a module: each has a `DOMAIN`."""

import importlib
import pkgutil
from dataclasses import replace
from functools import cache

from training.data.family import Domain, Family
from training.data.more import more_asks


@cache
def domains() -> tuple[Domain, ...]:
    """Every domain, in the order of their modules' names, its families with all the ways to ask for them."""
    names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    found = [importlib.import_module(f"{__name__}.{name}").DOMAIN for name in names]
    return tuple(replace(domain, families=tuple(map(_with_more, domain.families))) for domain in found)


def _with_more(family: Family) -> Family:
    english, chinese = more_asks().get(family.key, ((), ()))
    return replace(family, asks=(*family.asks, *english), asks_zh=(*family.asks_zh, *chinese))
