"""Follow the events of many sessions: the store and this process say which have news, and those are read in order.

Only what is stored is given out: after a crash the number of an event that was not is another event's.
"""

import asyncio
import base64
import hashlib
import logging
import re
import time
from collections import OrderedDict, defaultdict
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager, suppress
from functools import lru_cache

from toolpost.engine.limits import Limits
from toolpost.server.chat.conversation import Conversation
from toolpost.server.chat.conversations import Conversations
from toolpost.server.refusals import BadRequest, Refusal
from toolpost.store.contract import Store
from toolpost.types.errors import SessionNotFound, StoreError
from toolpost.types.events import Event

# More than this is not carried: about 4 KB of text in every frame.
MAX_NAMED = 200
# As long as no more are named, nobody is forgotten.
FEW = 16
log = logging.getLogger("toolpost.server")

# What happens here is stored together after so long at the latest.
FLUSH_SECONDS = Limits().flush_seconds
# So long is waited for a store that is out of reach.
HEAR_SECONDS = 10.0
# After the store was out of reach, its notices are asked for again.
AGAIN_SECONDS = 1.0
# What was committed so long ago has been noticed, in whichever process it was.
SETTLED_SECONDS = 60.0


class Cursor:
    """The position of a reader in the events of many sessions, as a text that fits into `Last-Event-ID`.

    The text is `SINCE~KEY:SEQ~KEY:SEQ…`. Every session that has moved since the moment SINCE (microseconds) is named,
    by the hash of its id, with the `seq` of its last event that was sent. A session that is not named is where it was
    at that moment: before its first event that is newer. So the text grows with the number of sessions that have moved
    lately, not with the number that exist, and any process that reads the same store can go on from it.
    """

    def __init__(self, since: int) -> None:
        self.since = since
        # The `seq`, and the time of the newest event that was given; whoever moved last is at the end.
        self._named: OrderedDict[str, tuple[int, int]] = OrderedDict()

    @classmethod
    def read(cls, text: str, now: int) -> "Cursor":
        if not _FORM.fullmatch(text):
            raise BadRequest("the position is not valid: send the last `id` of this stream, or none to start from now")
        since, *named = text.split("~")
        cursor = cls(int(since))
        for name, _, seq in (entry.partition(":") for entry in named):
            # When its last event was is not said: it was not later than now.
            cursor._named[name] = (int(seq), now)
        if len(named) > MAX_NAMED:
            raise BadRequest(f"the position contains more than {MAX_NAMED} sessions: send none to start from now")
        return cursor

    @classmethod
    def in_session(cls, session_id: str, seq: int, now: int) -> "Cursor":
        """Return the position after an event of one session."""
        cursor = cls(now)
        cursor._named[_key(session_id)] = (seq, now)
        return cursor

    def __len__(self) -> int:
        """Return how many sessions are named."""
        return len(self._named)

    @property
    def is_long(self) -> bool:
        return len(self._named) > FEW

    @property
    def is_too_long(self) -> bool:
        return len(self._named) > MAX_NAMED

    def seq(self, session_id: str) -> int | None:
        """Return the last event that was sent of a session; None if the position is `since`."""
        named = self._named.get(_key(session_id))
        return named[0] if named else None

    def is_past(self, event: Event) -> bool:
        """Return whether an event was already sent, or is older than this reader."""
        seq = self.seq(event.session_id)
        return microseconds(event.time) <= self.since if seq is None else event.seq <= seq

    def move(self, event: Event) -> None:
        key = _key(event.session_id)
        newest = self._named[key][1] if key in self._named else 0
        self._named[key] = (event.seq, max(newest, microseconds(event.time)))
        self._named.move_to_end(key)

    def forget(self, horizon: int, busy: Collection[str]) -> None:
        """Remove sessions that have been silent since `horizon`, which becomes `since`.

        Only valid if everything up to `horizon` was sent, except for the sessions that are `busy`.
        """
        if horizon <= self.since:
            return
        kept = {_key(session_id) for session_id in busy}
        if not kept <= self._named.keys():
            # What these have to say may be older than the horizon, and only `since` says where they stand.
            return
        self.since = horizon
        for key in [key for key, (_, newest) in self._named.items() if newest <= horizon and key not in kept]:
            del self._named[key]

    def __str__(self) -> str:
        return "~".join([str(self.since), *(f"{key}:{seq}" for key, (seq, _) in self._named.items())])


def microseconds(time: float) -> int:
    return round(time * 1_000_000)


@lru_cache(4096)
def _key(session_id: str) -> str:
    digest = hashlib.sha256(session_id.encode(errors="replace")).digest()
    return base64.urlsafe_b64encode(digest[:9]).decode()


_FORM = re.compile(r"[0-9]{1,17}(~[A-Za-z0-9_-]{12}:[0-9]{1,16})*", re.ASCII)


class EventHub:
    """Listens for all followers of this process, while there are any."""

    def __init__(self, conversations: Conversations) -> None:
        self.conversations = conversations
        self._followers: defaultdict[str, set[EventFollower]] = defaultdict(set)
        self._hears = asyncio.Event()
        self._listening: asyncio.Task[None] | None = None
        self._due: set[str] = set()
        self._storing: set[asyncio.Task[None]] = set()

    @asynccontextmanager
    async def joined(self, follower: "EventFollower") -> AsyncGenerator[None, None]:
        """Inside this context the follower is told of all news."""
        self._followers[follower.owner].add(follower)
        if self._listening is None:
            self._listening = asyncio.create_task(self._listen())
        try:
            await self._hearing()
            yield
        finally:
            await self._leave(follower)

    async def _hearing(self) -> None:
        try:
            async with asyncio.timeout(HEAR_SECONDS):
                await self._hears.wait()
        except TimeoutError:
            raise Refusal("overloaded", "the store does not respond: try again", retry_after=5.0) from None

    async def _leave(self, follower: "EventFollower") -> None:
        self._followers[follower.owner].discard(follower)
        if not self._followers[follower.owner]:
            del self._followers[follower.owner]
        if not self._followers and self._listening is not None:
            listening, self._listening = self._listening, None
            self._hears.clear()
            listening.cancel()
            await asyncio.wait({listening})

    async def _listen(self) -> None:
        stop = self.conversations.listen(self._hear)
        try:
            while True:
                try:
                    await self._follow(self.conversations.store)
                except StoreError as error:
                    log.warning("news of sessions can't be heard now: %s", error)
                await asyncio.sleep(AGAIN_SECONDS)
        finally:
            stop()
            for task in self._storing:
                task.cancel()
            self._due.clear()

    async def _follow(self, store: Store) -> None:
        async for notice in store.follow():
            if notice.session_id is None:
                self._hears.set()
                for follower in [follower for several in self._followers.values() for follower in several]:
                    follower.catch_up()
                continue
            conversation = self.conversations.open.get(notice.session_id)
            if conversation is None or not conversation.runs_here:
                # Looked up each time: a deleted id may belong to somebody else now.
                with suppress(SessionNotFound):
                    self._tell(notice.session_id, (await store.info(notice.session_id)).owner)

    def _hear(self, event: Event) -> None:
        """What happens here is told once it is stored, which this process knows sooner than by the store."""
        conversation, session_id = self.conversations.open.get(event.session_id), event.session_id
        if conversation is None or session_id in self._due or conversation.user.name not in self._followers:
            return
        if not conversation.session.is_unsaved:
            self._tell(session_id, conversation.user.name)
            return
        self._due.add(session_id)
        task = asyncio.create_task(self._tell_stored(conversation))
        self._storing.add(task)
        task.add_done_callback(self._storing.discard)

    async def _tell_stored(self, conversation: Conversation) -> None:
        await asyncio.sleep(FLUSH_SECONDS)
        # What happens from now on is heard again.
        self._due.discard(conversation.id)
        # Where the store can't take it now, its notice tells when it could.
        with suppress(StoreError):
            await conversation.session.save()
        self._tell(conversation.id, conversation.user.name)

    def _tell(self, session_id: str, owner: str) -> None:
        for follower in self._followers.get(owner, ()):
            follower.tell(session_id)


class EventFollower:
    """Sends every event of a user's sessions, or of `only` one, after `cursor`: those of each session in order, without
    gaps or duplicates. `give` is called with each, after the cursor has moved over it."""

    def __init__(
        self, hub: EventHub, owner: str, cursor: Cursor, only: str, give: Callable[[Event], Awaitable[None]]
    ) -> None:
        self.owner = owner
        self.cursor = cursor
        self._hub = hub
        self._only = only
        self._give = give
        self._wanted: set[str] = set()
        self._reading: set[str] = set()
        self._is_behind = False
        self._is_looking = False
        self._some = asyncio.Event()

    def tell(self, session_id: str) -> None:
        """Note that a session has news."""
        if self._only in ("", session_id):
            self._wanted.add(session_id)
            if session_id not in self._reading:
                self._some.set()

    def catch_up(self) -> None:
        """Note that any session may have news."""
        self._is_behind = True
        self._some.set()

    async def look(self) -> None:
        """Find out which sessions have news now. Raises if there are too many to read."""
        self._is_behind, self._is_looking = False, True
        try:
            await self._look(self._hub.conversations)
        finally:
            self._is_looking = False

    async def run(self) -> None:
        """Send events until cancelled."""
        async with asyncio.TaskGroup() as readers:
            while True:
                await self._some.wait()
                self._some.clear()
                if self._is_behind:
                    await self.look()
                for session_id in self._wanted - self._reading:
                    self._wanted.discard(session_id)
                    self._reading.add(session_id)
                    readers.create_task(self._read(session_id))

    async def _look(self, conversations: Conversations) -> None:
        if self._only:
            self.tell(self._only)
            return
        unnamed = 0
        async for info in conversations.store.sessions(owner=self.owner):
            if microseconds(info.updated) <= self.cursor.since:
                return
            seen = self.cursor.seq(info.id)
            if info.seq <= (seen or 0):
                continue
            self.tell(info.id)
            unnamed += seen is None
            if unnamed + len(self.cursor) > MAX_NAMED:
                raise BadRequest(
                    "too much has happened since this position: load the sessions again, and start without a position"
                )

    async def _read(self, session_id: str) -> None:
        try:
            # A session that is deleted meanwhile has no more to say.
            with suppress(SessionNotFound):
                async for event in self._hub.conversations.store.events(session_id, self.cursor.seq(session_id) or 0):
                    await self._pass_on(event)
        finally:
            self._reading.discard(session_id)
            self._some.set()

    async def _pass_on(self, event: Event) -> None:
        if self.cursor.is_past(event):
            return
        self.cursor.move(event)
        if self.cursor.is_long and not self._is_behind and not self._is_looking:
            horizon = microseconds(time.time() - SETTLED_SECONDS)
            self.cursor.forget(horizon, self._reading | self._wanted)
        if self.cursor.is_too_long:
            text = f"more than {MAX_NAMED} sessions run at the same time: follow one of them with ?session="
            raise Refusal("invalid_request", text)
        await self._give(event)
