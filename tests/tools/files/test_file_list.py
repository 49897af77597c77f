"""`list`: a tree of names, bounded, with what was left out."""

import pytest
from file_desk import Desk

from toolpost.tools.limits import ToolLimits
from toolpost.types.errors import ToolError


@pytest.fixture
def desk(tmp_path):
    return Desk(tmp_path)


async def test_a_folder_is_listed_as_a_tree(desk):
    desk.put("src/app/main.py", "")
    desk.put("README.md", "")
    (desk.root / "link").symlink_to("/etc")
    assert await desk.say("list") == "README.md\nlink@\nsrc/\n  app/\n    main.py\n(5 entries)"


async def test_what_git_ignores_is_left_out_and_counted(desk):
    desk.put(".gitignore", "*.log\n/build/\n!keep.log\ndocs/*.tmp\n# a comment\nsub/**/deep\n")
    for name in ("a.log", "keep.log", "build/x", "src/build/y", "docs/a.tmp", "docs/b/a.tmp", "sub/one/two/deep/z"):
        desk.put(name, "")
    desk.put("src/.gitignore", "*.gen\n!a.log\n")
    desk.put("src/b.gen", "")
    desk.put("src/a.log", "")
    desk.put("node_modules/x/y", "")
    said = await desk.say("list", depth=5)
    lines = [line.strip() for line in said.split("\n")]
    assert "build/ (not listed)" in lines
    assert "node_modules/ (not listed)" in lines
    assert "deep/ (not listed)" in lines
    assert {"keep.log", "y"} <= set(lines)
    assert not {"b.gen", "x", "z"} & set(lines)
    # The deeper file speaks for its own folder: src/a.log is back, the one at the top is not.
    assert lines.count("a.log") == 1
    # docs/*.tmp means that folder alone.
    assert lines.count("a.tmp") == 1
    assert "3 are ignored" in lines[-1]


async def test_a_large_tree_is_cut_from_below_and_it_is_said(tmp_path):
    desk = Desk(tmp_path, ToolLimits(list_entries=10))
    for number in range(30):
        desk.put(f"deep/f{number:02}", "")
    desk.put("a.txt", "")
    desk.put("z/last.txt", "")
    said = await desk.say("list")
    assert said.startswith("a.txt\ndeep/\n  f00\n")
    assert "z/ (not listed)" in said
    assert "… 23 more" in said
    assert "(10 entries; not shown: 24 found no room)" in said


async def test_depth_bounds_the_levels(desk):
    desk.put("a/b/c/d/e", "")
    said = await desk.say("list", depth=2)
    assert said == "a/\n  b/\n(2 entries; not shown: 1 folders lie deeper)"


async def test_links_are_not_entered(desk):
    (desk.root / "self").symlink_to(".")
    assert await desk.say("list", depth=20) == "self@\n(1 entries)"


async def test_a_name_that_garbles_the_list_is_escaped(desk):
    desk.put("a\nb", "")
    assert "'a\\nb'" in await desk.say("list")


async def test_a_file_or_nothing_is_no_folder(desk):
    desk.put("a.txt", "")
    for path in ("a.txt", "missing"):
        with pytest.raises(ToolError, match="no folder"):
            await desk.call("list", path=path)


async def test_outside_asks(desk, tmp_path_factory):
    other = tmp_path_factory.mktemp("other")
    await desk.call("list", path=str(other))
    assert desk.asked == [("external_directory", f"{other}/*")]


async def test_a_hostile_gitignore_costs_no_time(desk):
    desk.put(".gitignore", ("*a" * 30 + "b\n") * 50 + "**/" * 30 + "x\n[\n\\\n")
    desk.put("a" * 200, "")
    desk.put("/".join("d" * 15), "")
    assert "a" * 200 in await desk.say("list", depth=20)
