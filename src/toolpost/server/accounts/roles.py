"""Roles: which agents, models, tools, rules and budgets a person may use, and the roles that are built in."""

from collections.abc import Iterable, Mapping
from typing import get_args

from msgspec import Struct, structs

from toolpost.config.schema import GatewaySettings, Right, RoleSettings, UserSettings, UseSettings
from toolpost.guard.rules import Rule
from toolpost.guard.wildcards import is_universal, matcher
from toolpost.types.errors import ConfigError

# To use the server at all; to reach files and commands of its machine; to change what holds for all; to read counters.
ALL_RIGHTS: frozenset[Right] = frozenset(get_args(Right))
USE: frozenset[Right] = frozenset({"use"})
WITH_MACHINE: frozenset[Right] = frozenset({"use", "machine"})
MEMBER_RIGHTS: Mapping[str, frozenset[Right]] = {"admins": USE, "everyone": WITH_MACHINE}
EVERYTHING = ("*",)
# A guest costs little, whatever the guest asks.
GUEST_LIMITS = UseSettings(
    requests_per_minute=10,
    tokens_per_minute=100_000,
    concurrent=2,
    cost_per_day=1.0,
    cost_per_month=10.0,
    unpriced=True,
)
GUEST_TOOLS = ("web_search", "web_fetch")
BUILT_IN = ("admin", "member", "guest")


class Role(Struct, frozen=True):
    """`agents`, `models` and `tools` are names or patterns of what the role may use; a model is named by its route or
    as provider/model. `permissions` come after those of the folder, and so are stronger."""

    name: str
    rights: frozenset[Right] = ALL_RIGHTS
    agents: tuple[str, ...] = EVERYTHING
    models: tuple[str, ...] = EVERYTHING
    tools: tuple[str, ...] = EVERYTHING
    permissions: tuple[Rule, ...] = ()
    limits: UseSettings = UseSettings()

    def has_model(self, *names: str) -> bool:
        """Return whether the role may use a model that has these names."""
        return any(fits(name, self.models) for name in names if name)

    def has_tool(self, names: Iterable[str]) -> bool:
        return any(fits(name, self.tools) for name in names)

    @property
    def has_all_models(self) -> bool:
        return any(map(is_universal, self.models))

    @property
    def has_all_tools(self) -> bool:
        return any(map(is_universal, self.tools))


ADMIN = Role("admin")
# For an account whose role is no longer configured, which must not become more than it was.
NO_RIGHTS: frozenset[Right] = frozenset()


def load_roles(settings: GatewaySettings) -> dict[str, Role]:
    """Return the built-in roles and those of the configuration, by name. Raises `ConfigError`."""
    member = Role("member", MEMBER_RIGHTS[settings.files_and_commands])
    guest = Role("guest", USE, agents=("chat",), tools=GUEST_TOOLS, limits=GUEST_LIMITS)
    roles = {"admin": ADMIN, "member": member, "guest": guest}
    for name, given in settings.roles.items():
        if not name.strip():
            raise ConfigError('[server.roles.""] needs a name')
        base = roles.get(name, structs.replace(member, name=name))
        roles[name] = _over(base, given)
    if settings.logins.sign_up_role not in roles:
        raise ConfigError(
            f"[server.logins] sign_up_role is {settings.logins.sign_up_role!r}, and there is no such role: "
            f"known are {', '.join(roles)}"
        )
    if "administer" not in roles["admin"].rights:
        raise ConfigError('[server.roles.admin] rights needs "administer": else nobody could change anything')
    return roles


def role_of(given: UserSettings) -> str:
    """Return the name of the role that a user of the configuration has."""
    return given.role or ("admin" if given.admin else "member")


def unknown_role(name: str) -> Role:
    """Return the role of people whose role is not there any more: they may do nothing."""
    return Role(name, NO_RIGHTS, (), (), ())


def is_pattern(name: str) -> bool:
    return "*" in name or "?" in name


def fits(name: str, patterns: Iterable[str]) -> bool:
    return any(matcher(pattern)(name) for pattern in patterns)


def _over(base: Role, given: RoleSettings) -> Role:
    said = {name: getattr(given, name) for name in ("agents", "models", "tools") if getattr(given, name) is not None}
    if given.rights is not None:
        said["rights"] = frozenset(given.rights)
    return structs.replace(
        base,
        **said,
        permissions=(*base.permissions, *given.permissions),
        limits=structs.replace(base.limits, **given.limits.given()),
    )
