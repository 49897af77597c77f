"""Submit runs to Temporal: start, wake and cancel their workflows. The one that holds a run has the run's id."""

import hashlib
import logging
import time
from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from toolpost.config.schema import EngineSettings
from toolpost.engine.drive import RunTicket

from .connection import PATIENCE, TemporalConnection, unless_gone
from .queues import queue_of

if TYPE_CHECKING:
    from temporalio.client import Client
    from temporalio.common import TypedSearchAttributes

log = logging.getLogger("toolpost.temporal")

# What runs can be searched by in Temporal's own page; all of them are keywords.
ATTRIBUTES = ("ToolpostOwner", "ToolpostAgent", "ToolpostSession", "ToolpostState")
# A server that does not know them is asked again after so long; seconds.
ATTRIBUTES_PAUSE = 60.0
# A column of the server's database; characters.
MAX_ATTRIBUTE = 255
# Temporal takes no longer key; bytes.
MAX_FAIRNESS_KEY = 64

_TIMEOUT = timedelta(seconds=PATIENCE)


class TemporalEngine:
    """A `RunEngine`. It connects when it is first used, and raises `ToolpostError` while the server is away: the run
    is in the store and can be submitted again."""

    def __init__(self, settings: EngineSettings, environ: Mapping[str, str]) -> None:
        self._pool = settings.pool
        self._connection = TemporalConnection(settings, environ, self._register_attributes)
        # What is wrong in the settings is an error now.
        queue_of("/", settings.pool)
        self._attributes_from = 0.0
        self._has_said = False

    async def submit(self, ticket: RunTicket, *, delay: float = 0.0) -> None:
        await self._start(ticket, start_delay=timedelta(seconds=delay) if delay > 0 else None)

    async def wake(self, ticket: RunTicket) -> None:
        # Should Temporal have lost it, it begins anew: what it is to do next is in the store.
        await self._start(ticket, start_signal="answered")

    async def cancel(self, ticket: RunTicket) -> None:
        async with self._connection.client() as client:
            with unless_gone():
                await client.get_workflow_handle(ticket.run_id).cancel(rpc_timeout=_TIMEOUT)

    async def close(self) -> None:
        self._connection.close()

    async def _start(self, ticket: RunTicket, **options: Any) -> None:
        from temporalio.service import RPCError, RPCStatusCode

        async with self._connection.client() as client:
            found_by = _attributes(ticket) if time.monotonic() >= self._attributes_from else None
            try:
                await self._start_with(client, ticket, found_by, options)
            except RPCError as error:
                unknown = error.status == RPCStatusCode.INVALID_ARGUMENT and "search attribute" in error.message
                if found_by is None or not unknown:
                    raise
                self._go_on_without(error.message)
                await self._start_with(client, ticket, None, options)

    async def _start_with(
        self, client: "Client", ticket: RunTicket, found_by: "TypedSearchAttributes | None", options: dict[str, Any]
    ) -> None:
        from temporalio.common import Priority, WorkflowIDConflictPolicy

        await client.start_workflow(
            "toolpost.run",
            {"session_id": ticket.session_id, "run_id": ticket.run_id},
            id=ticket.run_id,
            task_queue=queue_of(ticket.folder, self._pool),
            id_conflict_policy=WorkflowIDConflictPolicy.USE_EXISTING,
            priority=Priority(fairness_key=_fairness_key(ticket.owner)),
            search_attributes=found_by,
            static_summary=" for ".join(filter(None, (ticket.agent or "a run", ticket.owner))),
            # For a worker that dies while it has a task of the workflow; usually it takes milliseconds.
            task_timeout=timedelta(seconds=5),
            rpc_timeout=_TIMEOUT,
            **options,
        )

    async def _register_attributes(self, client: "Client") -> None:
        """Hosted servers do not allow it; there they may have been made by hand, so that a start tells."""
        from temporalio.api.enums.v1 import IndexedValueType
        from temporalio.api.operatorservice.v1 import AddSearchAttributesRequest, ListSearchAttributesRequest
        from temporalio.service import RPCError

        try:
            asked = ListSearchAttributesRequest(namespace=client.namespace)
            there = await client.operator_service.list_search_attributes(asked, timeout=_TIMEOUT)
            keyword = IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD
            missing = {name: keyword for name in ATTRIBUTES if name not in there.custom_attributes}
            if missing:
                wanted = AddSearchAttributesRequest(namespace=client.namespace, search_attributes=missing)
                await client.operator_service.add_search_attributes(wanted, timeout=_TIMEOUT)
        except RPCError as error:
            log.info("search attributes were not registered: %s", error.message)

    def _go_on_without(self, why: str) -> None:
        self._attributes_from = time.monotonic() + ATTRIBUTES_PAUSE
        if not self._has_said:
            self._has_said = True
            log.warning(
                "runs can't be searched for by owner, agent, session and state in Temporal (%s): create the search "
                "attributes %s as keywords in namespace %s",
                why,
                ", ".join(ATTRIBUTES),
                self._connection.address.namespace,
            )


def _attributes(ticket: RunTicket) -> "TypedSearchAttributes":
    from temporalio.common import SearchAttributeKey, SearchAttributePair, TypedSearchAttributes

    values = (ticket.owner, ticket.agent, ticket.session_id, "queued")
    given = {name: value[:MAX_ATTRIBUTE] for name, value in zip(ATTRIBUTES, values, strict=True) if value}
    return TypedSearchAttributes(
        [SearchAttributePair(SearchAttributeKey.for_keyword(name), value) for name, value in given.items()]
    )


def _fairness_key(owner: str) -> str | None:
    if len(owner.encode()) > MAX_FAIRNESS_KEY:
        return hashlib.sha256(owner.encode()).hexdigest()
    return owner or None
