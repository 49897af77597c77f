"""Repair tool names: from what a model called to the offered tool that it plainly meant."""

import re
from collections.abc import Collection, Iterable, Sequence

WRAPPERS = ("functions", "function", "tools", "tool", "default_api", "api")
SHORTEST_MENDED = 5
MARGIN = 2


def repair(name: str, offered: Collection[str]) -> str | None:
    """Return the offered name that `name` stands for, or None where there is none or more than one.

    In this order: the name itself; another case, other separators or a wrapper such as `functions.`; a slip of one or
    two letters in a longer word, if no other tool is nearly as close.
    """
    if name in offered:
        return name
    names = list(dict.fromkeys(offered))
    for spelled in dict.fromkeys((name, _unwrapped(name))):
        if spelled in names:
            return spelled
        key = _key(spelled)
        same = [known for known in names if key and _key(known) == key]
        if same:
            return same[0] if len(same) == 1 else None
    return _nearest(_unwrapped(name), names)


def near(name: str, offered: Iterable[str], most: int = 3) -> list[str]:
    """Offered names that look like `name`, the closest first: a hint, never run by itself."""
    key = _key(_unwrapped(name))
    words = set(_words(name))
    scored: list[tuple[int, str]] = []
    for known in offered:
        apart = distance(key, _key(known), max(3, len(key) // 2))
        if apart is None and words & set(_words(known)):
            apart = max(3, len(key) // 2) + 1
        if apart is not None:
            scored.append((apart, known))
    return [known for _, known in sorted(scored)[:most]]


def distance(left: str, right: str, most: int) -> int | None:
    """Edits (insert, delete, replace, swap neighbours) from one to the other, or None if more than `most`."""
    if abs(len(left) - len(right)) > most:
        return None
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, char in enumerate(left, 1):
        older, before, row = before, row, [i]
        for j, other in enumerate(right, 1):
            edits = min(before[j] + 1, row[j - 1] + 1, before[j - 1] + (char != other))
            if i > 1 and j > 1 and char == right[j - 2] and left[i - 2] == other:
                edits = min(edits, older[j - 2] + 1)
            row.append(edits)
        if min(row) > most:
            return None
    return row[-1] if row[-1] <= most else None


def _unwrapped(name: str) -> str:
    """Without what a wire or a template puts around a name: `functions.get_weather:0`, `get_weather()`."""
    return _AROUND.sub(r"\1", name.strip())


def _key(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalnum())


def _words(name: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(name)]


def _nearest(name: str, names: Sequence[str]) -> str | None:
    scored = sorted((apart, known) for known in names if (apart := _slips(name, known)) is not None)
    if not scored:
        return None
    best, chosen = scored[0]
    # A second tool nearly as close may be the one that was meant, and running the wrong one is worse than asking.
    key = _key(name)
    rivals = [known for known in names if known != chosen and distance(key, _key(known), best + MARGIN - 1) is not None]
    return None if rivals else chosen


def _slips(name: str, known: str) -> int | None:
    """How many letters `name` is from `known`, if that can be a slip.

    Short words must be right, and first letters and digits too: `set_config` is not a slip for `get_config`, nor
    `unlock` for `lock`, nor `step_1` for `step_2`.
    """
    said, meant = _words(name), _words(known)
    if len(said) != len(meant):
        said, meant = ["".join(said)], ["".join(meant)]
    total = 0
    for one, other in zip(said, meant, strict=True):
        apart = 0 if one == other else _slip_in_word(one, other)
        if apart is None:
            return None
        total += apart
    return total if total <= 2 else None


def _slip_in_word(one: str, other: str) -> int | None:
    if min(len(one), len(other)) >= 3 and f"{one}s" in (other, f"{other}ss"):
        return 1
    if min(len(one), len(other)) < SHORTEST_MENDED or one[0] != other[0]:
        return None
    if re.sub(r"\D", "", one) != re.sub(r"\D", "", other):
        return None
    return distance(one, other, 1 if len(other) < 8 else 2)


_AROUND = re.compile(
    rf"^(?:(?:{'|'.join(WRAPPERS)})\s*[.:/]+)?\s*(.*?)\s*(?::\d+|\(\s*\))?$", re.IGNORECASE | re.DOTALL
)
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+|[^\W\da-zA-Z_]+")
