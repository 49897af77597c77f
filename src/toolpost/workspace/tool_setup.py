"""Make the tools of a folder: built-ins with their workbench, tool files, MCP servers."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from toolpost.config.api_keys import find_key
from toolpost.extras import missing_text
from toolpost.guard.paths import FileAccess
from toolpost.guard.sandbox.placeholders import is_placeholder
from toolpost.store import default_path
from toolpost.tools import builtin
from toolpost.tools.define import Tool
from toolpost.tools.files.instructions import FolderInstructions
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.registry import Registry
from toolpost.tools.tool_files import load_files, load_project_tools, load_user_tools
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ConfigError

if TYPE_CHECKING:
    from toolpost.mcp.session_tools import JoinedServers

    from .workspace import Workspace


def make_bench(workspace: "Workspace") -> Workbench:
    """The workbench of a workspace's built-in tools."""
    config, ground = workspace.config, FileAccess(workspace.project)
    _clear_leftovers(ground.root)
    bench = Workbench(
        ground,
        ReadTracker(),
        config.tool_limits,
        changes=workspace.journal,
        settings={
            "web": config.web,
            "lsp": config.lsp,
            "sandbox": config.sandbox,
            "network": config.network,
            "databases": config.databases,
        },
        outputs=outputs_folder(),
        agents={name: agent.description for name, agent in workspace.sub_agents().items()},
        skills=workspace.skills,
        beside=FolderInstructions(ground, [found.file for found in workspace.instructions()]),
        environ=workspace.environ,
        find_key=lambda service, variable: find_key(service, (variable,), workspace.environ, patience=1.0) or "",
    )
    bench.after_edit.append(bench.diagnose)
    return bench


def _clear_leftovers(project: Path) -> None:
    """Take away what a process that was killed in the middle of a command has left."""
    names = (".mcp.json", ".toolpost", ".git", ".git/commondir", ".git/config.worktree", ".git/hooks", ".git/config")
    if any(is_placeholder(project / name) for name in names):
        # Imported here: hardly any start needs it.
        from toolpost.guard.sandbox.guarded_paths import clear_placeholders

        clear_placeholders(project)


def built_in_tools(bench: Workbench) -> Iterator[Tool]:
    """Those that have something to work with in this folder, also where a package of theirs is not installed."""
    empty = {name for name, given in (("skill", bench.skills), ("sql_query", bench.settings["databases"])) if not given}
    for name in builtin.NAMES:
        if name not in empty:
            yield builtin.make(name, bench)


def join_servers(workspace: "Workspace") -> "JoinedServers | None":
    """The folder's MCP servers; None where there are none, and then nothing of MCP is loaded."""
    from toolpost.config.mcp_servers import configured_servers

    trusted = workspace.trusted
    servers = configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=trusted)
    wanted = [server for server in servers if server.enabled and (trusted or not server.project)]
    if not wanted:
        return None
    from toolpost.config.token_store import TokenStore
    from toolpost.mcp.known_tools import KnownTools
    from toolpost.mcp.session_tools import JoinedServers

    rules = workspace.rules(workspace.agent()[1])
    is_open = workspace.config.headless == "allow"
    return JoinedServers(
        wanted,
        workspace.tools,
        folder=workspace.project,
        environ=workspace.process_environ,
        patience=workspace.config.tool_limits.mcp_seconds,
        hides=rules.hides,
        trusted=trusted,
        vault=TokenStore(workspace.environ),
        tell=workspace.tell,
        known=KnownTools.of_project(workspace.project, workspace.environ),
        allows=lambda name: is_open or any(rule.action == "allow" for rule in rules.about(name)),
    )


def outputs_folder() -> Path:
    """Where long outputs are kept for people and models to read."""
    return default_path().parent / "outputs"


def make_registry(workspace: "Workspace", tool_files: Sequence[Path]) -> tuple[Registry, list[str], list[str]]:
    """Every tool of a folder, what is wrong with those that are left out, and what else a person should be told.

    A bad or doubled name keeps no other tool away; but a file of the command line that can't be used is an error.
    """
    registry, lacking = Registry(), builtin.lacking()
    for tool in built_in_tools(workspace.bench):
        if tool.name not in lacking:
            registry.add(tool, "builtin")
    files = [load_user_tools(workspace.environ)]
    if workspace.trusted:
        files.append(load_project_tools(workspace.project))
    problems = [text for found in files for text in found.warnings]
    sources = [(tool, tool.source) for found in files for tool in found.tools]
    for tool, source in sources:
        try:
            registry.add(tool, source)
        except ConfigError as error:
            problems.append(f"{error}; it is left out")
    workspace.plugin_tools.add(registry)
    named = load_files(tool_files)
    for tool in named.tools:
        registry.add(tool, tool.source)
    notices = [text for found in (*files, named) for text in found.notices]
    if lacking:
        notices.append(missing_text("code", f"not offered: {', '.join(lacking)}; each of them"))
    return registry, problems, [*notices, *registry.notices]
