"""A PostgreSQL connection that reconnects when it is lost and commits each transaction once, and a pool of them."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from typing import Generic, TypeVar

import psycopg
from psycopg import Connection
from psycopg.pq import TransactionStatus

from toolpost.store.contract import CLOSED_TEXT
from toolpost.store.rows import Row
from toolpost.types.errors import StoreError

from .connection import PostgresServer, lost
from .schema import MIGRATIONS

T = TypeVar("T")

# What is done in a transaction: statements first, then what looks at their results and may still raise.
Work = Callable[[Connection], Callable[[], T]]

CANCEL_TIMEOUT_S = 5.0
# A server has about a hundred connections for all of its workers.
_MAX_CONNECTIONS = 4


class ReconnectingConnection:
    """Used by one thread at a time; only `cancel` may come from another."""

    def __init__(self, link: PostgresServer, on_open: Callable[[Connection], None] | None = None) -> None:
        self._link = link
        self._on_open = on_open
        self._connection: Connection | None = None

    def read(self, query: Callable[[Connection], T]) -> T:
        """Ask a question, which is asked again if the connection is lost."""
        return self._link.patiently(lambda: self._guarded(query))

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    def transact(self, work: Work[T], *, barrier: bool, pipeline: bool = False, patient: bool = True) -> T:
        """Do `work` in one transaction, once, whatever happens to the connection. A database that is away is waited
        for, unless not `patient`: then the connection is opened again at most once.

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

        return self._link.patiently(lambda: self._guarded(once)) if patient else self._at_once(once)

    def check(self) -> None:
        """Open the connection if it is not, or no longer, open. Raises if that can't be done now."""
        self._at_once(lambda connection: connection.execute("SELECT 1"))

    def cancel(self) -> None:
        """Stop the statement that runs. Not a promise: it may have ended, or the server may be away."""
        if (connection := self._connection) is not None:
            with contextlib.suppress(psycopg.Error):
                connection.cancel_safe(timeout=CANCEL_TIMEOUT_S)

    def close(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _at_once(self, action: Callable[[Connection], T]) -> T:
        """The first look may find the connection lost; the second opens it again."""
        try:
            return self._guarded(action)
        except psycopg.Error as error:
            if not lost(error):
                raise
        return self._guarded(action)

    def _guarded(self, action: Callable[[Connection], T]) -> T:
        """Reset the connection for the next use, or close it."""
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


class PostgresPool:
    """A pool that lends a connection for one action at a time, so that an abandoned iterator holds none."""

    def __init__(self, link: PostgresServer) -> None:
        self._link = link
        self._lock = threading.Lock()
        self._idle: list[ReconnectingConnection] = []
        self._in_use: set[ReconnectingConnection] = set()
        self._closed = False
        # Own threads: those of the loop may all be busy with tools.
        self._threads = ThreadPoolExecutor(_MAX_CONNECTIONS, thread_name_prefix="toolpost-postgres")

    async def read(self, query: Callable[[Connection], T]) -> T:
        """Run a query in a thread; stop it if its caller is cancelled."""
        return await self._run(lambda connected: connected.read(query), stop=True)

    async def transact(self, work: Work[T]) -> T:
        """Make a change that is on disk when this returns. A caller that is cancelled meanwhile does not undo it."""
        return await self._run(lambda connected: connected.transact(work, barrier=True), stop=False)

    def close(self) -> None:
        """Refuse new queries and stop the running ones."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
            running = list(self._in_use)
        for connected in idle:
            connected.close()
        for connected in running:
            connected.cancel()
        self._threads.shutdown(wait=False)

    def join(self) -> None:
        self._threads.shutdown(wait=True)

    async def _run(self, action: Callable[[ReconnectingConnection], T], *, stop: bool) -> T:
        if self._closed:
            raise StoreError(CLOSED_TEXT)
        use = _Use()
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._threads, self._lend, action, use)
        except asyncio.CancelledError:
            if stop:
                loop.run_in_executor(None, use.stop)
            raise

    def _lend(self, action: Callable[[ReconnectingConnection], T], use: "_Use") -> T:
        connected = self._borrow()
        try:
            with use.by(connected):
                return action(connected)
        except (psycopg.Error, UnicodeError) as error:
            raise self._link.explain(error) from error
        finally:
            self._give_back(connected, keep=not use.stopped)

    def _borrow(self) -> ReconnectingConnection:
        with self._lock:
            if self._closed:
                raise StoreError(CLOSED_TEXT)
            connected = self._idle.pop() if self._idle else ReconnectingConnection(self._link)
            self._in_use.add(connected)
            return connected

    def _give_back(self, connected: ReconnectingConnection, *, keep: bool) -> None:
        with self._lock:
            self._in_use.discard(connected)
            if keep and not self._closed:
                self._idle.append(connected)
                return
        connected.close()


class _Use:
    """One use of a connection. Only this use can be stopped from outside, never the next."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._connected: ReconnectingConnection | None = None
        self.stopped = False

    @contextlib.contextmanager
    def by(self, connected: ReconnectingConnection) -> Generator[None]:
        with self._lock:
            if self.stopped:
                raise StoreError(CLOSED_TEXT)
            self._connected = connected
        try:
            yield
        finally:
            with self._lock:
                self._connected = None

    def stop(self) -> None:
        with self._lock:
            self.stopped = True
            if self._connected is not None:
                # A late cancel could hit whatever runs next on this connection: so it is not used again.
                self._connected.cancel()
