"""People at a server whose model always has the same to say, and a client of the stream of events."""

import contextlib
import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any

from msgspec import Struct
from resource_play import People, Person, people

from toolpost.testing import Upstream, text

ANSWER = text("one two three four five six", chunk=4)


@contextlib.asynccontextmanager
async def talking(folder: Path, *turns: Any, config: str = "", **flags: Any) -> AsyncGenerator[People]:
    """The model begins again at the end of its turns; `config` is added to the folder's settings, `flags` are stronger
    ones."""
    async with Upstream(*(turns or (ANSWER,)), repeat=True) as up:
        model = f'[providers.again]\nwire = "openai_chat"\nbase_url = "{up.base_url}"\ntool_calls = "native"\n'
        route = '[server.routes.default]\nmodel = "again/m"\n'
        async with people(folder, config=model + route + config, **flags) as every:
            yield every


class Frame(Struct, frozen=True):
    id: str
    event: str
    data: dict[str, Any]


@contextlib.asynccontextmanager
async def listening(person: Person, last: str = "", **query: Any) -> AsyncGenerator[AsyncGenerator[Frame, None]]:
    """The frames of one connection. The first has no event, and says where the stream begins."""
    headers = {"last-event-id": last} if last else {}
    async with person.http.stream("GET", "/api/events", params=query, headers=headers) as answer:
        assert answer.status_code == 200
        assert answer.headers["content-type"] == "text/event-stream"
        async with contextlib.aclosing(_frames(answer.aiter_lines())) as read:
            yield read


async def _frames(lines: Any) -> AsyncGenerator[Frame, None]:
    fields: dict[str, str] = {}
    async for line in lines:
        if line and not line.startswith(":"):
            name, _, value = line.partition(": ")
            fields[name] = value
        elif not line and fields:
            yield Frame(fields.get("id", ""), fields.get("event", ""), json.loads(fields.get("data", "{}")))
            fields = {}
