"""Find a session or an approval by its id or the beginning of it."""

from typing import TYPE_CHECKING

from toolpost.types.errors import SessionNotFound, ToolpostError

from .formats import short_id

if TYPE_CHECKING:
    from collections.abc import Iterable

    from toolpost.store.contract import Approval, SessionInfo
    from toolpost.workspace import Workspace

LATEST = "latest"
ID_HELP = "a session id, the beginning of one, or `latest`"
MAX_CANDIDATES = 5


async def find_session(workspace: "Workspace", wanted: str) -> "SessionInfo":
    """The session with this id, with the only id that begins so, or with `latest` the newest of this project."""
    if wanted == LATEST:
        return await _latest(workspace)
    try:
        return await workspace.store.info(wanted)
    except SessionNotFound:
        found = await _beginning_with(workspace, wanted)
    if not found:
        raise SessionNotFound(wanted)
    if len(found) > 1:
        raise ToolpostError(_ambiguous(wanted, [info.id for info in found]))
    return found[0]


async def find_changer(workspace: "Workspace", wanted: str) -> str:
    """The id of a session, as above, or of a deleted one whose changes of files are still in the journal."""
    try:
        return (await find_session(workspace, wanted)).id
    except SessionNotFound:
        deleted = only_id(wanted, {change.session_id for change in workspace.journal.changes()})
        if not deleted:
            raise
        return deleted


def only_id(wanted: str, ids: "Iterable[str]") -> str:
    """The one of these that is or begins so; "" where none does. Several are an error."""
    found = sorted(one for one in ids if _begins(one, wanted))
    if len(found) > 1 and wanted not in found:
        raise ToolpostError(_ambiguous(wanted, found))
    return (wanted if wanted in found else found[0]) if found else ""


async def find_approval(workspace: "Workspace", wanted: str) -> "Approval":
    """The saved approval, of any project, with this id or with the only one that begins so."""
    saved = {one.id: one for one in await workspace.store.approvals()}
    found = only_id(wanted, saved)
    if not found:
        raise ToolpostError(f"no saved approval {wanted}: `toolpost permissions list --all` lists them")
    return saved[found]


async def _latest(workspace: "Workspace") -> "SessionInfo":
    async for info in workspace.store.sessions(folder=str(workspace.project)):
        if info.parent is None:
            return info
    raise ToolpostError('no sessions in this project yet; to start one: toolpost run "…"')


async def _beginning_with(workspace: "Workspace", wanted: str) -> "list[SessionInfo]":
    found: list[SessionInfo] = []
    async for info in workspace.store.sessions():
        if _begins(info.id, wanted):
            found.append(info)
            if len(found) > MAX_CANDIDATES:
                break
    return found


def _begins(full: str, wanted: str) -> bool:
    """The kind before the `_` may be left out, as it is where ids are listed."""
    return bool(wanted) and (full.startswith(wanted) or full.partition("_")[2].startswith(wanted))


def _ambiguous(wanted: str, ids: list[str]) -> str:
    shown = ", ".join(short_id(one) for one in ids[:MAX_CANDIDATES])
    more = ", …" if len(ids) > MAX_CANDIDATES else ""
    return f"{wanted} matches several ids: {shown}{more}; use more characters"
