"""What the model says in words: an answer to the conversation, or what the results of its calls say.

Of a result it writes one sentence. A sentence that says something else than the result is not shown; the result is.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from toolpost.models.parts import arguments_of, result_text
from toolpost.types.messages import Failed, Message, ToolPart
from toolpost.types.stream import TextDelta

from .decoder import Decoder
from .words import first_sentence, numbers_in, stems

MOST_TOKENS = 512
SENTENCE_TOKENS = 48
# Longer ones cost more time than they bring: a model of this size makes nothing of them.
MOST_SYSTEM_CHARS = 300
MOST_RETOLD_CHARS = 400
MOST_SHOWN_CHARS = 2_000

SYSTEM = "You are a helpful assistant."
FROM_FACTS = "You are a helpful assistant. Answer the question from the facts, briefly."


def conversation(messages: Sequence[Message], system: str) -> str:
    """The conversation as the model was trained to read it, up to where it speaks."""
    turns = [_turn("system", system if 0 < len(system) <= MOST_SYSTEM_CHARS else SYSTEM)]
    for message in messages:
        results = [f"{call.name}: {result_text(call.state)[:MOST_RETOLD_CHARS]}" for call in message.calls]
        if text := "\n".join(filter(None, [message.text, *results])):
            turns.append(_turn(message.role, text))
    return "".join(turns) + "<|im_start|>assistant\n"


def answer(
    decoder: Decoder, prompt: str, options: Mapping[str, Any], emit: Callable[[TextDelta], None]
) -> Literal["stop", "length"]:
    """Free text, as it comes. Says whether it was cut."""
    defaults: dict[str, Any] = {"max_tokens": MOST_TOKENS, "extra": {"repeat_penalty": 1.1}}

    def on_text(text: str) -> None:
        emit(TextDelta(text))

    return decoder.write(prompt, options={**defaults, **options}, on_text=on_text)


def say_result(decoder: Decoder, call: ToolPart, request: str) -> str:
    """One sentence about a result, or the result itself."""
    result = result_text(call.state).strip()
    if isinstance(call.state, Failed):
        return f"{call.name}: {result}"
    plain = _with_its_subject(call, result[:MOST_SHOWN_CHARS])
    if len(result) > MOST_RETOLD_CHARS:
        return plain
    facts = f"Facts:\n{result}\n\nQuestion: {request}"
    prompt = _turn("system", FROM_FACTS) + _turn("user", facts) + "<|im_start|>assistant\n"
    pieces: list[str] = []
    decoder.write(prompt, options={"max_tokens": SENTENCE_TOKENS, "stop": ["\n"]}, on_text=pieces.append)
    sentence = first_sentence("".join(pieces))
    return sentence if is_faithful(sentence, result, request) else plain


def is_faithful(sentence: str, result: str, request: str) -> bool:
    """True if a sentence has no number of its own, few words of its own, and most of what the result says."""
    numbers, told, asked = set(numbers_in(sentence)), set(numbers_in(result)), set(numbers_in(request))
    if not sentence or not numbers <= told | asked:
        return False
    words, facts = stems(sentence), stems(result)
    own = words - facts - stems(request)
    said = len(words & facts) + len(numbers & told)
    return len(own) * 3 <= len(words) and said * 2 >= len(facts) + len(told)


def _with_its_subject(call: ToolPart, result: str) -> str:
    """A bare "714" says little beside other results: "42 * 17: 714"."""
    values = [str(value) for value in arguments_of(call.state).values()]
    if not values or "\n" in result or any(value.casefold() in result.casefold() for value in values):
        return result
    return f"{', '.join(values)}: {result}"


def _turn(role: str, text: str) -> str:
    # What looks like the template's own marks must not end a turn.
    return f"<|im_start|>{role}\n{text.replace('<|', '< |')}<|im_end|>\n"
