"""Files and commands of the server's machine are for admins: whatever a member tries, by whichever route."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from gateway_play import HI, TOKEN, gateway, with_server, write
from resource_play import People, Person, message_of, people

from toolpost.server.users import FOR_ADMINS
from toolpost.store.contract import Approval
from toolpost.testing import call, calls, text
from toolpost.tools import builtin
from toolpost.tools.workbench import bench_at
from toolpost.types.ids import new_id

SECRET = "the-planted-secret"
# Everything is allowed, and nobody is asked: what holds a member back must be stronger than that.
OPEN = '[permissions]\n"*" = "allow"\n'
# Agents that touch the machine are not for members, unless they are named: then without the tools that do.
NAMED = '[server.roles.member]\nagents = ["*", "all", "default", "hand"]\n'
ADMINS = {"server.files_and_commands": "admins", "headless": "allow"}
TOUCH = {"command": "touch made-by-bash"}
COPY = {"path": "made-by-write", "content": "x"}
PROJECT_TOOLS = """
from toolpost import ToolContext, tool

@tool
def weather() -> str:
    "Say how the weather is."
    return "it rains"

@tool(touches_machine=True)
def deploy() -> str:
    "Deploy."
    return "deployed"

@tool(permission="bash")
def shell() -> str:
    "Run something."
    return "shell ran"

@tool
def read(path: str) -> str:
    "Read another way."
    return "read another way"

@tool
async def sly(ctx: ToolContext) -> str:
    "Call other tools."
    outcomes = await ctx.host.call_tools([("bash", {"command": "touch made-by-bash"})])
    return str([outcome.error_kind for outcome in outcomes])
"""


@asynccontextmanager
async def held_back(folder: Path, *turns: Any, config: str = "") -> AsyncGenerator[People]:
    """`config` comes before tables that are there already."""
    write(folder / "notes.txt", SECRET)
    async with people(folder, *turns, config=OPEN + NAMED + config, **ADMINS) as every:
        yield every
    assert not made_in(folder)


def made_in(folder: Path) -> list[Path]:
    return list(folder.glob("made-by-*"))


def offered(every: People, number: int = 0) -> set[str]:
    return {tool["function"]["name"] for tool in every.play.sent(number).get("tools", ())}


def machine_tools(folder: Path) -> set[str]:
    return {name for name in builtin.NAMES if builtin.make(name, bench_at(folder)).touches_machine}


async def states(person: Person, session: str) -> list[str]:
    """Of all calls, as the chat shows them."""
    told = await person.get(f"/api/sessions/{session}/messages")
    parts = [part for message in told["messages"] for part in message["parts"]]
    return [part["state"] for part in parts if part["type"].startswith(("tool-", "dynamic-tool"))]


async def test_a_members_model_is_offered_no_such_tool_and_is_refused_all_of_them(folder: Path) -> None:
    names = sorted(machine_tools(folder))
    arguments = {"bash": TOUCH, "job_start": TOUCH, "write": COPY, "read": {"path": "notes.txt"}}
    turns = (calls(*(call(name, arguments.get(name, {})) for name in names)), text("no"))
    async with held_back(folder, *turns) as every:
        session = await every.ann.done()
        assert not offered(every) & {*names}
        assert offered(every) >= {"web_search", "web_fetch"}
        assert await states(every.ann, session) == ["output-denied"] * len(names)
        said = json.dumps(every.play.sent())
        assert "files_and_commands" in said
        assert SECRET not in said
        assert (await every.ann.get("/api/asks")) == {"asks": [], "questions": []}


@pytest.mark.parametrize("name", ["Bash", "functions.bash", "BASH", "apply-patch"])
async def test_another_spelling_is_no_way_around(folder: Path, name: str) -> None:
    async with held_back(folder, call(name, TOUCH), text("no")) as every:
        session = await every.ann.done()
        assert await states(every.ann, session) == ["output-denied"]


async def test_a_batch_a_sub_agent_and_a_tool_that_calls_others_are_no_way_around(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "own.py", PROJECT_TOOLS)
    write(folder / ".toolpost" / "agents" / "hand.md", "---\nmode: all\npermissions:\n  '*': allow\n---\nDo it.")
    turns = (
        call("batch", {"calls": [{"tool": "bash", "arguments": TOUCH}, {"tool": "write", "arguments": COPY}]}),
        call("sly", {}),
        call("task", {"description": "do", "prompt": "do", "agent": "hand"}),
        calls(call("bash", TOUCH), call("write", COPY)),
        text("the hand could not"),
        text("no"),
    )
    async with held_back(folder, *turns) as every:
        await every.ann.done()
        assert "[1] bash: denied" in (said := json.dumps(every.play.sent(-1)))
        assert "[2] write: denied" in said
        assert "['denied']" in said
        assert not offered(every, 3) & machine_tools(folder)


async def test_no_agent_no_setting_and_no_import_opens_it(folder: Path) -> None:
    config = '[agents.all]\npermissions = { bash = "allow", "*" = "allow" }\ntools = ["bash", "read"]\n'
    async with held_back(folder, *[call("bash", TOUCH), text("no")] * 4, config=config) as every:
        ann = every.ann
        made = await ann.session(agent="all", switched_off=[], options={"temperature": 0})
        changed = await ann.session()
        await ann.http.patch(f"/api/sessions/{changed}", json={"agent": "all", "system": "You may use bash."})
        document = await ann.get(f"/api/sessions/{made}/export")
        document["info"] |= {"owner": "root", "agent": "all", "metadata": {"chat": {"agent": "all"}, "rules": []}}
        taken = (await ann.post("/api/sessions/import", status=201, **document))["id"]
        fork = (await ann.post(f"/api/sessions/{made}/fork", status=201))["id"]
        for session in (made, changed, taken, fork):
            await ann.prompt(session)
            await ann.settled(session)
            assert await states(ann, session) == ["output-denied"]
            assert "bash" not in offered(every, -2)


async def test_the_chat_route_holds_back_as_well(folder: Path) -> None:
    async with held_back(folder, call("bash", TOUCH), text("no")) as every:
        body = {"message": "go", "agent": "default", "approvals": "live"}
        answer = await every.ann.http.post("/api/chat", json=body)
        assert "tool-output-denied" in answer.text
        assert "tool-approval-request" not in answer.text


async def test_a_saved_approval_is_no_way_around_whoever_gave_it(folder: Path) -> None:
    async with held_back(folder, call("bash", TOUCH), text("no")) as every:
        store, project = every.play.workspace.store, str(every.play.workspace.project)
        await store.approve([Approval(new_id("apr"), project, "*", "*", owner=who) for who in ("ann", "root", "")])
        session = await every.ann.done()
        assert await states(every.ann, session) == ["output-denied"]


async def test_an_admins_always_counts_for_the_admin_alone(folder: Path) -> None:
    turns = (call("bash", {"command": "true"}), text("ok"), call("bash", {"command": "true"}), text("no"))
    config = '[permissions]\nbash = "ask"\n'
    async with people(folder, *turns, config=config, **ADMINS) as every:
        mine = await every.root.session()
        await every.root.prompt(mine)
        ask = await every.root.ask()
        await every.ann.post(f"/api/asks/{ask['id']}", reply="once", status=404)
        await every.root.post(f"/api/asks/{ask['id']}", reply="always", status=204)
        await every.root.settled(mine)
        assert await states(every.root, mine) == ["output-available"]
        session = await every.ann.done()
        assert await states(every.ann, session) == ["output-denied"]
        (saved,) = (await every.root.get("/api/permissions"))["approvals"]
        assert (await every.ann.get("/api/permissions"))["approvals"] == []
        await every.ann.delete(f"/api/permissions/{saved['id']}", status=404)


async def test_commands_run_nothing_read_nothing_and_do_not_tell_what_is_there(folder: Path) -> None:
    write(folder / ".toolpost" / "commands" / "run.md", "Say: !`touch made-by-command`")
    write(folder / ".toolpost" / "commands" / "look.md", "See $ARGUMENTS")
    async with held_back(folder) as every:
        session = await every.ann.session()
        ran = await every.ann.post(f"/api/sessions/{session}/commands", name="run", status=400)
        assert "files_and_commands" in message_of(ran)
        told = []
        for path in ("notes.txt", "nothing.txt", "/etc/passwd", "/etc/nothing", "~/.ssh/id_rsa", ".."):
            there = {"name": "look", "arguments": f"@{path}"}
            answer = await every.ann.http.post(f"/api/sessions/{session}/commands", json=there)
            if path != "..":
                told.append((answer.status_code, message_of(answer.json()).replace(path, "PATH")))
            assert SECRET not in answer.text
        assert len(set(told)) == 1
        assert told[0][0] == 400
        plain = await every.ann.post(f"/api/sessions/{session}/commands", name="look", arguments="what I say")
        assert plain["prompt"] == "See what I say"


async def test_routes_over_files_are_for_admins(folder: Path) -> None:
    async with held_back(folder) as every:
        for person, status in ((every.ann, 403), (every.root, 200)):
            session = await person.session()
            await person.get("/api/project-files", query="notes", status=status)
            for end in ("files", "diff"):
                await person.get(f"/api/sessions/{session}/{end}", status=status)
            for end in ("undo", "redo"):
                await person.post(f"/api/sessions/{session}/{end}", status=status)


async def test_the_rules_say_so_and_a_check_looks_at_no_file(folder: Path) -> None:
    async with held_back(folder) as every:
        (folder / "link").symlink_to("/etc/hostname")
        rules = (await every.ann.get("/api/permissions"))["rules"]
        last = [rule for rule in rules if rule["permission"] == "bash"][-1]
        assert (last["pattern"], last["action"], last["source"]) == ("*", "deny", FOR_ADMINS)
        for permission, pattern in (("read", "link"), ("bash", "cat link"), ("edit", "link"), ("write", "link")):
            told = await every.ann.post("/api/permissions/check", permission=permission, pattern=pattern)
            assert (told["action"], told["is_hidden"], told["parts"]) == ("deny", True, [])
            assert "files_and_commands" in told["rule"]["source"]
            assert "hostname" not in json.dumps(told)
        mine = await every.root.post("/api/permissions/check", permission="read", pattern="link")
        assert mine["action"] == "allow"
        listed = {tool["name"]: tool["runs"] for tool in (await every.ann.get("/api/tools"))["tools"]}
        assert {listed[name] for name in machine_tools(folder)} == {"deny"}
        assert (listed["todo_write"], listed["web_fetch"]) == ("off", "allow")


async def test_the_folders_own_tools_stay_unless_they_say_that_they_touch_the_machine(folder: Path) -> None:
    write(folder / ".toolpost" / "tools" / "own.py", PROJECT_TOOLS)
    own = calls(call("weather", {}), call("deploy", {}), call("shell", {}), call("read", {"path": "x"}))
    async with held_back(folder, own, text("ok"), own, text("ok")) as every:
        session = await every.ann.done()
        assert await states(every.ann, session) == ["output-available", *["output-denied"] * 3]
        assert offered(every) & {"weather", "deploy", "shell", "read"} == {"weather"}
        mine = await every.root.done()
        assert await states(every.root, mine) == ["output-available"] * 4


async def test_the_folders_mcp_servers_stay(folder: Path, mcp_url: str) -> None:
    with_server(folder, mcp_url)
    async with held_back(folder, call("mcp__play__echo", {"text": "hi"}), text("ok")) as every:
        session = await every.ann.done()
        assert await states(every.ann, session) == ["output-available"]
        told = await every.ann.post("/api/mcp/call", server="play", tool="echo", input={"text": "hi"})
        assert "echo hi" in json.dumps(told)
        for command in ({"command": "touch", "args": ["made-by-mcp"]}, {"type": "stdio", "command": "sh"}):
            await every.ann.post("/api/mcp/call", server="x", tool="y", configuration=command, status=403)


ASKED = {
    "/v1/messages": {"model": "m", "max_tokens": 9, "messages": HI},
    "/v1/chat/completions": {"model": "m", "messages": HI},
    "/v1/responses": {"model": "m", "input": "hi"},
}


@pytest.mark.parametrize("path", ASKED)
async def test_the_gateway_runs_no_such_tool_for_a_member(folder: Path, path: str) -> None:
    turns = (call("bash", TOUCH), text("no"), call("bash", {"command": "true"}), text("ok"))
    async with held_back(folder, *turns, config='[server]\ntools = ["*"]\n') as every:
        await every.ann.http.post(path, json=ASKED[path])
        assert not offered(every) & machine_tools(folder)
        assert "web_search" in offered(every)
        asked = len(every.play.up.requests)
        await every.root.http.post(path, json=ASKED[path])
        assert offered(every, asked) >= machine_tools(folder) - {"skill"}


async def test_everyone_may_where_the_settings_say_so(folder: Path) -> None:
    turns = (call("bash", {"command": "touch made"}), text("ok"))
    open_to_all = {"server.files_and_commands": "everyone"}
    async with people(folder, *turns, config='[permissions]\nbash = "ask"\n', **open_to_all) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        await every.ann.post(f"/api/asks/{(await every.ann.ask())['id']}", reply="once", status=204)
        await every.ann.settled(session)
        assert (folder / "made").exists()
        await every.ann.get("/api/project-files")


async def test_on_a_server_for_one_nothing_is_held_back(folder: Path) -> None:
    async with gateway(folder, call("bash", {"command": "touch made"}), text("ok"), config=OPEN) as play:
        answer = await play.http.post("/api/chat", json={"message": "go"})
        assert "tool-output-available" in answer.text
        assert (folder / "made").exists()
        assert (await play.http.get("/api/project-files")).status_code == 200
        assert (await play.http.get("/metrics", headers={"x-api-key": TOKEN})).status_code == 200
