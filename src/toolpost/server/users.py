"""Users of the server, their tokens and their rights."""

import hashlib
import re
import secrets
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from toolpost.arguments.suggestions import did_you_mean
from toolpost.config.schema import GatewaySettings, Right, TokenSettings, UserSettings, UseSettings
from toolpost.guard.redact import remember
from toolpost.guard.rules import Rule
from toolpost.tools.offered_tools import ALL, ToolSwitches
from toolpost.types.errors import ConfigError
from toolpost.workspace import Workspace
from toolpost.workspace.tool_setup import built_in_tools

from .accounts.roles import ADMIN, Role, load_roles, role_of, unknown_role

SHORTEST_TOKEN = 16
# The source of the rules that hold members back, as `explain` shows it.
FOR_ADMINS = '[server] files_and_commands = "admins"'


class User(Struct, frozen=True):
    """`name` is what sessions are kept under; "" is the only user of a server for one. `limits` are the user's own,
    over those of the role. `account` is the key of the account, "" for a user of the configuration."""

    name: str
    role: Role = ADMIN
    limits: UseSettings = UseSettings()
    account: str = ""

    @property
    def rights(self) -> frozenset[Right]:
        return self.role.rights

    @property
    def is_admin(self) -> bool:
        return "administer" in self.rights

    @property
    def tools(self) -> ToolSwitches:
        """Which tools the role may use, to be added to what an agent has switched on."""
        return ALL if self.role.has_all_tools else ToolSwitches.only(self.role.tools)

    def rules(self, workspace: Workspace) -> list[Rule]:
        """The rules that this user's sessions have besides the folder's, and after them: so nothing overrules them, no
        saved approval answers them, and what they deny is not offered to any model."""
        role = self.role
        closed: dict[str, str] = {}
        if not role.has_all_tools:
            # By permission, so that a person reads why; `tools` alone leaves out those that share one with others.
            known = (*built_in_tools(workspace.bench), *workspace.tools)
            allowed = {tool.asks_for for tool in known if role.has_tool(tool.names)}
            closed = dict.fromkeys({tool.asks_for for tool in known} - allowed, f"[server.roles.{role.name}] tools")
        if "machine" not in role.rights:
            closed |= dict.fromkeys(workspace.machine_permissions, FOR_ADMINS)
        return [*role.permissions, *(Rule(name, "*", "deny", source) for name, source in sorted(closed.items()))]


NOBODY = User("", unknown_role(""))


class Users:
    """Tokens are looked up by their hashes, so that the time it takes tells nothing about them."""

    def __init__(self, tokens: Mapping[str, User], hashes: Mapping[bytes, User] | None = None) -> None:
        self._users = {**(hashes or {}), **{_digest(token): user for token, user in tokens.items()}}

    @property
    def names(self) -> Sequence[str]:
        return [user.name for user in self._users.values()]

    def replace(self, other: "Users") -> None:
        """Take the users of a configuration that has changed."""
        self._users = other._users

    def named(self, name: str) -> User | None:
        """The user of the configuration with this name."""
        return next((user for user in self._users.values() if user.name == name), None)

    def find(self, tokens: Sequence[str]) -> User | None:
        """The user that one of these tokens belongs to."""
        found = [self._users[digest] for digest in map(_digest, tokens) if digest in self._users]
        return found[-1] if found else None


def load_users(settings: GatewaySettings, environ: Mapping[str, str], token: str) -> Users:
    """The users of the configuration. `token` is that of the user "", an admin; "" where there is none."""
    places: dict[bytes, str] = {}
    hashes: dict[bytes, User] = {}

    def add(digest: bytes, user: User, place: str) -> None:
        if digest in hashes:
            raise ConfigError(f"{place} has the same token as {places[digest]}: give each one of their own")
        hashes[digest], places[digest] = user, place

    if token:
        add(_digest(token), User(""), "the person who starts the server")
    roles = load_roles(settings)
    for name, given in settings.users.items():
        if not name:
            raise ConfigError('[server.users.""] needs a name')
        place, hint = f"[server.users.{name}]", f"; toolpost serve --new-token {name} makes one"
        user = User(name, _role_of(place, given, roles), given.limits)
        add(_digest_of(place, given, environ, hint), user, place)
    if settings.metrics != TokenSettings():
        watcher = User("metrics", Role("metrics", frozenset({"metrics"})))
        add(_digest_of("[server.metrics]", settings.metrics, environ), watcher, "[server.metrics]")
    return Users({}, hashes)


def check_token(token: str, what: str) -> None:
    """Raise `ConfigError` where a token is too easy to guess, or can't be sent. "" is none."""
    if token and len(token) < SHORTEST_TOKEN:
        raise ConfigError(f"{what} is too short: take {SHORTEST_TOKEN} characters or more")
    if not all("!" <= letter <= "~" for letter in token):
        raise ConfigError(f"{what} can't be sent in a header: take ASCII letters, digits and signs, without spaces")


def new_user(name: str) -> tuple[str, str]:
    """A token for a user, and the lines of the configuration that let it in."""
    token = secrets.token_urlsafe(32)
    key = name if re.fullmatch(r"[A-Za-z0-9_-]+", name) else msgspec.json.encode(name).decode()
    return token, f'[server.users.{key}]\ntoken_sha256 = "{_digest(token).hex()}"\n'


def tokens_of(headers: Mapping[str, str]) -> list[str]:
    """From `Authorization: Bearer`, or as Anthropic's and Google's clients send it. A client that has a key of its own
    besides our token sends both."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    given = (bearer if scheme.lower() == "bearer" else "", headers.get("x-api-key"), headers.get("x-goog-api-key"))
    return [token.strip() for token in given if token]


def _role_of(place: str, given: UserSettings, roles: Mapping[str, Role]) -> Role:
    if given.admin and given.role not in ("", "admin"):
        raise ConfigError(f"{place} has both admin = true and role = {given.role!r}: write one of them")
    name = role_of(given)
    if name not in roles:
        raise ConfigError(f"{place} has the role {name!r}, and there is none: {did_you_mean(name, roles, 'add it')}")
    return roles[name]


def _digest_of(place: str, given: TokenSettings, environ: Mapping[str, str], hint: str = "") -> bytes:
    if bool(given.token_env) == bool(given.token_sha256):
        raise ConfigError(f"{place} needs one of token_env and token_sha256{hint}")
    if given.token_sha256:
        if not re.fullmatch(r"[0-9a-fA-F]{64}", given.token_sha256):
            raise ConfigError(f"{place} token_sha256 must be 64 hexadecimal digits")
        return bytes.fromhex(given.token_sha256)
    token = environ.get(given.token_env, "").strip()
    if not token:
        raise ConfigError(f"{place} takes its token from {given.token_env}, which is not set")
    check_token(token, f"the token in {given.token_env}")
    remember(token)
    return _digest(token)


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()
