"""Times of day and lengths of time, in English and Chinese: half past three, 下午三点半, an hour and a half, 半年."""

import re
from collections.abc import Iterator
from decimal import Decimal

from .notes_numbers import NUMBER, ZH_NUMBER, Asked, Found, comes_after, number, plain, rule, whole, zh_number

_HOUR_NAMES = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_HOURS = {name: hour for hour, name in enumerate(_HOUR_NAMES.split("|"), 1)}
_MINUTE_NAMES = (
    {"half": 30, "quarter": 15, "a quarter": 15, "oh five": 5, "five": 5, "ten": 10, "fifteen": 15, "twenty": 20}
    | {"twenty-five": 25, "twenty five": 25, "thirty": 30, "thirty-five": 35, "thirty five": 35, "forty": 40}
    | {"forty-five": 45, "forty five": 45, "fifty": 50, "fifty-five": 55, "fifty five": 55}
)
_SPELT_MINUTES = "|".join(sorted(set(_MINUTE_NAMES) - {"quarter", "a quarter", "half", "five"}, key=len, reverse=True))
_HOUR = rf"(?P<hour>\d{{1,2}}|(?:{_HOUR_NAMES})\b)"
_MINUTES = rf"(?:[:.](?P<minutes>\d\d)(?!\d)| (?P<spelt>{_SPELT_MINUTES})\b)?"
_PART = r"(?: ?(?P<half>[ap])(?:m|\.m\.?)(?!\w)| (?:in the|at|this) (?P<part>morning|afternoon|evening|night)\b)"
_PARTS = "am|pm|a.m|p.m|morning|afternoon|evening|night"
_START = r"(?<![\w.:$€£¥])"
_PART_BEHIND = re.compile(
    r",?(?: (?:on )?(?:tomorrow|today|this|yesterday|(?:next |this )?\w{3,6}day))?(?: in the)?"
    r" (morning|afternoon|evening|night|tonight)\b"
)
_PART_AHEAD = re.compile(r"\b(morning|afternoon|evening|night|tonight),?(?: (?:at|by|around|from|until|about))? $")


def _hour_of_day(hour: int, part: str) -> int | None:
    """The hour from 0 to 23; None where nobody would say so."""
    if hour > 12:
        return hour if hour < 24 and part not in ("a", "morning") else None
    if part in ("a", "morning"):
        return hour % 12
    if part == "p" or (part == "afternoon" and (hour == 12 or hour < 8)) or (part == "evening" and 4 <= hour < 12):
        return hour % 12 + 12
    if part in ("night", "tonight"):
        return hour + 12 if 5 <= hour < 12 else hour % 12
    return None if part else hour


def _clock(hour: int | None, minutes: int) -> str | None:
    return None if hour is None or minutes > 59 else f"{hour:02}:{minutes:02}"


def _hour_number(said: str) -> int:
    return _HOURS.get(said) or int(said)


def _minute_number(match: re.Match[str]) -> int:
    return _MINUTE_NAMES[match["spelt"]] if match["spelt"] else int(match["minutes"] or 0)


def _part_around(match: re.Match[str], asked: Asked) -> str:
    """The part of the day that is named next to a time: "tomorrow evening at 7"."""
    if behind := _PART_BEHIND.match(asked.text, match.end()):
        return behind[1]
    ahead = _PART_AHEAD.search(asked.text[max(0, match.start() - 24) : match.start()])
    return ahead[1] if ahead else ""


_BETWEEN = re.compile(r"\bbetween $")
_FROM = re.compile(r"\b(?:from|between) $")
_BEFORE_TIME = re.compile(r"\b(?:at|by|until|till|around|before|after|is|it's|about) $")


def _with_part(match: re.Match[str], asked: Asked) -> str | None:
    part = match["half"] or match["part"]
    return _clock(_hour_of_day(_hour_number(match["hour"]), part), _minute_number(match))


def _until_with_part(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """From 2 to 3:30 pm: the first time takes its half of the day from the second."""
    part = match["half"] or match["part"]
    last = _hour_of_day(_hour_number(match["last"]), part)
    hour, minutes = _hour_number(match["hour"]), _minute_number(match)
    if last is None or not 1 <= hour <= 12 or _is_mere_list(match, asked):
        return
    first = hour % 12 + (12 if last >= 12 else 0)
    if first * 60 + minutes > last * 60 + int(match["last_minutes"] or 0):
        first = (first + 12) % 24
    means = _clock(first, minutes)
    if means:
        yield Found(match.start(), match.start("joint"), means)


def _part_until(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    """From 9 am to 5: the second time is the next that the first allows."""
    part, hour = match["half"] or match["part"], _hour_number(match["last"])
    first, minutes = _hour_of_day(_hour_number(match["hour"]), part), int(match["last_minutes"] or 0)
    if first is None or not 1 <= hour <= 12 or _is_mere_list(match, asked):
        return
    last = hour % 12 + (12 if first >= 12 else 0)
    if last * 60 + minutes <= first * 60 + _minute_number(match):
        last = (last + 12) % 24
    if minutes < 60:
        yield Found(match.start("last"), match.end(), f"{last:02}:{minutes:02}")


def _is_mere_list(match: re.Match[str], asked: Asked) -> bool:
    """Two times with an "and" are a span only behind a "between"."""
    return match["joint"] == " and " and not comes_after(asked, match.start(), _BETWEEN)


def _o_clock(match: re.Match[str], asked: Asked) -> str | None:
    part = match["half"] or match["part"] or _part_around(match, asked)
    return _clock(_hour_of_day(_hour_number(match["hour"]), part), 0)


def _past_or_to(match: re.Match[str], asked: Asked) -> str | None:
    part = match["half"] or match["part"] or _part_around(match, asked)
    may_be_range = match["way"] == "to" and "quarter" not in match["by"] and not match["unit"]
    is_time = part or comes_after(asked, match.start(), _BEFORE_TIME)
    if may_be_range and (not is_time or comes_after(asked, match.start(), _FROM)):
        return None
    hour = _hour_of_day(_hour_number(match["hour"]), part)
    minutes = _MINUTE_NAMES.get(match["by"]) or int(match["by"])
    if hour is None or minutes > 59:
        return None
    total = hour * 60 + (minutes if match["way"] in ("past", "after") else -minutes)
    return _clock(total // 60 % 24, total % 60)


def _bare(match: re.Match[str], asked: Asked) -> str | None:
    """At 7 tonight; at seven thirty."""
    part, hour = _part_around(match, asked), _hour_number(match["hour"])
    # "A table for 7 tonight" speaks of people.
    if (not part and not match["spelt"]) or hour > 12 or (match["for"] and not match["spelt"]):
        return None
    return _clock(_hour_of_day(hour, part), _minute_number(match))


def _noon(match: re.Match[str], asked: Asked) -> str | None:
    if asked.question[match.start()].isupper():
        return None
    return "00:00" if match[0].endswith("midnight") else "12:00"


_LENGTHS = {"h": (60, "minutes"), "w": (7, "days"), "f": (14, "days"), "y": (12, "months")}
# Only in parts, as in a minute and a half: whole minutes and days are plain already.
_LENGTHS_OF_PARTS = {"m": (60, "seconds"), "d": (24, "hours")}
_BEFORE_LENGTH = re.compile(
    r"(?:^|[,;(:] ?|\b(?:in|for|about|around|over|than|within|after|before|is|takes?|took|lasts?|needs?|of|only|just"
    r"|book|rent|stay|and|or|by|plus|every|spend|spent|under|nearly|almost|exactly|like|wait|to|reserve|roughly) )$"
)
_RANGE_BEFORE = re.compile(r"(?:\d|\b(?:one|two|three|four|five|six)) ?(?:-|to|or) ?$")


def _length(match: re.Match[str], asked: Asked) -> str | None:
    said, unit = match["n"], match["unit"][0]
    is_alone = not (match["more"] or match["minutes"])
    if said in ("a", "an") and is_alone and not comes_after(asked, match.start(), _BEFORE_LENGTH):
        return None
    if comes_after(asked, match.start(), _RANGE_BEFORE):
        return None
    many = Decimal(1) if said in ("a", "an") else number(said)
    many += {"half": Decimal("0.5"), "quarter": Decimal("0.25")}.get(match["more"] or "", 0)
    return _measured(many, unit, number(match["minutes"]) if match["minutes"] and unit == "h" else Decimal(0))


def _measured(many: Decimal, unit: str, more: Decimal = Decimal(0)) -> str | None:
    if unit in _LENGTHS:
        factor, into = _LENGTHS[unit]
    elif unit in _LENGTHS_OF_PARTS and many != many.to_integral_value():
        factor, into = _LENGTHS_OF_PARTS[unit]
    else:
        return None
    return f"{plain(many * factor + more)} {into}"


def _part_length(match: re.Match[str], asked: Asked) -> str | None:
    part = {"half": "0.5", "quarter": "0.25", "three": "0.75"}
    first = re.sub(r"^an? (?=half|quarter)|^one ", "", match[0]).replace("-", " ").split()[0]
    return _measured(Decimal(part[first]), match["unit"][0])


def _hours_and_minutes(match: re.Match[str], asked: Asked) -> str | None:
    return _measured(Decimal(match[1]), "h", Decimal(match[2] or 0))


_ZH_PERIOD = "凌晨|清晨|早上|早晨|上午|中午|正午|下午|午后|傍晚|晚上|晚间|夜里|深夜|半夜"
_ZH_HOUR = "(?:[0-9]{1,2}|二十[一二三四]?|十[一二]?|[零一二三四五六七八九两])"
_ZH_ONES = "[一二三四五六七八九]"
_ZH_REST = f"半|一刻|三刻|整|钟|零{_ZH_ONES}分?|[二三四五]?十{_ZH_ONES}?分?|{_ZH_ONES}分|[0-9]{{2}}分?|[0-9]分"


def _zh_time(mark: str) -> str:
    """The groups of one time, their names ending in `mark`."""
    return (
        rf"(?:(?P<period{mark}>{_ZH_PERIOD})的?)?"
        rf"(?<![0-9零一二三四五六七八九十两.:第这那列有])(?P<hour{mark}>{_ZH_HOUR})"
        rf"(?:[点时](?:(?P<rest{mark}>{_ZH_REST})(?!钟)|(?![0-9零一二三四五六七八九几]))|:(?P<minutes{mark}>[0-5][0-9])(?![0-9:]))"
    )


_ZH_PERIOD_BEFORE = re.compile("[今明昨后天日号一二三四五六]([晚早])$")
_ZH_NO_TIME = re.compile("之间|差|建议|意见|要求|原因|内容|说明|理由|问题|注意|想法|好处|坏处|区别|不同|心得|体会")


def _zh_times(match: re.Match[str], asked: Asked) -> Iterator[Found]:
    text, start = asked.text, match.start()
    before = _ZH_PERIOD_BEFORE.search(text[max(0, start - 2) : start])
    period = match["period"] or (before[1] if before else "")
    hour = _zh_hour(match["hour"], period)
    is_bare = not (period or match["rest"] or match["until"])
    if hour is None or (match["minutes"] and not period):
        return
    if is_bare and (match["hour"] in ("一", "1") or _ZH_NO_TIME.match(text, match.end())):
        return
    end = match.start("until") if match["until"] else match.end()
    minutes = _zh_minutes(match["rest"], match["minutes"])
    yield Found(start, end, _clock(hour, minutes) or "")
    if match["until"] and (last := _zh_hour(match["hour2"], match["period2"] or period)) is not None:
        if not match["period2"] and period and last <= hour and last != 0:
            last = (last + 12) % 24
        last_minutes = _zh_minutes(match["rest2"], match["minutes2"])
        yield Found(match.start("until") + 1, match.end(), _clock(last, last_minutes) or "")


def _zh_hour(said: str, period: str) -> int | None:
    number_said = zh_number(said)
    hour = 24 if number_said is None else int(number_said)
    if hour > 24:
        return None
    if hour > 12 or not period:
        return hour % 24
    if period in ("凌晨", "清晨", "早上", "早晨", "上午", "早"):
        return hour % 12 if period == "凌晨" else hour
    if period in ("中午", "正午"):
        return hour + 12 if hour < 4 else hour
    if period in ("下午", "午后", "傍晚"):
        return hour % 12 + 12
    return hour + 12 if 5 <= hour < 12 else hour % 12


def _zh_minutes(rest: str | None, minutes: str | None) -> int:
    if minutes:
        return int(minutes)
    known = {"半": 30, "一刻": 15, "三刻": 45, "整": 0, "钟": 0, "": 0}
    said = rest or ""
    if said in known:
        return known[said]
    return int(zh_number(said.rstrip("分").lstrip("零")) or 0)


def _zh_quarter_to(match: re.Match[str], asked: Asked) -> str | None:
    hour = _zh_hour(match["hour"], match["period"] or "")
    by = 15 if match["by"] == "一刻" else zh_number(match["by"])
    if hour is None or by is None or not 0 < by < 60:
        return None
    total = (hour * 60 - int(by)) % (24 * 60)
    return _clock(total // 60, total % 60)


def _zh_hours(match: re.Match[str], asked: Asked) -> str | None:
    many = Decimal("0.5") if match["n"] == "半" else zh_number(match["n"])
    minutes = zh_number(match["minutes"]) if match["minutes"] else Decimal(0)
    if many is None or minutes is None:
        return None
    return _measured(many + (Decimal("0.5") if match["half"] or match["more"] else 0), "h", minutes)


_ZH_NOT_COUNTED = re.compile("[第每这那上下本几数去今明前后大多]$")


def _zh_length(match: re.Match[str], asked: Asked) -> str | None:
    if comes_after(asked, match.start(), _ZH_NOT_COUNTED):
        return None
    many = zh_number(match["n"])
    if many is None or (match["unit"] == "年" and many >= 100):
        return None
    unit = {"年": "y", "天": "d", "分": "m"}.get(match["unit"][0], "w")
    return _measured(many + (Decimal("0.5") if match["half"] else 0), unit)


_ZH_LENGTHS = {
    "一刻钟": "15 minutes",
    "三刻钟": "45 minutes",
    "半年": "6 months",
    "半个月": "15 days",
    "半分钟": "30 seconds",
}


def _zh_part_length(match: re.Match[str], asked: Asked) -> str | None:
    return None if comes_after(asked, match.start(), _ZH_NOT_COUNTED) else _ZH_LENGTHS[match[0]]


_UNTIL = r"(?P<joint> ?- ?| to | and | until | till )"
_UNIT = r"(?P<unit>hours?|hrs?|minutes?|mins?|days?|weeks?|wks?|fortnights?|years?|yrs?)\b"
_UNITS = "hour|hr|min|day|week|wk|fortnight|year|yr"
_NO_ZH_NUMBER = "(?![零一二三四五六七八九十两0-9])"
ENGLISH = (
    whole(rf"{_START}{_HOUR}{_MINUTES}{_PART}", _with_part, _PARTS),
    rule(
        rf"{_START}{_HOUR}{_MINUTES}{_UNTIL}"
        rf"(?P<last>\d{{1,2}}|(?:{_HOUR_NAMES})\b)(?:[:.](?P<last_minutes>\d\d))?{_PART}",
        _until_with_part,
        _PARTS,
    ),
    rule(
        rf"{_START}{_HOUR}{_MINUTES}{_PART}{_UNTIL}(?P<last>\d{{1,2}})(?::(?P<last_minutes>\d\d))?"
        r"(?=$|[.,;!?)](?!\d)| (?:on|tomorrow|today|tonight|please|in|and|with|next|this)\b)",
        _part_until,
        _PARTS,
    ),
    whole(rf"{_START}{_HOUR} ?o'? ?clock\b{_PART}?", _o_clock, "clock"),
    whole(
        rf"\b(?P<by>half|(?:a )?quarter|five|ten|twenty|twenty[ -]five|\d{{1,2}}(?= minutes))(?P<unit> minutes)? "
        rf"(?P<way>past|after|to|before) {_HOUR}(?![:.%,]\d)(?: o'?clock)?{_PART}?",
        _past_or_to,
        "past|after|to|before",
    ),
    whole(
        rf"(?:\b(?:at|by|around|until|till|before|after|from|(?P<for>for)) |(?<![\w.:])(?=\d{{1,2}}:))"
        rf"{_HOUR}{_MINUTES}(?![\w:%$-]|[.,]\d)",
        _bare,
    ),
    whole(r"\b(?:(?:12|twelve) )?(?:noon|midday|midnight)\b", _noon, "noon|mid"),
    whole(
        rf"(?<![\w.])(?=[a-z\d])(?P<n>{NUMBER}|an?)[ -]?{_UNIT}(?! old|-old)(?: and an? (?P<more>half|quarter)\b)?"
        rf"(?:,? (?:and )?(?P<minutes>{NUMBER})[ -]?(?:minutes?|mins?|m)\b)?",
        _length,
        _UNITS,
    ),
    whole(r"\b(?:a )?half(?: an?|-an|-a)?[ -](?P<unit>hour|year|day|minute|week)\b(?! old)", _part_length, "half"),
    whole(
        r"\b(?:(?:a |one )?quarter|three[ -]quarters)(?: of)?(?: an?)?[ -](?P<unit>hour|year)\b",
        _part_length,
        "quarter",
    ),
    whole(
        r"(?<![\w.])(?<!at )(\d{1,3}(?:\.\d)?) ?h(?:rs?)?(?: ?(\d\d)(?: ?m(?:in|ins)?)?)?\b", _hours_and_minutes, "h"
    ),
)
CHINESE = (
    rule(rf"{_zh_time('')}(?:(?P<until>[到至-]){_zh_time('2')})?", _zh_times, "点|时|:"),
    whole(
        rf"(?P<period>{_ZH_PERIOD})?差(?P<by>一刻|{ZH_NUMBER}(?=分))(?:分钟?)?(?P<hour>{_ZH_HOUR})点",
        _zh_quarter_to,
        "差",
    ),
    whole(f"正午{_NO_ZH_NUMBER}", lambda match, asked: "12:00"),
    whole(f"午夜{_NO_ZH_NUMBER}", lambda match, asked: "00:00"),
    whole(
        rf"(?P<n>{ZH_NUMBER}|半)个?(?P<half>半)?(?:小时|钟头)(?P<more>半)?(?:[零又]?(?P<minutes>{ZH_NUMBER})分钟?)?",
        _zh_hours,
        "小时|钟头",
    ),
    whole(
        rf"(?P<n>{ZH_NUMBER})(?P<unit>周|个?星期|个?礼拜)(?P<half>半)?(?![年末一二三四五六日天\d])",
        _zh_length,
        "周|星期|礼拜",
    ),
    whole(
        rf"(?P<n>{ZH_NUMBER})(?P<unit>年)(?P<half>半)?(?![级代前后以之底初终度份一二三四五六七八九十\d])",
        _zh_length,
        "年",
    ),
    whole(rf"(?P<n>{ZH_NUMBER})(?P<unit>天|分)(?P<half>半)钟?", _zh_length, "半"),
    whole("|".join(_ZH_LENGTHS), _zh_part_length, "半|刻钟"),
)
