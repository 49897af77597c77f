"""A schedule: what is run, when, and what came of it. Values only: each change makes a new one."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from toolpost.types.events import RunReason
from toolpost.types.ids import new_id

from .timing import Timing

# What happens to firings that were missed because no server ran: none of them, one run for all, or each of them.
Missed = Literal["skip", "once", "all"]
# What happens to a firing whose predecessor still runs: it is left out, it waits, or both run.
Overlap = Literal["skip", "queue", "allow"]
State = Literal["active", "paused", "ended"]
# How a run has ended, or why there was none: the one before still ran, nobody was there, it could not begin. "" while
# it runs.
Outcome = Literal["", "skipped", "missed", "failed"] | RunReason

# A firing that is later than this was missed.
LATE_SECONDS = 60.0
# Of missed firings that are made up for, one after another, so many are the last ones.
MOST_MISSED = 100
# What is kept of a schedule's past.
MOST_FIRINGS = 10
# What is noted as the time of something that never comes.
NEVER = 1e12


class Firing(Struct, frozen=True, omit_defaults=True):
    """One firing: when it was due, when it began, and the run that it began, with the event before its first."""

    due: float
    at: float
    session: str = ""
    run: str = ""
    seq: int = 0
    outcome: Outcome = ""
    text: str = ""

    @property
    def is_open(self) -> bool:
        return self.outcome == ""


class PendingFiring(Struct, frozen=True, omit_defaults=True):
    """A firing that is to begin, in this `session`. `waits`: not before the firing ahead of it has ended. `taken` is
    when a process took it, 0 while it is free; later than `tried` where the process that took it first has died."""

    due: float
    session: str
    waits: bool = False
    taken: float = 0.0
    tried: float = 0.0


class Schedule(Struct, frozen=True, omit_defaults=True):
    """`session` is the session that all firings go on with; "" is a new one for each. `most` and `until` are its end:
    so many firings, or none after that moment; 0 for no end. `next_at` is when it fires next, 0 where it never does. A
    server that pauses it says why in `reason`, with a `code`. `firings` are the last ones, the latest first."""

    id: str
    owner: str
    folder: str
    prompt: str
    timing: Timing
    name: str = ""
    agent: str = ""
    model: str = ""
    variant: str = ""
    session: str = ""
    missed: Missed = "once"
    overlap: Overlap = "skip"
    most: int = 0
    until: float = 0.0
    paused: bool = False
    reason: str = ""
    code: str = ""
    created: float = 0.0
    next_at: float = 0.0
    fired: int = 0
    pending: PendingFiring | None = None
    firings: tuple[Firing, ...] = ()

    @property
    def state(self) -> State:
        if self.paused:
            return "paused"
        return "active" if self.next_at or self.pending else "ended"

    @property
    def look_at(self) -> float:
        """When a server has to look at it again."""
        if self.pending is not None:
            return 0.0
        return NEVER if self.paused or not self.next_at else self.next_at

    def started(self, now: float) -> "Schedule":
        """From now on, it fires at its times: when it is made, changed, or goes on after a pause."""
        found = self.timing.after(now)
        has_more = not self.most or self.fired < self.most
        return replace(self, next_at=self._within(found) if has_more else 0.0, paused=False, reason="", code="")

    def stopped(self, reason: str = "", code: str = "") -> "Schedule":
        """Pause it; what waited for its turn does not begin any more."""
        return replace(self, paused=True, reason=reason, code=code, pending=None)

    def claimed(self, now: float) -> "Schedule":
        """Take the firing that is due, with those that were missed before it, and go on to the next."""
        each = self.missed == "all"
        # The rules of a time zone may have changed since the next time was found: then there may be none.
        due = next(iter(self.timing.last_times(self.next_at, now, MOST_MISSED if each else 1)), self.next_at)
        following = self.timing.after(due if each else now)
        moved, is_late = replace(self, next_at=self._within(following)), now - due > LATE_SECONDS
        if self.pending is not None:
            return moved.noted(Firing(due, now, outcome="skipped", text="one waits already"))
        if is_late and self.missed == "skip":
            return moved.noted(Firing(due, now, outcome="missed"))
        # Of those that are made up for each gets its turn; they would all be skipped otherwise.
        waits = self.overlap == "queue" or (is_late and each and self.overlap != "allow")
        return replace(moved, pending=PendingFiring(due, self.session or new_id("ses"), waits, now, now))

    def asked(self, now: float) -> "Schedule":
        """Let it fire now, whatever its times are."""
        return replace(self, pending=PendingFiring(now, self.session or new_id("ses"), self.overlap == "queue"))

    def taken(self, now: float) -> "Schedule":
        """Let this process begin what is pending."""
        assert self.pending is not None
        return replace(self, pending=replace(self.pending, taken=now, tried=self.pending.tried or now))

    def put_off(self) -> "Schedule":
        """The pending firing has not begun: any process may take it, later."""
        assert self.pending is not None
        return replace(self, pending=replace(self.pending, taken=0.0, tried=0.0))

    def begun(self, firing: Firing) -> "Schedule":
        """A firing has begun its run. The pending one may be another by now."""
        pending, fired = self.pending, self.fired + 1
        is_this = pending is not None and (pending.due, pending.session) == (firing.due, firing.session)
        return replace(
            self.noted(firing),
            pending=None if is_this else pending,
            fired=fired,
            next_at=0.0 if 0 < self.most <= fired else self.next_at,
        )

    def dropped(self, now: float, outcome: Outcome, text: str) -> "Schedule":
        """The pending firing does not begin."""
        assert self.pending is not None
        return replace(self.noted(Firing(self.pending.due, now, outcome=outcome, text=text)), pending=None)

    def noted(self, firing: Firing) -> "Schedule":
        return replace(self, firings=(firing, *self.firings)[:MOST_FIRINGS])

    def with_outcome(self, run: str, outcome: Outcome, text: str) -> "Schedule":
        """Note how a run has ended."""
        firings = [
            replace(one, outcome=outcome, text=text) if one.is_open and one.run == run else one for one in self.firings
        ]
        return replace(self, firings=tuple(firings))

    def learned(self, other: "Schedule") -> "Schedule":
        """Take over how runs have ended, from the same schedule that was looked at."""
        found = self
        for firing in other.firings:
            found = found.with_outcome(firing.run, firing.outcome, firing.text)
        return found

    def _within(self, moment: float | None) -> float:
        """Return a moment to come; 0 where there is none before the end."""
        return 0.0 if moment is None or 0 < self.until < moment else moment
