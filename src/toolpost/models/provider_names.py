"""Other names of providers, and model ids that need no provider: `doubao/…`, `volcengine/…` and `ep-…` are of Ark."""

import re
from collections.abc import Container

ALIASES = {"doubao": "ark", "volcengine": "ark"}
# The id of an inference endpoint, which Ark takes in the place of a model's name.
_ENDPOINT = re.compile(r"ep-[A-Za-z0-9-]+")


def canonical_provider(name: str, own: Container[str] = ()) -> str:
    """The provider that a name means. A person's `own` provider of that name is that one itself."""
    return name if name in own else ALIASES.get(name, name)


def canonical_id(model_id: str, own: Container[str] = ()) -> str:
    """The id under which a model is known, whichever name of its provider is used."""
    provider, slash, name = model_id.partition("/")
    if not slash:
        return f"ark/{model_id}" if _ENDPOINT.fullmatch(model_id) else model_id
    return f"{canonical_provider(provider, own)}/{name}"
