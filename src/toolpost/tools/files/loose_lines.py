"""Find lines that a model did not copy exactly, and indent their replacement to match."""

from collections.abc import Callable, Iterator, Mapping, Sequence

Key = Callable[[str], str]

# What keyboards and chat windows make of quotes, dashes and spaces; each stands for one character.
_PUNCTUATION = str.maketrans(
    dict.fromkeys("\u2018\u2019\u201a\u201b", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f", '"')
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
    | dict.fromkeys("\u00a0\u2002\u2003\u2007\u2009\u200a\u202f\u3000", " ")
)


def plain_punctuation(text: str) -> str:
    """`text` with typewriter quotes, dashes and spaces; as long as before."""
    return text if text.isascii() else text.translate(_PUNCTUATION)


def windows(lines: Sequence[str], wanted: Sequence[str], start: int = 0) -> Iterator[int]:
    """The positions of all of `wanted` in `lines`, from `start` on."""
    if not wanted:
        return
    # The longest line is the rarest: looking for that one first spares most comparisons.
    pivot = max(range(len(wanted)), key=lambda at: len(wanted[at]))
    at = start + pivot
    while True:
        try:
            at = lines.index(wanted[pivot], at)
        except ValueError:
            return
        first = at - pivot
        if list(lines[first : first + len(wanted)]) == list(wanted):
            yield first
        at += 1


def indentations(given: Sequence[str], actual: Sequence[str]) -> dict[str, str] | None:
    """Map the given indentation to the actual one, line by line; None where one would have to map to two."""
    known: dict[str, str] = {}
    for one, other in zip(given, actual, strict=False):
        if one.strip() and known.setdefault(indent(one), indent(other)) != indent(other):
            return None
    return known


def reindent(text: str, known: Mapping[str, str]) -> str:
    """`text` with its lines indented as `known` says; what it does not say follows from the nearest that it does."""
    if all(own == other for own, other in known.items()):
        return text
    return "\n".join(_reindented(line, known) if line.strip() else line for line in text.split("\n"))


def indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t"))]


def _reindented(line: str, known: Mapping[str, str]) -> str:
    own = indent(line)
    return _translated(own, known) + line[len(own) :]


def _translated(own: str, known: Mapping[str, str]) -> str:
    if own in known:
        return known[own]
    outer = [one for one in sorted(known, key=len) if own.startswith(one)]
    if outer:
        return known[outer[-1]] + _deeper(own[len(outer[-1]) :], outer, known)
    inner = min((one for one in known if one.startswith(own)), key=len, default=own)
    rest = inner[len(own) :]
    return known[inner].removesuffix(rest) if rest and known[inner].endswith(rest) else own


def _deeper(more: str, outer: Sequence[str], known: Mapping[str, str]) -> str:
    """What `more` indentation is, by the last step that is known: four spaces may be a tab."""
    last = outer[-1]
    # Where the one has tabs and the other spaces, a line without either is the same in both.
    base, base_known = (outer[-2], known[outer[-2]]) if len(outer) > 1 else ("", "")
    if len(outer) == 1 and not set(last).isdisjoint(known[last]):
        return more
    step, step_known = last[len(base) :], known[last].removeprefix(base_known)
    return step_known * (len(more) // len(step)) if step and more == step * (len(more) // len(step)) else more
