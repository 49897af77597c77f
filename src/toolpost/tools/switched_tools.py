"""Which tools are switched on, by name or pattern, wherever they come from and whenever they arrive."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from msgspec import Struct

from toolpost.guard.texts import texts
from toolpost.guard.wildcards import matcher


class Choice(Struct, frozen=True):
    """Sieves that a tool has to pass, one after the other. Of a sieve's switches the last one that matches decides;
    what none matches is on."""

    sieves: tuple[tuple[tuple[str, bool], ...], ...] = ()

    @classmethod
    def switches(cls, *tables: Mapping[str, bool]) -> "Choice":
        """Later tables are stronger."""
        sieve = tuple(switch for table in tables for switch in table.items())
        return cls((sieve,) if sieve else ())

    @classmethod
    def only(cls, names: str | Iterable[str]) -> "Choice":
        sieve = (("*", False), *((name, True) for name in texts(names, "the names of tools")))
        return cls((sieve,))

    @classmethod
    def without(cls, names: str | Iterable[str]) -> "Choice":
        return cls.switches(dict.fromkeys(sorted(texts(names, "the names of tools")), False))

    def __and__(self, other: "Choice") -> "Choice":
        """What both offer."""
        return Choice((*self.sieves, *other.sieves))

    def offers(self, *names: str) -> bool:
        """Whether a tool is on. Of one with several names, a switch that matches any of them is about it."""
        return all(_passes(sieve, names) for sieve in self.sieves)


@lru_cache(maxsize=4_096)
def _passes(sieve: tuple[tuple[str, bool], ...], names: tuple[str, ...]) -> bool:
    return next((is_on for pattern, is_on in reversed(sieve) if any(map(matcher(pattern), names))), True)


ALL = Choice()
