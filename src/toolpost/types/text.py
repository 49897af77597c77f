"""Make text valid Unicode."""

import re

_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Replace lone surrogates, which no encoder of UTF-8 takes."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)
