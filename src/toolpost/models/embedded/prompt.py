"""The conversation as the adapter was trained to read it: tools as signatures, figures and dates noted in plain form.

What is trained and what is asked come from here both: a change of this form needs a new adapter.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import NamedTuple

from msgspec import structs

from toolpost.models.prompted.writer import Writer
from toolpost.types.messages import Completed, Message, Part, TextPart, ToolPart
from toolpost.types.tools import ToolSpec

from .notes import notes, written

MOST_RESULT_CHARS = 1_200
MOST_QUESTION_CHARS = 4_000
ASSISTANT = "<|im_start|>assistant\n"
END = "<|im_end|>"

_writer = Writer("hermes", trained=True, brief=True)


class Turn(NamedTuple):
    role: str
    text: str

    def __str__(self) -> str:
        return f"<|im_start|>{self.role}\n{self.text}{END}\n"


def turn(role: str, text: str) -> Turn:
    """What looks like the template's own marks must not end a turn."""
    return Turn(role, text.replace("<|", "< |"))


def prompt(tools: Sequence[ToolSpec], messages: Iterable[Message], today: date) -> str:
    """Everything up to where the model speaks."""
    return "".join(map(str, turns(tools, messages, today))) + ASSISTANT


def turns(tools: Sequence[ToolSpec], messages: Iterable[Message], today: date) -> Iterator[Turn]:
    """The tools stand first, and nothing before them changes: what is read once is kept."""
    yield turn("system", _writer.tools(tools))
    for message in messages:
        if message.role == "user":
            text = message.text.strip()[:MOST_QUESTION_CHARS]
            said = notes(text, today)
            yield turn("user", f"{text}\n({written(said)})" if said else text)
            continue
        for one in _writer.message(structs.replace(message, parts=tuple(map(_shortened, message.parts)))):
            if one.text:
                yield turn(one.role, one.text)


def _shortened(part: Part) -> Part:
    if not isinstance(part, ToolPart) or not isinstance(part.state, Completed):
        return part
    texts = [content.text for content in part.state.content if isinstance(content, TextPart)]
    if sum(map(len, texts)) <= MOST_RESULT_CHARS:
        return part
    short = TextPart("\n".join(texts)[:MOST_RESULT_CHARS] + " …")
    return structs.replace(part, state=structs.replace(part.state, content=(short,)))
