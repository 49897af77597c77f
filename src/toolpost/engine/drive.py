"""Drive open runs: which process goes on with a run, and when. Without an engine it is this process, at once.

The store alone knows what a run is and how far it has come; an engine holds ids, and decides who drives them.
"""

from typing import Literal, Protocol

from msgspec import Struct

# ended: the run is over. waiting: it waits for a person, and holds nothing. released: another process may go on with
# it, because this one stops. elsewhere: another process drives it, or it is not open any more.
DriveOutcome = Literal["ended", "waiting", "released", "elsewhere"]


class RunTicket(Struct, frozen=True, omit_defaults=True):
    """What an engine is given of a run: ids, and what it is sorted by. Never a prompt, and never a secret."""

    session_id: str
    run_id: str
    owner: str = ""
    agent: str = ""
    folder: str = ""


class RunEngine(Protocol):
    """Decides which process drives which run. It may forget a run that ends, and must not lose one that waits."""

    async def submit(self, ticket: RunTicket, *, delay: float = 0.0) -> None:
        """Let a run that is stored as `queued` be driven, now or after `delay` seconds. One that is there already is
        not submitted twice."""
        ...

    async def wake(self, ticket: RunTicket) -> None:
        """A person has answered: let the run that was waiting be driven on."""
        ...

    async def cancel(self, ticket: RunTicket) -> None:
        """Stop the run, wherever it is, also while it is queued or waits."""
        ...

    async def close(self) -> None: ...


class Driver(Protocol):
    """Drives runs in this process. What an engine calls where the work is done."""

    async def drive(self, session_id: str, run_id: str) -> DriveOutcome:
        """Go on with an open run until it has ended, waits for a person, or has to be released. Cancelling this stops
        the run for good: its end is stored, with the reason `aborted`."""
        ...

    async def cancel(self, session_id: str, run_id: str) -> None:
        """End an open run that nobody drives, with the reason `aborted`. Raises `SessionBusy` while another process
        drives it, after it has told that one to stop; a run that is not open any more is left as it is."""
        ...

    async def give_up(self, session_id: str, run_id: str, reason: str) -> None:
        """End a run that nobody could drive, with this reason as its error."""
        ...

    async def release_all(self) -> None:
        """Let go of every run that is driven here, within a second: each `drive` returns `released`, or how it had
        ended just before."""
        ...
