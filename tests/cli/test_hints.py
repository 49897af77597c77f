"""Every `toolpost …` that a text of ours tells people to run is a command that there is, with flags that it has."""

import argparse
import ast
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from toolpost.cli.main import COMMANDS, _command_parser, _load

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "src" / "toolpost"
PAGE = ROOT / "web" / "src" / "i18n"
HINT = re.compile(r"(?P<quote>`?)\btoolpost (?P<rest>[a-z][^`\n]*)")
# What a hint stands for, where a text has a blank, and where it stops being a command.
BLANK = "value"
PROSE = re.compile(r"^(?:[a-z]+[,;:]?|[(…].*|or|and)$")


class Refused(Exception):
    pass


def texts(path: Path) -> Iterator[str]:
    """The strings of a file that people may read, with `value` in their blanks; docstrings are not for them."""
    tree = ast.parse(path.read_text())
    nodes = list(ast.walk(tree))
    bodies = [node.body for node in nodes if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)]
    bodies += [node.body for node in nodes if isinstance(node, ast.AsyncFunctionDef)]
    skipped = {id(body[0].value) for body in bodies if body and isinstance(body[0], ast.Expr)}
    skipped |= {id(part) for node in nodes if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            yield "".join(str(part.value) if isinstance(part, ast.Constant) else BLANK for part in node.values)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skipped:
            yield re.sub(r"\{\w*\}", BLANK, node.value)


def hints() -> Iterator[tuple[str, str, bool]]:
    for path in sorted(SOURCES.rglob("*.py")):
        for text in texts(path):
            for found in HINT.finditer(text):
                # The line of Python in an example, and names that are only known when it is said.
                if not found["rest"].startswith(("import tool", BLANK)):
                    yield str(path.relative_to(SOURCES)), found["rest"], bool(found["quote"])
    for path in (*sorted((ROOT / "docs" / "zh").glob("*.md")), ROOT / "README.zh.md"):
        for block in re.findall(r"^```(?:sh|console)\n(.*?)^```", path.read_text(), re.MULTILINE | re.DOTALL):
            for line in block.splitlines():
                if found := re.match(r"(?:\$ )?toolpost (.*?)(?:\s+#.*)?$", line):
                    yield path.name, found[1], True
        for found in re.finditer(
            r"`toolpost ([a-z][^`\n]*)`", re.sub(r"```.*?```", "", path.read_text(), flags=re.DOTALL)
        ):
            yield path.name, found[1], True
    for path in sorted(PAGE.glob("*.ts")):
        for found in re.finditer(r"`toolpost ([^`]+)`", path.read_text()):
            yield path.name, found[1], True


def command_in(rest: str, is_quoted: bool) -> list[str]:
    """The words of the command. Out of backticks it ends where a sentence goes on."""
    rest = re.sub(r"<[^>]*>", BLANK, rest).replace('"…"', BLANK).replace("{", "").replace("}", "")
    try:
        words = shlex.split(rest.rstrip(".;:,)] "))
    except ValueError:
        words = rest.split()
    if is_quoted or "--" in words:
        return words
    name, parser = words[0], parser_of(words[0])
    kept = [name]
    for place, word in enumerate(words[1:], 1):
        is_action = place == 1 and word.strip(",;:.)") in actions_of(parser)
        if PROSE.match(word) and not is_action and word != BLANK and not word.startswith("smollm2"):
            break
        kept.append(word.strip(",;:)]"))
    return kept


def parser_of(name: str) -> argparse.ArgumentParser:
    name = name.strip(",;:.)")
    assert name in COMMANDS, f"there is no command {name!r}"
    return _command_parser(name, _load(name))


def actions_of(parser: argparse.ArgumentParser) -> frozenset[str]:
    chosen = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return frozenset(name for action in chosen for name in action.choices)


@pytest.fixture
def strict(monkeypatch):
    """An argument that is refused is raised, with what the parser says."""

    def refuse(self, message):
        raise Refused(message)

    monkeypatch.setattr("toolpost.cli.shared.arguments.Parser.error", refuse)
    monkeypatch.setattr(argparse.ArgumentParser, "error", refuse)


def problem_of(rest: str, *, is_quoted: bool) -> str:
    """Why the parser does not take what a hint says; nothing where it does."""
    words = [word for word in command_in(rest, is_quoted) if word != "…"]
    parser = parser_of(words[0])
    try:
        _ = parser.parse_args(words[1:]) if parser._subparsers else parser.parse_intermixed_args(words[1:])
    except Refused as refused:
        # A hint may name a command without what it takes, but nothing that it does not take.
        is_bare = len(words) <= 1 + bool(actions_of(parser))
        return "" if is_bare and "required" in str(refused) else f"{' '.join(words)}: {refused}"
    return ""


@pytest.mark.parametrize(("file", "rest", "is_quoted"), sorted(set(hints())))
@pytest.mark.usefixtures("strict")
def test_a_hint_names_a_command_that_there_is(file, rest, is_quoted):
    assert not problem_of(rest, is_quoted=is_quoted), file


@pytest.mark.parametrize("rest", ["sessions --everywhere", "models get x", "quarantine drop --al x y", "run -s"])
@pytest.mark.usefixtures("strict")
def test_a_hint_that_no_command_takes_is_found(rest):
    assert problem_of(rest, is_quoted=True)


def test_there_are_hints_to_check():
    assert len(set(hints())) > 40
