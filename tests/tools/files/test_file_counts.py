"""`read` and `list` say one of a thing in the singular."""

import pytest
from file_desk import Desk

from toolpost.types.errors import ToolError


@pytest.mark.parametrize(
    ("lines", "arguments", "said"),
    [
        ("one\n", {"path": "a/b.txt"}, "end of file, 1 line)"),
        ("one\ntwo\n", {"path": "a/b.txt"}, "end of file, 2 lines)"),
        ("x" * 2_001, {"path": "a/b.txt"}, "… (1 more character)"),
        ("x" * 2_001, {"path": "a/b.txt"}, "cut because too long: 1 line;"),
        ("one\n", {"path": "a"}, "(1 of 1 entry of a/)"),
    ],
)
async def test_read_counts_one_line_as_one(tmp_path, lines, arguments, said):
    desk = Desk(tmp_path)
    desk.put("a/b.txt", lines)
    assert said in await desk.say("read", **arguments)


@pytest.mark.parametrize(
    ("path", "said"), [("b.txt", "There is no line 9: the file has 1 line."), (".", "the folder has 1 entry.")]
)
async def test_a_place_past_the_end_counts_one_as_one(tmp_path, path, said):
    desk = Desk(tmp_path)
    desk.put("b.txt", "one\n")
    with pytest.raises(ToolError, match=said):
        await desk.say("read", path=path, offset=9)


async def test_list_counts_one_as_one(tmp_path):
    desk = Desk(tmp_path)
    desk.put("a/b.txt", "one\n")
    assert "(1 entry)" in await desk.say("list", path="a")
    desk.put("c/d.txt", "one\n")
    assert "(4 entries)" in await desk.say("list", path=".")
