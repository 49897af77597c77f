"""What `GET /v1/models`, `GET /v1/models/{id}` and `POST /v1/messages/count_tokens` answer on Anthropic's wire."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from msgspec import Struct

from toolpost.engine.token_estimate import CHARS_PER_TOKEN, estimate
from toolpost.models.message_parts import encode
from toolpost.server.gateway.request import Asked
from toolpost.server.refusals import BadRequest

DEFAULT_LIMIT = 20
MOST = 1000


class Offered(Struct, frozen=True):
    """A model or a route that can be asked by its `id`. `created` is in seconds; 0 where nobody knows."""

    id: str
    name: str = ""
    created: float = 0.0
    context_window: int | None = None
    max_output: int | None = None


def models(offered: Sequence[Offered], query: Mapping[str, str]) -> bytes:
    """One page of the list: `limit`, and `after_id` or `before_id`."""
    limit = _limit(query.get("limit"))
    first, last = 0, len(offered)
    if after := query.get("after_id"):
        first = _place(offered, after, "after_id") + 1
    if before := query.get("before_id"):
        last = _place(offered, before, "before_id")
        first = max(first, last - limit)
        has_more = first > 0
    else:
        has_more = last - first > limit
    page = [_row(model) for model in offered[first:last][:limit]]
    ends = {"first_id": page[0]["id"] if page else None, "last_id": page[-1]["id"] if page else None}
    return encode({"data": page, "has_more": has_more, **ends})


def one(offered: Offered) -> bytes:
    return encode(_row(offered))


def counted(asked: Asked) -> bytes:
    """Roughly how many tokens a request takes."""
    told = sum(len(text) for text in asked.system)
    told += sum(len(tool.name) + len(tool.description) + len(encode(tool.parameters)) for tool in asked.tools)
    tokens = sum(estimate(message) for message in asked.messages) + told // CHARS_PER_TOKEN
    return encode({"input_tokens": max(tokens, 1)})


def _limit(given: str | None) -> int:
    if given is None:
        return DEFAULT_LIMIT
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:9]) <= MOST:
        raise BadRequest(f"limit: it must be a whole number from 1 to {MOST}")
    return int(given)


def _place(offered: Sequence[Offered], model_id: str, field: str) -> int:
    for place, known in enumerate(offered):
        if known.id == model_id:
            return place
    raise BadRequest(f"{field}: there is no model {model_id!r} here")


def _row(offered: Offered) -> dict[str, Any]:
    return {
        "type": "model",
        "id": offered.id,
        "display_name": offered.name or offered.id,
        "created_at": datetime.fromtimestamp(offered.created, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        "lifecycle": "active",
        "max_input_tokens": offered.context_window,
        "max_tokens": offered.max_output,
    }
