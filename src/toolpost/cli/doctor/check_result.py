"""The result of a check of `toolpost doctor`."""

from collections.abc import Sequence
from typing import Literal

from msgspec import Struct

State = Literal["ok", "note", "broken"]


class CheckResult(Struct, frozen=True, omit_defaults=True):
    """One check. `fix` is the command, or the one thing, that would put it right."""

    name: str
    state: State
    text: str
    fix: str = ""


def first_of(texts: Sequence[str]) -> str:
    return texts[0] if len(texts) == 1 else f"{texts[0]} (and {len(texts) - 1} more)"
