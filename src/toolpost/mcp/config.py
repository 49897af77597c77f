"""Parse and check the configuration of MCP servers, from `.mcp.json`, `[mcp.<name>]` or code."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, cast, get_args
from urllib.parse import urlsplit

from msgspec import Struct, structs

from toolpost.arguments.check_sdk_calls import NamedFields, check_kind, check_number, shown, texts
from toolpost.guard.paths import FileAccess, Missing
from toolpost.types.errors import ConfigError, ToolError, UsageError

PROJECT_FILE = ".mcp.json"
USER_FILE = "mcp.json"
CONNECT_SECONDS = 30.0
IDLE_SECONDS = 30.0
MAX_BYTES = 5_000_000
UNSET = "set the environment variable"

# "url" is an address whose kind nobody said: streamable HTTP first, then the older SSE.
Transport = Literal["stdio", "http", "sse", "url"]
Grant = Literal["authorization_code", "client_credentials"]

_KINDS: dict[str, Transport] = {
    "stdio": "stdio",
    "http": "http",
    "streamable-http": "http",
    "streamable_http": "http",
    "streamablehttp": "http",
    "sse": "sse",
}
_VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")


class OAuth(Struct, frozen=True):
    """A client that was registered with the server's login by hand; without one, we register ourselves.

    `grant` "client_credentials" is a login without a person, with the secret or with `private_key` (PEM). `issuer` is
    the only login server that gets them. `client_metadata_url` is an address that stands for the client, where one has
    put its metadata there. `scope` is asked for beside what the server names.
    """

    client_id: str = ""
    client_secret: str = ""
    scope: str = ""
    port: int = 0
    grant: Grant = "authorization_code"
    private_key: str = ""
    issuer: str = ""
    client_metadata_url: str = ""

    def __repr__(self) -> str:
        return f"OAuth({self.client_id!r})"


class McpServer(Struct, frozen=True, metaclass=NamedFields):
    """One server: a `command` that is started here, or the `url` of one that runs elsewhere.

    `env` is added to an environment without secrets. `timeout` is for one call, `idle_timeout` for its silence, which
    ends with any progress that the server tells; `connect_timeout` is for the start.
    `project` marks what a folder brought with it: it does nothing before the folder is trusted. `problem` says why an
    entry cannot be used, so that one bad entry takes no other with it. `addresses` are those that the host of the `url`
    was found at and that were looked at: they alone are connected to, whatever its name leads to later.
    """

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    cwd: str = ""
    url: str = ""
    headers: dict[str, str] = {}
    type: Literal["stdio", "http", "sse", ""] = ""
    enabled: bool = True
    timeout: float | None = None
    idle_timeout: float | None = None
    connect_timeout: float = CONNECT_SECONDS
    oauth: OAuth = OAuth()
    origin: str = "code"
    project: bool = False
    problem: str = ""
    addresses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        structs.force_setattr(self, "args", texts(self.args, f"MCP server {self.name}: args"))
        if not self.problem:
            _check(self)

    def __repr__(self) -> str:
        # Headers and environments hold secrets, and addresses may.
        return f"McpServer({self.name!r}, {self.transport}, {self.origin})"

    @property
    def silence(self) -> float:
        """The silence timeout of a call; its whole timeout if only that is configured."""
        return self.idle_timeout or self.timeout or IDLE_SECONDS

    @property
    def transport(self) -> Transport:
        if self.type:
            return self.type
        return "url" if self.url else "stdio"


def _check(server: McpServer) -> None:
    """Raise `UsageError` for what no server can be. Values are not shown: environments and headers hold secrets."""
    check_kind(server.name, str, "the name of an MCP server", "a string")
    what = f"MCP server {server.name}: {{}}".format
    for name in ("command", "url", "cwd"):
        if not isinstance(getattr(server, name), str):
            more = ": give one program, and its arguments as args" if name == "command" else ""
            raise UsageError(f"{what(name)} must be a string, not {type(getattr(server, name)).__name__}{more}")
    if bool(server.command) == bool(server.url):
        raise UsageError(what('give either command="…" or url="https://…"'))
    if server.url and not server.url.startswith(("http://", "https://")):
        raise UsageError(what("url must begin with http:// or https://"))
    for name in ("env", "headers"):
        given: object = getattr(server, name)
        pairs = cast("Mapping[object, object]", given).items() if isinstance(given, Mapping) else [(given, given)]
        if not all(isinstance(text, str) for pair in pairs for text in pair):
            raise UsageError(what(f"{name} must be a dict of strings"))
    for name in ("timeout", "idle_timeout", "connect_timeout"):
        if (seconds := getattr(server, name)) is not None:
            check_number(seconds, f"{what(name)}, in seconds,")
    if server.type not in ("stdio", "http", "sse", ""):
        raise UsageError(what(f'type is {shown(server.type)}: use "stdio", "http" or "sse", or omit it'))
    check_kind(server.enabled, bool, what("enabled"), "True or False")


def first_state(server: McpServer, *, trusted: bool) -> Literal["failed", "off", "untrusted", "connecting"]:
    """The state of a server that has not been started."""
    if server.problem:
        return "failed"
    if not server.enabled:
        return "off"
    return "untrusted" if server.project and not trusted else "connecting"


def read_file(file: Path, environ: Mapping[str, str], *, project: bool) -> tuple[McpServer, ...]:
    """The servers of a file in the common format: `{"mcpServers": {name: {"command": …} or {"url": …}}}`. With
    `project` it is one that a folder brought with it, and read also before anybody trusts the folder."""
    servers = read_table(file, project=project).get("mcpServers", {})
    if not isinstance(servers, dict):
        raise ConfigError(f'{file}: "mcpServers" must be an object with one entry per server')
    entries = cast("dict[str, Any]", servers).items()
    return tuple(
        from_table(name, entry, environ, origin=str(file), base=file.parent, project=project) for name, entry in entries
    )


def read_table(file: Path, *, project: bool) -> dict[str, Any]:
    """Read such a file as plain data; a missing file is empty."""
    try:
        ground = FileAccess(file.parent)
        place = ground.resolve(str(file))
        if project and not place.inside:
            raise ConfigError(f"{file} is a link to {place.real}, outside its folder: copy that file instead")
        table = json.loads(ground.read(place, MAX_BYTES).decode("utf-8-sig"))
    except Missing:
        return {}
    except (ToolError, OSError, ValueError, RecursionError) as error:
        raise ConfigError(f"{file} cannot be read: {error}") from error
    if not isinstance(table, dict):
        raise ConfigError(f'{file} must be an object with "mcpServers"')
    return cast("dict[str, Any]", table)


def from_table(
    name: str, table: object, environ: Mapping[str, str], *, origin: str, base: Path, project: bool
) -> McpServer:
    """One entry of a file. `${NAME}` and `${NAME:-default}` are replaced; whatever is wrong becomes its `problem`.

    Keys that other programs put there (lists of tools to approve, say) mean nothing here.
    """
    try:
        if not isinstance(table, Mapping):
            raise ConfigError("it must be an object")
        given = _Entry(cast("Mapping[str, object]", table), environ)
        server = _server(name, given, base)
    except ConfigError as error:
        return McpServer(name, origin=origin, project=project, problem=str(error))
    return structs.replace(server, origin=origin, project=project)


def merge(*layers: Iterable[McpServer], trusted: bool) -> tuple[McpServer, ...]:
    """Later layers win by name. What an untrusted folder brought never takes the place of the user's own."""
    found: dict[str, McpServer] = {}
    for server in (server for layer in layers for server in layer):
        known = found.get(server.name)
        if known is None or trusted or known.project or not server.project:
            found[server.name] = server
    return tuple(found[name] for name in sorted(found))


def _server(name: str, given: "_Entry", base: Path) -> McpServer:
    kind = given.text("type").lower()
    if kind and kind not in _KINDS:
        raise ConfigError(f'"type" must be stdio, http or sse, got "{kind}"')
    command, url = given.text("command"), given.text("url")
    if bool(command) == bool(url):
        raise ConfigError('it needs either "command" or "url"')
    if kind and (_KINDS[kind] == "stdio") != bool(command):
        raise ConfigError(f'"type" is {kind}, which needs "{"url" if command else "command"}"')
    if url and not url.startswith(("http://", "https://")):
        raise ConfigError('"url" must begin with http:// or https://')
    cwd = given.text("cwd")
    return McpServer(
        name,
        command=command,
        args=given.texts("args"),
        env=given.table("env"),
        cwd=str(base / Path(cwd).expanduser()) if cwd else "",
        url=url,
        headers=given.table("headers"),
        type=cast("Any", _KINDS[kind]) if kind else "",
        enabled=given.flag("enabled", default=True) and not given.flag("disabled", default=False),
        timeout=given.seconds("timeout"),
        idle_timeout=given.seconds("idle_timeout"),
        connect_timeout=given.seconds("connect_timeout") or CONNECT_SECONDS,
        oauth=_oauth(given.entry("oauth")),
    )


def _oauth(given: "_Entry") -> OAuth:
    port = given.seconds("port") or given.seconds("callbackPort") or 0
    oauth = OAuth(
        given.text("client_id") or given.text("clientId"),
        given.text("client_secret"),
        given.text("scope"),
        int(port),
        cast("Grant", given.text("grant") or "authorization_code"),
        given.text("private_key"),
        given.text("issuer"),
        given.text("client_metadata_url"),
    )
    if oauth.grant not in get_args(Grant):
        raise ConfigError(f'"oauth.grant" must be {" or ".join(get_args(Grant))}, got "{oauth.grant}"')
    if oauth.private_key and oauth.grant != "client_credentials":
        raise ConfigError('"oauth.private_key" needs "oauth.grant" = "client_credentials"')
    if oauth.grant == "client_credentials" and not (oauth.client_id and (oauth.client_secret or oauth.private_key)):
        raise ConfigError('"oauth.grant" = "client_credentials" needs client_id, and client_secret or private_key')
    where = urlsplit(oauth.client_metadata_url)
    if oauth.client_metadata_url and (where.scheme != "https" or where.path in ("", "/")):
        raise ConfigError('"oauth.client_metadata_url" must be an https:// URL with a path')
    return oauth


class _Entry:
    """The values of one entry, checked and with their variables replaced."""

    def __init__(self, table: Mapping[str, object], environ: Mapping[str, str], where: str = "") -> None:
        self._table = table
        self._environ = environ
        self._where = where

    def text(self, key: str) -> str:
        value = self._table.get(key)
        if value is None:
            return ""
        if not isinstance(value, str):
            raise ConfigError(f'"{self._where}{key}" must be a string')
        return self._expanded(value, key)

    def texts(self, key: str) -> tuple[str, ...]:
        value = self._table.get(key) or ()
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise ConfigError(f'"{key}" must be a list of strings')
        return tuple(self._expanded(str(item), key) for item in cast("Sequence[object]", value))

    def table(self, key: str) -> dict[str, str]:
        return {name: self._expanded(str(item), f"{key}.{name}") for name, item in self._mapping(key).items()}

    def entry(self, key: str) -> "_Entry":
        return _Entry(self._mapping(key), self._environ, f"{key}.")

    def flag(self, key: str, *, default: bool) -> bool:
        value = self._table.get(key)
        return value if isinstance(value, bool) else default

    def seconds(self, key: str) -> float | None:
        value = self._table.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
            raise ConfigError(f'"{self._where}{key}" must be a number above 0')
        return float(value)

    def _mapping(self, key: str) -> Mapping[str, object]:
        value = self._table.get(key)
        if value is None:
            return {}
        if not isinstance(value, Mapping):
            raise ConfigError(f'"{key}" must be an object')
        return cast("Mapping[str, object]", value)

    def _expanded(self, text: str, key: str) -> str:
        def value(match: re.Match[str]) -> str:
            name, default = match[1], match[2]
            found = self._environ.get(name) or default
            if found is None:
                raise ConfigError(f'{UNSET} {name}, which "{self._where}{key}" needs')
            return found

        return _VARIABLE.sub(value, text)
