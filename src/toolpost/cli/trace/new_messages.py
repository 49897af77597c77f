"""Find the new messages in the stored body of a request."""

import json
from collections.abc import Iterator
from typing import Any, cast

Said = tuple[str, str]

_LISTS = ("messages", "input")


def new_messages(body: str) -> list[Said]:
    """Role and text of what follows the model's last message; of a body whose beginning was cut, what is whole."""
    try:
        request: Any = json.loads(body)
    except ValueError:
        found = list(_whole_messages(body))
    else:
        table = cast("dict[str, Any]", request) if isinstance(request, dict) else {}
        lists = (cast("list[Any]", table[name]) for name in _LISTS if isinstance(table.get(name), list))
        found = [cast("dict[str, Any]", one) for one in next(lists, ()) if isinstance(one, dict)]
    last = max((place for place, one in enumerate(found) if one.get("role") == "assistant"), default=-1)
    new = found[last + 1 :]
    return [(str(one.get("role", one.get("type", "?"))), _text_of(one)) for one in new if one.get("role") != "system"]


def _whole_messages(body: str) -> Iterator[dict[str, Any]]:
    """The messages behind the cut. Only a key at the start of an object is looked for, as adapters write it."""
    decoder, at = json.JSONDecoder(), body.find('{"role":')
    while at >= 0:
        try:
            found, end = decoder.raw_decode(body, at)
        except ValueError:
            end = at + 1
        else:
            yield found
        at = body.find('{"role":', end)


def _text_of(message: dict[str, Any]) -> str:
    content: Any = message.get("content", message.get("output", ""))
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    pieces = (cast("dict[str, Any]", piece) for piece in cast("list[Any]", content) if isinstance(piece, dict))
    return " ".join(str(piece.get("text") or f"[{piece.get('type', '?')}]") for piece in pieces)
