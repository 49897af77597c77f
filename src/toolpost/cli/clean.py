"""Text from models and tools, made harmless for a terminal: no escape sequence or control character gets through."""

import re

# Colours, cursor moves, titles, links: whole sequences are dropped, with the text that belongs to them.
_SEQUENCES = re.compile(
    r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]"
    r"|(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]*[0-OQ-WYZ\\`-~]"
)
_CONTROLS = {
    **{code: chr(0x2400 + code) for code in range(0x20) if chr(code) not in "\n\t"},
    **dict.fromkeys(range(0x80, 0xA0), "\ufffd"),
    0x0D: "",
    0x7F: "\u2421",
}
# With these a line can show something else than it says.
_DIRECTION = dict.fromkeys(
    map(ord, "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"), "\ufffd"
)
_EXACT = {code: f"\\x{code:02x}" for code in (*range(0x20), *range(0x7F, 0xA0)) if chr(code) not in "\n\t"} | _DIRECTION
_SUSPECT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """For reading. A sequence that is cut in two by a stream is shown as the harmless text that is left of it."""
    if not _SUSPECT.search(text):
        return text
    return _SEQUENCES.sub("", text).translate(_CONTROLS)


def exact(text: str) -> str:
    """For deciding: nothing is dropped, and what would not be seen is written out."""
    return text.translate(_EXACT)


def last_state(line: str) -> str:
    """What a line looks like after its carriage returns: a progress bar leaves only its last state."""
    return line.rstrip("\r").rpartition("\r")[2]
