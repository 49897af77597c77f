"""`toolpost tools`: list tools, show one, check how well models understand them."""

import argparse
import asyncio
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import msgspec

from toolpost.arguments.validate import compile_schema
from toolpost.tools.define import Tool
from toolpost.types.errors import ToolpostError
from toolpost.types.text import counted

from .exit_codes import FAILED, OK
from .shared.arguments import JSON, Argument, Subcommands
from .shared.formats import first_sentence
from .shared.output import say, say_json, say_notices
from .shared.tables import TextTable, bold, plain, plain_lines
from .shared.workspace import open_workspace

if TYPE_CHECKING:
    from toolpost.tools.define import Tool
    from toolpost.workspace import Workspace
    from toolpost.workspace.explain_permissions import ToolPermissions


HELP = "list tools, show one, check how well models understand them"
PLUGIN_SECONDS = 10.0  # for a plugin that takes its time to say which tools it has
EMPTY = """\
no tools of your own here: write a typed function into .toolpost/tools/weather.py, or for every project into
~/.config/toolpost/tools/weather.py
  from toolpost import tool

  @tool
  def get_weather(city: str) -> str:
      \"\"\"Get the current weather for a city. Use when the user asks about weather.\"\"\""""

_AGENT = Argument("--agent", metavar="NAME", help="the tools of this agent")
_SHORT_WORDS = 4
_LONG_CHARACTERS = 1_024
_MANY_PARAMETERS = 8
_WHEN = re.compile(r"\b(use|when|whenever|if|call|for|before|after|instead|prefer)\b", re.IGNORECASE)
_SNAKE = re.compile(r"[a-z][a-z0-9]*(_+[a-z0-9]+)*")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    commands.add("list", "list the tools and whether they may run", _AGENT, JSON)
    name = Argument("name", metavar="NAME", help="the name of the tool")
    commands.add("show", "show a tool as a model sees it", name, _AGENT, JSON)
    files = Argument(
        "files",
        metavar="FILE.py",
        nargs="*",
        help="the files to check (default: tools of this project, your own and those of plugins)",
    )
    commands.add("check", "report what makes models overlook a tool or call it wrongly", files, JSON)


def run(args: argparse.Namespace) -> int:
    actions = {"list": _list, "show": _show, "check": _check}
    workspace = open_workspace()
    if args.action != "check" and workspace.plugin_tools.waiting:
        asyncio.run(workspace.prepare_plugins())
    return actions[args.action](workspace, args)


def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.workspace.explain_permissions import ToolPermissions

    outcome = ToolPermissions(workspace, args.agent)
    if args.json:
        say_json([_described(tool, outcome) for tool in workspace.tools])
        say_notices(workspace)
        return OK
    tools = list(workspace.tools)
    say_notices(workspace)
    with TextTable("NAME", "RUNS", "FROM", "DESCRIPTION") as table:
        for tool in tools:
            table.row(tool.name, outcome.shown(tool), tool.source, first_sentence(tool.description))
    # In a folder that is not trusted, the notice says why its own are missing.
    if workspace.trusted and all(tool.source == "builtin" for tool in tools):
        say(f"\n{EMPTY}")
    _point_to_servers(workspace)
    return OK


def _show(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.workspace.explain_permissions import ToolPermissions

    outcome, tool = ToolPermissions(workspace, args.agent), _named(workspace, args.name)
    if args.json:
        say_json(_described(tool, outcome))
        return OK
    say_notices(workspace)
    say(f"{bold(tool.name)}  ({plain(tool.source)}, {outcome.shown(tool)})")
    say(plain_lines(tool.description.strip()) or "(no description)")
    facts = {
        "permission": tool.permission,
        "timeout": f"{tool.timeout:g} s" if tool.timeout is not None else "",
        "read only": "yes" if tool.read_only else "",
        "parallel": "" if tool.parallel else "no",
        "cache": f"{tool.cache:g} s" if tool.cache else "",
        "rate limit": f"{tool.rate_limit.calls} in {tool.rate_limit.seconds:g} s" if tool.rate_limit else "",
    }
    for name, value in facts.items():
        if value:
            say(f"{name}: {plain(value)}")
    say("parameters:")
    say(plain_lines(msgspec.json.format(msgspec.json.encode(tool.parameters), indent=2).decode()))
    return OK


def _check(workspace: "Workspace", args: argparse.Namespace) -> int:

    tools, broken = _from_files(args.files) if args.files else _from_project(workspace)
    found = [(tool, warning) for tool in tools for warning in check(tool)]
    if args.json:
        warnings = [{"tool": tool.name, "source": tool.source, "warning": warning} for tool, warning in found]
        say_json({"checked": [tool.name for tool in tools], "warnings": warnings, "broken": broken})
        return FAILED if found or broken else OK
    for text in broken:
        say(plain(text))
    for tool, warning in found:
        say(plain(f"{_place(tool)}: {tool.name}: {warning}"))
    if not tools and not broken:
        say(EMPTY)
    elif not found and not broken:
        say(f"{counted(len(tools), 'tool')} checked: no warnings")
    return FAILED if found or broken else OK


def _point_to_servers(workspace: "Workspace") -> None:
    """What they offer is known only once they are started, which a list does not do."""
    from toolpost.config.mcp_servers import configured_servers

    trusted = workspace.trusted
    servers = configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=trusted)
    number = sum(server.enabled and (trusted or not server.project) for server in servers)
    if number:
        whose = "its" if number == 1 else "their"
        say(f"\n{counted(number, 'MCP server')}; to list {whose} tools: toolpost mcp test")


def _named(workspace: "Workspace", name: str) -> "Tool":
    from toolpost.arguments.suggestions import did_you_mean

    tool = workspace.tools.get(name)
    if tool is not None:
        return tool
    hint = did_you_mean(name, workspace.tools.names, "see `toolpost tools`")
    raise ToolpostError(f"unknown tool {name}: {hint}")


def _described(tool: "Tool", outcome: "ToolPermissions") -> dict[str, Any]:
    names = ("name", "label", "description", "parameters", "source", "timeout", "parallel", "read_only", "cache")
    return {
        **{name: getattr(tool, name) for name in names},
        "permission": tool.permission or tool.name,
        "runs": outcome(tool),
    }


def _from_files(files: Iterable[str]) -> "tuple[list[Tool], list[str]]":
    from toolpost.tools.tool_files import load_file

    tools: list[Tool] = []
    broken: list[str] = []
    for name in files:
        try:
            found = load_file(Path(name), f"file:{name}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a tool file may do anything at import, `sys.exit` too
            is_there = Path(name).is_file()
            broken.append(f"{name}: {type(error).__name__}: {error}" if is_there else f"{name}: no such file")
            continue
        if not found:
            broken.append(f"{name}: it has no tool; put @tool above a typed function")
        tools += found
    return tools, broken


def _from_project(workspace: "Workspace") -> "tuple[list[Tool], list[str]]":
    """The tools of the user, the project and the plugins, and why others are left out."""
    asyncio.run(workspace.prepare_plugins())
    own = [tool for tool in workspace.tools if tool.source.partition(":")[0] in ("user", "project", "plugin")]
    return own, workspace.tool_problems if workspace.trusted else [*workspace.notices]


def _place(tool: "Tool") -> str:
    """The file, or what else a person has to change."""
    kind, _, where = tool.source.partition(":")
    return where if kind in ("file", "project", "user") else tool.source


def check(tool: Tool) -> list[str]:
    """Warnings, the weightiest first, each with what to do. An empty list means a tool that models find."""
    return [*_about_description(tool), *_about_parameters(tool), *_about_name(tool)]


def _about_description(tool: Tool) -> Iterator[str]:
    said = tool.description.strip()
    words = re.findall(r"\w+", said)
    own = re.findall(r"[a-z0-9]+", tool.name.lower())
    if not said:
        yield "no description: say in a docstring what it does and when to use it"
    elif [word.lower() for word in words] == own:
        yield "the description only repeats the name: say what it does and when to use it"
    elif len(words) < _SHORT_WORDS and said.isascii():
        yield "the description is very short: say what it does, what it gives back and when to use it"
    elif said.isascii() and not _WHEN.search(said):
        yield 'the description does not say when to use it: add a sentence such as "Use when …"'
    if len(said) > _LONG_CHARACTERS:
        size = f"{len(said)} characters"
        yield f"the description has {size}: it is sent with every request, {_LONG_CHARACTERS} are plenty"


def _about_parameters(tool: Tool) -> Iterator[str]:
    properties = cast("dict[str, Any]", tool.parameters.get("properties") or {})
    for name, schema in properties.items():
        node = cast("dict[str, Any]", schema) if isinstance(schema, dict) else {}
        if not node.keys() & {"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"}:
            yield f'parameter "{name}" has no type: annotate it'
        if not node.get("description"):
            yield f'parameter "{name}" is not described: Annotated[…, "what it is, e.g. …"] or the docstring says it'
    if len(properties) > _MANY_PARAMETERS:
        yield f"{len(properties)} parameters: models mix up more than {_MANY_PARAMETERS}; split the tool"
    try:
        compile_schema(tool.parameters)
    except ValueError as error:
        yield f"the parameters are not a valid JSON Schema, so arguments are not checked: {str(error).splitlines()[0]}"


def _about_name(tool: Tool) -> Iterator[str]:
    if not _SNAKE.fullmatch(tool.name):
        yield f"the name {tool.name} is not in snake_case, the form that models write most surely"
