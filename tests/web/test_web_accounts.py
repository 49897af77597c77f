"""People with accounts, in Chinese: the first start, an invitation, what a member may do, and the admin's page."""

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, Locator, Page, Route, expect
from web_axe import AXE, serious
from web_gates import GATES
from web_play import Play, Tab, chatting, picture
from web_tavily import tavily, without_proxies

from toolpost.testing import Gate, Received, Turn, call, pause, text
from toolpost.types.messages import Usage

pytestmark = pytest.mark.asyncio(loop_scope="module")

# What a server offers by itself: one agent that talks, and one that works on the folder.
CONFIG = """
[agents.chat]
description = "A helpful assistant"
tools = ["web_search", "web_fetch", "held"]
[permissions]
"*" = "allow"
"""
ADMIN, MEMBER = "小红", "王伟"
PASSWORD, OTHER = "horse staple battery", "correct 马 battery"
PHONE = {"viewport": {"width": 375, "height": 740}, "has_touch": True, "is_mobile": True}
DESKTOP = {"viewport": {"width": 1200, "height": 800}}
QUESTION = "上海明天会下雨吗？"
RAIN = (
    "明天上海**有中雨**，气温 18–22 °C，建议带伞。\n\n"
    "- 上午：小雨，东风 3 级\n- 下午：中雨，傍晚转阴\n\n来自[上海市明天天气预报](https://weather.example/shanghai)。\n"
)
HITS = [
    {
        "title": "上海市明天天气预报",
        "url": "https://weather.example/shanghai",
        "content": "明天（周五）小雨转中雨，气温 18–22 °C，东风 3–4 级。",
        "score": 0.97,
        "published_date": "2026-11-19",
    },
    {
        "title": "华东地区未来三天降水预报：江南北部、上海有中到大雨，局地伴有雷电",
        "url": "https://www.news.example/east-china/precipitation/2026/11/three-days.html",
        "content": "受冷空气影响，明天上海有明显降雨，后天逐渐转晴。",
        "score": 0.81,
    },
]
SECTIONS = ("users", "invitations", "roles", "tokens", "usage", "runs")


def _answer(received: Received) -> Turn:
    """What the model says: it does what it is asked, with whatever it has or has not."""
    messages = received.body["messages"]
    said = str(messages[-1]["content"])
    usage = Turn(usage=Usage(input=1200, output=40))
    if messages[-1]["role"] == "tool":
        return text("我不能运行命令。" if "bash" in str(messages) else "完成了。") + usage
    if "运行" in said:
        return call("bash", {"command": "cat /etc/passwd"}) + usage
    if "慢慢" in said:
        return call("held", {"name": "slow"}) + usage
    return text("水稻需要很多水。") + usage


@asynccontextmanager
async def _team(browser: Browser, folder: Path, **more: Any) -> AsyncGenerator[Play]:
    given: dict[str, Any] = {"config": CONFIG, "locale": "zh-CN", "repeat": True, "opens": False, **more}
    async with chatting(browser, folder, _answer, accounts=True, **given) as play:
        yield play


def _box(page: Page) -> Locator:
    return page.get_by_role("textbox", name="输入问题")


async def _set_up(play: Play) -> None:
    await play.page.goto(play.setup)
    await _fill_in(play.page, ADMIN, PASSWORD, "创建账号")
    await expect(_box(play.page)).to_be_visible()


async def _fill_in(page: Page, name: str, password: str, button: str) -> None:
    await page.get_by_label("用户名", exact=True).fill(name)
    await page.get_by_label("密码", exact=True).fill(password)
    await page.get_by_role("button", name=button, exact=True).click()


async def _go(page: Page, place: str) -> None:
    await page.evaluate("place => { location.hash = place }", place)


async def _invite(page: Page) -> str:
    """The admin makes an invitation; the link for it."""
    await _go(page, "/admin/invitations")
    await page.get_by_role("button", name="创建邀请").click()
    link = page.get_by_role("textbox", name="请把此链接发给你邀请的人")
    await expect(link).to_have_value(re.compile("#invite="))
    return await link.input_value()


@asynccontextmanager
async def _somebody_else(browser: Browser, play: Play, **look: Any) -> AsyncGenerator[Tab]:
    """The browser of another person."""
    context: BrowserContext = await browser.new_context(locale="zh-CN", reduced_motion="reduce", **look)
    context.set_default_timeout(10_000)
    tab = Tab(await context.new_page(), play.url)
    try:
        yield tab
    finally:
        await context.close()
    assert not tab.troubles, tab.troubles


async def _join(play: Play, tab: Tab) -> None:
    await tab.page.goto(await _invite(play.page))
    await expect(tab.page.get_by_text(f"{ADMIN} 邀请你以“成员”身份加入")).to_be_visible()
    await _fill_in(tab.page, MEMBER, PASSWORD, "创建账号")
    await expect(_box(tab.page)).to_be_visible()


async def test_the_printed_link_makes_the_admin_and_leaves_no_secret_in_the_address(
    browser: Browser, folder: Path
) -> None:
    async with _team(browser, folder) as play:
        page = play.page
        await page.goto(play.url)
        await expect(page.get_by_role("heading", name="此服务器还没有管理员")).to_be_visible()
        await page.goto(play.setup)
        await expect(page.get_by_role("heading", name="欢迎，请创建管理员账号")).to_be_visible()
        assert "setup" not in page.url
        await page.reload()
        await _fill_in(page, ADMIN, "qwertyuiop", "创建账号")
        await expect(page.get_by_role("alert")).to_contain_text("密码容易被猜到")
        await page.get_by_label("密码", exact=True).fill(PASSWORD)
        await page.keyboard.press("Enter")
        await expect(_box(page)).to_be_visible()
        await expect(page.get_by_role("button", name="管理")).to_be_visible()
        await page.goto("about:blank")
        await page.goto(play.setup)
        await _fill_in(page, "eve", PASSWORD, "创建账号")
        await expect(page.get_by_role("alert")).to_contain_text("此链接已失效")


async def test_a_second_person_comes_by_invitation_asks_and_logs_in_again(browser: Browser, folder: Path) -> None:
    async with _team(browser, folder) as play, _somebody_else(browser, play) as tab:
        await _set_up(play)
        await _join(play, tab)
        page = tab.page
        await _box(page).fill("水稻需要什么？")
        await _box(page).press("Enter")
        await expect(tab.answers).to_contain_text("水稻需要很多水")
        await expect(page.get_by_role("button", name="管理", exact=True)).to_have_count(0)
        await _go(page, "/settings")
        await expect(page.get_by_text("角色：成员")).to_be_visible()
        await page.get_by_role("button", name="退出登录").click()
        await expect(page.get_by_role("heading", name="登录 Toolpost")).to_be_visible()
        assert await page.evaluate("localStorage.getItem('toolpost.prompts')") is None
        await _fill_in(page, MEMBER, "not the password", "登录")
        await expect(page.get_by_role("alert")).to_contain_text("用户名或密码不正确")
        await page.get_by_label("密码", exact=True).fill(PASSWORD)
        await page.keyboard.press("Enter")
        await expect(_box(page)).to_be_visible()
        await expect(page.get_by_role("navigation")).to_contain_text("水稻需要什么？")


@pytest.mark.parametrize(
    ("look", "colours"), [(PHONE, "dark"), (DESKTOP, "light")], ids=["phone_dark_zh", "desktop_light_zh"]
)
async def test_a_colleague_asks_in_chinese_and_sees_the_search_the_answer_and_its_sources(
    browser: Browser,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
    look: dict[str, Any],
    colours: str,
) -> None:
    kind = request.node.callspec.id
    without_proxies(monkeypatch)
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-of-the-team")
    found, answered = Gate(), Gate()

    def answer(received: Received) -> Turn:
        if received.body["messages"][-1]["role"] == "tool":
            return pause(answered) + text(RAIN)
        return call("web_search", {"query": "上海 明天 天气", "time_range": "day"})

    async with (
        tavily(HITS, found) as service,
        chatting(
            browser, folder, answer, accounts=True, config=service.config, locale="zh-CN",
            repeat=True, opens=False, tools=False,
        ) as play,
        _somebody_else(browser, play, color_scheme=colours, **look) as tab,
    ):  # fmt: skip
        await _set_up(play)
        await _join(play, tab)
        page, troubles = tab.page, dict[str, list[str]]()
        await _box(page).fill(QUESTION)
        await _box(page).press("Enter")
        stage = page.get_by_role("status").filter(has_text=re.compile("…$"))
        await expect(stage).to_have_text("正在搜索“上海 明天 天气”…")
        await picture(page, f"team_searching_{kind}")
        found.open()
        await expect(stage).to_have_text("正在阅读 2 条结果…")
        answered.open()
        await expect(tab.answers).to_contain_text("明天上海有中雨")
        await expect(stage).to_have_count(0)
        sources = tab.answers.get_by_role("region", name="来源")
        for hit in HITS:
            await expect(sources.get_by_role("link", name=hit["title"])).to_have_attribute("href", hit["url"])
        troubles["answer"] = await serious(page) if AXE.is_file() else []
        await picture(page, f"team_answer_{kind}")
        search = page.get_by_role("region", name=re.compile("搜索"))
        await search.get_by_role("button").first.click()
        for hit in HITS:
            await expect(search.get_by_role("link", name=hit["title"])).to_have_attribute("href", hit["url"])
        assert await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        troubles["sources"] = await serious(page) if AXE.is_file() else []
        # The key of the team was used, and neither the model nor the browser has seen it.
        assert service.keys == ["bearer tvly-of-the-team"]
        assert service.searches[0]["query"] == "上海 明天 天气"
        assert service.searches[0]["time_range"] == "day"
        prompt, read = str(play.said(0)[0]["content"]), str(play.said(1)[-1]["content"])
        assert re.search("[一-龥]", prompt), "the prompt follows the language of the question"
        assert "内容：" in read
        assert {tool["function"]["name"] for tool in play.up.requests[0].body["tools"]} == {
            "web_search", "web_fetch", "calculator",
        }  # fmt: skip
        assert "tvly" not in str([received.body for received in play.up.requests])
    assert {state: told for state, told in troubles.items() if told} == {}


async def test_a_member_who_asks_for_the_coding_agent_and_for_bash_cannot_have_them(
    browser: Browser, folder: Path
) -> None:
    async with _team(browser, folder) as play, _somebody_else(browser, play) as tab:
        await _set_up(play)
        await _join(play, tab)
        page = tab.page
        await page.get_by_role("button", name="智能体").click()
        await expect(page.get_by_role("option", name="chat")).to_be_visible()
        await expect(page.get_by_role("option", name="build")).to_have_count(0)
        await page.keyboard.press("Escape")
        refused = await page.evaluate(
            """async () => {
              const { csrf } = await (await fetch('/api/auth')).json()
              const headers = { 'content-type': 'application/json', 'x-toolpost-csrf': csrf }
              const made = await fetch('/api/sessions', { method: 'POST', headers, body: '{"agent": "build"}' })
              const forged = await fetch('/api/sessions', { method: 'POST', body: '{}' })
              return [made, forged].map((answer) => answer.json().then(({ error }) => [answer.status, error.code]))
                .reduce(async (all, one) => [...(await all), await one], [])
            }"""
        )
        assert refused == [[403, "agent_not_allowed"], [403, "csrf"]]
        await _box(page).fill("请运行 cat /etc/passwd")
        await _box(page).press("Enter")
        await expect(tab.answers).to_contain_text("我不能运行命令")
        assert "root:" not in str(play.up.requests[-1].body)
        offered = {tool["function"]["name"] for tool in play.up.requests[0].body.get("tools", [])}
        assert "bash" not in offered


async def test_the_admin_sees_what_runs_and_what_was_used_and_ends_it(browser: Browser, folder: Path) -> None:
    GATES["slow"] = Gate()
    async with _team(browser, folder) as play, _somebody_else(browser, play) as tab:
        await _set_up(play)
        await _join(play, tab)
        await _box(tab.page).fill("慢慢来")
        await _box(tab.page).press("Enter")
        page = play.page
        await _go(page, "/admin/runs")
        run = page.get_by_role("listitem").filter(has_text=MEMBER)
        await expect(run).to_contain_text("慢慢来")
        await run.get_by_role("button", name=re.compile("停止")).click()
        await expect(page.get_by_text("已停止该任务")).to_be_visible()
        await expect(page.get_by_text("现在没有正在运行的任务")).to_be_visible()
        await expect(tab.page.get_by_text("已停止").first).to_be_visible()
        await _go(page, "/admin/usage")
        row = page.get_by_role("row").filter(has_text=MEMBER)
        await expect(row).to_contain_text("up/scripted")
        await expect(page.get_by_role("row").filter(has_text="合计")).to_contain_text("1200")
        await _go(page, "/admin/users")
        person = page.get_by_role("listitem", name=MEMBER)
        await person.get_by_role("combobox").select_option("guest")
        await expect(page.get_by_text(f"{MEMBER} 现在是访客")).to_be_visible()
        await person.get_by_role("button", name=re.compile("停用")).click()
        await expect(person).to_contain_text("已停用")
        # The other page notices by itself: its stream of events ends within ten seconds.
        await expect(tab.page.get_by_role("heading", name="重新登录")).to_be_visible(timeout=20_000)
        await person.get_by_role("button", name=re.compile("删除")).click()
        await page.get_by_role("alertdialog").get_by_role("button", name="删除").click()
        await expect(person).to_have_count(0)


async def test_a_login_that_ends_while_writing_loses_nothing(browser: Browser, folder: Path) -> None:
    async with _team(browser, folder) as play:
        page = play.page
        await _set_up(play)
        await _send_without_login(play, "水稻需要什么？")
        await expect(page.get_by_text("你写的内容仍然保留")).to_be_visible()
        await _fill_in(page, ADMIN, PASSWORD, "登录")
        await expect(_box(page)).to_be_focused()
        await expect(_box(page)).to_have_value("水稻需要什么？")
        await page.keyboard.press("Enter")
        await expect(play.tab.answers).to_contain_text("水稻需要很多水")
        # In a chat that is there already, the question itself waits for the login.
        await expect(page.get_by_role("button", name="发送", exact=True)).to_be_visible()
        await _send_without_login(play, "还有呢？")
        await _fill_in(page, ADMIN, PASSWORD, "登录")
        await expect(play.tab.answers).to_have_count(2)


async def _send_without_login(play: Play, said: str) -> None:
    """Ask something after the login has ended, before the page has noticed that."""

    async def only_changes(route: Route) -> None:
        await (route.abort() if route.request.method == "GET" else route.continue_())

    await _box(play.page).fill(said)
    await play.page.route("**/api/**", only_changes)
    await play.context.clear_cookies()
    await _box(play.page).press("Enter")
    await expect(play.page.get_by_role("heading", name="重新登录")).to_be_visible()
    await play.page.unroute("**/api/**")


async def test_a_forgotten_password_is_set_anew_by_a_link_and_changed_in_the_settings(
    browser: Browser, folder: Path
) -> None:
    async with _team(browser, folder) as play, _somebody_else(browser, play) as tab:
        await _set_up(play)
        await _go(play.page, "/admin/users")
        await play.page.get_by_label("用户名", exact=True).fill(MEMBER)
        await play.page.get_by_role("button", name="添加用户").click()
        link = play.page.get_by_role("textbox", name=f"已添加 {MEMBER}")
        await expect(link).to_have_value(re.compile("#reset="))
        page = tab.page
        await page.goto(await link.input_value())
        await page.get_by_label("新密码").fill(PASSWORD)
        await page.get_by_role("button", name="保存密码").click()
        await expect(_box(page)).to_be_visible()
        await _go(page, "/settings")
        await page.get_by_role("button", name="更改密码").click()
        await page.get_by_label("当前密码").fill("not the password")
        await page.get_by_label("新密码").fill(OTHER)
        await page.get_by_role("button", name="保存密码").click()
        await expect(page.get_by_role("alert")).to_contain_text("当前密码不正确")
        await page.get_by_label("当前密码").fill(PASSWORD)
        await page.get_by_role("button", name="保存密码").click()
        await expect(page.get_by_text("密码已更改")).to_be_visible()
        await page.get_by_role("button", name="退出登录").click()
        await _fill_in(page, MEMBER, OTHER, "登录")
        await expect(_box(page)).to_be_visible()


async def test_a_token_of_the_admins_page_lets_a_program_in_until_it_is_withdrawn(
    browser: Browser, folder: Path
) -> None:
    async with _team(browser, folder) as play:
        page = play.page
        await _set_up(play)
        await _go(page, "/admin/tokens")
        await page.get_by_label("用途").fill("笔记本电脑")
        await page.get_by_role("button", name="创建令牌").click()
        secret = page.get_by_role("textbox", name="请立即复制此令牌")
        await expect(secret).to_be_visible()
        bearer = {"authorization": f"Bearer {await secret.input_value()}"}
        assert (await play.http.get("/api/me", headers=bearer)).json()["user"] == ADMIN
        await page.get_by_role("button", name="撤回: 笔记本电脑").click()
        await expect(page.get_by_text("令牌已撤回")).to_be_visible()
        assert (await play.http.get("/api/me", headers=bearer)).status_code == 401


@pytest.mark.parametrize(
    ("size", "colours"), [(PHONE, "light"), ({}, "dark")], ids=["phone_light_zh", "desktop_dark_zh"]
)
async def test_the_admins_page_fits_and_everybody_can_use_it(
    browser: Browser, folder: Path, request: pytest.FixtureRequest, size: dict[str, Any], colours: str
) -> None:
    found: dict[str, list[str]] = {}
    async with _team(browser, folder, color_scheme=colours, **size) as play, _somebody_else(browser, play) as tab:
        page, kind = play.page, request.node.callspec.id
        await page.goto(play.setup)
        await expect(page.get_by_label("用户名", exact=True)).to_be_visible()
        found["setup"] = await serious(page) if AXE.is_file() else []
        await picture(page, f"setup_{kind}")
        await _set_up(play)
        await _join(play, tab)
        await _box(tab.page).fill("水稻需要什么？")
        await _box(tab.page).press("Enter")
        await expect(tab.answers).to_contain_text("水稻需要很多水")
        for section in SECTIONS:
            await _go(page, f"/admin/{section}")
            await expect(page.get_by_role("main").get_by_role("status")).to_have_count(0)
            assert await page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
            found[section] = await serious(page) if AXE.is_file() else []
            if section == "users":
                await picture(page, f"admin_{kind}")
    assert {state: told for state, told in found.items() if told} == {}
