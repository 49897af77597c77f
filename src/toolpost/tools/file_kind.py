"""Tell the kind of a file by its magic number: PNG image, PDF document, ZIP archive."""

from toolpost.types.text import counted

_MAGIC = (
    (b"\x89PNG\r\n\x1a\n", "PNG image", "image/png"),
    (b"\xff\xd8\xff", "JPEG image", "image/jpeg"),
    (b"GIF87a", "GIF image", "image/gif"),
    (b"GIF89a", "GIF image", "image/gif"),
    (b"%PDF-", "PDF document", "application/pdf"),
    (b"PK\x03\x04", "ZIP archive", "application/zip"),
    (b"\x1f\x8b", "gzip data", "application/gzip"),
    (b"\x7fELF", "ELF program", "application/x-elf"),
    (b"SQLite format 3\0", "SQLite database", "application/vnd.sqlite3"),
)


def describe_bytes(data: bytes, size: int) -> str:
    """`PNG image, 12,345 bytes`, by the first bytes."""
    return f"{kind_of(data)[0]}, {counted(size, 'byte')}"


def kind_of(data: bytes) -> tuple[str, str]:
    """The kind of some bytes in words, and their MIME type, by their magic number."""
    if data.startswith(b"RIFF") and data[8:12] == b"WEBP":
        return "WebP image", "image/webp"
    for magic, name, mime in _MAGIC:
        if data.startswith(magic):
            return name, mime
    return "data of an unknown kind", "application/octet-stream"
