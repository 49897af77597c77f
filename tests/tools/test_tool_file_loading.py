"""Tools from files: names that clash, neighbours that import each other, the user's own folder."""

import asyncio
import sys
from pathlib import Path

import pytest

from toolpost.tools.define import FunctionTool
from toolpost.tools.tool_files import load_file, load_files, load_project_tools, load_user_tools
from toolpost.types.errors import ConfigError

GET = '''from toolpost import tool

@tool
def get(what: str) -> str:
    """Get a thing."""
    return f"{__name__} {what}"
'''


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    folder = tmp_path / ".toolpost" / "tools"
    folder.mkdir(parents=True)
    return folder


def called(tool: object, *arguments: object) -> object:
    assert isinstance(tool, FunctionTool)
    return tool.function(*arguments)


def test_a_name_in_several_files_becomes_file_and_name_in_each_of_them(tmp_path: Path, tools: Path) -> None:
    (tools / "news.py").write_text(GET)
    (tools / "my weather.py").write_text(GET.replace("get(what", "other(what") + GET)
    loaded = load_project_tools(tmp_path)
    assert [tool.name for tool in loaded.tools] == ["other", "my_weather_get", "news_get"]
    assert [tool.label for tool in loaded.tools] == ["Other", "Get (my weather)", "Get (news)"]
    assert loaded.notices == (
        "get of my weather.py is named my_weather_get, for news.py has a tool get, too",
        "get of news.py is named news_get, for my weather.py has a tool get, too",
    )
    assert loaded.warnings == ()


def test_a_tool_file_imports_its_neighbours(tmp_path: Path, tools: Path) -> None:
    (tools / "helpers.py").write_text("import math\nRATE = 3\ndef double(x): return math.trunc(2 * x)\n")
    (tools / "_private.py").write_text("from helpers import RATE\nMORE = RATE + 1\n")
    (tools / "money.py").write_text(
        "import helpers\nfrom helpers import *\nfrom _private import MORE\nfrom . import helpers as also\n"
        "from .helpers import double as twice\nfrom toolpost import tool\n\n"
        '@tool\ndef convert(amount: int) -> str:\n    """Convert."""\n'
        "    import helpers as later\n"
        "    assert helpers is also is later\n    return f'{double(amount)} {twice(RATE)} {MORE}'\n"
    )
    loaded = load_project_tools(tmp_path)
    assert loaded.warnings == ()
    (convert,) = loaded.tools
    assert called(convert, 2) == "4 6 4"


def test_a_tool_of_a_neighbour_stays_the_neighbours(tmp_path: Path, tools: Path) -> None:
    (tools / "a.py").write_text("from b import get\n" + GET.replace("get(", "fetch("))
    (tools / "b.py").write_text(GET)
    loaded = load_project_tools(tmp_path)
    assert [(tool.name, tool.source) for tool in loaded.tools] == [
        ("fetch", "project:.toolpost/tools/a.py"),
        ("get", "project:.toolpost/tools/b.py"),
    ]


def test_two_folders_with_a_neighbour_of_one_name_do_not_see_each_others(tmp_path: Path) -> None:
    made: list[object] = []
    before = (list(sys.path), "helpers" in sys.modules)
    for name in ("one", "two"):
        folder = tmp_path / name / ".toolpost" / "tools"
        folder.mkdir(parents=True)
        (folder / "helpers.py").write_text(f"NAME = {name!r}\n")
        (folder / "who.py").write_text(
            "from helpers import NAME\nfrom toolpost import tool\n\n"
            '@tool\ndef who() -> str:\n    """Who."""\n    return NAME\n'
        )
        made += load_project_tools(tmp_path / name).tools
    assert [called(tool) for tool in made] == ["one", "two"]
    assert (list(sys.path), "helpers" in sys.modules) == before
    with pytest.raises(ModuleNotFoundError):
        __import__("helpers")


def test_a_neighbour_that_the_program_has_imported_is_that_module(
    tmp_path: Path, tools: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tools / "shared_state.py").write_text("NAMES = []\n")
    (tools / "uses.py").write_text("from shared_state import NAMES\nNAMES.append(1)\n" + GET)
    monkeypatch.syspath_prepend(tools)
    mine = __import__("shared_state")
    try:
        load_project_tools(tmp_path)
        assert mine.NAMES == [1]
    finally:
        del sys.modules["shared_state"]


def test_no_neighbour_takes_the_place_of_a_module_of_pythons_or_of_its_own_name(tmp_path: Path, tools: Path) -> None:
    (tools / "json.py").write_text("raise RuntimeError('not this one')\n")
    (tools / "msgspec.py").write_text("import msgspec\nassert msgspec.json\n" + GET)
    (tools / "uses.py").write_text("import json\nassert json.dumps(1) == '1'\n" + GET.replace("get(", "fetch("))
    loaded = load_project_tools(tmp_path)
    assert [tool.name for tool in loaded.tools] == ["get", "fetch"]
    assert len(loaded.warnings) == 1
    assert "json.py:1: RuntimeError: not this one" in loaded.warnings[0]


def test_neighbours_may_import_each_other_in_a_circle(tmp_path: Path, tools: Path) -> None:
    (tools / "a.py").write_text("import b\n" + GET)
    (tools / "b.py").write_text("import a\n" + GET.replace("get(", "fetch("))
    assert [tool.name for tool in load_project_tools(tmp_path).tools] == ["get", "fetch"]


def test_a_broken_neighbour_is_told_of_with_the_line_that_imports_it(tmp_path: Path, tools: Path) -> None:
    (tools / "_helpers.py").write_text("1 / 0\n")
    (tools / "a.py").write_text("from toolpost import tool\nimport _helpers\n" + GET)
    (tools / "b.py").write_text("from .missing import x\n")
    (warning, missing) = load_project_tools(tmp_path).warnings
    assert warning.startswith(".toolpost/tools/a.py:2: ZeroDivisionError")
    assert "No module named 'missing' beside the tool files" in missing


def test_what_was_not_there_when_a_folder_was_loaded_is_never_run(tmp_path: Path, tools: Path) -> None:
    (tools / "late.py").write_text(
        "from toolpost import tool\n\n"
        '@tool\ndef late() -> str:\n    """Late."""\n    import planted\n    return planted.X\n'
        '\n@tool\ndef also() -> str:\n    """Late."""\n    from . import planted\n    return planted.X\n'
    )
    late, also = load_project_tools(tmp_path).tools
    (tools / "planted.py").write_text("X = 'run'\n")
    for tool in (late, also):
        with pytest.raises(ImportError, match="import planted at the top of the tool file"):
            called(tool)


def test_files_that_are_named_see_their_neighbours_and_get_names_apart(tmp_path: Path) -> None:
    (tmp_path / "helpers.py").write_text("RATE = 3\n")
    (tmp_path / "a.py").write_text("from helpers import RATE\n" + GET)
    (tmp_path / "b.py").write_text(GET)
    assert [tool.name for tool in load_files([tmp_path / "a.py", tmp_path / "b.py"]).tools] == ["a_get", "b_get"]
    assert [tool.name for tool in load_file(tmp_path / "a.py", "file:a.py")] == ["get"]
    with pytest.raises(ConfigError, match="defines no tools"):
        load_files([tmp_path / "helpers.py"])


def test_the_users_own_folder_is_found_where_the_configuration_is(tmp_path: Path) -> None:
    folder = tmp_path / "xdg" / "toolpost" / "tools"
    folder.mkdir(parents=True)
    (folder / "mine.py").write_text(GET)
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "xdg")}
    (tool,) = load_user_tools(environ).tools
    assert (tool.name, tool.source) == ("get", f"user:{folder}/mine.py")
    assert load_user_tools({"TOOLPOST_CONFIG_DIR": str(tmp_path / "none")}).tools == ()


def test_types_of_a_neighbour_can_be_parameters(tmp_path: Path, tools: Path) -> None:
    (tools / "_shapes.py").write_text(
        "from __future__ import annotations\nfrom dataclasses import dataclass\n\n"
        "@dataclass\nclass Point:\n    x: int\n"
    )
    (tools / "draw.py").write_text(
        "from __future__ import annotations\nfrom _shapes import Point\nfrom toolpost import tool\n\n"
        '@tool\nasync def draw(at: Point) -> int:\n    """Draw."""\n    return at.x\n'
    )
    loaded = load_project_tools(tmp_path)
    assert loaded.warnings == ()
    (draw,) = loaded.tools
    assert draw.check is not None
    checked = draw.check({"at": {"x": 3}})
    assert isinstance(draw, FunctionTool)
    assert asyncio.run(draw.function(**checked)) == 3
