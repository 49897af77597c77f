"""New events of all sessions, told by the server: one connection that listens to what commits notify."""

import asyncio
import logging
from collections.abc import AsyncIterator

import psycopg
from psycopg import AsyncConnection, sql

from toolpost.store.contract import Noticed

from .link import Link, pauses

_log = logging.getLogger("toolpost.store")


async def follow(link: Link) -> AsyncIterator[Noticed]:
    """Listen for as long as the caller does. A lost connection is opened again, however long that takes."""
    listened = False
    waiting = pauses()
    while True:
        try:
            connection = await AsyncConnection.connect(**link.address.parameters, autocommit=True)
            async with connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(link.address.schema)))
                listened, waiting = True, pauses()
                yield Noticed(None)
                async for notice in connection.notifies():
                    yield _noticed(notice.payload)
        except psycopg.Error as error:
            explained = link.explain(error)
            if not listened:
                raise explained from error
            _log.warning("new events are not told for now: %s", explained)
        await asyncio.sleep(next(waiting))


def _noticed(payload: str) -> Noticed:
    seq, _, session_id = payload.partition(" ")
    return Noticed(session_id, int(seq)) if session_id and seq.isdigit() else Noticed(None)
