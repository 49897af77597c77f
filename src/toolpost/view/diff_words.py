"""Find the words that differ between two lines."""

import re
from bisect import bisect_left
from collections.abc import Sequence

# (start, end) in a line's text.
Span = tuple[int, int]

MAX_WORDS = 400
# Lines that have less in common than this are other lines: marks would cover nearly all of both.
MIN_LIKENESS = 0.4
# Each Chinese or Japanese character is a word of its own.
_WORD = re.compile(r"[\u2e80-\u9fff\uf900-\ufaff]|\s+|[^\W\u2e80-\u9fff\uf900-\ufaff]+|[^\w\s]")

Spans = tuple[Span, ...]


def changed_spans(before: str, after: str) -> tuple[Spans, Spans]:
    """What differs, in each of the two; nothing where they are not alike, or too long to compare."""
    old, new = _WORD.findall(before), _WORD.findall(after)
    head, tail = _equal_ends(old, new)
    olds, news = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(olds), len(news)) > MAX_WORDS:
        return (), ()
    removed, added, kept = _compared(olds, news)
    same = sum(map(len, old[:head])) + sum(map(len, old[len(old) - tail :])) + kept
    if 2 * same < MIN_LIKENESS * (len(before) + len(after)):
        return (), ()
    return _spans(old, removed, head), _spans(new, added, head)


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return head, tail


def _compared(old: Sequence[str], new: Sequence[str]) -> tuple[list[Span], list[Span], int]:
    """The stretches of words that differ, and how many characters do not."""
    if not old or not new:
        return ([(0, len(old))] if old else []), ([(0, len(new))] if new else []), 0
    # Imported here: it takes longer to load than the rest.
    from difflib import SequenceMatcher

    removed, added, kept = list[Span](), list[Span](), 0
    for tag, i, k, j, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            kept += sum(map(len, old[i:k]))
            continue
        if i < k:
            removed.append((i, k))
        if j < m:
            added.append((j, m))
    return removed, added, kept


def _spans(words: Sequence[str], stretches: Sequence[Span], head: int) -> Spans:
    """Stretches of words as stretches of characters; those with nothing but blanks between them are one."""
    starts = [0]
    for word in words:
        starts.append(starts[-1] + len(word))
    found: list[Span] = []
    for start, end in stretches:
        first, last = head + start, head + end
        between = words[bisect_left(starts, found[-1][1]) : first] if found else ["x"]
        if found and all(word.isspace() for word in between):
            found[-1] = (found[-1][0], starts[last])
        else:
            found.append((starts[first], starts[last]))
    return tuple(found)
