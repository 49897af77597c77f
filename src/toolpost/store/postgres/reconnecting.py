"""A PostgreSQL connection that reconnects when it is lost, and commits each transaction once."""

import contextlib
from collections.abc import Callable
from typing import Generic, TypeVar

import psycopg
from psycopg import Connection
from psycopg.pq import TransactionStatus

from toolpost.store.rows import Row
from toolpost.types.errors import StoreError

from .connection import PostgresServer, lost
from .schema import MIGRATIONS

T = TypeVar("T")

# What is done in a transaction: statements first, then what looks at their results and may still raise.
Work = Callable[[Connection], Callable[[], T]]

CANCEL_TIMEOUT_S = 5.0


class ReconnectingConnection:
    """Used by one thread at a time; only `cancel` may come from another."""

    def __init__(self, link: PostgresServer, on_open: Callable[[Connection], None] | None = None) -> None:
        self._link = link
        self._on_open = on_open
        self._connection: Connection | None = None

    def read(self, query: Callable[[Connection], T]) -> T:
        """Ask a question, which is asked again if the connection is lost."""
        return self._link.patiently(lambda: self._guarded(query))

    def transact(self, work: Work[T], *, barrier: bool, pipeline: bool = False) -> T:
        """Do `work` in one transaction, once, whatever happens to the connection.

        If the connection is lost while the commit is under way, the server is asked whether it took place. In a
        `pipeline` no statement waits for the one before: there `work` must leave all results to what it returns.
        """
        doubt: _Doubt[T] = _Doubt()

        def once(connection: Connection) -> T:
            if doubt.settled(connection):
                return doubt.results[0]
            with connection.pipeline() if pipeline else contextlib.nullcontext():
                connection.execute("BEGIN ISOLATION LEVEL READ COMMITTED")
                if not barrier:
                    connection.execute("SET LOCAL synchronous_commit TO off")
                head = connection.execute("SELECT version, pg_current_xact_id()::text FROM format")
                finish = work(connection)
            transaction = self._check_format(head.fetchone())
            result = finish()
            doubt.begin(transaction, result)
            connection.execute("COMMIT")
            return result

        return self._link.patiently(lambda: self._guarded(once))

    def check(self) -> None:
        """Open the connection if it is not, or no longer, open. Raises if that can't be done now."""
        self._guarded(lambda connection: connection.execute("SELECT 1"))

    def cancel(self) -> None:
        """Stop the statement that runs. Not a promise: it may have ended, or the server may be away."""
        if (connection := self._connection) is not None:
            with contextlib.suppress(psycopg.Error):
                connection.cancel_safe(timeout=CANCEL_TIMEOUT_S)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _guarded(self, action: Callable[[Connection], T]) -> T:
        """Leave the connection ready for the next, or closed."""
        try:
            return action(self._opened())
        except BaseException as error:
            self._recover(error)
            raise

    def _opened(self) -> Connection:
        if self._connection is None:
            connection = self._link.connect()
            try:
                if self._on_open is not None:
                    self._on_open(connection)
            except BaseException:
                connection.close()
                raise
            self._connection = connection
        return self._connection

    def _recover(self, error: BaseException) -> None:
        connection = self._connection
        if connection is None:
            return
        if connection.closed or (isinstance(error, psycopg.Error) and lost(error)):
            self.close()
            return
        try:
            if connection.info.transaction_status != TransactionStatus.IDLE:
                connection.execute("ROLLBACK")
        except psycopg.Error:
            self.close()

    def _check_format(self, row: Row | None) -> str:
        """Refuse to write into tables that were changed since they were opened; return the transaction's number."""
        if row is None or row[0] != len(MIGRATIONS):
            place = self._link.address.place
            raise StoreError(f"another Toolpost has changed the tables in {place}: restart this one")
        return row[1].decode()


class _Doubt(Generic[T]):
    """A commit whose answer did not come: the transaction, and what it would have given back."""

    def __init__(self) -> None:
        self._transaction: str | None = None
        self.results: list[T] = []

    def begin(self, transaction: str, result: T) -> None:
        self._transaction, self.results = transaction, [result]

    def settled(self, connection: Connection) -> bool:
        """True if the commit took place. While nobody can tell, raise what makes us come back later."""
        if self._transaction is None:
            return False
        try:
            row = connection.execute("SELECT pg_xact_status(%s::xid8)", (self._transaction,)).fetchone()
        except psycopg.DataError:
            return False  # a number from the future: another server took over, which never had this transaction
        status = row[0] if row else None
        if status == b"in progress":
            raise psycopg.OperationalError("a lost connection's transaction has not ended yet")
        return status == b"committed"
