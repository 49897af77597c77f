"""Write the table of keys into docs/terminal.md. A test checks that it is up to date."""

from pathlib import Path

from toolpost.tui.keys import ACTIONS, shown_key
from toolpost.view.words import words

PAGE = Path(__file__).parent.parent / "docs" / "terminal.md"
HEAD = "| action | keys | what it does |\n|---|---|---|\n"


def table() -> str:
    rows = [
        f"| `{name}` | {', '.join(map(shown_key, action.keys))} | {words(f'keys.{name}', 'en')} |\n"
        for name, action in ACTIONS.items()
    ]
    return HEAD + "".join(rows)


if __name__ == "__main__":
    PAGE.write_text(PAGE.read_text().partition(HEAD)[0] + table())
