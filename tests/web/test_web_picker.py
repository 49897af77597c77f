"""The picker of models: a few letters and Enter choose one."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Locator, expect
from web_play import ALLOW, Play, chatting

from toolpost.testing import text

pytestmark = pytest.mark.asyncio(loop_scope="module")
MODELS = "[providers.up.models.scripted]\n[providers.up.models.second]\n[providers.up.models.second-best]\n" + ALLOW


async def test_enter_chooses_the_first_that_fits(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, text("hello"), config=MODELS) as play:
        await _pick(play, "second", "Enter")
        await expect(_button(play, "Model: up/second")).to_be_focused()
        await play.tab.say("hi")
        await expect(play.tab.answers).to_contain_text("hello")
        assert play.up.requests[0].body["model"] == "second"


async def test_enter_chooses_what_the_arrow_keys_have_marked(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, config=MODELS) as play:
        await _pick(play, "second", "ArrowDown", "Enter")
        await expect(_button(play, "Model: up/second-best")).to_be_visible()


@pytest.mark.parametrize("is_quick", [True, False])
async def test_enter_chooses_what_only_a_search_finds(browser: Browser, folder: Path, is_quick: bool) -> None:
    async with chatting(browser, folder, config=MODELS) as play:
        await _pick(play, "up/of-my-own")
        if not is_quick:
            await expect(play.page.get_by_role("option", name="up/of-my-own")).to_be_visible()
        await play.page.keyboard.press("Enter")
        await expect(_button(play, "Model: up/of-my-own")).to_be_visible()


async def test_choosing_what_is_chosen_keeps_it(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, config=MODELS) as play:
        for keys in (["Enter"], []):
            await _pick(play, "scripted", *keys)
            if not keys:
                await play.page.get_by_role("option", name="up/scripted").click()
            await expect(play.page.get_by_role("option")).to_have_count(0)
            await expect(_button(play, "Model: up/scripted")).to_be_visible()


async def test_enter_where_nothing_fits_chooses_nothing(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, config=MODELS) as play:
        await _pick(play, "no such model", "Enter")
        await expect(play.page.get_by_text("No results for “no such model”.")).to_be_visible()
        await play.page.keyboard.press("Escape")
        await expect(_button(play, "Model: up/scripted")).to_be_focused()


async def test_on_a_phone_the_list_stays_on_the_screen(browser: Browser, folder: Path) -> None:
    phone = {"viewport": {"width": 390, "height": 780}}
    async with chatting(browser, folder, config=MODELS, **phone) as play:
        await _pick(play, "second")
        box = await play.page.get_by_role("dialog").bounding_box()
        assert box is not None
        assert box["x"] >= 4
        assert box["x"] + box["width"] <= 386


def _button(play: Play, name: str) -> Locator:
    return play.page.get_by_title(name, exact=True)


async def _pick(play: Play, query: str, *keys: str) -> None:
    """Open the picker, type a few letters, and press these keys."""
    await play.page.get_by_role("button", name="Model:").click()
    field = play.page.get_by_role("textbox", name="Search: Model")
    await expect(field).to_be_focused()
    await field.press_sequentially(query)
    for key in keys:
        await field.press(key)
