"""The page about the terminal says what the program does."""

from pathlib import Path

from toolpost.config.schema import TerminalSettings
from toolpost.tui.keys import ACTIONS, load_keys, shown_key
from toolpost.tui.themes import THEMES, theme_for
from toolpost.view.words import words

PAGE = (Path(__file__).parents[2] / "docs" / "terminal.md").read_text()


def test_the_page_has_every_key_with_what_it_does():
    rows = [
        f"| `{name}` | {', '.join(map(shown_key, action.keys))} | {words(f'keys.{name}', 'en')} |"
        for name, action in ACTIONS.items()
    ]
    table = PAGE.partition("| action | keys | what it does |\n|---|---|---|\n")[2].strip().split("\n")
    assert table == rows


def test_the_keys_of_the_page_can_be_set():
    keys = load_keys({"app.palette": "ctrl+k", "prompt.new_line": ["ctrl+j", "alt+enter"]})
    assert keys.shown("app.palette") == "Ctrl+K"
    assert keys.keys_of("prompt.new_line") == ("ctrl+j", "alt+enter")


def test_the_usual_theme_is_one_that_there_is():
    assert theme_for(TerminalSettings().theme) in THEMES.values()
