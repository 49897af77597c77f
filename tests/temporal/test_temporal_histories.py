"""Runs that were begun with an earlier version can be replayed: what `record_histories.py` has recorded says so."""

from pathlib import Path

import pytest
from record_histories import LIVES
from temporalio import workflow
from temporalio.client import WorkflowHistory
from temporalio.worker import Replayer
from temporalio.workflow import NondeterminismError

from toolpost.temporal.schedule_workflow import FireWorkflow
from toolpost.temporal.workflow import RunWorkflow

HISTORIES = sorted((Path(__file__).parent / "histories").glob("*/*.json"))


@workflow.defn(name="toolpost.run", sandboxed=False)
class ChangedWorkflow:
    """What it does first is something else."""

    @workflow.run
    async def run(self, run: dict[str, str]) -> str:
        await workflow.sleep(1)
        return "ended"


def history(file: Path) -> WorkflowHistory:
    return WorkflowHistory.from_json(file.stem, file.read_text())


def test_every_way_a_run_or_a_firing_can_go_is_recorded() -> None:
    for folder in {file.parent for file in HISTORIES}:
        assert {file.stem for file in folder.iterdir()} == LIVES


@pytest.mark.parametrize("file", HISTORIES, ids=lambda file: f"{file.parent.name}-{file.stem}")
async def test_a_recorded_run_is_replayed_by_the_code_of_today(file: Path) -> None:
    await Replayer(workflows=[RunWorkflow, FireWorkflow]).replay_workflow(history(file))


async def test_code_that_goes_another_way_does_not_pass() -> None:
    with pytest.raises(NondeterminismError):
        await Replayer(workflows=[ChangedWorkflow]).replay_workflow(history(HISTORIES[0]))


def test_nothing_of_the_machine_is_recorded() -> None:
    for file in HISTORIES:
        assert "/src/" not in file.read_text()
