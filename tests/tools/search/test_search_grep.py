"""`grep` on real files with real ripgrep."""

import asyncio
import contextlib
import os
import shutil
import threading
import tracemalloc
from pathlib import Path

import pytest
from search_desk import SearchDesk

from toolpost.types.errors import PermissionDenied, ToolError


@pytest.fixture
def desk(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    return SearchDesk(root)


async def test_matches_come_by_file_with_their_line_numbers(desk):
    desk.put("b.py", "x = 1\nneedle = 2\n")
    desk.put("a/c.py", "needle\n\n\nthe needle again\n")
    assert await desk.lines("grep", pattern="needle") == [
        "a/c.py", "  1: needle", "  4: the needle again",
        "b.py", "  2: needle = 2",
    ]  # fmt: skip


async def test_a_path_of_a_file_searches_that_file_alone(desk):
    desk.put("a/x.py", "needle\n")
    desk.put("a/y.py", "needle\n")
    assert await desk.lines("grep", pattern="needle", path="a/y.py") == ["a/y.py", "  1: needle"]
    assert await desk.lines("grep", pattern="needle", path="a/y.py", mode="files") == ["a/y.py"]
    assert await desk.lines("grep", pattern="needle", path="a/y.py", mode="count") == ["a/y.py: 1"]
    assert await desk.lines("grep", pattern="needle", path="a/y.py", include="*.c") == ["a/y.py", "  1: needle"]
    with pytest.raises(ToolError, match=r"a/z\.py does not exist"):
        await desk.say("grep", pattern="needle", path="a/z.py")


async def test_what_git_ignores_is_left_out_even_if_include_matches_it(desk):
    desk.git("init")
    desk.put(".gitignore", "generated_*.py\ndist/\n!named.txt\n")
    desk.put("generated_a.py", "needle")
    desk.put("dist/b.py", "needle")
    desk.put("c.py", "needle")
    desk.put("named.txt", "needle")
    desk.put(".hidden.py", "needle")
    assert await desk.lines("grep", pattern="needle", include="*.py") == ["c.py", "  1: needle"]
    assert await desk.lines("grep", pattern="needle", path="dist") == ["dist/b.py", "  1: needle"]
    assert (await desk.lines("grep", pattern="needle", include=".*.py"))[0] == ".hidden.py"


async def test_include_takes_paths_and_braces(desk):
    for name in ("src/a.ts", "src/b.tsx", "src/c.js", "lib/d.ts"):
        desk.put(name, "needle")
    shown = await desk.lines("grep", pattern="needle", include="src/**/*.{ts,tsx}", mode="files")
    assert sorted(shown) == ["src/a.ts", "src/b.tsx"]


async def test_lines_around_a_match_are_shown_and_told_apart(desk):
    desk.put("a.txt", "".join(f"line {number}\n" for number in range(1, 21)))
    assert await desk.lines("grep", pattern="line (3|15)$", context=1) == [
        "a.txt", "  2- line 2", "  3: line 3", "  4- line 4", "  --", "  14- line 14", "  15: line 15", "  16- line 16",
    ]  # fmt: skip


async def test_counts_are_by_file_the_highest_first_with_a_total(desk):
    desk.put("few.txt", "x\ny\n")
    desk.put("many.txt", "x\nx\nx\n")
    shown = await desk.lines("grep", pattern="x", mode="count")
    assert shown == ["many.txt: 3", "few.txt: 1", "(4 lines in 2 files)"]


async def test_files_come_newest_first_and_the_rest_is_counted(tmp_path):
    desk = SearchDesk(tmp_path, search_results=2)
    for number in range(5):
        desk.put(f"f{number}.txt", "needle", age=number)
    *shown, last = await desk.lines("grep", pattern="needle", mode="files")
    assert shown == ["f0.txt", "f1.txt"]
    assert last.startswith("… and 3 more files. Narrow")
    *shown, more, total = await desk.lines("grep", pattern="needle", mode="count")
    assert len(shown) == 2
    assert more.startswith("… and 3 more files.")
    assert total == "(5 lines in 5 files)"


async def test_case_and_line_breaks_are_the_callers_choice(desk):
    desk.put("a.txt", "First\nsecond\n")
    assert await desk.say("grep", pattern="first") == "Nothing was found."
    assert await desk.lines("grep", pattern="first", ignore_case=True) == ["a.txt", "  1: First"]
    assert await desk.say("grep", pattern="First.*second") == "Nothing was found."
    assert await desk.lines("grep", pattern="First.*second", multiline=True) == ["a.txt", "  1: First", "  2: second"]
    assert await desk.lines("grep", pattern=r"First\nsec") == ["a.txt", "  1: First", "  2: second"]


async def test_look_around_and_back_references_work(desk):
    desk.put("a.txt", "foobar\nfoobaz\nabab\n")
    assert await desk.lines("grep", pattern=r"foo(?!bar)") == ["a.txt", "  2: foobaz"]
    assert await desk.lines("grep", pattern=r"(ab)\1") == ["a.txt", "  3: abab"]


@pytest.mark.parametrize(
    ("pattern", "reason"),
    [
        ("(foo", "unclosed group"),
        ("[z-a]", "range"),
        ("a{2,1}", "repetition"),
        ("(?<!x)(", "parenthesis"),
        ("", "empty"),
    ],
)
async def test_an_invalid_expression_is_explained(desk, pattern, reason):
    desk.put("a.txt", "foo")
    for mode in ("content", "files", "count"):
        with pytest.raises(ToolError, match=reason) as failure:
            await desk.say("grep", pattern=pattern, mode=mode)
        assert failure.value.kind == "invalid"


@pytest.mark.parametrize("pattern", ["a\0b", "\ud800", "x" * 3_000_000])
async def test_a_pattern_that_no_command_line_takes_is_refused_in_words(desk, pattern):
    desk.put("a.txt", "foo")
    with pytest.raises(ToolError, match="could not be started"):
        await desk.say("grep", pattern=pattern)


async def test_a_pattern_can_be_no_option(desk):
    desk.put("a.txt", "--files\n")
    assert await desk.lines("grep", pattern="--files") == ["a.txt", "  1: --files"]
    assert await desk.say("grep", pattern="x", include="--pre=cat") == "Nothing was found."


async def test_more_than_the_limit_is_cut_and_it_is_said(tmp_path):
    desk = SearchDesk(tmp_path, search_results=5)
    desk.put("a.txt", "needle\n" * 5)
    assert "not all matches" not in await desk.say("grep", pattern="needle")
    desk.put("b.txt", "needle\n" * 5_000)
    *shown, last = await desk.lines("grep", pattern="needle")
    assert sum("needle" in line for line in shown) == 5
    assert "not all matches are shown" in last
    assert "Narrow" in last


async def test_a_long_line_is_cut_around_its_match(desk):
    desk.put("a.js", "é" * 5_000 + "needle" + "y" * 5_000 + "\n")
    _, line = await desk.lines("grep", pattern="needle")
    assert "needle" in line
    assert line.startswith("  1: …é")
    assert line.endswith("y…")
    assert len(line) < 520


async def test_binary_files_are_left_out(desk):
    desk.put("a.bin", b"needle\n\0\0\n" + b"needle\n" * 10)
    desk.put("b.txt", "needle\n")
    assert (await desk.lines("grep", pattern="needle"))[:2] == ["b.txt", "  1: needle"]
    assert "binary" in await desk.say("grep", pattern="needle", path="a.bin")


async def test_other_encodings_and_names_are_found(desk):
    desk.put("utf16.txt", "eins\nneedle zwei\n".encode("utf-16"))
    desk.put("latin.txt", "n\xe4chste needle\n".encode("latin-1"))
    desk.put("crlf.txt", "needle\r\n")
    desk.put("bom.txt", "\ufeffeins\nneedle drei\n")
    desk.put(b"odd\xff.txt".decode("utf-8", "surrogateescape"), "needle")
    shown = await desk.say("grep", pattern="needle")
    assert "  2: needle zwei" in shown
    assert "  2: needle drei" in shown
    assert "chste needle" in shown
    assert "1: needle\n" in shown
    assert "\r" not in shown
    assert shown.count("1: ") == 3


async def test_files_with_secrets_are_never_shown_by_a_search_of_their_folder(desk):
    desk.put("config.py", "password = read()\n")
    desk.put("deploy/credentials.json", '{"password": "hunter2"}\n')
    desk.put("server.key", "password hunter2\n")
    for mode in ("content", "files", "count"):
        shown = await desk.say("grep", pattern="password", mode=mode)
        assert "hunter2" not in shown
        assert "config.py" in shown
        assert "2 files that may hold secrets left out: deploy/credentials.json, server.key" in shown
    assert desk.asked == []
    assert "hunter2" in await desk.say("grep", pattern="password", path="server.key")
    assert desk.asked == [("secret", "server.key")]


@pytest.mark.parametrize("path", [".", ".config", ".docker", "backup"])
async def test_a_secret_is_one_from_whichever_folder_it_is_searched(desk, path):
    """It was once judged by its path below the searched folder: `.config` left nothing of `.config/gh/` but `gh/`."""
    copies = ("backup/.env~", "backup/.env-prod", "backup/id_rsa.bak")
    for name in (".config/gh/hosts.yml", ".docker/config.json", *copies):
        desk.put(name, "token: hunter2\n")
    for include in ("", "**/.*/**", "**/.*", ".*"):
        for mode in ("content", "count", "files"):
            shown = await desk.say("grep", pattern="hunter2", path=path, include=include, mode=mode)
            assert "hunter2" not in shown
            assert ".yml: 1" not in shown
    assert desk.asked == []


async def test_a_name_with_a_line_break_is_not_taken_for_another_and_garbles_nothing(desk):
    desk.put("a\nb.py", "needle in the odd one\n")
    desk.put("b.py", "needle\n")
    assert await desk.lines("grep", pattern="needle") == ["b.py", "  1: needle"]
    assert await desk.lines("grep", pattern="needle", mode="count") == ["b.py: 1"]
    assert sorted(await desk.lines("grep", pattern="needle", mode="files")) == ["'a\\nb.py'", "b.py"]
    assert sorted(await desk.lines("glob", pattern="*.py")) == ["'a\\nb.py'", "b.py"]
    desk.put("b.py", "def needle(): ...\n")
    desk.put("a\nb.py", "def needle(): ...\n")
    assert (await desk.lines("code_search", query="needle"))[0] == "b.py:1 function needle"


async def test_what_is_outside_is_asked_for_and_links_in_a_folder_are_not_followed(desk):
    outside = desk.root.parent / "outside"
    outside.mkdir()
    (outside / "a.txt").write_text("needle")
    (desk.root / "link").symlink_to(outside)
    (desk.root / "file_link.txt").symlink_to(outside / "a.txt")
    assert await desk.say("grep", pattern="needle") == "Nothing was found."
    desk.denied.add("external_directory")
    for path in ("link", "file_link.txt", "../outside", str(outside / "a.txt")):
        with pytest.raises(PermissionDenied):
            await desk.say("grep", pattern="needle", path=path)


async def test_a_folder_swapped_for_a_link_while_it_is_searched_gives_nothing_away(desk):
    outside = desk.root.parent / "outside"
    shutil.copytree(desk.root, outside)
    for number in range(40):
        desk.put(f"swapped/f{number}.txt", "nothing here\n")
        (outside / f"f{number}.txt").write_text("the treasure\n")
    swapped, aside, link = desk.root / "swapped", desk.root.parent / "aside", desk.root.parent / "link"
    link.symlink_to(outside)
    stop = threading.Event()

    def swap():
        while not stop.is_set():
            swapped.rename(aside)
            link.rename(swapped)
            swapped.rename(link)
            aside.rename(swapped)

    swapper = threading.Thread(target=swap)
    swapper.start()
    try:
        for _ in range(40):
            assert "treasure" not in await desk.say("grep", pattern="treasure|nothing")
    finally:
        stop.set()
        swapper.join()


async def test_nobodys_settings_change_what_is_found(desk):
    rc = desk.put("rc", "--invert-match\n")
    desk.environment["RIPGREP_CONFIG_PATH"] = str(rc)
    desk.put("a.txt", "needle\nother\n")
    assert await desk.lines("grep", pattern="needle", include="a.txt") == ["a.txt", "  1: needle"]


async def test_a_huge_line_takes_little_memory_and_is_shown_around_its_match(desk):
    with (desk.root / "huge.txt").open("wb") as file:
        for _ in range(64):
            file.write(b"needle " * 150_000)
        file.write(b"thread\n")
    tracemalloc.start()
    try:
        shown = await desk.say("grep", pattern="needle|thread")
        last = await desk.say("grep", pattern="thread")
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert shown.startswith("huge.txt\n  1: needle needle")
    assert last.endswith("needle thread")
    assert len(shown) + len(last) < 1_200
    assert peak < 5_000_000


async def test_a_search_that_is_stopped_leaves_no_process(desk):
    os.mkfifo(desk.root / "pipe")
    for number in range(300):
        desk.put(f"d{number}/a.txt", "a" * 20_000 + "\n")
    marker = "x_marker_of_this_search"
    # Slow on purpose, in the engine that goes back over what it has matched.
    task = asyncio.create_task(desk.say("grep", pattern=rf"(?:a?){{30}}(?=b)|{marker}"))
    while not _running(marker) and not task.done():  # noqa: ASYNC110 - nothing tells when a process has begun
        await asyncio.sleep(0.005)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not _running(marker)


def _running(marker):
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if marker.encode() in (process / "cmdline").read_bytes():
                found.append(process.name)
    return found
