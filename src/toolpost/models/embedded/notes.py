"""What a question says in words, written in plain figures: a small model copies those and gets words wrong.

Only what is certain is noted. Numbers, days and times are read by the modules beside this one.
"""

import re
from collections.abc import Iterable
from datetime import date
from typing import NamedTuple

from . import notes_clock, notes_days, notes_numbers, notes_periods
from .notes_numbers import Asked, Found, Rule

MOST_CHARS = 2_000
MOST_NOTES = 12


class Note(NamedTuple):
    """`said` as it stands in the question, `means` its plain form."""

    said: str
    means: str


def notes(question: str, today: date) -> list[Note]:
    """What `question`, asked on `today`, says in another than its plain form, in the order of its places."""
    asked = Asked(set_aside(question[:MOST_CHARS].translate(_PLAIN_CHARS)), question, today)
    found = [one for rule in _rules_for(asked.text) for match in rule.matches(asked) for one in rule.read(match, asked)]
    noted = dict.fromkeys(
        Note(question[start:end], means)
        for start, end, means in notes_periods.in_context(_longest(found), asked)
        # What touches the cut may go on behind it.
        if means and means != question[start:end] and not end == MOST_CHARS < len(question)
    )
    return list(noted)[:MOST_NOTES]


def written(notes: Iterable[Note]) -> str:
    """The notes on one line, as they stand behind a question."""
    return "; ".join(f"{note.said} = {note.means}" for note in notes)


# Of two readings of one place the first wins: a nine that is a time is no mere number.
_ENGLISH: tuple[Rule, ...] = notes_clock.ENGLISH + notes_periods.ENGLISH + notes_days.ENGLISH + notes_numbers.ENGLISH
_CHINESE: tuple[Rule, ...] = notes_clock.CHINESE + notes_periods.CHINESE + notes_days.CHINESE + notes_numbers.CHINESE
_HAS_ENGLISH, _HAS_CHINESE = re.compile(r"[a-z0-9½¼¾]"), re.compile("[一-龥]")

# Lower case and plain digits without moving any character, which str.lower can't promise.
_PLAIN_CHARS = (
    {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}
    | {ord("０") + digit: ord("0") + digit for digit in range(10)}
    | {code: ord("x") for code in (*range(0xC0, 0x250), *range(0x370, 0x530))}
    | {ord(sign): ord(plain) for sign, plain in zip("％：’‘×÷–—～\t\u00a0", "%:''**---  ", strict=True)}
)
_SET_ASIDE = "\0"
_CURRENCY_CODE = re.compile(r"\b(?:usd|eur|gbp|rmb|cny|jpy|inr|rs|us|hk|nt|au|ca)(?=[$]?\d)", re.ASCII)
_QUOTED = r'"[^"]*+"|“[^“”]*+”|「[^「」]*+」|『[^『』]*+』|《[^《》]*+》|`[^`]*+`'
_ADDRESS = r"(?:\bhttps?://|\bwww\.|(?<!\S)(?:[~.]{0,2}/|[a-z]:\\))[!-~]++|(?<![\w.+-])[\w.+-]++@[\w.-]++"
_PHONE = r"\+\d[\d ()-]{5,18}\d|(?<![\w-])\d{3,4}-\d{3,4}(?:-\d{3,4})?(?![\w-])"
_OPERAND = r"\({0,4}-?\d[\d,.]{0,20}+%?\){0,4}"
_SUM = rf"(?<![\w.]){_OPERAND}(?: ?[-+*/^=x] ?{_OPERAND}){{1,40}}+"
# Most words have nothing in them that could make them a name or a code, and are passed over at once.
_NAME = r"(?<![\w./~\\-])(?=[a-z]*+[\d./~\\_-])[\w./~\\-]++"
_ALONE = re.compile(
    rf"""(?=["“「『《`+(~./\\\w-])(?:{_QUOTED}|{_ADDRESS}|{_PHONE}|(?P<sum>{_SUM})|(?P<name>{_NAME}))""", re.ASCII
)
_IS_SUM = re.compile(r"[*+^=x]| / |\) ?[-/]|[-/] ?\(|^[^/]* - [^/]*$")
_GOES_ON = re.compile(r" ?[a-z:%]")
_IS_CODE = re.compile(
    r"^[a-z]+-?\d|[a-z]_|_[a-z]|\\|^[a-z][\w-]*/[\w.-]+/|[\w-]\.(?:txt|pdf|docx?|xlsx?|pptx?|csv|tsv|json|ya?ml|toml|md|py"
    r"|[jt]sx?|html?|css|png|jpe?g|gif|svg|webp|heic|mp[34]|mov|wav|zip|gz|tar|log|ini|cfg|conf|env|sh|sql|xml|db|exe|com"
    r"|org|net|io|ai|cn|de|uk|edu|gov|java|cpp|rs|go|rb|ipynb|parquet|epub|bak|lock)\b",
    re.ASCII,
)


def set_aside(text: str) -> str:
    """The text with everything covered that is a value as it stands: quotes, addresses, paths, sums, codes."""
    text = _CURRENCY_CODE.sub(lambda match: " " * len(match[0]), text)
    return _ALONE.sub(_cover, text)


def _cover(match: re.Match[str]) -> str:
    said = match[0]
    if match.lastgroup == "name" and not _IS_CODE.search(said):
        return said
    if match.lastgroup == "sum":
        is_sum = _IS_SUM.search(said)
        if not is_sum or (is_sum[0] == said and _GOES_ON.match(match.string, match.end())):
            return said
    return _SET_ASIDE * len(said)


def _rules_for(text: str) -> list[Rule]:
    english = _ENGLISH if _HAS_ENGLISH.search(text) else ()
    chinese = _CHINESE if _HAS_CHINESE.search(text) else ()
    return [rule for rule in english + chinese if any(word in text for word in rule.needs)]


def _longest(found: list[Found]) -> list[Found]:
    """Those that no longer one covers in part, in order."""
    taken = bytearray(MOST_CHARS)
    chosen: list[Found] = []
    for one in sorted(found, key=lambda one: one.start - one.end):
        if taken.find(1, one.start, one.end) < 0:
            taken[one.start : one.end] = b"\1" * (one.end - one.start)
            chosen.append(one)
    return sorted(chosen)
