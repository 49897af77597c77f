"""Cards of tools: every state of a call is told, and what came of it is shown by its kind, however little it is."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_gates import GATES, TOLD
from web_play import ASK, chatting

from toolpost.testing import Gate, call, calls, pause, text

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_a_card_goes_from_its_first_argument_to_its_result(browser: Browser, folder: Path) -> None:
    prepared, GATES["slow"] = Gate(), Gate()
    turn = call("held", '{"name": "slow"}', chunk=6) + pause(prepared)
    async with chatting(browser, folder, turn, text("Done.")) as play:
        await play.tab.say("work")
        await expect(play.tab.card("held", "Preparing")).to_be_visible()
        prepared.open()
        await expect(play.tab.card("held", "Running")).to_contain_text("working on slow")
        GATES["slow"].open()
        done = play.tab.card("held", "Done")
        await expect(done).to_be_visible()
        await expect(play.tab.answers).to_contain_text("Done.")
        await done.get_by_role("button").first.click()
        await expect(done).to_contain_text("name")
        await expect(done).to_contain_text("passed slow")


async def test_a_call_that_failed_shows_the_error_and_its_arguments(browser: Browser, folder: Path) -> None:
    turn = call("fail", {"text": "it broke in two"})
    async with chatting(browser, folder, turn, text("Oh.")) as play:
        await play.tab.say("try")
        card = play.tab.card("fail", "Failed")
        await expect(card).to_be_visible()
        await play.tab.settled()
        await _open(card)
        await expect(card).to_contain_text("it broke in two")
        await expect(card).to_contain_text("Arguments")


@pytest.mark.parametrize(
    ("given", "shown"), [(0, "0"), (False, "false"), ("", "(no output)"), (None, "(no output)"), ([], "[]")]
)
async def test_a_result_that_is_next_to_nothing_is_shown(
    browser: Browser, folder: Path, given: object, shown: str
) -> None:
    TOLD["little"] = given
    async with chatting(browser, folder, call("told", {"name": "little"}), text("There.")) as play:
        await play.tab.say("tell")
        card = play.tab.card("told", "Done")
        await expect(card).to_be_visible()
        await play.tab.settled()
        await _open(card)
        await expect(card).to_contain_text(shown)


async def test_results_are_shown_by_their_kind(browser: Browser, folder: Path) -> None:
    TOLD["rows"] = [{"city": "Tokyo", "degrees": 21}, {"city": "Paris", "degrees": 0}]
    TOLD["tree"] = {"outer": {"inner": [1, 2]}}
    turn = calls(
        call("told", {"name": "rows"}),
        call("told", {"name": "tree"}),
        call("bash", {"command": "printf '\\033[31mred'"}),
    )
    async with chatting(browser, folder, turn, text("There.")) as play:
        await play.tab.say("tell")
        await expect(play.tab.answers).to_contain_text("3 calls in parallel")
        await play.tab.settled()
        rows, tree = play.tab.card("told", "Done").nth(0), play.tab.card("told", "Done").nth(1)
        for card in (rows, tree, play.tab.card("bash", "Done")):
            await _open(card)
        await expect(rows.get_by_role("cell", name="Tokyo")).to_be_visible()
        await expect(rows.get_by_role("cell", name="0", exact=True)).to_be_visible()
        await expect(tree.get_by_role("button", name="outer")).to_be_visible()
        await expect(play.tab.card("bash").locator(".ansi-bad")).to_contain_text("red")


async def test_a_denied_call_says_so(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, call("echo", {"text": "x"}), config=ASK) as play:
        await play.tab.say("echo")
        await play.tab.button("Deny").click()
        await expect(play.tab.card("echo", "Denied")).to_be_visible()
        await play.tab.settled()
        await play.page.reload()
        await expect(play.tab.card("echo", "Denied")).to_be_visible()


async def test_cards_are_the_same_after_a_reload(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, call("echo", {"text": "hello"}), text("There.")) as play:
        await play.tab.say("echo")
        await expect(play.tab.card("echo", "Done")).to_be_visible()
        await play.tab.settled()
        await play.page.reload()
        card = play.tab.card("echo", "Done")
        await expect(card).to_be_visible()
        await _open(card)
        await expect(card).to_contain_text("echo hello")


async def _open(card) -> None:
    if await card.get_by_role("button", expanded=False).count():
        await card.get_by_role("button", expanded=False).first.click()
