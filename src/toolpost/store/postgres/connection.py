"""Open PostgreSQL connections, retry while the server is away, explain errors."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from typing import TypeVar

import psycopg
from psycopg import Connection, sql
from psycopg.adapt import Buffer, Loader
from psycopg.pq import Format

from toolpost.store.contract import CLOSED_TEXT
from toolpost.store.writer import StoreUnreachable
from toolpost.types.errors import StoreError

from .address import PostgresAddress
from .schema import OLDEST_SERVER, migrate

T = TypeVar("T")

FIRST_PAUSE_S = 0.05
MAX_PAUSE_S = 2.0


class PostgresServer:
    """Opens connections. Once the database was reached, it is waited for when it goes away, for `patience` seconds."""

    def __init__(self, address: PostgresAddress, patience: float) -> None:
        self.address = address
        self._patience = patience
        self._opening = threading.Lock()
        self._reached = False
        self._closed = threading.Event()

    def connect(self) -> Connection:
        """Open a connection on which every statement is a transaction of its own, in tables that are up to date."""
        connection = Connection.connect(**self.address.parameters, autocommit=True)
        try:
            prepare(connection)
            with self._opening:
                if not self._reached:
                    migrate(connection, self.address)
                    self._reached = True
            connection.execute(sql.SQL("SET search_path TO {}").format(sql.Identifier(self.address.schema)))
        except BaseException:
            connection.close()
            raise
        return connection

    def patiently(self, action: Callable[[], T]) -> T:
        """Retry while the database is away or locked by others."""
        deadline = time.monotonic() + self._patience
        for pause in pauses():
            try:
                return action()
            except psycopg.Error as error:
                if not self._reached or not passes(error) or time.monotonic() + pause > deadline:
                    raise
            if self._closed.wait(pause):
                raise StoreError(CLOSED_TEXT)
        raise AssertionError("the pauses never end")

    def hurry(self) -> None:
        """Stop retrying: the store is being closed."""
        self._closed.set()

    def explain(self, error: Exception) -> StoreError:
        """Convert a driver error to one with a message for a person."""
        if isinstance(error, StoreError):
            return error
        if not isinstance(error, psycopg.Error):
            return StoreError(f"this cannot be stored: {error}")
        place, state = self.address.place, error.sqlstate or ""
        said = " ".join(str(error).split())
        if lost(error):
            return StoreUnreachable(f"the database {place} cannot be reached: {_advice(said)} ({said})")
        for prefix, text in _TEXTS.items():
            if state.startswith(prefix):
                return StoreError(f"{text.format(place=place)} ({said})")
        if isinstance(error, psycopg.DataError):
            return StoreError(f"this cannot be stored: {said}")
        return StoreError(f"the database {place} failed: {said}")


def prepare(connection: Connection) -> None:
    """Text comes as bytes, because its reader is a JSON decoder. A machine that vanished is noticed within seconds."""
    if connection.info.server_version < OLDEST_SERVER:
        raise StoreError(f"Toolpost needs PostgreSQL {OLDEST_SERVER // 10000} or newer: upgrade the server")
    encoding = connection.info.parameter_status("server_encoding")
    if encoding != "UTF8":
        raise StoreError(f"the encoding of the database is {encoding}: make one with UTF8 for Toolpost")
    for loader in (_RawText, _RawBinaryText):
        connection.adapters.register_loader("text", loader)
    connection.execute(
        "SELECT set_config('tcp_keepalives_idle', '5', false), set_config('tcp_keepalives_interval', '2', false),"
        " set_config('tcp_keepalives_count', '3', false), set_config('client_encoding', 'UTF8', false),"
        " CASE WHEN current_setting('synchronous_commit') = 'off'"
        " THEN set_config('synchronous_commit', 'on', false) END"
    )


def without_nul(text: str) -> str:
    """PostgreSQL has no NUL in texts. Titles and folders are looked for in this form; their JSON has them as given."""
    return text.replace("\x00", "\u2400")


def pauses() -> Iterator[float]:
    """Ever longer, without end, and never the same for two processes: they all come back to a server that was away."""
    longest = FIRST_PAUSE_S
    while True:
        yield longest * random.uniform(0.5, 1.0)
        longest = min(longest * 2, MAX_PAUSE_S)


def lost(error: psycopg.Error) -> bool:
    """True if it was the connection that failed, not what was asked of it."""
    if not isinstance(error, psycopg.OperationalError | psycopg.InterfaceError):
        return False
    if isinstance(error, psycopg.errors.PipelineAborted):
        return False
    return (error.sqlstate or "08").startswith(_AWAY)


def passes(error: psycopg.Error) -> bool:
    """True if a retry may succeed."""
    return lost(error) or (error.sqlstate or "").startswith(_IN_THE_WAY)


# Connection exceptions, too many connections, the server shutting down, crashing or starting.
_AWAY = ("08", "53300", "57P01", "57P02", "57P03", "57P05")
# Serialization failures, deadlocks and lock timeouts.
_IN_THE_WAY = ("40001", "40P01", "55P03")

_TEXTS = {
    "28": "the database {place} rejected this user: check the user and the password in the URL",
    "3D000": "there is no database {place}: create it, or use another one in the URL",
    "25006": "the database {place} is read-only: use its primary server in the URL",
    "42501": "the user lacks a permission in the database {place}: grant CREATE on the database, or on its schema",
    "53100": "the disk of the database {place} is full, this change was not saved: free some space and try again",
    "53": "the database {place} has run out of resources, this change was not saved: try again",
    "58": "the disk failed under the database {place}, this change was not saved: check it and try again",
}


def _advice(said: str) -> str:
    """The driver gives no code for what fails before a session begins, only the server's words."""
    if "authentication failed" in said or "no password" in said:
        return "check the user and the password in the URL"
    if "does not exist" in said:
        return "check the names of the database and the user in the URL"
    if "too many" in said:
        return "it has no free connection: raise max_connections, or run fewer workers"
    return "check that it runs and that the URL is right, then try again"


class _RawText(Loader):
    def load(self, data: Buffer) -> bytes:
        return bytes(data)


class _RawBinaryText(_RawText):
    format = Format.BINARY
