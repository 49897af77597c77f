"""`toolpost mcp`: list, add, test and call MCP servers, log in to them, and serve as one."""

import argparse
import asyncio
import sys
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.cli.exit_codes import FAILED, OK
from toolpost.cli.shared.arguments import ALLOW, DENY, JSON, Argument, Subcommands, rules_of
from toolpost.cli.shared.formats import at_home
from toolpost.cli.shared.output import say, say_json, say_notices, say_on_stderr
from toolpost.cli.shared.tables import TextTable, plain
from toolpost.cli.shared.workspace import open_workspace
from toolpost.extras import require
from toolpost.tools.untrusted import without_marks
from toolpost.types.errors import ConfigError, ToolError, ToolpostError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Generator, Sequence
    from pathlib import Path

    from toolpost.mcp.config import McpServer
    from toolpost.mcp.server_set import McpServers
    from toolpost.workspace import Workspace

HELP = "list, add, test and call MCP servers, log in to them, or serve as one"
EMPTY = """\
no MCP servers. To add one to this project, or with --user for every folder:
  toolpost mcp add time -- uvx mcp-server-time
  toolpost mcp add docs https://example.com/mcp"""
TOKEN_VARIABLE = "TOOLPOST_MCP_TOKEN"
SHORTEST_TOKEN = 16
MAX_PORT = 65_535
# The others only read and write configuration.
NEED_PACKAGES = ("login", "test", "call", "serve")

_NAME = Argument("name", metavar="NAME", help="the name of the server")
_USER = Argument("--user", action="store_true", help="for every folder, not only this project")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    commands = Subcommands(parser, default="list")
    commands.add("list", "list the configured servers without starting them", JSON)
    commands.add(
        "add",
        "add a server: a URL, or a command after --",
        _NAME,
        Argument("target", metavar="TARGET", nargs="+", help="https://…, or -- COMMAND ARGUMENT…"),
        _USER,
        Argument(
            "--type",
            choices=("stdio", "http", "sse"),
            help="the transport (default: stdio for a command, http for a URL)",
        ),
        Argument(
            "--env",
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help="an environment variable of the server; may contain ${NAME}",
        ),
        Argument(
            "--header", action="append", default=[], metavar="NAME:VALUE", help="an HTTP header; may contain ${NAME}"
        ),
    )
    commands.add("remove", "remove a server", _NAME, _USER)
    commands.add("accept", "accept the changed tools of a server", _NAME)
    commands.add("login", "log in to a server, in a browser", _NAME)
    one = Argument("name", metavar="NAME", nargs="?", help="the name of the server (default: all)")
    commands.add("test", "start servers and show what they offer, or why they fail", one, JSON)
    commands.add(
        "call",
        "call a tool of a server without a model",
        _NAME,
        Argument("tool", metavar="TOOL", help="the name of the tool on the server"),
        Argument("arguments", metavar="JSON", nargs="?", default="{}", help="the arguments as a JSON object"),
    )
    http = Argument(
        "--http", metavar="[HOST:]PORT", help="serve over HTTP instead of stdin and stdout; 0 for any free port"
    )
    agent = Argument("--agent", metavar="NAME", help="use the tools and rules of this agent")
    about = "serve the tools, commands and files of this folder to an MCP client"
    commands.add("serve", about, http, agent, ALLOW, DENY)


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


def _list(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .tool_changes import changed_tools, show_changes

    servers = _configured(workspace)
    say_notices(workspace)
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
    with TextTable("NAME", "STATE", "FROM", "WHAT") as table:
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
        say(f"accepted {plain(change.tool)}: {change.kind}")
    if not found:
        say(f"the tools of {server.name} have not changed")
    return OK


def _add(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.mcp_servers import add_entry
    from toolpost.mcp.config import UNSET, from_table

    first, *rest = args.target
    entry: dict[str, Any] = {"type": args.type} if args.type else {}
    if first.startswith(("http://", "https://")):
        if rest or args.env:
            raise ConfigError("a URL takes no arguments and no --env; is -- missing before the command?")
        entry |= {"url": first}
        entry |= {"headers": _pairs(args.header, ":", "--header")} if args.header else {}
        entry.setdefault("type", "http")
    else:
        if args.header:
            raise ConfigError("--header needs a URL; for a command, use --env")
        entry |= {"command": first, "args": rest}
        entry |= {"env": _pairs(args.env, "=", "--env")} if args.env else {}
    file = _file(workspace, args)
    checked = from_table(args.name, entry, workspace.environ, origin="", base=file.parent, project=not args.user)
    # A variable may be set later; everything else would never work.
    if checked.problem and not checked.problem.startswith(UNSET):
        raise ConfigError(f"{args.name}: {checked.problem}")
    with _keeping_trust(workspace):
        add_entry(file, args.name, entry)
    if checked.problem:
        say_on_stderr(f"note: {checked.problem}")
    say(f"added to {at_home(file)}; to test it: toolpost mcp test {args.name}")
    return OK


def _remove(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.mcp_servers import remove_entry

    file = _file(workspace, args)
    with _keeping_trust(workspace):
        removed = remove_entry(file, args.name)
    if not removed:
        raise ConfigError(f"{at_home(file)} has no server {args.name}; to see where each comes from: toolpost mcp list")
    say(f"removed from {at_home(file)}")
    return OK


def _login(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.config.token_store import TokenStore
    from toolpost.mcp.oauth import login

    server = _named(workspace, args.name)
    if server.project and not workspace.trusted:
        # Its address and its headers are the folder's word, and a header may name any key of the user's.
        raise ConfigError(f"{server.name} belongs to this folder, which is not trusted; to trust it: toolpost trust")

    if asyncio.run(login(server, TokenStore(workspace.environ), _shown_for(server, say))):
        say(f"logged in to {server.name}")
    else:
        say(f"{server.name} needs no login")
    return OK


def _shown_for(server: "McpServer", write: "Callable[[str], None]") -> "Callable[[str], Awaitable[None]]":
    async def show(url: str) -> None:
        # Never opened from here: an address that a server made up would reach whatever opens addresses.
        write(f"Open this in a browser to log in to {server.name}:\n{plain(url)}")
        sys.stdout.flush()

    return show


def _test(workspace: "Workspace", args: argparse.Namespace) -> int:
    from .tool_changes import note_tools
    from .try_server import report, with_servers

    chosen = [_named(workspace, args.name)] if args.name else _configured(workspace)
    say_notices(workspace)
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
    from toolpost.config.token_store import TokenStore
    from toolpost.mcp.errors import NeedsScope
    from toolpost.mcp.oauth import login

    from .try_server import asked_here, call, has_person, with_servers

    server = _named(workspace, args.name)
    say_notices(workspace)
    try:
        arguments = msgspec.json.decode(args.arguments, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise ConfigError(f"the arguments are not a JSON object: {explain_decode_error(error)}") from error

    async def act(servers: "McpServers") -> int:
        await servers.ready(_patience([server]))
        try:
            try:
                await call(servers, server, args.tool, arguments, workspace)
            except NeedsScope as error:
                if not has_person():
                    raise
                say_on_stderr(str(error))
                await login(server, TokenStore(workspace.environ), _shown_for(server, say_on_stderr))
                await call(servers, server, args.tool, arguments, workspace)
        except ToolError as error:
            raise ToolpostError(without_marks(str(error))) from error
        return OK

    return with_servers(workspace, [server], act, asked_here())


def _serve(workspace: "Workspace", args: argparse.Namespace) -> int:
    from toolpost.mcp.serve.server import serve_http, serve_stdio

    from .served_workspace import ServedTools

    async def host() -> ServedTools:
        await workspace.prepare_plugins()
        made = ServedTools(workspace, args.agent, rules_of(args))
        for notice in workspace.notices:
            say_on_stderr(f"note: {notice}")
        return made

    async def act() -> None:
        try:
            if args.http is None:
                await serve_stdio(host)
                return
            address, port = _address(args.http)
            token = _token(workspace, address)
            await serve_http(await host(), address, port, token, lambda url: say_on_stderr(f"serving on {url}"))
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
        there = f"configured: {', '.join(known)}" if known else "none is configured"
        raise ConfigError(f"unknown MCP server {name}; {there}")
    return known[name]


def _row(server: "McpServer", workspace: "Workspace") -> dict[str, str]:
    from toolpost.guard.redact import known_redactor

    what = server.url or " ".join((server.command, *server.args))
    state = _state_of(server, trusted=workspace.trusted)
    return {"name": server.name, "state": state, "from": server.origin, "what": known_redactor().text(what)}


def _state_of(server: "McpServer", *, trusted: bool) -> str:
    """The state of a server before it is started, for a person."""
    from toolpost.mcp.config import first_state

    state = first_state(server, trusted=trusted)
    return {"failed": f"broken: {server.problem}", "connecting": "on"}.get(state, state)


@contextmanager
def _keeping_trust(workspace: "Workspace") -> "Generator[None]":
    """Keep a trusted folder trusted: what a person changes with this command needs no second confirmation."""
    from toolpost.guard.trust import Trust

    trust = Trust.of_user(workspace.environ)
    trusted = trust.standing(workspace.project).trusted
    yield
    if trusted:
        trust.give(workspace.project)


def _file(workspace: "Workspace", args: argparse.Namespace) -> "Path":
    from toolpost.config.mcp_servers import user_servers
    from toolpost.mcp.config import PROJECT_FILE

    return user_servers(workspace.environ) if args.user else workspace.project / PROJECT_FILE


def _pairs(given: "Sequence[str]", separator: str, option: str) -> dict[str, str]:
    pairs = [text.partition(separator) for text in given]
    if any(not found for _, found, _ in pairs):
        raise ConfigError(f"{option} must be NAME{separator}VALUE")
    return {name.strip(): value.strip() for name, _, value in pairs}


def _patience(servers: "Sequence[McpServer]") -> float:
    """Long enough for each way to each server."""
    return 3 * max(server.connect_timeout for server in servers)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not port.isdecimal() or int(port) > MAX_PORT:
        raise ConfigError(f"--http must be PORT or HOST:PORT, not {text!r}")
    return host.strip("[]") or "127.0.0.1", int(port)


def _token(workspace: "Workspace", address: str) -> str:
    """The token of the user, or a new one for this run. An address other than loopback needs one of the user."""
    import secrets

    from toolpost.mcp.serve.server import LOOPBACK

    given = workspace.environ.get(TOKEN_VARIABLE, "")
    if given and len(given) < SHORTEST_TOKEN:
        raise ConfigError(f"{TOKEN_VARIABLE} is too short: use at least {SHORTEST_TOKEN} characters")
    if not given and address not in LOOPBACK:
        raise ConfigError(f"{address} is not a loopback address: set {TOKEN_VARIABLE} first")
    if not given:
        given = secrets.token_urlsafe(32)
        say_on_stderr(f"token for this run: {given}")
    return given
