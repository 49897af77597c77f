"""Hash passwords with Argon2 in threads, a few at once: each takes memory and time, which is the point of it."""

import asyncio
import secrets
import unicodedata
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from toolpost.server.refusals import BadRequest, Refusal
from toolpost.tools.threads import run_in_thread

from .names import name_key

if TYPE_CHECKING:
    from argon2 import PasswordHasher

T = TypeVar("T")

SHORTEST_PASSWORD = 10
# Argon2 takes any length, but to read one takes time.
LONGEST_PASSWORD = 1024
AT_ONCE = 2
MOST_WAITING = 32
WAIT_SECONDS = 10.0
# What everybody tries first, and is long enough.
_COMMON = frozenset(
    {"1234567890", "12345678910", "0123456789", "0987654321", "1q2w3e4r5t", "qwertyuiop", "password12", "password123"}
)


class Passwords:
    """Hashes and checks passwords. One that does not exist takes as long to check as one that is wrong."""

    def __init__(self) -> None:
        self._hasher = _hasher()
        self._places = asyncio.Semaphore(AT_ONCE)
        self._waiting = 0
        self._working = set[asyncio.Future[Any]]()
        self._nobodys = ""

    async def hash(self, password: str) -> str:
        plain = _plain(password)
        return await self._work(lambda: self._hasher.hash(plain))

    async def is_right(self, known: str, password: str) -> bool:
        """Compare with a hash; "" is the hash of somebody without a password, which nothing fits."""
        from argon2.exceptions import InvalidHashError, VerificationError

        plain = _plain(password[: LONGEST_PASSWORD + 1])

        def check() -> bool:
            self._nobodys = self._nobodys or self._hasher.hash(secrets.token_urlsafe())
            try:
                return self._hasher.verify(known or self._nobodys, plain)
            except (VerificationError, InvalidHashError):
                return False

        return await self._work(check) and bool(known) and len(password) <= LONGEST_PASSWORD

    def is_outdated(self, known: str) -> bool:
        """Return whether a hash was made with weaker settings than today's."""
        return self._hasher.check_needs_rehash(known)

    async def _work(self, work: Callable[[], T]) -> T:
        """Do it in a thread. The place is given to the next one when the thread has ended, even if its caller has
        left before."""
        if self._waiting >= MOST_WAITING:
            raise _busy()
        self._waiting += 1
        try:
            async with asyncio.timeout(WAIT_SECONDS):
                await self._places.acquire()
        except TimeoutError:
            raise _busy() from None
        finally:
            self._waiting -= 1
        working = asyncio.ensure_future(run_in_thread(work))
        self._working.add(working)
        working.add_done_callback(self._ended)
        return await asyncio.shield(working)

    def _ended(self, working: asyncio.Future[Any]) -> None:
        self._working.discard(working)
        self._places.release()


def check_password(password: str, name: str) -> None:
    """Raise `BadRequest` for a password that is too easy to guess."""
    plain = _plain(password)
    if not SHORTEST_PASSWORD <= len(plain) <= LONGEST_PASSWORD:
        raise BadRequest(
            f"password: take {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters",
            param="password",
            code="password_too_short" if len(plain) < SHORTEST_PASSWORD else "password_too_long",
        )
    lower = plain.casefold()
    if lower in _COMMON or len(set(lower)) < 4 or lower == name_key(name):
        raise BadRequest(
            "password: this one is guessed first; take some words that do not belong together",
            param="password",
            code="password_too_easy",
        )


def _plain(password: str) -> str:
    """Return the same text however a keyboard has composed its letters."""
    return unicodedata.normalize("NFKC", password)


def _busy() -> Refusal:
    return Refusal(
        "overloaded",
        "too many people log in at once: try again in some seconds",
        status=503,
        retry_after=3.0,
        code="logins_busy",
    )


def _hasher() -> "PasswordHasher":
    # Imported here: only a server with accounts needs it.
    from argon2 import PasswordHasher

    return PasswordHasher()
