"""MCP servers over the API: how they are, and calls of their tools under the rules."""

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from gateway_play import PROCESS, listening, mcp_server, with_server, write
from resource_play import PATIENCE, People, message_of, people
from server_play import until
from starlette.responses import PlainTextResponse

LOOPBACK = '[web]\nallow_hosts = ["127.0.0.1:{port}"]\n'
NOWHERE = "http://127.0.0.1:9/mcp"
STUCK = """
import asyncio, os, sys
from pathlib import Path
from mcp.server import MCPServer

server = MCPServer("stuck")

@server.tool()
async def stay() -> str:
    Path(sys.argv[1]).write_text(f"{os.getpid()} called")
    await asyncio.Event().wait()

server.run("stdio")
"""


def reachable(url: str) -> str:
    """Settings with which a server on this machine may be brought along."""
    return LOOPBACK.format(port=url.split(":")[2].split("/")[0])


def echo(**more: Any) -> dict[str, Any]:
    return {"server": "play", "tool": "echo", "input": {"text": "hi"}, **more}


def said(told: Any) -> str:
    return "".join(part["text"] for part in told["content"])


async def test_servers_say_how_they_are(folder: Path, mcp_url: str) -> None:
    config = with_server(folder, mcp_url)
    config += (
        f'[mcp.gone]\nurl = "{NOWHERE}"\n[mcp.off]\nurl = "{NOWHERE}"\nenabled = false\n[mcp.broken]\nurl = "ftp://x"\n'
    )
    async with people(folder, config=config) as every:
        listed = await every.ann.until(
            "/api/mcp", lambda found: all(one["state"] != "connecting" for one in found["servers"])
        )
    told = {one["name"]: one for one in listed["servers"]}
    assert (told["play"]["state"], told["play"]["tools"], told["play"]["error"]) == ("connected", 3, "")
    assert told["gone"]["state"] == "waiting"
    assert told["gone"]["error"]
    assert told["off"]["state"] == "off"
    assert (told["broken"]["state"], told["broken"]["error"]) == ("failed", '"url" must begin with http:// or https://')


async def test_a_servers_tools_have_its_own_names_and_those_of_models(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url, permission="ask")) as every:
        told = await every.ann.get("/api/mcp/play/tools")
        await every.ann.get("/api/mcp/nobody/tools", status=404)
    first = told["tools"][0]
    assert (first["name"], first["tool"]["name"], first["tool"]["runs"]) == ("echo", "mcp__play__echo", "ask")


@pytest.mark.parametrize("tool", ["echo", "mcp__play__echo"])
async def test_a_call_gives_what_the_server_said(folder: Path, mcp_url: str, tool: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url)) as every:
        told = await every.ann.post("/api/mcp/call", **echo(tool=tool))
    assert told == {
        "tool": "mcp__play__echo",
        "content": [{"type": "text", "text": "play: echo hi"}],
        "is_error": False,
        "error": None,
    }


async def test_a_tool_that_fails_is_an_answer(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url)) as every:
        told = await every.ann.post("/api/mcp/call", server="play", tool="fail")
    assert (told["is_error"], told["error"]) == (True, "failed")
    assert said(told) == "Error executing tool fail"


async def test_a_tool_that_takes_too_long_is_stopped(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url)) as every:
        asked = {"server": "play", "tool": "meet", "input": {"name": "first"}}
        told = await every.ann.post("/api/mcp/call", timeout=0.2, **asked)
        assert (told["is_error"], told["error"]) == (True, "timeout")
        await every.ann.post("/api/mcp/call", timeout=601, status=400, **asked)


async def test_what_the_request_gets_wrong_is_refused(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url)) as every:
        call = every.ann.post
        await call("/api/mcp/call", **echo(server="nobody"), status=404)
        told = await call("/api/mcp/call", **echo(tool="nothing"), status=404)
        assert "/api/mcp/play/tools" in message_of(told)
        told = await call("/api/mcp/call", **echo(input={"words": "hi"}), status=400)
        assert "text" in message_of(told)
        await call("/api/mcp/call", **echo(input=[1]), status=400)
        await call("/api/mcp/call", **echo(speed=3), status=400)
        await call("/api/mcp/call", **echo(session="ses_unknown"), status=404)


@pytest.mark.parametrize("permission", ["ask", "deny"])
async def test_what_no_rule_allows_is_refused_where_nobody_can_be_asked(
    folder: Path, mcp_url: str, permission: str
) -> None:
    async with people(folder, config=with_server(folder, mcp_url, permission=permission)) as every:
        told = await every.ann.post("/api/mcp/call", **echo(), status=403)
    assert "mcp__play__echo" in message_of(told)


async def test_a_saved_approval_does_not_stand_in_for_a_person(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url, permission="ask")) as every:
        session = await every.ann.session()
        calling = asyncio.create_task(every.ann.post("/api/mcp/call", **echo(session=session)))
        await every.ann.post(f"/api/asks/{(await every.ann.ask())['id']}", reply="always", status=204)
        assert said(await calling) == "play: echo hi"
        await every.ann.post("/api/mcp/call", **echo(session=session))
        await every.ann.post("/api/mcp/call", **echo(), status=403)


async def test_a_server_that_cannot_be_reached_is_a_bad_gateway(folder: Path) -> None:
    config = with_server(folder, NOWHERE).replace("mcp_seconds = 60", "mcp_seconds = 0.2")
    async with people(folder, config=config) as every:
        told = await every.ann.post("/api/mcp/call", **echo(), status=502)
        assert told["error"]["code"] == "unreachable"
        await every.ann.get("/api/mcp/play/tools", status=502)


async def test_an_http_error_of_a_server_is_told_with_its_status_and_text(folder: Path) -> None:
    async def down(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("the cellar is flooded", 503)(scope, receive, send)

    told = "HTTP 503 Service Unavailable: the cellar is flooded"
    async with listening(down) as url, people(folder, config=with_server(folder, f"{url}/mcp")) as every:
        listed = await every.ann.until("/api/mcp", lambda found: found["servers"][0]["error"])
        assert listed["servers"][0]["error"] == told


async def test_a_call_in_a_session_is_asked_and_told_there(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url, permission="ask")) as every:
        session = await every.ann.session()
        calling = asyncio.create_task(every.ann.post("/api/mcp/call", **echo(session=session)))
        asked = await every.ann.ask()
        assert (asked["session"], asked["permission"]) == (session, "mcp__play__echo")
        await every.bob.post(f"/api/asks/{asked['id']}", reply="once", status=404)
        await every.ann.post(f"/api/asks/{asked['id']}", reply="once", status=204)
        assert said(await calling) == "play: echo hi"
        kept = [event["type"] for event in (await every.ann.get(f"/api/sessions/{session}/events"))["events"]]
    assert [kind for kind in kept if kind != "tool_execution_update"] == [
        "tool_call",
        "permission_asked",
        "permission_replied",
        "tool_execution_start",
        "tool_execution_end",
    ]


async def test_a_call_that_its_user_rejects_is_refused(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url, permission="ask")) as every:
        session = await every.ann.session()
        for message in ("", "not this one"):
            calling = asyncio.create_task(every.ann.post("/api/mcp/call", **echo(session=session), status=403))
            asked = await every.ann.ask()
            await every.ann.post(f"/api/asks/{asked['id']}", reply="reject", message=message, status=204)
            assert message in message_of(await calling)


async def test_nobody_calls_in_anothers_session(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=with_server(folder, mcp_url)) as every:
        session = await every.ann.session()
        for other in (every.bob, every.root):
            await other.post("/api/mcp/call", **echo(session=session), status=404)
        assert (await every.ann.get(f"/api/sessions/{session}/events"))["events"] == []


async def test_a_server_is_brought_along_for_one_call(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=reachable(mcp_url)) as every:
        told = await every.ann.post("/api/mcp/call", **echo(server="mine", configuration={"url": mcp_url}))
        assert (told["tool"], said(told)) == ("mcp__mine__echo", "play: echo hi")
        assert (await every.ann.get("/api/mcp"))["servers"] == []
        wrong = echo(server="mine", configuration={"url": mcp_url, "command": "x"})
        await every.root.post("/api/mcp/call", **wrong, status=400)
        told = await every.ann.post("/api/mcp/call", **echo(server="mine", configuration={}), status=400)
        assert "configuration" in message_of(told)


async def test_a_deny_for_some_arguments_holds_for_a_server_that_is_brought_along(folder: Path, mcp_url: str) -> None:
    config = f'{reachable(mcp_url)}[permissions."mcp__mine__*"]\n"*" = "ask"\n"*hi*" = "deny"\n'
    async with people(folder, config=config) as every:
        mine = {"server": "mine", "configuration": {"url": mcp_url}}
        told = await every.ann.post("/api/mcp/call", **echo(**mine), status=403)
        assert "denied" in message_of(told)
        assert said(await every.ann.post("/api/mcp/call", **echo(**mine, input={"text": "ho"}))) == "play: echo ho"


async def test_an_agent_that_may_change_nothing_calls_nothing_that_may(folder: Path, mcp_url: str) -> None:
    config = with_server(folder, mcp_url) + "[agents.looker]\nread_only = true\n"
    async with people(folder, config=config) as every:
        session = await every.ann.session(agent="looker")
        told = await every.ann.post("/api/mcp/call", **echo(session=session), status=403)
        assert "read-only" in message_of(told)


async def test_a_server_is_brought_along_only_from_where_its_sender_could_reach(folder: Path, mcp_url: str) -> None:
    async with people(folder) as every:
        for url in (mcp_url, "http://169.254.169.254/mcp", "http://localhost/mcp", "file:///etc/passwd"):
            asked = echo(server="mine", configuration={"url": url})
            for person in (every.ann, every.root):
                await person.post("/api/mcp/call", **asked, status=400)


async def test_a_server_that_is_brought_along_and_does_not_answer_is_a_bad_gateway(folder: Path) -> None:
    async with people(folder, config=reachable(NOWHERE)) as every:
        told = await every.ann.post(
            "/api/mcp/call", **echo(server="mine", configuration={"url": NOWHERE, "type": "http"}), status=502
        )
    assert "mine" in message_of(told)


async def test_nothing_of_the_servers_environment_goes_to_one_that_is_brought_along(
    folder: Path, mcp_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_SECRET", "sesame")
    async with people(folder, config=reachable(mcp_url)) as every:
        headers = {"authorization": "Bearer ${SOME_SECRET}"}
        asked = echo(server="mine", configuration={"url": mcp_url, "headers": headers})
        told = await every.ann.post("/api/mcp/call", **asked, status=400)
    assert "sesame" not in message_of(told)


async def test_only_an_admin_starts_a_program(folder: Path) -> None:
    write(folder / "server.py", PROCESS)
    configuration = {"command": sys.executable, "args": [str(folder / "server.py")]}
    async with people(folder) as every:
        told = await every.ann.post("/api/mcp/call", **echo(server="mine", configuration=configuration), status=403)
        assert "only an admin" in message_of(told)
        told = await every.root.post("/api/mcp/call", **echo(server="mine", configuration=configuration))
    assert said(told) == "echo hi"


async def test_a_program_ends_with_the_client_that_had_it_started(folder: Path) -> None:
    """The server writes down its number, and its tool never answers."""
    write(folder / "server.py", STUCK)
    configuration = {"command": sys.executable, "args": [str(folder / "server.py"), str(folder / "pid")]}
    async with people(folder) as every:
        asked = {"server": "mine", "tool": "stay", "configuration": configuration}
        calling = asyncio.create_task(every.root.post("/api/mcp/call", **asked))
        await until(lambda: (folder / "pid").exists() and (folder / "pid").read_text().endswith("called"), PATIENCE)
        number = int((folder / "pid").read_text().split()[0])
        calling.cancel()
        await until(lambda: not Path(f"/proc/{number}").exists())


async def test_a_server_that_is_brought_along_does_not_take_the_name_of_the_folders(folder: Path, mcp_url: str) -> None:
    async with listening(mcp_server("other").streamable_http_app()) as url:
        config = with_server(folder, mcp_url, permission="ask") + reachable(url)
        async with people(folder, config=config) as every:
            configuration = {"url": f"{url}/mcp"}
            told = await every.ann.post("/api/mcp/call", **echo(configuration=configuration), status=400)
            assert "another name" in message_of(told)
            await every.ann.post("/api/mcp/call", **echo(server="play_", configuration=configuration), status=400)


async def test_a_server_that_is_brought_into_a_session_is_asked_about_there(folder: Path, mcp_url: str) -> None:
    async with people(folder, config=reachable(mcp_url)) as every:
        session = await every.ann.session()
        asked = echo(server="mine", configuration={"url": mcp_url}, session=session)
        calling = asyncio.create_task(every.ann.post("/api/mcp/call", **asked))
        ask = await every.ann.ask()
        assert ask["permission"] == "mcp__mine__echo"
        await every.ann.post(f"/api/asks/{ask['id']}", reply="once", status=204)
        assert said(await calling) == "play: echo hi"


async def test_a_restart_is_for_admins_and_the_server_is_there_again(folder: Path) -> None:
    async with people(folder, config=with_server(folder)) as every:
        await _called(every)
        told = await every.ann.post("/api/mcp/play/restart", status=403)
        assert "admin" in message_of(told)
        told = await every.root.post("/api/mcp/play/restart")
        assert (told["state"], told["tools"]) == ("connected", 1)
        await _called(every)
        await every.root.post("/api/mcp/nobody/restart", status=404)


async def _called(every: People) -> None:
    assert said(await every.ann.post("/api/mcp/call", **echo())) == "echo hi"
