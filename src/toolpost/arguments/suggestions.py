"""Suggest the known name that a wrong one probably stands for."""

from collections.abc import Iterable

from .tool_names import near


def did_you_mean(name: str, known: Iterable[str], otherwise: str, most: int = 3) -> str:
    """Suggest names of tools, commands and arguments that are like `name`; if there is none, return `otherwise`."""
    likely = near(name, known, most)
    return f"did you mean {' or '.join(likely)}?" if likely else otherwise


def closest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known word that is spelled most like `word`, if one is similar enough."""
    # Imported here because only a mistake needs it.
    from difflib import get_close_matches

    alike = get_close_matches(word, list(known), n=5, cutoff=cutoff)
    # Two letters the wrong way round are the likeliest slip.
    swapped = [other for other in alike if sorted(other) == sorted(word)]
    return next(iter([*swapped, *alike]), None)
