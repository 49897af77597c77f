"""Complete Responses input items with ids, resolve references to items, and list items page by page."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from toolpost.server.gateway.wires.openai.request_reader import RequestFields
from toolpost.server.refusals import BadRequest
from toolpost.types.ids import new_id

Item = dict[str, Any]
MAX_ITEMS = 100
USUAL = 20
_PREFIXES = {
    "message": "msg",
    "function_call": "fc",
    "function_call_output": "fco",
    "custom_tool_call": "ctc",
    "custom_tool_call_output": "ctco",
    "reasoning": "rs",
    "compaction": "cmp",
}
_WITH_STATUS = ("message", "function_call", "function_call_output")


class Paging(Struct, frozen=True):
    """The query of a list of items."""

    after: str = ""
    limit: int = USUAL
    order: str = "desc"


def input_items(given: Any, named: Mapping[str, Item]) -> list[Item]:
    """Return the input of a request as items. `named` are stored items that it refers to instead of sending them."""
    if isinstance(given, str):
        return [_whole({"role": "user", "content": given})] if given else []
    rows = cast("list[Any]", given) if isinstance(given, list) else []
    items = [cast("Item", row) for row in rows if isinstance(row, dict)]
    return [_whole(named.get(str(item.get("id")), item) if _is_reference(item) else item) for item in items]


def referenced(given: Any) -> list[str]:
    """Return the ids of the stored items that an input refers to."""
    rows = cast("list[Any]", given) if isinstance(given, list) else []
    items = [cast("Item", row) for row in rows if isinstance(row, dict)]
    return [str(item["id"]) for item in items if _is_reference(item) and item.get("id")]


def listing(items: Sequence[Item], paging: Paging) -> dict[str, Any]:
    """Return one page of a list, the latest item first by default."""
    if paging.order not in ("asc", "desc"):
        raise BadRequest("order must be asc or desc", param="order")
    if not 1 <= paging.limit <= MAX_ITEMS:
        raise BadRequest(f"limit must be a whole number from 1 to {MAX_ITEMS}", param="limit")
    ordered = list(items) if paging.order == "asc" else list(reversed(items))
    if paging.after:
        ids = [item["id"] for item in ordered]
        if paging.after not in ids:
            raise BadRequest("after is not the id of an item in this list", param="after")
        ordered = ordered[ids.index(paging.after) + 1 :]
    return listed(ordered[: paging.limit], has_more=len(ordered) > paging.limit)


def listed(data: Sequence[Item], *, has_more: bool = False) -> dict[str, Any]:
    return {
        "object": "list",
        "data": data,
        "first_id": data[0]["id"] if data else "",
        "last_id": data[-1]["id"] if data else "",
        "has_more": has_more,
    }


def checked_items(fields: RequestFields, key: str) -> list[Item]:
    """Read the items that a request adds to a conversation."""
    return [_whole(item.raw) for item in fields.each(key)]


def _whole(item: Item) -> Item:
    """Return the item with an id, and with its content as parts."""
    kind = str(item.get("type") or "message")
    whole: Item = {**item, "type": kind, "id": item.get("id") or new_id(_PREFIXES.get(kind, "item"))}
    if kind in _WITH_STATUS:
        whole["status"] = item.get("status") or "completed"
    if kind == "message" and isinstance(content := item.get("content"), str):
        whole["content"] = [_text_part(content, str(item.get("role")))]
    return whole


def _text_part(text: str, role: str) -> Item:
    if role == "assistant":
        return {"type": "output_text", "text": text, "annotations": []}
    return {"type": "input_text", "text": text}


def _is_reference(item: Item) -> bool:
    return item.get("type") == "item_reference"
