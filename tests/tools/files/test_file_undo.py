"""What the file tools did is taken back and done again: step by step, all or nothing, never over foreign changes."""

import asyncio
import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest
from file_desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.guard.paths import FileAccess
from toolpost.tools.files.apply import Step
from toolpost.tools.files.journal import FileJournal
from toolpost.tools.files.undo import Undo
from toolpost.types.errors import ToolError


class Kept(Desk):
    """A desk whose changes go into a real journal; `at` is the message that the next calls belong to."""

    def __init__(self, folder: Path) -> None:
        root = folder / "project"
        root.mkdir()
        super().__init__(root)
        self.journal = FileJournal(folder / "journal")
        self.bench.changes = self.journal
        self.undo = Undo(FileAccess(root), self.journal)

    def turn(self, way, **options):
        self.undo.apply(self.undo.plan(way, **options))


@pytest.fixture
def desk(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


async def record(desk: Kept, message: str, name: str, after: bytes | None, session: str = "ses") -> None:
    """Change a file as a tool of the step `message` would."""
    place = desk.bench.project_files.resolve(name)
    before = desk.get(name) if (desk.root / name).exists() else None
    ctx = dataclasses.replace(desk._context(session), message_id=message)
    await desk.journal.record(ctx, Step(place, before, after))
    if after is None:
        desk.bench.project_files.remove(place)
    else:
        desk.bench.project_files.write(place, after, expect=None)


async def test_a_step_is_taken_back_and_done_again(desk: Kept) -> None:
    desk.put("a.txt", "one\n")
    await record(desk, "m1", "a.txt", b"two\n")
    await record(desk, "m1", "new/b.bin", bytes(range(256)))
    desk.turn("undo")
    assert desk.get("a.txt") == b"one\n"
    assert not (desk.root / "new/b.bin").exists()
    desk.turn("redo")
    assert desk.get("a.txt") == b"two\n"
    assert desk.get("new/b.bin") == bytes(range(256))


async def test_the_last_steps_go_first_and_several_at_once(desk: Kept) -> None:
    for number in range(1, 5):
        await record(desk, f"m{number}", "a.txt", f"{number}".encode())
    desk.turn("undo")
    assert desk.get("a.txt") == b"3"
    desk.turn("undo", steps=2)
    assert desk.get("a.txt") == b"1"
    desk.turn("redo")
    assert desk.get("a.txt") == b"2"


async def test_a_deleted_file_comes_back(desk: Kept) -> None:
    desk.put("a.txt", "precious")
    await record(desk, "m1", "a.txt", None)
    desk.turn("undo")
    assert desk.get("a.txt") == b"precious"


@pytest.mark.parametrize("foreign", [b"somebody else's", None])
async def test_nothing_is_done_over_a_foreign_change(desk: Kept, foreign: bytes | None) -> None:
    desk.put("b.txt", "0")
    await record(desk, "m1", "a.txt", b"1")
    await record(desk, "m1", "b.txt", b"1")
    (desk.root / "b.txt").unlink() if foreign is None else (desk.root / "b.txt").write_bytes(foreign)
    plan = desk.undo.plan("undo")
    assert plan.problems
    assert "b.txt" in plan.problems[0]
    with pytest.raises(ToolError):
        desk.undo.apply(plan)
    assert desk.get("a.txt") == b"1"


async def test_only_the_session_that_was_named_is_undone(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    other = Undo(FileAccess(desk.root), desk.journal, sessions={"another"})
    assert not other.plan("undo").numbers


async def test_the_tools_themselves_are_undone(desk: Kept) -> None:
    desk.put("a.py", "x = 1\n")
    await desk.call("read", path="a.py")
    await desk.call("edit", path="a.py", old_text="x = 1", new_text="x = 2")
    assert desk.get("a.py") == b"x = 2\n"
    [net] = desk.undo.net()
    assert (net.before, net.after) == (b"x = 1\n", b"x = 2\n")
    desk.turn("undo")
    assert desk.get("a.py") == b"x = 1\n"
    assert desk.undo.net() == []


@pytest.mark.parametrize(
    "damage", [b'{"change": {"num', b"\0" * 100 + b"\n", b'{"change": {"path": "\xff"}}\n', b"\n\n[]"]
)
async def test_a_line_that_was_half_written_is_no_harm(desk: Kept, tmp_path: Path, damage: bytes) -> None:
    await record(desk, "m1", "a.txt", b"1")
    with (tmp_path / "journal" / "changes.jsonl").open("ab") as file:
        file.write(damage)
    await record(desk, "m2", "a.txt", b"2")
    desk.turn("undo")
    assert desk.get("a.txt") == b"1"


async def test_what_is_kept_is_for_its_owner_alone(desk: Kept, tmp_path: Path) -> None:
    await record(desk, "m1", "a.txt", b"1")
    kept = [tmp_path / "journal", *(tmp_path / "journal").rglob("*")]
    assert len(kept) == 5
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.binary(max_size=8)), max_size=8), st.data())
def test_any_number_of_steps_back_and_forth_ends_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, bytes | None]], data: st.DataObject
) -> None:
    desk = Kept(tmp_path_factory.mktemp("undo"))
    history = [desk.snapshot()]
    for number, (name, after) in enumerate(moves):
        if after == (desk.get(name) if (desk.root / name).exists() else None):
            continue
        asyncio.run(record(desk, f"m{number}", name, after))
        history.append(desk.snapshot())
    back = data.draw(st.integers(0, len(history) - 1))
    for _ in range(back):
        desk.turn("undo")
    assert desk.snapshot() == history[-1 - back]
    for _ in range(back):
        desk.turn("redo")
    assert desk.snapshot() == history[-1]


async def test_several_steps_are_not_undone_over_a_change_between_them(desk: Kept) -> None:
    """Only the last step was held against the file once, so what a person did between two steps was lost."""
    await record(desk, "m1", "a.txt", b"1")
    desk.put("a.txt", "a person's own")
    await record(desk, "m2", "a.txt", b"2")
    plan = desk.undo.plan("undo", steps=2)
    assert plan.problems == ("a.txt was changed by another program between these steps",)
    desk.turn("undo")
    assert desk.get("a.txt") == b"a person's own"


async def test_a_session_is_not_undone_over_what_another_did_between_its_steps(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    await record(desk, "m2", "a.txt", b"2", session="other")
    await record(desk, "m3", "a.txt", b"3")
    mine = Undo(FileAccess(desk.root), desk.journal, sessions={"ses"})
    assert mine.plan("undo", steps=2).problems
    assert not mine.plan("undo").problems


async def test_a_step_is_whole_although_another_session_worked_meanwhile(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    await record(desk, "m2", "b.txt", b"1", session="other")
    await record(desk, "m1", "c.txt", b"1")
    desk.turn("undo")
    assert set(desk.snapshot()) == {"b.txt"}
    desk.turn("undo")
    assert not desk.snapshot()


async def test_a_change_that_failed_does_not_stand_in_the_way_of_those_before_it(desk: Kept, monkeypatch) -> None:
    """It is noted before it is made; as the last step, it once made every undo a refusal."""
    desk.put("a.txt", "0")
    await record(desk, "m1", "a.txt", b"1")
    await desk.call("read", path="a.txt")

    def full(*_: object, **__: object) -> None:
        raise ToolError("the disk is full")

    monkeypatch.setattr(desk.bench.project_files, "write", full)
    with pytest.raises(ToolError, match="full"):
        await desk.call("write", path="a.txt", content="2")
    monkeypatch.undo()
    assert [step.after for step in desk.undo.net()] == [b"1"]
    desk.turn("undo")
    assert desk.get("a.txt") == b"0"
    desk.turn("redo")
    assert desk.get("a.txt") == b"1"
    assert not desk.undo.plan("redo").steps


async def test_a_change_that_a_dying_process_noted_and_never_made_is_passed_over(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    ctx = desk._context("ses")
    await desk.journal.record(ctx, Step(desk.bench.project_files.resolve("a.txt"), b"1", b"2"))
    desk.turn("undo")
    assert not (desk.root / "a.txt").exists()


async def test_a_step_that_was_half_made_is_taken_back_by_that_half(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    ctx = dataclasses.replace(desk._context("ses"), message_id="m1")
    await desk.journal.record(ctx, Step(desk.bench.project_files.resolve("b.txt"), None, b"never written"))
    desk.turn("undo")
    assert not desk.snapshot()


async def test_what_is_done_after_an_undo_ends_the_way_forward(desk: Kept) -> None:
    """An undone step that can't be redone any more once stood in the way of redoing a later one."""
    for number in (1, 2):
        await record(desk, f"m{number}", "a.txt", f"{number}".encode())
    desk.turn("undo")
    for number in (3, 4):
        await record(desk, f"m{number}", "a.txt", f"{number}".encode())
    assert not desk.undo.plan("redo").numbers
    desk.turn("undo")
    desk.turn("redo")
    assert desk.get("a.txt") == b"4"


async def test_a_step_in_the_middle_is_taken_back_by_its_message_and_done_again(desk: Kept) -> None:
    await record(desk, "m1", "a.txt", b"1")
    await record(desk, "m2", "b.txt", b"2")
    desk.turn("undo", messages=["m1"])
    assert set(desk.snapshot()) == {"b.txt"}
    desk.turn("redo")
    assert desk.get("a.txt") == b"1"


async def test_what_a_patch_deleted_or_moved_comes_back_with_its_mode(desk: Kept) -> None:
    for name in ("gone.sh", "moved.sh"):
        desk.put(name, f"#!/bin/sh\n# {name}\n").chmod(0o750)
    patch = "*** Begin Patch\n*** Delete File: gone.sh\n*** Update File: moved.sh\n*** Move to: sub/m.sh\n*** End Patch"
    await desk.call("apply_patch", patch=patch)
    desk.turn("undo")
    assert {name: (desk.root / name).stat().st_mode & 0o777 for name in ("gone.sh", "moved.sh")} == {
        "gone.sh": 0o750,
        "moved.sh": 0o750,
    }
    desk.turn("redo")
    assert (desk.root / "sub/m.sh").stat().st_mode & 0o777 == 0o750


async def test_a_damaged_content_is_never_written_back(desk: Kept, tmp_path: Path) -> None:
    desk.put("a.txt", "precious")
    await record(desk, "m1", "a.txt", b"1")
    for kept in (tmp_path / "journal" / "contents").rglob("*"):
        if kept.is_file() and kept.read_bytes() == b"precious":
            kept.write_bytes(b"")
    plan = desk.undo.plan("undo")
    assert "damaged" in plan.problems[0]
    with pytest.raises(ToolError, match="damaged"):
        desk.undo.apply(plan)
    assert desk.get("a.txt") == b"1"
    # The next change that holds it mends it.
    desk.put("b.txt", "precious")
    await record(desk, "m2", "b.txt", b"2")
    assert not desk.undo.plan("undo", steps=2).problems


@pytest.mark.parametrize("put_there", ["link", "folder", "link on the way"])
async def test_undo_follows_no_link_and_replaces_no_folder(desk: Kept, put_there: str) -> None:
    await record(desk, "m1", "sub/a.txt", b"1")
    path = desk.root / "sub/a.txt"
    elsewhere = desk.put("elsewhere/a.txt", "1")
    if put_there == "link on the way":
        path.unlink()
        path.parent.rmdir()
        path.parent.symlink_to(elsewhere.parent)
    else:
        path.unlink()
        path.symlink_to(elsewhere) if put_there == "link" else path.mkdir()
    assert desk.undo.plan("undo").problems
    assert elsewhere.read_bytes() == b"1"


async def test_a_large_binary_that_was_deleted_comes_back(desk: Kept) -> None:
    data = bytes(range(256)) * 400_000
    desk.put("large.bin", data)
    await desk.call("apply_patch", patch="*** Begin Patch\n*** Delete File: large.bin\n*** End Patch")
    assert not desk.snapshot()
    desk.turn("undo")
    assert desk.get("large.bin") == data


WRITER = """
import sys
from pathlib import Path
from toolpost.guard.paths import FileAccess
from toolpost.tools.files.apply import Step
from toolpost.tools.files.apply import Step
from toolpost.tools.files.journal import FileJournal
journal, place = FileJournal(Path(sys.argv[1])), FileAccess(Path(sys.argv[1])).resolve("x")
sys.stdin.read(1)
for number in range(30):
    journal.note(sys.argv[2], f"{sys.argv[2]}-{number}", Step(place, None, f"{number}".encode()))
"""


def test_processes_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path), name], stdin=subprocess.PIPE) for name in "abc"
    ]
    for writer in writers:
        assert writer.stdin is not None
        writer.stdin.write(b"!")
        writer.stdin.close()
    assert [writer.wait(30) for writer in writers] == [0, 0, 0]
    changes = FileJournal(tmp_path).changes()
    assert len({change.number for change in changes}) == 90
    assert {change.message_id for change in changes} == {f"{name}-{number}" for name in "abc" for number in range(30)}
