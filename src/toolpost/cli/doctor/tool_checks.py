"""Checks of `toolpost doctor` for trust, sandbox, tools, plugins, MCP and language servers."""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

from toolpost.extras import install_command, is_installed
from toolpost.types.text import counted

from .check_result import CheckResult, first_of

if TYPE_CHECKING:
    from toolpost.workspace import Workspace

SHOWN = 8
TRUST = "toolpost trust"


def _trust(workspace: "Workspace") -> CheckResult:
    from toolpost.guard.trust import Trust

    trust = Trust.of_user(workspace.environ)
    states = [(root, trust.standing(root).state) for root in workspace.roots]
    for root, state in states:
        if state in ("unknown", "changed"):
            what = "changed since it was trusted" if state == "changed" else "is not trusted"
            return CheckResult(
                "trust", "note", f"{root.name} {what}: its own settings, tools and servers are not used", TRUST
            )
    if all(state == "empty" for _, state in states):
        return CheckResult("trust", "ok", "this folder has nothing that needs trust")
    return CheckResult("trust", "ok", "this folder is trusted")


def _sandbox(workspace: "Workspace") -> CheckResult:
    """Proved on the spot: what a command must and must not be able to do is tried."""
    from toolpost.guard.sandbox.sandbox import SandboxSettings, find_sandbox, prove
    from toolpost.tools import builtin

    wanted = workspace.config.sandbox
    if wanted == "off":
        text = "off: commands run with all your permissions"
        return CheckResult("sandbox", "note", text, 'set sandbox = "auto" in config.toml')
    if "bash" in builtin.lacking():
        text = "not tried: commands cannot be judged without the shell grammar, so none runs"
        return CheckResult("sandbox", "note", text, install_command("code"))
    sandbox = find_sandbox(SandboxSettings(wanted))
    tried = prove(sandbox)
    failed = [f"{name}: {seen}" for name, is_right, seen in tried if not is_right]
    if failed:
        newer = "a newer bubblewrap" if sandbox.kind == "bubblewrap" else "bubblewrap"
        fix = f"install {newer} and allow user namespaces"
        return CheckResult("sandbox", "broken", f"bash refuses to run: {'; '.join(failed)}", fix)
    return CheckResult("sandbox", "ok", f"{sandbox.kind} works: {counted(len(tried), 'check')} passed")


def _tools(workspace: "Workspace") -> CheckResult:
    from toolpost.workspace.tool_setup import make_registry

    workspace.config  # noqa: B018 - where it is broken, that is what to mend, and nothing is said about the tools
    # Not `workspace.tools`: a file that hangs would hang whoever else wants them, for Python 3.11 makes them wait.
    registry, problems, _ = make_registry(workspace, ())
    if problems:
        return CheckResult("tools", "broken", first_of(problems), "toolpost tools check")
    tools = list(registry)
    own = [tool.name for tool in tools if tool.source != "builtin"]
    text = f"{len(tools) - len(own)} built in"
    if own:
        text += f", {len(own)} of your own: {', '.join(own[:SHOWN])}{', …' if len(own) > SHOWN else ''}"
    return CheckResult("tools", "ok", text)


def _plugins(workspace: "Workspace") -> CheckResult:
    from toolpost.plugins.installed import installed_plugins

    plugins, warnings = installed_plugins(workspace.config.plugins)
    if warnings:
        name = warnings[0].split()[1]
        return CheckResult("plugins", "broken", warnings[0], f"set {name} = false under [plugins], or reinstall it")
    names = ", ".join(plugin.name for plugin in plugins)
    return CheckResult("plugins", "ok", names or "none installed")


def _servers(workspace: "Workspace") -> CheckResult:
    from toolpost.config.mcp_servers import configured_servers

    servers = configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=workspace.trusted)
    broken = [f"{server.name}: {server.problem}" for server in servers if server.problem and server.enabled]
    if broken:
        return CheckResult("mcp", "broken", first_of(broken), "toolpost mcp list")
    if not servers:
        return CheckResult("mcp", "ok", "no servers")
    waiting = [server.name for server in servers if server.project and server.enabled and not workspace.trusted]
    if waiting:
        return CheckResult("mcp", "note", f"not started until this folder is trusted: {', '.join(waiting)}", TRUST)
    names = ", ".join(server.name for server in servers)
    return CheckResult("mcp", "ok", f"{names}; to test them: toolpost mcp test")


def _language_servers(workspace: "Workspace") -> CheckResult:
    from toolpost.tools.lsp.settings import find_server, known_languages

    path = workspace.environ.get("PATH", os.defpath)
    found = [
        spec
        for language in known_languages(workspace.config.lsp)
        if (spec := find_server(language, workspace.config.lsp, path))
    ]
    if not found:
        return CheckResult("lsp", "note", "no language server: edits are not checked", "pip install python-lsp-server")
    return CheckResult("lsp", "ok", ", ".join(f"{spec.language}: {spec.name}" for spec in found))


def _web_search(workspace: "Workspace") -> CheckResult:
    """Who is asked, in their order. Nothing is searched: that would cost a credit, and tell what is searched for."""
    from toolpost.tools.offered_tools import ToolSwitches
    from toolpost.tools.web.search.search import provider_order
    from toolpost.workspace.provider_list import how_to_give_a_key, search_provider

    if not ToolSwitches.switches(workspace.config.tools).offers("web_search"):
        return CheckResult("web search", "note", "switched off in [tools]")
    settings, tavily = workspace.config.web, search_provider(workspace)
    has_key = tavily.key in ("environment", "keyring")
    order = provider_order(settings, has_key=has_key)
    names = {
        "tavily": f"Tavily, key {tavily.key_text}" if has_key else "Tavily without a key, a few searches a day",
        "searxng": f"SearXNG at {settings.searxng}",
        "ddgs": "ddgs" if is_installed("search") else "ddgs, which is not installed",
    }
    text = "; then ".join(names[name] for name in order)
    if order == ("ddgs",) and not is_installed("search"):
        return CheckResult("web search", "broken", text, install_command("search"))
    if has_key or settings.searxng or "tavily" not in order:
        return CheckResult("web search", "ok", text)
    return CheckResult("web search", "note", text, how_to_give_a_key(workspace, tavily))


TOOL_CHECKS: "dict[str, Callable[[Workspace], CheckResult]]" = {
    "trust": _trust,
    "sandbox": _sandbox,
    "tools": _tools,
    "web search": _web_search,
    "plugins": _plugins,
    "mcp": _servers,
    "lsp": _language_servers,
}
