"""What an agent in code did to files is taken back through its session."""

from pathlib import Path

import pytest

from toolpost import Agent, SessionBusy, ToolpostError, tool
from toolpost.testing import ScriptedModel, call, text

ALLOWED = {"edit": "allow", "bash": "allow"}
TOOLS = ["read", "write", "bash"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    project = tmp_path / "project"
    project.mkdir()
    (project / "a.txt").write_text("one\n")
    return project


def shell(command: str):
    return call("bash", {"command": command})


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


async def test_edits_and_commands_are_listed_taken_back_and_made_again(folder: Path) -> None:
    turns = (
        call("write", {"path": "b.txt", "content": "b\n"}),
        shell("echo two >> a.txt; rm b.txt; ln -s a.txt link"),
        text("ok"),
    )
    with ScriptedModel(*turns) as model:
        async with Agent(model, tools=TOOLS, folder=folder, permissions=ALLOWED, undo=True) as agent:
            session = agent.session()
            await session.run("go")
            changed = {one.path: one for one in await session.changes.list()}
            assert changed["a.txt"].diff.splitlines()[-1] == "+two"
            assert (changed["link"].kind, changed["link"].note) == ("added", "link to a.txt")
            assert set(changed) == {"a.txt", "link"}
            done = await session.changes.undo()
            assert {one.path for one in done.files} == {"a.txt", "b.txt", "link"}
            assert done.left_out == ()
            assert (folder / "b.txt").read_text() == "b\n"
            await session.changes.undo()
            assert names(folder) == {"a.txt"}
            assert (folder / "a.txt").read_text() == "one\n"
            assert (await session.changes.undo()).files == ()
            await session.changes.redo(steps=2)
            assert (folder / "link").read_text() == "one\ntwo\n"


async def test_only_what_the_session_and_those_it_sent_did_is_taken_back(folder: Path) -> None:
    with ScriptedModel(shell("echo 1 > other.txt"), text("ok")) as model:
        async with Agent(model, tools=TOOLS, folder=folder, permissions=ALLOWED, undo=True) as agent:
            await agent.run("go")
    with (
        ScriptedModel(shell("echo 2 > sent.txt"), text("done")) as below,
        ScriptedModel(call("task", {"agent": "helper", "description": "d", "prompt": "p"}), text("ok")) as model,
    ):
        helper = Agent(below, tools=TOOLS, name="helper", description="helps", folder=folder, permissions=ALLOWED)
        async with Agent(
            model, folder=folder, permissions={"task": "allow", **ALLOWED}, agents=[helper], undo=True
        ) as agent:
            session = agent.session()
            await session.run("go")
            assert (folder / "sent.txt").exists()
            await session.changes.undo(steps=10)
    assert names(folder) == {"a.txt", "other.txt"}


async def test_what_somebody_changed_since_stays_and_is_an_error(folder: Path) -> None:
    with ScriptedModel(shell("echo two > a.txt"), text("ok")) as model:
        async with Agent(model, tools=TOOLS, folder=folder, permissions=ALLOWED, undo=True) as agent:
            session = agent.session()
            await session.run("go")
            (folder / "a.txt").write_text("by hand")
            with pytest.raises(ToolpostError, match=r"a\.txt was changed since"):
                await session.changes.undo()
    assert (folder / "a.txt").read_text() == "by hand"


async def test_what_is_not_kept_is_named(folder: Path) -> None:
    with ScriptedModel(shell("mkfifo pipe; echo 1 > b.txt"), text("ok")) as model:
        async with Agent(model, tools=TOOLS, folder=folder, permissions=ALLOWED, undo=True) as agent:
            session = agent.session()
            await session.run("go")
            assert [one.path for one in await session.changes.left_out()] == ["pipe"]
            done = await session.changes.undo()
    assert [(one.path, one.why) for one in done.left_out] == [("pipe", "a named pipe")]
    assert [one.path for one in done.files] == ["b.txt"]


async def test_nothing_is_taken_back_while_it_runs(folder: Path) -> None:
    refused: list[str] = []

    @tool
    async def back() -> str:
        """Take it back."""
        with pytest.raises(SessionBusy) as raised:
            await session.changes.undo()
        refused.append(str(raised.value))
        return "no"

    with ScriptedModel(shell("echo 1 > b.txt"), call("back", {}), text("ok")) as model:
        async with Agent(model, tools=[*TOOLS, back], folder=folder, permissions=ALLOWED, undo=True) as agent:
            session = agent.session()
            await session.run("go")
    assert "undo its changes" in refused[0]
    assert (folder / "b.txt").exists()


async def test_an_agent_without_it_says_how_to_have_it_and_keeps_nothing(folder: Path, tmp_path: Path) -> None:
    with ScriptedModel(shell("echo 1 > b.txt"), text("ok")) as model:
        async with Agent(model, tools=TOOLS, folder=folder, permissions=ALLOWED) as agent:
            session = agent.session()
            await session.run("go")
            with pytest.raises(ToolpostError, match="undo=True"):
                _ = session.changes
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("steps", [0, -1])
async def test_a_number_of_steps_that_makes_no_sense_is_refused(folder: Path, steps: int) -> None:
    with ScriptedModel(text("ok")) as model:
        session = Agent(model, folder=folder, undo=True).session()
        await session.run("go")
        with pytest.raises(ToolpostError, match="above 0"):
            await session.changes.undo(steps=steps)
