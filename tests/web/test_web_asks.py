"""A person decides on the page: approvals with their rule and their reason, questions as forms, in every tab alike."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_gates import GATES
from web_play import ASK, chatting

from toolpost.testing import Gate, call, calls, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
COLOUR = {"questions": [{"question": "Which colour?", "options": ["red", "blue"]}]}


async def test_allowing_once_asks_again_the_next_time(browser: Browser, folder: Path) -> None:
    turns = call("echo", {"text": "a"}), call("echo", {"text": "b"}), text("Both.")
    async with chatting(browser, folder, *turns, config=ASK) as play:
        await play.tab.say("twice")
        await expect(play.tab.card("echo", "Needs your approval")).to_be_visible()
        await play.tab.button("Allow once").click()
        await expect(play.tab.card("echo", "Done")).to_be_visible()
        await play.tab.button("Allow once").click()
        await expect(play.tab.answers).to_contain_text("Both.")
        assert (await play.api("GET", "/api/permissions"))["approvals"] == []


async def test_allowing_always_shows_the_rule_saves_exactly_it_and_asks_no_more(browser: Browser, folder: Path) -> None:
    turns = call("bash", {"command": "echo one"}), call("bash", {"command": "echo two"}), text("Both.")
    config = '[permissions]\n"*" = "allow"\nbash = "ask"\n'
    async with chatting(browser, folder, *turns, config=config) as play:
        await play.tab.say("twice")
        box = play.page.get_by_role("group", name="Allow this?")
        await expect(box).to_contain_text("echo one")
        await expect(box).to_contain_text("bash: echo *")
        await box.get_by_role("button", name="Always allow").click()
        await expect(play.tab.answers).to_contain_text("Both.")
        saved = (await play.api("GET", "/api/permissions"))["approvals"]
        assert [(rule["permission"], rule["pattern"]) for rule in saved] == [("bash", "echo *")]


async def test_a_reason_for_a_no_reaches_the_model_and_it_goes_on(browser: Browser, folder: Path) -> None:
    turns = call("echo", {"text": "loud"}), text("Quietly, then.")
    async with chatting(browser, folder, *turns, config=ASK) as play:
        await play.tab.say("shout")
        await play.page.get_by_placeholder("Say why").fill("the baby sleeps")
        await play.tab.button("Deny with this reason").click()
        await expect(play.tab.answers).to_contain_text("Quietly, then.")
        await expect(play.tab.card("echo", "Denied")).to_be_visible()
        assert "the baby sleeps" in play.said()[-1]["content"]


async def test_a_circle_is_shown_with_its_arguments_and_words_about_it_reach_the_model(
    browser: Browser, folder: Path
) -> None:
    turns = *[call("echo", {"text": "round and round"})] * 3, text("Another way, then.")
    async with chatting(browser, folder, *turns) as play:
        await play.tab.say("go")
        box = play.page.get_by_role("group", name="It keeps calling echo with the same arguments")
        await expect(box).to_contain_text("round and round")
        await box.get_by_placeholder("Say why").fill("try another way")
        await box.get_by_role("button", name="Tell it this instead").click()
        await expect(play.tab.answers).to_contain_text("Another way, then.")
        assert "try another way" in play.said()[-1]["content"]


async def test_several_calls_that_wait_are_answered_each_by_itself(browser: Browser, folder: Path) -> None:
    turns = calls(call("echo", {"text": "a"}), call("echo", {"text": "b"})), text("Well.")
    async with chatting(browser, folder, *turns, config=ASK) as play:
        await play.tab.say("both")
        await expect(play.tab.card("echo", "Needs your approval")).to_have_count(2)
        await play.tab.button("Allow once").first.click()
        await expect(play.tab.card("echo", "Done")).to_have_count(1)
        await expect(play.tab.card("echo", "Needs your approval")).to_have_count(1)
        await play.tab.button("Allow once").click()
        await expect(play.tab.answers).to_contain_text("Well.")


async def test_a_second_tab_sees_that_it_was_answered(browser: Browser, folder: Path) -> None:
    GATES["after"] = Gate()
    turns = call("echo", {"text": "a"}), call("held", {"name": "after"}), text("Well.")
    async with chatting(browser, folder, *turns, config=ASK) as play:
        await play.tab.say("ask me")
        await expect(play.tab.button("Allow once")).to_be_visible()
        other = await play.another_tab()
        await other.page.goto(play.page.url)
        await expect(other.button("Allow once")).to_be_visible()
        await other.button("Allow once").click()
        await expect(play.tab.button("Allow once")).to_have_count(0)
        await expect(play.tab.card("echo", "Done")).to_be_visible()
        GATES["after"].open()
        await expect(play.tab.answers).to_contain_text("Well.")
        await expect(other.answers).to_contain_text("Well.")


async def test_an_approval_waits_for_whoever_comes_back(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, call("echo", {"text": "a"}), text("Well."), config=ASK) as play:
        await play.tab.say("ask me")
        await expect(play.tab.button("Allow once")).to_be_visible()
        await play.page.reload()
        await play.tab.button("Allow once").click()
        await expect(play.tab.answers).to_contain_text("Well.")


async def test_a_change_is_shown_before_it_is_made(browser: Browser, folder: Path) -> None:
    config = '[permissions]\n"*" = "allow"\nedit = "ask"\n'
    turns = call("write", {"path": "hello.txt", "content": "good morning\n"}), text("Written.")
    async with chatting(browser, folder, *turns, config=config) as play:
        await play.tab.say("write")
        await expect(play.page.get_by_role("group", name="Allow this?")).to_contain_text("good morning")
        assert not (folder / "hello.txt").exists()
        await play.tab.button("Allow once").click()
        await expect(play.tab.answers).to_contain_text("Written.")
        assert (folder / "hello.txt").read_text() == "good morning\n"


async def test_a_question_is_a_form(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, call("question", COLOUR), text("Blue it is.")) as play:
        await play.tab.say("ask me")
        await expect(play.page.get_by_text("Which colour?").first).to_be_visible()
        await play.tab.button("blue").click()
        await play.tab.button("Answer").click()
        await expect(play.tab.answers).to_contain_text("Blue it is.")
        assert "blue" in play.said()[-1]["content"]


async def test_a_question_can_be_answered_in_words_of_ones_own(browser: Browser, folder: Path) -> None:
    async with chatting(browser, folder, call("question", COLOUR), text("Green it is.")) as play:
        await play.tab.say("ask me")
        await play.page.get_by_placeholder("Something else").fill("green")
        await play.tab.button("Answer").click()
        await expect(play.tab.answers).to_contain_text("Green it is.")
        assert "green" in play.said()[-1]["content"]


async def test_what_a_person_says_meanwhile_steers_what_runs(browser: Browser, folder: Path) -> None:
    GATES["slow"] = Gate()
    async with chatting(browser, folder, call("held", {"name": "slow"}), text("To the left, then.")) as play:
        await play.tab.say("go")
        await expect(play.tab.card("held", "Running")).to_be_visible()
        await play.tab.box.fill("rather to the left")
        await play.tab.button("Steer").click()
        await expect(play.tab.box).to_have_value("")
        GATES["slow"].open()
        await expect(play.tab.answers.last).to_contain_text("To the left, then.")
        assert "rather to the left" in str(play.said())
