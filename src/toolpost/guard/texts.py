"""One text or several: what is given where patterns or names are expected, as a tuple of texts."""

from collections.abc import Iterable, Mapping
from itertools import islice
from typing import cast

from toolpost.arguments.sdk_arguments import shown
from toolpost.types.errors import ConfigError, ToolpostError

# One call is about far fewer; a generator without an end has to end somewhere.
MOST_TEXTS = 10_000


def texts(given: object, what: str, failure: type[ToolpostError] = ConfigError) -> tuple[str, ...]:
    """A text is one of them, never its letters; anything that can be gone through gives several.

    Raises `failure`, with `what` in front, for what is neither: a pattern that nobody can read could be denied.
    """
    if isinstance(given, str):
        return (given,)
    if isinstance(given, bytes | bytearray | memoryview | Mapping) or not isinstance(given, Iterable):
        raise failure(f"{what} must be a text or a list of texts, got {shown(cast('object', given))}")
    found = tuple(islice(cast("Iterable[object]", given), MOST_TEXTS + 1))
    if len(found) > MOST_TEXTS:
        raise failure(f"{what} must be at most {MOST_TEXTS:,} texts: name the folder, or ask for less at once")
    for one in found:
        if not isinstance(one, str):
            raise failure(f"{what} must be texts, but one of them is {shown(one)}: give str(…) of it")
    return cast("tuple[str, ...]", found)
