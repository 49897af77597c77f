"""Note what a model did with its tools: called none, repeated a call, ignored a result.

Only what can be counted is said. Whether an answer is right, nobody here can know.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from toolpost.types.messages import Completed, Message, Pending, Running, ToolPart
from toolpost.types.text import counted

MAX_SHARED = 3
# Numbers, words of four letters or more, pairs of Chinese or Japanese characters.
_WORDS = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_\u3040-\u9fff]{4,}|[\u3040-\u9fff]{2}")
_SAID_NOTHING = ("error", "aborted", "interrupted")


class _Call(msgspec.Struct, frozen=True):
    id: str
    name: str
    arguments: str


class ToolUseNotes:
    """Watch the steps of a run in order; `judge` yields the notes after each answer of the model."""

    def __init__(self) -> None:
        self._step = 0
        self._offered: Sequence[str] = ()
        self._previous: list[_Call] = []
        self._results: dict[str, str] = {}
        self._has_called = False

    def begin_step(self, step: int, offered: Sequence[str]) -> None:
        self._step, self._offered = step, offered

    def add_result(self, call_id: str, text: str) -> None:
        self._results[call_id] = text

    def judge(self, message: Message) -> Iterator[str]:
        finish = message.finish
        if finish is None or finish.reason in _SAID_NOTHING:
            return
        calls = [_Call(part.call_id, part.name, _arguments(part)) for part in message.calls]
        for before in self._previous:
            yield self._after(before, calls, message.text)
        if not calls and not self._has_called:
            yield self._called_nothing()
        self._has_called |= bool(calls)
        self._previous, self._results = calls, {}

    def _called_nothing(self) -> str:
        if not self._offered:
            return "model called no tool; none was offered"
        verb = "was" if len(self._offered) == 1 else "were"
        return f"model called no tool; {len(self._offered)} {verb} offered: {', '.join(self._offered)}"

    def _after(self, before: _Call, calls: list[_Call], text: str) -> str:
        about = f"after the result of {before.name} the model"
        if any((call.name, call.arguments) == (before.name, before.arguments) for call in calls):
            return f"{about} repeated the same call: {before.name} {before.arguments}"
        if calls:
            return f"{about} called {', '.join(call.name for call in calls)}"
        if not text.strip():
            return f"{about} returned an empty answer"
        return f"{about} answered; {self._shared(before, text)}"

    def _shared(self, before: _Call, answer: str) -> str:
        """Count shared words; those that are in the arguments already prove nothing."""
        given = set(_words(self._results.get(before.id, ""))) - set(_words(before.arguments))
        if not given:
            return "the result holds no word or number to look for in the answer"
        spoken = answer.casefold()
        shared = [word for word in sorted(given, key=len, reverse=True) if word in spoken]
        if not shared:
            return "the answer shares no word or number with the result"
        return (
            f"the answer shares {counted(len(shared), 'word or number', 'words or numbers')} with the result: "
            + ", ".join(shared[:MAX_SHARED])
        )


def _words(text: str) -> list[str]:
    return _WORDS.findall(text.casefold())


def _arguments(part: ToolPart) -> str:
    """Encode arguments canonically, so that equal arguments are equal texts."""
    state = part.state
    if isinstance(state, Pending) or state.arguments is None:
        raw = "" if isinstance(state, Completed | Running) else state.raw
        try:
            given: Any = msgspec.json.decode(raw or "{}")
        except msgspec.DecodeError:
            return raw
        return _spelled(given)
    return _spelled(state.arguments)


def _spelled(arguments: Any) -> str:
    return msgspec.json.encode(arguments, order="deterministic").decode()
