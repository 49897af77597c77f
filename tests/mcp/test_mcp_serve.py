"""`toolpost mcp serve`, used by the SDK's own client: over stdio, and over HTTP with a token."""

import asyncio
import os
import re
import sys
from contextlib import asynccontextmanager

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.streamable_http import streamable_http_client
from mcp_play import PATIENCE, until

from toolpost.guard.trust import Trust

TOOLS = '''
import asyncio, base64, os
from pathlib import Path
from typing import Annotated
from toolpost import ToolContext, ToolError, ToolResult, tool
from toolpost.tools.define import RateLimit
from toolpost.types.messages import FilePart

print("nor does this, while the file is loaded")
os.system("echo and nor does what a command of it writes")

@tool(read_only=True)
def shout(text: Annotated[str, "What to shout"]) -> str:
    """Shout a text. Use it to be heard."""
    print("this goes nowhere near the protocol")
    return text.upper()

@tool
async def prints() -> str:
    """Print, and let a command of its own write."""
    print("line one")
    os.system("echo what a command writes is not for the protocol")
    print("line two")
    await asyncio.sleep(0.5)  # for what waits to be sent
    return "printed"

@tool(patterns=lambda arguments: [arguments["path"]])
async def remove(path: str) -> str:
    """Remove a file."""
    return f"removed {path}"

@tool
async def asks(ctx: ToolContext) -> str:
    """Do something that needs more."""
    await ctx.ask("more", ["x"])
    return "got it"

@tool
async def slow(ctx: ToolContext) -> str:
    """Take long."""
    ctx.update("one\\\\n")
    ctx.update("two\\\\n")
    Path("started").touch()
    try:
        await asyncio.sleep(600)
    finally:
        Path("stopped").touch()

@tool
async def chatty(ctx: ToolContext) -> str:
    """Say much."""
    for number in range(5_000):
        ctx.update(f"{number}\\n")
    await asyncio.sleep(1)  # for what waits to be sent
    return "done"

@tool
def todo_read() -> str:
    """One of the folder's own, which needs no session."""
    return "nothing to do"

@tool
async def child(ctx: ToolContext) -> str:
    """Tell what a child process would see."""
    return ",".join(sorted(await ctx.environment()))

@tool
def broken() -> str:
    """Break."""
    raise ValueError("no luck")

@tool(heeds_read_only=True)
async def may_change(ctx: ToolContext) -> str:
    """Say whether it may change things."""
    return "no" if ctx.read_only else "yes"

@tool
async def clings() -> str:
    """Hold on to life."""
    while True:
        try:
            await asyncio.sleep(600)
        except asyncio.CancelledError:
            pass

@tool(rate_limit=RateLimit(1, 600))
async def seldom() -> str:
    """Run seldom."""
    return "done"

running = 0

@tool(parallel=False)
async def alone(number: int) -> str:
    """Note how many others run."""
    global running
    with Path("crowd").open("a") as file:
        file.write(str(running))
    running += 1
    await asyncio.sleep(0.05)
    running -= 1
    return ""

@tool
def picture() -> ToolResult:
    """Show."""
    return ToolResult(["look", FilePart("image/png", base64.b64encode(b"png").decode())])

@tool
def never() -> str:
    """Not on offer."""
    return ""

def init(context):
    with Path("inits").open("a") as file:
        file.write(f"{context.agent} {context.model}\\n")
    return {"description": "Made for you.", "parameters": {"type": "object", "properties": {"a": {"maximum": 3}}}}

@tool(init=init)
def made(a: int) -> str:
    """As it was written."""
    return str(a)

@tool(init=lambda context: None)
def hidden() -> str:
    """Not for this client."""
    return ""

@tool(init=lambda context: 1 / 0)
def failing() -> str:
    """Never there."""
    return ""

@tool
async def forgets() -> str:
    """Forget to await."""
    return asyncio.sleep(0)
'''.replace("\\\\", "\\")
CONFIG = """
[permissions]
"*" = "allow"
more = "ask"
never = "deny"
[permissions.remove]
"*" = "ask"
"tmp/*" = "allow"
"keep/*" = "deny"
"""


@pytest.fixture
def project(tmp_path):
    folder = tmp_path / "project"
    (folder / ".toolpost" / "tools").mkdir(parents=True)
    (folder / ".toolpost" / "tools" / "own.py").write_text(TOOLS)
    (folder / ".toolpost" / "config.toml").write_text(CONFIG)
    Trust.of_user(environ(folder)).give(folder)
    return folder


def environ(project):
    home = str(project.parent)
    return {**os.environ, "HOME": home, "XDG_CONFIG_HOME": home, "TOOLPOST_DATA_DIR": home, "SOME_API_KEY": "sk-x"}


@asynccontextmanager
async def connected(project, *options, **client_options):
    arguments = ["-m", "toolpost", "mcp", "serve", *options]
    parameters = StdioServerParameters(command=sys.executable, args=arguments, env=environ(project), cwd=project)
    async with Client(parameters, **client_options) as client:
        yield client


async def said(client, name, **arguments):
    result = await client.call_tool(name, arguments)
    return result.is_error, result.content[0].text


async def test_an_mcp_client_uses_our_tools_behind_our_rules(project):
    async with connected(project) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert "never" not in tools
        assert tools["shout"].annotations.read_only_hint
        assert tools["shout"].input_schema["properties"]["text"]["description"] == "What to shout"
        assert (await said(client, "shout", text="hi"))[1] == "HI"
        assert (await said(client, "remove", path="tmp/a"))[1] == "removed tmp/a"
        for path in ("other/a", "keep/a"):
            refused, why = await said(client, "remove", path=path)
            assert refused
            assert "remove" in why
        refused, why = await said(client, "asks")
        assert refused
        assert why.endswith("The owner of this folder can allow it: toolpost mcp serve --allow more")
        assert (await said(client, "never"))[0]
        assert await said(client, "broken") == (True, "ValueError: no luck")
        assert "should be a string" in (await said(client, "shout", text=None))[1]
        assert "SOME_API_KEY" not in (await said(client, "child"))[1]
        picture = (await client.call_tool("picture", {})).content[1]
        assert (picture.type, picture.mime_type, picture.data) == ("image", "image/png", "cG5n")


async def test_what_a_tool_prints_is_its_progress(project):
    told = []

    async def on_progress(progress, total, message):
        told.append(message)

    async with connected(project) as client:
        result = await client.call_tool("prints", {}, progress_callback=on_progress)
        await until(lambda: told)
    assert result.content[0].text == "printed"
    assert "".join(told) == "line one\nline two\n"
    assert "prints: line one" in (project.parent / "toolpost.log").read_text()


async def test_tools_that_need_a_session_of_ours_are_not_on_offer(project):
    async with connected(project) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"read", "edit", "grep", "bash", "web_fetch"} <= names
        assert not {"task", "batch", "question", "todo_write", "skill"} & names
        assert (await said(client, "task", prompt="x", description="x"))[0]
        assert await said(client, "todo_read") == (False, "nothing to do")


async def test_an_agent_that_may_only_look_serves_only_tools_that_look(project):
    async with connected(project, "--agent", "plan", "--allow", "*") as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"read", "grep", "shout"} <= names
        assert not {"write", "edit", "apply_patch", "remove"} & names
        assert (await said(client, "remove", path="tmp/a"))[0]


async def test_an_agent_that_may_only_look_changes_nothing_through_a_tool_that_heeds_it(project):
    (project / "kept.txt").write_text("as it was")
    async with connected(project, "--agent", "plan", "--allow", "*") as client:
        for command in ("touch marker", "echo x > marker", "rm kept.txt", "sh -c 'echo x > marker'"):
            await said(client, "bash", command=command)
        assert (await said(client, "may_change"))[1] == "no"
    async with connected(project, "--allow", "*") as client:
        assert (await said(client, "may_change"))[1] == "yes"
    assert not (project / "marker").exists()
    assert (project / "kept.txt").read_text() == "as it was"


async def test_an_outsiders_call_lives_as_any_other(project):
    (project / ".toolpost" / "config.toml").write_text(CONFIG + "[limits]\ntool_timeout = 1\n")
    Trust.of_user(environ(project)).give(project)
    async with connected(project) as client:
        assert (await said(client, "functions.Shout", text="repaired"))[1] == "REPAIRED"
        # The third time the same comes of the same, the call is refused; what changes is no repetition.
        said_same = [await said(client, "shout", text="again") for _ in range(3)]
        assert [failed for failed, _ in said_same] == [False, False, True]
        assert "doom_loop" in said_same[2][1]
        assert (await said(client, "shout", text="something else"))[1] == "SOMETHING ELSE"
        failed, why = await said(client, "clings")
        assert failed
        assert "was stopped after 1 s" in why
        assert await said(client, "seldom") == (False, "done")
        failed, why = await said(client, "seldom")
        assert failed
        assert "was stopped after 1 s" in why


async def test_tools_that_run_alone_do_so_for_an_outsider_too(project):
    async with connected(project) as client:
        await asyncio.gather(*(client.call_tool("alone", {"number": number}) for number in range(3)))
    assert (project / "crowd").read_text() == "0" * 3


async def test_an_approval_that_was_saved_counts_for_no_outsider(project):
    from toolpost.store.contract import Approval
    from toolpost.store.sqlite.store import SqliteStore

    store = SqliteStore(project.parent / "toolpost.db")
    await store.approve([Approval("1", str(project), "more", "*", 1.0)])
    await store.close()
    async with connected(project) as client:
        assert (await said(client, "asks"))[0]
    (project / ".toolpost" / "config.toml").write_text('headless = "allow"\n' + CONFIG)
    Trust.of_user(environ(project)).give(project)
    async with connected(project) as client:
        assert (await said(client, "asks"))[1] == "got it"
        assert (await said(client, "remove", path="keep/a"))[0]


async def test_progress_that_a_client_does_not_take_waits_only_so_far(project):
    messages = []

    async def on_progress(progress, total, message):
        messages.append(message)

    async with connected(project) as client:
        result = await client.call_tool("chatty", {}, progress_callback=on_progress)
        assert result.content[0].text == "done"
    assert 0 < len(messages) <= 100


async def test_rules_on_the_command_line_are_the_strongest(project):
    async with connected(project, "--allow", "more", "--deny", "shout") as client:
        assert (await said(client, "asks"))[1] == "got it"
        assert "shout" not in {tool.name for tool in (await client.list_tools()).tools}


async def test_a_call_shows_its_progress_and_ends_when_its_client_cancels_it(project):
    messages = []

    async def on_progress(progress, total, message):
        messages.append(message)

    async with connected(project) as client:
        call = asyncio.create_task(client.call_tool("slow", {}, progress_callback=on_progress))
        await until((project / "started").exists)
        await until(lambda: len(messages) == 2)
        call.cancel()
        await until((project / "stopped").exists)
        assert messages == ["one\n", "two\n"]
        assert (await said(client, "shout", text="still here"))[1] == "STILL HERE"


async def test_over_http_nobody_gets_in_without_the_token(project):
    async with served(project) as (url, token):
        async with httpx2.AsyncClient() as browser:
            assert (await browser.post(url, json={})).status_code == 401
            wrong = {"Authorization": f"Bearer {token}x"}
            assert (await browser.post(url, json={}, headers=wrong)).status_code == 401
            right = {"Authorization": f"Bearer {token}"}
            page = {**right, "Origin": url}
            assert (await browser.post(url, json={}, headers=page)).status_code == 403
            rebound = {**right, "Host": "evil.example"}
            assert (await browser.post(url, json={}, headers=rebound)).status_code in (403, 421)
        async with (
            httpx2.AsyncClient(headers=right) as http,
            Client(streamable_http_client(url, http_client=http)) as client,
        ):
            assert (await said(client, "shout", text="hi"))[1] == "HI"
            assert (await said(client, "remove", path="keep/a"))[0]


@asynccontextmanager
async def served(project):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "toolpost", "mcp", "serve", "--http", "0"),
        cwd=project,
        env=environ(project),
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        async with asyncio.timeout(PATIENCE):
            token = await told(process, r"token for this run: (\S+)")
            url = await told(process, r"serving on (\S+)")
        await until_open(url)
        yield url, token
    finally:
        process.terminate()
        await process.communicate()


async def told(process, pattern):
    """What the server says on stderr, past what else it has to note."""
    async for line in process.stderr:
        if found := re.search(pattern, line.decode()):
            return found[1]
    raise AssertionError(f"it never said {pattern}")


async def until_open(url):
    async with asyncio.timeout(PATIENCE), httpx2.AsyncClient() as client:
        while True:
            try:
                await client.get(url)
                return
            except httpx2.TransportError:
                await asyncio.sleep(0.05)


@pytest.mark.parametrize(
    ("options", "variables", "why"),
    [
        (("--http", "0.0.0.0:0"), {}, "set TOOLPOST_MCP_TOKEN"),
        (("--http", "0.0.0.0:0"), {"TOOLPOST_MCP_TOKEN": "short"}, "too short"),
        (("--http", "door"), {}, "must be PORT or HOST:PORT"),
        (("--agent", "nobody"), {}, "no agent"),
    ],
)
async def test_a_door_that_would_stand_open_is_not_opened(project, options, variables, why):
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "toolpost", "mcp", "serve", *options),
        cwd=project,
        env={**environ(project), **variables},
        stdin=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    _, errors = await asyncio.wait_for(process.communicate(), PATIENCE)
    assert process.returncode == 2
    assert why in errors.decode()


async def test_tools_say_once_how_they_are_for_a_client_without_a_model(project):
    async with connected(project) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools["made"].description == "Made for you."
        assert tools["made"].input_schema["properties"] == {"a": {"maximum": 3}}
        assert not tools.keys() & {"hidden", "failing"}
        assert await said(client, "made", a=2) == (False, "2")
        assert (await said(client, "made", a=9))[0]
        assert (await said(client, "hidden"))[0]
    assert (project / "inits").read_text() == "build None\n"


async def test_a_mistake_in_a_tool_is_told_to_the_client_too(project):
    async with connected(project) as client:
        refused, why = await said(client, "forgets")
        assert refused
        assert "tool forgets returned a coroutine that was never awaited" in why
        assert (await said(client, "shout", text="hi"))[1] == "HI"
