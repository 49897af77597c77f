"""The registry, the project loader, the built-ins and the lint."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from toolpost.cli.tools import check
from toolpost.tools import builtin
from toolpost.tools.define import Tool, ToolContext, tool
from toolpost.tools.offered_tools import unknown_tool
from toolpost.tools.registry import Registry
from toolpost.tools.tool_files import load_project_tools
from toolpost.types.errors import ConfigError
from toolpost.types.tool_spec import ToolSpec


async def nothing(arguments: dict[str, Any], ctx: ToolContext) -> None: ...


def named(name: str, parameters: dict[str, Any] | None = None) -> Tool:
    return Tool(name, name, f"The tool {name}.", parameters or {"type": "object"}, nothing)


def test_tools_come_sorted_by_name_and_the_specs_are_made_once() -> None:
    def beta(x: int) -> int:
        """Second."""
        return x

    registry = Registry([named("gamma"), beta, named("alpha")])
    assert registry.names == ("alpha", "beta", "gamma")
    assert [made.name for made in registry] == ["alpha", "beta", "gamma"]
    assert registry.specs()[0] == ToolSpec("alpha", "The tool alpha.", {"type": "object"})
    assert registry.specs() is registry.specs()
    registry.add(named("delta"))
    assert [spec.name for spec in registry.specs()] == ["alpha", "beta", "delta", "gamma"]
    assert "beta" in registry
    assert len(registry) == 4
    assert registry.get("nope") is None


@pytest.mark.parametrize("name", ["", "1st", "with space", "a.b", "x" * 65, "名"])
def test_a_name_that_providers_refuse_is_refused_here(name: str) -> None:
    with pytest.raises(ConfigError, match="is not a valid tool name"):
        Registry([named(name)])


@pytest.mark.parametrize("source", ["project:.toolpost/tools/x.py", "sdk"])
@pytest.mark.parametrize("builtin_first", [True, False])
def test_a_project_or_the_sdk_may_replace_a_builtin_and_it_is_announced(source: str, builtin_first: bool) -> None:
    registry = Registry()
    for place in ("builtin", source) if builtin_first else (source, "builtin"):
        registry.add(named("read"), place)
    kept = registry.get("read")
    assert kept is not None
    assert kept.source == source
    assert len(registry.notices) == 1
    assert registry.notices[0].endswith("takes the place of the built-in tool read")


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("sdk", "sdk", "two tools in the SDK are named read"),
        ("project:a.py", "project:b.py", "of the project's b.py has the name of a tool of the project's a.py"),
        ("plugin:p", "builtin", "of the built-ins has the name of a tool of the plugin p"),
        ("sdk", "mcp:hub", r'of the MCP server hub .* rename one of them, for example with @tool\(name="mcp_read"\)'),
    ],
)
def test_any_other_clash_is_an_error_that_says_what_to_rename(first: str, second: str, said: str) -> None:
    registry = Registry()
    registry.add(named("read"), first)
    with pytest.raises(ConfigError, match=said):
        registry.add(named("read"), second)


def test_what_is_no_tool_is_refused() -> None:
    with pytest.raises(ConfigError, match='there is no built-in tool "raed"'):
        Registry(["raed"])
    with pytest.raises(ConfigError, match="3 is not a tool"):
        Registry([3])  # pyright: ignore
    with pytest.raises(ConfigError, match='with "type": "object"'):
        Registry([named("x", {"type": "array"})])


def test_every_builtin_can_be_made_and_bears_its_name() -> None:
    assert Registry(builtin.NAMES).names == tuple(sorted(builtin.NAMES))


def test_a_call_to_an_unknown_tool_is_answered_with_what_there_is() -> None:
    error = unknown_tool("weather", ["get_weather", "read"])
    assert error.kind == "unknown_tool"
    assert str(error) == 'There is no tool "weather". Did you mean get_weather? Tools on offer: get_weather, read.'
    assert "answer without tools" in str(unknown_tool("weather", []))


def test_tools_that_come_and_go_take_the_place_of_those_of_their_kind() -> None:
    registry = Registry([named("read")])
    before = registry.version
    registry.swap("mcp", [replace(named("a"), source="mcp:one"), replace(named("read"), source="mcp:one")])
    assert registry.names == ("a", "read")
    assert registry.get("read").source == "sdk"
    assert "read" in registry.notices[0]
    assert registry.version > before
    registry.swap("mcp", [replace(named("b"), source="mcp:two")])
    assert registry.names == ("b", "read")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / ".toolpost" / "tools").mkdir(parents=True)
    return tmp_path


def write(project: Path, name: str, text: str) -> None:
    (project / ".toolpost" / "tools" / name).write_text(text)


GOOD = '''
from __future__ import annotations
from dataclasses import dataclass
from toolpost.tools.define import Tool, tool

@dataclass
class Thing:
    size: int

@tool
def measure(thing: Thing) -> int:
    """Measure a thing. Use when asked for a size."""
    return thing.size

same = measure

@tool(name="renamed")
async def original() -> str:
    """Another. Use when needed."""
    return "x"

async def run(arguments, ctx): ...
plain = Tool("plain", "Plain", "Plain.", {"type": "object"}, run)
'''


def test_every_tool_of_a_projects_file_is_loaded_once(project: Path) -> None:
    write(project, "good.py", GOOD)
    loaded = load_project_tools(project)
    assert [made.name for made in loaded.tools] == ["measure", "renamed", "plain"]
    assert {made.source for made in loaded.tools} == {"project:.toolpost/tools/good.py"}
    assert loaded.warnings == ()


def test_imported_tools_and_files_with_an_underscore_are_passed_over(project: Path) -> None:
    shared = project / "shared_tool.py"
    shared.write_text(GOOD)
    write(project, "imports.py", f"import sys\nsys.path.insert(0, {str(project)!r})\nfrom shared_tool import measure\n")
    write(project, "_draft.py", "raise RuntimeError")
    loaded = load_project_tools(project)
    assert loaded.tools == ()
    assert loaded.warnings == (".toolpost/tools/imports.py: no tool in it; put @tool above a typed function",)


def test_a_broken_file_is_one_warning_and_the_rest_goes_on(project: Path) -> None:
    write(project, "a_syntax.py", "x = 1\ndef broken(:\n")
    write(project, "b_raises.py", "\n\nraise ValueError('no luck')\n")
    write(project, "c_exits.py", "import sys\nsys.exit('bye')\n")
    write(project, "d_bad_tool.py", "from toolpost.tools.define import tool\n\n@tool\ndef f(*args: int): ...\n")
    write(project, "e_good.py", GOOD)
    write(project, "f_binary.py", "x = '\0'\n")
    loaded = load_project_tools(project)
    assert [made.name for made in loaded.tools] == ["measure", "renamed", "plain"]
    starts = [
        ".toolpost/tools/a_syntax.py:2: SyntaxError: ",
        ".toolpost/tools/b_raises.py:3: ValueError: no luck; its tools are not loaded",
        ".toolpost/tools/c_exits.py:2: SystemExit: bye",
        ".toolpost/tools/d_bad_tool.py:3: ConfigError: tool f: *args can't be described",
        ".toolpost/tools/f_binary.py",
    ]
    assert len(loaded.warnings) == len(starts)
    for warning, start in zip(loaded.warnings, starts, strict=True):
        assert warning.startswith(start)
        assert "\n" not in warning


def test_an_interrupt_while_loading_is_not_swallowed(project: Path) -> None:
    write(project, "stop.py", "raise KeyboardInterrupt")
    with pytest.raises(KeyboardInterrupt):
        load_project_tools(project)


def test_a_tool_file_cannot_take_the_place_of_a_module_and_leaves_no_bytecode(project: Path) -> None:
    write(project, "json.py", GOOD)
    before = list(sys.path)
    load_project_tools(project)
    assert sys.path == before
    assert "toolpost" not in (sys.modules["json"].__file__ or "")
    assert not (project / ".toolpost" / "tools" / "__pycache__").exists()


def test_a_changed_file_is_loaded_anew(project: Path) -> None:
    for name in ("one", "two"):
        write(project, "t.py", f"from toolpost.tools.define import tool\n@tool\ndef {name}(): ...\n")
        assert [made.name for made in load_project_tools(project).tools] == [name]


def test_a_project_without_tools_has_none(tmp_path: Path) -> None:
    assert load_project_tools(tmp_path).tools == ()


def test_a_good_tool_has_no_warnings() -> None:
    from typing import Annotated

    @tool
    def get_weather(city: Annotated[str, "City name, e.g. Tokyo"]) -> None:
        """Get the weather of a city. Use when the user asks about weather."""

    assert check(get_weather) == []


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (Tool("x", "", "", {}, nothing), "no description"),
        (Tool("get_weather", "", "Get weather.", {}, nothing), "only repeats the name"),
        (Tool("x", "", "Does it.", {}, nothing), "very short"),
        (Tool("x", "", "Gets the weather of a city.", {}, nothing), "does not say when"),
        (Tool("x", "", "Use when asked. " * 100, {}, nothing), "1599 characters"),
        (Tool("getWeather", "", "Use when asked for weather.", {}, nothing), "not in snake_case"),
        (named("x", {"properties": {"a": {"description": "d"}}}), 'parameter "a" has no type'),
        (named("x", {"properties": {"a": {"type": "string"}}}), 'parameter "a" is not described'),
        (named("x", {"properties": {f"p{n}": {} for n in range(9)}}), "9 parameters"),
        (named("x", {"type": "object", "properties": {"a": {"type": "nonsense"}}}), "not a valid JSON Schema"),
    ],
)
def test_what_makes_models_miss_a_tool_is_warned_of(made: Tool, said: str) -> None:
    assert any(said in warning for warning in check(made))
