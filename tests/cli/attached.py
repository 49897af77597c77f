"""A control over the API of a `toolpost serve` that runs as a process of its own, and the face that it tells."""

import asyncio
import contextlib

from faces import PATIENCE, NotingFace
from served import TOKEN

from toolpost.control.api_client import ApiClient
from toolpost.control.server_control import ServerControl


@contextlib.asynccontextmanager
async def attached(url, token=TOKEN, **wanted):
    """A control with its face, started."""
    control, face = ServerControl(ApiClient(url, token), **wanted), NotingFace()
    face.control = control
    try:
        await control.start(face)
        yield control, face
    finally:
        await control.close()


async def within(awaitable):
    async with asyncio.timeout(PATIENCE):
        return await awaitable


async def begun(serving, text="go", token=TOKEN, **settings):
    """A session that another client has made, with a run."""
    made = await serving.ask("POST", "/api/sessions", token, json=settings)
    session = made.json()["id"]
    sent = await serving.ask("POST", f"/api/sessions/{session}/prompts", token, json={"text": text})
    assert sent.status_code == 202, sent.text
    return session


def shown(view):
    """What a transcript shows, without times."""
    return [(item.kind, getattr(item, "text", ""), getattr(item, "state", "")) for item in view.items]
