"""Fingerprint what another server says about its tool, so that an approval holds only for what was approved."""

import hashlib
from typing import Any

import msgspec
from msgspec import Struct

from toolpost.types.text import counted

MAX_TEXT = 20_000
SHOWN_LINES = 40
SHOWN_WIDTH = 300
CUT = "… the rest is too long to be kept"


class Fingerprint(Struct, frozen=True):
    """`digest` stands for all that the tool says of itself; `text` is that, as far as it is kept to be compared."""

    digest: str
    text: str = ""


def fingerprint_of(description: str, facts: dict[str, Any]) -> Fingerprint:
    """Fingerprint a description and the other facts: the schema, and hints such as that it only reads."""
    told = msgspec.json.encode(facts, order="sorted")
    lines = [*description.splitlines(), *msgspec.json.format(told, indent=2).decode().splitlines()]
    whole = "\n".join(lines)
    kept = whole if len(whole) <= MAX_TEXT else f"{whole[:MAX_TEXT]}\n{CUT}"
    return Fingerprint(hashlib.sha256(f"{description}\0".encode(errors="replace") + told).hexdigest(), kept)


def difference(old: str, new: str) -> str:
    """A short diff between two texts of a tool."""
    # Imported here because only a change needs it.
    from difflib import unified_diff

    found = [line for line in unified_diff(_lines(old), _lines(new), lineterm="", n=1) if not line.startswith("@@")]
    changed = found[2:]  # without the names of two files
    if not changed:
        return "what changed is in a part that is too long to be shown"
    more = [f" … and {counted(len(changed) - SHOWN_LINES, 'more line')}"] if len(changed) > SHOWN_LINES else []
    return "\n".join([*changed[:SHOWN_LINES], *more])


def _lines(text: str) -> list[str]:
    return [line if len(line) <= SHOWN_WIDTH else f"{line[:SHOWN_WIDTH]}…" for line in text.splitlines()]
