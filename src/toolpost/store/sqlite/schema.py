"""The tables of the SQLite store, as a list of migrations, and the opening of a database file."""

import contextlib
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection

from toolpost.types.errors import StoreError

from .connection import connect, connect_to_read, disk_full, explain, has_room, patiently

# "TPST": tells our files from other SQLite databases.
APPLICATION_ID = 0x54505354

# What the write-ahead log may keep of the disk once its content is in the database.
MAX_BYTES_OF_IDLE_LOG = 64 * 1024 * 1024

Migration = tuple[str, ...]

_VERSION_1: Migration = (
    # `key` is what the other tables refer to: ids are long, and a message id is unique only in its session.
    """
    CREATE TABLE session (
        key     INTEGER PRIMARY KEY,
        id      TEXT NOT NULL UNIQUE,
        title   TEXT NOT NULL,
        folder  TEXT NOT NULL,
        updated REAL NOT NULL,
        info    TEXT NOT NULL
    )
    """,
    "CREATE INDEX session_updated ON session (updated)",
    # `pos` is the order of making. `keeps_from` is set where the message compacts: the walk to the root ends there.
    # The body is last, so that a walk over parents does not read the pages that hold it.
    """
    CREATE TABLE message (
        pos        INTEGER PRIMARY KEY,
        session    INTEGER NOT NULL,
        id         TEXT NOT NULL,
        parent_id  TEXT,
        keeps_from TEXT,
        time       REAL NOT NULL,
        body       TEXT NOT NULL,
        UNIQUE (session, id)
    )
    """,
    "CREATE INDEX message_session ON message (session)",
    "CREATE INDEX message_time ON message (time)",
    # One row holds the events of one commit, a line of JSON for each. Rows of one session never overlap.
    """
    CREATE TABLE event_batch (
        session   INTEGER NOT NULL,
        first_seq INTEGER NOT NULL,
        last_seq  INTEGER NOT NULL,
        events    BLOB NOT NULL,
        UNIQUE (session, last_seq)
    )
    """,
    "CREATE TABLE exchange (pos INTEGER PRIMARY KEY, session INTEGER NOT NULL, body BLOB NOT NULL)",
    "CREATE INDEX exchange_session ON exchange (session)",
    """
    CREATE TABLE approval (
        id         TEXT PRIMARY KEY,
        project    TEXT NOT NULL,
        permission TEXT NOT NULL,
        pattern    TEXT NOT NULL,
        time       REAL NOT NULL,
        UNIQUE (project, permission, pattern)
    )
    """,
)

# Sessions and approvals have an owner; what was there before is everybody's who works without names, "".
_VERSION_2: Migration = (
    "ALTER TABLE session ADD COLUMN owner TEXT NOT NULL DEFAULT ''",
    "CREATE INDEX session_owner ON session (owner, updated)",
    # SQLite can't change what is unique in a table: a new one takes its place.
    "ALTER TABLE approval RENAME TO approval_1",
    """
    CREATE TABLE approval (
        id         TEXT PRIMARY KEY,
        owner      TEXT NOT NULL,
        project    TEXT NOT NULL,
        permission TEXT NOT NULL,
        pattern    TEXT NOT NULL,
        time       REAL NOT NULL,
        UNIQUE (owner, project, permission, pattern)
    )
    """,
    "INSERT INTO approval (id, owner, project, permission, pattern, time)"
    " SELECT id, '', project, permission, pattern, time FROM approval_1",
    "DROP TABLE approval_1",
)

# An approval knows what a tool said of itself when it was approved; one from before does not.
_VERSION_3: Migration = (
    "ALTER TABLE approval ADD COLUMN fingerprint TEXT NOT NULL DEFAULT ''",
    "ALTER TABLE approval ADD COLUMN described TEXT NOT NULL DEFAULT ''",
)

# Responses and conversations of the gateway. The index holds all that is asked when the oldest have to go.
_VERSION_4: Migration = (
    """
    CREATE TABLE object (
        owner    TEXT NOT NULL,
        id       TEXT NOT NULL,
        kind     TEXT NOT NULL,
        previous TEXT,
        time     REAL NOT NULL,
        size     INTEGER NOT NULL,
        body     BLOB NOT NULL,
        UNIQUE (owner, id)
    )
    """,
    "CREATE INDEX object_time ON object (owner, time, id, size)",
)

# Records of accounts, with their logins, links and tokens, and what each person has used of each model.
_VERSION_5: Migration = (
    """
    CREATE TABLE account_record (
        kind    TEXT NOT NULL,
        id      TEXT NOT NULL,
        owner   TEXT NOT NULL,
        time    REAL NOT NULL,
        expires REAL NOT NULL,
        body    BLOB NOT NULL,
        UNIQUE (kind, id)
    )
    """,
    "CREATE INDEX account_record_owner ON account_record (kind, owner)",
    """
    CREATE TABLE model_use (
        day           TEXT NOT NULL,
        user          TEXT NOT NULL,
        model         TEXT NOT NULL,
        requests      INTEGER NOT NULL,
        input_tokens  INTEGER NOT NULL,
        output_tokens INTEGER NOT NULL,
        cost          REAL NOT NULL,
        UNIQUE (day, user, model)
    )
    """,
)

# Open runs, and who holds which session. The `files` that a waiting run was sent stand beside its body, so that they
# are not read by who looks at all runs. A run that was open already gets a record that only names it.
_VERSION_6: Migration = (
    """
    CREATE TABLE open_run (
        session INTEGER PRIMARY KEY,
        state   TEXT NOT NULL,
        began   REAL NOT NULL,
        body    TEXT NOT NULL,
        files   TEXT NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX open_run_state ON open_run (state, began)",
    """
    INSERT INTO open_run (session, state, began, body)
    SELECT key, 'running', 0, json_object('id', run, 'session_id', id) FROM (
        SELECT key, id, CASE WHEN json_valid(info) THEN json_extract(info, '$.open_run') END AS run FROM session
    ) WHERE run IS NOT NULL
    """,
    "CREATE TABLE worker (id INTEGER PRIMARY KEY, beat INTEGER NOT NULL)",
    # A worker that is not alive holds nothing, whatever is written here. A session need not exist to be leased.
    "CREATE TABLE lease (session TEXT PRIMARY KEY, worker INTEGER NOT NULL) WITHOUT ROWID",
    # The worker that took the session last.
    "ALTER TABLE session ADD COLUMN worker INTEGER",
)

# Released migrations are never edited: the next version is a new entry at the end.
MIGRATIONS: tuple[Migration, ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6)


def open_database(path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> Connection:
    """Make the file if it is not there, bring its tables up to date, and return a connection that may write."""
    if not has_room(path):
        raise disk_full(path)
    try:
        _make_file(path)
        connection = connect(path)
    except (OSError, sqlite3.Error) as error:
        raise explain(error, path) from error
    try:
        patiently(lambda: migrate(connection, path, migrations))
        # On macOS a plain sync does not reach the disk; elsewhere this changes nothing.
        connection.execute("PRAGMA fullfsync = ON")
        connection.execute(f"PRAGMA journal_size_limit = {MAX_BYTES_OF_IDLE_LOG}")
    except sqlite3.Error as error:
        connection.close()
        raise explain(error, path) from error
    except BaseException:
        connection.close()
        raise
    return connection


def check_database(path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Look whether the file can be read as it is: on a full disk, where it can't be made or brought up to date."""
    if not path.exists():
        raise disk_full(path)
    try:
        with contextlib.closing(connect_to_read(path)) as connection:
            version = patiently(lambda: check_version(connection, path, migrations))
    except (OSError, sqlite3.Error) as error:
        raise explain(error, path) from error
    if version != len(migrations):
        raise disk_full(path)


def migrate(connection: Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is missing in one transaction; refuse a file that is newer than this program, or not ours."""
    if check_version(connection, path, migrations) == len(migrations):
        return
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN EXCLUSIVE")
    try:
        # Asked again under the lock: another process may have done it meanwhile.
        version = check_version(connection, path, migrations)
        for migration in migrations[version:]:
            for statement in migration:
                connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(f"PRAGMA user_version = {len(migrations)}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def check_version(connection: Connection, path: Path, migrations: Sequence[Migration] = MIGRATIONS) -> int:
    """Return the version of the file, 0 for an empty one."""
    version = user_version(connection)
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application != APPLICATION_ID and (version or tables):
        raise StoreError(f"{path} is a database of another program: choose another file")
    if version > len(migrations):
        raise StoreError(
            f"{path} was written by a newer Toolpost (format {version}, this one knows {len(migrations)}): "
            "upgrade Toolpost, or choose another file"
        )
    return version


def user_version(connection: Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _make_file(path: Path) -> None:
    """Create an empty file that only its owner reads; SQLite gives the same rights to its side files."""
    if not path.parent.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
