"""The tables of the PostgreSQL store, as a list of migrations. They live in a schema of their own."""

from collections.abc import Sequence
from typing import LiteralString

from psycopg import Connection, sql

from toolpost.types.errors import StoreError

from .address import PostgresAddress

OLDEST_SERVER = 13_00_00

# One process at a time makes or changes tables; the number is "TPST" twice, so that no other program has it.
MIGRATION_LOCK = 0x5450535454505354

Migration = tuple[LiteralString, ...]

_VERSION_1: Migration = (
    "CREATE TABLE format (version integer NOT NULL)",
    "INSERT INTO format (version) VALUES (0)",
    # Ids are compared as bytes: the order of a language costs time and means nothing here. `worker` took it last.
    """
    CREATE TABLE session (
        key     bigint GENERATED ALWAYS AS IDENTITY,
        id      text COLLATE "C" PRIMARY KEY,
        title   text NOT NULL,
        folder  text NOT NULL,
        updated double precision NOT NULL,
        worker  bigint,
        body    text NOT NULL
    )
    """,
    "CREATE INDEX session_updated ON session (updated, key)",
    # `pos` is the order of making. `keeps_from` is set where the message compacts: the walk to the root ends there.
    """
    CREATE TABLE message (
        pos        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session    text COLLATE "C" NOT NULL,
        id         text COLLATE "C" NOT NULL,
        parent_id  text COLLATE "C",
        keeps_from text COLLATE "C",
        time       double precision NOT NULL,
        body       text NOT NULL,
        UNIQUE (session, id)
    )
    """,
    "CREATE INDEX message_session ON message (session, pos)",
    "CREATE INDEX message_time ON message (time, pos)",
    # One row holds the events of one commit, a line of JSON for each. Rows of one session never overlap.
    """
    CREATE TABLE event_batch (
        session   text COLLATE "C" NOT NULL,
        first_seq bigint NOT NULL,
        last_seq  bigint NOT NULL,
        body      bytea NOT NULL,
        PRIMARY KEY (session, last_seq)
    )
    """,
    """
    CREATE TABLE exchange (
        pos     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        session text COLLATE "C" NOT NULL,
        body    text NOT NULL
    )
    """,
    "CREATE INDEX exchange_session ON exchange (session, pos)",
    """
    CREATE TABLE approval (
        id         text COLLATE "C" PRIMARY KEY,
        project    text COLLATE "C" NOT NULL,
        permission text COLLATE "C" NOT NULL,
        pattern    text COLLATE "C" NOT NULL,
        time       double precision NOT NULL,
        UNIQUE (project, permission, pattern)
    )
    """,
    # Who may write to a session. A worker that is not alive holds nothing, whatever is written here.
    'CREATE TABLE lease (session text COLLATE "C" PRIMARY KEY, worker bigint NOT NULL)',
)

# Sessions and approvals have an owner; what was there before is everybody's who works without names, "".
_VERSION_2: Migration = (
    """ALTER TABLE session ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT ''""",
    "CREATE INDEX session_owner ON session (owner, updated, key)",
    """ALTER TABLE approval ADD COLUMN owner text COLLATE "C" NOT NULL DEFAULT ''""",
    "ALTER TABLE approval DROP CONSTRAINT approval_project_permission_pattern_key",
    "ALTER TABLE approval ADD UNIQUE (owner, project, permission, pattern)",
)

# An approval knows what a tool said of itself when it was approved; one from before does not.
_VERSION_3: Migration = (
    """ALTER TABLE approval ADD COLUMN fingerprint text COLLATE "C" NOT NULL DEFAULT ''""",
    "ALTER TABLE approval ADD COLUMN described text NOT NULL DEFAULT ''",
)

# Responses and conversations of the gateway. The index holds all that is asked when the oldest have to go.
_VERSION_4: Migration = (
    """
    CREATE TABLE object (
        owner    text COLLATE "C" NOT NULL,
        id       text COLLATE "C" NOT NULL,
        kind     text COLLATE "C" NOT NULL,
        previous text COLLATE "C",
        time     double precision NOT NULL,
        size     bigint NOT NULL,
        body     bytea NOT NULL,
        PRIMARY KEY (owner, id)
    )
    """,
    "CREATE INDEX object_time ON object (owner, time, id, size)",
)

# Records of accounts, with their logins, links and tokens, and what each person has used of each model.
_VERSION_5: Migration = (
    """
    CREATE TABLE account_record (
        kind    text COLLATE "C" NOT NULL,
        id      text COLLATE "C" NOT NULL,
        owner   text COLLATE "C" NOT NULL,
        time    double precision NOT NULL,
        expires double precision NOT NULL,
        body    bytea NOT NULL,
        PRIMARY KEY (kind, id)
    )
    """,
    "CREATE INDEX account_record_owner ON account_record (kind, owner)",
    """
    CREATE TABLE model_use (
        day           text COLLATE "C" NOT NULL,
        "user"        text COLLATE "C" NOT NULL,
        model         text COLLATE "C" NOT NULL,
        requests      bigint NOT NULL,
        input_tokens  bigint NOT NULL,
        output_tokens bigint NOT NULL,
        cost          double precision NOT NULL,
        PRIMARY KEY (day, "user", model)
    )
    """,
)

# Open runs, and the workers that have shown that they are not frozen. A run that was open already gets a record that
# only names it. (The server refuses to look into a JSON that has a NUL anywhere.) The `files` that a waiting run was
# sent stand beside its body, so that they are not read by who looks at all runs.
_VERSION_6: Migration = (
    """
    CREATE TABLE open_run (
        session text COLLATE "C" PRIMARY KEY,
        state   text COLLATE "C" NOT NULL,
        began   double precision NOT NULL,
        body    text NOT NULL,
        files   text NOT NULL DEFAULT ''
    )
    """,
    "CREATE INDEX open_run_state ON open_run (state, began)",
    r"""
    INSERT INTO open_run (session, state, began, body)
    SELECT id, 'running', 0, json_build_object('id', run, 'session_id', id)::text FROM (
        SELECT id, CASE WHEN body LIKE '%"open_run":"%'
            THEN replace(body, '\u0000', '\u2400')::json ->> 'open_run' END AS run
        FROM session
    ) AS found WHERE run IS NOT NULL
    """,
    "CREATE TABLE worker (id bigint PRIMARY KEY, beat bigint NOT NULL)",
)

# Released migrations are never edited: the next version is a new entry at the end.
MIGRATIONS: tuple[Migration, ...] = (_VERSION_1, _VERSION_2, _VERSION_3, _VERSION_4, _VERSION_5, _VERSION_6)


def migrate(connection: Connection, address: PostgresAddress, migrations: Sequence[Migration] = MIGRATIONS) -> None:
    """Apply what is missing in one transaction; refuse a schema that is newer than this program, or not ours."""
    if check_version(connection, address, len(migrations)) == len(migrations):
        return
    with connection.transaction():
        connection.execute("SELECT pg_advisory_xact_lock(%s)", (MIGRATION_LOCK,))
        # Asked again under the lock: another process may have done it meanwhile.
        version = check_version(connection, address, len(migrations))
        if version is None:
            connection.execute(sql.SQL("CREATE SCHEMA {}").format(sql.Identifier(address.schema)))
        connection.execute(sql.SQL("SET LOCAL search_path TO {}").format(sql.Identifier(address.schema)))
        for migration in migrations[version or 0 :]:
            for statement in migration:
                connection.execute(statement)
        connection.execute("UPDATE format SET version = %s", (len(migrations),))


def check_version(connection: Connection, address: PostgresAddress, known: int) -> int | None:
    """Return the version of the tables: 0 if there are none, None if there is no schema either."""
    schema = address.schema
    if connection.execute("SELECT 1 FROM pg_namespace WHERE nspname = %s", (schema,)).fetchone() is None:
        return None
    tables = connection.execute(
        "SELECT relname::text FROM pg_class WHERE relnamespace = %s::regnamespace AND relkind = 'r'", (schema,)
    )
    names = {name.decode() for (name,) in tables}
    if not names:
        return 0
    if not {"format", "session", "event_batch"} <= names:
        raise StoreError(
            f"the schema {schema} in {address.place} belongs to another program: name another with ?schema= in the URL"
        )
    version = connection.execute(sql.SQL("SELECT version FROM {}").format(sql.Identifier(schema, "format"))).fetchone()
    found = int(version[0]) if version else 0
    if found > known:
        raise StoreError(
            f"the schema {schema} in {address.place} was written by a newer Toolpost (format {found}, this one knows "
            f"{known}): upgrade Toolpost, or name another schema with ?schema= in the URL"
        )
    return found
