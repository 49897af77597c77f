"""Check the arguments of SDK functions: misspelt names, values of a wrong type, functions with wrong parameters."""

import functools
import inspect
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import islice
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, cast

from msgspec import StructMeta

from toolpost.types.errors import ConfigError, ToolpostError, UsageError

from .suggestions import did_you_mean

P = ParamSpec("P")
R = TypeVar("R")

MAX_SHOWN = 80


def check_names(given: Iterable[str], known: Collection[str], owner: str, word: str = "argument") -> None:
    """Raise `UsageError` for the first name that is not known, with the one that was probably meant."""
    for name in given:
        if name not in known:
            article = "an" if word[0] in "aeiou" else "a"
            raise UsageError(f"{name} is not {article} {word} of {owner}; {suggestion(name, known)}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """What to write instead of an unknown name."""
    names = sorted(known)
    return did_you_mean(name, names, f"there are: {', '.join(names)}" if names else "there are none", 1)


def named(owner: str, more: type | None = None) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Let a function say which argument was misspelt, and what was meant, before it begins. `more` is the `TypedDict`
    of those that it takes as `**arguments`."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        parameters = inspect.signature(function).parameters.values()
        known = frozenset(p.name for p in parameters if p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY))
        known = (known | frozenset[str](more.__annotations__ if more else ())) - {"self"}

        @functools.wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            if not kwargs.keys() <= known:
                check_names(kwargs, known, owner)
            return function(*args, **kwargs)

        return call

    return decorate


class NamedFields(StructMeta):
    """The metaclass of structs that users make: a misspelt field is told with the one that was probably meant."""

    if not TYPE_CHECKING:
        # Hidden from type checkers, which know the fields and would not look at them behind a `__call__`.
        def __call__(cls, *args, **kwargs):
            if not kwargs.keys() <= (known := set(cls.__struct_fields__)):
                check_names(kwargs, known, cls.__name__)
            return super().__call__(*args, **kwargs)


def check_kind(value: object, kinds: type | tuple[type, ...], what: str, wanted: str) -> None:
    """Raise `UsageError` unless `value` is one of `kinds`. True and False are numbers only by accident of Python."""
    is_flag = isinstance(value, bool) and bool not in (kinds if isinstance(kinds, tuple) else (kinds,))
    if is_flag or not isinstance(value, kinds):
        raise UsageError(f"{what} is {shown(value)}: give {wanted}")


def check_number(value: Any, what: str, *, zero: bool = False, whole: bool = False) -> None:
    """Raise `UsageError` unless `value` is a number above 0, or also 0 itself with `zero`."""
    wanted = f"a {'whole ' if whole else ''}number {'of 0 or more' if zero else 'above 0'}"
    check_kind(value, int if whole else (int, float), what, wanted)
    # Written so that what is not a number at all (NaN) is refused too.
    if not (value > 0 or (zero and value == 0)):
        raise UsageError(f"{what} is {shown(value)}: give {wanted}")


def check_function(function: object, what: str, *parameters: str) -> None:
    """Raise `UsageError` unless `function` can be called with so many positional arguments."""
    wanted = f"({', '.join(parameters)})"
    if not callable(function):
        raise UsageError(f"{what} is {shown(function)}: give a function of {wanted}")
    if _plainly_takes(function, len(parameters)):
        return
    try:
        # Of the outermost: a decorator may give what the function inside takes besides.
        signature = inspect.signature(function, follow_wrapped=False)
    except (TypeError, ValueError):
        return  # some that are written in C do not say
    try:
        signature.bind(*parameters)
    except TypeError as error:
        name = getattr(function, "__qualname__", repr(function))
        raise UsageError(f"{what} is called with {wanted}, but {name}{signature} can't be: {error}") from None


def shown(value: object) -> str:
    """A value and its type, short: it may be anything."""
    text = repr(value)
    return f"{text if len(text) <= MAX_SHOWN else text[: MAX_SHOWN - 1] + '…'} ({type(value).__name__})"


def _plainly_takes(function: object, count: int) -> bool:
    """Seen at a glance, for most functions: reading a signature takes far longer."""
    bound = isinstance(function, MethodType)
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        return False
    return plain.__code__.co_argcount == count + bound and not plain.__code__.co_kwonlyargcount


# One call is about far fewer; a generator without an end has to end somewhere.
MAX_TEXTS = 10_000


def texts(given: object, what: str, failure: type[ToolpostError] = ConfigError) -> tuple[str, ...]:
    """A text is one of them, never its letters; anything that can be gone through gives several.

    Raises `failure`, with `what` in front, for what is neither: a pattern that nobody can read could be denied.
    """
    if isinstance(given, str):
        return (given,)
    if isinstance(given, bytes | bytearray | memoryview | Mapping) or not isinstance(given, Iterable):
        raise failure(f"{what} must be a text or a list of texts, got {shown(cast('object', given))}")
    found = tuple(islice(cast("Iterable[object]", given), MAX_TEXTS + 1))
    if len(found) > MAX_TEXTS:
        raise failure(f"{what} must be at most {MAX_TEXTS:,} texts: name the folder, or ask for less at once")
    for one in found:
        if not isinstance(one, str):
            raise failure(f"{what} must be texts, but one of them is {shown(one)}: give str(…) of it")
    return cast("tuple[str, ...]", found)
