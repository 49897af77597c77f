"""A conversation on the page: it grows as it is said, can be stopped, said again, gone on with, and is never lost."""

import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_gates import GATES
from web_play import ALLOW, ASK, TOKEN, chatting

from toolpost.testing import Gate, call, error, http_error, pause, reasoning, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
WORDS = " ".join(f"word{number}" for number in range(40))


async def test_an_answer_is_shown_while_it_is_written(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, text("The first half, ") + pause(gate) + text("and the second.")) as play:
        await play.tab.say("tell me")
        await expect(play.tab.questions).to_have_text("tell me")
        await expect(play.tab.answers).to_contain_text("The first half,")
        await expect(play.tab.answers).not_to_contain_text("second")
        gate.open()
        await expect(play.tab.answers).to_contain_text("The first half, and the second.")
        await play.tab.settled()


async def test_of_an_answer_that_was_begun_again_only_what_stands_is_shown(browser: Browser, folder: Path) -> None:
    broken, standing = Gate(), Gate()
    turns = (
        text("It is rai") + pause(broken) + error("overloaded", "busy", retry_after=0.01),
        text("It is sunny") + pause(standing) + text(" today."),
    )
    async with chatting(browser, folder, *turns) as play:
        await play.tab.say("how is it?")
        await expect(play.tab.answers).to_contain_text("It is rai")
        broken.open()
        await expect(play.tab.answers).to_have_text(re.compile("It is sunny"))
        await expect(play.tab.answers).not_to_contain_text("rai")
        standing.open()
        await play.tab.settled()
        await expect(play.tab.answers).to_contain_text("It is sunny today.")
        await play.tab.page.reload()
        await expect(play.tab.answers).to_contain_text("It is sunny today.")
        await expect(play.tab.answers).not_to_contain_text("rai")


async def test_markdown_is_drawn_with_its_tables_code_and_formulas(browser: Browser, folder: Path) -> None:
    written = (
        "# A title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] done\n\n```python\nx = 1\n```\n\n"
        "$E = mc^2$\n\n[out](https://example.com)\n"
    )
    async with chatting(browser, folder, text(written, chunk=3)) as play:
        await play.tab.say("draw")
        answer = play.tab.answers
        await expect(answer.get_by_role("heading", name="A title")).to_be_visible()
        await expect(answer.get_by_role("cell", name="2")).to_be_visible()
        await expect(answer.get_by_role("checkbox")).to_be_checked()
        await expect(answer.locator("code span").first).to_be_visible()
        await expect(answer.locator("math")).to_be_visible()
        await expect(answer.get_by_role("link", name="out")).to_have_attribute("rel", "noopener noreferrer nofollow")


async def test_thinking_is_open_while_it_lasts_and_then_folds(browser: Browser, folder: Path) -> None:
    gate = Gate()
    turn = reasoning("I weigh it up.") + pause(gate) + text("Yes.")
    async with chatting(browser, folder, turn) as play:
        await play.tab.say("well?")
        await expect(play.tab.answers).to_contain_text("I weigh it up.")
        gate.open()
        await expect(play.tab.answers).to_contain_text("Yes.")
        await expect(play.tab.answers).not_to_contain_text("I weigh it up.")
        await play.tab.answers.get_by_role("button", name="Thought").click()
        await expect(play.tab.answers).to_contain_text("I weigh it up.")
        await play.page.reload()
        await expect(play.tab.answers.get_by_role("button", name="Thought for 1 s")).to_be_visible()


async def test_stopping_keeps_what_was_said(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, text("Only the beginning") + pause(gate), strict=False) as play:
        await play.tab.say("go on")
        await expect(play.tab.answers).to_contain_text("Only the beginning")
        await play.tab.button("Stop").click()
        await play.tab.settled()
        await expect(play.tab.answers).to_contain_text("Only the beginning")
        await play.page.reload()
        await expect(play.tab.answers).to_contain_text("Only the beginning")


@pytest.mark.parametrize("moment", ["before its first word", "in its words", "in a call", "while it asks"])
@pytest.mark.parametrize(("locale", "stop", "mark"), [("en-US", "Stop", "Stopped"), ("zh-CN", "停止", "已停止")])
async def test_a_stopped_answer_says_so_at_once_and_after_a_reload(
    browser: Browser, folder: Path, moment: str, locale: str, stop: str, mark: str
) -> None:
    gate = GATES["held"] = Gate()
    turns = {
        "before its first word": pause(gate),
        "in its words": text("Only the beginning") + pause(gate),
        "in a call": call("held", {"name": "held"}),
        "while it asks": call("echo", {"text": "x"}),
    }
    config = ASK if moment == "while it asks" else ALLOW
    async with chatting(
        browser, folder, turns[moment], config=config, strict=False, locale=locale, opens=False
    ) as play:
        await play.page.goto(f"{play.url}/#token={TOKEN}")
        box = play.page.get_by_role("textbox")
        await box.fill("go on")
        await box.press("Enter")
        if moment == "while it asks":
            await expect(play.page.locator("[data-ask]")).to_be_visible()
        else:
            await gate.reached.wait()
        await play.tab.button(stop).click()
        # The card of a call that was stopped says so too; the answer itself says it once.
        marked = play.tab.answers.locator("p").get_by_text(mark, exact=True)
        await expect(marked).to_be_visible()
        await play.page.reload()
        await expect(marked).to_be_visible()


async def test_escape_stops_as_well(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, text("Only the beginning") + pause(gate), strict=False) as play:
        await play.tab.say("go on")
        await expect(play.tab.answers).to_contain_text("Only the beginning")
        await play.tab.box.press("Escape")
        await play.tab.settled()


async def test_an_answer_given_again_is_a_second_version_and_the_first_can_be_gone_back_to(
    browser: Browser, folder: Path
) -> None:
    async with chatting(browser, folder, text("the first answer"), text("the second answer")) as play:
        tab = play.tab
        await tab.say("one of two")
        await expect(tab.answers).to_contain_text("the first answer")
        await tab.settled()
        await tab.answers.get_by_role("button", name="Regenerate").click()
        await expect(tab.answers).to_contain_text("the second answer")
        await expect(tab.answers).to_contain_text("2 of 2")
        await tab.answers.get_by_role("button", name="Previous version").click()
        await expect(tab.answers).to_contain_text("the first answer")
        await expect(tab.answers).to_contain_text("1 of 2")
        await tab.answers.get_by_role("button", name="Next version").click()
        await expect(tab.answers).to_contain_text("the second answer")


async def test_a_question_put_in_other_words_is_a_branch_with_all_that_followed_each(
    browser: Browser, folder: Path
) -> None:
    turns = text("about cats"), text("more about cats"), text("about dogs")
    async with chatting(browser, folder, *turns) as play:
        tab = play.tab
        await tab.say("cats?")
        await tab.settled()
        await tab.say("and more?")
        await expect(tab.answers).to_have_count(2)
        await tab.settled()
        await tab.questions.first.hover()
        await tab.questions.first.get_by_role("button", name="Edit").click()
        await play.page.get_by_role("textbox", name="Edit").fill("dogs?")
        await play.page.get_by_role("button", name="Ask again").click()
        await expect(tab.answers).to_have_count(1)
        await expect(tab.answers).to_contain_text("about dogs")
        await tab.settled()
        await tab.questions.hover()
        await tab.questions.get_by_role("button", name="Previous version").click()
        await expect(tab.answers).to_have_count(2)
        await expect(tab.answers.last).to_contain_text("more about cats")


async def test_a_reload_in_the_middle_goes_on_without_a_gap(browser: Browser, folder: Path) -> None:
    gate, half = Gate(), len(WORDS) // 2
    turn = text(WORDS[:half], chunk=5) + pause(gate) + text(WORDS[half:], chunk=5)
    async with chatting(browser, folder, turn) as play:
        await play.tab.say("count")
        await expect(play.tab.answers).to_contain_text(WORDS[: half - 10].strip())
        await play.page.reload()
        await expect(play.tab.answers).to_contain_text(WORDS[: half - 10].strip())
        gate.open()
        await expect(play.tab.answers).to_contain_text(WORDS)
        await play.tab.settled()
        await expect(play.tab.questions).to_have_count(1)
        await expect(play.tab.answers).to_have_count(1)


async def test_a_lost_connection_is_found_again_without_a_gap(browser: Browser, folder: Path) -> None:
    gate, half = Gate(), len(WORDS) // 2
    turn = text(WORDS[:half], chunk=5) + pause(gate) + text(WORDS[half:], chunk=5)
    async with chatting(browser, folder, turn) as play:
        await play.tab.say("count")
        await expect(play.tab.answers).to_contain_text(WORDS[: half - 10].strip())
        play.cut()
        gate.open()
        await expect(play.tab.answers).to_contain_text(WORDS)
        await play.tab.settled()
        await expect(play.tab.questions).to_have_count(1)
        await expect(play.tab.answers).to_have_count(1)


async def test_a_second_tab_sees_what_is_being_said(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, text("Here and ") + pause(gate) + text("there.")) as play:
        await play.tab.say("where?")
        await expect(play.tab.answers).to_contain_text("Here and")
        other = await play.another_tab()
        await other.page.goto(play.page.url)
        await expect(other.answers).to_contain_text("Here and")
        gate.open()
        await expect(other.answers).to_contain_text("Here and there.")
        await expect(play.tab.answers).to_contain_text("Here and there.")
        assert other.troubles == []


async def test_a_prompt_can_wait_for_the_end_of_what_runs(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, text("One. ") + pause(gate), text("Two.")) as play:
        await play.tab.say("first")
        await expect(play.tab.answers).to_contain_text("One.")
        await play.tab.box.fill("second")
        await play.tab.button("Queue").click()
        gate.open()
        await expect(play.tab.answers.last).to_contain_text("Two.")
        await expect(play.tab.questions.last).to_contain_text("second")
        await play.tab.settled()
        assert [message["content"] for message in play.said() if message["role"] == "user"] == ["first", "second"]


async def test_a_failure_of_the_model_is_told_and_can_be_tried_again(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, http_error(401, "the key is wrong"), text("There you are.")) as play:
        await play.tab.say("hello?")
        await expect(play.page.get_by_role("alert").first).to_contain_text("the key is wrong")
        await play.tab.settled()
        await play.tab.say("hello again?")
        await expect(play.tab.answers.last).to_contain_text("There you are.")


async def test_what_was_said_can_be_quoted_and_copied(browser: Browser, folder: Path) -> None:
    async with chatting(
        browser, folder, text("To be quoted."), permissions=["clipboard-read", "clipboard-write"]
    ) as play:
        await play.tab.say("say it")
        await play.tab.settled()
        await play.tab.answers.get_by_role("button", name="Copy").first.click()
        assert "To be quoted." in await play.page.evaluate("navigator.clipboard.readText()")
        await play.tab.answers.get_by_role("button", name="Quote").click()
        await expect(play.tab.box).to_have_value("> To be quoted.\n\n")
