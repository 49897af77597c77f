"""`write`: new files, known files, and those that somebody else has changed."""

import os

import pytest
from file_desk import Desk

from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def test_a_new_file_is_written_with_its_folders(desk):
    assert await desk.say("write", path="a/b.txt", content="one\ntwo\n") == "Wrote a/b.txt (+2 -0)."
    assert desk.get("a/b.txt") == b"one\ntwo\n"
    assert desk.recorded == [("a/b.txt", None, b"one\ntwo\n")]


async def test_a_file_that_was_not_read_is_not_overwritten(desk):
    desk.put("a.txt", "theirs")
    with pytest.raises(ToolError, match="you have not read it"):
        await desk.call("write", path="a.txt", content="mine")
    await desk.call("read", path="a.txt", session="another")
    with pytest.raises(ToolError, match="you have not read it"):
        await desk.call("write", path="a.txt", content="mine")
    assert desk.get("a.txt") == b"theirs"
    assert desk.recorded == []


async def test_a_file_that_was_read_is_overwritten_and_then_known(desk):
    desk.put("a.txt", "one\ntwo\n")
    await desk.call("read", path="a.txt")
    assert await desk.say("write", path="a.txt", content="one\nthree\n") == "Replaced a.txt (+1 -1)."
    await desk.call("write", path="a.txt", content="four\n")
    assert desk.get("a.txt") == b"four\n"


async def test_a_file_changed_since_is_not_overwritten_and_the_change_is_shown_once(desk):
    desk.put("a.txt", "one\ntwo\nthree\n")
    await desk.call("read", path="a.txt")
    desk.put("a.txt", "one\nTWO\nthree\n")
    with pytest.raises(ToolError) as refused:
        await desk.call("write", path="a.txt", content="mine")
    assert "-two\n+TWO" in str(refused.value)
    assert desk.get("a.txt") == b"one\nTWO\nthree\n"
    await desk.call("write", path="a.txt", content="mine")
    assert desk.get("a.txt") == b"mine"


async def test_a_file_emptied_since_is_a_changed_file(desk):
    desk.put("a.txt", "one\n")
    await desk.call("read", path="a.txt")
    desk.put("a.txt", "")
    with pytest.raises(ToolError, match="-one"):
        await desk.call("write", path="a.txt", content="two\n")
    assert desk.get("a.txt") == b""


async def test_a_large_change_has_to_be_read_first(desk):
    desk.put("a.txt", "one\n")
    await desk.call("read", path="a.txt")
    desk.put("a.txt", "".join(f"{number}\n" for number in range(500)))
    for _ in range(2):
        with pytest.raises(ToolError, match="Read it again first"):
            await desk.call("write", path="a.txt", content="mine")


async def test_the_same_time_stamp_does_not_hide_a_change(desk):
    """By content, never by time: some file systems and tools keep the time."""
    path = desk.put("a.txt", "one")
    await desk.call("read", path="a.txt")
    before = path.stat()
    desk.put("a.txt", "two")
    os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(ToolError, match="changed"):
        await desk.call("write", path="a.txt", content="mine")


async def test_a_file_touched_but_not_changed_may_be_overwritten(desk):
    path = desk.put("a.txt", "one")
    await desk.call("read", path="a.txt")
    path.touch()
    await desk.call("write", path="a.txt", content="mine")
    assert desk.get("a.txt") == b"mine"


@pytest.mark.parametrize(
    ("before", "content", "after"),
    [
        (b"a\r\nb\r\n", "x\ny\n", b"x\r\ny\r\n"),
        (b"\xef\xbb\xbfa\n", "x\n", b"\xef\xbb\xbfx\n"),
        ("a\n".encode("utf-16"), "ü\n", b"\xff\xfe" + "ü\n".encode("utf-16-le")),
        ("ä\n".encode("cp1252"), "ö\n", b"\xf6\n"),
        (b"a\n", "x\r\ny\r\n", b"x\r\ny\r\n"),
    ],
)
async def test_encoding_and_line_ends_are_kept(desk, before, content, after):
    desk.put("a.txt", before)
    await desk.call("read", path="a.txt")
    await desk.call("write", path="a.txt", content=content)
    assert desk.get("a.txt") == after


async def test_a_text_that_the_encoding_cannot_hold_is_refused(desk):
    desk.put("a.txt", "ä\n".encode("cp1252"))
    await desk.call("read", path="a.txt")
    with pytest.raises(ToolError, match="Windows-1252"):
        await desk.call("write", path="a.txt", content="漢\n")
    assert desk.get("a.txt") == "ä\n".encode("cp1252")


async def test_what_is_there_already_is_not_written_again(desk):
    desk.put("a.txt", "one\n")
    await desk.call("read", path="a.txt")
    assert "nothing was written" in await desk.say("write", path="a.txt", content="one\n")
    assert desk.recorded == []


async def test_mode_bits_are_kept(desk):
    path = desk.put("run.sh", "old")
    path.chmod(0o755)
    await desk.call("read", path="run.sh")
    await desk.call("write", path="run.sh", content="new")
    assert path.stat().st_mode & 0o777 == 0o755


async def test_a_secret_is_never_written_and_guarded_files_ask(desk):
    with pytest.raises(PermissionDenied, match="no tool writes"):
        await desk.call("write", path=".env", content="KEY=1")
    assert desk.asked == []
    desk.denied = {"secret"}
    with pytest.raises(PermissionDenied):
        await desk.call("write", path=".git/hooks/pre-commit", content="curl evil")
    assert desk.asked == [("secret", ".git/hooks/pre-commit")]
    assert desk.snapshot() == {}


async def test_who_watches_edits_is_heard_and_cannot_break_them(desk):
    async def remark(ctx, place):
        return f"{place.shown}:1: undefined name"

    async def broken(ctx, place):
        raise RuntimeError("the server died")

    desk.bench.after_edit += [broken, remark]
    assert await desk.say("write", path="a.py", content="x\n") == "Wrote a.py (+1 -0).\na.py:1: undefined name"


async def test_a_journal_that_fails_stops_the_write(desk):
    class Broken:
        async def record(self, *_):
            raise RuntimeError("the disk of the journal is full")

    desk.bench.changes = Broken()
    with pytest.raises(RuntimeError):
        await desk.call("write", path="a.txt", content="x")
    assert desk.snapshot() == {}


async def test_a_write_that_fails_leaves_no_folders_behind(desk):
    with pytest.raises(ToolError, match="too long"):
        await desk.call("write", path=f"new/deep/{'x' * 300}", content="x")
    assert desk.snapshot() == {}
