"""Restore calls that ran here, and that the client did not see, in the conversation that it sends back."""

import hashlib
import operator
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import structs

from toolpost.types.messages import CallState, Message, Part, Running, ToolPart

from .lru import LruCache
from .request import GatewayRequest


class HiddenCalls:
    """`messages` is the conversation with the hidden calls restored, as far as they are still cached; `adds_hidden`
    says whether there were any.

    A turn is found by the client's calls in it and by all that was said before it: models may use an id twice.
    """

    def __init__(self, asked: GatewayRequest, cache: LruCache) -> None:
        self._cache = cache
        self._is_shown = asked.mcp.is_shown
        self._said = hashlib.sha256()
        messages: list[Message] = []
        for message in asked.messages:
            messages += self._whole(message)
            self._said.update(repr((message.role, message.text, _ids(message))).encode("utf-8", "surrogatepass"))
        self.messages = tuple(messages)
        self.adds_hidden = any(map(operator.is_not, self.messages, asked.messages))

    def keep(self, made: Sequence[Message]) -> None:
        """Remember the answers of a run that ended with calls for the client, unless it sees all of them."""
        left = _left_open(made[-1]) if made else []
        if not self._is_shown and left and any(_ids(message) != left for message in made):
            self._cache.put(self._key(left), msgspec.msgpack.encode(made))

    def _whole(self, message: Message) -> Sequence[Message]:
        ids = _ids(message) if message.role == "assistant" else []
        data = self._cache.get(self._key(ids)) if ids else None
        if data is None:
            return (message,)
        *earlier, last = msgspec.msgpack.decode(data, type=tuple[Message, ...])
        states = {part.call_id: part.state for part in message.calls}
        return (*earlier, structs.replace(last, parts=tuple(_with_result(part, states) for part in last.parts)))

    def _key(self, ids: Sequence[str]) -> str:
        return f"{self._said.hexdigest()} {sorted(ids)}"


def _ids(message: Message) -> list[str]:
    return [part.call_id for part in message.calls]


def _with_result(part: Part, states: Mapping[str, CallState]) -> Part:
    if not isinstance(part, ToolPart) or part.call_id not in states:
        return part
    return structs.replace(part, state=states[part.call_id])


def _left_open(message: Message) -> list[str]:
    return [part.call_id for part in message.calls if isinstance(part.state, Running)]
