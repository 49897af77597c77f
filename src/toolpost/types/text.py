"""Make text valid Unicode, and write numbers with their nouns: `1 line`, `2 lines`."""

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Replace lone surrogates, which no encoder of UTF-8 takes."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
