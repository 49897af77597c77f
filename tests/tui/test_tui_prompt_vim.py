"""Vim keys in the prompt of the terminal."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prompt_play import playing

TEXT = "one two three\nfour five\nsix"
KEYS = (*"hjklwbe0$gGxXdcyCDpPuiIaAoOftFT;,rJsS23 é你-", "escape", "ctrl+r", "enter")


@pytest.mark.parametrize(
    ("keys", "expected", "place"),
    [
        ("gg", TEXT, (0, 0)),
        ("ggG", TEXT, (2, 0)),
        ("gg2G", TEXT, (1, 0)),
        ("gg2l", TEXT, (0, 2)),
        ("gg2lh", TEXT, (0, 1)),
        ("ggj", TEXT, (1, 0)),
        ("ggjjkk", TEXT, (0, 0)),
        ("ggw", TEXT, (0, 4)),
        ("gg4w", TEXT, (1, 5)),
        ("ggwwb", TEXT, (0, 4)),
        ("gge", TEXT, (0, 2)),
        ("gg2e", TEXT, (0, 6)),
        ("gg$", TEXT, (0, 12)),
        ("gg$0", TEXT, (0, 0)),
        ("ggft", TEXT, (0, 4)),
        ("ggft;", TEXT, (0, 8)),
        ("ggft;,", TEXT, (0, 4)),
        ("ggtt", TEXT, (0, 3)),
        ("gg$Ft", TEXT, (0, 8)),
        ("gg$Tt", TEXT, (0, 9)),
        ("ggx", "ne two three\nfour five\nsix", (0, 0)),
        ("gg3x", " two three\nfour five\nsix", (0, 0)),
        ("gg$X", "one two thre\nfour five\nsix", (0, 11)),
        ("ggdd", "four five\nsix", (0, 0)),
        ("gg2dd", "six", (0, 0)),
        ("Gdd", "one two three\nfour five", (1, 0)),
        ("ggdw", "two three\nfour five\nsix", (0, 0)),
        ("ggd2w", "three\nfour five\nsix", (0, 0)),
        ("gg2dw", "three\nfour five\nsix", (0, 0)),
        ("ggwwdw", "one two \nfour five\nsix", (0, 7)),
        ("ggwD", "one \nfour five\nsix", (0, 3)),
        ("ggd$", "\nfour five\nsix", (0, 0)),
        ("ggwd0", "two three\nfour five\nsix", (0, 0)),
        ("ggde", " two three\nfour five\nsix", (0, 0)),
        ("ggdtw", "wo three\nfour five\nsix", (0, 0)),
        ("ggdfw", "o three\nfour five\nsix", (0, 0)),
        ("ggdj", "six", (0, 0)),
        ("ggjdG", "one two three", (0, 0)),
        ("Gdgg", "", (0, 0)),
        ("ggyyp", "one two three\n" + TEXT, (1, 0)),
        ("ggyyP", "one two three\n" + TEXT, (0, 0)),
        ("ggyyGp", TEXT + "\none two three", (3, 0)),
        ("ggywP", "one one two three\nfour five\nsix", (0, 3)),
        ("ggxp", "noe two three\nfour five\nsix", (0, 1)),
        ("ggdwu", TEXT, (0, 0)),
        ("ggra", "ane two three\nfour five\nsix", (0, 0)),
        ("ggJ", "one two three four five\nsix", (0, 13)),
        ("ggd" + "z" + "x", "ne two three\nfour five\nsix", (0, 0)),
    ],
)
async def test_normal_mode(keys: str, expected: str, place: tuple[int, int]) -> None:
    async with playing(vim=True) as play:
        play.prompt.load(TEXT)
        await play.keys("escape")
        await play.type(keys)
        assert play.text == expected
        assert play.prompt.area.cursor_location == place


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ("ggiX", "Xone two"),
        ("ggaX", "oXne two"),
        ("ggAX", "one twoX"),
        ("$IX", "Xone two"),
        ("ggoX", "one two\nX"),
        ("ggOX", "X\none two"),
        ("ggcwX", "X two"),
        ("ggwcwX", "one X"),
        ("ggc$X", "X"),
        ("ggwCX", "one X"),
        ("ggccX", "X"),
        ("ggsX", "Xne two"),
        ("ggSX", "X"),
        ("ggcttX", "Xtwo"),
    ],
)
async def test_what_begins_insert_mode(keys: str, expected: str) -> None:
    async with playing(vim=True) as play:
        play.prompt.load("one two")
        await play.keys("escape")
        await play.type(keys)
        assert play.text == expected
        assert "INSERT" in play.foot


async def test_the_mode_and_what_is_half_typed_are_shown() -> None:
    async with playing(vim=True) as play:
        assert "INSERT" in play.foot
        await play.keys("escape")
        assert "NORMAL" in play.foot
        await play.type("2d")
        assert play.foot.endswith("2d")
        await play.keys("escape")
        assert play.foot.endswith("--")
        assert play.app.stops == 0
        await play.keys("escape")
        assert play.app.stops == 1


async def test_ctrl_r_redoes_in_normal_mode_and_searches_in_insert_mode(tmp_path: Path) -> None:
    async with playing(vim=True, history=tmp_path / "history") as play:
        await play.type("old")
        await play.keys("enter")
        await play.type("a b")
        await play.keys("escape", "d", "d", "u")
        assert play.text == "a b"
        await play.keys("ctrl+r")
        assert play.text == ""
        await play.keys("i", "ctrl+r")
        assert play.rows == ["old"]


async def test_k_on_the_first_line_goes_through_the_history(tmp_path: Path) -> None:
    async with playing(vim=True, history=tmp_path / "history") as play:
        await play.type("old")
        await play.keys("enter", "escape", "k")
        assert play.text == "old"
        await play.keys("j")
        assert play.text == ""


async def test_enter_sends_from_normal_mode_and_the_next_prompt_is_inserted() -> None:
    async with playing(vim=True) as play:
        await play.type("text")
        await play.keys("escape", "enter")
        assert (await play.sent()).text == "text"
        await play.type("next")
        assert play.text == "next"


async def test_vim_keys_can_be_turned_off() -> None:
    async with playing(vim=True) as play:
        await play.keys("escape")
        play.prompt.vim = False
        await play.type("dd")
        assert play.text == "dd"
        assert not play.prompt.has_class("-foot")


@given(
    st.lists(
        st.sampled_from([*"hjklwbe0$gGxXdcyCDpPuiIaAoOftFT;,rJsS23 é你-", "escape", "ctrl+r", "enter"]), max_size=40
    )
)
@settings(max_examples=25)
async def test_no_keys_bring_the_cursor_out_of_the_text(keys: list[str]) -> None:
    async with playing(vim=True) as play:
        play.prompt.load(TEXT)
        await play.paste("x\n" * 20)
        await play.keys("escape")
        for key in keys:
            await play.press(key)
        row, column = play.prompt.area.cursor_location
        lines = play.text.split("\n")
        assert column <= max(len(lines[row]) - (play.foot.startswith("-- NORMAL")), 0)
        assert "[pasted" not in play.prompt.draft
