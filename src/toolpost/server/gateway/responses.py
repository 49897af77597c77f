"""The Responses wire between requests: what one goes on from, and what is kept of its answer."""

import re
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Raw, Struct, structs

from toolpost.models.message_parts import encode
from toolpost.models.sse import SSEParser

from .gateway import MODEL_HEADER
from .output import Done, Out, Relayed
from .request import Asked, Came
from .stored_responses import KeptResponses, Recent
from .wires.openai_responses.input_items import Item, input_items
from .wires.openai_responses.request import Earlier, Foreign, read, read_rest
from .wires.openai_responses.response import Writer

_STATE = ("previous_response_id", "conversation")
_OUR_ID = re.compile(r"[a-z]+_[0-9a-f]{44}(?:_[0-9]+)?")


class Responses:
    def __init__(self, kept: KeptResponses) -> None:
        self.kept = kept

    async def read(self, body: dict[str, Any], came: Came, owner: str, recent: Recent | None = None) -> Asked:
        """A request with the conversation that it goes on from. `recent` are responses of the same connection."""
        earlier = await self.kept.earlier(body, owner, recent)
        try:
            asked = read(body, came.headers, earlier)
        except Foreign as foreign:
            asked = read_rest(body, came.headers, foreign)
        if earlier is not None and (earlier.named or (_goes_on(body) and not earlier.follows)):
            # What is kept here is known to nobody else: whoever gets the request gets all of it.
            came = Came(encode(_with_all_items(body, earlier)), came.headers)
        return structs.replace(asked, came=came, is_stored=self.kept.keeps and body.get("store") is not False)

    async def keep(
        self,
        out: Out,
        writer: Writer,
        asked: Asked,
        owner: str,
        told: Mapping[str, str],
        recent: Recent | None = None,
    ) -> None:
        """Keep the answer where `out` is the end of it. `told` are the headers that went with it."""
        if isinstance(out, Relayed) and out.is_last:
            provider = told.get(MODEL_HEADER, "").partition("/")[0]
            await self.kept.keep(asked, owner, _response_in(out.data), provider=provider, recent=recent)
        elif isinstance(out, Done) and writer.whole:
            await self.kept.keep(asked, owner, writer.whole, recent=recent)


class _Event(Struct):
    response: Raw = Raw(b"{}")


def _response_in(data: bytes) -> bytes:
    """The response of an answer in one piece, or in the last event of a stream."""
    if data.lstrip()[:1] == b"{":
        return data
    parser = SSEParser()
    payloads = parser.feed(data)
    if (last := parser.close()) is not None:
        payloads.append(last.data)
    ends = [payload for payload in payloads if payload[:1] == b"{"]
    return bytes(msgspec.json.decode(ends[-1], type=_Event).response) if ends else b"{}"


def _with_all_items(body: Mapping[str, Any], earlier: Earlier) -> dict[str, Any]:
    items = [*earlier.items, *input_items(body.get("input"), earlier.named)]
    rest = {name: value for name, value in body.items() if name not in _STATE}
    return {**rest, "input": [_without_our_id(item) for item in items]}


def _without_our_id(item: Item) -> Item:
    """Servers look their own ids up, and refuse those of others."""
    if not _OUR_ID.fullmatch(str(item.get("id"))):
        return item
    return {name: value for name, value in item.items() if name != "id"}


def _goes_on(body: Mapping[str, Any]) -> bool:
    return any(body.get(name) is not None for name in _STATE)
