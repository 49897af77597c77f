"""The rules and a user's own approvals; nobody sees or takes back somebody else's."""

from pathlib import Path

import pytest
from gateway_play import write
from resource_play import message_of, people

from toolpost.testing import call, text

RULES = '[permissions]\nbash = { "*" = "ask", "git status" = "allow", "rm *" = "deny" }\nweb_fetch = "deny"\n'
WRITE = call("write", {"path": "a.txt", "content": "1"})


async def test_an_approval_is_listed_for_its_user_and_taken_back_by_it_alone(folder: Path) -> None:
    async with people(folder, WRITE, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        await every.ann.post(f"/api/asks/{(await every.ann.ask())['id']}", reply="always", status=204)
        await every.ann.settled(session)
        (saved,) = (await every.ann.get("/api/permissions"))["approvals"]
        assert saved["permission"] == "edit"
        for other in (every.bob, every.root):
            assert (await other.get("/api/permissions"))["approvals"] == []
            await other.delete(f"/api/permissions/{saved['id']}", status=404)
        assert (await every.ann.get("/api/permissions"))["approvals"] == [saved]
        await every.ann.delete(f"/api/permissions/{saved['id']}")
        assert (await every.ann.get("/api/permissions"))["approvals"] == []
        await every.ann.delete(f"/api/permissions/{saved['id']}", status=404)


async def test_the_rules_come_with_their_sources_and_the_last_one_decides(folder: Path) -> None:
    async with people(folder, config=RULES) as every:
        told = await every.ann.get("/api/permissions")
    assert told["headless"] == "deny"
    last = told["rules"][-1]
    assert (last["permission"], last["pattern"], last["action"]) == ("web_fetch", "*", "deny")
    assert "config.toml" in last["source"]
    assert {rule["source"] for rule in told["rules"][:5]} == {"default"}


async def test_the_rules_are_those_of_the_agent_that_is_asked_for(folder: Path) -> None:
    write(folder / ".toolpost" / "agents" / "careful.md", "---\npermissions:\n  read: deny\n---\nBe careful.")
    async with people(folder) as every:
        own = await every.ann.get("/api/permissions", agent="careful")
        usual = await every.ann.get("/api/permissions")
        told = await every.ann.get("/api/permissions", agent="nobody", status=400)
    assert own["rules"][-1]["permission"] == "read"
    assert len(own["rules"]) == len(usual["rules"]) + 1
    assert "careful" in message_of(told)


@pytest.mark.parametrize(
    ("pattern", "action"),
    [("git status", "allow"), ("rm -rf x", "deny"), ("make", "ask"), ("git status; rm x", "deny")],
)
async def test_a_command_is_judged_as_a_call_would_be(folder: Path, pattern: str, action: str) -> None:
    async with people(folder, config=RULES) as every:
        told = await every.ann.post("/api/permissions/check", permission="bash", pattern=pattern)
    assert (told["action"], told["rule"]["permission"], told["refused"]) == (action, "bash", "")
    assert told["parts"][0]["permission"] == "bash"


async def test_what_is_denied_whatever_it_is_about_is_hidden(folder: Path) -> None:
    async with people(folder, config=RULES) as every:
        told = await every.ann.post("/api/permissions/check", permission="web_fetch")
        unknown = await every.ann.post("/api/permissions/check", permission="fly", pattern="to the moon")
    assert (told["action"], told["is_hidden"], told["rule"]["permission"]) == ("deny", True, "web_fetch")
    assert (unknown["action"], unknown["rule"], unknown["is_hidden"]) == ("ask", None, False)


async def test_a_users_approval_counts_in_its_own_check_alone(folder: Path) -> None:
    async with people(folder, WRITE, text("done")) as every:
        session = await every.ann.session()
        await every.ann.prompt(session)
        await every.ann.post(f"/api/asks/{(await every.ann.ask())['id']}", reply="always", status=204)
        await every.ann.settled(session)
        mine = await every.ann.post("/api/permissions/check", permission="edit", pattern="a.txt")
        theirs = await every.bob.post("/api/permissions/check", permission="edit", pattern="a.txt")
    assert (mine["action"], mine["is_approved"]) == ("ask", True)
    assert (theirs["action"], theirs["is_approved"]) == ("ask", False)


ODD = ("", " ", "\n", "\0", "a\0b", "../../etc/passwd", "~nobody-there/x", "(", "[", "{", "**", "http://", "x" * 5_000)


async def test_no_pattern_makes_the_check_of_any_tool_fail(folder: Path) -> None:
    async with people(folder) as every:
        names = [one["name"] for one in (await every.root.get("/api/tools"))["tools"]]
        assert {"bash", "glob", "apply_patch", "web_fetch", "task"} <= set(names)
        for permission in (*names, "*", "external_directory"):
            for pattern in ODD:
                told = await every.root.post("/api/permissions/check", permission=permission, pattern=pattern)
                assert told["action"] in ("allow", "ask", "deny")
                assert "function failed" not in told["refused"]
        half = await every.root.http.post(
            "/api/permissions/check", content=b'{"permission":"read","pattern":"\\ud800"}'
        )
    assert half.status_code == 400


async def test_a_glob_is_judged_by_the_folder_that_it_begins_in(folder: Path) -> None:
    rules = '[permissions]\nglob = { "*" = "allow", "hidden" = "deny", "hidden/*" = "deny" }\n'
    async with people(folder, config=rules) as every:
        told = {}
        for pattern in ("**/*.py", "hidden/**/*.py", "hidden", "/etc/*.conf"):
            told[pattern] = await every.root.post("/api/permissions/check", permission="glob", pattern=pattern)
    parts = {
        pattern: [(part["permission"], part["pattern"], part["action"]) for part in one["parts"]]
        for pattern, one in told.items()
    }
    assert parts == {
        "**/*.py": [("glob", ".", "allow")],
        "hidden/**/*.py": [("glob", "hidden", "deny")],
        "hidden": [("glob", "hidden", "deny")],
        "/etc/*.conf": [("glob", "/etc", "allow"), ("external_directory", "/etc/*", "ask")],
    }
