"""Find and make the sessions of a batch's items, and read from the store how their runs ended.

The id of a session follows from the folder, the name of the batch and the id of the item. So whoever is given the same
command finds what has run, and two processes never make two sessions of one item.
"""

import hashlib
import time
from pathlib import Path

from msgspec import structs

from toolpost.store.contract import SessionInfo, Store
from toolpost.types.errors import ConfigError, SessionNotFound, StoreError
from toolpost.types.events import Event, RunEnd, RunResumed, RunStart, ToolExecutionEnd
from toolpost.types.messages import ErrorInfo

from .items import BatchItem
from .results import ItemResult

# In the metadata of a session.
KEY = "batch"


class RunReader:
    """Reads the events of a session and remembers how its last run ended."""

    def __init__(self) -> None:
        self.end: RunEnd | None = None
        self._began = 0.0
        self._last = 0.0
        self._denied: dict[str, None] = {}

    def hear(self, event: Event) -> None:
        if isinstance(event, RunStart):
            self.end, self._began, self._denied = None, event.time, {}
        elif isinstance(event, ToolExecutionEnd) and event.error_kind == "denied":
            self._denied[event.name] = None
        elif isinstance(event, RunEnd):
            self.end = event
        elif isinstance(event, RunResumed):
            # Nobody worked on it in between.
            self._began += event.time - self._last
        self._last = event.time

    def result(self, item: BatchItem) -> ItemResult | None:
        """None while the run goes on."""
        end = self.end
        if end is None:
            return None
        return ItemResult(
            item.id,
            end.session_id,
            end.reason,
            end.text,
            end.output,
            end.steps,
            end.usage,
            end.cost,
            round(end.time - self._began, 3),
            end.limit,
            end.error,
            tuple(self._denied),
            item.metadata,
        )


class ItemSessions:
    """The sessions of the batch `name` in a folder."""

    def __init__(self, store: Store, folder: Path, name: str) -> None:
        self.name = name
        self._store = store
        self._folder = str(folder)
        # The items whose sessions were seen in the store: all others are new, and need not be looked for.
        self._known: set[str] = set()

    def id_of(self, item_id: str) -> str:
        """As long as any id of a session."""
        named = "\0".join((self._folder, self.name, item_id)).encode("utf-8", "surrogatepass")
        return f"ses_{hashlib.blake2b(named, digest_size=22).hexdigest()}"

    async def find(self, item: BatchItem) -> SessionInfo | None:
        """The session of an item, if there is one. Raises `ConfigError` if it was made for something else."""
        try:
            info = await self._store.info(self.id_of(item.id))
        except SessionNotFound:
            return None
        self._known.add(item.id)
        if (info.metadata or {}).get(KEY) != self._metadata(item):
            raise ConfigError(
                f"the item {item.id!r} has changed since the batch {self.name!r} ran it: give the item another id, or "
                "begin another batch with another --output or --name"
            )
        return info

    async def find_or_create(self, item: BatchItem) -> SessionInfo:
        found = await self.find(item) if item.id in self._known else None
        if found is not None:
            return found
        info = self._new(item)
        try:
            await self._store.create(info)
        except StoreError:
            # Another process that runs the same batch was first.
            if (found := await self.find(item)) is None:
                raise
            return found
        self._known.add(item.id)
        return info

    async def ended(self, item: BatchItem, info: SessionInfo) -> ItemResult | None:
        """The result of the session's last run; None if it has none that has ended."""
        if not info.run_seq or info.open_run is not None:
            return None
        return (await self.read(info)).result(item)

    async def begun_as(self, info: SessionInfo) -> SessionInfo | None:
        """The session with the model and the agent that its open run was begun with; None where none is open."""
        record = await self._store.open_run(info.id) if info.open_run is not None else None
        if record is None:
            return None
        return structs.replace(info, model=record.model or info.model, agent=record.agent or info.agent)

    def not_begun(self, item: BatchItem, error: ErrorInfo) -> ItemResult:
        """The result of an item whose run could not begin."""
        return ItemResult(item.id, self.id_of(item.id), "error", error=error, metadata=item.metadata)

    async def read(self, info: SessionInfo) -> RunReader:
        """A reader that has heard what is stored of the session's last run."""
        reader = RunReader()
        async for event in self._store.events(info.id, max(0, info.run_seq - 1)):
            reader.hear(event)
        return reader

    def _new(self, item: BatchItem) -> SessionInfo:
        now = time.time()
        # A title of its own: the small model need not write one for each of thousands.
        title = f"{self.name}: {item.id}"
        metadata = {KEY: self._metadata(item)}
        return SessionInfo(self.id_of(item.id), title, self._folder, created=now, updated=now, metadata=metadata)

    def _metadata(self, item: BatchItem) -> dict[str, str]:
        return {"name": self.name, "id": item.id, "digest": item.digest}
