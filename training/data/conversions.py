"""Quantities to convert: "12 miles to kilometers", of any measure, in one breath."""

from dataclasses import dataclass

from . import pools
from .family import Draw, Drawn, Form
from .kinds import STRING
from .sums import Plain


@dataclass(frozen=True)
class Conversion:
    """A value, its unit and the unit wanted, as parts `value`, `from` and `to`; its own value is `from`.

    Units are named in full ("kilometer") or by their symbol ("km").
    """

    symbols: bool = False

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        first, second = rng.sample(pools.UNITS[rng.choice(list(pools.UNITS))], 2)
        value = Plain(2, rng.choice((30, 400, 9_000)), rng.choice((0, 1, 2))).draw(draw)
        chinese = draw.language == "zh"
        unit, wanted = (rng.choice(words[3 if chinese else 2]) for words in (first, second))
        if chinese:
            # "个小时" is said after a figure only.
            wanted = wanted.removeprefix("个")
            said = rng.choice(("{}{}换算成{}", "{}{}转换为{}", "{}{}换成{}")).format(value.said, unit, wanted)
        else:
            said = f"{value.said} {unit} {rng.choice(('to', 'to', 'in', 'into'))} {wanted}"
        name = 1 if self.symbols else 0
        return Drawn(said, {"value": value.meaning, "from": first[name], "to": second[name]})

    @property
    def forms(self) -> tuple[Form, ...]:
        about, about_zh = ("e.g. km", "如 km") if self.symbols else ("e.g. kilometer", "如 kilometer")
        return (Form(STRING, _source, about, about_zh),)


def _source(drawn: Drawn) -> str:
    return drawn.meaning["from"]
