"""What the file tools did is taken back and done again: step by step, all or nothing, never over foreign changes."""

import asyncio
from pathlib import Path

import pytest
from file_desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.guard.paths import Ground
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
        self.undo = Undo(Ground(root), self.journal)

    def turn(self, way, **options):
        self.undo.apply(self.undo.plan(way, **options))


@pytest.fixture
def desk(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


async def record(desk: Kept, message: str, name: str, after: bytes | None) -> None:
    """Change a file as a tool of the step `message` would."""
    place = desk.bench.ground.place(name)
    before = desk.get(name) if (desk.root / name).exists() else None
    ctx = desk._context("ses")
    ctx = type(ctx)(**{**{field: getattr(ctx, field) for field in ctx.__slots__}, "message_id": message})
    await desk.journal.record(ctx, place, before, after)
    if after is None:
        desk.bench.ground.remove(place)
    else:
        desk.bench.ground.write(place, after, expect=None)


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
    other = Undo(Ground(desk.root), desk.journal, session_id="another")
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


async def test_a_line_that_was_half_written_is_no_harm(desk: Kept, tmp_path: Path) -> None:
    await record(desk, "m1", "a.txt", b"1")
    with (tmp_path / "journal" / "changes.jsonl").open("ab") as file:
        file.write(b'{"change": {"num')
    await record(desk, "m2", "a.txt", b"2")
    desk.turn("undo")
    assert desk.get("a.txt") == b"1"


async def test_what_is_kept_is_for_its_owner_alone(desk: Kept, tmp_path: Path) -> None:
    await record(desk, "m1", "a.txt", b"1")
    kept = [path for path in (tmp_path / "journal" / "contents").rglob("*") if path.is_file()]
    assert kept
    assert all(path.stat().st_mode & 0o077 == 0 for path in kept)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.none() | st.binary(max_size=8)), max_size=8), st.data())
def test_any_number_of_steps_back_and_forth_ends_where_it_was(
    tmp_path_factory: pytest.TempPathFactory, moves: list[tuple[str, bytes | None]], data: st.DataObject
) -> None:
    desk = Kept(tmp_path_factory.mktemp("undo"))
    history = [desk.snapshot()]
    for number, (name, after) in enumerate(moves):
        if after is None and not (desk.root / name).exists():
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
