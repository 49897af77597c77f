"""The variants that are compared: models, and the ways in which each is given its tools."""

from collections.abc import Sequence
from itertools import product
from typing import Literal

from msgspec import Struct

Mode = Literal["native", "prompted", "auto"]
MODES: tuple[Mode, ...] = ("native", "prompted", "auto")


class Variant(Struct, frozen=True, omit_defaults=True):
    """What is None is as the model's settings say. `dialect` and `grammar` are about calls written as text."""

    model: str
    mode: Mode | None = None
    dialect: str | None = None
    grammar: bool | None = None

    @property
    def name(self) -> str:
        grammar = {True: "grammar", False: "no grammar", None: ""}[self.grammar]
        return " · ".join(word for word in (self.model, self.mode, self.dialect, grammar) if word)


def all_variants(
    models: Sequence[str],
    modes: Sequence[Mode] = (),
    dialects: Sequence[str] = (),
    grammars: Sequence[bool] = (),
) -> list[Variant]:
    """Every model in every way. Native calls have neither dialect nor grammar, so there is one such variant a model.

    Who chooses a dialect or a grammar and no mode means prompted calls.
    """
    chosen: Sequence[Mode | None] = modes or (("prompted",) if dialects or grammars else (None,))
    made = (
        Variant(model, mode) if mode == "native" else Variant(model, mode, dialect, grammar)
        for model, mode, dialect, grammar in product(models, chosen, dialects or (None,), grammars or (None,))
    )
    return list(dict.fromkeys(made))
