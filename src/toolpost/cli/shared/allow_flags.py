"""Write the `--allow` flags that calls were missing."""

from collections.abc import Iterable

from toolpost.engine.permissions import MissingPermission
from toolpost.view.escape_codes import exact_line


def allow_flags(refusals: Iterable[MissingPermission]) -> list[str]:
    """`--allow` flags, ready to be pasted into a shell."""
    # Imported here: only a denial needs it.
    from toolpost.guard.redact import known_secrets

    hide = known_secrets().hide
    rules = {hide(rule) for refusal in refusals for rule in _rules(refusal)}
    return [f"--allow {_quoted(rule)}" for rule in sorted(rules)]


def _quoted(rule: str) -> str:
    """As one word for a shell. What would not be seen in it is written out, as bash and zsh read it back."""
    # Imported here: only a denial needs it.
    from shlex import quote

    return quote(rule) if rule == exact_line(rule) else f"$'{''.join(map(_escaped, rule))}'"


def _escaped(char: str) -> str:
    if char in "'\\":
        return f"\\{char}"
    return char if char == exact_line(char) else f"\\U{ord(char):08x}"


def _rules(refusal: MissingPermission) -> list[str]:
    if not refusal.patterns or "*" in refusal.patterns:
        return [refusal.permission]
    return [f"{refusal.permission}:{pattern}" for pattern in refusal.patterns]
