"""Read an image from the system's clipboard, with the program that this system has for it."""

import asyncio
import contextlib
import os
import shutil
import sys
from collections.abc import Mapping, Sequence

from toolpost.control.file_parts import MAX_IMAGE_BYTES, image_part
from toolpost.types.messages import FilePart

SECONDS = 3.0
NAME = "clipboard"
_WAYLAND = ("wl-paste", "--no-newline", "--type", "image/png")
_X11 = ("xclip", "-selection", "clipboard", "-target", "image/png", "-out")
_MAC = ("pngpaste", "-")


class NoClipboardProgram(Exception):
    """There is no program that gives images of the clipboard."""


async def clipboard_image(environ: Mapping[str, str] = os.environ) -> FilePart | None:
    """The image on the clipboard, None where there is none. Raises `NoClipboardProgram`."""
    commands = [command for command in _commands(environ) if shutil.which(command[0], path=environ.get("PATH"))]
    if not commands:
        raise NoClipboardProgram
    for command in commands:
        data = await _output(command)
        image = image_part(f"{NAME}.png", data) if len(data) <= MAX_IMAGE_BYTES else None
        if image is not None:
            return image
    return None


def _commands(environ: Mapping[str, str]) -> list[Sequence[str]]:
    if sys.platform == "darwin":
        return [_MAC]
    return [
        *([_WAYLAND] if environ.get("WAYLAND_DISPLAY") else ()),
        *([_X11] if environ.get("DISPLAY") else ()),
    ]


async def _output(command: Sequence[str]) -> bytes:
    """What a program prints; nothing where it fails, or hangs because the owner of the clipboard does not answer."""
    try:
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
        )
    except OSError:
        return b""
    assert process.stdout is not None
    data = bytearray()
    try:
        async with asyncio.timeout(SECONDS):
            while len(data) <= MAX_IMAGE_BYTES and (piece := await process.stdout.read(1 << 16)):
                data += piece
    except TimeoutError:
        return b""
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        await process.wait()
    return bytes(data)
