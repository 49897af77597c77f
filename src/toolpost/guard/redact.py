"""Redact secrets in text, stored values and environments: known values, and whatever looks like a key."""

import os
import re
from collections.abc import AsyncIterator, Collection, Iterable, Mapping
from functools import cache, lru_cache
from typing import Any, TypeVar, cast

import msgspec

from toolpost.types.events import Event, MessageUpdate, ToolExecutionUpdate

from .secret_replacer import HIDDEN, SHORTEST, KnownSecrets
from .word_sets import names

T = TypeVar("T", bound=msgspec.Struct)

__all__ = [
    "HIDDEN",
    "Redactor",
    "clean_environment",
    "is_secret_name",
    "known_redactor",
    "known_secrets",
    "redacted",
    "redacted_all",
    "redacted_events",
    "redacted_value",
    "remember",
    "remember_named",
    "secrets_of",
]

_SECRET_WORDS = names("""
    apikey auth authorization cookie credential credentials creds jwt key pass passphrase passwd password passwords pat
    pwd secret secrets token
""")
# Written as one word with what stands before them: PGPASSWORD, SSHPASS, AUTHTOKEN.
_SECRET_ENDS = (
    "accesskey",
    "apikey",
    "authtoken",
    "passphrase",
    "passwd",
    "password",
    "secret",
    "secretkey",
    "sshpass",
)
# No child works without them, and none of them is a place for a secret.
_ALWAYS_KEPT = names("""
    COLORTERM COMSPEC HOME HOSTNAME LANG LANGUAGE LOGNAME OLDPWD PATH PATHEXT PWD SHELL SHLVL SYSTEMROOT TEMP TERM TMP
    TMPDIR TZ USER USERPROFILE VIRTUAL_ENV WINDIR
""")
# What a variable with a secret's name may hold though it is not secret: `true`, `postgres`, `not-needed`, a number.
# Hidden, it would be gone from every text.
_ORDINARY = r"(?:[A-Za-z][a-z]*|[A-Z]+)(?:[-_. ](?:[a-z]+|[A-Z]+))*|[0-9.:]+"
_ORDINARY_BELOW = 16

_remembered: set[str] = set()


class _Last:
    """The secrets of this process when they were last asked for, and what they were found in."""

    raw: Mapping[Any, Any] | None = None
    count = 0
    secrets = KnownSecrets()


_last = _Last()


class Redactor:
    """Replaces secrets with `***`, in time linear in the text. Give it whole texts: a secret cut in two is not seen."""

    def __init__(self, secrets: Iterable[str] | KnownSecrets = ()) -> None:
        self._known = secrets if isinstance(secrets, KnownSecrets) else KnownSecrets(secrets)

    def __repr__(self) -> str:
        return "Redactor()"

    def text(self, text: str) -> str:
        """Return `text` with every secret in it hidden."""
        return _hide_looks(self._known.hide(text))


def clean_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment for a child process: without what is a secret by its name, or has one in its value."""
    known = KnownSecrets(_remembered | secrets_of(environ))
    return {
        name: value
        for name, value in environ.items()
        if name in _ALWAYS_KEPT
        or name.startswith("LC_")
        or not (is_secret_name(name) or known.hide(value) != value or _looks_secret(value))
    }


def known_secrets() -> KnownSecrets:
    """The secrets of this process: of its environment, and those that it was told to `remember`."""
    # Read anew, the environment is decoded whole, and this is asked for several times a call: compare its raw form.
    raw: Mapping[Any, Any] = getattr(os.environ, "_data", None) or os.environ
    if _last.count != len(_remembered) or _last.raw != raw:
        _last.secrets = KnownSecrets(_remembered | secrets_of(os.environ))
        _last.raw, _last.count = dict(raw), len(_remembered)
    return _last.secrets


def known_redactor(environ: Mapping[str, str] | None = None, named: Collection[str] = ()) -> Redactor:
    """Hides what looks like a key, and the secrets of this process whatever they look like. `environ` is another
    environment than its own, and the variables in it that are `named` hold secrets too."""
    return Redactor(known_secrets() if environ is None else _remembered | secrets_of(environ, named))


def remember(*secrets: str) -> None:
    """Hide these from now on wherever they turn up: a key of the keyring, a token that a server gave us."""
    _remembered.update(str(secret).strip() for secret in secrets if _is_telling(secret.strip()))


def remember_named(table: Mapping[str, Any]) -> None:
    """Remember those values of a table whose names say that they are secrets: headers, variables, tokens."""
    for name, value in table.items():
        if isinstance(value, str) and is_secret_name(name):
            scheme, _, rest = value.strip().partition(" ")
            remember(rest if scheme.lower() in ("basic", "bearer", "token") else value)


def secrets_of(environ: Mapping[str, str], named: Collection[str] = ()) -> frozenset[str]:
    """The secrets in an environment: values of variables that are `named`, or whose name says so."""
    found = (environ[name].strip() for name in environ if is_secret_name(name) or name in named)
    return frozenset(value for value in found if _is_telling(value))


@lru_cache(1024)
def is_secret_name(name: str) -> bool:
    """True if a variable, setting or header of this name holds a secret; `api_key_env` only names one."""
    words = re.split(r"[^a-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower())
    return words[-1] != "env" and any(word in _SECRET_WORDS or word.endswith(_SECRET_ENDS) for word in words)


@lru_cache(256)
def _is_telling(value: str) -> bool:
    """False for what is too short or too ordinary to be hidden, and for the path of something."""
    if len(value) < SHORTEST or (len(value) < _ORDINARY_BELOW and re.fullmatch(_ORDINARY, value)):
        return False
    return not _is_path(value)


def _is_path(value: str) -> bool:
    if value.startswith(("~/", "./", "../")):
        return True
    # A key may begin with a slash as well, but there is no such folder then.
    first = value[1:].partition("/")[0]
    return value.startswith("/") and os.path.exists(f"/{first}")  # noqa: PTH110 - it takes what can't be a name at all


@lru_cache(512)
def _looks_secret(value: str) -> bool:
    return _hide_looks(value) != value


def _hide_looks(text: str) -> str:
    for look in _looks():
        text = look.sub(rf"\g<keep>{HIDDEN}", text)
    return text


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
# Not `<your key>`, which stands for one.
_HEADERS = r"""
    (?P<keep>(?<![a-z0-9])
        (?:(?:x-)?(?:goog-)?api[-_]?key|(?:proxy-)?authorization|x-auth-token
          |access[-_]?token|client[-_]?secret|password)
        \\?["']?[ ]{0,4}[:=][ ]{0,4}\\?["']?
        (?:(?:bearer|basic|token)[ ]{1,4})?+)
    (?!\*\*\*|<)[^\s"'\\,;&}]{4,}+"""
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


def redacted(value: T, redactor: Redactor) -> T:
    """The same struct with every secret in its strings hidden."""
    return msgspec.convert(redacted_value(msgspec.to_builtins(value), redactor), type(value))


async def redacted_all(values: AsyncIterator[T], redactor: Redactor) -> AsyncIterator[T]:
    async for value in values:
        yield redacted(value, redactor)


async def redacted_events(events: AsyncIterator[Event], redactor: Redactor) -> AsyncIterator[Event]:
    """Without the deltas: a secret cut in two by them is not seen, and what they built stands in the later events."""
    async for event in events:
        if not isinstance(event, MessageUpdate | ToolExecutionUpdate):
            yield redacted(event, redactor)


def redacted_value(value: Any, redactor: Redactor) -> Any:
    """The same for plain data: lists, tables and texts."""
    if isinstance(value, str):
        return redactor.text(value)
    # `to_builtins` leaves tuples as they are.
    if isinstance(value, list | tuple):
        return [redacted_value(item, redactor) for item in cast("list[Any]", value)]
    if isinstance(value, dict):
        table = cast("dict[str, Any]", value)
        is_file = table.get("type") == "file"
        return {
            key: entry if is_file and key == "data" else _entry(key, entry, redactor) for key, entry in table.items()
        }
    return value


def _entry(key: str, value: Any, redactor: Redactor) -> Any:
    """A text is looked at together with its name: `api_key` says what its value does not."""
    if not isinstance(value, str):
        return redacted_value(value, redactor)
    named = redactor.text(f"{key}: {value}")
    return named.removeprefix(f"{key}: ") if named.startswith(f"{key}: ") else HIDDEN
