"""Routes of the Responses API besides creating responses: get, delete and compact them, count tokens, conversations."""

import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from typing import Any

from msgspec import structs

from toolpost.engine.compaction import INSTRUCTIONS, flatten
from toolpost.models.message_parts import encode
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.server.routing import Doc, Route
from toolpost.types.ids import new_id
from toolpost.types.messages import Message, TextPart, Usage
from toolpost.types.stream import StreamError, TextDelta

from . import openapi
from .gateway import Gateway, refusal_of
from .output import Done
from .relay import counted
from .request import GatewayRequest, RawRequest
from .route_choice import tokens_of
from .stored_responses import KeptConversation, KeptResponses
from .wires.openai.request_reader import RequestFields
from .wires.openai_responses.response import usage_fields
from .wires.openai_responses.stored_items import Item, Paging, checked_items, input_items, listed, listing
from .wires.sealed_reasoning import seal

# What a conversation takes at once.
MAX_ITEMS = 100


class ResponsesRoutes:
    def __init__(self, gateway: Gateway, responses: KeptResponses) -> None:
        self._gateway = gateway
        self._kept = responses

    def routes(self) -> list[Route]:
        def route(method: str, path: str, handler: Callable[[Request], Any], doc: Doc) -> Route:
            return Route(method, path, handler, doc, shape="openai")

        return [
            route("POST", "/v1/responses/compact", self._compact, openapi.COMPACT),
            route("POST", "/v1/responses/input_tokens", self._count, openapi.INPUT_TOKENS),
            route("GET", "/v1/responses/{id}", self._response, openapi.RESPONSE),
            route("DELETE", "/v1/responses/{id}", self._delete_response, openapi.DELETE_RESPONSE),
            route("GET", "/v1/responses/{id}/input_items", self._input_items, openapi.INPUT_ITEMS),
            route("POST", "/v1/conversations", self._create_conversation, openapi.CREATE_CONVERSATION),
            route("GET", "/v1/conversations/{id}", self._conversation, openapi.CONVERSATION),
            route("POST", "/v1/conversations/{id}", self._update_conversation, openapi.UPDATE_CONVERSATION),
            route("DELETE", "/v1/conversations/{id}", self._delete_conversation, openapi.DELETE_CONVERSATION),
            route("POST", "/v1/conversations/{id}/items", self._add_items, openapi.ADD_ITEMS),
            route("GET", "/v1/conversations/{id}/items", self._items, openapi.ITEMS),
            route("GET", "/v1/conversations/{id}/items/{item}", self._item, openapi.ITEM),
            route("DELETE", "/v1/conversations/{id}/items/{item}", self._delete_item, openapi.DELETE_ITEM),
        ]

    async def _response(self, request: Request) -> None:
        if request.query.get("stream", "false").lower() not in ("false", "0", ""):
            raise BadRequest("stream: a stored response cannot be streamed: remove this parameter", param="stream")
        kept = await self._kept.response(request.user.name, request.params["id"])
        await request.reply(bytes(kept.response))

    async def _delete_response(self, request: Request) -> None:
        await self._kept.delete_response(request.user.name, request.params["id"])
        await request.reply_json({"id": request.params["id"], "object": "response", "deleted": True})

    async def _input_items(self, request: Request) -> None:
        kept = await self._kept.response(request.user.name, request.params["id"])
        await request.reply_json(listing(kept.input, request.query_as(Paging)))

    async def _count(self, request: Request) -> None:
        asked, targets = await self._read(request, {"model": "default"}), self._gateway.targets
        model = targets.single(targets.choose(asked, request.user).models[0])
        told = await counted(asked, model)
        if told is None:
            _check_readable(asked)
            told = encode({"object": "response.input_tokens", "input_tokens": max(tokens_of(asked), 1)})
        await request.reply(told)

    async def _compact(self, request: Request) -> None:
        asked = await self._read(request, {})
        told = await self._gateway.compacted(asked, request.user, request.headers_out)
        if told is None:
            _check_readable(asked)
            told = await self._summarised(asked, request)
        await request.reply(told)

    async def _summarised(self, asked: GatewayRequest, request: Request) -> bytes:
        """Return the user's messages and a summary of the whole conversation in place of the rest."""
        prompt = f"{INSTRUCTIONS}\n\n<conversation>\n{flatten(asked.messages)}\n</conversation>"
        message = Message(new_id("msg"), "user", (TextPart(prompt),))
        aside = GatewayRequest("openai_responses", asked.model, (message,), {}, tool_choice="none")
        pieces: list[str] = []
        usage = Usage()
        answer = await self._gateway.answer(aside, request.user, request.headers_out)
        async with aclosing(answer) as outs:
            async for out in outs:
                if isinstance(out, TextDelta):
                    pieces.append(out.text)
                elif isinstance(out, StreamError):
                    raise refusal_of(out.error)
                elif isinstance(out, Done):
                    usage = out.usage
        summary = "".join(pieces).strip()
        if not summary:
            raise Refusal("internal", "the model returned an empty summary")
        said = [item for item in await self._said(asked, request) if item.get("role") == "user"]
        sealed = seal({"compaction": {"summary": summary}})
        made = {
            "id": new_id("resp"),
            "object": "response.compaction",
            "created_at": int(time.time()),
            "output": [*said, {"id": new_id("cmp"), "type": "compaction", "encrypted_content": sealed}],
            "usage": usage_fields(usage),
        }
        return encode(made)

    async def _said(self, asked: GatewayRequest, request: Request) -> Sequence[Item]:
        earlier = await self._kept.earlier(asked.body, request.user.name)
        before = earlier.items if earlier else ()
        return [*before, *input_items(asked.body.get("input"), earlier.named if earlier else {})]

    async def _read(self, request: Request, usual: dict[str, Any]) -> GatewayRequest:
        body = {**usual, **request.json(dict[str, Any])}
        came = RawRequest(request.body or b"{}", request.headers)
        return structs.replace(await self._kept.read_request(body, came, request.user.name), is_stored=False)

    async def _create_conversation(self, request: Request) -> None:
        fields = RequestFields(request.json(dict[str, Any]))
        items = _few(checked_items(fields, "items"))
        made = await self._kept.create_conversation(request.user.name, fields.table("metadata") or {}, items)
        await request.reply_json(_shown(*made))

    async def _conversation(self, request: Request) -> None:
        await request.reply_json(_shown(request.params["id"], await self._found(request)))

    async def _update_conversation(self, request: Request) -> None:
        metadata = RequestFields(request.json(dict[str, Any])).table("metadata") or {}

        def edit(conversation: KeptConversation) -> None:
            conversation.metadata = metadata

        await self._kept.change_conversation(request.user.name, request.params["id"], edit)
        await self._conversation(request)

    async def _delete_conversation(self, request: Request) -> None:
        await self._kept.delete_conversation(request.user.name, request.params["id"])
        await request.reply_json({"id": request.params["id"], "object": "conversation.deleted", "deleted": True})

    async def _add_items(self, request: Request) -> None:
        await self._found(request)
        items = _few(checked_items(RequestFields(request.json(dict[str, Any])), "items"))
        if not items:
            raise BadRequest("items must be an array with at least one item", param="items")
        await self._kept.extend(request.user.name, request.params["id"], items)
        await request.reply_json(listed(items))

    async def _items(self, request: Request) -> None:
        conversation = await self._found(request)
        await request.reply_json(listing(conversation.items, request.query_as(Paging)))

    async def _item(self, request: Request) -> None:
        conversation = await self._found(request)
        found = [item for item in conversation.items if item["id"] == request.params["item"]]
        if not found:
            raise _no_item(request)
        await request.reply_json(found[0])

    async def _delete_item(self, request: Request) -> None:
        item_id = request.params["item"]
        if all(item["id"] != item_id for item in (await self._found(request)).items):
            raise _no_item(request)

        def edit(conversation: KeptConversation) -> None:
            conversation.items = [item for item in conversation.items if item["id"] != item_id]

        await self._kept.change_conversation(request.user.name, request.params["id"], edit)
        await self._conversation(request)

    async def _found(self, request: Request) -> KeptConversation:
        return await self._kept.conversation(request.user.name, request.params["id"])


def _check_readable(asked: GatewayRequest) -> None:
    if asked.only_relayed:
        raise BadRequest(asked.only_relayed, param=asked.only_relayed.partition(" ")[0])


def _few(items: list[Item]) -> list[Item]:
    if len(items) > MAX_ITEMS:
        raise BadRequest(f"items must contain at most {MAX_ITEMS} items", param="items")
    return items


def _no_item(request: Request) -> Refusal:
    text = f"there is no item {request.params['item'][:80]!r} in this conversation"
    return Refusal("not_found", text, code="no_such_response")


def _shown(conversation_id: str, conversation: KeptConversation) -> dict[str, Any]:
    return {
        "id": conversation_id,
        "object": "conversation",
        "created_at": conversation.created,
        "metadata": conversation.metadata,
    }
