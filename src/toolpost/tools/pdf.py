"""Extract the text of a PDF in a child process with limits on memory and time: a hostile file can exhaust both."""

import asyncio
import os
import sys
from contextlib import suppress
from weakref import WeakKeyDictionary

from toolpost.extras import has, missing_text
from toolpost.types.errors import ToolError
from toolpost.types.text import clean

MEMORY_BYTES = 1_000_000_000
MAX_CHARACTERS = 2_000_000
MAX_PAGES = 1_000
# Each may take that much memory; who comes later waits.
MAX_AT_ONCE = 2

_slots: "WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore]" = WeakKeyDictionary()


async def pdf_text(data: bytes, seconds: float) -> str:
    """The text of its pages, each under its number; empty where no page has any, as in a scan.

    Raises `ToolError` for a PDF that can't be read, for one that takes too much time or memory, and where nothing is
    installed that reads it.
    """
    if not has(("pypdf",)):
        raise ToolError(missing_text("code", "reading the text of a PDF"))
    async with _slots.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(MAX_AT_ONCE)):
        return clean(await _read(data, seconds))


async def _read(data: bytes, seconds: float) -> str:
    limits = (MEMORY_BYTES, int(seconds) + 1, MAX_CHARACTERS, MAX_PAGES)
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-W", "ignore", "-m", f"{__package__}.pdf_child", *map(str, limits)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env={"PATH": os.defpath, "PYTHONIOENCODING": "utf-8"},
    )
    try:
        async with asyncio.timeout(seconds):
            output, errors = await process.communicate(data)
    except TimeoutError:
        raise ToolError(f"the PDF was not read within {seconds:g} s", kind="timeout") from None
    finally:
        if process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()
    if process.returncode:
        said = errors.decode(errors="replace").strip().splitlines()
        raise ToolError(f"the PDF cannot be read ({said[-1][:200] if said else 'it takes too much memory or time'})")
    return output.decode(errors="replace")
