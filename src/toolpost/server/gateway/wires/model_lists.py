"""Write the answers of `GET /v1/models` and `GET /v1/models/{id}`, for clients of OpenAI and of Anthropic."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct

from toolpost.models.message_parts import encode
from toolpost.server.refusals import BadRequest

# Of a page on Anthropic's wire.
DEFAULT_LIMIT = 20
MAX_LIMIT = 1000


class ListedModel(Struct, frozen=True):
    """A model or a route that clients can name. `name` is what a person reads."""

    id: str
    name: str = ""


def openai_list(models: Iterable[ListedModel]) -> bytes:
    return encode({"object": "list", "data": [_openai_row(model) for model in models]})


def openai_model(model: ListedModel) -> bytes:
    return encode(_openai_row(model))


def anthropic_page(models: Sequence[ListedModel], query: Mapping[str, str]) -> bytes:
    """One page of the list: `limit`, and `after_id` or `before_id`."""
    limit = _limit(query.get("limit"))
    first, last = 0, len(models)
    if after := query.get("after_id"):
        first = _place(models, after, "after_id") + 1
    if before := query.get("before_id"):
        last = _place(models, before, "before_id")
        first = max(first, last - limit)
        has_more = first > 0
    else:
        has_more = last - first > limit
    page = [_anthropic_row(model) for model in models[first:last][:limit]]
    ends = {"first_id": page[0]["id"] if page else None, "last_id": page[-1]["id"] if page else None}
    return encode({"data": page, "has_more": has_more, **ends})


def anthropic_model(model: ListedModel) -> bytes:
    return encode(_anthropic_row(model))


def _openai_row(model: ListedModel) -> dict[str, Any]:
    return {"id": model.id, "object": "model", "created": 0, "owned_by": "toolpost"}


def _anthropic_row(model: ListedModel) -> dict[str, Any]:
    return {
        "type": "model",
        "id": model.id,
        "display_name": model.name or model.id,
        "created_at": "1970-01-01T00:00:00Z",
        "lifecycle": "active",
        "max_input_tokens": None,
        "max_tokens": None,
    }


def _limit(given: str | None) -> int:
    if given is None:
        return DEFAULT_LIMIT
    if not given.isascii() or not given.isdigit() or not 1 <= int(given[:9]) <= MAX_LIMIT:
        raise BadRequest(f"limit: must be a whole number from 1 to {MAX_LIMIT}", param="limit")
    return int(given)


def _place(models: Sequence[ListedModel], model_id: str, field: str) -> int:
    for place, known in enumerate(models):
        if known.id == model_id:
            return place
    raise BadRequest(f"{field}: there is no model {model_id!r}; GET /v1/models lists the models", param=field)
