"""Days that hang on others: the end of a month, a day of the month that was just named, a day that is past."""

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date

from .notes_days import ANY_MONTH, MONTH, MONTHS, next_with_number, shifted
from .notes_numbers import ZH_NUMBER, Asked, Found, comes_after, whole, zh_number

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_BARE_DAY = re.compile(r"the (\d{1,2})(?:st|nd|rd|th)|(\d{1,2}|[一二三四五六七八九十]{1,3})号", re.ASCII)
_FULL_DAY = re.compile(r"\d{4}-\d{2}-\d{2}|[a-z]{3}|\d{1,2}月|[一二三四五六七八九十]{1,2}月")
_SINCE = re.compile(r"\bsince (?:the |last )?$|自从?$")


def in_context(found: Sequence[Found], asked: Asked) -> list[Found]:
    """The places that were understood, where "back on the 23rd" follows 14 May, and "since Monday" is past."""
    settled: list[Found] = []
    before: date | None = None
    for one in found:
        day = _day(one.means)
        if day is not None:
            said = asked.text[one.start : one.end]
            bare = _BARE_DAY.fullmatch(said)
            if bare and before is not None:
                number = int(bare[1]) if bare[1] else int(zh_number(bare[2]) or 0)
                day = next_with_number(before, number) or day
            elif comes_after(asked, one.start, _SINCE) and day > asked.today:
                day = _past(day, said, is_bare=bare is not None)
            if not bare and _FULL_DAY.search(said) and day > asked.today:
                before = day
            one = one._replace(means=day.isoformat())
        settled.append(one)
    return settled


def _day(means: str) -> date | None:
    return date.fromisoformat(means) if _DAY.fullmatch(means) else None


def _past(day: date, said: str, *, is_bare: bool) -> date:
    """The last one: a month before for the 20th, a year for the 20th of March, a week for a Friday."""
    if is_bare:
        back = shifted(day, months=-1)
    elif re.search(r"\d|月", said) or any(word in MONTHS for word in re.findall("[a-z]+", said)):
        back = shifted(day, months=-12)
    else:
        back = shifted(day, days=-7)
    return back or day


def _end_of_month(match: re.Match[str], asked: Asked) -> str | None:
    month = MONTHS[match["month"]]
    year = int(match["year"]) if match["year"] else asked.today.year + (month < asked.today.month)
    return _last_of(year, month)


def _end_of_this_month(match: re.Match[str], asked: Asked) -> str | None:
    moved = shifted(asked.today.replace(day=1), months=1 if match[1] in ("next", "下个", "下") else 0)
    return _last_of(moved.year, moved.month) if moved else None


def _first_of_month(match: re.Match[str], asked: Asked) -> str | None:
    moved = shifted(asked.today.replace(day=1), months=1)
    return moved.isoformat() if moved else None


def _zh_end_of_month(match: re.Match[str], asked: Asked) -> str | None:
    month = int(zh_number(match[1]) or 0)
    return _last_of(asked.today.year + (month < asked.today.month), month) if 1 <= month <= 12 else None


def _zh_month_of_year(match: re.Match[str], asked: Asked) -> str | None:
    month = int(zh_number(match[2]) or 0)
    year = asked.today.year + {"去": -1, "今": 0, "明": 1}[match[1]]
    return f"{year}-{month:02}" if 1 <= month <= 12 else None


def _last_of(year: int, month: int) -> str:
    return date(year, month, monthrange(year, month)[1]).isoformat()


ENGLISH = (
    whole(rf"\b(?:the )?end of {MONTH}(?:,? (?P<year>20\d\d)\b)?", _end_of_month, ANY_MONTH),
    whole(r"\b(?:the )?end of (the|this|next) month\b", _end_of_this_month, "month"),
    whole(r"\b(?:the )?(?:first|1st) of next month\b", _first_of_month, "next month"),
)
CHINESE = (
    whole(rf"([去今明])年({ZH_NUMBER})月(?!底|份?[\d一二三四五六七八九十])", _zh_month_of_year, "年"),
    whole("(本|这个|这|下个|下)月底", _end_of_this_month, "月底"),
    whole(rf"({ZH_NUMBER})月底", _zh_end_of_month, "月底"),
)
