"""What would have allowed the calls that were denied because nobody was there."""

from collections.abc import Iterable

from toolpost.engine.asks import Refusal


def flags(refusals: Iterable[Refusal]) -> list[str]:
    """`--allow` flags, ready to be pasted into a shell."""
    # Imported here: only a denial needs them.
    from shlex import quote

    from toolpost.guard.redact import known_secrets

    hide = known_secrets().hide
    rules = {hide(rule) for refusal in refusals for rule in _rules(refusal)}
    return [f"--allow {quote(rule)}" for rule in sorted(rules)]


def _rules(refusal: Refusal) -> list[str]:
    if not refusal.patterns or "*" in refusal.patterns:
        return [refusal.permission]
    return [f"{refusal.permission}:{pattern}" for pattern in refusal.patterns]
