"""What one process tells another that runs a session: stop, an answer, a prompt."""

import logging
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolpost.types.errors import ToolpostError
from toolpost.types.events import Reply

if TYPE_CHECKING:
    from .conversation import Room

log = logging.getLogger("toolpost.server")
# What the store carries.
MOST_BYTES = 6_000


class StopSignal(Struct, frozen=True, tag_field="do", tag="stop"):
    pass


class ReplySignal(Struct, frozen=True, tag_field="do", tag="reply", omit_defaults=True):
    ask_id: str
    reply: Reply
    message: str = ""


class AnswerSignal(Struct, frozen=True, tag_field="do", tag="answer", omit_defaults=True):
    question_id: str
    answers: tuple[tuple[str, ...], ...] | None = None


class PromptSignal(Struct, frozen=True, tag_field="do", tag="put", omit_defaults=True):
    text: str
    steer: bool = False


SessionSignal = StopSignal | ReplySignal | AnswerSignal | PromptSignal
_decoder = msgspec.json.Decoder(SessionSignal)


async def heard(body: bytes, room: "Room") -> None:
    """Do it. What can't be done any more, as somebody else was quicker, is passed over."""
    try:
        word = _decoder.decode(body)
    except msgspec.DecodeError:
        log.warning("a signal for session %s can't be read", room.id)
        return
    try:
        await obey(word, room)
    except ToolpostError as error:
        log.info("a signal for session %s came too late: %s", room.id, error)


async def obey(word: SessionSignal, room: "Room") -> None:
    """Do it to a session that runs here."""
    match word:
        case StopSignal():
            await room.session.abort()
        case ReplySignal():
            room.session.reply(word.ask_id, word.reply, word.message)
        case AnswerSignal():
            room.session.answer(word.question_id, word.answers)
        case PromptSignal(text, steer):
            await (room.session.steer(text) if steer else room.session.queue(text))
