"""The stretch of a file that is most like a text that is not in it: what the model probably meant."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from .loose_lines import windows

if TYPE_CHECKING:
    from difflib import SequenceMatcher

MOST_CANDIDATES = 100
MOST_COMPARED_LINES = 5_000
MOST_SHOWN_LINES = 20
MOST_COMPARED_CHARS = 1_000
MOST_COMPARED = 5
SHORTEST_CLUE = 4
LEAST_LIKENESS = 0.5


def nearest(lines: Sequence[str], wanted: str) -> str:
    """A hint: the most similar lines with their numbers, or what else to do."""
    old = [line.strip() for line in wanted.strip("\n").split("\n")]
    stripped = [line.strip() for line in lines]
    matchers = {first: _matcher(stripped[first : first + len(old)], old) for first in _starts(stripped, old)}
    # The true likeness takes long to find out, so only the best by a rough one are held against each other.
    best = sorted(matchers, key=lambda first: -matchers[first].quick_ratio())[:MOST_COMPARED]
    score, first = max(((matchers[first].ratio(), -first) for first in best), default=(0.0, 0))
    if score < LEAST_LIKENESS:
        return "Nothing in the file is like it: read the file again, or look for it in another one."
    first = -first
    shown = lines[first : first + min(len(old), MOST_SHOWN_LINES)]
    body = "\n".join(f"{first + at:>6}\t{line.rstrip()[:300]}" for at, line in enumerate(shown, 1))
    return f"The nearest is at line {first + 1}; copy the old text from there:\n{body}"


def _starts(lines: Sequence[str], old: Sequence[str]) -> list[int]:
    """Where a stretch could begin: wherever one of the old lines stands, longest first, or one much like it."""
    found: dict[int, None] = {}
    clues = sorted(((line, at) for at, line in enumerate(old) if len(line) >= SHORTEST_CLUE), key=lambda c: -len(c[0]))
    for line, at in clues[:5]:
        for place in windows(lines, [line]):
            found[max(0, place - at)] = None
            if len(found) >= MOST_CANDIDATES:
                return list(found)
    if found or not clues:
        return list(found)
    line, at = clues[0]
    return [max(0, place - at) for place in _similar(lines[:MOST_COMPARED_LINES], line)]


def _similar(lines: Sequence[str], line: str) -> list[int]:
    matcher = _matcher((), [line])
    found: list[int] = []
    for place, other in enumerate(lines):
        matcher.set_seq1(other[:MOST_COMPARED_CHARS])
        if matcher.real_quick_ratio() >= LEAST_LIKENESS and matcher.quick_ratio() >= LEAST_LIKENESS:
            found.append(place)
    return found[:MOST_CANDIDATES]


def _matcher(window: Sequence[str], old: Sequence[str]) -> "SequenceMatcher[str]":
    from difflib import SequenceMatcher  # takes longer to import than all the rest here

    one, other = ("\n".join(lines)[:MOST_COMPARED_CHARS] for lines in (window, old))
    return SequenceMatcher(None, one, other, autojunk=False)
