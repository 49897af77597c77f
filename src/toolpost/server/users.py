"""Who may use the server: one person with one token, or several, each with a token of their own."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence

from msgspec import Struct

SHORTEST_TOKEN = 16


class User(Struct, frozen=True):
    """`name` is what sessions are kept under; "" is the only user of a server for one."""

    name: str
    is_admin: bool = True


class Users:
    """Tokens are compared by their hashes, in the same time whether they are right or wrong."""

    def __init__(self, tokens: Mapping[str, User]) -> None:
        self._users = [(_digest(token), user) for token, user in tokens.items()]

    @property
    def names(self) -> Sequence[str]:
        return [user.name for _, user in self._users]

    def who(self, tokens: Sequence[str]) -> User | None:
        """Whose one of these is."""
        found = None
        for digest in map(_digest, tokens):
            for known, user in self._users:
                if hmac.compare_digest(known, digest):
                    found = user
        return found


def tokens_of(headers: Mapping[str, str]) -> list[str]:
    """From `Authorization: Bearer`, or as Anthropic's and Google's clients send it. A client that has a key of its own
    besides our token sends both."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    given = (bearer if scheme.lower() == "bearer" else "", headers.get("x-api-key"), headers.get("x-goog-api-key"))
    return [token.strip() for token in given if token]


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
