"""`toolpost mcp`: other people's servers, which are listed, added, tried and called here; and our own tools as one."""

import argparse
import asyncio
import sys
import time
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.cli.commands import JSON, Argument, Subcommands, complain, open_workspace, say, say_json, tell_notices
from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.session_arguments import rules_of
from toolpost.cli.shared.tables import Table, plain
from toolpost.extras import require
from toolpost.tools.untrusted import without_marks
from toolpost.types.errors import ConfigError, ToolError, ToolpostError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence
    from pathlib import Path

    from toolpost.mcp.config import McpServer
    from toolpost.mcp.server_set import McpServers
    from toolpost.workspace import Workspace

HELP = "list, add, test and call MCP servers, log in to them, or be one"
EMPTY = """\
no MCP servers: add one, here or (--user) for every folder
  toolpost mcp add time -- uvx mcp-server-time
  toolpost mcp add docs https://example.com/mcp"""
TOKEN_VARIABLE = "TOOLPOST_MCP_TOKEN"
SHORTEST_TOKEN = 16
MOST_PORT = 65_535
# The others only read and write configuration.
NEED_PACKAGES = ("login", "test", "call", "serve")

_NAME = Argument("name", metavar="NAME", help="the server's name here")
_USER = Argument("--user", action="store_true", help="for every folder, not only for this project")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    commands.add("list", "list the servers that are configured, without starting them", JSON)
    commands.add(
        "add",
        "add a server: a command after --, or an address",
        _NAME,
        Argument("target", metavar="TARGET", nargs="+", help="https://…, or -- COMMAND ARGUMENT…"),
        _USER,
        Argument("--type", choices=("stdio", "http", "sse"), help="how it is spoken to, where its address won't tell"),
        Argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for its environment; ${NAME} works"),
        Argument("--header", action="append", default=[], metavar="NAME:VALUE", help="for its requests; ${NAME} works"),
    )
    commands.add("remove", "remove a server", _NAME, _USER)
    commands.add("accept", "take the tools of a server as they are now, where they have changed", _NAME)
    commands.add("login", "log in to a server that wants it, in a browser", _NAME)
    one = Argument("name", metavar="NAME", nargs="?", help="the server's name; all without one")
    commands.add("test", "start servers and say what they offer, or why not", one, JSON)
    commands.add(
        "call",
        "call a tool of a server, without a model",
        _NAME,
        Argument("tool", metavar="TOOL"),
        Argument("arguments", metavar="JSON", nargs="?", default="{}", help="its arguments as one object"),
    )
    http = Argument("--http", metavar="[HOST:]PORT", help="over HTTP instead of stdin and stdout; 0 is a free port")
    agent = Argument("--agent", metavar="NAME", help="with this agent's tools and rules")
    kept: dict[str, Any] = {"action": "append", "dest": "rules", "metavar": "RULE"}
    said = 'what may run, as in `toolpost run`: "read", "bash:git *", "*"'
    allow = Argument("--allow", type=_allow, default=[], help=said, **kept)
    deny = Argument("--deny", type=_deny, help="the same, refused", **kept)
    about = "offer this folder's tools, commands and files to an MCP client, behind its rules"
    commands.add("serve", about, http, agent, allow, deny)


def run(args: argparse.Namespace) -> int:
    actions = {
        "list": _list,
        "accept": _accept,
        "add": _add,
        "remove": _remove,
        "login": _login,
        "test": _test,
        "call": _call,
        "serve": _serve,
    }
    if args.action in NEED_PACKAGES:
        require("mcp", "speaking to MCP servers, or being one,")
    return actions[args.action](open_workspace(), args)


def _allow(text: str) -> tuple[str, str]:
    return "allow", text


def _deny(text: str) -> tuple[str, str]:
    return "deny", text


def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .changes import changed_tools, show_changes

    servers = _configured(workspace)
    tell_notices(workspace)
    changes = changed_tools(workspace, servers)
    if args.json:
        say_json(
            [
                {**_row(server, workspace), "changes": msgspec.to_builtins(changes.get(server.name, []))}
                for server in servers
            ]
        )
        return OK
    if not servers:
        _teach(workspace)
        return OK
    with Table("NAME", "STATE", "FROM", "WHAT") as table:
        for server in servers:
            row = _row(server, workspace)
            table.row(row["name"], row["state"], at_home(row["from"]), row["what"])
    for name, found in changes.items():
        show_changes(name, found)
    return OK


def _accept(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.mcp.known_tools import KnownTools

    server = _named(workspace, args.name)
    found = KnownTools.of_project(workspace.project, workspace.environ).accept(server.name)
    for change in found:
        say(f"{plain(change.tool)}: {change.kind}, and taken as it is")
    if not found:
        say(f"the tools of {server.name} are as you know them")
    return OK


def _add(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.mcp_files import add_entry
    from toolpost.mcp.config import UNSET, from_table

    from .servers import keeping_trust

    first, *rest = args.target
    entry: dict[str, Any] = {"type": args.type} if args.type else {}
    if first.startswith(("http://", "https://")):
        if rest or args.env:
            raise ConfigError("an address takes no arguments and no --env; is a -- missing before the command?")
        entry |= {"url": first}
        entry |= {"headers": _pairs(args.header, ":", "--header")} if args.header else {}
        entry.setdefault("type", "http")
    else:
        if args.header:
            raise ConfigError("--header goes with an address; a command gets --env")
        entry |= {"command": first, "args": rest}
        entry |= {"env": _pairs(args.env, "=", "--env")} if args.env else {}
    file = _file(workspace, args)
    checked = from_table(args.name, entry, workspace.environ, origin="", base=file.parent, project=not args.user)
    # A variable may be set later; everything else would never work.
    if checked.problem and not checked.problem.startswith(UNSET):
        raise ConfigError(f"{args.name}: {checked.problem}")
    with keeping_trust(workspace):
        add_entry(file, args.name, entry)
    if checked.problem:
        complain(f"note: {checked.problem}")
    say(f"added to {at_home(file)}; try it: toolpost mcp test {args.name}")
    return OK


def _remove(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.mcp_files import remove_entry

    from .servers import keeping_trust

    file = _file(workspace, args)
    with keeping_trust(workspace):
        removed = remove_entry(file, args.name)
    if not removed:
        raise ConfigError(f"{at_home(file)} has no server {args.name}; `toolpost mcp list` says where each is from")
    say(f"removed from {at_home(file)}")
    return OK


def _login(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.vault import Vault
    from toolpost.mcp.oauth import login

    server = _named(workspace, args.name)
    if server.project and not workspace.trusted:
        # Its address and its headers are the folder's word, and a header may name any key of the user's.
        raise ConfigError(f"{server.name} is this folder's, which is not trusted; if you trust it: toolpost trust")

    if asyncio.run(login(server, Vault(workspace.environ), _shown_for(server, say))):
        say(f"logged in to {server.name}")
    else:
        say(f"{server.name} wants no login")
    return OK


def _shown_for(server: "McpServer", write: "Callable[[str], None]") -> "Callable[[str], Awaitable[None]]":
    async def show(url: str) -> None:
        # Never opened from here: an address that a server made up would reach whatever opens addresses.
        write(f"Open this in a browser to log in to {server.name}:\n{plain(url)}")
        sys.stdout.flush()

    return show


def _test(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .changes import note_tools
    from .try_server import report, with_servers

    chosen = [_named(workspace, args.name)] if args.name else _configured(workspace)
    tell_notices(workspace)
    if not chosen:
        _teach(workspace)
        return OK
    began = time.monotonic()

    async def act(servers: "McpServers") -> int:
        await servers.ready(_patience(chosen))
        found = servers.status()
        note_tools(workspace, servers)
        if args.json:
            say_json([{**msgspec.to_builtins(one), "stderr": servers.stderr(one.name)} for one in found])
        else:
            for one in found:
                report(one, servers, time.monotonic() - began)
        return OK if all(one.state in ("connected", "off") for one in found) else FAILED

    return with_servers(workspace, chosen, act)


def _call(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.vault import Vault
    from toolpost.mcp.errors import NeedsScope
    from toolpost.mcp.oauth import login

    from .try_server import asked_here, call, has_person, with_servers

    server = _named(workspace, args.name)
    tell_notices(workspace)
    try:
        arguments = msgspec.json.decode(args.arguments, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ConfigError(f"the arguments are no JSON object: {explain_decode_error(error)}") from error

    async def act(servers: "McpServers") -> int:
        await servers.ready(_patience([server]))
        try:
            try:
                await call(servers, server, args.tool, arguments, workspace)
            except NeedsScope as error:
                if not has_person():
                    raise
                complain(str(error))
                await login(server, Vault(workspace.environ), _shown_for(server, complain))
                await call(servers, server, args.tool, arguments, workspace)
        except ToolError as error:
            raise ToolpostError(without_marks(str(error))) from error
        return OK

    return with_servers(workspace, [server], act, asked_here())


def _serve(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.mcp.serve.server import serve_http, serve_stdio

    from .host import ToolHost

    async def host() -> ToolHost:
        await workspace.prepare_plugins()
        made = ToolHost(workspace, args.agent, rules_of(args))
        for notice in workspace.notices:
            complain(f"note: {notice}")
        return made

    async def act() -> None:
        try:
            if args.http is None:
                await serve_stdio(host)
                return
            address, port = _address(args.http)
            token = _token(workspace, address)
            await serve_http(await host(), address, port, token, lambda url: complain(f"serving on {url}"))
        finally:
            await workspace.close()

    asyncio.run(act())
    return OK


def _configured(workspace: "Workspace") -> "Sequence[McpServer]":
    from toolpost.config.mcp_servers import configured_servers

    return configured_servers(workspace.loaded, workspace.project, workspace.environ, trusted=workspace.trusted)


def _teach(workspace: "Workspace") -> None:
    """Say how to add a server, unless the folder may have some that are not looked at before it is trusted."""
    if workspace.trusted:
        say(EMPTY)


def _named(workspace: "Workspace", name: str) -> "McpServer":
    known = {server.name: server for server in _configured(workspace)}
    if name not in known:
        there = f"there are: {', '.join(known)}" if known else "there are none"
        raise ConfigError(f"no MCP server {name}; {there}")
    return known[name]


def _row(server: "McpServer", workspace: "Workspace") -> dict[str, str]:
    from toolpost.guard.redact import known_redactor

    from .servers import state_of

    what = server.url or " ".join((server.command, *server.args))
    state = state_of(server, trusted=workspace.trusted)
    return {"name": server.name, "state": state, "from": server.origin, "what": known_redactor().text(what)}


def _file(workspace: "Workspace", args: argparse.Namespace) -> "Path":
    from toolpost.config.mcp_servers import user_servers

    from .servers import project_path

    return user_servers(workspace.environ) if args.user else project_path(workspace)


def _pairs(given: "Sequence[str]", separator: str, option: str) -> dict[str, str]:
    pairs = [text.partition(separator) for text in given]
    if any(not found for _, found, _ in pairs):
        raise ConfigError(f"{option} is written NAME{separator}VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _patience(servers: "Sequence[McpServer]") -> float:
    """Long enough for each way to each server."""
    return 3 * max(server.connect_timeout for server in servers)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > MOST_PORT:
        raise ConfigError(f"--http takes a port, or HOST:PORT, not {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)


def _token(workspace: "Workspace", address: str) -> str:
    """The user's own, or one for this time. Whoever opens other doors than loopback has to have chosen one."""
    import secrets

    from toolpost.mcp.serve.server import LOOPBACK

    given = workspace.environ.get(TOKEN_VARIABLE, "")
    if given and len(given) < SHORTEST_TOKEN:
        raise ConfigError(f"{TOKEN_VARIABLE} is too short: take {SHORTEST_TOKEN} characters or more")
    if not given and address not in LOOPBACK:
        raise ConfigError(f"{address} can be reached by others: set {TOKEN_VARIABLE} to a token of your own first")
    if not given:
        given = secrets.token_urlsafe(32)
        complain(f"the token for this time: {given}")
    return given
