"""`glob` on real files with real ripgrep."""

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from search_desk import SearchDesk

from toolpost.tools.code_search.path_globs import Glob, split_start
from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture
def desk(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    return SearchDesk(root)


async def test_files_come_newest_first(desk):
    desk.put("old.py", age=300)
    desk.put("src/new.py", age=1)
    desk.put("src/deep/middle.py", age=20)
    desk.put("src/other.txt")
    assert await desk.lines("glob", pattern="**/*.py") == ["src/new.py", "src/deep/middle.py", "old.py"]


async def test_a_bare_name_is_found_at_any_depth_and_a_path_where_it_is(desk):
    desk.put("Makefile", age=1)
    desk.put("a/b/Makefile", age=2)
    assert await desk.lines("glob", pattern="Makefile") == ["Makefile", "a/b/Makefile"]
    assert await desk.lines("glob", pattern="a/*/Makefile") == ["a/b/Makefile"]
    assert "No files match" in await desk.say("glob", pattern="a/Makefile")
    assert await desk.lines("glob", pattern="./Makefile") == ["Makefile"]


async def test_what_git_ignores_is_left_out_even_if_the_pattern_matches_it(desk):
    desk.git("init")
    desk.put(".gitignore", "*.log\nbuild/\n!kept.txt\n")
    desk.put("kept.txt")
    desk.put("a.log")
    desk.put("build/b.log")
    desk.put("build/c.py")
    desk.put("d.py")
    assert "No files match" in await desk.say("glob", pattern="**/*.log")
    assert await desk.lines("glob", pattern="*.py") == ["d.py"]
    # A line of .gitignore that keeps a file does not make it match.
    assert sorted(await desk.lines("glob", pattern="**/*")) == ["d.py", "kept.txt"]


async def test_a_folder_that_the_pattern_names_is_searched_though_it_is_ignored_or_hidden(desk):
    desk.put(".gitignore", "node_modules/\n")
    desk.put("node_modules/x/index.js")
    desk.put(".github/workflows/test.yml")
    assert await desk.lines("glob", pattern="node_modules/x/*.js") == ["node_modules/x/index.js"]
    assert await desk.lines("glob", pattern=".github/**/*.yml") == [".github/workflows/test.yml"]


async def test_hidden_files_are_left_out_unless_they_are_asked_for(desk):
    desk.git("init")
    desk.put(".hidden.py", age=1)
    desk.put(".config/a.py", age=2)
    desk.put("b.py", age=3)
    assert await desk.lines("glob", pattern="*.py") == ["b.py"]
    assert await desk.lines("glob", pattern="*.py", hidden=True) == [".hidden.py", ".config/a.py", "b.py"]
    assert await desk.lines("glob", pattern=".*.py") == [".hidden.py"]
    assert not [line for line in await desk.lines("glob", pattern="**", hidden=True) if line.startswith(".git/")]


async def test_more_than_the_limit_is_counted_and_the_newest_are_kept(tmp_path):
    desk = SearchDesk(tmp_path, search_results=3)
    for number in range(10):
        desk.put(f"f{number}.txt", age=number)
    *shown, last = await desk.lines("glob", pattern="*.txt")
    assert shown == ["f0.txt", "f1.txt", "f2.txt"]
    assert last.startswith("… and 7 more.")


async def test_a_path_is_the_folder_to_search_in_and_shown_in_front(desk):
    desk.put("src/a/x.py")
    desk.put("x.py")
    assert await desk.lines("glob", pattern="*.py", path="src") == ["src/a/x.py"]
    assert await desk.lines("glob", pattern=f"{desk.root}/src/**/*.py") == ["src/a/x.py"]
    assert desk.asked == []
    with pytest.raises(ToolError, match=r"nowhere is not a folder"):
        await desk.say("glob", pattern="*.py", path="nowhere")


async def test_a_folder_outside_is_asked_for_by_whichever_way_it_is_named(desk):
    outside = desk.root.parent / "outside"
    outside.mkdir()
    (outside / "secret_plan.txt").touch()
    desk.denied.add("external_directory")
    desk.put("src/a.py")
    (desk.root / "link").symlink_to(outside)
    for arguments in (
        {"pattern": "*.txt", "path": str(outside)},
        {"pattern": "../outside/*.txt"},
        {"pattern": f"{outside}/**"},
        {"pattern": "link/*.txt"},
        {"pattern": "*.txt", "path": "link"},
    ):
        with pytest.raises(PermissionDenied):
            await desk.say("glob", **arguments)
    assert "No files match" in await desk.say("glob", pattern="**/*.txt")


@pytest.mark.parametrize("pattern", ["[a", "{a,b", "a\\", "", "  ", "*/../x", "[z-a]", "{a,b}" * 9, "x" * 2_000])
async def test_a_bad_pattern_is_explained(desk, pattern):
    with pytest.raises(ToolError) as failure:
        await desk.say("glob", pattern=pattern)
    assert failure.value.kind == "invalid"
    assert re.search(r"pattern", str(failure.value))


async def test_a_search_that_takes_too_long_says_that_it_was_stopped(tmp_path):
    desk = SearchDesk(tmp_path, search_seconds=0.000_001)
    desk.put("a.py")
    assert "not everything was looked at" in await desk.say("glob", pattern="*.py")


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("*.py", ["a.py", "x/a.py", "x/y/.py"], ["a.pyc", "py"]),
        ("src/**/*.py", ["src/a.py", "src/x/y/a.py"], ["a.py", "x/src/a.py"]),
        ("**/test_*.{ts,tsx}", ["test_a.ts", "x/test_b.tsx"], ["test_a.tsz", "a.ts"]),
        ("a/**", ["a/b", "a/b/c"], ["b/a"]),
        ("**/a/**/b", ["a/b", "x/a/y/z/b"], ["a/c", "b"]),
        ("[!a]?.c", ["bx.c"], ["ax.c", "b.c"]),
        ("[]a].c", ["].c", "a.c"], ["b.c"]),
        (r"a\*.c", ["a*.c"], ["ab.c"]),
        ("{a,b/{c,d}}.e", ["a.e", "b/c.e", "b/d.e"], ["c.e", "x/b/c.e"]),
        ("a[{]b", ["a{b"], ["ab"]),
        ("x--[a-c--]", ["x--b", "x---"], ["x--d"]),
    ],
)
def test_globs_mean_what_they_mean_elsewhere(pattern, matching, others):
    wanted = Glob(pattern)
    assert [path for path in matching if not wanted.matches(path)] == []
    assert [path for path in others if wanted.matches(path)] == []


@given(st.lists(st.sampled_from(["a", "b.py", "*", "**", "?x"]), min_size=1, max_size=5))
def test_the_folder_a_pattern_begins_with_loses_nothing(parts):
    pattern = "/".join(parts)
    start, rest = split_start(pattern)
    assert "*" not in start
    assert "?" not in start
    assert "/".join(filter(None, (start, rest))) == pattern


@given(st.text(alphabet="ab*?./[]{},!\\-^", max_size=30), st.text(alphabet="ab./", max_size=30))
def test_any_pattern_is_refused_in_words_or_answers(pattern, path):
    with contextlib.suppress(ToolError):
        Glob(pattern).matches(path)


@pytest.mark.timeout(20)
def test_a_hostile_pattern_is_answered():
    assert not Glob("*a" * 400 + "b").matches("a" * 200)
    assert not Glob("**/a/" * 150 + "b").matches("a/" * 300 + "c")
