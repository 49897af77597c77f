"""The page has words in each of its languages for the codes of errors and for the built-in tools."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import toolpost
from toolpost.tools.builtin import NAMES

SOURCE = Path(toolpost.__file__).parent
WORDS = Path(__file__).parents[2] / "web" / "src" / "i18n"
LANGUAGES = ("en", "zh")
# The gateway's errors are for programs that speak other wires.
NOT_FOR_PEOPLE = SOURCE / "server" / "gateway"


def _codes_of_refusals() -> Iterator[str]:
    for path in (SOURCE / "server").rglob("*.py"):
        if NOT_FOR_PEOPLE not in path.parents:
            for node in ast.walk(ast.parse(path.read_text())):
                name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
                if isinstance(node, ast.Call) and name in ("Refusal", "BadRequest"):
                    yield from (_texts(word.value) for word in node.keywords if word.arg == "code")
                elif isinstance(node, ast.Call) and name == "OidcFailed":
                    # The page is sent back with this code in its address.
                    yield _texts(node.args[0])


def _texts(value: ast.expr) -> str:
    return "|".join(
        str(node.value) for node in ast.walk(value) if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _codes_of_models() -> Iterator[str]:
    for path in SOURCE.rglob("*.py"):
        yield from re.findall(r'\bErrorInfo\("(\w+)"', path.read_text())


def _table(file: str, name: str) -> set[str]:
    text = (WORDS / file).read_text()
    start = re.search(rf"^ *(?:export const )?{name}: .*\{{$", text, re.MULTILINE)
    assert start is not None
    indent = " " * (len(start.group()) - len(start.group().lstrip()))
    body = text[start.end() : text.index(f"\n{indent}}}", start.end())]
    return set(re.findall(r"^ *(\w+): ", body, re.MULTILINE))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_of_an_error_has_words(language: str) -> None:
    codes = {code for given in _codes_of_refusals() for code in given.split("|") if re.fullmatch(r"[a-z_]+[a-z]", code)}
    assert "session_busy" in codes
    assert codes - _table(f"errors-{language}.ts", "errors") == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_failure_of_a_model_has_words(language: str) -> None:
    codes = set(_codes_of_models())
    assert "auth" in codes
    assert codes - _table(f"errors-{language}.ts", "modelErrors") == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_built_in_tool_has_a_label(language: str) -> None:
    assert set(NAMES) - _table("tool-labels.ts", language) == set()
