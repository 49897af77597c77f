"""The client that the conformance suite starts: logs in, connects and calls every tool, with our own parts.

The suite gives the server's address as the last argument, and in its environment which scenario it is.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from mcp_login_server import browse
from mcp_play import Caller

from toolpost.config.token_store import TokenStore
from toolpost.mcp.config import McpServer, OAuth
from toolpost.mcp.elicitation import elicit_from_person
from toolpost.mcp.errors import NeedsScope
from toolpost.mcp.oauth import login
from toolpost.mcp.server_set import McpServers

PATIENCE = 60.0
NUMBERS = {"number", "integer"}


class Agreeable:
    """A person who takes every form as it stands."""

    async def ask_person(self, questions):
        return tuple(("",) for _ in questions)


async def main(url, scenario, context):
    with tempfile.TemporaryDirectory() as place:
        folder, vault = Path(place), TokenStore({"TOOLPOST_DATA_DIR": place})
        server = McpServer("conformance", url=url, type="http", oauth=oauth_for(scenario, context))
        if scenario.startswith("auth/") and server.oauth.grant == "authorization_code":
            await login(server, vault, browse)
        servers = McpServers([server], folder, {}, trusted=True, vault=vault, elicit=elicit_from_person)
        servers.start()
        try:
            await servers.ready(PATIENCE)
            tools = await servers.reach(server.name, PATIENCE)
            for name, tool in tools.items():
                caller = Caller(folder)
                caller.host = Agreeable()
                try:
                    await servers.call(server.name, name, arguments_of(tool), caller.context())
                except NeedsScope:
                    await login(server, vault, browse)
                    await servers.call(server.name, name, arguments_of(tool), caller.context())
        finally:
            await servers.close()


def oauth_for(scenario, context):
    """What a person would have written into the configuration."""
    own = {"client_id": context.get("client_id", ""), "client_secret": context.get("client_secret", "")}
    if scenario == "auth/basic-cimd":
        return OAuth(client_metadata_url="https://conformance-test.local/client-metadata.json")
    if scenario.startswith("auth/client-credentials"):
        return OAuth(**own, grant="client_credentials", private_key=context.get("private_key_pem", ""))
    return OAuth(**own)


def arguments_of(tool):
    properties = tool.parameters.get("properties") or {}
    return {name: 2 if one.get("type") in NUMBERS else "text" for name, one in properties.items()}


asyncio.run(
    main(
        sys.argv[-1],
        os.environ["MCP_CONFORMANCE_SCENARIO"],
        json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT", "{}")),
    )
)
