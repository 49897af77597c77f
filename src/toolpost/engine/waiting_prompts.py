"""Prompts that wait in the store: for the run that goes on, for its end, or with a run that no process has begun."""

from msgspec import UNSET, UnsetType

from toolpost.store.run_records import Prompt, RunRecord
from toolpost.types.errors import ToolpostError, UsageError

from .run_options import RunOptions, stored_prompt
from .run_record import has_hidden, queued_record, record_after
from .state import Core


async def first_prompts(
    core: Core, prompt: str | None, asked: RunOptions, at: str | UnsetType | None
) -> tuple[Prompt, ...]:
    """What a new run begins with, after message `at` if one is given. What was said while nothing ran was said before
    its prompt."""
    waiting = None if prompt is None else stored_prompt(prompt, asked.files)
    if at is not UNSET:
        await core.go_to(at)
    if waiting is None and not core.history.sendable:
        raise ToolpostError("there is nothing to continue from: give a prompt")
    earlier = [said for said in core.journal.info.inbox if said.steer]
    return () if waiting is None else (*earlier, waiting)


async def put_prompt(core: Core, prompt: Prompt) -> None:
    """Let a prompt wait. Call it while the session is held."""
    journal = core.journal
    journal.change(inbox=(*journal.info.inbox, prompt))
    run = core.run
    runs = run is not None and run.reason is None
    if not runs and journal.info.open_run is None and core.setup.home and not prompt.steer:
        # Nothing runs that would take it up: whichever process finds it does.
        record = record_after(run, (prompt,)) if run is not None else _new_record(core, RunOptions(), (prompt,))
        _queue(core, record)
    await journal.flush(barrier=True)


def queue_new_run(core: Core, asked: RunOptions, prompts: tuple[Prompt, ...]) -> RunRecord:
    """Let a new run wait for whichever process takes it up; stored with the next flush. Raises `UsageError` for one
    that no process could take up."""
    record = _new_record(core, asked, prompts)
    if has_hidden(record):
        raise UsageError(
            "there is a secret in the options or the system prompt of this run, and a run that waits in the store "
            "keeps none: configure it where the run is driven, or use `run`"
        )
    return _queue(core, record)


def _new_record(core: Core, asked: RunOptions, prompts: tuple[Prompt, ...]) -> RunRecord:
    return queued_record(core.journal.info.id, core.setup, asked, prompts)


def _queue(core: Core, record: RunRecord) -> RunRecord:
    journal = core.journal
    journal.change(open_run=record.id, run_seq=journal.seq + 1)
    journal.change_run(record)
    return record
