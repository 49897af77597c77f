"""A server gets only the secrets that are meant for it, and what it tells of them reaches nobody."""

import json
import sys

import pytest
from mcp_play import ENVIRON, Caller, Script, inside, running, text_of, tools_of

from toolpost import Agent
from toolpost.guard.redact import known_secrets
from toolpost.mcp.config import McpServer
from toolpost.testing import ScriptedModel, call, text
from toolpost.types.events import event_encoder

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks for processes in /proc")

KEY = "sk-test-0123456789abcdef"
GIVEN = "given-to-this-server-42"


async def test_a_server_gets_no_secret_by_value_either(tmp_path):
    environ = {**ENVIRON, "MY_KEY": KEY, "COPY": f"-H x:{KEY}", "DB": "postgres://me:hunter2@h/x", "COLOUR": "blue"}
    script = Script(tmp_path, env={"SOME_TOKEN": GIVEN, "DB": "postgres://you:hunter3@h/x"})
    async with running(script.config, folder=tmp_path, environ=environ) as servers:
        result = await tools_of(servers)["mcp__script__environ"].execute({}, Caller(tmp_path).context())
        seen = json.loads(inside(text_of(result)))
    assert not {"MY_KEY", "COPY"} & seen.keys()
    assert (seen["COLOUR"], seen["PATH"]) == ("blue", ENVIRON["PATH"])
    assert (seen["SOME_TOKEN"], seen["DB"]) == (GIVEN, "postgres://you:hunter3@h/x")


async def test_what_was_given_to_a_server_is_hidden_where_it_tells_it(tmp_path):
    events = []
    script = Script(tmp_path, env={"SOME_TOKEN": GIVEN})
    async with running(script.config, folder=tmp_path) as servers:
        with ScriptedModel(call("mcp__script__environ"), text("ok")) as model:
            tools = [tools_of(servers)["mcp__script__environ"]]
            session = Agent(model, tools, headless="allow").session()
            session.subscribe(events.append)
            await session.run("go")
            await session.close()
    published = b"".join(map(event_encoder.encode, events)).decode()
    assert r"\"SOME_TOKEN\": \"***\"" in published
    assert GIVEN not in published


async def test_headers_of_a_remote_server_are_hidden(tmp_path):
    away = McpServer("away", url="http://127.0.0.1:9/mcp", headers={"Authorization": "Bearer of-a-remote-one-7"})
    async with running(away, folder=tmp_path, ready=False) as servers:
        await servers.changed.until(lambda: known_secrets().hide("of-a-remote-one-7") == "***")
