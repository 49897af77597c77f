"""`toolpost trust`: what a folder brings along acts once a person has said yes, and only as it was then."""

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


@pytest.mark.parametrize(("typed", "status"), [("y\n", 0), ("n\n", 1), ("\n", 1)])
async def test_a_person_is_asked(console, typed, status):
    async with console.terminal("trust") as terminal:
        await terminal.seen("[y/N] ")
        terminal.type(typed)
        assert await terminal.ended() == status


async def test_a_changed_file_is_shown_as_such_and_trust_can_be_taken_back(console):
    await console.call("trust", "--yes")
    assert "is trusted already" in (await console.call("trust")).out
    assert '"trusted"' in (await console.call("trust", "--list", "--json")).out
    (console.folder / ".toolpost" / "tools" / "look.py").write_text(TOOLS + "#")
    assert '"changed"' in (await console.call("trust", "--list", "--json")).out
    again = await console.call("trust", "--yes")
    assert "look.py" in again.out
    assert "changed" in again.out
    assert "no more" in (await console.call("trust", "--revoke")).out
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
    assert "brings nothing along" in done.out
