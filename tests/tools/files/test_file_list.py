"""`list`: a tree of names, bounded, with what was left out."""

import contextlib
import subprocess

import pytest
from file_desk import Desk
from hypothesis import given, settings
from hypothesis import strategies as st

from toolpost.tools.files.folder_tree import FolderTree
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


PARTS = ("a", "b", "foo", "x.log", "[a]", "a b", "#c", "!d")
PATTERNS = (
    *("*.log", "!*.log", "foo", "/foo", "foo/", "foo/*", "foo/**", "**/foo", "**/b/**", "a/**/b", "*/b", "**", "*"),
    *("!foo", "!*/", "!foo/x.log", "\\#c", "#c", "\\!d", "!d", "a b", "a\\ b"),
    *("?", "[ab]", "[!a]", "[^a]", "[[]a]", "[a", "fo[n-p]"),
)


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.sampled_from(PARTS), min_size=1, max_size=3), min_size=4, max_size=10),
    st.dictionaries(st.sampled_from(["", "foo", "a"]), st.lists(st.sampled_from(PATTERNS), max_size=4), max_size=2),
)
def test_what_is_left_out_is_what_git_leaves_out(tmp_path_factory, paths, ignores):
    desk = Desk(tmp_path_factory.mktemp("project"))
    for parts in paths:
        # A name may be a folder already, or a file on the way.
        with contextlib.suppress(OSError):
            desk.put("/".join(parts), "")
    for folder, lines in ignores.items():
        if (desk.root / folder).is_dir():
            desk.put(f"{folder}/.gitignore".lstrip("/"), "\n".join(lines))
    subprocess.run(["git", "init", "--quiet"], cwd=desk.root, check=True)
    words = ["git", "ls-files", "--others", "--exclude-standard", "-z"]
    kept = subprocess.run(words, cwd=desk.root, check=True, capture_output=True, text=True).stdout
    place = desk.bench.project_files.resolve(".")
    tree = FolderTree(desk.bench.project_files, place, 10, 1_000, lambda path: False)
    assert files_of(tree.top) == set(filter(None, kept.split("\0")))


def files_of(node):
    return {path for child in node.children for path in (files_of(child) if child.folder else {"/".join(child.path)})}


async def test_a_folder_below_heeds_the_gitignores_above_it(desk):
    desk.put(".gitignore", "*.log\n/src/gen/\n")
    desk.put("src/.gitignore", "!kept.log\n")
    for name in ("a.log", "kept.log", "a.py", "gen/x.py"):
        desk.put(f"src/deep/{name}", "")
        desk.put(f"src/{name}", "")
    assert "a.log" not in await desk.say("list", path="src/deep")
    assert "kept.log" in await desk.say("list", path="src/deep")
    assert "gen/ (not listed)" in await desk.say("list", path="src")
    # What was named itself is shown, whatever the project says of it.
    assert "x.py" in await desk.say("list", path="src/gen")


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
    assert await desk.say("list", depth=20) == "self@\n(1 entry)"


async def test_a_name_that_garbles_the_list_is_escaped(desk):
    desk.put("a\nb", "")
    assert "'a\\nb'" in await desk.say("list")


async def test_a_file_or_nothing_is_no_folder(desk):
    desk.put("a.txt", "")
    for path in ("a.txt", "missing"):
        with pytest.raises(ToolError, match="not a folder"):
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
