"""Remove or escape control characters and escape sequences in text from models and tools."""

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
# With these a line shows something else than it says, or nothing at all: controls, marks of direction and of breaks,
# what has no width, fillers, selectors, tags, halves of characters, and spaces that are not the usual one.
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\xa0\xad\u034f\u061c\u070f\u115f\u1160\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f"
    r"\u2028-\u202f\u205f-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb"
    r"\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
    # This one makes a sign colourful, and is seen only behind one.
    r"|(?<![\u2190-\u2bff\U0001f000-\U0001faff])\ufe0f"
)
# Joiners and non-joiners, how a sign looks, and spaces that do not break.
_WRITTEN_WITH = frozenset("\u00a0\u200c\u200d\u202f\ufe0e\ufe0f")
_LEFT_BY_JSON = {code: f"\\u{code:04x}" for code in range(0x7F, 0xA0)}
_SUSPECT = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def clean(text: str) -> str:
    """For reading. A sequence that is cut in two by a stream is shown as the harmless text that is left of it."""
    if not _SUSPECT.search(text):
        return text
    return _SEQUENCES.sub("", text).translate(_CONTROLS)


def exact(text: str) -> str:
    """For deciding: nothing is dropped, and what would not be seen is written out, as `\\x1b` or `\\u{202e}`."""
    return text if text.isascii() and text.isprintable() else _UNSEEN.sub(_written_out, text)


def readable(text: str) -> str:
    """For reading again: as `exact`, but what languages and emoji are written with stays."""
    return _UNSEEN.sub(lambda found: found[0] if found[0] in _WRITTEN_WITH else _written_out(found), text)


def exact_line(text: str) -> str:
    """The same for what has to stay on one line: its ends of lines are written out too."""
    return exact(text).replace("\n", "\\n").replace("\t", "\\t")


def exact_json(text: str) -> str:
    """JSON, with the controls written out that JSON leaves as they are, and that some terminals act on."""
    return text if text.isascii() and text.isprintable() else text.translate(_LEFT_BY_JSON)


def last_state(line: str) -> str:
    """What a line looks like after its carriage returns: a progress bar leaves only its last state."""
    return line.rstrip("\r").rpartition("\r")[2]


def _written_out(found: re.Match[str]) -> str:
    code = ord(found[0])
    return f"\\x{code:02x}" if code < 0xA0 else f"\\u{{{code:x}}}"
