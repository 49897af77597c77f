"""Compute figures from results: shares with 95 % intervals, times and tokens, by variant, category and language."""

import math
from collections.abc import Callable, Iterable, Sequence
from statistics import median
from typing import TypeVar

from msgspec import Struct

from .cases import CATEGORIES
from .results import METRICS, CaseResult
from .variants import Variant

Key = TypeVar("Key")

Z95 = 1.959963984540054


class Share(Struct, frozen=True):
    """`low` and `high` are Wilson's interval: where the true share lies with 95 % confidence."""

    hits: int
    count: int
    rate: float
    low: float
    high: float


Shares = dict[str, Share]


class Summary(Struct, frozen=True):
    """All figures of a variant. Times are in seconds, over the cases without error."""

    variant: Variant
    cases: int
    errors: int
    shares: Shares
    categories: dict[str, Shares]
    languages: dict[str, Shares]
    first_median: float
    turn_median: float
    turn_p95: float
    input_tokens: int
    output_tokens: int


def share(hits: int, count: int) -> Share:
    if not count:
        return Share(0, 0, 0.0, 0.0, 1.0)
    rate = hits / count
    scale = 1 + Z95**2 / count
    centre = (rate + Z95**2 / (2 * count)) / scale
    reach = Z95 / scale * math.sqrt(rate * (1 - rate) / count + Z95**2 / (4 * count**2))
    return Share(hits, count, rate, max(0.0, centre - reach), min(1.0, centre + reach))


def summarise(outcomes: Sequence[CaseResult]) -> list[Summary]:
    """A summary for each variant, in the order in which they were first tried."""
    return [_summary(variant, own) for variant, own in _group(outcomes, lambda outcome: outcome.variant).items()]


def _summary(variant: Variant, outcomes: Sequence[CaseResult]) -> Summary:
    sound = [outcome for outcome in outcomes if outcome.error is None]
    times = sorted(outcome.took for outcome in sound)
    categories = _group(outcomes, lambda outcome: outcome.category)
    languages = _group(outcomes, lambda outcome: outcome.language)
    return Summary(
        variant,
        len(outcomes),
        len(outcomes) - len(sound),
        _shares(outcomes),
        {name: _shares(categories[name]) for name in CATEGORIES if name in categories},
        {name: _shares(languages[name]) for name in sorted(languages)},
        median([outcome.first for outcome in sound] or [0.0]),
        median(times or [0.0]),
        times[math.ceil(0.95 * len(times)) - 1] if times else 0.0,
        sum(outcome.usage.input for outcome in outcomes),
        sum(outcome.usage.output for outcome in outcomes),
    )


def _group(outcomes: Iterable[CaseResult], key: Callable[[CaseResult], Key]) -> dict[Key, list[CaseResult]]:
    groups: dict[Key, list[CaseResult]] = {}
    for outcome in outcomes:
        groups.setdefault(key(outcome), []).append(outcome)
    return groups


def _shares(outcomes: Sequence[CaseResult]) -> Shares:
    """Each metric over the cases that it applies to; one that applies to none is left out."""
    found: Shares = {}
    for metric in METRICS:
        scores = [outcome.scores[metric] for outcome in outcomes if metric in outcome.scores]
        if scores:
            found[metric] = share(sum(scores), len(scores))
    return found
