"""Make text valid Unicode, tell its language, and write numbers with their nouns: `1 line`, `2 lines`."""

import re
from typing import Literal

# The languages that prompts and notes exist in.
Language = Literal["en", "zh"]

_SURROGATES = re.compile("[\ud800-\udfff]")
_CHINESE = re.compile(r"[\u4e00-\u9fff\u3400-\u4dbf]")
_WORDS_OF_LETTERS = re.compile(r"[A-Za-z\u00c0-\u024f]+")
_KANA_OR_HANGUL = re.compile(r"[\u3040-\u30ff\uac00-\ud7af]")
# A longer text says no more about its language.
_LANGUAGE_CHARS = 2_000


def clean(text: str) -> str:
    """Replace lone surrogates, which no encoder of UTF-8 takes."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def language_of(text: str) -> Language:
    """Chinese where it has as many Chinese characters as other words; Japanese and Korean are not Chinese."""
    if text.isascii():
        return "en"
    beginning = text[:_LANGUAGE_CHARS]
    characters = len(_CHINESE.findall(beginning))
    if not characters or len(_KANA_OR_HANGUL.findall(beginning)) * 4 > characters:
        return "en"
    return "zh" if characters >= len(_WORDS_OF_LETTERS.findall(beginning)) else "en"


def counted(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"
