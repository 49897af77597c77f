"""The files that a session changed, and taking it back: for the session's user, and never over somebody else's work."""

from pathlib import Path
from typing import Any

import pytest
from resource_play import People, Person, message_of, people

from toolpost.guard.redact import remember
from toolpost.testing import Gate, call, calls, pause, text

ALLOWED = '[permissions]\nedit = "allow"\n'


def writing(path: str, content: str) -> Any:
    return call("write", {"path": path, "content": content})


def texts(folder: Path) -> list[str]:
    return sorted(file.name for file in folder.glob("*.txt"))


async def changed(person: Person, session: str) -> dict[str, Any]:
    return {one["path"]: one for one in (await person.get(f"/api/sessions/{session}/files"))["files"]}


async def test_changed_files_are_listed_with_their_counts_and_shown_with_their_differences(folder: Path) -> None:
    (folder / "old.txt").write_text("one\ntwo\n")
    edit = call("edit", {"path": "old.txt", "old_text": "two", "new_text": "three"})
    turns = (call("read", {"path": "old.txt"}), calls(writing("new.txt", "a\nb\n"), edit), text("done"))
    async with people(folder, *turns, config=ALLOWED) as every:
        session = await every.ann.done()
        listed = await every.ann.get(f"/api/sessions/{session}/files")
        told = await every.ann.get(f"/api/sessions/{session}/diff", path="old.txt")
    assert listed["files"] == [
        {"path": "new.txt", "kind": "added", "added": 2, "removed": 0},
        {"path": "old.txt", "kind": "changed", "added": 1, "removed": 1},
    ]
    assert [(step["files"], step["is_undone"]) for step in listed["steps"]] == [(["new.txt", "old.txt"], False)]
    assert [one["path"] for one in told["files"]] == ["old.txt"]
    assert told["files"][0]["diff"].splitlines()[-2:] == ["-two", "+three"]


async def test_steps_are_taken_back_and_done_again(folder: Path) -> None:
    turns = (writing("a.txt", "1"), call("write", {"path": "a.txt", "content": "2"}), text("done"))
    async with people(folder, *turns, config=ALLOWED) as every:
        session = await every.ann.done()
        told = await every.ann.post(f"/api/sessions/{session}/undo")
        assert (folder / "a.txt").read_text() == "1"
        assert [(one["path"], one["kind"]) for one in told["files"]] == [("a.txt", "changed")]
        await every.ann.post(f"/api/sessions/{session}/undo")
        assert not (folder / "a.txt").exists()
        assert await changed(every.ann, session) == {}
        told = await every.ann.post(f"/api/sessions/{session}/undo")
        assert told == {"files": [], "is_done": False, "not_taken_back": []}
        await every.ann.post(f"/api/sessions/{session}/redo", steps=2)
    assert (folder / "a.txt").read_text() == "2"


async def test_all_that_came_of_a_prompt_is_taken_back_with_what_its_sub_agents_did(folder: Path) -> None:
    sent = call("task", {"description": "help", "prompt": "write b"})
    turns = (
        writing("before.txt", "0"),
        text("done"),
        writing("a.txt", "1"),
        sent,
        writing("b.txt", "2"),
        text("child done"),
        text("done"),
    )
    async with people(folder, *turns, config=ALLOWED) as every:
        session = await every.ann.done()
        await every.ann.prompt(session, "again")
        await every.ann.settled(session)
        assert set(await changed(every.ann, session)) == {"before.txt", "a.txt", "b.txt"}
        trial = await every.ann.post(f"/api/sessions/{session}/undo", message="last", is_trial=True)
        assert (folder / "b.txt").exists()
        told = await every.ann.post(f"/api/sessions/{session}/undo", message="last")
    assert [one["path"] for one in trial["files"]] == [one["path"] for one in told["files"]]
    assert texts(folder) == ["before.txt"]


async def test_what_came_of_one_step_or_prompt_is_taken_back_by_its_id(folder: Path) -> None:
    turns = (writing("a.txt", "1"), text("done"), writing("b.txt", "2"), text("done"))
    async with people(folder, *turns, config=ALLOWED) as every:
        session = await every.ann.done()
        await every.ann.prompt(session, "again")
        await every.ann.settled(session)
        first = (await every.ann.get(f"/api/sessions/{session}/files"))["steps"][-1]["message"]
        tree = (await every.ann.get(f"/api/sessions/{session}/tree"))["messages"]
        prompt = [one["id"] for one in tree if one["role"] == "user"][1]
        await every.ann.post(f"/api/sessions/{session}/undo", message=first)
        assert not (folder / "a.txt").exists()
        await every.ann.post(f"/api/sessions/{session}/undo", message=prompt)
        assert not (folder / "b.txt").exists()
        await every.ann.post(f"/api/sessions/{session}/undo", message="msg_unknown", status=400)


async def test_a_file_that_somebody_changed_since_is_not_touched(folder: Path) -> None:
    async with people(folder, writing("a.txt", "1"), text("done"), config=ALLOWED) as every:
        session = await every.ann.done()
        (folder / "a.txt").write_text("by hand")
        told = await every.ann.post(f"/api/sessions/{session}/undo", status=409)
    assert "a.txt" in message_of(told)
    assert (folder / "a.txt").read_text() == "by hand"


async def test_nothing_is_taken_back_while_the_session_runs(folder: Path) -> None:
    gate = Gate()
    async with people(folder, writing("a.txt", "1"), pause(gate) + text("done"), config=ALLOWED) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        await gate.reached.wait()
        await every.ann.post(f"/api/sessions/{session}/undo", status=409)
        gate.open()
        await every.ann.settled(session)
        await every.ann.post(f"/api/sessions/{session}/undo")
    assert not (folder / "a.txt").exists()


@pytest.mark.parametrize(("method", "path"), [("get", "files"), ("get", "diff"), ("post", "undo"), ("post", "redo")])
async def test_nobody_sees_or_undoes_what_anothers_session_did(folder: Path, method: str, path: str) -> None:
    async with people(folder, writing("a.txt", "1"), text("done"), config=ALLOWED) as every:
        session = await every.ann.done()
        for other in (every.bob, every.root):
            mine = await getattr(other, method)(f"/api/sessions/{session}/{path}", status=404)
            nobodys = await getattr(other, method)(f"/api/sessions/ses_unknown/{path}", status=404)
            assert message_of(mine).replace(session, "ses_unknown") == message_of(nobodys)
    assert (folder / "a.txt").read_text() == "1"


async def test_undo_in_ones_own_session_leaves_anothers_changes(folder: Path) -> None:
    turns = (writing("a.txt", "1"), text("done"), writing("b.txt", "2"), text("done"))
    async with people(folder, *turns, config=ALLOWED) as every:
        mine, theirs = await every.ann.done(), await every.bob.done()
        step = await _step(every, theirs)
        assert set(await changed(every.ann, mine)) == {"a.txt"}
        await every.ann.post(f"/api/sessions/{mine}/undo", message=step, status=400)
        await every.ann.post(f"/api/sessions/{mine}/undo", steps=10)
    assert texts(folder) == ["b.txt"]


async def _step(every: People, session: str) -> str:
    return (await every.bob.get(f"/api/sessions/{session}/files"))["steps"][0]["message"]


async def test_a_key_of_the_servers_is_not_in_a_difference(folder: Path) -> None:
    remember("sesame-open-the-door-1234")
    turns = (writing("a.txt", "key = sesame-open-the-door-1234\n"), text("done"))
    async with people(folder, *turns, config=ALLOWED) as every:
        session = await every.ann.done()
        answer = await every.ann.http.get(f"/api/sessions/{session}/diff")
    assert answer.json()["files"][0]["added"] == 1
    assert "sesame" not in answer.text


async def test_what_a_command_changed_is_listed_and_taken_back_with_what_cant_be_named(folder: Path) -> None:
    (folder / "a.txt").write_text("one\n")
    command = "echo two >> a.txt; chmod 600 a.txt; seq 1000 > large.bin; ln -s a.txt link"
    config = '[permissions]\nedit = "allow"\nbash = "allow"\n[tool_limits]\nsnapshot_file_bytes = 1000\n'
    async with people(folder, call("bash", {"command": command}), text("done"), config=config) as every:
        session = await every.ann.done()
        listed = await every.ann.get(f"/api/sessions/{session}/files")
        told = await every.ann.post(f"/api/sessions/{session}/undo")
        after = await every.ann.get(f"/api/sessions/{session}/files")
    found = {one["path"]: one for one in listed["files"]}
    assert (found["a.txt"]["kind"], found["a.txt"]["added"]) == ("changed", 1)
    assert found["a.txt"]["note"] == "mode 644 → 600"
    assert found["link"]["note"] == "link to a.txt"
    large = {"path": "large.bin", "why": "3.9 kB, over the limit of 1.0 kB"}
    assert listed["not_kept"] == [large]
    assert told["not_taken_back"] == [large]
    assert {one["path"] for one in told["files"]} == {"a.txt", "link"}
    assert (folder / "a.txt").read_text() == "one\n"
    assert (folder / "a.txt").stat().st_mode & 0o777 == 0o644
    assert (folder / "large.bin").exists()
    assert after["files"] == []
