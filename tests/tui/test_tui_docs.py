"""The page about the terminal says what the program does."""

import sys
from pathlib import Path

from toolpost.config.schema import TerminalSettings
from toolpost.tui.keys import load_keys
from toolpost.tui.themes import THEMES, theme_for

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "terminal.md").read_text()


def test_the_page_has_every_key_with_what_it_does():
    sys.path.insert(0, str(ROOT / "scripts"))
    try:
        from terminal_keys import HEAD, table
    finally:
        sys.path.pop(0)
    assert PAGE.partition(HEAD)[1:] == (HEAD, table().removeprefix(HEAD)), "run python scripts/terminal_keys.py"


def test_the_keys_of_the_page_can_be_set():
    keys = load_keys({"app.palette": "ctrl+k", "prompt.new_line": ["ctrl+j", "alt+enter"]})
    assert keys.shown("app.palette") == "Ctrl+K"
    assert keys.keys_of("prompt.new_line") == ("ctrl+j", "alt+enter")


def test_the_usual_theme_is_one_that_there_is():
    assert theme_for(TerminalSettings().theme) in THEMES.values()
