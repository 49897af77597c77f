"""Whatever a model, a tool, a server or a file name says: on the page it is text. No script runs, nothing leaves."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import reduce
from operator import add
from pathlib import Path
from typing import Any

import pytest
from mcp.server import MCPServer
from playwright.async_api import Browser, Page, expect
from web_gates import TOLD
from web_payloads import payloads
from web_play import ASK, Play, chatting, listening

from toolpost.testing import Turn, call, calls, http_error, reasoning, text

pytestmark = pytest.mark.asyncio(loop_scope="module")
WATCH = """
window.ran = []
window.refused = []
window.canary = (number) => window.ran.push(number)
window.alert = window.confirm = window.prompt = () => window.ran.push('dialog')
document.addEventListener('securitypolicyviolation', (event) => {
  window.refused.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}`)
})
"""
TAKE_OUT = """async () => {
  for (let button; (button = document.querySelector('form button[aria-label^="Remove"]')); ) {
    button.click()
    await new Promise(requestAnimationFrame)
  }
}"""
# Everything on the page that could act or fetch, and that the page itself never makes.
ACTING = """() => {
  const found = []
  const forbidden = 'script, iframe, frame, object, embed, link, meta, base, applet, portal, style, template'
  // Diagrams are drawn in a frame that has no origin, and so nothing to take.
  const isBoard = (element) => element.matches('iframe[src="/mermaid.html"][sandbox="allow-scripts"]')
  for (const element of document.body.querySelectorAll(forbidden)) if (!isBoard(element)) found.push(element.outerHTML)
  for (const element of document.body.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const fetches = ['src', 'srcset', 'poster', 'data', 'background', 'ping', 'formaction', 'action'].includes(name)
      const isOwn = /^(data:image\\/(png|jpeg|gif|webp)|blob:|\\/)/.test(value)
      // An image of a drawing runs nothing and fetches nothing, whatever stands in it.
      const isDrawing = element.matches('img[src^="data:image/svg+xml"]') && name === 'src'
      if (name.startsWith('on')) found.push(`${name}=${value}`)
      if (fetches && !isOwn && !isDrawing) found.push(`${name}=${value}`)
      if (/href$/.test(name) && !/^(https?:|mailto:|#|blob:)/.test(value)) found.push(`${name}=${value}`)
      if (name === 'style' && /url\\(/.test(value)) found.push(`${name}=${value}`)
    }
  }
  return found
}"""


@pytest.fixture
async def out() -> AsyncGenerator["Out"]:
    async with Out() as out:
        yield out


class Out:
    """A server that nobody should ever call."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def __aenter__(self) -> "Out":
        self._server = await asyncio.start_server(self._hear, "127.0.0.1", 0)
        self.url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        await self._server.wait_closed()

    async def _hear(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.asked.append((await reader.readline()).decode())
        writer.close()


@asynccontextmanager
async def watched(browser: Browser, folder: Path, out: Out, *turns: Any, **given: Any) -> AsyncGenerator[Play]:
    """A chat whose page tells of everything that ran, or was refused. `Tab` itself tells of requests."""
    async with chatting(browser, folder, *turns, opens=False, **given) as play:
        await play.context.add_init_script(WATCH)
        play.page.on("dialog", lambda dialog: play.tab.troubles.append(f"dialog: {dialog.message}"))
        await play.tab.open()
        yield play
        await nothing_happened(play.page)
        assert len(play.context.pages) == 1
        assert out.asked == []


async def nothing_happened(page: Page) -> None:
    # What a script of the page began has its frame, and its answer, by then.
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert [await frame.evaluate("window.ran") for frame in page.frames] == [[]] * len(page.frames)
    assert await page.evaluate("window.refused") == []
    assert await page.evaluate(ACTING) == []


async def test_the_watch_itself_sees_what_it_is_there_for(browser: Browser, folder: Path, out: Out) -> None:
    async with chatting(browser, folder, opens=False) as play:
        await play.context.add_init_script(WATCH)
        await play.tab.open()
        spoilt = f"<img src='{out.url}/1' onerror='canary(1)'><iframe src='{out.url}/2'></iframe><a href='javascript:'>"
        await play.page.evaluate("html => { document.body.insertAdjacentHTML('beforeend', html) }", spoilt)
        refused = "window.refused.map((told) => told.split(' ')[0])"
        await play.page.wait_for_function(f"{refused}.length > 2")
        # It is the second wall that stands here: the policy of the page.
        assert set(await play.page.evaluate(refused)) >= {"img-src", "frame-src", "script-src-attr"}
        assert len(await play.page.evaluate(ACTING)) == 5
        assert out.asked == []
        play.tab.troubles.clear()


async def test_there_are_enough_of_them(out: Out) -> None:
    assert len(set(payloads(out.url))) >= 300


async def test_in_what_a_model_says_and_thinks(browser: Browser, folder: Path, out: Out) -> None:
    said = payloads(out.url)
    turn: Turn = reduce(add, (reasoning(f"thought {one}") + text(one, chunk=9) for one in said))
    async with watched(browser, folder, out, turn + reasoning("The end.") + text("It is over.")) as play:
        await play.tab.say("say it all")
        await expect(play.tab.answers).to_contain_text("It is over.", timeout=60_000)
        await play.tab.settled()
        await nothing_happened(play.page)
        await expect(play.tab.answers.locator(".image-link").first).to_be_visible()
        # And once more as history.
        await play.page.reload()
        await expect(play.tab.answers).to_contain_text("It is over.")
        await _open_everything(play.page)
        await expect(play.tab.answers).to_contain_text(f"thought {said[0]}")


async def test_in_what_a_person_says(browser: Browser, folder: Path, out: Out) -> None:
    said = "\n\n".join(payloads(out.url))
    async with watched(browser, folder, out, text("Well.")) as play:
        await play.tab.say(said)
        await expect(play.tab.answers).to_contain_text("Well.")
        await expect(play.tab.questions).to_contain_text("canary(52)")


async def test_in_what_tools_give_back(browser: Browser, folder: Path, out: Out) -> None:
    given = payloads(out.url)
    TOLD["tree"] = {one: one for one in given}
    TOLD["rows"] = [{"a": one, "b": one} for one in given]
    TOLD["text"] = "\n".join(given)
    # A command's output with a NUL would be told as binary.
    (folder / "given.txt").write_text("\n".join(given).replace("\x00", ""), newline="")
    turn = calls(
        *(call("told", {"name": name}) for name in ("tree", "rows", "text")),
        call("fail", {"text": "\n".join(given)[:20_000]}),
        call("bash", {"command": "cat given.txt"}),
        call("write", {"path": "made.txt", "content": "\n".join(given)}),
    )
    async with watched(browser, folder, out, turn, text("It is over.")) as play:
        await play.tab.say("call it all")
        await expect(play.tab.answers).to_contain_text("It is over.")
        await play.tab.settled()
        await _open_everything(play.page)
        await expect(play.tab.card("told", "Done").first).to_contain_text("canary(")
        await expect(play.tab.card("fail", "Failed")).to_contain_text("canary(")
        await expect(play.tab.card("bash")).to_contain_text("canary(")


async def test_in_what_is_asked_for(browser: Browser, folder: Path, out: Out) -> None:
    given = payloads(out.url)
    asked = [{"question": one, "options": given[place : place + 4]} for place, one in enumerate(given[:4])]
    turns = [
        calls(call("echo", {"text": "\n".join(given)}), call("bash", {"command": "echo '" + "\n".join(given[:60])})),
        call("question", {"questions": asked}),
        text("It is over."),
    ]
    config = f'{ASK}bash = "ask"\n'
    async with watched(browser, folder, out, *turns, config=config, strict=False) as play:
        await play.tab.say("ask for it all")
        await expect(play.tab.button("Allow once").first).to_be_visible()
        await _open_everything(play.page)
        await nothing_happened(play.page)
        while await play.tab.button("Allow once").count():
            await play.tab.button("Allow once").first.click()
            await play.page.wait_for_timeout(100)
        await expect(play.page.get_by_role("button", name="Answer", exact=True)).to_be_visible()


async def test_in_titles_and_what_is_found(browser: Browser, folder: Path, out: Out) -> None:
    given = payloads(out.url)
    async with watched(browser, folder, out, text("Well.")) as play:
        for place in range(0, len(given), 6):
            await play.api("POST", "/api/sessions", {"title": " ".join(given[place : place + 6])[:200]})
        await play.tab.open()
        await play.tab.say("\n\n".join(given))
        await expect(play.tab.answers).to_contain_text("Well.")
        await expect(play.tab.chats.get_by_role("listitem")).to_have_count(len(range(0, len(given), 6)) + 1)
        await play.page.keyboard.press("Control+k")
        await play.page.get_by_role("dialog").get_by_role("textbox").fill("canary")
        await expect(play.page.get_by_role("option").first).to_be_visible()


async def test_in_the_names_of_files(browser: Browser, folder: Path, out: Out) -> None:
    given = payloads(out.url)
    names = [" ".join(given[place : place + 12]) for place in range(0, len(given), 12)]
    files = [{"name": name, "mimeType": "text/plain", "buffer": b"x"} for name in names]
    async with watched(browser, folder, out, text("Well.")) as play:
        for place in range(0, len(files), 10):
            await play.page.locator("input[type=file][multiple]").set_input_files(files[place : place + 10])
            removing = play.page.get_by_role("button", name="Remove")
            await expect(removing).to_have_count(len(files[place : place + 10]))
            await play.page.evaluate(TAKE_OUT)
        await nothing_happened(play.page)
        await play.page.locator("input[type=file][multiple]").set_input_files(files[:10])
        await play.tab.say("read them")
        await expect(play.tab.answers).to_contain_text("Well.")


async def test_in_what_a_server_says_of_its_tools(browser: Browser, folder: Path, out: Out) -> None:
    server, given = MCPServer("play"), payloads(out.url)
    for place in range(0, len(given), 10):
        server.add_tool(lambda: "x", name=f"tool_{place}", description="\n".join(given[place : place + 10]))
    async with listening(server.streamable_http_app()) as url:
        servers = f'{{"mcpServers": {{"play": {{"type": "http", "url": "{url}/mcp"}}}}}}'
        async with watched(browser, folder, out, text("Well."), servers=servers) as play:
            await play.tab.say("hello")
            await expect(play.tab.answers).to_contain_text("Well.")
            await play.tab.button("Show details").click()
            await expect(play.page.get_by_text("play", exact=True).first).to_be_visible()
            await _open_everything(play.page)
            await nothing_happened(play.page)
            await play.tab.button("Settings").click()
            await _open_everything(play.page)


async def test_in_errors(browser: Browser, folder: Path, out: Out) -> None:
    given = payloads(out.url)
    # A provider's words are cut after a while, so each error has a few.
    pieces = ["\n\n".join(given[place : place + 8]) for place in range(0, len(given), 32)]
    async with watched(browser, folder, out, *(http_error(400, piece) for piece in pieces)) as play:
        for number, piece in enumerate(pieces):
            await play.tab.say(f"fail {number}")
            await expect(play.page.get_by_role("alert").filter(has_text=piece[:12]).first).to_be_attached()
            await play.tab.settled()


async def test_an_address_that_names_something_else_opens_nothing(browser: Browser, folder: Path, out: Out) -> None:
    async with watched(browser, folder, out) as play:
        for one in payloads(out.url)[::8]:
            await play.page.evaluate("place => { location.hash = place }", f"/c/{one}")
            await play.page.evaluate("place => { location.hash = place }", f"/{one}")


async def _open_everything(page: Page) -> None:
    """Open every card, tree and fold, and have all of what is cut shown."""
    for _ in range(3):
        await page.evaluate(
            """() => {
              for (const fold of document.querySelectorAll('main details, aside details')) fold.open = true
              for (const button of document.querySelectorAll('main button, aside button')) {
                const isFold = button.getAttribute('aria-expanded') === 'false' && !button.hasAttribute('aria-haspopup')
                if (isFold || /^Show more/.test(button.textContent.trim())) button.click()
              }
            }"""
        )
        await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
