"""Decode files to text and encode them again: encoding, byte order mark and line ends stay as they were."""

import codecs

from msgspec import Struct

from toolpost.tools.file_kind import describe_bytes, kind_of
from toolpost.types.errors import ToolError

SAMPLE_BYTES = 8_192
# A text may have a stray control character; more than one in fifty bytes is not text.
CONTROL_SHARE = 50

_BOMS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r\f\x1b\b") + b"\x7f"
_NAMES = {"utf-16-le": "UTF-16", "utf-16-be": "UTF-16", "cp1252": "Windows-1252", "latin-1": "Latin-1"}


class NotText(ToolError):
    """The content is nothing that a model could read as text."""


class FileText(Struct, frozen=True):
    """`text` has the line ends of the file, and lone surrogates for the `broken` bytes that are not valid UTF-8."""

    text: str = ""
    encoding: str = "utf-8"
    bom: bytes = b""
    broken: int = 0

    @property
    def newline(self) -> str:
        """The line end that most lines have."""
        return "\r\n" if self.text.count("\r\n") * 2 > self.text.count("\n") else "\n"

    @property
    def note(self) -> str:
        """A note on an unusual encoding, for the reader of the text."""
        if self.broken:
            return f"UTF-8 with {self.broken:,} broken bytes, shown as \ufffd"
        if self.encoding in _NAMES:
            return f"read as {_NAMES[self.encoding]}"
        return "UTF-8 with a byte order mark" if self.bom else ""

    def encode(self, text: str) -> bytes:
        """Another text as bytes in the same way."""
        try:
            return self.bom + text.encode(self.encoding, "surrogateescape" if self.broken else "strict")
        except UnicodeEncodeError as error:
            char = text[error.start]
            name = _NAMES.get(self.encoding, "UTF-8")
            raise ToolError(f"The file is {name}, which has no character {char!a}. Write it another way.") from None


def decode(data: bytes) -> FileText:
    """The text in some bytes. Every text gives its bytes back through its own `encode`."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            return _decoded(data[len(bom) :], encoding, bom)
    if is_binary(data):
        raise not_text(data)
    return _decoded(data, "utf-8", b"")


def is_binary(data: bytes) -> bool:
    """A NUL, a known magic or many control characters near the beginning."""
    sample = data[:SAMPLE_BYTES]
    if sample.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return False
    if b"\0" in sample or kind_of(sample)[1] != "application/octet-stream":
        return True
    return (len(sample) - len(sample.translate(None, _CONTROLS))) * CONTROL_SHARE > len(sample)


def not_text(data: bytes) -> NotText:
    return NotText(f"This is not text: {describe_bytes(data, len(data))}. Use a program that knows such files.")


def with_newlines(text: str, newline: str) -> str:
    """`text` with every line end as `newline`."""
    plain = text.replace("\r\n", "\n")
    return plain if newline == "\n" else plain.replace("\n", newline)


def _decoded(data: bytes, encoding: str, bom: bytes) -> FileText:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise not_text(bom + data) from None
        return _not_quite_utf8(data, bom)
    if "\0" in text:
        raise not_text(bom + data)
    return FileText(text, encoding, bom)


def _not_quite_utf8(data: bytes, bom: bytes) -> FileText:
    """UTF-8 with a few broken bytes where most of what is not ASCII is right, else an old Western encoding."""
    text = data.decode("utf-8", "surrogateescape")
    broken = sum("\udc80" <= char <= "\udcff" for char in text)
    right = sum(char > "\x7f" for char in text) - broken
    if bom or right > broken:
        return FileText(text, "utf-8", bom, broken)
    for encoding in ("cp1252", "latin-1"):
        try:
            return FileText(data.decode(encoding), encoding)
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes any bytes")
