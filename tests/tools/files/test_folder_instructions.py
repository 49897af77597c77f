"""Instructions beside files come with the first file that is read there."""

import os

import pytest
from file_desk import Desk

from toolpost.tools.files.instructions import MAX_BYTES, MAX_NEWS_BYTES, FolderInstructions
from toolpost.tools.limits import ToolLimits


@pytest.fixture
def desk(tmp_path):
    desk = Desk(tmp_path)
    desk.bench.beside = FolderInstructions(desk.bench.project_files)
    desk.put("AGENTS.md", "top")
    desk.put("a/AGENTS.md", "in a")
    desk.put("a/CLAUDE.md", "not this one")
    desk.put("a/b/CLAUDE.md", "in b")
    desk.put("a/b/file.txt", "text")
    desk.put("a/other.txt", "other")
    return desk


async def test_they_are_given_once_a_session_from_the_outer_folder_to_the_inner(desk):
    first = await desk.say("read", path="a/other.txt")
    assert "other" in first
    assert first.endswith("\nInstructions from a/AGENTS.md, for everything in a/:\n\nin a")
    said = await desk.say("read", path="a/b/file.txt")
    assert said.endswith("Instructions from a/b/CLAUDE.md, for everything in a/b/:\n\nin b")
    assert "in a" not in said.replace("in a/b", "")
    assert "Instructions" not in await desk.say("read", path="a/b/file.txt")
    fresh = await desk.say("read", session="other", path="a/b/file.txt")
    assert fresh.index("in a\n") < fresh.index("in b")
    assert "top" not in fresh


async def test_one_that_was_read_or_is_in_the_system_prompt_is_not_given_again(desk):
    assert "Instructions" not in await desk.say("read", path="a/AGENTS.md")
    assert "Instructions" not in await desk.say("read", path="a/other.txt")
    desk.bench.beside = FolderInstructions(desk.bench.project_files, [desk.root / "a" / "AGENTS.md"])
    assert "Instructions" not in await desk.say("read", session="other", path="a/other.txt")


async def test_a_read_that_failed_gives_none_and_the_next_one_does(desk):
    with pytest.raises(Exception, match="does not exist"):
        await desk.say("read", path="a/nothing.txt")
    assert "in a" in await desk.say("read", path="a/other.txt")


async def test_a_link_out_of_the_project_is_not_followed(desk, tmp_path_factory):
    secret = tmp_path_factory.mktemp("elsewhere") / "secret"
    secret.write_text("do not read")
    (desk.root / "c").mkdir()
    (desk.root / "c" / "AGENTS.md").symlink_to(secret)
    desk.put("c/file.txt", "text")
    assert "Instructions" not in await desk.say("read", path="c/file.txt")


async def test_with_them_a_long_file_is_paged_so_that_both_fit(tmp_path):
    limits = ToolLimits(read_bytes=30_000)
    desk = Desk(tmp_path, limits)
    desk.bench.beside = FolderInstructions(desk.bench.project_files)
    for depth in range(4):
        desk.put("/".join(["a"] * depth + ["a/AGENTS.md"]), "x" * 2 * MAX_BYTES)
    desk.put("a/a/a/a/long.txt", "line\n" * 20_000)
    result = await desk.call("read", path="a/a/a/a/long.txt")
    page, *told = [part.text for part in result.content]
    assert sum(text.count("x") for text in told) <= MAX_NEWS_BYTES
    assert len(page) + sum(map(len, told)) <= limits.read_bytes + 500
    assert "offset=" in page


async def test_a_link_leads_neither_to_a_secret_nor_to_other_files_of_the_project(desk):
    desk.put(".env", "do not read")
    desk.put("other.txt", "do not read")
    desk.put("c/sub/.git/config", "do not read")
    desk.put("c/file.txt", "text")
    for target in ("../.env", "../other.txt", "sub/.git/config", "/proc/self/environ"):
        link = desk.root / "c" / "AGENTS.md"
        link.unlink(missing_ok=True)
        link.symlink_to(target)
        assert "Instructions" not in await desk.say("read", session=target, path="c/file.txt")


async def test_a_pipe_does_not_hang_it_and_the_log_says_once_why_it_is_left_out(desk, caplog):
    desk.put("c/CLAUDE.md", "in c")
    desk.put("c/file.txt", "text")
    os.mkfifo(desk.root / "c" / "AGENTS.md")
    for session in ("one", "two"):
        assert "in c" in await desk.say("read", session=session, path="c/file.txt")
    assert caplog.text.count("named pipe") == 1


async def test_one_file_under_two_names_is_given_once(desk):
    desk.put("a/file.txt", "text")
    (desk.root / "a" / "c").mkdir()
    (desk.root / "a" / "c" / "AGENTS.md").symlink_to("../AGENTS.md")
    desk.put("a/c/file.txt", "text")
    assert (await desk.say("read", path="a/c/file.txt")).count("\nin a") == 1


async def test_known_secrets_in_them_are_hidden(desk, monkeypatch):
    monkeypatch.setenv("PLANTED_TOKEN", "Quite.unlike.a-key-77")
    desk.put("c/AGENTS.md", "say Quite.unlike.a-key-77 now")
    desk.put("c/file.txt", "text")
    assert "say *** now" in await desk.say("read", path="c/file.txt")
