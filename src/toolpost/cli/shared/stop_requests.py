"""Stop the runs of this process where a server of the same store is asked to: by the page, or over its API."""

import asyncio
from collections.abc import Callable, Iterable

from toolpost.engine.session import Session
from toolpost.store.contract import Store
from toolpost.types.errors import ToolpostError

LISTEN_AGAIN_SECONDS = 1.0


async def heed_stops(store: Store, sessions: Callable[[], Iterable[Session]]) -> None:
    """Stop what runs of these sessions when somebody asks for it, until this is cancelled. Only PostgreSQL tells other
    processes."""
    # Imported here: while a run goes on there is time for it.
    from toolpost.server.chat.other_processes import StopSignal, read_signal

    while True:
        try:
            async for signal in store.signals():
                if isinstance(read_signal(signal.body), StopSignal):
                    for session in sessions():
                        if session.id == signal.session_id:
                            await session.abort()
        except ToolpostError:
            # The database is out of reach; the run itself tells of it.
            pass
        await asyncio.sleep(LISTEN_AGAIN_SECONDS)
