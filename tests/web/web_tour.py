"""The states of the page that are looked at: by axe for whoever can't see them, and in pictures for whoever can."""

import re
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any, NamedTuple

from mcp.server import MCPServer
from playwright.async_api import expect
from web_play import Play

from toolpost.testing import Received, Turn, call, calls, reasoning, text
from toolpost.types.messages import Usage

CONFIG = '[permissions]\n"*" = "allow"\nbash = "ask"\n'
NOTES = "- water the plants\n- call the plumber\n- buy rice\n"


class Words(NamedTuple):
    """What is said on the tour, and the names of what is pressed."""

    locale: str
    notes: str
    clean: str
    ask: str
    answer: str
    question: str
    options: tuple[str, ...]
    once: str
    send: str
    details: str
    settings: str
    show_list: str


EN = Words(
    "en-US",
    "What is in notes.md, and what does the weather mean for it?",
    "Count the lines, then add a task",
    "Which day suits you?",
    "Three things are open. **Tokyo stays dry**, so the plants need water:\n\n"
    "| Task | Today | Why |\n|---|---|---|\n| Water the plants | yes | 31 °C, no rain |\n"
    "| Call the plumber | no | closed |\n| Buy rice | yes | on the way |\n\n"
    "```python\ndef litres(plants: int, degrees: float) -> float:\n"
    "    return plants * (0.2 if degrees < 25 else 0.35)  # each\n```\n\n"
    "With $n$ plants that is $0.35\\,n$ litres. More in [the guide](https://example.com/plants).\n",
    "When should the plumber come?",
    ("Tuesday", "Thursday", "Saturday"),
    "Allow once", "Send", "Show details", "Settings", "Show chats",
)  # fmt: skip
ZH = Words(
    "zh-CN",
    "notes.md 里有什么？今天的天气有影响吗？",
    "数一下行数，再加一项任务",
    "哪一天方便？",
    "还有三件事没做。**东京今天没有雨**，所以植物需要浇水：\n\n"
    "| 任务 | 今天 | 原因 |\n|---|---|---|\n| 浇花 | 是 | 31 °C，无雨 |\n"
    "| 给水管工打电话 | 否 | 休息 |\n| 买米 | 是 | 顺路 |\n\n"
    "```python\ndef litres(plants: int, degrees: float) -> float:\n"
    "    return plants * (0.2 if degrees < 25 else 0.35)  # 每株\n```\n\n"
    "$n$ 株植物需要 $0.35\\,n$ 升水。详见[指南](https://example.com/plants)。\n",
    "水管工什么时候来？",
    ("星期二", "星期四", "星期六"),
    "允许一次", "发送", "显示详情", "设置", "显示对话列表",
)  # fmt: skip


def prepare(folder: Path) -> None:
    (folder / "notes.md").write_text(NOTES)


def weather() -> MCPServer:
    server = MCPServer("weather")

    @server.tool()
    def forecast(city: str) -> list[dict[str, Any]]:
        """The weather of the next days."""
        return [{"day": "Monday", "degrees": 31, "rain": 0}, {"day": "Tuesday", "degrees": 28, "rain": 2}]

    return server


def script(words: Words) -> Any:
    """The model of the tour: each question has its turns."""

    def turn(received: Received) -> Turn:
        messages = received.body["messages"]
        said = next(str(one["content"]) for one in reversed(messages) if one["role"] == "user")
        steps = sum(one["role"] == "assistant" for one in messages[_last_user(messages) :])
        return _answered(words, said, steps) + Turn(usage=Usage(input=5200 + 900 * steps, output=240))

    return turn


def _answered(words: Words, said: str, steps: int) -> Turn:
    if words.notes in said and steps == 0:
        looking = calls(call("read", {"path": "notes.md"}), call("mcp__weather__forecast", {"city": "Tokyo"}))
        return reasoning("I look at the file and at the weather first.") + looking
    if words.clean in said and steps == 0:
        todos = [{"content": "notes.md", "status": "completed"}, {"content": "wc -l", "status": "in_progress"}]
        return call("todo_write", {"todos": todos}) + call("bash", {"command": "wc -l notes.md && git status --short"})
    if words.clean in said and steps == 1:
        return call("edit", {"path": "notes.md", "old_text": "- buy rice", "new_text": "- buy rice\n- feed the cat"})
    if words.ask in said and steps == 0:
        return call("question", {"questions": [{"question": words.question, "options": list(words.options)}]})
    return text(words.answer)


def _last_user(messages: list[Any]) -> int:
    return max(place for place, one in enumerate(messages) if one["role"] == "user")


async def tour(play: Play, words: Words, *, is_phone: bool) -> AsyncGenerator[str]:
    """Go from state to state, and stay in each while its name is looked at."""
    page = play.page
    box, send = (
        page.get_by_role("main").get_by_role("textbox").last,
        page.get_by_role("button", name=words.send, exact=True),
    )
    await expect(page.get_by_role("heading", level=2).first).to_be_visible()
    yield "welcome"
    await box.fill(words.notes)
    await box.press("Enter")
    await expect(page.get_by_role("table").first).to_be_visible()
    await expect(send).to_be_visible()
    await expect(page.locator("code span").first).to_be_visible()
    await _fold(play)
    yield "answer"
    await box.fill(words.clean)
    await box.press("Enter")
    await expect(page.get_by_role("button", name=words.once, exact=True)).to_be_visible()
    yield "approval"
    await page.get_by_role("button", name=words.once, exact=True).click()
    await expect(page.get_by_role("button", name=words.once, exact=True)).to_have_count(0)
    await expect(send).to_be_visible()
    await page.get_by_role("button", name=words.details, exact=True).click()
    await expect(page.get_by_text("notes.md").last).to_be_visible()
    yield "details"
    if is_phone:
        await page.get_by_role("complementary").get_by_role("button").first.click()
    else:
        await page.get_by_role("button", name=words.details, exact=True).click()
    await box.fill(words.ask)
    await box.press("Enter")
    await expect(page.get_by_role("button", name=words.options[0], exact=True)).to_be_visible()
    yield "question"
    await page.get_by_role("button", name=words.options[0], exact=True).click()
    await page.locator("form button[type=submit]").filter(has_text=re.compile("^(Answer|回答)$")).click()
    await expect(send).to_be_visible()
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("option").first).to_be_visible()
    yield "search"
    await page.keyboard.press("Escape")
    await page.evaluate("location.hash = '/settings'")
    await expect(page.get_by_role("button", name="English")).to_be_visible()
    yield "settings"


async def _fold(play: Play) -> None:
    """Thinking folds by itself a moment after it ended."""
    thought = play.tab.answers.get_by_role("button", name=re.compile("Thought|思考"))
    await expect(thought.first).to_have_attribute("aria-expanded", "false")
