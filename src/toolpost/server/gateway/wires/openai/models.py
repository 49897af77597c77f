"""`GET /v1/models` and `GET /v1/models/{id}`, as OpenAI answers them."""

from collections.abc import Iterable
from typing import Any

from msgspec import Struct

from toolpost.models.message_parts import encode


class Listed(Struct, frozen=True):
    """A model that can be asked for. The sizes are in tokens, None where they are not known; `created` is a time in
    whole seconds."""

    id: str
    owner: str = "toolpost"
    created: int = 0
    context_window: int | None = None
    max_output: int | None = None


def listing(models: Iterable[Listed]) -> bytes:
    return encode({"object": "list", "data": [_row(model) for model in models]})


def one(model: Listed) -> bytes:
    return encode(_row(model))


def _row(model: Listed) -> dict[str, Any]:
    row: dict[str, Any] = {"id": model.id, "object": "model", "created": model.created, "owned_by": model.owner}
    # Not OpenAI's own fields, but those that clients of other servers look for.
    sizes = {"context_length": model.context_window, "max_output_tokens": model.max_output}
    return row | {name: size for name, size in sizes.items() if size is not None}
