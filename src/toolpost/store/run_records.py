"""The contract for open runs: what a store keeps of a run, so that another process can go on with it."""

from collections.abc import AsyncIterator, Collection
from typing import Any, Literal, Protocol

from msgspec import Struct, structs

from toolpost.guard.rules import Rule
from toolpost.types.messages import FilePart, Usage

# queued: any process that can may drive it. running: a process holds the session. waiting: parked until a person
# answers. interrupted: its process died, and a person decides whether it goes on.
RunState = Literal["queued", "running", "waiting", "interrupted"]


class Prompt(Struct, frozen=True, omit_defaults=True):
    """A message that waits for its turn: `steer` goes into the running run, else it starts a new one."""

    id: str
    text: str
    steer: bool = False
    files: tuple[FilePart, ...] = ()


class Spent(Struct, frozen=True, omit_defaults=True):
    """What a session has taken of its model."""

    usage: Usage = Usage()
    cost: float | None = 0.0


class RunRecord(Struct, frozen=True, omit_defaults=True):
    """An open run. It is deleted when the run ends.

    - `home` is the kind of process that may go on with it by itself ("server", "chat"…); "" for none.
    - `prompts` are not messages of the session yet. `is_started` is set with the event `run_start`.
    - `asked` are the options that the run was started with, `limits` those of its limits that are not the defaults.
    - `began` is when the run was accepted, `since` when the present process took it, `seconds` how long earlier ones
      worked on it, `deaths` how many processes died while they held it.
    - `usage_before` and `cost_before` are those of the session when the run began, and `head_before` is the message
      that its first step follows.
    - `cost` is what the run has cost, kept where that of its session is not known. None: that is not known either.
    - `output_retries`, `insisting`, `nudge`, `limit`: how far a run is with its structured output, its limits.
    - `rules` are those that were given for it on the command line: layers, each of which narrows the one before. A run
      of an earlier version, of which that is not known, has no layer.
    - `trusted`: whether what the folder brings along, its denies among it, held for the run.
    - `counted` is, for the sessions of sub-agents that work now, how much of what they took is counted here, too.
    """

    id: str
    session_id: str
    state: RunState = "running"
    home: str = ""
    model: str = ""
    agent: str = ""
    prompts: tuple[Prompt, ...] = ()
    asked: dict[str, Any] = {}
    limits: dict[str, Any] = {}
    is_started: bool = False
    began: float = 0.0
    since: float = 0.0
    seconds: float = 0.0
    deaths: int = 0
    usage_before: Usage = Usage()
    cost_before: float | None = 0.0
    head_before: str | None = None
    cost: float | None = None
    output_retries: int | None = None
    insisting: bool = False
    nudge: str = ""
    limit: str = ""
    counted: dict[str, Spent] = {}
    rules: tuple[tuple[Rule, ...], ...] = ()
    trusted: bool = False


def without_files(record: RunRecord) -> RunRecord:
    if not any(prompt.files for prompt in record.prompts):
        return record
    return structs.replace(record, prompts=tuple(structs.replace(prompt, files=()) for prompt in record.prompts))


class Holder(Struct, frozen=True):
    """The process that holds a session. `is_alive` is False once it has died; `beat` grows every `BEAT_SECONDS` while
    it lives and is not frozen."""

    worker: int
    beat: int
    is_alive: bool


class OpenRun(Struct, frozen=True):
    """An open run, the folder and the owner of its session, and who holds that. The record is as `without_files` gives
    it: who looks at all open runs must not read what they were sent."""

    record: RunRecord
    folder: str
    owner: str
    parent: str | None
    holder: Holder | None


# How often a process that holds sessions shows that it is not frozen.
BEAT_SECONDS = 2.0


class RunStore(Protocol):
    """What a store does for open runs. They are written with `SessionChanges.run`."""

    async def holder(self, session_id: str) -> Holder | None:
        """Who holds the session; None if nobody does. One that has died is still named, with `is_alive` False."""
        ...

    async def open_run(self, session_id: str) -> RunRecord | None: ...

    def open_runs(
        self, *, states: Collection[RunState] = (), owner: str | None = None, folder: str | None = None
    ) -> AsyncIterator[OpenRun]:
        """The open runs in these states (in any, where none is given), those that began first come first. Files of
        their prompts are left out: `open_run` has them."""
        ...
