"""Match the wildcards of permission rules: `*` is any text, `?` one character, everything else stands for itself."""

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

Matcher = Callable[[str], object]


def matcher(pattern: str) -> Matcher:
    """Return a function that is true for the texts `pattern` covers, in time linear in the text.

    `*` crosses `/` and newlines. `git *` covers `git` alone too. A leading `~` or `$HOME` covers both that spelling,
    which a shell command may have, and the real path.
    """
    return _compile(spellings(pattern))


def covers(wide: str, narrow: str) -> bool:
    """True only if every text that `narrow` covers is covered by `wide`."""
    wides = spellings(wide)
    return all(any(_absorbs(one, other) for one in wides) for other in spellings(narrow))


def is_universal(pattern: str) -> bool:
    """True if `pattern` covers every text."""
    return bool(pattern) and not pattern.strip("*")


def exact(text: str) -> str:
    """Return a pattern for this very text, for an approval of just what was asked.

    There is no escape, so a `*` becomes `?`: approving `rm *` must not approve every `rm`.
    """
    return text.replace("*", "?")


def spellings(pattern: str) -> tuple[str, ...]:
    """The plain patterns that `pattern` stands for, without the special meanings of its two ends."""
    starts = (pattern, _at_home(pattern))
    return tuple(dict.fromkeys(form for start in starts for form in (start, start.removesuffix(" *"))))


def _at_home(pattern: str) -> str:
    for sign in ("~", "$HOME"):
        if pattern == sign or pattern.startswith(sign + "/"):
            return str(Path.home()) + pattern.removeprefix(sign)
    return pattern


@lru_cache(maxsize=4096)
def _compile(forms: tuple[str, ...]) -> Matcher:
    return re.compile(rf"(?:{'|'.join(map(_expression, forms))})\Z", re.DOTALL).match


def _expression(form: str) -> str:
    """One regular expression that never goes back over a `*` it has passed.

    The earliest place for each piece between two stars is always as good as a later one, so the search for it is
    atomic. Without that, `*a*a*a*b` takes time in a power of the text's length.
    """
    first, *rest = (_piece(piece) for piece in re.split(r"\*+", form))
    if not rest:
        return first
    *middle, last = rest
    return first + "".join(f"(?>.*?{piece})" for piece in middle) + f".*{last}"


def _piece(text: str) -> str:
    return re.escape(text).replace(r"\?", ".")


def _absorbs(wide: str, narrow: str) -> bool:
    """Match `narrow` as a text against `wide`, where only a `*` may absorb a `*`."""
    reached = _past_stars(wide, {0})
    for char in narrow:
        stepped = {
            at if wide[at] == "*" else at + 1
            for at in reached
            if at < len(wide) and (wide[at] == "*" or (char != "*" and wide[at] in ("?", char)))
        }
        reached = _past_stars(wide, stepped)
    return len(wide) in reached


def _past_stars(wide: str, places: set[int]) -> set[int]:
    """Add the places behind stars, since a star may absorb nothing."""
    found = set(places)
    for place in places:
        while place < len(wide) and wide[place] == "*":
            place += 1
            found.add(place)
    return found
