"""The tools, agents and commands of a folder."""

from pathlib import Path

from gateway_play import with_server, write
from resource_play import message_of, people

COMMAND = "---\ndescription: Look it over\nagent: plan\n---\nReview $ARGUMENTS"


async def test_tools_say_where_they_come_from_and_whether_they_run(folder: Path, mcp_url: str) -> None:
    tool = "from toolpost import tool\n\n@tool\ndef dice() -> int:\n    '''Throw a die.'''\n    return 4\n"
    write(folder / ".toolpost" / "tools" / "dice.py", tool)
    config = with_server(folder, mcp_url, permission="ask") + "[tools]\nbash = false\n"
    async with people(folder, config=config.replace("[permissions]", '[permissions]\nedit = "deny"')) as every:
        told = {one["name"]: one for one in (await every.ann.get("/api/tools"))["tools"]}
    assert told["mcp__play__echo"]["source"] == "mcp:play"
    assert told["mcp__play__echo"]["runs"] == "ask"
    assert told["mcp__play__echo"]["parameters"]["properties"]["text"]["type"] == "string"
    assert told["dice"]["source"].startswith("project:")
    assert (told["write"]["runs"], told["write"]["permission"]) == ("deny", "edit")
    assert "denied by the rule" in told["write"]["hidden"]
    assert (told["bash"]["runs"], told["bash"]["hidden"]) == ("off", "switched off")
    assert (told["read"]["runs"], told["read"]["hidden"], told["read"]["is_read_only"]) == ("allow", "", True)


async def test_tools_are_those_of_the_agent_that_is_asked_for(folder: Path) -> None:
    async with people(folder) as every:
        told = {one["name"]: one for one in (await every.ann.get("/api/tools", agent="plan"))["tools"]}
        unknown = await every.ann.get("/api/tools", agent="nobody", status=400)
    assert (told["write"]["runs"], told["write"]["hidden"]) == ("off", "read-only")
    assert "plan" in message_of(unknown)


async def test_agents_say_what_they_are_for_and_which_one_is_the_default(folder: Path) -> None:
    write(folder / ".toolpost" / "agents" / "poet.md", "---\ndescription: Writes\nmodel: up/other\n---\nRhyme.")
    async with people(folder, config="") as every:
        told = {one["name"]: one for one in (await every.ann.get("/api/agents"))["agents"]}
    assert [name for name, one in told.items() if one["is_default"]] == ["build"]
    assert (told["poet"]["description"], told["poet"]["model"], told["poet"]["mode"]) == ("Writes", "up/other", "all")
    assert (told["plan"]["is_read_only"], told["plan"]["mode"], told["plan"]["model"]) == (True, "primary", None)
    assert told["explore"]["mode"] == "subagent"


async def test_commands_are_listed_with_what_they_start(folder: Path) -> None:
    write(folder / ".toolpost" / "commands" / "review.md", COMMAND)
    async with people(folder) as every:
        (told,) = (await every.ann.get("/api/commands"))["commands"]
    assert (told["name"], told["description"], told["agent"], told["model"]) == ("review", "Look it over", "plan", None)
