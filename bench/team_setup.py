"""The time from nothing to a colleague's first answer, step by step: `python -m bench.team_setup`.

The command line, the server, the page in Chromium and the accounts are real; the model and the search service are
scripted ones on loopback, so that what they take is left out, as is the time of people who read and type.
"""

import asyncio
import json
import os
import re
import shutil
import sys
import tempfile
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

from playwright.async_api import Browser, Page, async_playwright, expect

from toolpost.testing import Received, Turn, Upstream, call, text

ADMIN, COLLEAGUE, PASSWORD = "小红", "王伟", "horse staple battery"
QUESTION, ANSWER = "上海明天会下雨吗？", "明天上海有中雨。"
HITS = [{"title": "上海市明天天气预报", "url": "https://weather.example/", "content": "小雨转中雨", "score": 0.97}]
TOOLPOST = (sys.executable, "-m", "toolpost")


class Sheet:
    """The steps that are done, with their seconds."""

    def __init__(self) -> None:
        self.steps: list[tuple[str, float]] = []
        self._since = time.perf_counter()

    def done(self, step: str) -> None:
        now = time.perf_counter()
        self.steps.append((step, now - self._since))
        self._since = now

    def table(self) -> str:
        rows = [*self.steps, ("in all", sum(seconds for _, seconds in self.steps))]
        return "\n".join(("| step | seconds |", "|---|---|", *(f"| {name} | {took:.1f} |" for name, took in rows)))


async def main() -> None:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        sys.exit("there is no Chromium: run `make browser`, or install one")
    with tempfile.TemporaryDirectory() as base:
        upstream = Upstream(_reply, repeat=True, strict=False)
        async with upstream as model, _tavily() as tavily, async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=path)
            try:
                sheet = await _play(browser, Path(base), model.base_url, tavily)
            finally:
                await browser.close()
    print(sheet.table())


async def _play(browser: Browser, base: Path, model: str, tavily: str) -> Sheet:
    project = base / "project"
    (project / ".git").mkdir(parents=True)
    (project / ".git" / "HEAD").touch()
    environ = {"PATH": os.environ["PATH"], "HOME": str(base), "PYTHONPATH": os.environ.get("PYTHONPATH", "")}
    environ |= {"TOOLPOST_DATA_DIR": str(base / "data"), "TOOLPOST_CONFIG": str(base / "config.toml")}
    (base / "config.toml").write_text(f'[providers.ark]\nbase_url = "{model}"\n[web]\ntavily = "{tavily}"\n')
    sheet = Sheet()
    (project / ".env").write_text("ARK_API_KEY=one\nTAVILY_API_KEY=another\n")
    trust = await asyncio.create_subprocess_exec(
        *TOOLPOST, "trust", "--env", "--yes", cwd=project, env=environ, stdout=asyncio.subprocess.DEVNULL
    )
    if await asyncio.wait_for(trust.wait(), 60):
        sys.exit("toolpost trust --env failed")
    sheet.done("two keys in `.env`, `toolpost trust --env`")
    server = await asyncio.create_subprocess_exec(
        *TOOLPOST, "serve", "--accounts", "--port", "0", cwd=project, env=environ,
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT,
    )  # fmt: skip
    try:
        link = await asyncio.wait_for(_setup_link(server), 60)
        sheet.done("`toolpost serve --accounts`, until it prints the setup link")
        admin = await _tab(browser)
        await admin.goto(link)
        await expect(admin.get_by_label("用户名", exact=True)).to_be_visible()
        sheet.done("the setup link is opened")
        await _sign_up(admin, ADMIN)
        sheet.done("the admin's account is made")
        invitation = await _invitation(admin)
        sheet.done("an invitation is made")
        colleague = await _tab(browser)
        await colleague.goto(invitation)
        await _sign_up(colleague, COLLEAGUE)
        sheet.done("the colleague opens it and makes an account")
        await colleague.get_by_role("textbox", name="输入问题").fill(QUESTION)
        await colleague.keyboard.press("Enter")
        await expect(colleague.get_by_role("region", name=re.compile("搜索"))).to_be_visible()
        sheet.done("the question is sent; its search shows")
        answer = colleague.get_by_role("article", name="Toolpost")
        await expect(answer).to_contain_text(ANSWER)
        await expect(answer.get_by_role("region", name="来源")).to_contain_text("上海市明天天气预报")
        sheet.done("the answer is complete, with its sources")
    finally:
        server.terminate()
        await server.communicate()
    return sheet


def _reply(received: Received) -> Turn:
    if received.body["messages"][-1]["role"] == "tool":
        return text(ANSWER)
    return call("web_search", {"query": "上海 明天 天气"}) if received.body.get("tools") else text("天气")


@asynccontextmanager
async def _tavily() -> AsyncGenerator[str]:
    body = json.dumps({"results": HITS}).encode()

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        head = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: %d\r\n\r\n"
        writer.write(head % len(body) + body)
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(answer, "127.0.0.1", 0) as server:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"


async def _setup_link(server: asyncio.subprocess.Process) -> str:
    said: list[str] = []
    assert server.stdout
    while line := await server.stdout.readline():
        said.append(line.decode())
        if found := re.search(r"http://\S+#setup=\S+", said[-1]):
            return found[0]
    sys.exit("toolpost serve printed no setup link:\n" + "".join(said))


async def _tab(browser: Browser) -> Page:
    context = await browser.new_context(locale="zh-CN", reduced_motion="reduce")
    return await context.new_page()


async def _sign_up(page: Page, name: str) -> None:
    await page.get_by_label("用户名", exact=True).fill(name)
    await page.get_by_label("密码", exact=True).fill(PASSWORD)
    await page.get_by_role("button", name="创建账号", exact=True).click()
    await expect(page.get_by_role("textbox", name="输入问题")).to_be_visible()


async def _invitation(page: Page) -> str:
    await page.evaluate("location.hash = '/admin/invitations'")
    await page.get_by_role("button", name="创建邀请").click()
    link = page.get_by_role("textbox", name="请把此链接发给你邀请的人")
    await expect(link).to_have_value(re.compile("#invite="))
    return await link.input_value()


if __name__ == "__main__":
    expect.set_options(timeout=20_000)
    asyncio.run(main())
