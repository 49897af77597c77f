"""The server behind an open page is killed and started again: answers go on, and what was asked can be answered."""

import asyncio
import os
import socket
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Browser, expect
from web_play import TOKEN, Tab

from toolpost.guard.trust import Trust
from toolpost.testing import Gate, Upstream, call, pause, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
PATIENCE = 60.0


class Server:
    """`toolpost serve` as a process, always on the same port."""

    def __init__(self, folder: Path, base_url: str, config: str) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._folder = folder
        home = folder.parent
        self._environ = {
            "PATH": os.environ["PATH"],
            "HOME": str(home),
            "TOOLPOST_DATA_DIR": str(home / "data"),
            "OPENAI_API_KEY": "sk-test-0123456789abcdef",
            "OPENAI_BASE_URL": base_url,
        }
        (folder / ".git").mkdir()
        (folder / ".toolpost").mkdir()
        (folder / ".toolpost" / "config.toml").write_text(config)
        Trust.of_user(self._environ).give(folder)
        self._process: asyncio.subprocess.Process | None = None

    async def start(self) -> None:
        arguments = ("--port", str(self.port), "--token", TOKEN, "--agent", "build", "-m", "openai/scripted")
        command = (sys.executable, "-m", "toolpost", "serve", *arguments)
        self._process = await asyncio.create_subprocess_exec(
            *command, cwd=self._folder, env=self._environ, stderr=asyncio.subprocess.PIPE
        )
        assert self._process.stderr is not None
        async with asyncio.timeout(PATIENCE):
            await self._process.stderr.readuntil(b"OPENAI_API_KEY=")

    async def kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()


@asynccontextmanager
async def restarting(
    browser: Browser, folder: Path, *turns: object, config: str = "", **look: str
) -> AsyncGenerator[tuple[Tab, Server]]:
    async with Upstream(*turns, strict=False) as up:
        server = Server(folder, up.base_url, config)
        await server.start()
        context = await browser.new_context(
            viewport={"width": 1200, "height": 800}, locale=look.get("locale", "en-US"), reduced_motion="reduce"
        )
        context.set_default_timeout(20_000)
        tab = Tab(await context.new_page(), server.url)
        try:
            await tab.page.goto(f"{server.url}/#token={TOKEN}")
            yield tab, server
        finally:
            await context.close()
            await server.kill()
        assert not tab.troubles, tab.troubles


async def test_an_answer_goes_on_when_its_server_is_there_again(browser: Browser, folder: Path) -> None:
    turns = text("half an answer") + pause(Gate()), text("A whole answer.")
    async with restarting(browser, folder, *turns) as (tab, server):
        await tab.say("hi")
        await expect(tab.answers).to_contain_text("half an answer")
        await server.kill()
        await expect(tab.page.get_by_text("Reconnecting")).to_be_visible()
        await server.start()
        await expect(tab.answers).to_contain_text("A whole answer.", timeout=20_000)
        await expect(tab.answers).not_to_contain_text("half")
        await tab.settled()
        await expect(tab.answers).to_have_count(1)


async def test_an_interrupted_answer_waits_for_a_person_where_the_settings_say_so(
    browser: Browser, folder: Path
) -> None:
    turns = text("half an answer") + pause(Gate()), text("A whole answer.")
    async with restarting(browser, folder, *turns, config='resume = "ask"\n') as (tab, server):
        await tab.say("hi")
        await expect(tab.answers).to_contain_text("half an answer")
        await server.kill()
        await server.start()
        told = tab.page.get_by_text("It can go on where it stopped.")
        await expect(told).to_be_visible(timeout=20_000)
        await tab.page.reload()
        await expect(told).to_be_visible()
        await expect(tab.answers).to_contain_text("half an answer")
        # Nothing turns as if something went on.
        await expect(tab.chats.get_by_title("interrupted")).to_be_visible()
        await tab.button("Resume").click()
        await expect(tab.answers).to_contain_text("A whole answer.")
        await expect(tab.answers).not_to_contain_text("half")
        await expect(told).to_have_count(0)
        await tab.settled()


async def test_an_interrupted_answer_can_be_ended_instead_also_in_chinese(browser: Browser, folder: Path) -> None:
    turns = (text("half an answer") + pause(Gate()),)
    async with restarting(browser, folder, *turns, config='resume = "ask"\n', locale="zh-CN") as (tab, server):
        await tab.page.get_by_role("textbox").first.fill("hi")
        await tab.page.get_by_role("textbox").first.press("Enter")
        await expect(tab.page.get_by_text("half an answer")).to_be_visible()
        await server.kill()
        await server.start()
        told = tab.page.get_by_text("可以从中断处继续")
        await expect(told).to_be_visible(timeout=20_000)
        await tab.page.get_by_role("status").get_by_role("button", name="停止").click()
        await expect(told).to_have_count(0)
        await expect(tab.page.get_by_text("half an answer")).to_be_visible()


async def test_what_a_parked_run_asks_is_answered_after_a_reload_and_a_restart(browser: Browser, folder: Path) -> None:
    write = call("write", {"path": "a.txt", "content": "hello"})
    config = '[server]\npark_seconds = 0\n[permissions]\nedit = "ask"\n'
    async with restarting(browser, folder, write, text("Written."), config=config) as (tab, server):
        await tab.say("write it")
        await expect(tab.page.get_by_text("You can close the page")).to_be_visible()
        await tab.page.reload()
        await expect(tab.button("Allow once")).to_be_visible()
        await server.kill()
        await server.start()
        await tab.page.reload()
        await tab.button("Allow once").click()
        await expect(tab.answers).to_contain_text("Written.")
        await expect(tab.page.get_by_text("You can close the page")).to_have_count(0)
    assert (folder / "a.txt").read_text() == "hello"
