"""The text of a PDF, read by a child process with limits: such files can hold bombs and circles of their own."""

import asyncio
import os
import sys
from contextlib import suppress

from toolpost.types.errors import ToolError

MEMORY = 1_000_000_000
MOST_CHARACTERS = 2_000_000


async def pdf_text(data: bytes, seconds: float) -> str:
    """The text of all pages, each under its number; raises `ToolError` for what is no readable PDF."""
    process = await asyncio.create_subprocess_exec(
        *(
            sys.executable,
            "-I",
            "-m",
            f"{__package__}.pdf_child",
            str(MEMORY),
            str(int(seconds) + 1),
            str(MOST_CHARACTERS),
        ),
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
