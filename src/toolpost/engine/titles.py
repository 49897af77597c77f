"""Give sessions titles: the beginning of the first prompt, or one that the small model writes."""

import asyncio
import logging
import time

from toolpost.types.errors import ModelError
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, TextPart

from .asyncio_tasks import stop
from .side_query import answer_aside, small_model
from .state import Core

log = logging.getLogger("toolpost.engine")

MAX_CHARS = 60
MAX_PROMPT_CHARS = 4_000
INSTRUCTIONS = """\
Write a title for a conversation that begins with the message below: what it is about, in at most eight words, in the \
language of the message. Do not answer the message. Write only the title, without quotation marks."""


def first_title(prompt: str) -> str:
    """The first line of a prompt, cut."""
    return _cut(prompt.strip().partition("\n")[0])


def begin_title(core: Core, prompt: str) -> asyncio.Task[None] | None:
    """Let the small model write a title beside the run; None where there is none."""
    if core.setup.small is None or not prompt.strip():
        return None
    return asyncio.create_task(_write(core, prompt, core.journal.info.title), name=f"title {core.journal.info.id}")


async def end_title(task: asyncio.Task[None], seconds: float, grace: float) -> None:
    """Wait so long for a title that is not there when its run ends; `grace` is what it has to close its connection."""
    await asyncio.wait({task}, timeout=seconds)
    await stop(task, grace)


async def _write(core: Core, prompt: str, before: str) -> None:
    text = f"{INSTRUCTIONS}\n\n<message>\n{prompt[:MAX_PROMPT_CHARS]}\n</message>"
    asked = Message(new_id("msg"), "user", (TextPart(text),), time=time.time())
    try:
        if (await small_model(core.setup))[0] is core.setup.model:
            # A title is not worth what the session's own model costs.
            return
        answer = await answer_aside(core, (asked,), small=True)
    except ModelError as error:
        log.warning("no title was written: %s", error)
        return
    except Exception:  # nobody awaits its result, and the session has a title already
        log.exception("no title was written")
        return
    lines = [line.strip(" \t\"'“”#*") for line in answer.text.splitlines()]
    title = _cut(next(filter(None, lines), ""))
    # A person may have given it another name meanwhile.
    if title and core.journal.info.title == before:
        core.journal.change(title=title)


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARS else text[: MAX_CHARS - 1].rstrip() + "…"
