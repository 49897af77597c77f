"""Choose the embedded model where nobody named one: the default, or the light one where memory is short."""

import os
from collections.abc import Mapping

from msgspec import Struct

from .weights.folder import PROVIDER, is_here
from .weights.known import DEFAULT, KNOWN, LIGHT, fitting


class Choice(Struct, frozen=True):
    """`reason` says why it is not the default; it is empty where it is."""

    name: str
    reason: str = ""

    @property
    def model_id(self) -> str:
        return f"{PROVIDER}/{self.name}"


def choose(memory_available: int | None, environ: Mapping[str, str] = os.environ) -> Choice:
    """The model that fits into memory. Where only the light one is here, it is used, and nothing is fetched unasked."""
    if fitting(memory_available) == LIGHT:
        need, have = KNOWN[DEFAULT].memory / 1e9, (memory_available or 0) / 1e9
        return Choice(LIGHT, f"{PROVIDER}/{DEFAULT} takes {need:.1f} GB of memory and {have:.1f} GB are available")
    if is_here(KNOWN[LIGHT], environ) and not is_here(KNOWN[DEFAULT], environ):
        fetches = f"`toolpost models pull {DEFAULT}` fetches them"
        return Choice(LIGHT, f"the weights of {PROVIDER}/{DEFAULT} are not here: {fetches}")
    return Choice(DEFAULT)
