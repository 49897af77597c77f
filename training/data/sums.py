"""Figures and sums as people write and say them, and the one expression that each sum means."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from .family import Draw, Drawn, Form
from .kinds import STRING, ListOf, meant
from .speech import chinese_words, english_words, spoken_list, spoken_number

NUMBER = Form({"type": "number"}, meant)


@dataclass(frozen=True)
class Result:
    """A figure that a tool gives back: always in plain digits."""

    low: float
    high: float
    places: int = 0

    def draw(self, draw: Draw) -> Drawn:
        value = _rounded(draw.rng.uniform(self.low, self.high), self.places)
        return Drawn(str(value), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (NUMBER,) if self.places else (Form({"type": "integer"}, meant), NUMBER)


@dataclass(frozen=True)
class Cash:
    """A sum of money in the user's own currency, of any magnitude: "$1.2 million", "40 bucks", "forty dollars"."""

    low: float = 1
    high: float = 5_000_000

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        value = _of_any_size(self.low, self.high, draw)
        said = spoken_number(value, draw)
        if draw.language == "zh":
            return Drawn(rng.choice(("{}元", "{}元", "{}块", "{}块钱")).format(said), value)
        worded = ("{} dollars", "{} dollars", "{} bucks" if value < 1_000 else "{} dollars")
        signed = ("${}", "${}", "${}", "{} USD")
        return Drawn(rng.choice((*signed, *worded) if said[0].isdigit() else worded).format(said), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (NUMBER,)


@dataclass(frozen=True)
class Plain:
    """A figure that stands before a unit: digits, a few words, separators, but no "5k" or "2 million"."""

    low: float
    high: float
    places: int = 0

    def draw(self, draw: Draw) -> Drawn:
        rng = draw.rng
        value = _rounded(rng.uniform(self.low, self.high), rng.choice((0, self.places)))
        return Drawn(_plainly(value, draw), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (NUMBER, NUMBER, Form({"type": "integer"}, meant)) if self.places == 0 else (NUMBER,)


@dataclass(frozen=True)
class Series:
    """A list of figures of about one size, all whole or all with a fraction."""

    least: int = 3
    most: int = 8

    def draw(self, draw: Draw) -> Drawn:
        high, places = draw.rng.choice(((20, 0), (100, 0), (900, 0), (4_000, 0), (50, 1), (300, 1), (900, 2)))
        return ListOf(Result(1, high, places), self.least, self.most).draw(draw)

    @property
    def forms(self) -> tuple[Form, ...]:
        return ListOf(Result(1, 2, 1)).forms


@dataclass(frozen=True)
class Figure:
    """A bare number of any size: small, decimal, in thousands or in millions; or a `count` of things."""

    count: bool = False

    def draw(self, draw: Draw) -> Drawn:
        value = (
            draw.rng.choice((draw.rng.randint(2, 30), draw.rng.randint(2, 500))) if self.count else _any_number(draw)
        )
        return Drawn(spoken_number(value, draw), value)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (NUMBER,)


@dataclass(frozen=True)
class Expression:
    """A sum to work out: "17% of 2,480", "forty-two times seventeen", "(12+7)x3". What it means is an expression.

    Percentages are written "17 / 100 * 2480", roots "1764 ** 0.5" and "27 ** (1 / 3)"; operators have spaces, figures
    no separators.
    """

    def draw(self, draw: Draw) -> Drawn:
        return draw.rng.choice(_SHAPES)(draw)

    @property
    def forms(self) -> tuple[Form, ...]:
        return (
            Form(STRING, meant, "e.g. (3 + 4) * 2", "如 (3 + 4) * 2"),
            Form(STRING, meant, "in Python syntax: + - * / ** and brackets", "Python 语法：+ - * / ** 和括号"),
            Form(STRING, meant, "e.g. 12.5 / 100 * 640", "如 12.5 / 100 * 640"),
            Form(STRING, meant),
        )


def _of_any_size(low: float, high: float, draw: Draw) -> float:
    """Each magnitude is as likely as another; most sums are round."""
    value = math.exp(draw.rng.uniform(math.log(low), math.log(high)))
    if draw.rng.random() < 0.65:
        value = float(f"{value:.{draw.rng.randint(1, 2)}g}")
    return _rounded(min(max(value, low), high), draw.rng.choice((0, 0, 0, 2)) if value < 2_000 else 0)


def _rounded(value: float, places: int) -> float:
    value = round(value, places)
    return int(value) if value == int(value) else value


def _plainly(value: float, draw: Draw) -> str:
    chance = draw.rng.random()
    if isinstance(value, int) and 0 < value <= 12 and chance < 0.3:
        if draw.language == "zh":
            return "两" if value == 2 else chinese_words(value)
        return english_words(value)
    return f"{value:,}" if value >= 1_000 and chance < 0.5 else str(value)


def _any_number(draw: Draw) -> float:
    rng = draw.rng
    return rng.choice(
        (
            lambda: rng.randint(2, 20),
            lambda: rng.randint(11, 999),
            lambda: rng.randint(21, 99),
            lambda: rng.randint(1_000, 99_999),
            lambda: _rounded(rng.uniform(1, 500), rng.choice((1, 2))),
            lambda: rng.randint(2, 99) * rng.choice((100, 1_000, 10_000)),
            lambda: round(rng.choice((rng.randint(1, 90), rng.uniform(1, 9))) * 10) * 100_000,
        )
    )()


def _digits(value: float, draw: Draw) -> str:
    return f"{value:,}" if value >= 1_000 and draw.rng.random() < 0.3 else str(value)


_SIGNS = {"+": ("+",), "-": ("-",), "*": ("*", "x", "×"), "/": ("/", "÷")}
_WORDS = {
    "+": ("plus", "plus", "added to"),
    "-": ("minus", "minus", "take away", "less"),
    "*": ("times", "times", "multiplied by"),
    "/": ("divided by", "divided by", "over"),
}
_WORDS_ZH = {
    "+": ("加", "加", "加上", "再加"),
    "-": ("减", "减", "减去", "减掉"),
    "*": ("乘", "乘以", "乘上"),
    "/": ("除以",),
}


def _spoken_sign(operator: str, draw: Draw) -> str:
    if draw.language == "zh":
        return draw.rng.choice(_WORDS_ZH[operator])
    return f" {draw.rng.choice(_WORDS[operator])} "


def _said(value: float, draw: Draw) -> str:
    """As any figure is said, and now and then a long one in Chinese characters throughout."""
    if draw.language == "zh" and isinstance(value, int) and 100 < value < 10_000 and draw.rng.random() < 0.15:
        return chinese_words(value)
    # A bare two is 二; 两 wants a thing to count.
    return spoken_number(value, draw).replace("两", "二") if value == 2 else spoken_number(value, draw)


def _written(expression: str, draw: Draw) -> str:
    """An expression as it is typed: other signs, with spaces or without, figures with separators."""
    rng = draw.rng
    gap = rng.choice(("", " "))
    power = rng.choice(("^", "**"))
    signs = {sign: rng.choice(typed) for sign, typed in _SIGNS.items()}
    words: list[str] = []
    for word in expression.replace("(", "( ").replace(")", " )").split():
        if word == "**":
            words.append(power)
        elif word in signs:
            words.append(f"{gap}{signs[word]}{gap}")
        else:
            words.append(_digits(_number(word), draw) if word not in "()" else word)
    return "".join(words)


def _number(word: str) -> float:
    return float(word) if "." in word else int(word)


def _two(draw: Draw) -> Drawn:
    first, second = _any_number(draw), _any_number(draw)
    operator = draw.rng.choice("+-*/")
    meaning = f"{first} {operator} {second}"
    if draw.rng.random() < 0.4:
        return Drawn(_written(meaning, draw), meaning)
    said = [_said(value, draw) for value in (first, second)]
    return Drawn(_spoken_sign(operator, draw).join(said), meaning)


def _turned(draw: Draw) -> Drawn:
    """The second figure is said before the first: "7 subtracted from 12", "12 less than 40"."""
    larger, smaller = sorted((_any_number(draw), _any_number(draw)), reverse=True)
    operator = draw.rng.choice("+--")
    words, words_zh = {
        "+": (("{b} added on top of {a}", "{b} more than {a}"), ("比{a}多{b}的数", "在{a}上再加{b}")),
        "-": (("{b} subtracted from {a}", "{b} less than {a}"), ("比{a}少{b}的数", "从{a}里减去{b}", "从{a}里扣掉{b}")),
    }[operator]
    said = draw.rng.choice(words_zh if draw.language == "zh" else words)
    return Drawn(said.format(a=_said(larger, draw), b=_said(smaller, draw)), f"{larger} {operator} {smaller}")


def _named(draw: Draw) -> Drawn:
    """The sum, the difference, the product, the quotient of two figures."""
    larger, smaller = sorted((_any_number(draw), _any_number(draw)), reverse=True)
    operator = draw.rng.choice("+-*/")
    names = {"+": "the sum of", "-": "the difference between", "*": "the product of", "/": "the quotient of"}
    names_zh = {"+": ("的和", "之和", "的总和"), "-": ("的差", "之差"), "*": ("的积", "的乘积", "之积"), "/": ("的商",)}
    said = [_said(value, draw) for value in (larger, smaller)]
    if " and " in said[0]:
        said[0] = _digits(larger, draw)
    words = f"{names[operator]} {said[0]} and {said[1]}"
    if draw.language == "zh":
        words = f"{said[0]}{draw.rng.choice('和与跟')}{said[1]}{draw.rng.choice(names_zh[operator])}"
    return Drawn(words, f"{larger} {operator} {smaller}")


def _percent(draw: Draw) -> Drawn:
    share, whole = _share(draw), _any_number(draw)
    meaning = f"{share} / 100 * {whole}"
    amount = _said(whole, draw)
    if draw.language == "zh":
        return Drawn(draw.rng.choice((f"{amount}的{share}%", f"{amount}的百分之{_share_zh(share)}")), meaning)
    return Drawn(draw.rng.choice((f"{share}% of {amount}", f"{share} percent of {amount}")), meaning)


def _share(draw: Draw) -> float:
    value = draw.rng.choice((draw.rng.randint(1, 99), draw.rng.randint(1, 19) * 5, draw.rng.randint(2, 99) + 0.5))
    return _rounded(value, 1)


def _share_zh(share: float) -> str:
    return chinese_words(share) if isinstance(share, int) else str(share)


def _changed(draw: Draw) -> Drawn:
    """A figure that grows or shrinks by a share of itself."""
    share, whole, grows = _share(draw), _any_number(draw), draw.rng.random() < 0.5
    amount = _said(whole, draw)
    if draw.language == "zh":
        words = ("{}增加{}%", "{}上涨{}%", "{}加上{}%", "{}涨了{}%以后", "在{}的基础上提高{}%")
        fewer = ("{}减少{}%", "{}下降{}%", "{}减去{}%", "{}跌了{}%以后", "在{}的基础上降低{}%")
    else:
        words = ("{} increased by {}%", "{} plus {}%", "{} with {}% added", "{} raised by {} percent")
        fewer = ("{} reduced by {}%", "{} minus {}%", "{} with {}% taken off", "{} lowered by {} percent")
    said = draw.rng.choice(words if grows else fewer).format(amount, share)
    return Drawn(said, f"{whole} * (1 {'+' if grows else '-'} {share} / 100)")


def _portion(draw: Draw) -> Drawn:
    """One figure in percent of another."""
    smaller, larger = sorted((draw.rng.randint(2, 900), draw.rng.randint(20, 5_000)))
    words = ("{} as a percentage of {}", "{} out of {} in percent", "the percentage that {} is of {}")
    words_zh = ("{}占{}的百分比", "{}占{}的百分率", "{}在{}里占的百分比")
    said = draw.rng.choice(words_zh if draw.language == "zh" else words).format(smaller, larger)
    return Drawn(said, f"{smaller} / {larger} * 100")


def _multiple(draw: Draw) -> Drawn:
    """A figure taken a few times: "twice 340", "340的三倍"."""
    times, whole = draw.rng.choice((2, 2, 3, 4, 5, 10)), _any_number(draw)
    said = _said(whole, draw)
    if draw.language == "zh":
        count = draw.rng.choice((str(times), "两" if times == 2 else chinese_words(times)))
        return Drawn(f"{said}的{count}倍", f"{whole} * {times}")
    words = {2: ("twice {}", "double {}", "two times {}"), 3: ("three times {}", "triple {}")}
    said = draw.rng.choice(words.get(times, (f"{english_words(times)} times {{}}",))).format(said)
    return Drawn(said, f"{times} * {whole}")


def _several(draw: Draw) -> Drawn:
    """The sum or the average of three to five figures."""
    values = [draw.rng.randint(2, draw.rng.choice((30, 200, 4_000))) for _ in range(draw.rng.randint(3, 5))]
    total = " + ".join(map(str, values))
    said = spoken_list([str(value) for value in values], draw)
    if draw.rng.random() < 0.5:
        words, words_zh = ("the sum of {}", "the total of {}"), ("{}的和", "{}的总和", "{}之和")
        meaning = total
    else:
        words, words_zh = ("the average of {}", "the mean of {}"), ("{}的平均数", "{}的平均值")
        meaning = f"({total}) / {len(values)}"
    return Drawn(draw.rng.choice(words_zh if draw.language == "zh" else words).format(said), meaning)


def _root(draw: Draw) -> Drawn:
    if draw.rng.random() < 0.15:
        cube = draw.rng.choice((draw.rng.randint(2, 15) ** 3, draw.rng.randint(2, 2_000)))
        words = f"{cube}的立方根" if draw.language == "zh" else f"the cube root of {cube}"
        return Drawn(words, f"{cube} ** (1 / 3)")
    value = draw.rng.choice((draw.rng.randint(2, 60) ** 2, draw.rng.randint(2, 5_000)))
    words = ("the square root of {}", "the square root of {}", "√{}", "square root {}", "sqrt({})", "the root of {}")
    words_zh = ("{}的平方根", "{}的算术平方根", "根号{}", "根号下{}", "{}开平方", "{}开根号", "√{}")
    said = draw.rng.choice(words_zh if draw.language == "zh" else words).format(_digits(value, draw))
    return Drawn(said, f"{value} ** 0.5")


def _power(draw: Draw) -> Drawn:
    base, power = draw.rng.randint(2, 40), draw.rng.choice((2, 2, 3, 3, 4, 5, 6, 8, 10, 12))
    meaning = f"{base} ** {power}"
    if draw.rng.random() < 0.25:
        return Drawn(_written(meaning, draw), meaning)
    said = spoken_number(base, draw)
    if draw.language == "zh":
        name = {2: "平方", 3: "立方"}.get(power)
        count = draw.rng.choice((str(power), chinese_words(power)))
        return Drawn(f"{base}的{name or count + draw.rng.choice(('次方', '次幂'))}", meaning)
    words = [f"{said} to the power of {power}", f"{said} to the power of {english_words(power)}"]
    squares = [f"{said} squared", f"{said} squared", f"the square of {said}"]
    cubes = [f"{said} cubed", f"{said} cubed", f"the cube of {said}"]
    words += {2: squares, 3: cubes}.get(power, [f"{said} to the {power}th power"])
    return Drawn(draw.rng.choice(words), meaning)


def _fraction(draw: Draw) -> Drawn:
    rng = draw.rng
    above, below, name, name_zh = rng.choice(
        (
            (1, 2, "half of", "一半"),
            (1, 3, "a third of", "三分之一"),
            (1, 4, "a quarter of", "四分之一"),
            (1, 5, "a fifth of", "五分之一"),
            (2, 3, "two thirds of", "三分之二"),
            (3, 4, "three quarters of", "四分之三"),
            (3, 5, "three fifths of", "五分之三"),
            (2, 5, "two fifths of", "五分之二"),
            (1, 8, "an eighth of", "八分之一"),
            (1, 10, "a tenth of", "十分之一"),
        )
    )
    whole = _any_number(draw)
    said = _said(whole, draw)
    meaning = f"{whole} / {below}" if above == 1 else f"{above} / {below} * {whole}"
    return Drawn(f"{said}的{name_zh}" if draw.language == "zh" else f"{name} {said}", meaning)


def _chain(draw: Draw) -> Drawn:
    """Several figures in a row, in words: "120 plus 45 plus 9", "6 times 12 plus 40"."""
    rng = draw.rng
    operators = rng.choice(("++", "+++", "+-", "-+", "--", "*+", "*-", "**", "/+", "*/", "-++"))
    values = [rng.choice((rng.randint(2, 99), _any_number(draw))) for _ in range(len(operators) + 1)]
    said, meaning = _said(values[0], draw), str(values[0])
    for operator, value in zip(operators, values[1:], strict=True):
        said += _spoken_sign(operator, draw) + _said(value, draw)
        meaning += f" {operator} {value}"
    return Drawn(_written(meaning, draw) if rng.random() < 0.4 else said, meaning)


def _grouped(draw: Draw) -> Drawn:
    """Two figures taken together before the third: in brackets, or as "the sum of 12 and 7, times 3"."""
    rng = draw.rng
    first, second, third = (rng.choice((rng.randint(2, 99), rng.randint(2, 2_000))) for _ in range(3))
    first, second = max(first, second), min(first, second)
    inner, outer = rng.choice("+-"), rng.choice("*/")
    meaning = f"({first} {inner} {second}) {outer} {third}"
    if rng.random() < 0.6:
        return Drawn(_written(meaning, draw), meaning)
    joint, within = _spoken_sign(outer, draw), _spoken_sign(inner, draw)
    if draw.language == "zh":
        name = "的和" if inner == "+" else "的差"
        words = (
            f"{first}{rng.choice('和与')}{second}{name}{joint}{third}",
            f"{first}{within}{second}{name}{rng.choice(('', '，再', '再'))}{joint}{third}",
            f"先算{first}{within}{second}，再{joint}{third}",
        )
        return Drawn(rng.choice(words), meaning)
    words = (
        f"{'the sum of' if inner == '+' else 'the difference of'} {first} and {second},{joint}{third}",
        f"{first}{within}{second}, and all of that{joint}{third}",
        f"{first}{within}{second} in brackets,{joint}{third}",
    )
    return Drawn(rng.choice(words), meaning)


def _typed(draw: Draw) -> Drawn:
    """A longer line, typed as on a calculator."""
    rng = draw.rng
    numbers = [rng.choice((rng.randint(1, 200), _rounded(rng.uniform(1, 90), 1))) for _ in range(4)]
    pattern = rng.choice(
        (
            "{} * ({} + {}) - {}",
            "({} + {}) * ({} - {})",
            "{} / {} + {} * {}",
            "{} - {} * {} + {}",
            "({} - {}) / ({} + {})",
            "{} + {} * ({} - {})",
            "{} * {} * {} / {}",
            "({} + {} + {}) / {}",
        )
    )
    meaning = pattern.format(*numbers)
    return Drawn(_written(meaning, draw), meaning)


_SHAPES: tuple[Callable[[Draw], Drawn], ...] = (
    *(_two, _two, _two, _two, _percent, _percent, _percent),
    *(_named, _changed, _changed, _portion, _root, _power, _fraction, _chain, _chain, _grouped, _typed),
    *(_turned, _multiple, _several),
)
