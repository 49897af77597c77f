"""`toolpost trust`: what a folder brings along acts once a person has said yes, and only as it was then."""

import json

import pytest
from console import Console

from toolpost.testing import Upstream, call, text

TOOLS = '''
from toolpost import tool

@tool
def look() -> str:
    """Look."""
    return "seen"
'''


@pytest.fixture
def console(tmp_path):
    console = Console(tmp_path)
    console.trusted = False
    (console.folder / ".toolpost" / "tools").mkdir()
    (console.folder / ".toolpost" / "tools" / "look.py").write_text(TOOLS)
    return console


async def test_nothing_acts_before_and_everything_after(console):
    before = await console.call("tools")
    assert "look" not in before.out.split()
    assert "toolpost trust" in before.err
    given = await console.call("trust", "--yes")
    assert given.status == 0
    assert ".toolpost/tools/look.py" in given.out
    after = await console.call("tools")
    assert "look" in after.out.split()
    assert "toolpost trust" not in after.err


async def test_nobody_there_to_say_yes_means_no(console):
    done = await console.call("trust")
    assert done.status == 1
    assert "--yes" in done.err
    assert "look" not in (await console.call("tools")).out.split()


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1), ("\x04", 1)])
async def test_a_person_is_asked(console, typed, status):
    async with console.terminal("trust") as terminal:
        await terminal.seen("[y/N] ")
        terminal.type(typed)
        assert await terminal.ended() == status


async def test_a_changed_file_is_shown_as_such_and_trust_can_be_taken_back(console):
    await console.call("trust", "--yes")
    assert "is already trusted" in (await console.call("trust")).out
    assert '"trusted"' in (await console.call("trust", "--list", "--json")).out
    (console.folder / ".toolpost" / "tools" / "look.py").write_text(TOOLS + "#")
    assert '"changed"' in (await console.call("trust", "--list", "--json")).out
    again = await console.call("trust", "--yes")
    assert "look.py" in again.out
    assert "changed" in again.out
    assert "no longer trusted" in (await console.call("trust", "--revoke")).out
    assert "look" not in (await console.call("tools")).out.split()


async def test_an_agent_cannot_widen_what_it_may_do_by_writing_settings(console):
    await console.call("trust", "--yes")
    write = call("write", {"path": ".toolpost/config.toml", "content": '[permissions]\n"*" = "allow"\n'})
    async with Upstream(write, text("tried")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        await console.call("run", "--allow", "edit", "go")
    assert not (console.folder / ".toolpost" / "config.toml").exists()


async def test_a_folder_without_anything_of_its_own_needs_no_trust(tmp_path):
    done = await Console(tmp_path).call("trust")
    assert done.status == 0
    assert "has nothing that needs trust" in done.out


async def test_programs_are_told_in_json(console):
    files = [".toolpost/tools/look.py"]
    refused = await console.call("trust", "--json")
    assert refused.status == 1
    assert json.loads(refused.out) == {"folder": str(console.folder), "state": "unknown", "files": files}
    given = await console.call("trust", "--yes", "--json")
    assert given.status == 0
    assert json.loads(given.out) == {"folder": str(console.folder), "state": "trusted", "files": files}
    assert json.loads((await console.call("trust", "--revoke", "--json")).out)["state"] == "unknown"


async def test_settings_of_an_untrusted_folder_are_checked_and_it_is_said_that_they_do_not_hold(console):
    file = console.folder / ".toolpost" / "config.toml"
    file.write_text('modle = "x"\n')
    checked = await console.call("config", "check")
    assert checked.status == 1
    assert 'config.toml:1: unknown key "modle"' in checked.err
    assert "toolpost trust" in checked.out
    shown = await console.call("config", "show")
    assert shown.status == 2
    assert "config.toml:1" in shown.err
    assert "toolpost trust" in shown.err
    assert json.loads((await console.call("config", "check", "--json")).out)["problems"]


async def test_names_of_tools_that_are_not_read_yet_are_no_mistake(console):
    (console.folder / ".toolpost" / "config.toml").write_text("[tools]\nget_weather = false\n")
    assert "get_weather" not in (await console.call("config", "check")).out


async def test_settings_of_an_untrusted_folder_are_shown_as_they_would_be(console):
    (console.folder / ".toolpost" / "config.toml").write_text('system = "Be brief."\n')
    shown = await console.call("config", "show", "--origin")
    assert "Be brief." in shown.out
    assert "project config" in shown.out
    assert "not used until" in shown.err
    assert "toolpost trust" in shown.err
    as_json = await console.call("config", "show", "--json")
    assert json.loads(as_json.out)["system"] == "Be brief."
    assert "toolpost trust" in as_json.err
    checked = await console.call("config", "check")
    assert checked.status == 0
    assert "toolpost trust" in checked.out
    await console.call("trust", "--yes")
    for action in ("show", "check"):
        done = await console.call("config", action)
        assert "toolpost trust" not in done.out + done.err


async def test_a_look_at_an_untrusted_folder_runs_nothing_of_it(console):
    tools = console.folder / ".toolpost" / "tools" / "look.py"
    tools.write_text(f'open({str(console.folder / "ran")!r}, "w")\n{TOOLS}')
    (console.folder / ".toolpost" / "config.toml").write_text('[permissions]\nlook = "allow"\n')
    for words in (("config", "check"), ("config", "show"), ("doctor",), ("tools",), ("mcp", "list"), ("permissions",)):
        await console.call(*words)
        assert not (console.folder / "ran").exists(), words
    console.trusted = True
    await console.call("tools")
    assert (console.folder / "ran").exists()


async def test_a_check_also_holds_without_what_an_untrusted_folder_brings_along(console):
    """An agent that only the folder has is missing until it is trusted."""
    (console.folder / ".toolpost" / "config.toml").write_text('[agents.reviewer]\nsystem = "Review."\n')
    console.environ["TOOLPOST_AGENT"] = "reviewer"
    done = await console.call("config", "check")
    assert done.status == 1
    assert "no agent 'reviewer'" in done.err


async def test_tools_of_an_untrusted_folder_are_no_reason_to_teach(console):
    assert "no tools of your own" not in (await console.call("tools")).out
    await console.call("trust", "--yes")
    (console.folder / ".toolpost" / "tools" / "look.py").unlink()
    assert "no tools of your own" in (await console.call("tools")).out


async def test_a_broken_list_of_servers_in_an_untrusted_folder_stops_nothing(console):
    (console.folder / ".mcp.json").write_text("{")
    async with Upstream(text("hello")) as up:
        console.environ["OPENAI_BASE_URL"] = up.base_url
        done = await console.call("run", "hi")
    assert done.status == 0, done.err
    await console.call("trust", "--yes")
    assert (await console.call("run", "hi")).status == 2
