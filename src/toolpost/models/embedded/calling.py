"""A question answered with calls: what the model writes first, what it left out, and what it should rather have taken.

A model of this size stops too early, and takes the nearer of two tools where the question names something that only
the other one asks for. The facts of the question tell: one that is in no call was not served.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from toolpost.models.contract import ModelRequest
from toolpost.models.parts import encode, result_text
from toolpost.models.prompted.constrain import constrained_reader, constraint
from toolpost.types.messages import Message
from toolpost.types.stream import StreamEvent, ToolCall
from toolpost.types.tools import ToolSpec

from .confidence import how_sure, would_go_on
from .decoder import Decoder, Written
from .mending.calls import Mended, Mender
from .mending.copying import Doubled
from .mending.coverage import unserved
from .mending.facts import Fact, is_said_by, leaves
from .mending.figures import places_for
from .notes import notes
from .prompt import prompt
from .today import today_in

DIALECT, BACKEND = "hermes", "llamacpp"
MOST_CALLS = 8
MOST_TOKENS = 512
# How likely a further call has to be where a part of the question is not served, or where a fact of it is not. Found on
# the development set.
LEAST_LIKELY_CALL, LEAST_LIKELY_CALL_FOR_FACTS = 0.02, 0.0005
# How likely another tool has to be, as a part of the one that was taken: where that needs what nobody said, where it
# leaves out what was said, and where it does so and the other one takes a same text.
LEAST_LIKELY_WHOLE, LEAST_LIKELY_TOOL, LEAST_LIKELY_SIBLING = 0.1, 0.01, 0.0015


class Calling:
    """One question to the model, with the tools that it is shown."""

    def __init__(
        self,
        decoder: Decoder,
        request: ModelRequest,
        question: str,
        tools: Sequence[ToolSpec],
        options: Mapping[str, Any],
        *,
        grammar: bool,
    ) -> None:
        today = today_in(request.system)
        self._decoder = decoder
        self._tools = {tool.name: tool for tool in tools}
        self._options = options
        self._grammar = grammar
        self._question = question
        self._today = today.isoformat()
        self._asked = prompt(tools, request.messages, today)
        self._text = ""
        texts = [text for message in request.messages for text in _texts(message)]
        self._mender = Mender(texts, question, notes(question, today), self._today, self._choose_value)

    def write(self, on_text: Callable[[str], None], *, required: bool) -> Written:
        """What the model says to the question, calls or words."""
        tools = list(self._tools.values())
        written = self._decoder.write(self._asked, options=self._bound(tools, required=required), on_text=on_text)
        self._text = written.text
        return written

    def settled(self, calls: Sequence[ToolCall], written: Written) -> list[Mended]:
        """The calls, put right, with those that were forgotten."""
        mended = self._mender.spread(self._mended(calls, alone=len(calls) == 1))
        mended = self._with_other_tools(mended, written)
        whole = self._mender.with_whole_lists(self._with_forgotten(mended, written))
        return self._mender.filled(self._mender.spread(whole))

    def doubled(self, calls: Sequence[Mended]) -> Doubled | None:
        return self._mender.doubled(calls)

    def _mended(self, calls: Sequence[ToolCall], *, alone: bool) -> list[Mended]:
        return [self._mender.mended(call, self._tools[call.name], alone=alone) for call in calls]

    def _with_other_tools(self, chosen: list[Mended], written: Written) -> list[Mended]:
        """The calls, or those of tools that have a place for what these leave out, or need nothing that nobody said."""
        others = self._better_tools(chosen)
        if not others:
            return chosen
        again = self._decoder.write(self._asked, options=self._bound(others, required=True))
        read = self._read(again.text)[: len(chosen)]
        found = self._mended(read, alone=len(read) == 1)
        if not found or any(one.missing for one in found):
            return chosen
        least = LEAST_LIKELY_SIBLING if _share_a_text(found, chosen) else LEAST_LIKELY_TOOL
        is_better = len(self._mender.left(found)) < len(self._mender.left(chosen))
        if any(one.missing for one in chosen):
            least, is_better = LEAST_LIKELY_WHOLE, True
        if not is_better or how_sure(again.tokens) < least * how_sure(written.tokens):
            return chosen
        self._text = again.text
        return found

    def _better_tools(self, chosen: Sequence[Mended]) -> list[ToolSpec]:
        """The tools to be tried instead of those that were chosen."""
        if short := {one.tool.name for one in chosen if one.missing}:
            return [tool for tool in self._tools.values() if tool.name not in short]
        lacking = self._without_place(self._mender.reasons(chosen), chosen)
        return [
            tool
            for tool in self._tools.values()
            if len(chosen) == 1
            and tool.name != chosen[0].tool.name
            and any(places_for(fact, tool.parameters, {}) for fact in lacking)
        ]

    def _with_forgotten(self, calls: list[Mended], written: Written) -> list[Mended]:
        """The calls and those that serve what no call has served, where the model finds a further one likely at all."""
        likely = would_go_on(written.tokens)
        while len(calls) < MOST_CALLS:
            facts = self._without_place(self._mender.reasons(calls), calls)
            parts = unserved(self._question, [one.arguments for one in calls])
            if likely < (LEAST_LIKELY_CALL_FOR_FACTS if facts else LEAST_LIKELY_CALL) or not (facts or parts):
                break
            tools = list(self._tools.values())
            more = self._decoder.write(f"{self._asked}{self._text}\n", options=self._bound(tools, required=True))
            new = [one for one in self._mended(self._read(more.text), alone=False) if self._is_new(one, calls, facts)]
            if not new:
                break
            calls = [*calls, *new][:MOST_CALLS]
            self._text += f"\n{more.text}"
            likely = would_go_on(more.tokens)
        return calls

    def _without_place(self, facts: Sequence[Fact], calls: Sequence[Mended]) -> list[Fact]:
        """The facts that none of the calls could take. Today is said without being asked for."""
        return [
            fact
            for fact in facts
            if fact.plain != self._today
            and not any(places_for(fact, one.tool.parameters, one.arguments) for one in calls)
        ]

    def _is_new(self, one: Mended, calls: Sequence[Mended], facts: Sequence[Fact]) -> bool:
        """Whether a call serves facts that were not served, or else a part of the question, with nothing made up."""
        if one.missing or one.call.raw or any(key_of(one.call) == key_of(other.call) for other in calls):
            return False
        if facts:
            return any(is_said_by(fact, value) for fact in facts for value in leaves(one.arguments))
        before = unserved(self._question, [other.arguments for other in calls])
        return len(unserved(self._question, [one.arguments, *(other.arguments for other in calls)])) < len(before)

    def _read(self, text: str) -> list[ToolCall]:
        reader = constrained_reader(BACKEND, list(self._tools.values()), DIALECT)
        events: list[StreamEvent] = [*reader.feed(text), *reader.close()]
        return [event for event in events if isinstance(event, ToolCall) and event.name in self._tools]

    def _bound(self, tools: Sequence[ToolSpec], *, required: bool) -> dict[str, Any]:
        """The options of a request whose calls are held to these tools."""
        limits = constraint(BACKEND, tools, DIALECT, required=required) if self._grammar else None
        own: dict[str, Any] = self._options.get("extra") or {}
        return {"max_tokens": MOST_TOKENS, **self._options, "extra": {**(limits or {}), **own}}

    def _choose_value(self, call: ToolCall, name: str, spans: Sequence[str]) -> str:
        """The part of the question that the model would write there, if it may write nothing else."""
        value = str(call.arguments[name])
        before, found, _ = (self._asked + self._text).rpartition(f'"{name}": {encode(value).decode()}')
        return self._decoder.choose(f'{before}"{name}": "', spans) if found else value


def _texts(message: Message) -> list[str]:
    """What was said in a message: what tools gave back, and its words."""
    return [*(result_text(call.state) for call in message.calls), message.text]


def _share_a_text(some: Sequence[Mended], others: Sequence[Mended]) -> bool:
    return bool(set(_texts_in(some)) & set(_texts_in(others)))


def _texts_in(calls: Sequence[Mended]) -> list[str]:
    return [value for one in calls for value in leaves(one.arguments) if isinstance(value, str)]


def key_of(call: ToolCall) -> bytes:
    """Two calls with the same key are the same call."""
    return msgspec.json.encode([call.name, call.arguments], order="sorted")
