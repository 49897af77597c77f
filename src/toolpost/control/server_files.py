"""Undo and redo changes of files on a server."""

from collections.abc import Mapping, Sequence
from typing import Any

from .api_answers import ApiDiffs
from .api_client import ApiClient, ServerRefused
from .contract import ChangedFileDiff


async def try_undo(
    api: ApiClient, path: str, prompts: Sequence[str]
) -> tuple[tuple[ChangedFileDiff, ...], tuple[str, ...]]:
    """Return what an undo of these prompts would change in files, and why it can't be done."""
    try:
        found = await api.post(f"{path}/undo", ApiDiffs, {"messages": prompts, "is_trial": True})
    except ServerRefused as error:
        # An older server does not take several at once: then nothing is offered.
        return (), ((str(error),) if error.status == 409 else ())
    return found.changes, found.left


async def undo_files(api: ApiClient, path: str, messages: Sequence[str]) -> str:
    return await _turn(api, f"{path}/undo", {"messages": messages}, "undone")


async def redo_files(api: ApiClient, path: str) -> str:
    return await _turn(api, f"{path}/redo", {"message": "last"}, "redone")


async def _turn(api: ApiClient, path: str, body: Mapping[str, Any], done: str) -> str:
    found = await api.post(path, ApiDiffs, body)
    if not found.is_done:
        return f"nothing can be {done}"
    paths = ", ".join(one.path for one in found.changes)
    left = f"; not {done}: {', '.join(found.left)}" if found.left else ""
    return (f"{done}: {paths}" if paths else f"nothing was {done}") + left
