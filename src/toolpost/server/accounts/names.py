"""Check the names of people, and tell which names are the same to a reader."""

import re
import unicodedata

from toolpost.server.refusals import BadRequest

LONGEST_NAME = 64
# Letters and digits of any script, and what names of people and mail addresses have besides.
_NAME = re.compile(r"\w[\w.@+-]*")
# Users that the server has by itself.
_RESERVED = frozenset({"metrics"})
# Scripts with letters that look like those of another: a name is of one of them.
_ALIKE = frozenset({"LATIN", "GREEK", "COPTIC", "CYRILLIC", "ARMENIAN", "CHEROKEE", "LISU"})
# What is shown as nothing (Default_Ignorable_Code_Point in Unicode), first and last of each range.
_INVISIBLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)


def checked_name(name: str) -> str:
    """Return the name as it is stored. Raises `BadRequest`."""
    plain = unicodedata.normalize("NFKC", name).strip()
    if not plain or len(plain) > LONGEST_NAME or not _NAME.fullmatch(plain) or _is_invisible(plain):
        raise BadRequest(
            f"name: take 1 to {LONGEST_NAME} letters, digits and . _ - + @, beginning with a letter or a digit",
            param="name",
            code="name_invalid",
        )
    if len({script for letter in plain if (script := _script(letter)) in _ALIKE}) > 1:
        raise BadRequest(
            "name: take letters of one script: Latin, Greek and Cyrillic ones look the same",
            param="name",
            code="name_invalid",
        )
    return plain


def name_key(name: str) -> str:
    """Return what two names have in common that differ in nothing but case or form: only one of them can be taken."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).strip().casefold())


def is_reserved(name: str) -> bool:
    return name_key(name) in _RESERVED


def _is_invisible(text: str) -> bool:
    """Return whether there is anything in it that a reader does not see."""
    # The Braille pattern without dots is shown as nothing as well.
    return any(first <= ord(sign) <= last for sign in text for first, last in _INVISIBLE) or "\u2800" in text


def _script(letter: str) -> str:
    return unicodedata.name(letter, "").partition(" ")[0]
