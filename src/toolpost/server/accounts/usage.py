"""Count what each person uses of each model, and write it to the store now and then."""

import asyncio
import contextlib
import logging
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from msgspec import structs

from toolpost.models.contract import ModelInfo
from toolpost.store.account_records import AccountStore, ModelUse
from toolpost.types.errors import StoreError
from toolpost.types.messages import Usage

WRITE_SECONDS = 5.0
# What can't be written for long is dropped, the counts of so many days, users and models at once.
MOST_WAITING = 10_000

log = logging.getLogger("toolpost.server")


class UsageLog:
    def __init__(self, store: Callable[[], AccountStore]) -> None:
        self._store = store
        self._waiting: dict[tuple[str, str, str], ModelUse] = {}
        self._writing: asyncio.Task[None] | None = None
        self._is_closing = asyncio.Event()

    def record(self, user: str, model: ModelInfo, usage: Usage, cost: float) -> None:
        """Count a request. Returns at once, and never raises."""
        self._add(ModelUse(today(), user, model.id, 1, usage.input, usage.output, cost))
        if self._writing is None or self._writing.done():
            self._writing = asyncio.get_running_loop().create_task(self._write_later())

    async def close(self) -> None:
        self._is_closing.set()
        if self._writing is not None:
            await self._writing
        await self.write()

    async def write(self) -> None:
        """Write what was counted until now."""
        uses, self._waiting = list(self._waiting.values()), {}
        try:
            if uses:
                await self._store().add_uses(uses)
        except StoreError as error:
            log.warning("what was used could not be written, and is tried again: %s", error)
            for use in uses:
                self._add(use)

    def _add(self, use: ModelUse) -> None:
        key = use.day, use.user, use.model
        had = self._waiting.get(key)
        if had is None and len(self._waiting) >= MOST_WAITING:
            return
        self._waiting[key] = use if had is None else sum_of(had, use)

    async def _write_later(self) -> None:
        while self._waiting and not self._is_closing.is_set():
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(WRITE_SECONDS):
                    await self._is_closing.wait()
            await self.write()


def sum_of(one: ModelUse, other: ModelUse) -> ModelUse:
    """Return both together, under the day, user and model of the first."""
    return structs.replace(
        one,
        requests=one.requests + other.requests,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        cost=one.cost + other.cost,
    )


def today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d")


def days_ago(days: int) -> str:
    """Return the first of so many days that end today."""
    return (datetime.now(UTC) - timedelta(days=days - 1)).strftime("%Y-%m-%d")
