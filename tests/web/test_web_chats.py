"""The list of chats: found by what was said, renamed, pinned, taken along, and deleted with time to think again."""

import asyncio
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_play import Play, chatting

from toolpost.testing import text

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_chat_is_renamed(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Yes.")) as play:
        await _talk(play, "about boats")
        await _choose(play, "about boats", "Rename")
        await play.page.get_by_role("textbox", name="Rename").fill("Boats and more")
        await play.page.get_by_role("textbox", name="Rename").press("Enter")
        await expect(play.tab.chat("Boats and more")).to_be_visible()
        assert [session["title"] for session in await _sessions(play)] == ["Boats and more"]


async def test_a_deleted_chat_can_be_had_back_for_a_while(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Yes.")) as play:
        await _talk(play, "about boats")
        await _choose(play, "about boats", "Delete")
        await expect(play.tab.chat("about boats")).to_have_count(0)
        await play.tab.button("Undo").click()
        await expect(play.tab.chat("about boats")).to_be_visible()
        assert len(await _sessions(play)) == 1


async def test_a_deleted_chat_is_gone_when_the_page_is_left(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Yes.")) as play:
        await _talk(play, "about boats")
        await _choose(play, "about boats", "Delete")
        await expect(play.tab.button("Undo")).to_be_visible()
        await play.page.goto(f"{play.url}/#/settings")
        await play.page.reload()
        await expect(play.tab.button("Settings")).to_be_visible()
        async with asyncio.timeout(10):
            while await _sessions(play):  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        await play.page.reload()
        await expect(play.page.get_by_text("Your chats will appear here")).to_be_visible()


async def test_a_chat_is_found_by_anything_that_was_said_in_it(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("The otter sleeps."), text("The heron stands.")) as play:
        await _talk(play, "first animal")
        await play.tab.button("New chat").first.click()
        await _talk(play, "second animal")
        await play.page.keyboard.press("Control+k")
        search = play.page.get_by_role("dialog")
        await search.get_by_role("textbox").fill("otter")
        await search.get_by_role("option").filter(has_text="first animal").first.click()
        await expect(play.tab.answers).to_contain_text("The otter sleeps.")


async def test_a_pinned_chat_stands_on_top(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("One."), text("Two.")) as play:
        await _talk(play, "the older")
        await play.tab.button("New chat").first.click()
        await _talk(play, "the newer")
        await _choose(play, "the older", "Pin")
        await expect(play.tab.chats.get_by_role("heading", name="Pinned")).to_be_visible()
        await expect(play.tab.chats.get_by_role("listitem").first).to_contain_text("the older")


async def test_a_chat_is_taken_along_as_markdown(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("The answer to keep.")) as play:
        await _talk(play, "to keep")
        async with play.page.expect_download() as coming:
            await _choose(play, "to keep", "Export as Markdown")
        await (await coming.value).save_as(folder / "kept.md")
        assert "The answer to keep." in (folder / "kept.md").read_text()


async def test_going_back_in_the_browser_goes_to_the_chat_before(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("One."), text("Two.")) as play:
        await _talk(play, "first")
        await play.tab.button("New chat").first.click()
        await _talk(play, "second")
        await play.page.go_back()
        await play.page.go_back()
        await expect(play.tab.questions).to_have_text("first")


async def _talk(play: Play, said: str) -> None:
    await play.tab.say(said)
    await expect(play.tab.answers).to_be_visible()
    await play.tab.settled()
    await expect(play.tab.chat(said)).to_be_visible()


async def _choose(play: Play, title: str, action: str) -> None:
    item = play.tab.chats.get_by_role("listitem").filter(has_text=title)
    await item.hover()
    await item.get_by_role("button", name="Chat actions").click()
    await play.page.get_by_role("menuitem", name=action, exact=True).click()


async def _sessions(play: Play) -> list[dict[str, object]]:
    return (await play.api("GET", "/api/sessions"))["sessions"]
