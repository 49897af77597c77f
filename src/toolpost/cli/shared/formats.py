"""Format numbers, times, sizes, paths and ids for a person."""

import re
import time
from pathlib import Path

SHORT_ID = 16
_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400


def short_id(full: str) -> str:
    """What is shown of an id, without its kind; it can be typed in place of the whole. Its beginning is a time."""
    return full.partition("_")[2][:SHORT_ID] or full


def ago(moment: float, now: float | None = None) -> str:
    """`3 min ago`, and a date once that is more than a week back."""
    past = (time.time() if now is None else now) - moment
    if past < _MINUTE:
        return "just now"
    if past < _HOUR:
        return f"{past // _MINUTE:.0f} min ago"
    if past < _DAY:
        return f"{past // _HOUR:.0f} h ago"
    if past < 7 * _DAY:
        return f"{past // _DAY:.0f} d ago"
    return time.strftime("%Y-%m-%d", time.localtime(moment))


def moment(seconds: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(seconds)) if seconds else ""


def dollars(cost: float | None) -> str:
    """A price that is not known is a question mark, never 0."""
    if cost is None:
        return "?"
    return f"${cost:.2f}" if cost >= 1 or cost == 0 else f"${cost:.4f}"


def size(number: int) -> str:
    """`512 B`, `3.4 KB`, `1.2 MB`."""
    if number < 1_000:
        return f"{number} B"
    for unit, power in (("KB", 1e3), ("MB", 1e6)):
        if number < 999.95 * power:
            return f"{number / power:.1f} {unit}"
    return f"{number / 1e9:.1f} GB"


def lasted(seconds: float) -> str:
    """`3 ms`, `1.24 s`, `2 min 5 s`."""
    if seconds < 0.9995:
        return f"{seconds * 1000:.0f} ms"
    if seconds < 2 * _MINUTE:
        return f"{seconds:.2f} s"
    return f"{seconds // _MINUTE:.0f} min {seconds % _MINUTE:.0f} s"


def first_sentence(text: str) -> str:
    """Up to the first full stop, however the lines were broken."""
    paragraph = " ".join(text.strip().partition("\n\n")[0].split())
    return re.split(r"(?<=[.!?]) |(?<=[。！？])", paragraph, maxsplit=1)[0]


def at_home(path: str | Path) -> str:
    """A path as people write it, with `~` for their home."""
    given, home = Path(path), Path.home()
    return str(Path("~") / given.relative_to(home)) if given.is_relative_to(home) else str(given)
