"""The page itself: its door, its languages and colours, its keys, its width, and files that are handed to it."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_play import TOKEN, Tab, chatting

from toolpost.testing import text

pytestmark = pytest.mark.asyncio(loop_scope="module")
DOT = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


async def test_the_printed_address_opens_the_page_and_leaves_no_token_in_it(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder) as play:
        assert TOKEN not in play.page.url
        await play.page.reload()
        await expect(play.tab.box).to_be_visible()


async def test_without_the_token_there_is_a_door(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, opens=False) as play:
        await play.page.goto(play.url)
        await expect(play.page.get_by_role("heading", name="This page needs its token")).to_be_visible()
        await play.page.get_by_label("Token").fill("a wrong one")
        await play.tab.button("Open").click()
        await expect(play.page.get_by_role("alert")).to_contain_text("does not accept this token")
        await play.page.get_by_label("Token").fill(TOKEN)
        await play.tab.button("Open").click()
        await expect(play.tab.box).to_be_visible()


async def test_a_first_visit_offers_something_to_ask(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Much.")) as play:
        await play.page.get_by_role("button", name="What can you do here?").click()
        await expect(play.tab.answers).to_contain_text("Much.")


async def test_the_language_is_the_browsers_and_can_be_changed(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, opens=False, locale="zh-CN") as play:
        await play.page.goto(f"{play.url}/#token={TOKEN}")
        await expect(play.page.get_by_role("button", name="设置")).to_be_visible()
        assert await play.page.locator("html").get_attribute("lang") in ("zh", "zh-CN")
        await play.page.get_by_role("button", name="设置").click()
        await play.page.get_by_role("button", name="English").click()
        await expect(play.page.get_by_role("heading", name="Settings")).to_be_visible()
        await play.page.reload()
        await expect(play.page.get_by_role("heading", name="Settings")).to_be_visible()


async def test_the_colours_are_the_systems_and_can_be_changed(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, color_scheme="dark") as play:
        page = play.page.locator("html")
        await expect(page).to_have_attribute("data-theme", "dark")
        await play.tab.button("Settings").click()
        await play.page.get_by_role("button", name="Light").click()
        await expect(page).to_have_attribute("data-theme", "light")
        await play.page.reload()
        await expect(page).to_have_attribute("data-theme", "light")


async def test_everything_has_its_key(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Yes.")) as play:
        keys, dialog = play.page.keyboard, play.page.get_by_role("dialog")
        await play.tab.say("hello")
        await play.tab.settled()
        await keys.press("Control+k")
        await expect(dialog.get_by_role("textbox")).to_be_focused()
        await keys.press("Escape")
        await expect(dialog).to_have_count(0)
        await keys.press("Control+/")
        await expect(dialog).to_contain_text("Keyboard shortcuts")
        await keys.press("Escape")
        await expect(dialog).to_have_count(0)
        await keys.press("Control+Shift+o")
        await expect(play.tab.questions).to_have_count(0)
        await expect(play.tab.box).to_be_focused()
        await keys.press("Control+Shift+s")
        await expect(play.tab.chats).to_have_count(0)


async def test_what_was_said_before_comes_back_with_the_arrow_key(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("Yes.")) as play:
        await play.tab.say("say it once")
        await play.tab.settled()
        await play.tab.box.press("ArrowUp")
        await expect(play.tab.box).to_have_value("say it once")


async def test_on_a_phone_nothing_is_cut_off_and_the_list_is_a_drawer(browser: Browser, folder: Path) -> None:
    long = "a_very_long_name_without_any_space_" * 10
    written = f"{long}\n\n```\n{long}\n```\n\n| {long} | b |\n|---|---|\n| 1 | 2 |\n"
    small = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
    async with chatting(browser, folder, text(written), **small) as play:
        await expect(play.tab.chats).to_have_count(0)
        await play.tab.say("hello from a phone")
        await play.tab.settled()
        assert await play.page.evaluate("document.scrollingElement.scrollWidth") <= 360
        wide = (
            "[...document.querySelectorAll('article, header, form')].filter(e => e.getBoundingClientRect().right > 361)"
        )
        assert await play.page.evaluate(f"{wide}.length") == 0
        await play.tab.button("Show chats").click()
        await play.tab.chat("hello from a phone").click()
        await expect(play.tab.chats).to_have_count(0)


async def test_files_are_handed_over_by_button(browser: Browser, folder: Path) -> None:
    (folder / "notes.txt").write_text("the note")
    async with chatting(browser, folder, text("Read.")) as play:
        await play.page.locator("input[type=file][multiple]").set_input_files(folder / "notes.txt")
        await expect(play.page.get_by_text("notes.txt")).to_be_visible()
        await play.tab.say("read this")
        await expect(play.tab.answers).to_contain_text("Read.")
        await expect(play.tab.questions).to_contain_text("notes.txt")
        assert "the note" in str(play.said()[-1]["content"])


@pytest.mark.parametrize("way", ["paste", "drop"])
async def test_an_image_is_handed_over_by_paste_and_by_drop(browser: Browser, folder: Path, way: str) -> None:
    async with chatting(browser, folder, text("A dot.")) as play:
        await _hand_over(play.tab, way)
        await expect(play.page.get_by_role("button", name="Remove dot.png")).to_be_visible()
        await play.tab.say("what is it?")
        await expect(play.tab.answers).to_contain_text("A dot.")
        await expect(play.tab.questions.get_by_role("img")).to_be_visible()
        assert DOT in str(play.said()[-1]["content"])


async def test_a_file_that_is_too_large_is_refused_with_words(browser: Browser, folder: Path) -> None:
    (folder / "large.bin").write_bytes(bytes(11_000_000))
    async with chatting(browser, folder) as play:
        await play.page.locator("input[type=file][multiple]").set_input_files(folder / "large.bin")
        await expect(play.page.get_by_role("alert")).to_contain_text("large.bin is too large")


async def _hand_over(tab: Tab, way: str) -> None:
    """What a browser does when a person pastes or drops an image."""
    await tab.box.evaluate(
        """(box, [way, dot]) => {
          const bytes = Uint8Array.from(atob(dot), (letter) => letter.charCodeAt(0))
          const data = new DataTransfer()
          data.items.add(new File([bytes], 'dot.png', { type: 'image/png' }))
          const given = { bubbles: true, cancelable: true }
          const event = way === 'paste'
            ? new ClipboardEvent('paste', { ...given, clipboardData: data })
            : new DragEvent('drop', { ...given, dataTransfer: data })
          box.dispatchEvent(event)
        }""",
        [way, DOT],
    )
