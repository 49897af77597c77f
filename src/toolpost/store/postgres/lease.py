"""Leases of sessions in PostgreSQL: a row names the worker of a session, a lock shows that the worker is alive.

Each store is a worker with a random number, and its writing connection holds an advisory lock on that number. The
server drops the lock with the connection: at once when the process dies, within seconds when its machine vanishes. A
row of a worker without its lock counts for nothing. A worker that was only cut off takes its lock again and goes on
with every session that nobody has taken over meanwhile; its commits to the others are refused. A worker that is frozen
is cut off by whoever takes a session from it.
"""

from collections.abc import Callable
from typing import LiteralString

from psycopg import Connection

from toolpost.store.run_records import Holder
from toolpost.store.worker import ELSEWHERE, HERE, HeldLease, StoreWorker, Upkeep

from .reconnecting import Work

# A released lease, or a dead process, is known to the server a moment later than to whoever tells us to go on.
PAUSES_S = (0.02, 0.04, 0.08, 0.16, 0.3)
LOCK_TIMEOUT = "10s"
# Locks of two numbers are others than those of one: this is "TPST", and the second number stands for a schema.
SCHEMA_LOCK = 0x54505354

# The locks that show that a worker is alive; no other program's, because the numbers are random.
_LOCKS: LiteralString = """
pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ExclusiveLock' AND objsubid = 1
AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""
_NUMBER: LiteralString = "((classid::bigint << 32) | objid::bigint)"
ALIVE: LiteralString = f"SELECT {_NUMBER} FROM {_LOCKS}"
# A server that was started again has none of the locks until their workers are back, so nobody is taken for dead.
IS_NEW: LiteralString = "pg_postmaster_start_time() > now() - interval '5 seconds'"

# End the connection of a worker that has a session and has not moved its beat since. It opens another when it goes on.
_CUT_OFF: LiteralString = f"""
SELECT pg_terminate_backend(pid) FROM {_LOCKS}
AND {_NUMBER} = (
    SELECT id FROM lease JOIN worker ON id = lease.worker WHERE session = %s AND id = %s AND beat = %s
)
AND pid <> pg_backend_pid() AND pid IN (SELECT pid FROM pg_stat_activity WHERE usename = current_user)
"""


def come_alive(connection: Connection, number: int) -> None:
    """Hold the worker's lock on this connection. What is left of a lost connection is ended first."""
    connection.execute(
        f"SELECT pg_terminate_backend(pid) FROM {_LOCKS} AND pid <> pg_backend_pid() AND {_NUMBER} = %s",
        (number,),
    )
    connection.execute("SELECT set_config('lock_timeout', %s, false)", (LOCK_TIMEOUT,))
    connection.execute("SELECT pg_advisory_lock(%s)", (number,))
    # Shared by all who write to this schema: so a restore sees that somebody does.
    connection.execute("SELECT pg_advisory_lock_shared(%s, hashtext(current_schema()))", (SCHEMA_LOCK,))
    connection.execute("SELECT set_config('lock_timeout', '0', false)")


def take(worker: StoreWorker, lease: HeldLease, instead_of: Holder | None) -> Work[str]:
    """Make the session this worker's: nobody had it, or its worker is dead, or the one that is frozen. If another one
    has it, return where that is."""

    def work(connection: Connection) -> Callable[[], str]:
        if not worker.is_held(lease):
            return lambda: HERE
        if not worker.is_known:
            connection.execute(f"DELETE FROM worker WHERE id NOT IN (SELECT worker FROM lease) AND id NOT IN ({ALIVE})")
        connection.execute("INSERT INTO worker (id, beat) VALUES (%s, 0) ON CONFLICT DO NOTHING", (worker.number,))
        frozen = (None, None) if instead_of is None else (instead_of.worker, instead_of.beat)
        if instead_of is not None:
            # It may have been frozen in the middle of a transaction, whose locks would outlast it.
            connection.execute(_CUT_OFF, (lease.session_id, *frozen))
        taken = connection.execute(
            "INSERT INTO lease AS held (session, worker) VALUES (%s, %s) ON CONFLICT (session) DO UPDATE"
            " SET worker = excluded.worker"
            " WHERE held.worker = excluded.worker OR pg_try_advisory_xact_lock_shared(held.worker)"
            " OR EXISTS (SELECT 1 FROM worker WHERE id = held.worker AND id = %s AND beat = %s)",
            (lease.session_id, worker.number, *frozen),
        )

        def finish() -> str:
            if taken.rowcount == 0:
                return ELSEWHERE
            worker.is_known = True
            # A commit of the last holder may be under way: this waits for it, and what comes after it is refused.
            connection.execute(
                "UPDATE session SET worker = %s WHERE id = %s AND worker IS DISTINCT FROM %s",
                (worker.number, lease.session_id, worker.number),
            )
            return ""

        return finish

    return work


def write_upkeep(connection: Connection, number: int, upkeep: Upkeep) -> Callable[[], list[str]]:
    """Give up what was released. With a beat, find the sessions whose rows name the worker."""
    if upkeep.released:
        connection.execute("DELETE FROM lease WHERE session = ANY(%s) AND worker = %s", (list(upkeep.released), number))
    if not upkeep.beats:
        return list
    connection.execute(
        "INSERT INTO worker AS known (id, beat) VALUES (%s, 1) ON CONFLICT (id) DO UPDATE SET beat = known.beat + 1",
        (number,),
    )
    named = connection.execute("SELECT session FROM lease WHERE worker = %s", (number,))
    return lambda: [session.decode() for (session,) in named]


def forget(number: int) -> Work[None]:
    """The worker ends: it holds nothing any more."""

    def work(connection: Connection) -> Callable[[], None]:
        connection.execute("DELETE FROM lease WHERE worker = %s", (number,))
        connection.execute("DELETE FROM worker WHERE id = %s", (number,))
        return lambda: None

    return work
