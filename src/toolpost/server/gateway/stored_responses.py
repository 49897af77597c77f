"""Keep responses and conversations of the Responses wire in the store, and read requests that go on from them."""

import logging
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Raw, Struct, structs

from toolpost.config.schema import ResponseSettings
from toolpost.models.message_parts import encode
from toolpost.models.sse import SSEParser
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.store.contract import ObjectLimits, Store, StoredObject
from toolpost.types.errors import StoreError
from toolpost.types.ids import new_id

from .gateway import MODEL_HEADER
from .output import Done, OutputEvent, Relayed
from .request import GatewayRequest, RawRequest
from .wires.openai.request_reader import RequestFields
from .wires.openai_responses.request import EarlierItems, RelayOnly, read, read_rest
from .wires.openai_responses.response import ResponseWriter
from .wires.openai_responses.stored_items import Item, input_items, referenced

log = logging.getLogger("toolpost.server")

RESPONSE = "response"
CONVERSATION = "conversation"
DAY = 86_400.0
# Beyond this a conversation takes nothing more: each of its responses reads and writes all of it.
MAX_CONVERSATION = 32_000_000
_ID = re.compile(r"[A-Za-z0-9_.-]{1,256}")
_OUR_ID = re.compile(r"[a-z]+_[0-9a-f]{44}(?:_[0-9]+)?")
_GOES_ON_FROM = ("previous_response_id", "conversation")
# The id of an item that was made here has that of its response in it.
_MADE_HERE = re.compile(r"[a-z]+_(?P<response>[0-9a-f]{44})_(?P<place>[0-9]{1,6})")


class KeptResponse(Struct, omit_defaults=True):
    """`input` has the items of its own request. `provider` is set if the provider's server stores the response too,
    under the same id."""

    response: Raw
    input: list[Item] = []
    provider: str = ""

    @property
    def output(self) -> list[Item]:
        return msgspec.json.decode(self.response, type=_Output).output


class KeptConversation(Struct, omit_defaults=True):
    created: int
    metadata: Any = {}
    items: list[Item] = []


class _Output(Struct):
    output: list[Item] = []
    store: bool | None = None
    id: str = ""


_response_decoder = msgspec.json.Decoder(KeptResponse)
_conversation_decoder = msgspec.json.Decoder(KeptConversation)


class KeptResponses:
    """The responses and conversations that this server stores. If the settings store none, a request that refers to one
    is refused."""

    def __init__(self, store: Callable[[], Store], settings: ResponseSettings) -> None:
        self._store = store
        self._settings = settings

    @property
    def keeps(self) -> bool:
        return self._settings.most > 0

    async def response(self, owner: str, response_id: str) -> KeptResponse:
        """Return a stored response. Raises `Refusal` if this user has none with this id."""
        found = await self._find(owner, RESPONSE, response_id)
        return _response_decoder.decode(found.body)

    async def delete_response(self, owner: str, response_id: str) -> None:
        await self._delete(owner, RESPONSE, response_id)

    async def earlier(
        self, body: Mapping[str, Any], owner: str, recent: "RecentResponses | None" = None
    ) -> EarlierItems | None:
        """Return the conversation before this request. None if the request continues a response that only another
        server may know: on a server with one user it can be passed on to that server. `recent` has responses of the
        same connection, which need not be in the store."""
        fields = RequestFields(dict(body))
        named = await self._named(body, owner)
        previous, conversation = fields.text("previous_response_id"), conversation_id(fields)
        if previous and conversation:
            text = "conversation cannot be used together with previous_response_id: use one or the other"
            raise BadRequest(text, param="conversation")
        if conversation:
            found = await self.conversation(owner, conversation, param="conversation")
            return EarlierItems(found.items, named)
        if not previous:
            return EarlierItems((), named)
        chain = await self._chain(owner, previous, recent)
        if not chain and not owner:
            return None
        if not chain:
            self._check_keeps("previous_response_id")
            raise _no_previous(previous)
        items = [item for one in chain for item in (*one.input, *one.output)]
        return EarlierItems(items, named, follows=chain[-1].provider)

    async def keep_response(
        self,
        asked: GatewayRequest,
        owner: str,
        response: bytes,
        *,
        provider: str = "",
        recent: "RecentResponses | None" = None,
    ) -> None:
        """Store a whole response, before the client gets its end."""
        told = msgspec.json.decode(response, type=_Output)
        conversation = conversation_id(RequestFields(asked.body))
        if not told.id or not (asked.is_stored or conversation or recent is not None):
            return
        items = input_items(asked.body.get("input"), await self._named(asked.body, owner))
        # A server that says nothing of keeping it may not do so.
        kept = KeptResponse(Raw(response), items, provider if told.store else "")
        body = msgspec.json.encode(kept)
        previous = asked.body.get("previous_response_id")
        stored = StoredObject(told.id, owner, RESPONSE, time.time(), body, previous or None)
        try:
            if stored.previous is not None and await self._is_known(stored, recent):
                # It would follow itself. Whoever goes on from it is told that it is not kept.
                log.warning("a server gave the id %s to a second response: neither is kept", told.id)
                if recent is not None:
                    recent.drop(told.id)
                await self._store().delete_object(owner, RESPONSE, told.id)
            else:
                if recent is not None:
                    recent.put(stored)
                if asked.is_stored:
                    await self._store().put_object(stored, self._limits)
            if conversation:
                await self.extend(owner, conversation, [*items, *told.output])
        except (StoreError, Refusal) as error:
            log.error("the response %s could not be kept: %s", told.id, error)

    async def read_request(
        self, body: dict[str, Any], came: RawRequest, owner: str, recent: "RecentResponses | None" = None
    ) -> GatewayRequest:
        """Read a request with the conversation that it continues. `recent` has responses of the same connection."""
        earlier = await self.earlier(body, owner, recent)
        try:
            asked = read(body, came.headers, earlier)
        except RelayOnly as foreign:
            asked = read_rest(body, came.headers, foreign)
        if earlier is not None and (earlier.named or (_goes_on(body) and not earlier.follows)):
            # What is kept here is known to nobody else: whoever gets the request gets all of it.
            came = RawRequest(encode(_with_all_items(body, earlier)), came.headers)
        return structs.replace(asked, came=came, is_stored=self.keeps and body.get("store") is not False)

    async def keep(
        self,
        out: OutputEvent,
        writer: ResponseWriter,
        asked: GatewayRequest,
        owner: str,
        told: Mapping[str, str],
        recent: "RecentResponses | None" = None,
    ) -> None:
        """Store the answer if `out` is its end, before the client gets that end: it may continue the conversation at
        once. `told` are the headers of the answer."""
        if isinstance(out, Relayed) and out.is_last:
            provider = told.get(MODEL_HEADER, "").partition("/")[0]
            await self.keep_response(asked, owner, _response_in(out.data), provider=provider, recent=recent)
        elif isinstance(out, Done) and writer.whole:
            await self.keep_response(asked, owner, writer.whole, recent=recent)

    async def _is_known(self, stored: StoredObject, recent: "RecentResponses | None") -> bool:
        if recent is not None and recent.get(stored.id) is not None:
            return True
        return self.keeps and await self._store().find_object(stored.owner, RESPONSE, stored.id) is not None

    async def create_conversation(
        self, owner: str, metadata: Any, items: Sequence[Item]
    ) -> tuple[str, KeptConversation]:
        self._check_keeps("items")
        made = KeptConversation(int(time.time()), metadata, list(items))
        stored = StoredObject(new_id("conv"), owner, CONVERSATION, time.time(), self._small_enough(encode(made)))
        await self._store().put_object(stored, self._limits)
        return stored.id, made

    async def conversation(self, owner: str, conversation_id: str, *, param: str = "") -> KeptConversation:
        found = await self._find(owner, CONVERSATION, conversation_id, param)
        return _conversation_decoder.decode(found.body)

    async def extend(self, owner: str, conversation_id: str, items: Iterable[Item]) -> None:
        """Add items at the end of a conversation."""
        added = list(items)

        def edit(conversation: KeptConversation) -> None:
            conversation.items += added

        await self.change_conversation(owner, conversation_id, edit)

    async def change_conversation(
        self, owner: str, conversation_id: str, edit: Callable[[KeptConversation], None]
    ) -> None:
        def change(body: bytes) -> bytes:
            conversation = _conversation_decoder.decode(body)
            edit(conversation)
            return self._small_enough(encode(conversation))

        self._check_keeps("conversation")
        is_there = bool(_ID.fullmatch(conversation_id))
        if not is_there or not await self._store().change_object(
            owner, CONVERSATION, conversation_id, change, time.time(), self._limits
        ):
            raise _missing(CONVERSATION, conversation_id, "")

    async def delete_conversation(self, owner: str, conversation_id: str) -> None:
        await self._delete(owner, CONVERSATION, conversation_id)

    async def _find(self, owner: str, kind: str, object_id: str, param: str = "") -> StoredObject:
        self._check_keeps(param)
        found = await self._store().find_object(owner, kind, object_id) if _ID.fullmatch(object_id) else None
        if found is None:
            raise _missing(kind, object_id, param)
        return found

    async def _delete(self, owner: str, kind: str, object_id: str) -> None:
        self._check_keeps("")
        if not _ID.fullmatch(object_id) or not await self._store().delete_object(owner, kind, object_id):
            raise _missing(kind, object_id, "")

    async def _chain(self, owner: str, response_id: str, recent: "RecentResponses | None") -> list[KeptResponse]:
        """Return a response after all responses that it continues; nothing if one of them is not stored."""
        wanted: str | None = response_id
        later: list[StoredObject] = []
        while recent is not None and wanted is not None and (found := recent.get(wanted)) is not None:
            later.append(found)
            wanted = found.previous
        chain: list[StoredObject] = []
        if wanted is not None:
            if self.keeps and _ID.fullmatch(wanted):
                chain = await self._store().object_chain(owner, RESPONSE, wanted)
            if not chain or chain[0].previous is not None:
                return []
        return [_response_decoder.decode(one.body) for one in (*chain, *reversed(later))]

    async def _named(self, body: Mapping[str, Any], owner: str) -> dict[str, Item]:
        """Return the items that a request refers to, as far as they were made here and are still stored."""
        named: dict[str, Item] = {}
        outputs: dict[str, list[Item]] = {}
        for item_id in referenced(body.get("input")) if self.keeps else ():
            if (made := _MADE_HERE.fullmatch(item_id)) is None:
                continue
            response_id = f"resp_{made['response']}"
            if response_id not in outputs:
                found = await self._store().find_object(owner, RESPONSE, response_id)
                outputs[response_id] = _response_decoder.decode(found.body).output if found else []
            named |= {item["id"]: item for item in outputs[response_id] if item.get("id") == item_id}
        return named

    def _check_keeps(self, param: str) -> None:
        if not self.keeps:
            text = "this server stores no responses ([server.responses] most = 0): send all items as input"
            raise BadRequest(f"{param}: {text}" if param else text, param=param)

    def _small_enough(self, body: bytes) -> bytes:
        """Refuse a conversation that is larger than the whole store may be: it would be deleted at once."""
        most = min(MAX_CONVERSATION, self._settings.most_bytes)
        if len(body) > most:
            text = f"the conversation would be larger than {most:,} bytes: start a new one"
            raise BadRequest(text, param="conversation")
        return body

    @property
    def _limits(self) -> ObjectLimits:
        settings = self._settings
        return ObjectLimits(settings.most, settings.most_bytes, time.time() - settings.days * DAY)


class RecentResponses:
    """The last responses of one connection."""

    def __init__(self, most: int = 64, most_bytes: int = 32_000_000) -> None:
        self._most = most
        self._most_bytes = most_bytes
        self._size = 0
        self._held: dict[str, StoredObject] = {}

    def get(self, response_id: str) -> StoredObject | None:
        return self._held.get(response_id)

    def drop(self, response_id: str) -> None:
        if (held := self._held.pop(response_id, None)) is not None:
            self._size -= len(held.body)

    def put(self, stored: StoredObject) -> None:
        self._held[stored.id] = stored
        self._size += len(stored.body)
        while len(self._held) > self._most or (self._size > self._most_bytes and len(self._held) > 1):
            oldest = self._held.pop(next(iter(self._held)))
            self._size -= len(oldest.body)


def conversation_id(fields: RequestFields) -> str:
    """The id in the field `conversation`, which is a string or an object with an id."""
    if isinstance(fields.raw.get("conversation"), dict):
        return fields.fields("conversation").needed_text("id")
    return fields.text("conversation")


def _no_previous(response_id: str) -> BadRequest:
    why = f"there is no stored response {response_id[:80]!r} of yours, or one that it continues is no longer stored"
    text = f"previous_response_id: {why}"
    return BadRequest(text, param="previous_response_id", code="previous_response_not_found")


def _missing(kind: str, object_id: str, param: str) -> Refusal:
    shown = object_id[:80]
    return Refusal("not_found", f"you have no stored {kind} {shown!r}", code="no_such_response", param=param)


class _Event(Struct):
    response: Raw = Raw(b"{}")


def _response_in(data: bytes) -> bytes:
    """Return the response from an answer in one piece, or from the last event of a stream."""
    if data.lstrip()[:1] == b"{":
        return data
    parser = SSEParser()
    payloads = parser.feed(data)
    if (last := parser.close()) is not None:
        payloads.append(last.data)
    ends = [payload for payload in payloads if payload[:1] == b"{"]
    return bytes(msgspec.json.decode(ends[-1], type=_Event).response) if ends else b"{}"


def _with_all_items(body: Mapping[str, Any], earlier: EarlierItems) -> dict[str, Any]:
    items = [*earlier.items, *input_items(body.get("input"), earlier.named)]
    rest = {name: value for name, value in body.items() if name not in _GOES_ON_FROM}
    return {**rest, "input": [_without_our_id(item) for item in items]}


def _without_our_id(item: Item) -> Item:
    """Remove an id that was made here: other servers look ids up, and refuse unknown ones."""
    if not _OUR_ID.fullmatch(str(item.get("id"))):
        return item
    return {name: value for name, value in item.items() if name != "id"}


def _goes_on(body: Mapping[str, Any]) -> bool:
    return any(body.get(name) is not None for name in _GOES_ON_FROM)
