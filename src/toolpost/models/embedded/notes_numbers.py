"""Numbers as people write them, in English and Chinese, and the few types that all readings share."""

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from decimal import Decimal
from functools import cache
from typing import NamedTuple


class Asked(NamedTuple):
    """`text` is `question` in lower case with plain digits, character by character in the same places."""

    text: str
    question: str
    today: date


class Found(NamedTuple):
    """A place that was understood. Without a meaning it only keeps other readings away."""

    start: int
    end: int
    means: str


class Rule(NamedTuple):
    """How one kind of expression is found and read. It is only tried on texts with one of `needs` in them."""

    pattern: str
    read: Callable[[re.Match[str], Asked], Iterable[Found]]
    needs: tuple[str, ...]

    def matches(self, asked: Asked) -> Iterator[re.Match[str]]:
        return _compiled(self.pattern).finditer(asked.text)


def rule(pattern: str, read: Callable[[re.Match[str], Asked], Iterable[Found]], needs: str = "") -> Rule:
    """`needs` are words with | between them, any one of which must be there."""
    return Rule(pattern, read, tuple(needs.split("|")))


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    # At its first use and not at import: all together they would keep every start waiting.
    return re.compile(pattern, re.ASCII)


def whole(pattern: str, meaning: Callable[[re.Match[str], Asked], str | None], needs: str = "") -> Rule:
    """A rule that reads all of its match, or nothing where `meaning` gives None."""

    def read(match: re.Match[str], asked: Asked) -> Iterator[Found]:
        means = meaning(match, asked)
        if means is not None:
            yield Found(match.start(), match.end(), means)

    return rule(pattern, read, needs)


def comes_after(asked: Asked, place: int, words: re.Pattern[str]) -> bool:
    """Whether `words`, which end in $, stand directly before `place`."""
    return words.search(asked.text[max(0, place - 24) : place]) is not None


def plain(value: Decimal) -> str:
    """The figure without exponent and idle zeros."""
    text = f"{value:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


_DIGIT = "one|two|three|four|five|six|seven|eight|nine"
_TEEN = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_SCALES = {
    "hundred": 100,
    "dozen": 12,
    "thousand": 10**3,
    "grand": 10**3,
    "k": 10**3,
    "lakh": 10**5,
    "lakhs": 10**5,
    "m": 10**6,
    "mn": 10**6,
    "mil": 10**6,
    "million": 10**6,
    "crore": 10**7,
    "crores": 10**7,
    "b": 10**9,
    "bn": 10**9,
    "billion": 10**9,
    "tn": 10**12,
    "trillion": 10**12,
}
_VALUES = {
    **{word: Decimal(value) for value, word in enumerate(f"zero|{_DIGIT}|{_TEEN}".split("|"))},
    **{word: Decimal(10 * value) for value, word in enumerate(_TENS.split("|"), 2)},
    "half": Decimal("0.5"),
    "quarter": Decimal("0.25"),
    "quarters": Decimal("0.75"),
}

# Every repetition is bounded and most choices are atomic, so that no text makes a search slow.
FIGURES = r"(?>\d{1,3}(?:[,']\d{3}){1,6}(?!\d)(?:\.\d{1,9})?|\d{1,2}(?:,\d\d){1,4},\d{3}(?!\d)|\d{1,18}(?:\.\d{1,9})?)"
_SUB100 = rf"(?>(?:{_TENS})\b(?:[ -](?:{_DIGIT})\b)?|(?:{_TEEN}|{_DIGIT}|zero)\b)"
_HUNDREDS = (
    rf"(?:{_SUB100}[ -]|an? |\d{{1,3}}(?:\.\d)? )?hundred\b"
    # "between one hundred and two hundred" are two numbers.
    rf"(?:(?: and)?[ -]{_SUB100}(?!(?: and)?[ -]hundred))?"
)
_SUB1000 = rf"(?>{_HUNDREDS}|{_SUB100})"
_BARE_SCALE = "thousand|million|billion|trillion|dozen"
_SCALE = f"(?:{_BARE_SCALE}|lakhs?|crores?|grand|mil)"
_PART = "(?:[ -]and[ -](?:a|one)[ -]half|[ -]and[ -]a[ -]quarter| and three quarters)"
_DECIMAL = rf"{_SUB100} point(?: (?:{_DIGIT}|zero)\b){{1,6}}"
_SCALED = (
    rf"(?:(?:{_SUB1000}{_PART}?|{_DECIMAL}|{FIGURES}|an?(?! grand| mil\b))[ -]{_SCALE}|{_BARE_SCALE})\b"
    rf"(?: (?:and )?{_SUB1000}[ -]{_SCALE}\b){{0,3}}(?: (?:and )?{_SUB1000}(?![ -](?:{_SCALE}|hundred)\b))?"
)
_WORDS = (
    rf"(?>(?:half|(?:a )?quarter(?: of)?) an? (?:hundred|{_SCALE})\b|(?:an?|one) (?:million|billion) and a half\b"
    rf"|{_SCALED}|{_DECIMAL}|(?:eighteen|nineteen|twenty) (?=(?:{_TENS}|{_TEEN})\b){_SUB100}|{_SUB1000}{_PART}?\b)"
)
# How a number can begin: most words are passed over at their first letters.
_BEGINS = r"(?=\d|an? |on|tw|thr|thi|tho|fo|fi|si|se|ei|ni|te|el|ha|qu|hu|mi|bi|tr|do|ze)"
NUMBER = (
    rf"(?:(?<![\w./]){_BEGINS}(?:(?=[a-z]|\d[\d.,']{{0,24}} [a-z]){_WORDS}|(?<=[$€£¥]){FIGURES}[mb]\b"
    rf"|{FIGURES} ?(?:bn|mn|tn)\b|{FIGURES}k\b|{FIGURES}(?: and a (?:half|quarter)\b)?))"
)


def number(said: str) -> Decimal:
    """What a text that NUMBER matches amounts to."""
    total, current, largest = Decimal(0), Decimal(0), 1
    # The one and the three only count the halves and quarters that follow.
    words = re.findall(r"\d[\d,.']*|[a-z]+", re.sub(r"three (?=quarters)|\bone (?=half|quarter)", "", said))
    if "point" in words:
        point = words.index("point")
        digits = [word for word in words[point + 1 :] if word in _VALUES]
        current = number(" ".join(words[:point])) + Decimal("0." + "".join(plain(_VALUES[word]) for word in digits))
        words = words[point + 1 + len(digits) :]
    for at, word in enumerate(words):
        if word[0].isdigit():
            current += Decimal(word.replace(",", "").replace("'", "").rstrip("."))
        elif word == "hundred":
            current = (current or 1) * 100
        elif word in _SCALES:
            total, current, largest = total + (current or 1) * _SCALES[word], Decimal(0), _SCALES[word]
        elif word in ("half", "quarter", "quarters"):
            current += _VALUES[word] * (largest if at == len(words) - 1 else 1)
        else:
            value = _VALUES.get(word, Decimal(0))
            # nineteen eighty-four, twenty twenty-six
            current = current * (100 if current in (18, 19, 20) and value >= 10 else 1) + value
    return total + current


_ZH_DIGITS = {**{sign: value for value, sign in enumerate("零一二三四五六七八九")}, "〇": 0, "两": 2}
_ZH_UNITS = {"亿": 10**8, "万": 10**4, "千": 1000, "百": 100, "十": 10}
_ZH_SMALLER = {"亿": "千万", "万": "千", "千": "百", "百": "十"}
_ZH = "零〇一二三四五六七八九十百千万亿两"
ZH_NUMBER = (
    rf"(?:(?<![{_ZH}\w.])"
    rf"(?>\d{{1,12}}(?:\.\d{{1,6}})?(?:[{_ZH}]|(?<=[百千万亿])\d{{1,4}}){{0,12}}(?!\d)|[{_ZH}]{{1,24}}))"
)


def zh_number(said: str) -> Decimal | None:
    """What a text that ZH_NUMBER matches amounts to; None for what is no number, such as 三四 or 千万."""
    for sign, unit in _ZH_UNITS.items():
        head, found, tail = said.rpartition(sign)
        if not found:
            continue
        many = zh_number(head) if head else Decimal(1) if sign == "十" else None
        # A single last digit counts the next smaller unit: 三万五 is 35000.
        if unit > 10 and len(tail) == 1 and tail not in "零〇十":
            tail += _ZH_SMALLER[sign]
        rest = zh_number(tail.lstrip("零〇") or "零")
        return None if many is None or rest is None or rest >= unit else many * unit + rest
    if said in _ZH_DIGITS:
        return Decimal(_ZH_DIGITS[said])
    return Decimal(said) if said.isascii() and said else None


_NUMBER_BEFORE = re.compile(rf"(?:\d%?|\b(?:{'|'.join(_VALUES)}|{_SCALE}|hundred)) $")
_MINUS = re.compile(r"\b(?:minus|negative) $")
_NO_FIGURE = re.compile(r"[ -](?:thirds?|fourths?|fifths?|quarters?|halves)\b")
# "the red one" is no number, "book one ticket" is.
_BEFORE_ONE = re.compile(
    r"(?:^|[.,;:!?(] ?"
    r"|\b(?:for|with|add|book|order|buy|get|need|want|me|and|only|just|exactly|reserve|send|plus|of) )$"
)
_AFTER_ONE = re.compile(
    r" (?!of|is|was|are|day|time|thing|way|more|last|another|moment|sec|question|for|with|in|on|at|that|who|and|or|to"
    r"|by|from|as|please|i|you)[a-z]{3}"
)
_VAGUE_BEFORE = re.compile(r"\b(?:couple|few|several|many|some|thanks)(?: of)? $")
_FOR_ONE = re.compile(r"\b(?:tables?|tickets?|seats?|rooms?|trip|dinner|lunch|party) (?:for|of) $")
_PLAIN = re.compile(r"\d+(?:\.\d+)?")
_NOT_A_THOUSAND = re.compile(r" (?:run|race|tv|video|monitor|movie|screen|display|resolution|footage|plan)\b")
_SENTENCE_START = re.compile(r"(?:^|[.!?:;(\n。！？：，] ?)$")


def _english(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    means, start = _figure(match, asked), match.start()
    minus = _MINUS.search(asked.text[max(0, start - 24) : start])
    if minus and match["number"][0] != "a" and not _NUMBER_BEFORE.search(minus.string[: minus.start()]):
        yield Found(start - len(minus[0]), match.end(), f"-{means or match['number']}")
    elif means is not None:
        yield Found(start, match.end(), means)


def _figure(match: re.Match[str], asked: Asked) -> str | None:
    said, share = match["number"], match["share"]
    if not share and _PLAIN.fullmatch(said):
        return None
    if said[0].isalpha() and (_is_name(match, asked) or comes_after(asked, match.start(), _VAGUE_BEFORE)):
        return ""
    if _NO_FIGURE.match(asked.text, match.end()):
        return ""
    if said == "one" and not share and not _counts(match, asked):
        return ""
    if said[-1] == "k" and (said == "401k" or _NOT_A_THOUSAND.match(asked.text, match.end())):
        return ""
    return plain(number(said) / (100 if share else 1))


def _is_name(match: re.Match[str], asked: Asked) -> bool:
    """Five Guys, Ocean's Eleven: a number word with a capital inside a sentence or before another capital."""
    start, end, question = match.start(), match.end(), asked.question
    if not (question[start].isupper() and question[start + 1 : start + 2].islower()):
        return False
    return question[end + 1 : end + 2].isupper() or not comes_after(asked, start, _SENTENCE_START)


def _counts(match: re.Match[str], asked: Asked) -> bool:
    if comes_after(asked, match.start(), _FOR_ONE):
        return True
    return comes_after(asked, match.start(), _BEFORE_ONE) and _AFTER_ONE.match(asked.text, match.end()) is not None


def _share(match: re.Match[str], asked: Asked) -> str:
    return plain(number(match[0].replace("-", " ")))


def _money(match: re.Match[str], asked: Asked) -> str:
    return plain(number(match[1]) + number(match[2]) / 100)


def _mixed(match: re.Match[str], asked: Asked) -> str:
    part = {"½": "0.5", "¼": "0.25", "¾": "0.75", "1/2": "0.5", "1/4": "0.25", "3/4": "0.75"}[match[2]]
    return plain(Decimal(match[1] or 0) + Decimal(part))


_ZH_MEASURE = (
    "[个张杯位人份间晚天次瓶只本盒斤块元角毛岁米克升吨辆台部件条双套把袋包箱碗盘串颗粒片支枝根架艘头匹幅首篇封段句页章集名口家座栋层楼站周秒]"
    "|[磅度倍株棵朵枚副场轮局遍趟顿款种项组排行笔夜]|公斤|公里|小时|分钟|厘米|毫米|千米|千克|毫克|毫升|星期"
    "|英[里尺寸镑]|[美欧日]元|人民币|大人|成人|小孩|儿童"
)
_MEASURE = re.compile(_ZH_MEASURE)
# 一 is mostly an article; only before these it counts.
_ONE_MEASURE = re.compile(
    "[位个](?=成人|儿童|大人|小孩|孩子|老人)|[张杯份间晚瓶盒斤碗箱袋克米升元]|公斤|公里|分钟|大人|成人|美元|欧元"
)
_ZH_VAGUE_BEFORE = re.compile("[几数上双第这那每哪某另同]$")
# More is a play with signs, such as 一亿亿亿.
_ZH_MOST = 10**17
_ZH_VAGUE_AFTER = re.compile("[几多来余折成]")


def _chinese(match: re.Match[str], asked: Asked) -> str | None:
    said, end = match[0], match.end()
    measure = _ONE_MEASURE if said == "一" else _MEASURE
    # 十一 is a holiday as well.
    if (len(said) == 1 or said == "十一") and not measure.match(asked.text, end):
        return None
    if said.isascii() or _ZH_VAGUE_AFTER.match(asked.text, end):
        return None
    if comes_after(asked, match.start(), _ZH_VAGUE_BEFORE) and (
        said != "两" or asked.text[match.start() - 1] in "几数"
    ):
        return None
    value = zh_number(said)
    return None if value is None or value >= _ZH_MOST else plain(value)


def _zh_percent(match: re.Match[str], asked: Asked) -> str | None:
    value = Decimal(100) if match[1] == "百" else zh_number(match[1])
    if value is None:
        return None
    return f"{plain(value + _zh_behind_point(match[2] or '零'))}%"


def _zh_behind_point(digits: str) -> Decimal:
    return Decimal("0." + "".join(str(_ZH_DIGITS[sign]) if sign in _ZH_DIGITS else sign for sign in digits))


def _zh_share(match: re.Match[str], asked: Asked) -> str | None:
    below, above = zh_number(match[1]), zh_number(match[2])
    if not below or above is None or below not in (2, 4, 5, 8, 10, 20, 1000, 10000):
        return None
    return plain(above / below)


def _zh_decimal(match: re.Match[str], asked: Asked) -> str | None:
    before = zh_number(match[1])
    after = _zh_behind_point(match[2])
    return None if before is None else plain((before + after) * _ZH_UNITS.get(match[3] or "", 1))


def _zh_and_tenths(match: re.Match[str], asked: Asked) -> str | None:
    value = zh_number(match[1])
    return None if value is None else f"{plain(value + _zh_behind_point(match[3]))}{match[2]}"


def _zh_minus(match: re.Match[str], asked: Asked) -> str | None:
    value = zh_number(match[1])
    return None if value is None else plain(-value)


def _zh_place(match: re.Match[str], asked: Asked) -> str | None:
    value = zh_number(match[0])
    return None if value is None else plain(value)


def _zh_and_a_half(match: re.Match[str], asked: Asked) -> str | None:
    value = zh_number(match[1]) if match[1] else Decimal(0)
    return None if value is None else f"{plain(value + Decimal('0.5'))}{match[2]}"


ENGLISH = (
    rule(rf"(?P<number>{NUMBER})(?P<share> ?%| ?percent\b| per cent\b| ?pct\b)?", _english),
    whole(r"\b(?:half|one[ -]half|(?:a|one)[ -]quarter|three[ -]quarters)(?= of [$€£¥]?\d)", _share, "half|quarter"),
    whole(
        rf"(?<![\w.,/])(\d{{1,6}}|{_SUB1000}) (?:euros?|dollars?|pounds?|bucks) (?:and )?"
        rf"(\d\d\b|(?:{_TENS})(?:[ -](?:{_DIGIT}))?\b)(?: cents?\b| pence\b)?(?![.,:]\d)",
        _money,
        "euro|dollar|pound|bucks",
    ),
    whole(r"(?<![\w.,/])(?:(\d{1,6}) ?)?([½¼¾])", _mixed, "½|¼|¾"),
    whole(r"(?<![\w.,/])(\d{1,6}) (1/2|1/4|3/4)(?![\d/])", _mixed, "/"),
)
CHINESE = (
    whole(ZH_NUMBER, _chinese),
    whole(rf"百分之((?:{ZH_NUMBER}|(?<=之)百))(?:点([零一二三四五六七八九]{{1,4}}))?", _zh_percent, "百分之"),
    whole(rf"(?<=第)[{_ZH}]{{1,8}}(?=[集期页章节课回卷季层])", _zh_place, "第"),
    whole(rf"零下({ZH_NUMBER})", _zh_minus, "零下"),
    whole(rf"({ZH_NUMBER})分之([一二三四五六七八九]|\d+)", _zh_share, "分之"),
    whole("一半", lambda match, asked: "0.5"),
    whole(
        rf"([一二三四五六七八九十两]{{1,4}})点([零一二三四五六七八九]{{1,4}})(?:([百千万亿])|(?={_ZH_MEASURE}))",
        _zh_decimal,
        "点",
    ),
    whole(
        rf"({ZH_NUMBER})(块|米|度)([一二三四五六七八九\d]{{1,2}})(?:毛|角)?(?![{_ZH}\d])", _zh_and_tenths, "块|米|度"
    ),
    whole(rf"({ZH_NUMBER})([个斤杯瓶升米吨里度]|公斤|公里|公升)半", _zh_and_a_half, "半"),
    whole("(?<![大多过一])()半([斤升杯瓶]|公斤|公里)", _zh_and_a_half, "半"),
)
