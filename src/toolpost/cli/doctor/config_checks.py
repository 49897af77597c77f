"""Check the configuration: problems, notes, and what a folder that is not trusted would change."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.cli.shared.formats import at_home
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace

if TYPE_CHECKING:
    from toolpost.guard.rules import Rule
    from toolpost.mcp.session_tools import JoinedServers
    from toolpost.plugins.hooks import Plugin
    from toolpost.tools.define import Tool
    from toolpost.tools.registry import Registry


def check_config(workspace: Workspace) -> tuple[list[str], list[str]]:
    """What is wrong with the configuration, a line each, and what is only worth a look. In a folder that is not trusted
    it has to be right without the project's file, as it holds now, and with it."""
    problems, notes = _checked(workspace)
    if note := unused_note(workspace):
        from toolpost.tools.tool_files import FOLDER

        # Tools that the folder brings along are not read before it is trusted: their names are not known.
        brings_tools = any((workspace.project / FOLDER).glob("*.py"))
        more_problems, more_notes = _checked(as_written(workspace), knows_names=not brings_tools)
        problems, notes = [*problems, *more_problems], [*notes, *more_notes, note]
    return list(dict.fromkeys(problems)), list(dict.fromkeys(notes))


def unused_note(workspace: Workspace) -> str:
    """A note that the project's file is not used because its folder is not trusted; else empty."""
    places = config_places(workspace)
    file = places["project"]
    if workspace.trusted or file == places["user"] or not file.is_file():
        return ""
    return f"{at_home(file)} is not used until you trust this folder: toolpost trust"


def as_written(workspace: Workspace) -> Workspace:
    """The workspace with the project's settings, trusted or not: reading them runs nothing."""
    return _AsWritten(workspace) if unused_note(workspace) else workspace


def _checked(workspace: Workspace, *, knows_names: bool = True) -> tuple[list[str], list[str]]:
    try:
        loaded = workspace.loaded
    except ConfigError as error:
        return str(error).splitlines(), []
    try:
        notes = [*loaded.warnings, *_rule_notes(workspace)]
    except ConfigError as error:
        return [str(error)], [*loaded.warnings]
    notes += (f"instructions: no such file: {name}" for name in _missing_instructions(workspace))
    try:
        workspace.agent()
        notes += _strange_names(workspace) if knows_names else ()
    except ConfigError as error:
        return [str(error)], notes
    broken = [f"agent {name}: {problem}" for name, problem in workspace.broken_agents.items()]
    return [*broken, *_people_problems(workspace), *_model_problems(workspace), *_server_problems(workspace)], notes


def _people_problems(workspace: Workspace) -> Iterator[str]:
    """What would keep a server from its users and roles."""
    from toolpost.server.accounts.roles import load_roles
    from toolpost.server.users import load_users

    try:
        load_roles(workspace.config.server)
        load_users(workspace.config.server, workspace.environ, "")
    except ConfigError as error:
        yield str(error)


def _rule_notes(workspace: Workspace) -> Iterator[str]:
    """Rules without an effect, or with a surprising one. A project may override the user, and an agent both."""
    from toolpost.guard.rules import Rules
    from toolpost.tools.offered_tools import misnamed

    places: dict[str, list[Rule]] = {}
    for rule in workspace.config.permissions:
        places.setdefault(rule.source.rpartition(":")[0], []).append(rule)
    for rules in (*places.values(), *(agent.permissions for agent in workspace.config.agents.values())):
        yield from Rules(rules).lint()
        yield from misnamed(rules, workspace.tools)


def _strange_names(workspace: Workspace) -> Iterator[str]:
    """Names in `[tools]` and `[permissions]` that no tool here has, and nothing asks for: slips, most of them."""
    from toolpost.config.check import dotted
    from toolpost.workspace.tool_setup import built_in_tools

    config, agents = workspace.config, workspace.agents.items()
    named = [(workspace.loaded.origin(dotted(("tools", name))), "tool", name) for name in config.tools]
    named += [(f"agents.{agent}.tools", "tool", name) for agent, given in agents for name in given.tools or ()]
    rules = [*config.permissions, *(rule for _, given in agents for rule in given.permissions)]
    named += [(rule.source, "permission", rule.permission) for rule in rules]
    # The folder's own tools run when they are read, which may take its time: only where a name may be theirs.
    if not (named := _unknown(named, _known_names(built_in_tools(workspace.bench)))):
        return
    known = _known_names(workspace.tools)
    for place, what, name in _unknown(named, known):
        yield f"{place}: {_unknown_text(what, name, known[what])}"


def unknown_name(workspace: Workspace, what: str, name: str) -> str:
    """What to say of a name of a tool or a permission that nothing here has; empty if something has it."""
    known = _known_names(workspace.tools)
    return _unknown_text(what, name, known[what]) if _unknown([("", what, name)], known) else ""


def _unknown_text(what: str, name: str, known: set[str]) -> str:
    from toolpost.arguments.suggestions import closest

    guess = closest(name.lower(), known)
    remedy = f'did you mean "{guess}"?' if guess else "see `toolpost tools`"
    return f'unknown {what} "{name}"; {remedy}'


def _known_names(tools: "Iterable[Tool]") -> dict[str, set[str]]:
    from toolpost.engine.recall_tool import RECALL
    from toolpost.tools import builtin
    from toolpost.tools.default_rules import ALLOWED, BESIDE

    here = list(tools)
    names = {RECALL, *ALLOWED, *builtin.NAMES, *(tool.name for tool in here)}
    return {"tool": names, "permission": {*names, *BESIDE, *(tool.asks_for for tool in here)}}


def _unknown(named: list[tuple[str, str, str]], known: Mapping[str, set[str]]) -> list[tuple[str, str, str]]:
    from toolpost.guard.wildcards import matcher

    own = [one for one in named if not one[2].startswith("mcp__")]
    return [one for one in own if not any(map(matcher(one[2]), known[one[1]]))]


def _missing_instructions(workspace: Workspace) -> Iterator[str]:
    return (file for file in workspace.config.instructions if not Path(file).expanduser().is_file())


def _model_problems(workspace: Workspace) -> Iterator[str]:
    """Models and providers that no request could be sent to, whatever the key."""
    from toolpost.workspace.provider_list import provider

    config = workspace.config
    for name in config.providers:
        try:
            problem = provider(workspace, name).problem
        except ConfigError as error:
            problem = str(error)
        if problem:
            yield problem
    origins = {setting.key: setting.origin for setting in workspace.loaded.settings()}
    models = {"model": config.model}
    models |= {f"agents.{name}.model": agent.model for name, agent in config.agents.items()}
    for key, given in models.items():
        model = given and workspace.canonical(given)
        if model and not all(model.partition("/")[::2]):
            yield f"{origins.get(key, key)}: {model!r} is not a model id: use provider/model, such as openai/gpt-5-mini"
        elif model and (problem := _provider_problem(workspace, model.partition("/")[0])):
            yield f"{origins.get(key, key)}: {problem}"


def _provider_problem(workspace: Workspace, name: str) -> str:
    """Why there is no such provider: the first sentence of what a run would say."""
    from toolpost.models.resolve import EMBEDDED, provider_config

    if name == EMBEDDED or any(name in plugin.models() for plugin in workspace.plugins):
        return ""
    try:
        provider_config(name, workspace.providers)
    except ConfigError as error:
        return str(error).partition(" To add one")[0]
    return ""


def _server_problems(workspace: Workspace) -> Iterator[str]:
    """MCP servers that cannot be used as they are written. A variable without a value is for the machine to set."""
    from toolpost.config.mcp_servers import configured_servers
    from toolpost.mcp.config import UNSET

    try:
        servers = configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=workspace.trusted)
    except ConfigError as error:
        yield str(error)
        return
    for server in servers:
        if server.problem and server.enabled and not server.problem.startswith(UNSET):
            yield f"{server.origin}: MCP server {server.name}: {server.problem}"


def config_places(workspace: Workspace) -> dict[str, Path]:
    """The user's file and the project's, there or not."""
    from toolpost.config.layers import PROJECT_FILE, project_file, user_file

    project = project_file(workspace.folder) or workspace.project / PROJECT_FILE
    return {"user": user_file(workspace.environ), "project": project}


class _AsWritten(Workspace):
    """The settings and agents as they would be, which are texts. All that runs is left as it is `now`: to look at a
    folder must import no tool of it, start no server, and load no plugin that the user has switched off."""

    def __init__(self, now: Workspace) -> None:
        super().__init__(now.folder, environ=now.environ, trusted=True)
        self._now = now

    @cached_property
    def plugins(self) -> "Sequence[Plugin]":
        return self._now.plugins

    @cached_property
    def tools(self) -> "Registry":
        return self._now.tools

    @cached_property
    def servers(self) -> "JoinedServers | None":
        return self._now.servers
