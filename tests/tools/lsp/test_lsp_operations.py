"""`lsp` with a real pyright, which all these tests share."""

import pytest
import pytest_asyncio
from lsp_desk import LspDesk

from toolpost.types.errors import PermissionDenied, ToolError

pytestmark = pytest.mark.asyncio(loop_scope="module")

LIB = '''"""Lib."""


class Parser:
    def parse(self, text: str) -> int:
        """Count the characters."""
        return len(text)


def load(path: str) -> int:
    return Parser().parse(path)
'''
USE = 'from lib import load\n\nsign = "𝄞é"; size = load("a")\nload(3)\n'


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def desk(tmp_path_factory):
    made = LspDesk(tmp_path_factory.mktemp("project"), lsp={"python": {"command": ["pyright-langserver", "--stdio"]}})
    made.put("lib.py", LIB)
    made.put("use.py", USE)
    made.put(".venv/pyvenv.cfg", "")
    made.put(".venv/lib/python3.12/site-packages/installed.py", "def helper() -> int: ...\n")
    yield made
    await made.servers.close()


async def test_a_definition_is_found_by_its_column(desk):
    assert await desk.say(operation="definition", path="use.py", line=4, character=1) == (
        "lib.py:10:5 def load(path: str) -> int:"
    )


async def test_a_name_stands_in_for_the_column(desk):
    said = await desk.say(operation="definition", path="lib.py", line=11, query="parse")
    assert said == "lib.py:5:9 def parse(self, text: str) -> int:"
    with pytest.raises(ToolError, match="nothing_like_it is not in that line"):
        await desk.say(operation="definition", path="lib.py", line=11, query="nothing_like_it")


async def test_a_column_beside_the_name_finds_it_too(desk):
    assert "def parse" in await desk.say(operation="definition", path="lib.py", line=5, character=1)


async def test_columns_count_characters_whatever_they_are_made_of(desk):
    assert await desk.lines(operation="references", path="lib.py", line=10, query="load") == [
        "lib.py:10:5 def load(path: str) -> int:",
        "use.py:1:17 from lib import load",
        'use.py:3:21 sign = "𝄞é"; size = load("a")',
        "use.py:4:1 load(3)",
    ]
    assert "lib.py:10:5" in await desk.say(operation="definition", path="use.py", line=3, character=21)


async def test_hover_tells_the_type_and_the_docstring(desk):
    said = await desk.say(operation="hover", path="lib.py", line=5, query="parse")
    assert "(method) def parse(" in said
    assert "text: str" in said
    assert "Count the characters." in said


async def test_symbols_of_a_file_are_shown_as_they_nest(desk):
    lines = await desk.lines(operation="document_symbols", path="lib.py")
    assert lines[:2] == ["lib.py:4:7 class Parser", "  lib.py:5:9 method parse"]
    assert "lib.py:10:5 function load" in lines


async def test_symbols_of_the_project_are_found_by_name(desk):
    lines = await desk.lines(operation="workspace_symbols", path="lib.py", query="Parser")
    assert "lib.py:4:7 class Parser" in lines
    with pytest.raises(ToolError, match="as query"):
        await desk.say(operation="workspace_symbols", path="lib.py")


async def test_calls_are_followed_both_ways(desk):
    incoming = await desk.lines(operation="incoming_calls", path="lib.py", line=5, query="parse")
    assert incoming == ["lib.py:10:5 function load", "  lib.py:11:21 return Parser().parse(path)"]
    outgoing = await desk.lines(operation="outgoing_calls", path="lib.py", line=10, query="load")
    assert "lib.py:5:9 method parse" in outgoing


async def test_diagnostics_are_those_of_the_file_as_it_is_now(desk):
    desk.put("wrong.py", "value: int = 'text'\n")
    assert "error: Type" in await desk.say(operation="diagnostics", path="wrong.py")
    desk.put("wrong.py", "value: int = 1\n")
    assert "knows no diagnostics" in await desk.say(operation="diagnostics", path="wrong.py")


async def test_another_open_file_that_changed_is_seen_as_it_is_now(desk):
    desk.put("one.py", "def first() -> int: ...\n")
    desk.put("two.py", "from one import second\n")
    await desk.say(operation="document_symbols", path="one.py")
    assert "second" in await desk.say(operation="diagnostics", path="two.py")
    desk.put("one.py", "def second() -> int: ...\n")
    assert "error" not in await desk.say(operation="diagnostics", path="two.py")


async def test_installed_packages_are_known_without_running_the_projects_python(desk):
    desk.put("imports.py", "from installed import helper\n\nhelper().missing\n")
    said = await desk.say(operation="diagnostics", path="imports.py")
    assert 'Cannot access attribute "missing" for class "int"' in said
    assert "could not be resolved" not in said


async def test_what_is_not_there_is_said(desk):
    assert "knows no definition" in await desk.say(operation="definition", path="lib.py", line=1, character=2)
    with pytest.raises(ToolError, match=r"Line 99 of lib\.py is empty or not there"):
        await desk.say(operation="hover", path="lib.py", line=99)
    with pytest.raises(ToolError, match=r"none\.py does not exist"):
        await desk.say(operation="hover", path="none.py", line=1)
    with pytest.raises(ToolError, match=r"No language server is known for notes\.txt"):
        await desk.say(operation="hover", path="notes.txt")


async def test_errors_after_an_edit_are_told_and_nothing_else(desk):
    desk.put("edited.py", "import os\nx: int = ''\n")
    said = await desk.after_edit("edited.py")
    assert "pyright-langserver finds errors in it now:\nedited.py:2:10 error: Type" in said
    assert "warning" not in said
    desk.put("edited.py", "x: int = 1\n")
    assert await desk.after_edit("edited.py") == ""
    assert await desk.after_edit("notes.txt") == ""


async def test_many_errors_after_an_edit_are_counted(desk):
    desk.put("many.py", "".join(f"v{number}: int = ''\n" for number in range(30)))
    lines = (await desk.after_edit("many.py")).strip().split("\n")
    assert len(lines) == 22
    assert lines[-1] == "… and 10 more."


async def test_what_the_rules_keep_from_being_read_is_not_shown_by_an_answer(desk):
    desk.held_back.add("lib.py")
    try:
        found = await desk.lines(operation="references", path="use.py", line=4, character=1)
        assert "lib.py:10:5" in found
        assert any(line.startswith("use.py:4:1 load(3)") for line in found)
        desk.denied.add("read")
        with pytest.raises(PermissionDenied):
            await desk.say(operation="document_symbols", path="lib.py")
    finally:
        desk.held_back.clear()
        desk.denied.clear()
