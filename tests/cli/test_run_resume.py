"""`toolpost run --resume` goes on with what another process has left."""

from pathlib import Path

from console import Console

from toolpost import Agent, SqliteStore, tool
from toolpost.testing import ScriptedModel, call


@tool
async def act() -> str:
    """Act."""
    return "done"


async def parked(console: Console) -> str:
    """A session of this project whose run waits for an approval."""
    store = SqliteStore(console.data / "toolpost.db")
    agent = Agent(
        ScriptedModel(call("act")),
        [act],
        store=store,
        permissions={"act": "ask"},
        interactive=True,
        park_seconds=0.0,
        folder=console.folder,
    )
    session = agent.session()
    assert (await session.run("go")).reason == "parked"
    await store.close()
    return session.id


async def test_what_waits_for_a_person_is_not_answered_by_the_policy(tmp_path: Path) -> None:
    console = Console(tmp_path)
    session = await parked(console)
    done = await console.call("run", "--resume", "-s", session)
    assert done.status == 2
    assert "this run waits for a person" in done.err
    store = SqliteStore(console.data / "toolpost.db")
    record = await store.open_run(session)
    await store.close()
    assert record is not None
    assert record.state == "waiting"


async def test_without_an_interrupted_run_there_is_nothing_to_resume(tmp_path: Path) -> None:
    done = await Console(tmp_path).call("run", "--resume")
    assert done.status == 2
    assert "no run of this project was interrupted" in done.err


async def test_a_prompt_and_resume_exclude_each_other(tmp_path: Path) -> None:
    done = await Console(tmp_path).call("run", "--resume", "go on")
    assert done.status == 2
    assert "leave out the prompt" in done.err
