"""The themes of the terminal UI: every text can be read on the background that it is made for."""

from typing import get_args

import pytest
from textual.app import App

from toolpost.tui.drawing.contract import StyleName
from toolpost.tui.themes import NO_COLOUR, THEMES, contrast, theme_for
from toolpost.types.errors import ConfigError

COLOURED = [theme for theme in THEMES.values() if theme.background is not None]
# What is seen beside the text, and may be paler.
BESIDE = {"dim", "border", "line_number", "reasoning"}


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_texts_can_be_read_on_the_background_of_their_theme(theme):
    for name in get_args(StyleName):
        style = theme.style(name)
        behind = tuple(style.bgcolor.triplet) if style.bgcolor else theme.background
        measured = contrast(tuple(style.color.triplet), behind)
        assert measured >= (3 if name in BESIDE else 4.5), f"{name}: {measured:.2f}"


@pytest.mark.parametrize("theme", COLOURED, ids=lambda theme: theme.name)
def test_code_can_be_read_on_the_background_of_its_theme(theme):
    from pygments.styles import get_style_by_name
    from pygments.token import STANDARD_TYPES, Error, Generic, Whitespace

    style = get_style_by_name(theme.code_theme)
    for kind in STANDARD_TYPES:
        colour = style.style_for_token(kind)["color"]
        if colour and not any(kind in shown_as_text for shown_as_text in (Error, Generic, Whitespace)):
            rgb = tuple(bytes.fromhex(colour))
            assert contrast(rgb, theme.background) >= 4.5, f"{kind}: {colour}"


def test_the_themes_of_a_terminal_have_only_its_16_colours_and_no_background():
    for name in get_args(StyleName):
        style = THEMES["terminal"].style(name)
        assert style.color is None or style.color.number is None or style.color.number < 16
        assert style.bgcolor is None
    assert THEMES["terminal"].code_theme == ""


def test_without_colours_there_are_none():
    theme = theme_for("dark", (0, 0, 0), no_color=True)
    assert theme is NO_COLOUR
    for name in get_args(StyleName):
        assert theme.style(name).color is None
        assert theme.style(name).bgcolor is None
    assert theme.style("added") != theme.style("removed")


def test_a_theme_that_can_not_be_read_here_gives_way_to_its_counterpart():
    white, black = (255, 255, 255), (0, 0, 0)
    assert theme_for("dark", white).name == "light"
    assert theme_for("contrast-light", black).name == "contrast-dark"
    assert theme_for("dark", black).name == "dark"
    assert theme_for("dark").name == "dark"
    assert theme_for("terminal", white).name == "terminal"
    assert [theme_for("auto", one).name for one in (white, black, None)] == ["light", "dark", "terminal"]


def test_an_unknown_theme_says_which_there_are():
    with pytest.raises(ConfigError, match="auto, terminal, dark"):
        theme_for("neon")


@pytest.mark.parametrize("theme", [*THEMES.values(), NO_COLOUR], ids=lambda theme: theme.name)
async def test_textual_takes_the_theme_and_leaves_the_background_as_it_is(theme):
    app = App()
    async with app.run_test():
        app.register_theme(theme.for_widgets)
        app.theme = theme.for_widgets.name
        assert app.get_css_variables()["background"] == "ansi_default"
