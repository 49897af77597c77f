"""More ways to ask for what the families do: each module has a `MORE`, from a family's key to questions in English and
in Chinese."""

import importlib
import pkgutil
from functools import cache

from training.data.family import Ask

Asks = tuple[str | Ask, ...]


@cache
def more_asks() -> dict[str, tuple[Asks, Asks]]:
    found: dict[str, tuple[Asks, Asks]] = {}
    for module in sorted(module.name for module in pkgutil.iter_modules(__path__)):
        for key, (english, chinese) in importlib.import_module(f"{__name__}.{module}").MORE.items():
            before = found.get(key, ((), ()))
            found[key] = (*before[0], *english), (*before[1], *chinese)
    return found
