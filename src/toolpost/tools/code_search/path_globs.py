"""Match paths of files with globs as shells and `.gitignore` write them: `*`, `?`, `[…]`, `{a,b}` and `**`.

Matching goes part by part, so no pattern, however odd, takes more than the product of its length and the path's.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise

from toolpost.types.errors import ToolError

MAX_LENGTH = 1_000
MAX_ALTERNATIVES = 200
DEEP = "**"
_WILD = re.compile(r"[*?\[{\\]")


class Glob:
    """A pattern of paths, relative and with `/`. Without a `/` in it, it is matched with names, at any depth.

    `hidden`: the pattern itself names something hidden. `names`: globs of which a matching file's name fits one, or
    nothing where any name may do.
    """

    def __init__(self, pattern: str) -> None:
        if not pattern.strip():
            raise ToolError("The pattern is empty; give one such as **/*.py.", kind="invalid")
        if len(pattern) > MAX_LENGTH:
            raise ToolError(f"The pattern has {len(pattern):,} characters; {MAX_LENGTH:,} is the most.", kind="invalid")
        self._forms = [_parts(form) for form in _alternatives(pattern)]
        self.hidden = any(part.startswith((".", r"\.")) for form in self._forms for part in form)
        lasts = {form[-1] for form in self._forms}
        self.names = () if lasts & {DEEP, "*"} else tuple(sorted(lasts))
        # Most patterns are about the name alone, and a project has many files.
        self._by_name = [_matcher(form[1]).match for form in self._forms if len(form) == 2 and form[0] == DEEP]
        self._everything = (DEEP,) in self._forms or (DEEP, DEEP) in self._forms

    def matches(self, path: str) -> bool:
        if self._everything:
            return True
        if len(self._by_name) == len(self._forms):
            name = path[path.rfind("/") + 1 :]
            return any(match(name) for match in self._by_name)
        parts = path.split("/")
        return any(fits(form, parts) for form in self._forms)


def is_wild(pattern: str) -> bool:
    """True if there is a wildcard in it."""
    return _WILD.search(pattern) is not None


def split_start(pattern: str) -> tuple[str, str]:
    """The folder that a pattern begins with, up to the first wildcard, and the rest: `src/a/*.py` is in `src/a`."""
    parts = pattern.split("/")
    plain = 0
    while plain < len(parts) - 1 and not _WILD.search(parts[plain]):
        plain += 1
    if not plain:
        return "", pattern
    return "/".join(parts[:plain]) or "/", "/".join(parts[plain:]) or DEEP


def fits(form: tuple[str, ...], parts: Sequence[str]) -> bool:
    """True if a path is of this form, part by part. Every way in which the form can be read is followed at once."""
    reached = _past_deep(form, {0})
    for part in parts:
        stepped: set[int] = set()
        for at in reached:
            if at < len(form):
                if form[at] == DEEP:
                    stepped.add(at)
                elif _matcher(form[at]).match(part):
                    stepped.add(at + 1)
        reached = _past_deep(form, stepped)
        if not reached:
            return False
    return len(form) in reached


def require_parts(parts: Sequence[str]) -> None:
    """Raise a `ToolError` for parts that are not valid patterns."""
    for part in parts:
        _matcher(part)


def _alternatives(pattern: str) -> list[str]:
    """The patterns without braces that one with braces stands for."""
    done: list[str] = []
    waiting = [pattern]
    while waiting:
        form = waiting.pop()
        braces = _first_braces(form)
        if braces is None:
            done.append(form)
        else:
            start, end, options = braces
            waiting += [form[:start] + option + form[end:] for option in reversed(options)]
        if len(done) + len(waiting) > MAX_ALTERNATIVES:
            raise ToolError(
                f"{pattern} stands for more than {MAX_ALTERNATIVES} patterns; use fewer braces.", kind="invalid"
            )
    return done


def _first_braces(form: str) -> tuple[int, int, list[str]] | None:
    start, depth = -1, 0
    cuts: list[int] = []
    for at, token in _tokens(form):
        if token == "{":
            depth += 1
            if depth == 1:
                start, cuts = at, [at]
        elif token == "," and depth == 1:
            cuts.append(at)
        elif token == "}" and depth:
            depth -= 1
            if not depth:
                cuts.append(at)
                options = [form[a + 1 : b] for a, b in pairwise(cuts)]
                return start, at + 1, options
    if depth:
        raise ToolError(f"{form} is not a pattern: a {{ is not closed. Write \\{{ for the character.", kind="invalid")
    return None


def _tokens(form: str) -> Iterator[tuple[int, str]]:
    """The characters with their places; an escaped one and a class in brackets are one token each."""
    at = 0
    while at < len(form):
        end = at + 1
        if form[at] == "\\":
            end = at + 2
            if end > len(form):
                raise ToolError(f"{form} is not a pattern: it ends with a backslash.", kind="invalid")
        elif form[at] == "[":
            # A bracket right at the beginning of a class is a member of it.
            first = at + 2 if form[at + 1 : at + 2] in ("!", "^") else at + 1
            end = form.find("]", first + 1) + 1
            if not end:
                raise ToolError(
                    f"{form} is not a pattern: a [ is not closed. Write \\[ for the character.", kind="invalid"
                )
        yield at, form[at:end]
        at = end


def _parts(form: str) -> tuple[str, ...]:
    wanted = form.removeprefix("./")
    if wanted.endswith("/"):
        wanted += DEEP
    parts = [part for part in wanted.split("/") if part and part != "."]
    if ".." in parts:
        raise ToolError(f"{form}: a pattern can't have .. behind a wildcard. Give the folder as path.", kind="invalid")
    if "/" not in form:
        parts.insert(0, DEEP)
    require_parts(parts)
    return tuple(parts) or (DEEP,)


def _past_deep(form: tuple[str, ...], places: set[int]) -> set[int]:
    """`**` may stand for nothing, so what is behind it is reached with it."""
    found = set(places)
    for place in places:
        while place < len(form) and form[place] == DEEP:
            place += 1
            found.add(place)
    return found


@lru_cache(maxsize=1024)
def _matcher(part: str) -> re.Pattern[str]:
    """A regular expression for one part of a path that never goes back over a star, so it is quick whatever comes."""
    pieces = [""]
    for _, token in _tokens(part):
        if token == "*":
            pieces.append("")
        else:
            pieces[-1] += _expression(token)
    first, *rest = pieces
    if rest:
        first += "".join(f"(?>.*?{piece})" for piece in rest[:-1] if piece) + f".*{rest[-1]}"
    try:
        return re.compile(rf"{first}\Z", re.DOTALL)
    except re.error as error:
        raise ToolError(f"{part} is not a pattern: {error}.", kind="invalid") from None


def _expression(token: str) -> str:
    if token == "?":
        return "."
    if token.startswith("\\"):
        return re.escape(token[1:])
    if token.startswith("[") and len(token) > 1:
        negated = token[1] in "!^"
        members = _MEANS_MORE.sub(r"\\\g<0>", token[2 if negated else 1 : -1])
        return f"[{'^' if negated else ''}{members}]"
    return re.escape(token)


# What a class of regular expressions reads otherwise than one of a glob.
_MEANS_MORE = re.compile(r"[\\\[\]^&~|]|-(?=-)")
