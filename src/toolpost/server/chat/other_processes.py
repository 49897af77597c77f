"""Follow sessions that run in another process, and tell that process to stop, to answer or to take a prompt."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolpost.store.contract import EventNotice, Store
from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, Reply, RunEnd

if TYPE_CHECKING:
    from .conversation import Conversation

log = logging.getLogger("toolpost.server")

# A session of which nothing was heard for so long may be one whose process has died.
SILENT_SECONDS = 20.0
# The size of a signal that the store carries.
MAX_SIGNAL_BYTES = 6_000


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


async def obey_signal(body: bytes, conversation: "Conversation") -> None:
    """Do what another process asks for. What can't be done any more, because somebody else was quicker, is skipped."""
    try:
        signal = _decoder.decode(body)
    except msgspec.DecodeError:
        log.warning("a signal for session %s can't be read", conversation.id)
        return
    try:
        await obey(signal, conversation)
    except ToolpostError as error:
        log.info("a signal for session %s came too late: %s", conversation.id, error)


async def obey(signal: SessionSignal, conversation: "Conversation") -> None:
    """Apply a signal to a session that runs here."""
    match signal:
        case StopSignal():
            await conversation.session.abort()
        case ReplySignal():
            conversation.session.reply(signal.ask_id, signal.reply, signal.message)
        case AnswerSignal():
            conversation.session.answer(signal.question_id, signal.answers)
        case PromptSignal(text, steer):
            await (conversation.session.steer(text) if steer else conversation.session.queue(text))


async def remote_events(
    store: Store, session_id: str, after: int, tidy_up: Callable[[], Awaitable[None]]
) -> AsyncGenerator[Event, None]:
    """Yield every event after `after` until the session is settled. `tidy_up` is called if the session has been silent
    for long."""
    last: Event | None = None
    async with aclosing(_Notices(store, session_id)) as notices:
        is_silent = False
        while True:
            async for event in store.events(session_id, after):
                after, last = event.seq, event
                is_silent = False
                yield event
            info = await store.info(session_id)
            if info.seq > after:
                continue
            # Between a run and the next one in the queue none is open, but the session is not settled.
            if info.open_run is None and (is_silent or not isinstance(last, RunEnd)):
                return
            is_silent = not await notices.wait()
            if is_silent:
                await tidy_up()


class _Notices:
    """Waits for news of one session. It starts listening with the first wait."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._store = store
        self._session_id = session_id
        self._notices: AsyncGenerator[EventNotice, None] | None = None
        self._next: asyncio.Future[EventNotice] | None = None

    async def wait(self) -> bool:
        """Return when there may be news; False where there was none for `SILENT_SECONDS`."""
        deadline = asyncio.get_running_loop().time() + SILENT_SECONDS
        while True:
            if self._notices is None:
                self._notices = _generator(self._store)
            if self._next is None:
                self._next = asyncio.ensure_future(anext(self._notices))
            left = deadline - asyncio.get_running_loop().time()
            await asyncio.wait({self._next}, timeout=max(0.0, left))
            if not self._next.done():
                return False
            notice, self._next = self._next.result(), None
            if notice.session_id in (None, self._session_id):
                return True

    async def aclose(self) -> None:
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next})
        if self._notices is not None:
            await self._notices.aclose()


async def _generator(store: Store) -> AsyncGenerator[EventNotice, None]:
    async for notice in store.follow():
        yield notice
