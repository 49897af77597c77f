"""Follow sessions that run in another process, and tell that process to stop, to answer or to take a prompt."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING

import msgspec
from msgspec import Struct

from toolpost.store.contract import EventNotice, SessionInfo, Store
from toolpost.types.errors import ToolpostError
from toolpost.types.events import Event, Reply, RunEnd

if TYPE_CHECKING:
    from .conversation import Conversation

log = logging.getLogger("toolpost.server")

# The size of a signal that the store carries.
MAX_SIGNAL_BYTES = 6_000
# After the end of a run its process says that the session is settled, unless it dies between the two.
SETTLE_SECONDS = 1.0


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
    """Whoever takes the prompt says so with its `id`. One that came twice is taken once."""

    id: str
    text: str
    steer: bool = False


class TakeBackSignal(Struct, frozen=True, tag_field="do", tag="take_back"):
    """Take back the prompt `prompt_id`. Whoever has done it says so with `id`."""

    id: str
    prompt_id: str


class PromptTaken(Struct, frozen=True, tag_field="do", tag="taken"):
    """Told to the process that sent the prompt, or wanted it back: it is stored, or taken back."""

    id: str


class RunsReleased(Struct, frozen=True, tag_field="do", tag="released"):
    """Told to all processes by one that stops: there are runs to take up."""


SessionSignal = StopSignal | ReplySignal | AnswerSignal | PromptSignal | TakeBackSignal
_decoder = msgspec.json.Decoder(SessionSignal | PromptTaken | RunsReleased)


def read_signal(body: bytes) -> SessionSignal | PromptTaken | RunsReleased | None:
    if not body:
        return None
    try:
        return _decoder.decode(body)
    except msgspec.DecodeError:
        log.warning("a signal of another process can't be read")
        return None


async def obey_if_possible(signal: SessionSignal, conversation: "Conversation") -> bool:
    """Do what another process asks for; whether it could be done. Somebody else may have been quicker."""
    try:
        await obey(signal, conversation)
    except ToolpostError as error:
        log.info("a signal for session %s came too late: %s", conversation.id, error)
        return False
    return True


async def obey(signal: SessionSignal, conversation: "Conversation") -> None:
    """Apply a signal to a session that runs here."""
    match signal:
        case StopSignal():
            await conversation.session.abort()
        case ReplySignal():
            conversation.session.reply(signal.ask_id, signal.reply, signal.message)
        case AnswerSignal():
            conversation.session.answer(signal.question_id, signal.answers)
        case PromptSignal():
            await conversation.take(signal)
        case TakeBackSignal():
            if not await conversation.session.unqueue(signal.prompt_id):
                raise ToolpostError(f"the prompt {signal.prompt_id} was read already")


async def stored_events(
    store: Store, session_id: str, after: int, runs_here: Callable[[], bool]
) -> AsyncGenerator[Event, None]:
    """Yield every stored event after `after`, as they come, until no run is open any more or one `runs_here`.

    A run that nobody drives is waited for: it goes on, or its end is stored.
    """
    last: Event | None = None
    async with aclosing(_News(store, session_id)) as news:
        while True:
            async for event in store.events(session_id, after):
                after, last = event.seq, event
                yield event
            if runs_here():
                return
            info = await store.info(session_id)
            if info.seq > after:
                continue
            if info.open_run is not None:
                await news.wait()
            elif not isinstance(last, RunEnd) or not await _is_settling(store, session_id):
                return
            else:
                await news.wait(SETTLE_SECONDS)


async def _is_settling(store: Store, session_id: str) -> bool:
    holder = await store.holder(session_id)
    return holder is not None and holder.is_alive


async def until(store: Store, session_id: str, holds: Callable[[SessionInfo], Awaitable[bool]], seconds: float) -> bool:
    """Wait until `holds` is true of the session, for so long at most; whether it is."""
    try:
        async with asyncio.timeout(seconds), aclosing(_News(store, session_id)) as news:
            while not await holds(await store.info(session_id)):
                await news.wait()
    except TimeoutError:
        return False
    return True


class _News:
    """Waits for news of one session. It starts listening with the first wait."""

    def __init__(self, store: Store, session_id: str) -> None:
        self._store = store
        self._session_id = session_id
        self._notices: AsyncGenerator[EventNotice, None] | None = None
        self._next: asyncio.Future[EventNotice] | None = None

    async def wait(self, seconds: float | None = None) -> None:
        """Return when there may be news, or after so long."""
        loop = asyncio.get_running_loop()
        deadline = None if seconds is None else loop.time() + seconds
        while True:
            if self._notices is None:
                self._notices = _generator(self._store)
            if self._next is None:
                self._next = asyncio.ensure_future(anext(self._notices))
            await asyncio.wait({self._next}, timeout=None if deadline is None else max(0.0, deadline - loop.time()))
            if not self._next.done():
                return
            notice, self._next = self._next.result(), None
            if notice.session_id in (None, self._session_id):
                return

    async def aclose(self) -> None:
        if self._next is not None:
            self._next.cancel()
            await asyncio.wait({self._next})
        if self._notices is not None:
            await self._notices.aclose()


async def _generator(store: Store) -> AsyncGenerator[EventNotice, None]:
    async for notice in store.follow():
        yield notice
