"""Files that go with a prompt, as parts of it: of a file's bytes, or of an image that a text names."""

import base64
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from toolpost.types.errors import ToolpostError
from toolpost.types.messages import FilePart
from toolpost.view.words import words

# Providers take less; what they say about it is theirs to say.
MAX_IMAGE_BYTES = 20_000_000
# A text with more names than these is a text.
MAX_NAMES = 50
MAX_NAMES_CHARS = 10_000
_MENTION = re.compile(r'(?<!\S)@(?:"([^"\n]+)"|(\S+))')
_SUFFIXES = frozenset((".png", ".jpg", ".jpeg", ".gif", ".webp"))
_BEGINNINGS = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


class UnusableImage(ToolpostError):
    """An image that cannot be sent. `key` and `values` are its words for a face (`view.words`)."""

    def __init__(self, key: str, **values: object) -> None:
        super().__init__(words(key, "en", **values))
        self.key = key
        self.values = values


def file_part(name: str, data: bytes) -> FilePart:
    # Imported here: few prompts have files.
    from mimetypes import guess_type

    mime = guess_type(name)[0] or "application/octet-stream"
    # By its name a TypeScript file is a video: what reads as text is text.
    if not mime.startswith(("text/", "image/")) and mime != "application/json" and _is_text(data):
        mime = "text/plain"
    return FilePart(mime, base64.b64encode(data).decode(), name=name)


def image_part(name: str, data: bytes) -> FilePart | None:
    """An image that models can see, by how its bytes begin: a name proves nothing. None for anything else."""
    mime = _image_type(data)
    return FilePart(mime, base64.b64encode(data).decode(), name=name) if mime else None


def read_image(path: Path) -> FilePart | None:
    """The image in a file; None where there is none."""
    if path.suffix.lower() not in _SUFFIXES:
        return None
    try:
        if not path.is_file():
            return None
        with path.open("rb") as file:
            data = file.read(MAX_IMAGE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UnusableImage("prompt.unreadable", name=path.name, why=error) from error
    if len(data) > MAX_IMAGE_BYTES:
        raise UnusableImage("prompt.imageTooLarge", name=path.name, limit=f"{MAX_IMAGE_BYTES:,} bytes")
    return image_part(path.name, data)


def dropped_images(pasted: str, folder: Path | None) -> list[FilePart]:
    """The images of a text that is nothing but their paths, as a terminal writes files that are dropped on it: quoted,
    with backslashes, or as `file:` addresses. Empty for any other text."""
    if len(pasted) > MAX_NAMES_CHARS or not any(suffix in pasted.lower() for suffix in _SUFFIXES):
        return []
    for paths in (_names(pasted), [pasted.strip()]):
        if 0 < len(paths) <= MAX_NAMES:
            images = [read_image(path) if (path := _located(name, folder)) else None for name in paths]
            if all(images):
                return [image for image in images if image]
    return []


def mentioned_images(text: str, folder: Path | None) -> list[FilePart]:
    """The images that a prompt mentions, as `@shots/error.png`."""
    found: dict[Path, FilePart] = {}
    for name in _mentioned(text):
        path = _located(name, folder)
        if path is not None and path not in found and (image := read_image(path)):
            found[path] = image
    return list(found.values())


def _mentioned(text: str) -> Iterator[str]:
    for quoted, plain in _MENTION.findall(text):
        # A sentence may end behind it.
        yield quoted or plain.rstrip(".,;:!?)]}。，；：！？）")


def _names(pasted: str) -> list[str]:
    try:
        return shlex.split(pasted)
    except ValueError:
        return []


def _located(name: str, folder: Path | None) -> Path | None:
    if name.startswith("file://"):
        name = unquote(urlsplit(name).path)
    try:
        path = Path(name).expanduser()
    except RuntimeError:
        return None
    if path.is_absolute():
        return path
    return folder / path if folder is not None else None


def _image_type(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((mime for beginning, mime in _BEGINNINGS if data.startswith(beginning)), "")


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
