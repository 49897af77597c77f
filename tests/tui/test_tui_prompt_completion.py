"""Completion in the prompt of the terminal."""

import asyncio
from collections.abc import Sequence

import pytest
from prompt_play import Sources, playing
from textual.widget import Widget

from toolpost.tui.prompt.completion import Wanted, wanted_at
from toolpost.types.errors import ToolpostError


@pytest.mark.parametrize(
    ("before", "is_first", "wanted"),
    [
        ("/", True, Wanted("command", 1, "")),
        ("/mo", True, Wanted("command", 1, "mo")),
        ("/mo", False, None),
        ("/model x", True, None),
        ("see @", True, Wanted("file", 5, "")),
        ("@src/ma", False, Wanted("file", 1, "src/ma")),
        ('@"a b', True, Wanted("file", 1, "a b")),
        ("me@example", True, None),
        ("看（@文件", True, Wanted("file", 3, "文件")),
        ("@a b", True, None),
    ],
)
def test_what_is_asked_for_at_the_cursor(before: str, is_first: bool, wanted: Wanted | None) -> None:
    assert wanted_at(before, is_first) == wanted


async def test_commands_are_listed_with_what_they_do() -> None:
    async with playing(Sources()) as play:
        await play.type("/")
        await play.until(lambda: play.rows)
        assert play.rows == ["compact", "help", "model"]
        assert [row.help for row in play.prompt.completions.rows][1] == "Show the commands"
        await play.type("mo")
        await play.until(lambda: play.rows == ["model"])
        await play.keys("tab")
        assert play.text == "/model "
        assert play.rows == []


async def test_the_list_is_above_the_prompt_and_pushes_nothing() -> None:
    async with playing(Sources()) as play:
        before = play.prompt.region
        await play.type("/")
        await play.until(lambda: play.prompt.completions.region.height == 3)
        assert play.prompt.region == before
        assert play.prompt.completions.region.bottom == before.y


async def test_enter_accepts_a_row_and_sends_what_is_written_out() -> None:
    async with playing(Sources()) as play:
        await play.type("/he")
        await play.until(lambda: play.rows)
        await play.keys("enter")
        assert (play.text, play.app.sent) == ("/help ", [])
        play.prompt.clear()
        await play.type("/help")
        await play.until(lambda: play.rows)
        await play.keys("enter")
        assert (await play.sent()).text == "/help"


async def test_files_are_completed_and_folders_entered() -> None:
    sources = Sources()
    sources.answers = {"ma": ["src/", "src/main.py", "a b.md"], "src/": ["src/main.py"]}
    async with playing(sources) as play:
        await play.type("see @ma")
        await play.until(lambda: len(play.rows) == 3)
        await play.keys("tab")
        assert play.text == "see @src/"
        await play.until(lambda: play.rows == ["src/main.py"])
        await play.keys("enter")
        assert play.text == "see @src/main.py "
        await play.type("@ma")
        await play.until(lambda: len(play.rows) == 3)
        await play.keys("up", "tab")
        assert play.text == 'see @src/main.py @"a b.md" '


async def test_escape_closes_the_list_and_only_then_stops() -> None:
    async with playing(Sources()) as play:
        await play.type("/")
        await play.until(lambda: play.rows)
        await play.keys("escape")
        assert (play.rows, play.app.stops, play.text) == ([], 0, "/")
        await play.type("m")
        assert play.rows == []
        await play.keys("escape")
        assert play.app.stops == 1


async def test_an_answer_that_comes_late_is_dropped_and_typing_goes_on() -> None:
    sources = Sources()
    sources.gates["a"] = asyncio.Event()
    sources.answers = {"a": ["old"], "ab": ["new"]}
    async with playing(sources) as play:
        await play.type("@a")
        await play.until(lambda: "a" in sources.asked)
        await play.type("b")
        await play.until(lambda: play.rows == ["new"])
        sources.gates["a"].set()
        await play.pilot.pause()
        assert (play.rows, play.text) == (["new"], "@ab")


async def test_files_that_cannot_be_found_are_no_failure() -> None:
    class Failing(Sources):
        async def find_files(self, query: str, limit: int = 20) -> Sequence[str]:
            self.asked.append(query)
            raise ToolpostError("no ripgrep")

    sources = Failing()
    async with playing(sources) as play:
        await play.type("@a")
        await play.until(lambda: sources.asked)
        await play.keys("enter")
        assert (await play.sent()).text == "@a"


async def test_rows_are_drawn_and_never_mounted() -> None:
    async with playing(Sources()) as play:
        await play.type("/")
        await play.until(lambda: play.rows)
        widgets = list(play.app.query(Widget))
        await play.type("c")
        await play.until(lambda: play.rows == ["compact"])
        await play.keys("down", "up")
        assert list(play.app.query(Widget)) == widgets


async def test_a_row_is_picked_with_the_mouse() -> None:
    async with playing(Sources()) as play:
        await play.type("/")
        await play.until(lambda: play.prompt.completions.region.height == 3)
        await play.pilot.click(type(play.prompt.completions), offset=(3, 1))
        await play.until(lambda: play.text == "/help ")


async def test_the_list_never_acts_on_the_terminal() -> None:
    sources = Sources()
    sources.answers = {"": ["a\x1b[31m[bold]b.txt"]}
    async with playing(sources) as play:
        await play.type("@")
        await play.until(lambda: play.rows)
        line = play.prompt.completions.render_line(0)
        assert line.text.startswith("› a\\x1b[31m[bold]b.txt")
        assert line.cell_length == play.prompt.completions.size.width


async def test_a_cursor_that_leaves_the_word_closes_its_list() -> None:
    async with playing(Sources()) as play:
        await play.type("/")
        await play.until(lambda: play.rows)
        await play.keys("home")
        await play.until(lambda: not play.rows)
