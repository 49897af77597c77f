"""Take secrets out of what is traced, exported, logged or shown: known values, and whatever looks like a key."""

import json
import re
from collections.abc import Iterable
from functools import cache
from urllib.parse import quote

HIDDEN = "***"

_SHORTEST_SECRET = 8
_SECRET_WORDS = frozenset(
    ("apikey", "auth", "authorization", "cookie", "credential", "credentials", "key", "password", "secret", "token")
)


class Redactor:
    """Replaces secrets with `***`, in time linear in the text. Give it whole texts: a secret cut in two is not seen."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = {form for secret in secrets if len(secret) >= _SHORTEST_SECRET for form in _forms(secret)}
        # Longest first, or a secret that begins another would leave the rest of it standing.
        longest_first = sorted(known, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, longest_first))) if known else None

    def __repr__(self) -> str:
        return "Redactor()"

    def text(self, text: str) -> str:
        """Return `text` with every secret in it hidden."""
        if self._known is not None:
            text = self._known.sub(HIDDEN, text)
        for look in _looks():
            text = look.sub(rf"\g<keep>{HIDDEN}", text)
        return text


def is_secret_name(name: str) -> bool:
    """True if a setting or header of this name holds a secret; `api_key_env` only names one."""
    words = re.split(r"[^a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return words[-1] != "env" and not _SECRET_WORDS.isdisjoint(words)


def _forms(secret: str) -> tuple[str, ...]:
    """The secret as it stands, inside JSON and inside a URL."""
    return secret, json.dumps(secret)[1:-1], quote(secret, safe="")


# Every expression keeps its time linear: what can repeat is possessive (`+` after the quantifier) or ends at a
# character outside its class, and a search begins only at the start of a run (the look-behinds), never inside it.
_KEYS = r"""
    (?<![A-Za-z0-9_-])(?P<keep>)(?:
        (?:sk[-_]|[pr]k_|(?:csk|glpat|nvapi|pplx|pypi|tvly|xai|xox[abeprs])-|(?:fw|gsk|hf|npm|r8)_)[A-Za-z0-9_-]{16,}+
      | gh[oprsu]_[A-Za-z0-9]{20,}+ | github_pat_[A-Za-z0-9_]{20,}+
      | AIza[A-Za-z0-9_-]{30,}+ | (?:AKIA|ASIA)[A-Z0-9]{16}
      | eyJ[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]++)?
    )"""
_BEARERS = r"""(?P<keep>\bbearer[ ]{1,4})[A-Za-z0-9._~+/=-]{8,}+"""
_HEADERS = r"""
    (?P<keep>(?<![a-z0-9])
        (?:(?:x-)?(?:goog-)?api[-_]?key|(?:proxy-)?authorization|x-auth-token
          |access[-_]?token|client[-_]?secret|password)
        \\?["']?[ ]{0,4}[:=][ ]{0,4}\\?["']?
        (?:(?:bearer|basic|token)[ ]{1,4})?+)
    (?!\*\*\*)[^\s"'\\,;&}]{4,}+"""
_COOKIES = r"""(?P<keep>(?<![a-z0-9])cookie\\?["']?[ ]{0,4}:[ ]{0,4}\\?["']?)[^\r\n"'\\]{4,}+"""
_QUERIES = r"""
    (?P<keep>[?&](?:(?:[a-z_-]{1,20}[_-])?(?:(?:api)?key|token|secret|password|signature)|sig|auth)=)
    [^&\s"'\\#<>]++"""
_LOGINS = r"""(?P<keep>://[^/\s:@"']{0,200}:)[^/\s@"']{1,500}+(?=@)"""
_PEM = r"""(?P<keep>-----BEGIN[ ][A-Z ]{0,20}PRIVATE[ ]KEY-----)[A-Za-z0-9+/=\s\\]++"""


@cache
def _looks() -> tuple[re.Pattern[str], ...]:
    # Compiled at the first use: this takes longer than the rest of the import.
    cased, uncased = (_KEYS, _LOGINS, _PEM), (_BEARERS, _HEADERS, _COOKIES, _QUERIES)
    return (
        *(re.compile(look, re.VERBOSE) for look in cased),
        *(re.compile(look, re.VERBOSE | re.IGNORECASE) for look in uncased),
    )
