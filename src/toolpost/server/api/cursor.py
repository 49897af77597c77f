"""The position of a reader in the events of many sessions, as a text that fits into `Last-Event-ID`.

The text is `SINCE~KEY:SEQ~KEY:SEQ…`. Every session that has moved since the moment SINCE (microseconds) is named, by
the hash of its id, with the `seq` of its last event that was given. A session that is not named stands where it stood
at that moment: before its first event that is newer. So the text grows with the number of sessions that have moved
lately, not with the number that there are, and any process that reads the same store can go on from it.
"""

import base64
import hashlib
import re
from collections import OrderedDict
from collections.abc import Collection
from functools import lru_cache

from toolpost.server.refusals import BadRequest
from toolpost.types.events import Event

# More than this is not carried: about 4 KB of text in every frame.
MOST_NAMED = 200
# As long as no more are named, nobody is forgotten.
FEW = 16


class Cursor:
    """It changes with every event that is sent."""

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
        if len(named) > MOST_NAMED:
            raise BadRequest(f"the position contains more than {MOST_NAMED} sessions: send none to start from now")
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
        return len(self._named) > MOST_NAMED

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
