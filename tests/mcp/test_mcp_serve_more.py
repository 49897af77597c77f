"""Prompts, resources, completion, logs and questions of `toolpost mcp serve`, used by the SDK's own client."""

import asyncio
import base64
import warnings
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, MCPError, types
from mcp.client.streamable_http import streamable_http_client
from mcp_play import PATIENCE, until
from test_mcp_serve import connected, environ, served

from toolpost.guard.trust import Trust

TOOLS = '''
import asyncio, logging
from toolpost import ToolContext, tool
from toolpost.types.events import Question
from toolpost.types.messages import Message, TextPart

log = logging.getLogger("own")

@tool
async def talk() -> str:
    """Log."""
    log.debug("quietly")
    log.info("softly")
    log.warning("loudly, with sk-abcdefghijklmnopqrstuvwxyz123456")
    await asyncio.to_thread(log.error, "from a thread")
    return "said"

@tool
async def asks_person(ctx: ToolContext) -> str:
    """Ask."""
    questions = [Question("Which?", ("a", "b")), Question("Why?"), Question("More?", ("c", "d"), True)]
    return repr(await ctx.host.ask_person(questions))

@tool
async def asks_model(ctx: ToolContext) -> str:
    """Ask the model."""
    said = await ctx.host.ask_model([Message("1", "user", (TextPart("2+2?"),))], system="Be brief.")
    return f"{said.text} says {said.model}"
'''
CONFIG = """
[permissions]
"*" = "allow"
[permissions.read]
"*" = "allow"
"private/*" = "deny"
[permissions.bash]
"*" = "ask"
"echo *" = "allow"
[resources]
"notes://today" = "notes/today.md"
"notes://day/{day}" = "notes/{day}.md"
"""
COMMANDS = {
    "greet": "Say hello to $ARGUMENTS.",
    "branch": (
        "---\ndescription: Switch\narguments:\n"
        "  - name: branch\n    description: Where to\n    values: [main, maintenance, dev]\n"
        "  - name: why\n    required: false\n---\nGo to $1 because '$2'. Now: !`echo 'on dev'`"
    ),
    "explain": "Explain @$1 to me.",
    "forbidden": "See !`rm x`",
    "private": "See @private/key.txt",
    "look": "Look at @pixel.png and @notes/today.md.",
}
PIXEL = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(40)


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    for name, text in COMMANDS.items():
        write(folder / ".toolpost" / "commands" / f"{name}.md", text)
    write(folder / ".toolpost" / "tools" / "own.py", TOOLS)
    write(folder / ".toolpost" / "config.toml", CONFIG)
    skill = "---\nname: turning\ndescription: Turn on the lathe\n---\nClamp it first."
    write(folder / ".toolpost" / "skills" / "turning" / "SKILL.md", skill)
    write(folder / "AGENTS.md", "Be kind.")
    write(folder / "notes" / "today.md", "Nothing yet.")
    write(folder / "private" / "key.txt", "no")
    write(folder / ".env", "A=b")
    (folder / "pixel.png").write_bytes(PIXEL)
    Trust.of_user(environ(folder)).give(folder)
    return folder


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)


# The newest protocol over both ways, and the one of 2025.
each_way = pytest.mark.parametrize("way", ["stdio", "http", "old stdio"])


@asynccontextmanager
async def reached(project, way):
    if way != "http":
        async with connected(project, **({"mode": "legacy"} if way == "old stdio" else {})) as client:
            yield client
        return
    async with (
        served(project) as (url, token),
        http_client(token) as http,
        Client(streamable_http_client(url, http_client=http)) as client,
    ):
        yield client


def http_client(token):
    return httpx2.AsyncClient(headers={"Authorization": f"Bearer {token}"}, timeout=PATIENCE)


@each_way
async def test_commands_and_skills_are_prompts(project, way):
    async with reached(project, way) as client:
        prompts = {prompt.name: prompt for prompt in (await client.list_prompts()).prompts}
        assert prompts.keys() == {*COMMANDS, "turning"}
        branch = prompts["branch"]
        assert branch.description == "Switch"
        told = [(argument.name, argument.description, argument.required) for argument in branch.arguments]
        assert told == [("branch", "Where to", True), ("why", None, False)]
        assert [argument.name for argument in prompts["explain"].arguments] == ["arg1"]
        assert [(argument.name, argument.required) for argument in prompts["greet"].arguments] == [("arguments", False)]

        async def text(name, **arguments):
            return (await client.get_prompt(name, arguments)).messages[-1].content.text

        assert await text("greet", arguments="Ada and $1") == "Say hello to Ada and $1."
        assert await text("branch", branch="two words") == "Go to two words because ''. Now: on dev\n[exit code 0]"
        assert (
            await text("branch", branch="x", why="'; rm -rf /")
            == "Go to x because ''; rm -rf /'. Now: on dev\n[exit code 0]"
        )
        assert (await text("turning", task="Make a bowl.")).endswith("Make a bowl.")
        assert "Clamp it first." in await text("turning")
        found = (await client.get_prompt("look")).messages
        assert [message.content.type for message in found] == ["image", "resource", "text"]
        assert base64.b64decode(found[0].content.data) == PIXEL
        assert found[1].content.resource.text == "Nothing yet."
        again = (await client.read_resource(str(found[1].content.resource.uri))).contents[0]
        assert again.text == "Nothing yet.", "its address can be read"


@pytest.mark.parametrize(
    ("name", "arguments", "why"),
    [
        ("nothing", {}, "no prompt nothing"),
        ("branch", {}, "branch needs branch"),
        ("branch", {"branch": "a", "other": "b"}, "no argument other"),
        ("forbidden", {}, "bash"),
        ("private", {}, "read"),
    ],
)
async def test_a_prompt_does_nothing_that_a_rule_does_not_allow(project, name, arguments, why):
    async with connected(project) as client:
        with pytest.raises(MCPError, match=why):
            await client.get_prompt(name, arguments)


@each_way
async def test_what_the_folder_says_and_its_files_are_resources_behind_the_rules(project, way):
    async with reached(project, way) as client:
        listed = {resource.name: resource for resource in (await client.list_resources()).resources}
        assert {"AGENTS.md", ".toolpost/skills/turning/SKILL.md", "notes/today.md"} <= listed.keys()
        templates = [one.uri_template for one in (await client.list_resource_templates()).resource_templates]
        assert templates == ["notes://day/{day}", f"{project.as_uri()}/{{+path}}"]

        async def read(uri):
            return (await client.read_resource(uri)).contents[0]

        assert (await read(listed["AGENTS.md"].uri)).text == "Be kind."
        assert (await read("notes://today")).mime_type == "text/markdown"
        assert (await read("notes://day/today")).text == "Nothing yet."
        assert base64.b64decode((await read(f"{project.as_uri()}/pixel.png")).blob) == PIXEL
        for _ in range(4):
            assert (await read("notes://today")).text == "Nothing yet."
        for uri in (
            f"{project.as_uri()}/private/key.txt",
            f"{project.as_uri()}/.env",
            f"{project.as_uri()}/missing",
            "file:///etc/hostname",
            "notes://day/%2e%2e%2fprivate%2fkey",
            "notes://tomorrow",
        ):
            with pytest.raises(MCPError):
                await read(uri)


async def test_where_reading_is_off_there_are_no_resources(project):
    (project / ".toolpost" / "config.toml").write_text(CONFIG + "[tools]\nread = false\n")
    Trust.of_user(environ(project)).give(project)
    async with connected(project) as client:
        assert (await client.list_resources()).resources == []
        with pytest.raises(MCPError):
            await client.read_resource("notes://today")
        with pytest.raises(MCPError):
            await client.get_prompt("look")


async def test_a_folder_that_is_not_trusted_brings_no_prompts_and_names_no_resources(project):
    (project / ".toolpost" / "config.toml").write_text(CONFIG + "# changed\n")
    async with connected(project, "--allow", "read") as client:
        assert (await client.list_prompts()).prompts == []
        assert "notes/today.md" not in {one.name for one in (await client.list_resources()).resources}


@each_way
async def test_values_of_arguments_are_completed(project, way):
    async with reached(project, way) as client:

        async def completed(ref, argument, value):
            return (await client.complete(ref, {"name": argument, "value": value})).completion.values

        branch = types.PromptReference(type="ref/prompt", name="branch")
        assert await completed(branch, "branch", "ma") == ["main", "maintenance"]
        assert await completed(branch, "why", "") == []
        explain = types.PromptReference(type="ref/prompt", name="explain")
        assert await completed(explain, "arg1", "no") == ["notes/"]
        assert await completed(explain, "arg1", "notes/t") == ["notes/today.md"]
        assert await completed(explain, "arg1", ".e") == []
        assert await completed(explain, "arg1", "../") == []
        day = types.ResourceTemplateReference(type="ref/resource", uri="notes://day/{day}")
        assert await completed(day, "day", "to") == ["today"]
        files = types.ResourceTemplateReference(type="ref/resource", uri=f"{project.as_uri()}/{{+path}}")
        assert await completed(files, "path", "pix") == ["pixel.png"]
        with pytest.raises(MCPError):
            await completed(types.PromptReference(type="ref/prompt", name="nothing"), "a", "")


@pytest.mark.parametrize(
    ("level", "lines"),
    [
        (None, ["warning", "error"]),
        ("debug", ["debug", "info", "warning", "error"]),
        ("error", ["error"]),
    ],
)
async def test_what_is_logged_during_a_call_goes_to_the_client_from_the_level_that_it_wants(project, level, lines):
    told = []

    async def on_log(params):
        told.append(params)

    async with connected(project, mode="legacy", logging_callback=on_log) as client:
        if level:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                await client.set_logging_level(level)
        await client.call_tool("talk", {})
        await until(lambda: len(told) >= len(lines))
    assert [one.level for one in told if one.logger == "own"] == lines
    assert "sk-abcdefghijklmnopqrstuvwxyz123456" not in repr(told)


async def test_a_client_that_can_ask_a_person_or_a_model_is_asked_by_tools(project):
    asked = []

    async def on_elicit(context, params):
        asked.append(params.requested_schema)
        return types.ElicitResult(action="accept", content={"answer1": "b", "answer2": "so", "answer3": ["c", "d"]})

    async def on_sample(context, params):
        assert params.system_prompt == "Be brief."
        text = types.TextContent(type="text", text=f"{params.messages[0].content.text} 4")
        return types.CreateMessageResult(role="assistant", content=text, model="small")

    callbacks = {"elicitation_callback": on_elicit, "sampling_callback": on_sample}
    async with connected(project, mode="legacy", **callbacks) as client:
        assert "question" in {tool.name for tool in (await client.list_tools()).tools}
        assert (await client.call_tool("asks_person", {})).content[0].text == "(('b',), ('so',), ('c', 'd'))"
        assert (await client.call_tool("asks_model", {})).content[0].text == "2+2? 4 says mcp/client"
    assert asked[0]["properties"]["answer1"]["enum"] == ["a", "b"]
    async with connected(project, mode="legacy") as client:
        assert "question" not in {tool.name for tool in (await client.list_tools()).tools}
        assert (await client.call_tool("asks_person", {})).content[0].text == "None"
        result = await client.call_tool("asks_model", {})
        assert result.is_error
        assert "does not support sampling" in result.content[0].text


async def test_who_subscribes_to_a_resource_is_told_when_its_file_changes(project):
    changed = asyncio.Event()

    async def on_message(message):
        if getattr(message, "method", "") == "notifications/resources/updated":
            assert str(message.params.uri) == "notes://today"
            changed.set()

    async with connected(project, mode="legacy", message_handler=on_message) as client:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            await client.subscribe_resource("notes://today")
            with pytest.raises(MCPError):
                await client.subscribe_resource(f"{project.as_uri()}/private/key.txt")
        (project / "notes" / "today.md").write_text("Something after all.")
        await asyncio.wait_for(changed.wait(), PATIENCE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            await client.unsubscribe_resource("notes://today")


async def test_over_http_only_a_page_of_its_own_origin_gets_in(project):
    ask = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}
    ask["params"] = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    async with served(project) as (url, token), http_client(token) as http:
        own = url.removesuffix("/mcp")
        port = own.rpartition(":")[2]
        accept = {"Accept": "application/json, text/event-stream"}

        async def status(origin):
            return (await http.post(url, json=ask, headers={**accept, "Origin": origin})).status_code

        assert await status(own) == 200
        assert await status(f"http://localhost:{port}") == 200
        for origin in (
            f"https://127.0.0.1:{port}",
            "http://127.0.0.1:1",
            "http://evil.example",
            "null",
            f"{own}.evil.example",
        ):
            assert await status(origin) == 403
