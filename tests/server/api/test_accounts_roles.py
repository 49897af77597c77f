"""What a role may use: agents, models, tools, rules and budgets, wherever somebody asks for more."""

import asyncio
import contextlib
import hashlib
import json
import logging
from pathlib import Path
from typing import Any

import httpx
import pytest
from account_play import CHAT_AGENT, Browser, Team, team
from gateway_play import HI

from toolpost.config.schema import GatewaySettings, RoleSettings
from toolpost.definitions.agents import CHAT_TOOLS
from toolpost.server.accounts import part, reload
from toolpost.server.accounts.roles import load_roles
from toolpost.testing import call, text
from toolpost.types.errors import ConfigError

ROUTES = '[server.routes.fast]\nmodel = "up/fast"\n[server.routes.deep]\nmodel = "up/deep"\nfallbacks = ["up/fast"]\n'
SHORT = (
    '[server.roles.intern]\nagents = ["chat", "read*"]\nmodels = ["fast"]\ntools = ["todo_*", "web_search"]\n'
    "limits = { requests_per_minute = 2 }\n"
)
READER = '[agents.reader]\ntools = ["read"]\nmode = "all"\n'


def offered(made: Team, number: int = -1) -> set[str]:
    return {tool["function"]["name"] for tool in made.play.sent(number).get("tools", ())}


async def refused(browser: Browser, path: str, **body: Any) -> tuple[int, str]:
    answer = await browser.http.post(path, json=body)
    return answer.status_code, answer.json()["error"].get("code", "")


async def test_a_role_has_its_agents_and_no_others(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT + READER + ROUTES + SHORT) as made:
        intern, member = await made.invited("ina", "intern"), await made.invited("mel")
        assert {one["name"] for one in (await intern.get("/api/agents"))["agents"]} == {"chat"}
        state = await intern.look()
        assert (state["user"]["agent"], state["user"]["agents"]) == ("chat", ["chat"])
        for agent in ("build", "reader", "default"):
            assert await refused(intern, "/api/sessions", agent=agent) == (403, "agent_not_allowed")
            assert await refused(intern, "/api/chat", message="hi", agent=agent) == (403, "agent_not_allowed")
        session = await intern.session()
        await intern.refused("PATCH", f"/api/sessions/{session}", "agent_not_allowed", 403, agent="build")
        # Of a member's agents, those that touch the machine are left out, but for the server's default one.
        assert {one["name"] for one in (await member.get("/api/agents"))["agents"]} == {"build", "chat"}
        assert (await member.look())["user"]["agent"] == "chat"
        assert (await made.root.look())["user"]["agent"] == "build"


async def test_a_role_has_its_models_and_no_others_in_the_chat_and_the_gateway(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT + ROUTES + SHORT) as made:
        intern = await made.invited("ina", "intern")
        assert (await intern.look())["user"]["model"] == "up/fast"
        assert [one["id"] for one in (await intern.get("/v1/models"))["data"]] == ["fast"]
        listed = await intern.get("/api/models")
        assert ([one["id"] for one in listed["models"]], listed["providers"]) == (["fast"], [])
        await intern.get("/v1/models/up%2Fdeep", status=403)
        for model in ("deep", "up/deep", "up,deep", "up/anything", "unknown"):
            for path, body in (
                ("/v1/messages", {"max_tokens": 9, "messages": HI}),
                ("/v1/chat/completions", {"messages": HI}),
                ("/v1/responses", {"input": "hi"}),
                ("/v1/messages/count_tokens", {"messages": HI}),
            ):
                assert (await refused(intern, path, model=model, **body))[0] == 403, (path, model)
        for model in ("deep", "up/deep"):
            assert await refused(intern, "/api/chat", message="hi", model=model) == (403, "model_not_allowed")
            assert await refused(intern, "/api/sessions", model=model) == (403, "model_not_allowed")
        assert not made.play.up.requests
        await intern.post("/v1/messages", model="fast", max_tokens=9, messages=HI)
        await intern.done("hi")
        assert {request.body["model"] for request in made.play.up.requests} == {"fast"}


async def test_a_sub_agent_with_a_model_of_its_own_is_no_way_to_it(folder: Path) -> None:
    agents = '[agents.chat]\ntools = { task = true }\n[agents.smart]\nmodel = "up/deep"\nmode = "subagent"\n'
    role = '[server.roles.intern]\nagents = ["chat", "smart"]\nmodels = ["fast"]\n'
    task = call("task", {"description": "think", "prompt": "think", "agent": "smart"})
    for other in (False, True):
        sent = task if not other else call("task", {"description": "x", "prompt": "x", "agent": "explore"})
        async with team(folder, sent, text("no"), config=agents + ROUTES + role) as made:
            intern = await made.invited("ina", "intern")
            await intern.done("go")
            assert "deep" not in {request.body["model"] for request in made.play.up.requests}
            said = json.dumps([request.body for request in made.play.up.requests])
            assert ("There is no agent" if other else "may not use up/deep") in said


async def test_the_agent_of_chats_is_everybodys_where_a_server_opens_with_it(folder: Path) -> None:
    async with team(folder, text("hello"), default_agent="chat") as made:
        ann = await made.invited("ann", "member")
        for person in (made.root, ann):
            assert (await person.get("/api/me"))["agent"] == "chat"
            agents = (await person.get("/api/agents"))["agents"]
            assert [one["name"] for one in agents if one["is_default"]] == ["chat"]
            await person.done("hi")
        assert "build" not in {one["name"] for one in (await ann.get("/api/agents"))["agents"]}
        assert await refused(ann, "/api/chat", message="hi", agent="build") == (403, "agent_not_allowed")
        for number in range(len(made.play.up.requests)):
            assert offered(made, number) <= CHAT_TOOLS


async def test_a_members_errors_do_not_tell_where_the_model_is(folder: Path) -> None:
    away = '[providers.away]\nbase_url = "http://127.0.0.1:1/v1"\n[server.routes.gone]\nmodel = "away/m"\n'
    async with team(folder, config=away) as made:
        ann = await made.invited("ann", "member")
        for person, is_told in ((ann, False), (made.root, True)):
            answer = await person.http.post("/api/chat", json={"message": "hi", "model": "gone"})
            assert "away" in answer.text
            assert ("127.0.0.1:1" in answer.text) is is_told


async def test_a_role_has_its_tools_and_no_others(folder: Path) -> None:
    turns = (call("web_fetch", {"url": "https://example.com"}), text("no"))
    async with team(folder, *turns, config=CHAT_AGENT + ROUTES + SHORT) as made:
        intern = await made.invited("ina", "intern")
        session = await intern.done("go")
        assert offered(made, 0) <= {"todo_read", "todo_write", "web_search"}
        assert "todo_write" in offered(made, 0)
        messages = await intern.get(f"/api/sessions/{session}/messages")
        states = [part.get("state") for message in messages["messages"] for part in message["parts"]]
        assert {"output-denied", "output-error"} & {*states}
        listed = {tool["name"]: tool["runs"] for tool in (await intern.get("/api/tools"))["tools"]}
        assert {name for name, runs in listed.items() if runs not in ("deny", "off")} <= offered(made, 0)
        checked = await intern.post("/api/permissions/check", permission="web_fetch", pattern="https://x.example")
        assert (checked["action"], checked["is_hidden"]) == ("deny", True)
        assert "server.roles.intern" in checked["rule"]["source"]


async def test_the_gateway_runs_no_tool_that_the_role_does_not_have(folder: Path) -> None:
    config = f'{CHAT_AGENT}{ROUTES}{SHORT}[server]\ntools = ["*"]\n'
    async with team(folder, config=config) as made:
        intern = await made.invited("ina", "intern")
        await intern.post("/v1/chat/completions", model="fast", messages=HI)
        assert offered(made) == {"todo_read", "todo_write", "web_search"} & offered(made)
        await made.root.post("/v1/chat/completions", model="fast", messages=HI)
        assert "web_fetch" in offered(made)


async def test_a_roles_budget_holds_in_the_chat_and_the_gateway_together(folder: Path) -> None:
    async with team(folder, config=CHAT_AGENT + ROUTES + SHORT) as made:
        intern = await made.invited("ina", "intern")
        await intern.done("hi")
        asked = {"model": "fast", "max_tokens": 9, "messages": HI}
        answers = [await intern.http.post("/v1/messages", json=asked) for _ in range(2)]
        assert [answer.status_code for answer in answers] == [200, 429]
        assert int(answers[1].headers["retry-after"]) > 0


RULES = (
    '[server.roles.careful]\nagents = ["build"]\nrights = ["use", "machine"]\n'
    'permissions = { bash = { "*" = "ask", "rm *" = "deny" } }\n'
)


async def test_a_roles_rules_are_stronger_than_the_folders(folder: Path) -> None:
    turns = (call("bash", {"command": "rm -rf x"}), call("bash", {"command": "touch made"}), text("done"))
    config = '[permissions]\n"*" = "allow"\n' + RULES
    async with team(folder, *turns, config=config) as made:
        ann = await made.invited("ann", "careful")
        session = await ann.session()
        await ann.prompt(session)
        ask = await ann.ask()
        assert "touch made" in json.dumps(ask)
        await ann.post(f"/api/asks/{ask['id']}", reply="reject", status=204)
        await ann.settled(session)


async def test_who_is_demoted_cannot_approve_what_the_old_role_began(folder: Path) -> None:
    turns = (call("bash", {"command": "touch made"}), text("done"))
    config = CHAT_AGENT + '[permissions]\nbash = "ask"\n' + RULES
    async with team(folder, *turns, config=config) as made:
        ann = await made.invited("ann", "careful")
        session = await ann.session()
        await ann.prompt(session)
        ask = await ann.ask()
        await made.root.patch("/api/admin/users/ann", role="member")
        await ann.refused("POST", f"/api/asks/{ask['id']}", "approval_not_allowed", 403, reply="always")
        await ann.refused("POST", f"/api/sessions/{session}/prompts", "role_changed", 409, text="more")
        await ann.post(f"/api/asks/{ask['id']}", reply="reject", status=204)
        await ann.settled(session)
        assert not (folder / "made").exists()


async def test_a_run_of_somebody_who_is_disabled_ends_and_so_do_open_streams(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(part, "RECHECK_SECONDS", 0.05)
    turns = (call("bash", {"command": "touch made"}), text("done"))
    async with team(folder, *turns, config='[permissions]\nbash = "ask"\n' + RULES) as made:
        ann = await made.invited("ann", "careful")
        session = await ann.session()
        await ann.prompt(session)
        await ann.ask()
        running = (await made.root.get("/api/admin/runs"))["runs"]
        assert [(one["session"], one["user"], one["agent"]) for one in running] == [(session, "ann", "build")]
        async with ann.http.stream("GET", "/api/events") as events:
            assert events.status_code == 200
            await made.root.patch("/api/admin/users/ann", disabled=True)
            async with asyncio.timeout(20):
                with contextlib.suppress(httpx.RemoteProtocolError):
                    async for _ in events.aiter_raw():
                        pass
        await made.root.until("/api/admin/runs", lambda found: not found["runs"])


async def test_an_admin_sees_what_runs_and_stops_it_and_what_was_used(folder: Path) -> None:
    turns = (call("bash", {"command": "touch made"}), text("done"))
    async with team(folder, *turns, config='[permissions]\nbash = "ask"\n' + RULES) as made:
        ann = await made.invited("ann", "careful")
        session = await ann.session()
        await ann.prompt(session)
        await ann.ask()
        await made.root.post(f"/api/admin/runs/{session}/stop", status=204)
        await ann.settled(session)
        await made.root.post("/api/admin/runs/nothing/stop", status=404)
        await made.root.post("/v1/messages", model="up/m", max_tokens=9, messages=HI)
        used = (await made.root.get("/api/admin/usage", days=1))["usage"]
        assert {(row["user"], row["model"]) for row in used} >= {("ann", "up/m"), ("root", "up/m")}
        assert all(row["requests"] >= 1 and row["input_tokens"] + row["output_tokens"] > 0 for row in used)


async def test_users_and_roles_change_with_the_file_and_a_bad_file_changes_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(reload, "LOOK_SECONDS", 0.02)
    token = "a-token-for-a-program"
    async with team(folder, config=CHAT_AGENT) as made:
        file = folder / ".toolpost" / "config.toml"
        before, ann = file.read_text(), await made.invited("ann")
        program = await made.browser(authorization=f"Bearer {token}")
        await program.get("/api/me", status=401)
        digest = hashlib.sha256(token.encode()).hexdigest()
        service = f'[server.users.service]\ntoken_sha256 = "{digest}"\nrole = "helper"\n'
        role = '[server.roles.helper]\nagents = ["chat"]\n[server.roles.member]\nagents = ["build"]\n'
        _rewrite(file, before + service + role)
        await _until(lambda: _status(program, "/api/me", 200))
        assert (await program.get("/api/me"))["role"] == "helper"
        assert (await ann.get("/api/me"))["agents"] == ["build"]
        assert "helper" in {one["name"] for one in (await made.root.get("/api/admin/roles"))["roles"]}
        with caplog.at_level(logging.ERROR, "toolpost.server"):
            _rewrite(file, before + service.replace("helper", "nobody-knows") + role)
            await _until(lambda: _logged(caplog, "nobody-knows"))
            _rewrite(file, "this is [not TOML")
            await _until(lambda: _logged(caplog, "cannot be used"))
        assert (await program.get("/api/me"))["role"] == "helper"
        _rewrite(file, before)
        await _until(lambda: _status(program, "/api/me", 401))


def _rewrite(file: Path, content: str) -> None:
    """As editors do it: another file takes its place."""
    new = file.with_suffix(".new")
    new.write_text(content)
    new.replace(file)


async def _status(browser: Browser, path: str, status: int) -> bool:
    return (await browser.http.get(path)).status_code == status


async def _logged(caplog: pytest.LogCaptureFixture, words: str) -> bool:
    return any(words in record.getMessage() for record in caplog.records)


async def _until(true: Any) -> None:
    async with asyncio.timeout(20):
        while not await true():  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.01)


async def test_an_account_whose_role_is_gone_may_do_nothing(folder: Path) -> None:
    config = '[server.roles.temp]\nrights = ["use"]\n'
    async with team(folder, config=config) as made:
        ann = await made.invited("ann", "temp")
        directory = made.play.app._identities._accounts.directory  # type: ignore[union-attr]
        directory.replace(load_roles(GatewaySettings()), {})
        await ann.refused("GET", "/api/me", "needs_use", 403)


def test_what_is_wrong_with_a_role_is_said() -> None:
    with pytest.raises(ConfigError, match="needs a name"):
        load_roles(GatewaySettings(roles={"": RoleSettings()}))
    with pytest.raises(ConfigError, match="nobody could change anything"):
        load_roles(GatewaySettings(roles={"admin": RoleSettings(rights=("use",))}))
