"""Register all routes below /api, except the chat's."""

from toolpost.server.chat.conversations import Rooms
from toolpost.server.gateway.targets import Targets
from toolpost.server.routing import Route
from toolpost.workspace import Workspace

from . import (
    agents,
    approvals,
    commands,
    cost,
    events,
    files,
    import_export,
    mcp,
    me,
    messages,
    models,
    permissions,
    project_files,
    runs,
    search,
    sessions,
    settings,
    tools,
)


def api_routes(workspace: Workspace, rooms: Rooms, targets: Targets) -> list[Route]:
    return [
        *sessions.routes(rooms),
        *messages.routes(rooms),
        *runs.routes(rooms),
        *import_export.routes(rooms),
        *search.routes(rooms),
        *events.routes(rooms),
        *me.routes(workspace, targets),
        *approvals.routes(rooms),
        *permissions.routes(workspace),
        *files.routes(rooms),
        *cost.routes(rooms),
        *models.routes(workspace, targets),
        *agents.routes(workspace),
        *commands.routes(rooms),
        *project_files.routes(workspace),
        *tools.routes(workspace),
        *mcp.routes(rooms),
        *settings.routes(workspace),
    ]
