"""Parse the URL of a PostgreSQL store. Its password never shows in errors."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qsl, quote, urlsplit, urlunsplit

from toolpost.types.errors import ConfigError

SCHEMES = ("postgresql://", "postgres://")
DEFAULT_SCHEMA = "toolpost"

# What libpq does by default is wait for ever; a setting in the URL wins over these.
_DEFAULTS = {
    "application_name": "toolpost",
    "connect_timeout": "10",
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "15000",
}


@dataclass(frozen=True)
class PostgresAddress:
    """`parameters` are for the driver and hold the password; `place` is for people."""

    parameters: dict[str, Any] = field(repr=False)
    schema: str
    place: str


def read_address(url: str) -> PostgresAddress:
    """Read `postgresql://user:password@host:port/database?schema=name`, with any setting that libpq knows."""
    from psycopg import Error
    from psycopg.conninfo import conninfo_to_dict

    _check_at_signs(url)
    plain, schema = _take_schema(url)
    try:
        given = conninfo_to_dict(plain)
    except Error:
        # The driver quotes the piece that it could not read, and that may be the password.
        raise ConfigError(f"the URL of the PostgreSQL store cannot be read: {_SHAPE}") from None
    if not all(port.isdecimal() for port in str(given.get("port") or "0").split(",") if port):
        # It may be a password without the host that belongs behind it.
        raise ConfigError(f"the port in the URL of the PostgreSQL store is not a number: {_SHAPE}")
    return PostgresAddress(_DEFAULTS | given, schema, _place(given))


_SHAPE = "use postgresql://user:password@host:port/database, with %-escapes for special characters in the password"


def _check_at_signs(url: str) -> None:
    """A password with an unescaped `@`, `/`, `?` or `#` would be read, and shown, as a part of the host."""
    _, _, rest = url.partition("://")
    authority = re.split(r"[/?#]", rest, maxsplit=1)[0]
    if rest.count("@") > 1 or rest.count("@") != authority.count("@"):
        raise ConfigError(f"the URL of the PostgreSQL store has an @ in the wrong place (write it as %40): {_SHAPE}")


def _take_schema(url: str) -> tuple[str, str]:
    """Split off `schema=`, which is ours: libpq does not know it."""
    try:
        parts = urlsplit(url)
    except ValueError:
        raise ConfigError(f"the URL of the PostgreSQL store cannot be read: {_SHAPE}") from None
    query = parse_qsl(parts.query, keep_blank_values=True)
    schema = next((value for name, value in query if name == "schema"), DEFAULT_SCHEMA)
    if re.fullmatch(r"[a-z_][a-z0-9_]{0,62}", schema) is None or schema.startswith("pg_"):
        raise ConfigError("the schema in the URL of the PostgreSQL store is not a plain lower-case name")
    rest = "&".join(f"{quote(name)}={quote(value)}" for name, value in query if name != "schema")
    return urlunsplit(parts._replace(query=rest)), schema


def _place(given: dict[str, Any]) -> str:
    hosts = str(given.get("host") or given.get("hostaddr") or "the local server").split(",")
    ports = str(given.get("port") or "").split(",")
    ports += [ports[-1]] * (len(hosts) - len(ports))
    named = [f"{host}:{port}" if port else host for host, port in zip(hosts, ports, strict=False)]
    return f"{given.get('dbname') or 'the default database'} at {', '.join(named)}"
