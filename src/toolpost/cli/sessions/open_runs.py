"""What the open runs of stored sessions are doing, and titles for sessions whose run has not begun."""

from typing import TYPE_CHECKING

from msgspec import structs

from toolpost.types.errors import MessageNotFound, SessionNotFound

if TYPE_CHECKING:
    from toolpost.store.contract import SessionInfo, Store
    from toolpost.store.run_records import OpenRun


async def open_run_of(store: "Store", info: "SessionInfo") -> "OpenRun | None":
    # Imported here: without an open run nothing of it is needed.
    from toolpost.store.run_records import OpenRun

    record = None if info.open_run is None else await store.open_run(info.id)
    if record is None:
        return None
    return OpenRun(record, info.folder, info.owner, info.parent, await store.holder(info.id))


async def state_of(store: "Store", info: "SessionInfo", run: "OpenRun | None") -> str:
    """`idle`, `queued`, `running`, `waiting` for a person, or `interrupted`: its process has died."""
    if run is None:
        return "idle"
    if run.record.state == "queued" and run.record.is_started and not run.record.home:
        # A person let go of it, such as an item of a batch: no process goes on with it by itself.
        return "interrupted"
    if run.record.state != "running":
        return run.record.state
    # Imported here: most sessions have no open run.
    from toolpost.engine.unheld_runs import open_requests

    try:
        is_asking = run.record.is_started and any(await open_requests(store, info))
    except (SessionNotFound, MessageNotFound):
        # It was deleted meanwhile.
        return "idle"
    if is_asking:
        return "waiting"
    return "running" if run.holder is not None and run.holder.is_alive else "interrupted"


def titled(info: "SessionInfo", run: "OpenRun | None") -> "SessionInfo":
    """With the beginning of its prompt as its title, where its run has not begun and given it one."""
    if info.title or run is None or not run.record.prompts:
        return info
    # Imported here: most sessions have a title.
    from toolpost.engine.titles import first_title

    return structs.replace(info, title=first_title(run.record.prompts[-1].text))
