"""What a run is doing is said on the page while it happens, for native and for prompted calls."""

import json
import re
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_play import ALLOW, TOKEN, chatting
from web_tavily import tavily, without_proxies

from toolpost.testing import Gate, Turn, call, pause, reasoning, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
HITS = [
    {"title": f"标题 {number}", "url": f"https://site{number}.example/", "content": "一段文字", "score": 0.9}
    for number in range(3)
]
ENGLISH = ("Thinking…", "Searching “Shanghai weather”…", "Reading 3 results…", "Answering…")
CHINESE = ("思考中…", "正在搜索“Shanghai weather”…", "正在阅读 3 条结果…", "正在回答…")
WANTED = {"query": "Shanghai weather"}


@pytest.mark.parametrize(
    ("mode", "locale", "words"),
    [("native", "zh-CN", CHINESE), ("prompted", "en-US", ENGLISH)],
    ids=["native", "prompted"],
)
async def test_each_stage_of_a_search_is_said_while_it_lasts(
    browser: Browser, folder: Path, monkeypatch: pytest.MonkeyPatch, mode: str, locale: str, words: tuple[str, ...]
) -> None:
    without_proxies(monkeypatch)
    gates = [Gate() for _ in words]
    wanted: Turn = call("web_search", WANTED)
    if mode == "prompted":
        wanted = text(f"<tool_call>\n{json.dumps({'name': 'web_search', 'arguments': WANTED})}\n</tool_call>")
    turns = (
        pause(gates[0]) + wanted,
        pause(gates[2]) + text("It rains ") + pause(gates[3]) + text("today."),
    )
    async with tavily(HITS, gates[1]) as service:
        prompted = f'[providers.up.models.scripted]\ntool_calls = "{mode}"\n'
        config = prompted + ALLOW + service.config
        async with chatting(browser, folder, *turns, config=config, locale=locale, opens=False) as play:
            await play.page.goto(f"{play.url}/#token={TOKEN}")
            box = play.page.get_by_role("textbox").last
            await box.fill("天气？")
            await box.press("Enter")
            stage = play.page.get_by_role("status").filter(has_text=re.compile("…$"))
            for said, gate in zip(words, gates, strict=True):
                await expect(stage).to_have_text(said)
                gate.open()
            await expect(play.tab.answers).to_contain_text("It rains today.")
            await expect(stage).to_have_count(0)


async def test_thoughts_say_themselves_that_it_thinks(browser: Browser, folder: Path) -> None:
    gate = Gate()
    async with chatting(browser, folder, reasoning("I weigh it up.") + pause(gate) + text("Yes.")) as play:
        await play.tab.say("well?")
        await expect(play.tab.answers).to_contain_text("I weigh it up.")
        await expect(play.page.get_by_text("Thinking…")).to_have_count(1)
        gate.open()
        await play.tab.settled()
