"""Read the files of a prompt: check their types and sizes, and make them parts of a message."""

import base64
import binascii
from collections.abc import Sequence
from typing import Annotated
from urllib.parse import unquote_to_bytes

from msgspec import Meta, Struct, field

from toolpost.server.refusals import BadRequest, Refusal
from toolpost.types.messages import FilePart

MOST_FILES = 20
MOST_BYTES = 20_000_000
NAME_CHARS = 200
IMAGES = ("image/png", "image/jpeg", "image/gif", "image/webp")
TYPES = (*IMAGES, "application/pdf")


class GivenFile(Struct, frozen=True):
    """A file of the AI SDK's: `url` is a data URL."""

    url: Annotated[str, Meta(description="A data URL: data:image/png;base64,…")]
    media_type: str = field(name="mediaType", default="")
    filename: str = ""


def file_parts(given: Sequence[GivenFile]) -> list[FilePart]:
    """Read images, PDF documents and texts. Other files, and too many or too large ones, are refused."""
    if len(given) > MOST_FILES:
        raise BadRequest(f"{len(given)} files in one prompt: send at most {MOST_FILES}")
    parts: list[FilePart] = []
    size = 0
    for file in given:
        mime, data = _read(file)
        size += len(data)
        if size > MOST_BYTES:
            raise Refusal("too_large", f"the files of one prompt must not be larger than {MOST_BYTES:,} bytes in total")
        parts.append(FilePart(_type_of(file, mime, data), base64.b64encode(data).decode(), name=_name_of(file)))
    return parts


def _read(file: GivenFile) -> tuple[str, bytes]:
    scheme, _, rest = file.url.partition(":")
    head, comma, content = rest.partition(",")
    if scheme.lower() != "data" or not comma:
        raise BadRequest(f"{_shown(file)}: only data URLs are accepted: send the file itself, not a link to it")
    mime, *parameters = [word.strip().lower() for word in head.split(";")]
    try:
        data = unquote_to_bytes(content)
        return mime, base64.b64decode(data, validate=True) if "base64" in parameters else data
    except binascii.Error:
        raise BadRequest(f"{_shown(file)}: its data URL is not valid base64") from None


def _type_of(file: GivenFile, mime: str, data: bytes) -> str:
    """Return the media type, if the file is of an accepted kind; browsers do not know the types of most text files."""
    wanted = (file.media_type.partition(";")[0].strip().lower() or mime).replace("image/jpg", "image/jpeg")
    if wanted in TYPES:
        return wanted
    if _is_text(data):
        return wanted if wanted.startswith("text/") or wanted == "application/json" else "text/plain"
    raise BadRequest(
        f"{_shown(file)} is {wanted or 'of an unknown type'}: send an image ({', '.join(IMAGES)}), a PDF or a text file"
    )


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False


def _name_of(file: GivenFile) -> str:
    """Return the file name without its folders, which are private."""
    return file.filename.replace("\\", "/").rpartition("/")[2][:NAME_CHARS]


def _shown(file: GivenFile) -> str:
    return f"the file {_name_of(file)!r}" if file.filename else "a file"
