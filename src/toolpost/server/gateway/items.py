"""Items of earlier responses, for clients that name them by id in place of sending them again."""

from collections.abc import Mapping
from typing import Any, cast

import msgspec

from .kept import Shelves


class Items:
    def __init__(self) -> None:
        self._shelves = Shelves()

    def named_in(self, body: Mapping[str, Any], user: str) -> dict[str, dict[str, Any]]:
        """Those of the user's earlier items that this request names, as far as they are still kept."""
        given = body.get("input")
        rows = cast("list[Any]", given) if isinstance(given, list) else []
        ids = [cast("dict[str, Any]", row).get("id") for row in rows if isinstance(row, dict)]
        shelf = self._shelves.of(user)
        found = {item_id: shelf.get(item_id) for item_id in ids if isinstance(item_id, str)}
        return {item_id: msgspec.json.decode(data) for item_id, data in found.items() if data is not None}

    def keep(self, body: Mapping[str, Any], user: str, items: Mapping[str, bytes]) -> None:
        """Remember what was answered, unless the request said not to."""
        if body.get("store") is False:
            return
        shelf = self._shelves.of(user)
        for item_id, data in items.items():
            shelf.put(item_id, data)


def items_of(response: bytes) -> dict[str, bytes]:
    """The items of a response that is told as a whole."""
    output = msgspec.json.decode(response, type=_Response).output
    return {msgspec.json.decode(item, type=_Item).id: bytes(item) for item in output}


class _Item(msgspec.Struct):
    id: str


class _Response(msgspec.Struct):
    output: list[msgspec.Raw]
