"""Databases as they were before open runs had a table."""

from pathlib import Path

import msgspec
import psycopg
from postgres_help import asked

from toolpost.store.contract import SessionInfo
from toolpost.store.postgres import schema as postgres_schema
from toolpost.store.postgres.address import read_address
from toolpost.store.postgres.connection import prepare
from toolpost.store.sqlite import schema as sqlite_schema

SESSIONS = (
    SessionInfo("open", title='said \x00 "open_run":"no" 你好', owner="anna", open_run="run_old", run_seq=7, seq=9),
    SessionInfo("settled", title="t", metadata={"open_run": "run_none", "text": "\x00"}),
)
_BODIES = [(info.id, info.owner, msgspec.json.encode(info).decode()) for info in SESSIONS]


def write_file(path: Path) -> None:
    connection = sqlite_schema.open_database(path, sqlite_schema.MIGRATIONS[:5])
    connection.executemany(
        "INSERT INTO session (id, title, folder, owner, updated, info) VALUES (?, '', '', ?, 1, ?)", _BODIES
    )
    connection.close()


def write_schema(url: str) -> None:
    address = read_address(url)
    with psycopg.connect(**address.parameters, autocommit=True) as connection:
        prepare(connection)
        postgres_schema.migrate(connection, address, postgres_schema.MIGRATIONS[:5])
    with asked(url) as connection, connection.cursor() as cursor:
        cursor.executemany(
            "INSERT INTO session (id, title, folder, owner, updated, worker, body) VALUES (%s, '', '', %s, 1, 17, %s)",
            _BODIES,
        )
        cursor.execute("INSERT INTO lease (session, worker) VALUES ('open', 17)")
