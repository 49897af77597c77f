"""Schedules on the page: made in a form, fired by the server, paused, run by hand, deleted; in both languages."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Locator, Page, expect
from web_axe import serious
from web_play import Play, chatting, picture

from toolpost.testing import text

pytestmark = pytest.mark.asyncio(loop_scope="module")

NEWS = "Summarise the news of the last day"
PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}


@asynccontextmanager
async def scheduling(browser: Browser, folder: Path, **look: Any) -> AsyncGenerator[Play]:
    """The page of schedules, in front of a model that always has the same to say."""
    async with chatting(browser, folder, text("Rain in the north."), repeat=True, opens=False, **look) as play:
        await play.page.goto(f"{play.url}/#token=a-token-for-the-page")
        await play.page.get_by_role("button", name=re.compile("^(Schedules|定时任务)$")).click()
        await expect(play.page.get_by_role("heading", level=1)).to_be_visible()
        yield play


def row(page: Page, name: str) -> Locator:
    return page.get_by_role("main").get_by_role("listitem").filter(has_text=name)


async def test_a_schedule_is_made_fires_and_leads_to_its_chat(browser: Browser, folder: Path) -> None:
    async with scheduling(browser, folder) as play:
        page = play.page
        await expect(page.get_by_text("No schedules yet.")).to_be_visible()
        await play.tab.button("New schedule").click()
        await expect(page.get_by_label("What is to be done")).to_be_focused()
        await page.get_by_label("What is to be done").fill(NEWS)
        await page.get_by_label("Repeat").select_option("weekdays")
        await page.get_by_label("Time", exact=True).fill("07:30")
        await expect(page.get_by_role("main").get_by_text(re.compile(r"^Next: .+ · .+ · .+07:30"))).to_be_visible()
        await page.get_by_text("More options").click()
        await page.get_by_label("Name").fill("News")
        await picture(page, "schedules_form_desktop_light_en")
        assert await serious(page) == []
        await play.tab.button("Create").click()
        made = row(page, "News")
        await expect(made.get_by_text("Monday to Friday at 07:30")).to_be_visible()
        await expect(made.get_by_text(re.compile(r"^Next: (Mon|Tue|Wed|Thu|Fri), .* 07:30"))).to_be_visible()
        await made.get_by_role("button", name="Run now").click()
        await expect(made.get_by_text(re.compile("^Last: done, "))).to_be_visible()
        assert await serious(page) == []
        await made.get_by_role("link", name="Open the chat").click()
        await expect(play.tab.answers.get_by_text("Rain in the north.")).to_be_visible()
        await expect(play.tab.questions.get_by_text(NEWS)).to_be_visible()
        await expect(play.tab.chat("News")).to_be_visible()


async def test_a_schedule_is_changed_paused_and_deleted(browser: Browser, folder: Path) -> None:
    async with scheduling(browser, folder) as play:
        page = play.page
        made = await play.api("POST", "/api/schedules", {"prompt": NEWS, "every": "90m", "name": "News"})
        news = row(page, "News")
        await expect(news.get_by_text("Every 1 hour 30 minutes")).to_be_visible()
        await news.get_by_role("button", name="Edit").click()
        form = page.get_by_role("form", name="Edit schedule")
        await form.get_by_role("button", name="At set times").click()
        await form.get_by_label("Repeat").select_option("own")
        await form.get_by_role("textbox", name="Cron expression").fill("61 * * * *")
        await expect(form.get_by_role("alert")).to_contain_text("bad minute")
        await expect(play.tab.button("Save")).to_be_disabled()
        await form.get_by_role("textbox", name="Cron expression").fill("0 9,18 * * 1-5")
        await play.tab.button("Save").click()
        await expect(news.get_by_text("0 9,18 * * 1-5")).to_be_visible()
        await news.get_by_role("button", name="Pause").click()
        await expect(news.get_by_text("Paused")).to_be_visible()
        assert (await play.api("GET", f"/api/schedules/{made['id']}"))["state"] == "paused"
        await news.get_by_role("button", name="Resume").click()
        await expect(news.get_by_text("Next: ")).to_be_visible()
        await news.get_by_role("button", name="Delete").click()
        await page.get_by_role("alertdialog").get_by_role("button", name="Delete").click()
        await expect(page.get_by_text("No schedules yet.")).to_be_visible()
        assert (await play.api("GET", "/api/schedules"))["schedules"] == []


async def test_a_phone_in_chinese_shows_what_became_of_each(browser: Browser, folder: Path) -> None:
    look = {"locale": "zh-CN", "timezone_id": "Asia/Shanghai", "color_scheme": "dark"}
    async with scheduling(browser, folder, **look) as play:
        page = play.page
        zone = {"time_zone": "Asia/Shanghai"}
        news = {"prompt": "总结今天的新闻", "cron": "30 8 * * 1-5", "name": "每日新闻", **zone}
        made = await play.api("POST", "/api/schedules", news)
        await play.api("POST", "/api/schedules", {"prompt": "检查服务器的日志", "every": "6h"})
        await play.api("POST", "/api/schedules", {"prompt": "写周报", "cron": "0 17 * * 5", "name": "周报", **zone})
        await play.api("POST", f"/api/schedules/{made['id']}/run")
        await expect(row(page, "每日新闻").get_by_text(re.compile("^上一次：完成"))).to_be_visible()
        await expect(row(page, "每日新闻").get_by_text("周一到周五 08:30")).to_be_visible()
        await expect(row(page, "周报").get_by_text("每星期五 17:00")).to_be_visible()
        await expect(row(page, "检查服务器的日志").get_by_text("每隔 6小时")).to_be_visible()
        await picture(page, "schedules_desktop_dark_zh")
        await page.set_viewport_size(PHONE["viewport"])
        width = await page.evaluate("document.documentElement.scrollWidth")
        assert width <= 375
        assert await serious(page) == []
