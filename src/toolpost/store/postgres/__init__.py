"""The store in a PostgreSQL database, for several processes on several machines."""

from .store import PostgresStore

__all__ = ["PostgresStore"]
