"""The panel of changed files: what edits and commands changed, the way back and forth, and what can't be taken back."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect
from web_play import ALLOW, Play, chatting

from toolpost.testing import call, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
LIMITED = f"{ALLOW}[tool_limits]\nsnapshot_file_bytes = 1000\n"


async def panel_of(play: Play) -> Locator:
    await play.tab.button("Show details").click()
    return play.tab.page.get_by_role("complementary", name="Details")


async def test_what_a_command_changed_is_shown_taken_back_and_made_again(browser: Browser, folder: Path) -> None:
    (folder / "a.txt").write_text("one\n")
    turn = call("bash", {"command": "echo two >> a.txt; ln -s a.txt link; seq 1000 > large.bin"})
    async with chatting(browser, folder, turn, text("Done."), config=LIMITED) as play:
        await play.tab.say("work")
        await expect(play.tab.answers).to_contain_text("Done.")
        await play.tab.settled()
        panel = await panel_of(play)
        await expect(panel.get_by_title("a.txt")).to_be_visible()
        await panel.get_by_title("link").click()
        await expect(panel).to_contain_text("link to a.txt")
        await expect(panel.get_by_role("region", name="Can’t be undone")).to_contain_text("large.bin")
        await panel.get_by_role("button", name="Undo").click()
        await expect(play.tab.page.get_by_text("Not undone: large.bin (3.9 kB, over the limit")).to_be_visible()
        await expect(panel.get_by_title("a.txt")).to_have_count(0)
        assert (folder / "a.txt").read_text() == "one\n"
        assert not (folder / "link").is_symlink()
        await panel.get_by_role("button", name="Redo").click()
        await expect(panel.get_by_title("a.txt")).to_be_visible()
        assert (folder / "link").read_text() == "one\ntwo\n"
