"""Check the names of people, and tell which names are the same to a reader."""

import re
import unicodedata

from toolpost.server.refusals import BadRequest

LONGEST_NAME = 64
# Letters and digits of any script, and what names of people and mail addresses have besides.
_NAME = re.compile(r"\w[\w.@+-]*")
# Users that the server has by itself.
_RESERVED = frozenset({"metrics"})


def checked_name(name: str) -> str:
    """Return the name as it is stored. Raises `BadRequest`."""
    plain = unicodedata.normalize("NFKC", name).strip()
    if not plain or len(plain) > LONGEST_NAME or not _NAME.fullmatch(plain):
        raise BadRequest(
            f"name: take 1 to {LONGEST_NAME} letters, digits and . _ - + @, beginning with a letter or a digit",
            param="name",
            code="name_invalid",
        )
    return plain


def name_key(name: str) -> str:
    """Return what two names have in common that differ in nothing but case or form: only one of them can be taken."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())


def is_reserved(name: str) -> bool:
    return name_key(name) in _RESERVED
