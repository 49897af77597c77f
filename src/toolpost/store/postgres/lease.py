"""Leases of sessions in PostgreSQL: a row names the worker of a session, a lock shows that the worker is alive.

Each store is a worker with a random number, and its writing connection holds an advisory lock on that number. The
server drops the lock with the connection: at once when the process dies, within seconds when its machine vanishes. A
row of a worker without its lock counts for nothing. A worker that was only cut off takes its lock again and goes on
with every session that nobody has taken over meanwhile; its commits to the others are refused.
"""

import secrets
from collections.abc import Callable
from typing import Protocol

from psycopg import Connection

from .reconnecting import Work

# A released lease, or a dead process, is known to the server a moment later than to whoever tells us to go on.
PAUSES_S = (0.02, 0.04, 0.08, 0.16, 0.3)
LOCK_TIMEOUT = "10s"
# Locks of two numbers are others than those of one: this is "TPST", and the second number stands for a schema.
SCHEMA_LOCK = 0x54505354


def new_worker() -> int:
    """Make a random worker id that fits PostgreSQL's bigint (less than 2**63)."""
    return secrets.randbits(62)


def come_alive(connection: Connection, worker: int) -> None:
    """Hold the worker's lock on this connection. What is left of a lost connection is ended first."""
    connection.execute(
        "SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted"
        " AND mode = 'ExclusiveLock' AND objsubid = 1 AND pid <> pg_backend_pid()"
        " AND database = (SELECT oid FROM pg_database WHERE datname = current_database())"
        " AND classid::bigint = %s AND objid::bigint = %s",
        (worker >> 32, worker & 0xFFFFFFFF),
    )
    connection.execute("SELECT set_config('lock_timeout', %s, false)", (LOCK_TIMEOUT,))
    connection.execute("SELECT pg_advisory_lock(%s)", (worker,))
    # Shared by all who write to this schema: so a restore sees that somebody does.
    connection.execute("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (SCHEMA_LOCK,))
    connection.execute("SELECT set_config('lock_timeout', '0', false)")


def take(session_id: str, worker: int) -> Work[bool]:
    """True if the session is now this worker's: nobody had it, or its worker is dead."""

    def work(connection: Connection) -> Callable[[], bool]:
        taken = connection.execute(
            "INSERT INTO lease AS held (session, worker) VALUES (%s, %s) ON CONFLICT (session) DO UPDATE"
            " SET worker = excluded.worker"
            " WHERE held.worker = excluded.worker OR pg_try_advisory_xact_lock_shared(held.worker)",
            (session_id, worker),
        )

        def finish() -> bool:
            if taken.rowcount == 0:
                return False
            # A commit of the last holder may be under way: this waits for it, and what comes after it is refused.
            connection.execute("UPDATE session SET worker = %s WHERE id = %s", (worker, session_id))
            return True

        return finish

    return work


def give_up(session_id: str, worker: int) -> Work[None]:
    def work(connection: Connection) -> Callable[[], None]:
        connection.execute("DELETE FROM lease WHERE session = %s AND worker = %s", (session_id, worker))
        return lambda: None

    return work


class Holder(Protocol):
    def released(self, lease: "PostgresLease") -> None: ...


class PostgresLease:
    """The lease of one session."""

    def __init__(self, holder: Holder, session_id: str) -> None:
        self._holder = holder
        self.session_id = session_id

    def release(self) -> None:
        self._holder.released(self)
