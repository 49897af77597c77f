"""Days as people name them, in English and Chinese: tomorrow, next Friday, March 3rd, 下周五, 12月5号."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date, timedelta

from .notes_numbers import NUMBER, ZH_NUMBER, Asked, Found, comes_after, number, rule, whole, zh_number


def shifted(day: date, *, days: int = 0, months: int = 0) -> date | None:
    """`day` moved on, on the last of a month that is too short; None beyond the calendar."""
    try:
        year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
        moved = date(year, month + 1, min(day.day, monthrange(year, month + 1)[1]))
        return moved + timedelta(days=days)
    except (OverflowError, ValueError):
        return None


def next_on(today: date, month: int, day: int) -> date | None:
    """The first such day that is not past."""
    # A 29th of February can be eight years away.
    for year in range(today.year, min(today.year + 9, date.max.year + 1)):
        if day <= monthrange(year, month)[1] and date(year, month, day) >= today:
            return date(year, month, day)
    return None


_WEEKDAY_NAMES = (
    *("monday mon", "tuesday tues tue", "wednesday wed", "thursday thurs thur thu"),
    *("friday fri", "saturday sat", "sunday sun"),
)
_MONTH_NAMES = (
    *("january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug"),
    *("september sept sep", "october oct", "november nov", "december dec"),
)
_ORDINAL_NAMES = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth "
    "sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third twenty-fourth "
    "twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth thirty-first"
)
_WEEKDAYS = {name: place for place, names in enumerate(_WEEKDAY_NAMES) for name in names.split()}
MONTHS = {name: place for place, names in enumerate(_MONTH_NAMES, 1) for name in names.split()}
_ORDINALS = {name: place for place, name in enumerate(_ORDINAL_NAMES.split(), 1)}
_UNITS = {"day": (1, 0), "week": (7, 0), "fortnight": (14, 0), "month": (0, 1)}
_UNIT = "day|week|fortnight|month"
_WEEKDAY = rf"(?:{'|'.join(_WEEKDAYS)})\b"
MONTH = rf"(?P<month>{'|'.join(MONTHS)})\b\.?"
_SUFFIX = r"(?:st|nd|rd|th)"
_DAY = rf"(?P<day>\d{{1,2}}{_SUFFIX}?\b|(?:{'|'.join(sorted(_ORDINALS, key=len, reverse=True))})\b)"
_YEAR = r"(?:,?[ -](?P<year>(?:19|20|21)\d\d)\b)?"
_UNTIL = r"(?: ?- ?| to | through | until | till )"
_NO_DAY = r"(?!:\d|[.,/]\d|%| ?[ap]\.?m\b)"


def _said_as_day(found: date | None) -> str:
    return found.isoformat() if found else ""


def _on(today: date, month: int, day: int, year: int | None) -> date | None:
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    if year is None:
        return next_on(today, month, day)
    return date(year, month, day) if 1 <= year <= 9999 and day <= monthrange(year, month)[1] else None


_BEFORE_DAY = re.compile(r"\b(?:on|by|until|till|for|from|to|since|before|after|is|between|and|due|through|starting) $")
_AFTER_DAY = re.compile(
    r"(?:$|[.,;:!?)]| (?:at|for|until|till|to|from|and|or|please|with|if|around|before|after|instead)\b)"
)


def _calendar_day(match: re.Match[str], asked: Asked) -> str | None:
    """The 3rd of March 2027."""
    return None if _is_verb(match, asked) else _said_as_day(_day_in_month(match, asked))


def _calendar_days(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """March 3rd; March 3 to 7."""
    if _is_verb(match, asked):
        return
    found = _day_in_month(match, asked)
    last = _on(found, found.month, int(match["last"]), found.year) if found and match["last"] else None
    if found and last and found < last:
        yield Found(match.start(), match.end("one"), found.isoformat())
        yield Found(match.start("last"), match.end(), last.isoformat())
    else:
        yield Found(match.start(), match.end("one") if match["last"] else match.end(), _said_as_day(found))


def _first_of_days(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """3 to 7 December: the first day takes its month from the second, which is read by itself."""
    last = _day_in_month(match, asked)
    first = _on(last, last.month, int(match["first"]), last.year) if last else None
    if first and last and first < last:
        yield Found(match.start("first"), match.start("joint"), first.isoformat())


def _day_in_month(match: re.Match[str], asked: Asked) -> date | None:
    year = int(match["year"]) if match["year"] else None
    return _on(asked.today, MONTHS[match["month"]], _day_number(match["day"]), year)


def _day_number(said: str) -> int:
    return _ORDINALS.get(said) or int(re.sub(r"\D", "", said))


def _is_verb(match: re.Match[str], asked: Asked) -> bool:
    """They may 3 times, march 5 miles: a month only with a capital or among the words that stand around days."""
    if match["month"] not in ("may", "march", "mar") or asked.question[match.start("month")].isupper():
        return False
    if match["year"] or not match["day"].isdigit():
        return False
    return not (comes_after(asked, match.start(), _BEFORE_DAY) or _AFTER_DAY.match(asked.text, match.end()))


def _month_of_year(match: re.Match[str], asked: Asked) -> str:
    return f"{match['year']}-{MONTHS[match['month']]:02}"


def _day_after(match: re.Match[str], asked: Asked) -> str:
    return _said_as_day(shifted(asked.today, days=2))


def _in_figures(match: re.Match[str], asked: Asked) -> str | None:
    """12/24/2026, 24.12.2026, 2026/3/5, where only one reading is possible."""
    if match["y"]:
        return _said_as_day(_on(asked.today, int(match["m"]), int(match["d"]), int(match["y"])))
    first, second, mark, year = int(match["one"]), int(match["two"]), match["mark"], match["years"]
    if len(year) == 2 and (mark == "-" or (first <= 12 and second <= 12)):
        return ""
    month, day = (first, second) if second > 12 else (second, first)
    if first <= 12 and second <= 12 and first != second and mark != ".":
        return ""
    return _said_as_day(_on(asked.today, month, day, int(year) + (2000 if len(year) == 2 else 0)))


_DOTTED_BEFORE = re.compile(r"(?:\b(?:on|by|until|till|from|since|before|after|between) |\d\. ?(?:to|and|-) ?)$")


def _short_figures(match: re.Match[str], asked: Asked) -> str | None:
    first, second = int(match[1]), int(match[3])
    if match[2] == ".":
        is_day = first > 12 >= second and comes_after(asked, match.start(), _DOTTED_BEFORE)
        return _said_as_day(_on(asked.today, second, first, None)) if is_day else None
    if match[4] or match[0] == "24/7" or (first <= 12 and second <= 12 and first != second):
        return None
    month, day = (first, second) if second > 12 else (second, first)
    return _said_as_day(_on(asked.today, month, day, None)) or None


def _day_of_month(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """The 21st; the 21st to the 25th."""
    means = _one_day_of_month(match, asked)
    if means is None:
        return
    yield Found(match.start(), match.end("one"), means)
    if means and match["last"]:
        last = next_with_number(date.fromisoformat(means), int(match["last"]))
        yield Found(match.start("second"), match.end(), _said_as_day(last))


def _one_day_of_month(match: re.Match[str], asked: Asked) -> str | None:
    """None where no days are spoken of, but floors and streets."""
    day, start = int(match["day"]), match.start()
    if match["weekday"]:
        found = next_with_number(asked.today, day)
        return _said_as_day(found if found and found.weekday() == _WEEKDAYS[match["weekday"]] else None)
    if match["of"] in ("next", "this"):
        moved = shifted(asked.today.replace(day=1), months=1 if match["of"] == "next" else 0)
        return _said_as_day(moved and _on(asked.today, moved.month, day, moved.year))
    is_day = comes_after(asked, start, _BEFORE_DAY) and _AFTER_DAY.match(asked.text, match.end())
    if not (is_day or match["of"]):
        return None
    return _said_as_day(next_with_number(asked.today, day))


def next_with_number(today: date, day: int) -> date | None:
    if not 1 <= day <= 31:
        return None
    months = (shifted(today.replace(day=1), months=months) for months in range(3))
    days = (_on(today, first.month, day, first.year) for first in months if first)
    return next((one for one in days if one and one >= today), None)


_NAMED = (
    {"today": 0, "tonight": 0, "this morning": 0, "this afternoon": 0, "this evening": 0}
    | {"tomorrow": 1, "tmrw": 1, "tmr": 1, "day after tomorrow": 2}
    | {"yesterday": -1, "last night": -1, "day before yesterday": -2}
)


def _named(match: re.Match[str], asked: Asked) -> str:
    return _said_as_day(shifted(asked.today, days=_NAMED[match[1]]))


_RATE_BEFORE = re.compile(r"\b(?:days|hours|weeks|minutes|seconds|months|there|are|times|many|much) $")


def _from_now(match: re.Match[str], asked: Asked) -> str | None:
    unit, said = match["unit"], match["n"]
    if said in ("a", "an") and unit not in ("week", "fortnight") and match[0].startswith("in "):
        return None
    many = 1 if said in ("a", "an") else number(said)
    if many != int(many) or comes_after(asked, match.start(), _RATE_BEFORE):
        return None
    days, months = _UNITS[unit]
    many = -int(many) if match["ago"] == "ago" else int(many)
    start = shifted(asked.today, days=1) if match["ago"] == "from tomorrow" else asked.today
    return _said_as_day(start and shifted(start, days=days * many, months=months * many)) or None


def _week(match: re.Match[str], asked: Asked) -> str:
    way = {"next": 1, "last": -1, "this": 0, "the": 0}[match[1]]
    return _period(asked.today, match[2], way)


def _period(today: date, unit: str, way: int) -> str:
    if unit in ("week", "weekend"):
        return _said_as_day(_in_week(today, way, 5 if unit == "weekend" else 0))
    moved = shifted(today.replace(day=1), months=way * (12 if unit == "year" else 1))
    return _said_as_day(moved)[: 4 if unit == "year" else 7]


def _in_week(today: date, weeks: int, weekday: int) -> date | None:
    return shifted(today, days=7 * weeks + weekday - today.weekday())


def _coming(today: date, weekday: int) -> date | None:
    return shifted(today, days=(weekday - today.weekday() - 1) % 7 + 1)


_NO_SINGLE_DAY = re.compile(
    r"\b(?:every|each|alternate|most|other|first|second|third|fourth"
    r"|good|black|cyber|happy|easter|palm|ash|super|tgi|ruby|sheffield|man) $"
)
_BEFORE_SHORT = re.compile(r"\b(?:on|by|until|till) $")
_AFTER_SHORT = re.compile(r" (?:night|morning|afternoon|evening|(?:at )?\d{1,2}(?::\d\d| ?[ap]m))\b")
_THE = re.compile(r"\bthe $")


def _weekday(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    which, name = match["which"] or "", match["day"]
    if comes_after(asked, match.start(), _NO_SINGLE_DAY) or (len(name) < 6 and not _is_short_day(match, asked)):
        return
    first = _which_weekday(asked.today, f"{which}{match['later'] or ''}", _WEEKDAYS[name])
    if match["end"] and first:
        yield Found(match.start(), match.end("day"), first.isoformat())
        yield Found(match.start("end"), match.end("end"), _said_as_day(_coming(first, _WEEKDAYS[match["end"]])))
    else:
        yield Found(match.start(), match.end(), _said_as_day(first))


def _is_short_day(match: re.Match[str], asked: Asked) -> bool:
    """Sun and sat are words, too: they need a capital inside a sentence, or words that stand around days."""
    start, name = match.start("day"), match["day"]
    if name in ("tue", "tues", "thu", "thur", "thurs", "fri") or (match["which"] and name != "sun"):
        return True
    if _AFTER_SHORT.match(asked.text, match.end("day")) or comes_after(asked, start, _BEFORE_SHORT):
        return True
    return start > 0 and asked.question[start].isupper() and not comes_after(asked, start, _THE)


def _which_weekday(today: date, which: str, weekday: int) -> date | None:
    if "next" in which:
        return _in_week(today, 1, weekday)
    if which in ("last ", "past "):
        return shifted(today, days=-((today.weekday() - weekday - 1) % 7 + 1))
    return _coming(today, weekday)


_HOLIDAYS = {
    **dict.fromkeys(("christmas eve", "平安夜"), (12, 24)),
    **dict.fromkeys(("christmas", "christmas day", "xmas", "圣诞节"), (12, 25)),
    **dict.fromkeys(("new year's eve", "new years eve", "跨年夜"), (12, 31)),
    **dict.fromkeys(("new year's day", "new years day", "元旦"), (1, 1)),
}
_AFTER_HOLIDAY = re.compile(
    r" ?(?:$|[.,;:!?)']| (?:at|for|until|till|to|from|and|or|please|with|if|is|this|in|on|we|i)\b)"
)


def _holiday(match: re.Match[str], asked: Asked) -> str | None:
    """Christmas alone may belong to a tree: it is a day where days stand."""
    if match[0] in ("christmas", "xmas") and not (
        comes_after(asked, match.start(), _BEFORE_DAY) and _AFTER_HOLIDAY.match(asked.text, match.end())
    ):
        return None
    return _said_as_day(next_on(asked.today, *_HOLIDAYS[match[0]]))


_ZH_NAMED = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_ZH_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
_ZH_WEEK = "(?:周|星期|礼拜)"
_ZH_WHICH = {"下下": 2, "下": 1, "上": -1, "上上": -2, "本": 0, "这": 0}
_ZH_NO_SINGLE_DAY = re.compile(r"(?:每个?|[一二两三四五六七八九十\d])$")
_ZH_ADDRESS = re.compile(r"[\w路街弄巷道里村区第院幢栋楼座-]$", re.ASCII)


def _zh_named(match: re.Match[str], asked: Asked) -> str:
    return _said_as_day(shifted(asked.today, days=_ZH_NAMED[match[1]]))


def _zh_year(match: re.Match[str], asked: Asked) -> str:
    return str(asked.today.year + {"去": -1, "今": 0, "明": 1, "后": 2}[match[1]])


def _zh_weekday(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    if not match["which"] and comes_after(asked, match.start(), _ZH_NO_SINGLE_DAY):
        return
    weekday = _zh_place(match["day"])
    week = _ZH_WHICH.get((match["which"] or "").rstrip("个"))
    first = _coming(asked.today, weekday) if week is None else _in_week(asked.today, week, weekday)
    yield Found(match.start(), match.end("day"), _said_as_day(first))
    if match["end"] and first:
        yield Found(match.start("until"), match.end("end"), _said_as_day(_coming(first, _zh_place(match["end"]))))


def _zh_place(sign: str) -> int:
    return "一二三四五六日".find(sign.replace("天", "日")) if not sign.isdigit() else int(sign) - 1


def _zh_period(match: re.Match[str], asked: Asked) -> str | None:
    which, unit = match["which"], match["unit"]
    if not which and comes_after(asked, match.start(), _ZH_NO_SINGLE_DAY):
        return None
    week = _ZH_WHICH[which.rstrip("个")] if which else 0
    return _period(asked.today, {"末": "weekend", "月": "month"}.get(unit[-1], "week"), week)


def _zh_from_now(match: re.Match[str], asked: Asked) -> str | None:
    many = zh_number(match["n"])
    if many is None or many != int(many) or asked.text[match.start() - 1 : match.start()] in ("第", "每"):
        return None
    days, months = {"天": (1, 0), "日": (1, 0), "月": (0, 1)}.get(match["unit"][-1], (7, 0))
    way = int(many) if "后" in match["way"] else -int(many)
    return _said_as_day(shifted(asked.today, days=days * way, months=months * way))


def _zh_calendar_day(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """12月5日, 明年三月一号, 下个月5号, 12月5日到8日."""
    today, said = asked.today, match["month"]
    year, month = _zh_year_number(match["year"], today), zh_number(said)
    if month is None:
        moved = shifted(today.replace(day=1), months=_ZH_WHICH[said.rstrip("个")])
        year, month = (moved.year, moved.month) if moved else (0, 0)
    day = zh_number(match["day"])
    found = _on(today, int(month), int(day), year) if day is not None else None
    yield Found(match.start(), match.end("first"), _said_as_day(found))
    if match["end"] and found:
        yield Found(match.start("end"), match.end(), _said_as_day(_zh_later_day(found, match["end"])))


def _zh_year_number(said: str | None, today: date) -> int | None:
    if said is None or len(said) == 4:
        return None if said is None else int("".join(str(zh_number(sign)) for sign in said))
    return today.year + {"去": -1, "今": 0, "明": 1, "后": 2}[said]


def _zh_later_day(start: date, said: str) -> date | None:
    day = zh_number(said.rstrip("日号"))
    return next_with_number(start, int(day)) if day else None


def _zh_day_of_month(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    day = zh_number(match["day"])
    if day is None or comes_after(asked, match.start(), _ZH_ADDRESS):
        return
    found = next_with_number(asked.today, int(day))
    yield Found(match.start(), match.end("first"), _said_as_day(found))
    if match["end"] and found:
        yield Found(match.start("end"), match.end("end"), _said_as_day(_zh_later_day(found, match["end"])))


_WHICH = r"(?P<which>this coming |this |next |last |past |coming |upcoming |next week,?(?: on)? )?"
_ZH_WEEKS = "(?P<which>(?:下下|上上|下|上|本|这)个?)"
_ZH_WEEKDAY = r"[一二三四五六日天1-6](?!\d)"
_ZH_MONTH = "(?P<month>[0-9]{1,2}|十[一二]?|[一二三四五六七八九]|[下上这]个|本)"
_DAY_MONTH = rf"{_DAY}(?: of)?[ -]{MONTH}{_YEAR}(?!\w)"
ANY_MONTH = "|".join(sorted({name[:3] for name in MONTHS}))
ENGLISH = (
    rule(
        rf"(?<![\w'/-])(?P<one>(?:{_WEEKDAY},? )?{MONTH} (?:the )?{_DAY}{_NO_DAY})"
        rf"(?:{_UNTIL}(?:the )?(?P<last>\d{{1,2}}){_SUFFIX}?\b{_NO_DAY})?{_YEAR}",
        _calendar_days,
        ANY_MONTH,
    ),
    whole(rf"(?<![\w.:/])(?=[a-z\d])(?:{_WEEKDAY},? )?(?:the )?{_DAY_MONTH}", _calendar_day, ANY_MONTH),
    rule(
        rf"(?<![\w.:/-])(?P<first>\d{{1,2}}){_SUFFIX}?(?P<joint>{_UNTIL})(?:the )?{_DAY_MONTH}",
        _first_of_days,
        ANY_MONTH,
    ),
    whole(rf"(?<![\w'/-]){MONTH} (?P<year>20\d\d)\b(?![-/]\d)", _month_of_year, ANY_MONTH),
    whole(r"(?<=\btomorrow and )the day after\b(?! \w+(?:day|morrow))", _day_after, "the day after"),
    whole(
        r"(?<![\w./-])(?:(?P<y>\d{4})(?P<sep>[-/.])(?P<m>\d{1,2})(?P=sep)(?P<d>\d{1,2})"
        r"|(?P<one>\d{1,2})(?P<mark>[-/.])(?P<two>\d{1,2})(?P=mark)(?P<years>\d{4}|\d\d))(?![\w/-]|\.\d)",
        _in_figures,
        "-|/|.",
    ),
    whole(r"(?<![\w./$€£¥-])(\d{1,2})(\.)(\d{1,2})\.(?!\d)()", _short_figures, "."),
    whole(
        r"(?<![\w./-])(\d{1,2})(/)(\d{1,2})(?![\w/%]|\.\d)( (?:inch|of|cups?|miles?|tsp|tbsp|scale|points?)\b)?",
        _short_figures,
        "/",
    ),
    rule(
        rf"\b(?P<one>(?:(?P<weekday>{_WEEKDAY}),? (?:the )?|the )(?P<day>\d{{1,2}}){_SUFFIX}\b"
        rf"(?: of (?P<of>next|this|the) month\b)?)"
        rf"(?:(?:{_UNTIL}| and )(?P<second>(?:the )?(?P<last>\d{{1,2}}){_SUFFIX})\b)?",
        _day_of_month,
    ),
    whole(rf"\b(?:the (?=day))?({'|'.join(sorted(_NAMED, key=len, reverse=True))})\b", _named),
    whole(rf"\bin (?P<n>{NUMBER}|an?) (?P<unit>{_UNIT})s?\b(?:'? time\b)?(?P<ago>)", _from_now),
    whole(
        rf"\b(?P<n>{NUMBER}|an?) (?P<unit>{_UNIT})s? (?P<ago>ago|from (?:now|today|tomorrow))\b",
        _from_now,
        " ago| from ",
    ),
    whole(r"(?<!the )\b(next|last) (week|month|year)\b(?! (?:of|on )?\w*day\b)", _week, "next|last"),
    whole(r"\b(this|the|next|last) (?:coming )?(weekend)\b", _week, "weekend"),
    rule(
        rf"(?<![\w'/])(?=[a-z]){_WHICH}(?P<day>{_WEEKDAY})(?P<later> next week\b)?(?:{_UNTIL}(?P<end>{_WEEKDAY}))?",
        _weekday,
    ),
    whole(r"\b(?:christmas(?: day| eve)?|xmas|new year'?s (?:eve|day))\b", _holiday, "christmas|xmas|year"),
)
CHINESE = (
    whole("(大前|大后|前|昨|今|明|(?<![之以然最午饭课班会前])后)天(?![气空黑亮])", _zh_named, "天"),
    whole("([昨今明])(?:日(?!头条)|[晚早晨夜])", _zh_named),
    whole("([去今明后])年", _zh_year, "年"),
    rule(
        rf"{_ZH_WEEKS}?(?:周(?!天)|星期|礼拜)(?P<day>{_ZH_WEEKDAY})(?:(?:到|至|-)(?P<until>{_ZH_WEEK}(?P<end>{_ZH_WEEKDAY})))?",
        _zh_weekday,
        "周|星期|礼拜",
    ),
    whole(rf"{_ZH_WEEKS}?(?P<unit>周末)", _zh_period, "周末"),
    whole(rf"{_ZH_WEEKS}(?<![本这])(?<![本这]个)(?P<unit>{_ZH_WEEK}|(?<=个)月)(?![一二三四五六日天末\d])", _zh_period),
    whole(
        rf"(?P<n>{ZH_NUMBER})(?P<unit>天|日|周|个?星期|个?礼拜|个月)(?P<way>[之以]?[后前])(?!后)", _zh_from_now, "后|前"
    ),
    rule(
        rf"(?:(?P<year>\d{{4}}|[〇零一二三四五六七八九]{{4}}|[去今明后])年)?(?<![\d一二三四五六七八九十]){_ZH_MONTH}月"
        rf"(?P<day>{_ZH_DAY})(?P<first>[日号]|(?<=\d)(?![\d个天份.]))(?:(?:到|至|-)(?P<end>{_ZH_DAY}[日号]))?",
        _zh_calendar_day,
        "月",
    ),
    rule(
        rf"(?<![\d一二三四五六七八九十月])(?P<day>{_ZH_DAY})(?P<first>号)(?:(?:到|至|-)(?P<end>{_ZH_DAY}号))?"
        r"(?![线楼门房桌口车公院店机球座位窗选登航电馆码室厅台柜])",
        _zh_day_of_month,
        "号",
    ),
    whole("圣诞节(?![礼快派装贺晚活歌大])|平安夜|元旦(?![快晚贺])|跨年夜", _holiday),
)
