"""Outputs too long for the model: where each is kept whole, and that it is deleted with its session."""

import re
from pathlib import Path

import pytest
from project import Project

from toolpost.testing import call, text
from toolpost.types.messages import Completed, TextPart

TOOLS = '''
from toolpost import tool

@tool
def repeat(word: str) -> str:
    """Say a word very often."""
    return f"{word}\\n" * 5_000
'''
CONFIG = """
model = "scripted/model"
[permissions]
"*" = "allow"
"""


@pytest.fixture
def project(tmp_path, monkeypatch, capsys):
    project = Project(tmp_path, monkeypatch, capsys)
    project.write(".toolpost/tools/long.py", TOOLS)
    project.write(".toolpost/config.toml", CONFIG)
    return project


def repeat(word: str):
    """A call whose id a server gives to every call."""
    return call("repeat", {"word": word}, id="call_0")


def kept(project: Project, session_id: str) -> list[Path]:
    """The files that the results of a session name, in the order of the calls."""

    async def named(store):
        head = (await store.info(session_id)).head
        states = [part.state for message in await store.branch(session_id, head) for part in message.calls]
        results = ["".join(part.text for part in state.content if isinstance(part, TextPart)) for state in states]
        assert all(isinstance(state, Completed) for state in states)
        return [Path(re.search(r"everything is in (\S+):", result)[1]) for result in results]

    return project.in_store(named)


def test_calls_with_the_same_id_keep_their_outputs_apart(project):
    first = project.converse("go", repeat("one"), repeat("two"), text("done"))
    second = project.converse("go", repeat("three"), text("done"))
    files = [*kept(project, first), *kept(project, second)]
    assert [path.read_text() for path in files] == [f"{word}\n" * 5_000 for word in ("one", "two", "three")]
    assert [path.parent.name for path in files] == [first, first, second]


def test_a_command_whose_output_is_cut_twice_is_still_whole(project):
    """What a batch gives back of each call is less than a command may say, so it is cut once more."""
    commands = [{"tool": "bash", "arguments": {"command": f"seq {number} 9000"}} for number in (1, 2, 3)]
    session = project.converse("go", call("batch", {"calls": commands}, id="call_0"), text("done"))
    outputs = sorted((project.data / "outputs" / session).iterdir())
    whole = ["".join(f"{number}\n" for number in range(first, 9001)) for first in (1, 2, 3)]
    assert all(any(path.read_text() == one for path in outputs) for one in whole)


def test_deleting_a_session_deletes_its_outputs_and_no_others(project):
    first = project.converse("go", repeat("one"), text("done"))
    second = project.converse("go", repeat("two"), text("done"))
    (gone,), (stays,) = kept(project, first), kept(project, second)
    assert project.call("sessions", "delete", first, "--yes").status == 0
    assert not gone.parent.exists()
    assert stays.read_text() == "two\n" * 5_000
