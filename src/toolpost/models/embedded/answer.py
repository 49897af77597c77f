"""What the model says in words: an answer to the conversation, or what the results of its calls say.

A sentence that says something else than the results is not shown; the results are.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Literal

from toolpost.models.parts import arguments_of, result_text
from toolpost.models.prompted.writer import language_of
from toolpost.types.messages import Message, ToolPart
from toolpost.types.stream import TextDelta
from toolpost.types.tools import ToolSpec

from .decoder import Decoder
from .mending.facts import leaves
from .prompt import ASSISTANT, MOST_RESULT_CHARS, prompt, turn
from .telling import document_of, is_a_list_of_things, is_document, plainly
from .words import numbers_in, stems

MOST_TOKENS = 512
MOST_RETOLD_TOKENS = 160
# Longer ones cost more time than they bring: a model of this size makes nothing of them.
MOST_SYSTEM_CHARS = 300
MOST_TOLD_VALUES = 6

SYSTEM = "You are a helpful assistant."


def conversation(messages: Sequence[Message], system: str) -> str:
    """A conversation without tools, as the model was trained to read it, up to where it speaks."""
    turns = [turn("system", system if 0 < len(system) <= MOST_SYSTEM_CHARS else SYSTEM)]
    for message in messages:
        results = [f"{call.name}: {result_text(call.state)[:MOST_RESULT_CHARS]}" for call in message.calls]
        if text := "\n".join(filter(None, [message.text, *results])):
            turns.append(turn(message.role, text))
    return "".join(map(str, turns)) + ASSISTANT


def answer(
    decoder: Decoder, asked: str, options: Mapping[str, Any], emit: Callable[[TextDelta], None]
) -> Literal["stop", "length"]:
    """Free text of the model without its adapter, as it comes. Says whether it was cut."""
    defaults: dict[str, Any] = {"max_tokens": MOST_TOKENS, "extra": {"repeat_penalty": 1.1}}

    def on_text(text: str) -> None:
        emit(TextDelta(text))

    return decoder.write(asked, options={**defaults, **options}, on_text=on_text, adapted=False).reason


def say_results(
    decoder: Decoder, tools: Sequence[ToolSpec], messages: Sequence[Message], made: Sequence[ToolPart], today: date
) -> str:
    """A sentence or two about the results, or the results themselves."""
    language = language_of(messages)
    plain = "\n".join(plainly(call, language) for call in made)
    results = [result_text(call.state) for call in made]
    if sum(map(len, results)) > MOST_RESULT_CHARS or any(map(is_a_list_of_things, results)):
        return plain
    options = {"max_tokens": MOST_RETOLD_TOKENS, "stop": ["<tool_call>"]}
    said = decoder.write(prompt(tools, messages, today), options=options)
    text = said.text.strip()
    question = " ".join(message.text for message in messages if message.role == "user")
    is_whole = said.reason == "stop" and bool(text)
    return text if is_whole and is_faithful(text, made, question) else plain


def is_faithful(text: str, made: Sequence[ToolPart], question: str) -> bool:
    """True if a text has no number but those of the results, the calls and the question, and tells of every result."""
    arguments = [str(value) for call in made for value in arguments_of(call.state).values()]
    known = numbers_in(" ".join([question, *arguments, *(result_text(call.state) for call in made)]))
    return set(numbers_in(text)) <= set(known) and all(_tells(text, call) for call in made)


def _tells(text: str, call: ToolPart) -> bool:
    """Three quarters of what a result says must be told; of a long one, of as much as fits a sentence."""
    values = list(_values(result_text(call.state)))
    told = sum(_is_told(value, text) for value in values)
    return told * 4 >= min(len(values), MOST_TOLD_VALUES) * 3


def _values(result: str) -> Iterator[str]:
    """What a result says: the values of a JSON document, or its numbers and words."""
    if is_document(result):
        known = (value for value in leaves(document_of(result)) if value is not None and not isinstance(value, bool))
        yield from map(str, known)
        return
    yield from numbers_in(result)
    yield from sorted(stems(result))


def _is_told(value: str, text: str) -> bool:
    if value.casefold() in text.casefold():
        return True
    if numbers := numbers_in(value):
        return set(numbers) <= set(numbers_in(text))
    words = stems(value)
    return bool(words) and len(words & stems(text)) * 2 >= len(words)
