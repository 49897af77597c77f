"""Send and receive notices of new events and signals between processes (NOTIFY and LISTEN).

A notice is a text of less than 8,000 bytes.
"""

import asyncio
import base64
import binascii
import logging
from collections.abc import AsyncGenerator

import psycopg
from psycopg import AsyncConnection, sql

from toolpost.store.change_feed import FeedItem
from toolpost.store.contract import EventNotice, Signal

from .connection import PostgresServer, pauses

# An id that is longer is nobody's.
MAX_NOTICE_BYTES = 7000

_SIGNAL = "signal"

_log = logging.getLogger("toolpost.store")


async def notices(link: PostgresServer) -> AsyncGenerator[FeedItem]:
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
            _log.warning("new events are not reported for now: %s", explained)
        await asyncio.sleep(next(waiting))


def notice_text(session_id: str, seq: int) -> str:
    """Write the text of a notice: a session has new events, up to `seq`."""
    notice = f"{seq} {session_id}"
    return notice if len(notice.encode()) < MAX_NOTICE_BYTES else str(seq)


def signal_text(signal: Signal) -> str:
    return f"{_SIGNAL} {base64.b85encode(signal.body).decode()} {signal.session_id}"


def read_notice(text: str) -> EventNotice | Signal | None:
    """None if it is a signal that can't be read. Any other text that is not known may be about new events."""
    kind, _, rest = text.partition(" ")
    if kind == _SIGNAL:
        return _read_signal(rest)
    return EventNotice(rest, int(kind)) if rest and kind.isdecimal() else EventNotice(None)


def _read_signal(text: str) -> Signal | None:
    body, _, session_id = text.partition(" ")
    try:
        return Signal(session_id, base64.b85decode(body)) if session_id else None
    except (ValueError, binascii.Error):
        return None
