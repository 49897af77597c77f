"""Register all routes below /api, except the chat's."""

from toolpost.server.chat.conversations import Conversations
from toolpost.server.gateway.targets import Targets
from toolpost.server.routing import Route
from toolpost.workspace import Workspace

from . import (
    agents,
    commands,
    cost,
    events,
    files,
    history,
    import_export,
    mcp,
    me,
    messages,
    models,
    pending_requests,
    permissions,
    project_files,
    prompts,
    provider_keys,
    session_actions,
    sessions,
    tools,
)


def api_routes(workspace: Workspace, conversations: Conversations, targets: Targets) -> list[Route]:
    return [
        *sessions.routes(conversations),
        *messages.routes(conversations),
        *history.routes(conversations),
        *prompts.routes(conversations),
        *session_actions.routes(conversations),
        *import_export.routes(conversations),
        *sessions.search_routes(conversations),
        *events.routes(conversations),
        *me.routes(workspace, targets),
        *pending_requests.routes(conversations),
        *permissions.routes(workspace),
        *files.routes(conversations),
        *cost.routes(conversations),
        *models.routes(workspace, targets),
        *agents.routes(workspace),
        *commands.routes(conversations),
        *project_files.routes(workspace),
        *tools.routes(workspace),
        *mcp.routes(conversations),
        *provider_keys.routes(workspace),
    ]
