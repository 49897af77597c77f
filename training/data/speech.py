"""How people say figures and lists, in English and Chinese."""

from .family import Draw

_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["-", "-", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_DIGITS = "零一二三四五六七八九"


def spoken_number(value: float, draw: Draw) -> str:
    """A figure as somebody might type it: mostly digits, sometimes words or a magnitude."""
    return _chinese(value, draw) if draw.language == "zh" else _english(value, draw)


def spoken_list(words: list[str], draw: Draw) -> str:
    if len(words) < 2:
        return "".join(words)
    rng = draw.rng
    if draw.language == "zh":
        if rng.random() < 0.4:
            return "、".join(words)
        return "、".join(words[:-1]) + rng.choice(("和", "还有", "以及")) + words[-1]
    style = rng.random()
    if style < 0.15:
        return ", ".join(words)
    comma = "," if style < 0.3 and len(words) > 2 else ""
    return ", ".join(words[:-1]) + f"{comma} and {words[-1]}"


def english_words(value: int) -> str:
    """Any whole number below a thousand million in words."""
    if value < 0:
        return f"minus {english_words(-value)}"
    if value < 20:
        return _ONES[value]
    if value < 100:
        return _TENS[value // 10] + (f"-{_ONES[value % 10]}" if value % 10 else "")
    for size, name in ((1_000_000, "million"), (1_000, "thousand"), (100, "hundred")):
        if value >= size:
            head, rest = divmod(value, size)
            joint = " and " if rest and rest < 100 else " "
            return f"{english_words(head)} {name}" + (f"{joint}{english_words(rest)}" if rest else "")
    raise ValueError(value)


def chinese_words(value: int) -> str:
    """Any whole number below a million million in Chinese figures."""
    if value < 0:
        return f"负{chinese_words(-value)}"
    if value < 10:
        return _DIGITS[value]
    for size, name in ((10**8, "亿"), (10**4, "万"), (1_000, "千"), (100, "百"), (10, "十")):
        if value >= size:
            head, rest = divmod(value, size)
            first = "" if size == 10 and head == 1 else chinese_words(head)
            if head == 2 and size >= 1_000:
                first = "两"
            gap = "零" if rest and rest < size // 10 else ""
            return f"{first}{name}{gap}{chinese_words(rest) if rest else ''}"
    raise ValueError(value)


def _english(value: float, draw: Draw) -> str:
    rng = draw.rng
    chance = rng.random()
    if isinstance(value, int) and 0 <= value <= 12:
        return english_words(value) if chance < 0.4 else str(value)
    if isinstance(value, int) and 0 <= value <= 1_000 and chance < 0.15:
        return english_words(value)
    for size, names in ((1_000_000, (" million", "M", " mio")), (1_000, ("k", "K", " thousand", " grand"))):
        scaled = value / size
        if 1 <= scaled < 1_000 and len(f"{scaled:g}") <= 4 and scaled == float(f"{scaled:g}") and chance < 0.55:
            if scaled == int(scaled) and scaled <= 12 and rng.random() < 0.3:
                return english_words(int(scaled)) + (" million" if size == 1_000_000 else " thousand")
            if value == size // 2:
                return f"half a{names[0]}"
            return f"{scaled:g}{names[0] if size == 1_000_000 and chance < 0.4 else rng.choice(names[:3])}"
    if value == 500_000 and chance < 0.7:
        return "half a million"
    return f"{value:,}" if abs(value) >= 1_000 and chance < 0.8 else str(value)


def _chinese(value: float, draw: Draw) -> str:
    rng = draw.rng
    chance = rng.random()
    if isinstance(value, int) and 0 <= value <= 100 and chance < 0.35:
        return "两" if value == 2 else chinese_words(value)
    for size, name in ((10**8, "亿"), (10**4, "万")):
        scaled = value / size
        if 1 <= scaled < 10**4 and len(f"{scaled:g}") <= 4 and scaled == float(f"{scaled:g}") and chance < 0.7:
            if scaled == int(scaled) and rng.random() < 0.4:
                return chinese_words(int(value))
            return f"{scaled:g}{name}"
    if isinstance(value, int) and value >= 100 and value % 100 == 0 and chance < 0.3:
        return chinese_words(value)
    return f"{value:,}" if abs(value) >= 1_000 and chance < 0.3 else str(value)
