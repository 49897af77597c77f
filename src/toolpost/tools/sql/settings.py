"""Read `[databases]` of the configuration: the databases that `sql_query` may read. Cheap to import."""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal
from urllib.parse import unquote

from msgspec import Struct

from toolpost.guard.redact import remember
from toolpost.types.errors import ConfigError

_POSTGRES = ("postgresql://", "postgres://")
_SQLITE = "sqlite:///"
_FORMS = 'path = "data/shop.db", url = "postgresql://user@host/database", or url_env = "NAME_OF_A_VARIABLE"'


class DatabaseSettings(Struct, frozen=True, omit_defaults=True):
    """`[databases.<name>]`: a SQLite file at `path`, or the database at `url`, or at the URL that the environment
    variable `url_env` holds, which is the place for one with a password. The model reads `description`. A file that
    nobody changes while it is read may be `immutable`: then it can be on a disk that is read-only."""

    path: str | None = None
    url: str | None = None
    url_env: str | None = None
    description: str | None = None
    immutable: bool = False


class Database(Struct, frozen=True):
    """A database that can be read: `file` is that of SQLite, `url` that of PostgreSQL. `problem` is why it can't be."""

    name: str
    kind: Literal["sqlite", "postgres"]
    description: str = ""
    file: Path = Path()
    url: str = ""
    immutable: bool = False
    problem: str = ""

    def __repr__(self) -> str:
        return f"Database({self.name!r})"


def find_database(name: str, settings: DatabaseSettings, folder: Path, environ: Mapping[str, str]) -> Database:
    """The database of some settings; raises `ConfigError` for settings that name none. A relative path starts in
    `folder`."""
    given = [text for text in (settings.path, settings.url, settings.url_env) if text]
    if len(given) != 1:
        raise ConfigError(f"[databases.{name}] needs one of these: {_FORMS}")
    about = settings.description or ""
    url = settings.url or ""
    if settings.url_env and not (url := environ.get(settings.url_env, "").strip()):
        # Only this database is missing then, which need not keep anything else from working.
        problem = (
            f"the user can set the environment variable {settings.url_env}, which has the URL of the database {name}"
        )
        return Database(name, "postgres", about, problem=problem)
    if url.startswith(_POSTGRES):
        _remember_password(url)
        return Database(name, "postgres", about, url=url)
    path = settings.path or (unquote(url.removeprefix(_SQLITE)) if url.startswith(_SQLITE) else "")
    if not path:
        # Not quoted: it may have a password in it.
        raise ConfigError(f"[databases.{name}]: the URL is none of SQLite or PostgreSQL; write {_FORMS}")
    return Database(name, "sqlite", about, file=folder / Path(path).expanduser(), immutable=settings.immutable)


def _remember_password(url: str) -> None:
    user, at, _ = url.partition("://")[2].rpartition("@")
    if at and (password := user.partition(":")[2]):
        remember(url, password, unquote(password))
