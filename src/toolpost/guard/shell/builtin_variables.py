"""Find the variables that a shell builtin sets: a shell acts on some of them, and evaluates an index in such a name."""

from collections.abc import Sequence
from itertools import pairwise

from .dangerous_options import may_be_option
from .syntax_tree import NotUnderstood
from .words import Word

# Options of `read`, `mapfile` and `wait` whose value is not a name.
_VALUED = {"read": "dinNptu", "mapfile": "dnOsuC", "readarray": "dnOsuC", "wait": "", "getopts": ""}


def assigned_by(words: Sequence[Word]) -> list[str]:
    """The names of the variables that a command sets. Raises `NotUnderstood` where one can't be known."""
    match words[0].text:
        case "printf":
            return _printed(words)
        case "read" | "mapfile" | "readarray" | "wait":
            return _read(words)
        case "getopts":
            _check_value(words[min(1, len(words) - 1)])
            return [_known(word) for word in words[2:3]]
        case "test" | "[":
            check_test(words[1:])
        case _:
            pass
    return []


def _printed(words: Sequence[Word]) -> list[str]:
    if any(map(may_be_option, words[1:2])):
        raise NotUnderstood("what printf writes to is only known when it runs")
    first = words[1].text if len(words) > 1 else ""
    if first == "-v":
        return [_known(word) for word in words[2:3]]
    return [first.removeprefix("-v")] if first.startswith("-v") else []


def _read(words: Sequence[Word]) -> list[str]:
    found: list[str] = []
    rest = iter(words[1:])
    for word in rest:
        text = _known(word)
        if not text.startswith("-"):
            found.append(text)
        elif text[-1] in _VALUED[words[0].text]:
            _check_value(next(rest, word))
    # A number is a job or a process.
    return [name for name in found if not name.lstrip("%").isdigit()]


def _known(word: Word) -> str:
    if word.text == "$!":
        return "0"
    if not word.literal:
        raise NotUnderstood("the name of a variable is only known when it runs")
    return word.text


def _check_value(word: Word) -> None:
    """What becomes several words where one is expected makes names of those behind it."""
    if word.several:
        raise NotUnderstood("the name of a variable is only known when it runs")


def check_test(words: Sequence[Word]) -> None:
    """`test` and `[` take their operators from anywhere: from a variable that becomes several words, or from two. One
    of them evaluates the name of a variable. Raises `NotUnderstood` where that may happen."""
    if any(word.text == "-v" for word in words):
        raise NotUnderstood("it tests a variable by its name")
    if any(word.several for word in words) or any(not (one.literal or other.literal) for one, other in pairwise(words)):
        raise NotUnderstood("what it tests is only known when it runs")
