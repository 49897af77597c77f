"""Read the tables of texts of the web page, as `message.stopped` → text."""

import re
from pathlib import Path

WORDS = Path(__file__).parents[2] / "web" / "src" / "i18n"
_TOKEN = re.compile(r"'((?:[^'\\]|\\.)*)'(\s*:)?|(\w+)\s*:|([{}\[\]])|//[^\n]*|/\*.*?\*/", re.DOTALL)


def page_texts(file: str, table: str) -> dict[str, str]:
    """The texts of one table of a file. Lists of texts are left out."""
    source = (WORDS / file).read_text()
    start = re.search(rf"^ *(?:export const )?{table}\b[^\n]*\{{$", source, re.MULTILINE)
    assert start is not None
    found: dict[str, str] = {}
    path: list[str] = []
    name, depth, lists = "", 1, 0
    for token in _TOKEN.finditer(source, start.end()):
        text, is_key, key, mark = token.groups()
        if key or is_key:
            name = key or text
        elif text is not None and not lists:
            found[".".join([*path, name])] = text.replace("\\'", "'")
        elif mark == "{":
            depth += 1
            path.append(name)
        elif mark == "}":
            depth -= 1
            if not depth:
                return found
            path.pop()
        elif mark in ("[", "]"):
            lists += 1 if mark == "[" else -1
    raise AssertionError(f"{table} of {file} has no end")
