"""Make a short unified diff of two texts, with counts of added and removed lines."""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import Struct

from toolpost.types.text import counted

CONTEXT_LINES = 3
MAX_COMPARED_LINES = 2_000
MAX_SHOWN_LINES = 60
MAX_LINE_CHARS = 200
UNENDED = "\n\\ No newline at end of file"


class Diff(Struct, frozen=True):
    """`text` is in the unified form, without file names; `whole` says whether nothing was left out of it."""

    text: str
    added: int
    removed: int
    whole: bool = True

    @property
    def stat(self) -> str:
        return f"+{self.added} -{self.removed}"


def compare(before: str, after: str, shown_lines: int = MAX_SHOWN_LINES) -> Diff:
    """The difference of two texts. Over `shown_lines` only the first are in its text."""
    from difflib import SequenceMatcher  # takes longer to import than all the rest here

    old, new = _lines(before), _lines(after)
    head, tail = _equal_ends(old, new)
    old, new = old[head : len(old) - tail], new[head : len(new) - tail]
    if max(len(old), len(new)) > MAX_COMPARED_LINES:
        gone, come = Counter(old), Counter(new)
        return Diff("", (come - gone).total(), (gone - come).total(), whole=False)
    groups = SequenceMatcher(None, old, new).get_grouped_opcodes(CONTEXT_LINES)
    lines = [line for group in groups for line in _hunk(group, old, new, head)]
    added = sum(line.startswith("+") for line in lines)
    removed = sum(line.startswith("-") for line in lines)
    if len(lines) > shown_lines:
        kept = [*lines[:shown_lines], f"… {counted(len(lines) - shown_lines, 'more line')} of this diff"]
        return Diff("\n".join(kept), added, removed, whole=False)
    return Diff("\n".join(lines), added, removed)


def _lines(text: str) -> list[str]:
    lines = text.split("\n")
    last = lines.pop()
    return [*lines, f"{last}{UNENDED}"] if last else lines


def _equal_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many lines at the beginning and at the end are equal, without those shown as context."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    return max(0, head - CONTEXT_LINES), max(0, tail - CONTEXT_LINES)


def _hunk(group: Sequence[tuple[str, int, int, int, int]], old: list[str], new: list[str], head: int) -> Iterator[str]:
    _, start, _, new_start, _ = group[0]
    _, _, stop, _, new_stop = group[-1]
    yield f"@@ -{head + start + 1},{stop - start} +{head + new_start + 1},{new_stop - new_start} @@"
    for tag, i, j, k, m in group:
        if tag == "equal":
            yield from (_shown(" ", line) for line in old[i:j])
            continue
        yield from (_shown("-", line) for line in old[i:j])
        yield from (_shown("+", line) for line in new[k:m])


def _shown(sign: str, line: str) -> str:
    plain = line.removesuffix("\r")
    if len(plain) > MAX_LINE_CHARS:
        plain = f"{plain[:MAX_LINE_CHARS]}… ({counted(len(plain) - MAX_LINE_CHARS, 'more character')})"
    return sign + plain
