"""What other processes tell through the server: one connection that listens to new events and to signals."""

import asyncio
import logging
from collections.abc import AsyncGenerator

import psycopg
from psycopg import AsyncConnection, sql

from toolpost.store.change_feed import Told

from .connection import Link, pauses
from .notices import read_notice

_log = logging.getLogger("toolpost.store")


async def notices(link: Link) -> AsyncGenerator[Told]:
    """Listen for as long as the caller does. A lost connection is opened again, however long that takes."""
    listened = False
    waiting = pauses()
    while True:
        try:
            connection = await AsyncConnection.connect(**link.address.parameters, autocommit=True)
            async with connection:
                await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(link.address.schema)))
                listened, waiting = True, pauses()
                yield None
                async for notice in connection.notifies():
                    if (told := read_notice(notice.payload)) is not None:
                        yield told
        except psycopg.Error as error:
            explained = link.explain(error)
            if not listened:
                raise explained from error
            _log.warning("new events are not told for now: %s", explained)
        await asyncio.sleep(next(waiting))
