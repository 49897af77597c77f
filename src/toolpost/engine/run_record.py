"""Write the record of an open run: what another process needs of what a run holds in memory."""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from msgspec import structs

from toolpost.guard.redact import known_secrets
from toolpost.store.run_records import Prompt, RunRecord
from toolpost.types.ids import new_id

from .limits import Limits
from .run_options import RunOptions
from .session_setup import Setup
from .state import Run
from .structured_output import OutputTarget

# A run that went well for so long is not what killed its process.
HEALTHY_SECONDS = 3600.0
# The limits of a whole run; all others hold for a step, a call or a process.
BUDGETS = ("max_steps", "max_tokens", "max_cost", "max_seconds")


def queued_record(
    session_id: str, setup: Setup, asked: RunOptions, prompts: tuple[Prompt, ...], *, retries: int | None = None
) -> RunRecord:
    """A run that is accepted, and that no process has begun."""
    return RunRecord(
        new_id("run"),
        session_id,
        "queued",
        setup.home,
        setup.model.info.id,
        setup.agent,
        prompts,
        stored_options(asked, setup.limits.output_retries),
        _budgets(setup.limits),
        began=time.time(),
        output_retries=retries,
        rules=setup.given,
        trusted=setup.trusts_folder,
    )


def started_record(run: Run) -> RunRecord:
    """A run that begins now, in this process. Its prompts are messages already."""
    setup, info, now = run.core.setup, run.core.journal.info, time.time()
    known = run.core.journal.record
    is_same = known is not None and known.id == run.id
    return RunRecord(
        run.id,
        info.id,
        "running",
        setup.home,
        setup.model.info.id,
        setup.agent,
        (),
        stored_options(run.asked, setup.limits.output_retries),
        _budgets(run.limits),
        is_started=True,
        began=known.began if known is not None and is_same else now,
        since=now,
        usage_before=info.usage,
        cost_before=info.cost,
        head_before=info.head,
        cost=0.0,
        rules=setup.given,
        trusted=setup.trusts_folder,
    )


def count_death(record: RunRecord, last_seen: float) -> RunRecord:
    """The record of a run that is taken up. One that was running has lost its process; what that worked on it until it
    was `last_seen` counts."""
    if record.state != "running":
        return record
    worked = max(0.0, last_seen - record.since) if record.since else 0.0
    deaths = 0 if worked > HEALTHY_SECONDS else record.deaths
    return structs.replace(record, deaths=deaths + 1, seconds=record.seconds + worked)


def resumed_record(record: RunRecord, run: Run) -> RunRecord:
    """A run that goes on in this process."""
    setup = run.core.setup
    return structs.replace(
        record, state="running", since=time.time(), seconds=run.seconds, rules=setup.given, trusted=setup.trusts_folder
    )


def parked_record(run: Run) -> RunRecord | None:
    """A run that this process lets go of."""
    record = progress_record(run)
    if record is None:
        return None
    state = "waiting" if run.leaving == "waiting" else "queued"
    return structs.replace(record, state=state, seconds=run.seconds, since=0.0)


def progress_record(run: Run) -> RunRecord | None:
    """The open run's record with what has changed of it, and can't be seen in its messages."""
    record, output = run.core.journal.record, run.output
    if record is None or record.id != run.id:
        return None
    return structs.replace(
        record,
        output_retries=None if output is None else output.retries_left,
        insisting=output is not None and output.insisting,
        nudge=run.nudge,
        limit=run.limit,
    )


def next_record(run: Run) -> RunRecord | None:
    """The run of the prompt that waits in the queue behind this one. After an abort, or where the store is not to be
    trusted, it goes on waiting for the next prompt."""
    inbox = run.core.journal.info.inbox
    if run.reason == "aborted" or not inbox:
        return None
    return record_after(run, inbox[:1])


def record_after(run: Run, prompts: tuple[Prompt, ...]) -> RunRecord:
    """A run of prompts that were put in while another one went on, or ended: it has that one's options and limits."""
    setup = replace(run.core.setup, limits=run.limits)
    return queued_record(run.core.journal.info.id, setup, asked_after(run), prompts)


def asked_after(run: Run) -> RunOptions:
    return structs.replace(run.asked, output=None, files=())


def stored_options(asked: RunOptions, retries: int) -> dict[str, Any]:
    """The options of a run as plain data. Its files are in its prompts; of a type that its output has to fit, the
    schema is kept. Secrets are not: with one hidden, the run can't be gone on with."""
    output = asked.output
    if output is not None and not isinstance(output, dict):
        output = OutputTarget.of(output, retries).tool.parameters
    given: dict[str, Any] = {
        "options": dict(asked.options),
        "switched_off": sorted(asked.switched_off),
        "system": asked.system,
        "variant": asked.variant,
        "output": output,
    }
    kept = {name: value for name, value in given.items() if value}
    hidden = known_secrets().hide_in(kept)
    return kept if hidden == kept else {**hidden, "has_hidden": True}


def has_hidden(record: RunRecord) -> bool:
    """Whether a secret among its options was not kept."""
    return bool(record.asked.get("has_hidden"))


def options_of(record: RunRecord) -> RunOptions:
    given = record.asked
    return RunOptions(
        options=given.get("options", {}),
        switched_off=frozenset(given.get("switched_off", ())),
        system=given.get("system", ""),
        variant=given.get("variant", ""),
        output=given.get("output"),
    )


def limits_of(record: RunRecord, limits: Limits, given: Mapping[str, Any]) -> Limits:
    """The limits of a run that goes on: its own, unless others are given now."""
    return structs.replace(limits, **{**record.limits, **given})


def _budgets(limits: Limits) -> dict[str, Any]:
    return {name: getattr(limits, name) for name in BUDGETS}
