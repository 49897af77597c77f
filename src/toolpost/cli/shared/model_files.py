"""Save files that a model made in the folder of outputs."""

import base64
import binascii
from pathlib import Path

from toolpost.tools.output_file import OutputFile
from toolpost.types.messages import FilePart

_SUFFIXES = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/webp": ".webp",
    "image/gif": ".gif",
    "audio/wav": ".wav",
    "audio/mpeg": ".mp3",
    "video/mp4": ".mp4",
}


def keep_file(part: FilePart, folder: Path, name: str) -> tuple[str, str]:
    """Write the file there under this name. Returns where it is, or nothing, and then why."""
    if not part.data:
        return part.url, "" if part.url else "it is empty"
    try:
        data = base64.b64decode(part.data)
    except binascii.Error:
        return "", "its data is not valid base64"
    spill = OutputFile(folder, name, suffix=_suffix(part.mime))
    spill.write(data)
    path = spill.close()
    return path, spill.error


def _suffix(mime: str) -> str:
    known = _SUFFIXES.get(mime.partition(";")[0].strip().lower())
    if known:
        return known
    # Imported here: few models make anything else.
    from mimetypes import guess_extension

    return guess_extension(mime) or ".bin"
