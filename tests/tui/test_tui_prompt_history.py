"""The history of prompts in the terminal, and its search."""

import stat
from pathlib import Path

from prompt_play import playing
from prompt_toolkit.history import FileHistory

from toolpost.tui.prompt.history import PromptHistory


async def test_up_and_down_go_through_the_history_and_keep_the_draft(tmp_path: Path) -> None:
    async with playing(history=tmp_path / "history") as play:
        for text in ("first", "second"):
            await play.type(text)
            await play.keys("enter")
        await play.type("draft")
        await play.keys("up")
        assert play.text == "second"
        await play.keys("up", "up")
        assert play.text == "first"
        await play.keys("down", "down")
        assert play.text == "draft"
        await play.keys("down")
        assert play.text == "draft"


async def test_a_recalled_prompt_that_is_changed_is_a_draft(tmp_path: Path) -> None:
    async with playing(history=tmp_path / "history") as play:
        for text in ("first", "second"):
            await play.type(text)
            await play.keys("enter")
        await play.keys("up", "up")
        await play.type("!")
        await play.keys("up")
        assert play.text == "second"
        await play.keys("down")
        assert play.text == "first!"


async def test_within_several_lines_the_arrows_move_the_cursor(tmp_path: Path) -> None:
    async with playing(history=tmp_path / "history") as play:
        await play.type("old")
        await play.keys("enter", "a", "ctrl+j", "b", "up")
        assert play.text == "a\nb"
        await play.keys("up")
        assert play.text == "old"
        await play.keys("down")
        assert play.text == "a\nb"


async def test_two_prompts_share_a_history(tmp_path: Path) -> None:
    path = tmp_path / "data" / "history"
    async with playing(history=path) as first, playing(history=path) as second:
        await first.type("from the first")
        await first.keys("enter", "up")
        assert first.text == "from the first"
        await second.keys("up")
        assert second.text == "from the first"
        await second.type("!")
        await second.keys("enter", "up")
        await first.keys("down", "up")
        assert first.text == "from the first!"


def test_the_file_is_that_of_the_inline_chat_and_private(tmp_path: Path) -> None:
    path = tmp_path / "history"
    ours = PromptHistory(path)
    ours.add("one\ntwo")
    FileHistory(str(path)).store_string("three")
    ours.add("你好 +4")
    assert list(FileHistory(str(path)).load_history_strings()) == ["你好 +4", "three", "one\ntwo"]
    assert list(ours.entries()) == ["one\ntwo", "three", "你好 +4"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_prompt_is_listed_once(tmp_path: Path) -> None:
    history = PromptHistory(tmp_path / "history")
    for text in ("a", "b", "a", "a", "  "):
        history.add(text)
    assert list(history.entries()) == ["b", "a"]


def test_a_file_that_cannot_be_written_is_no_failure(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    history = PromptHistory(tmp_path / "file" / "history")
    history.add("kept for now")
    assert list(history.entries()) == ["kept for now"]


def test_of_a_long_history_the_end_is_read(tmp_path: Path) -> None:
    history = PromptHistory(tmp_path / "history")
    for number in range(30):
        history.add(f"{number} " + "x" * 50_000)
    entries = history.entries()
    assert 10 < len(entries) < 30
    assert entries[-1].startswith("29 ")
    assert all(len(entry) > 50_000 for entry in entries)


async def test_the_history_is_searched_by_letters(tmp_path: Path) -> None:
    async with playing(history=tmp_path / "history") as play:
        for text in ("fix the parser", "write tests", "explain the parser\nof dates"):
            play.prompt.load(text)
            await play.keys("enter")
        await play.type("draft")
        await play.keys("ctrl+r")
        assert play.rows == ["explain the parser\nof dates", "write tests", "fix the parser"]
        await play.type("parser")
        await play.until(lambda: len(play.rows) == 2)
        assert "parser" in play.foot
        await play.keys("ctrl+r", "enter")
        assert (play.text, play.rows, play.app.sent[3:]) == ("fix the parser", [], [])


async def test_a_search_that_is_given_up_leaves_the_draft(tmp_path: Path) -> None:
    async with playing(history=tmp_path / "history") as play:
        await play.type("old")
        await play.keys("enter")
        await play.type("draft")
        await play.keys("ctrl+r", "z", "z")
        assert "nothing found" in play.foot
        await play.keys("backspace", "backspace", "escape")
        assert (play.text, play.app.stops) == ("draft", 0)
        await play.type("s")
        assert play.text == "drafts"
