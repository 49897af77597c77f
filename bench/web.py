"""The web chat in Chromium: what an answer of many deltas and a long session cost the page, and how that grows.

Figures are of the page's own process (CDP `Performance.getMetrics`): script is JavaScript alone, task is all of its
work with style, layout and drawing.
"""

import argparse
import asyncio
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
from playwright.async_api import Browser, Page, async_playwright

from toolpost.server.page import BUILT
from toolpost.server.serve import bound_socket, make_server, opened
from toolpost.server.settings import ServerSettings
from toolpost.store.memory import MemoryStore
from toolpost.testing import Upstream, text
from toolpost.workspace import Workspace

TOKEN = "a-token-for-the-bench"
DELTAS = 5_000
MESSAGES = 1_000
# A delta of a real model has about four letters; of ten paragraphs one is a table or code.
WORDS = "The plants need water today, as it stays dry in the whole of the city, and **nobody** has been there since. "
CODE = (
    "```python\ndef litres(plants: int) -> float:\n    return plants * 0.35\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
)
LETTERS = 4
# As a quick model writes them. All at once they would be drawn in a few frames, and cost next to nothing.
APART = 0.002
PATIENCE_MS = 120_000


class Taken(NamedTuple):
    script_ms: float
    task_ms: float
    wall_ms: float


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.web", description=__doc__)
    parser.add_argument("--rounds", type=int, default=3, help="how often each figure is taken (default 3)")
    options = parser.parse_args()
    path = shutil.which("chromium")
    if path is None or not (BUILT / "index.html").is_file():
        print("the bench of the page needs Chromium and the built page: make browser page")
        return 1
    asyncio.run(_measure(path, options.rounds))
    return 0


async def _measure(path: str, rounds: int) -> None:
    works: dict[str, Callable[[Browser, int], Awaitable[Taken]]] = {
        "an answer of {:,} deltas, 2 ms apart": lambda browser, times: _stream(browser, DELTAS * times, APART),
        "an answer of {:,} deltas, all at once": lambda browser, times: _stream(browser, DELTAS * times, 0.0),
        "opening a session of {:,} messages": lambda browser, times: _open(browser, MESSAGES * times),
    }
    taken: dict[tuple[str, int], list[Taken]] = {(title, times): [] for title in works for times in (1, 2)}
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path)
        for _ in range(rounds):
            for (title, times), all_taken in taken.items():
                all_taken.append(await works[title](browser, times))
        print(f"Chromium {browser.version}, load average {os.getloadavg()[0]:.1f}, medians of {rounds}\n")
        await browser.close()
    print("|  | script, ms | task, ms | wall, ms | script, times |\n| --- | ---: | ---: | ---: | ---: |")
    for (title, times), all_taken in taken.items():
        size = (DELTAS if "deltas" in title else MESSAGES) * times
        row = [f"{statistics.median(column):,.0f}" for column in zip(*all_taken, strict=True)]
        grown = _script(all_taken) / _script(taken[title, 1])
        print(f"| {title.format(size)} | {' | '.join(row)} | {grown:.2f} |")


def _script(all_taken: list[Taken]) -> float:
    return statistics.median(taken.script_ms for taken in all_taken)


async def _stream(browser: Browser, deltas: int, apart: float) -> Taken:
    """Say something, and take what it costs until the last delta is drawn."""
    answer = text(_long(deltas * LETTERS), chunk=LETTERS) + text("\n\nThe end.")
    async with _page(browser, answer, delay=apart) as page:

        async def ask() -> None:
            await page.get_by_role("textbox").last.fill("go")
            await page.get_by_role("textbox").last.press("Enter")
            await page.get_by_text("The end.").wait_for(timeout=PATIENCE_MS)

        return await _taken(page, ask)


async def _open(browser: Browser, messages: int) -> Taken:
    """Open a stored session, and take what it costs until its newest message is drawn."""
    turns = [text(_long(400)) for _ in range(messages // 2 - 1)]
    async with _page(browser, *turns, text("The end."), prompts=messages // 2) as page:

        async def load() -> None:
            await page.reload()
            await page.get_by_text("The end.").wait_for(timeout=PATIENCE_MS)

        return await _taken(page, load)


async def _taken(page: Page, work: Callable[[], Awaitable[None]]) -> Taken:
    session = await page.context.new_cdp_session(page)
    await session.send("Performance.enable")
    before, began = await _metrics(session), time.perf_counter()
    await work()
    wall = time.perf_counter() - began
    # The last frames belong to it.
    await page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 200)))")
    after = await _metrics(session)
    # A page that is loaded anew begins to count again.
    script, task = (
        after[name] - (before[name] if after[name] >= before[name] else 0.0)
        for name in ("ScriptDuration", "TaskDuration")
    )
    return Taken(script * 1000, task * 1000, wall * 1000)


async def _metrics(session: Any) -> dict[str, float]:
    told = await session.send("Performance.getMetrics")
    return {metric["name"]: metric["value"] for metric in told["metrics"]}


@asynccontextmanager
async def _page(browser: Browser, *turns: Any, prompts: int = 0, delay: float = 0.0) -> AsyncGenerator[Page]:
    """A page on a server of its own; with `prompts` on a session in which so much was said."""
    with tempfile.TemporaryDirectory() as folder:
        async with Upstream(*turns, delay=delay) as up, _serving(Path(folder), up) as url:
            session = await _said(url, prompts) if prompts else ""
            context = await browser.new_context(viewport={"width": 1200, "height": 800})
            page = await context.new_page()
            await page.goto(f"{url}/#token={TOKEN}")
            await page.get_by_role("textbox").last.wait_for()
            if session:
                await page.evaluate("place => { location.hash = place }", f"/c/{session}")
                await page.get_by_text("The end.").wait_for(timeout=PATIENCE_MS)
            yield page
            await context.close()


@asynccontextmanager
async def _serving(folder: Path, up: Upstream) -> AsyncGenerator[str]:
    provider = f'[providers.up]\nwire = "openai_chat"\nbase_url = "{up.base_url}"\ntool_calls = "native"\n'
    (folder / ".git").mkdir()
    (folder / ".toolpost").mkdir()
    (folder / ".toolpost" / "config.toml").write_text(provider)
    workspace = Workspace(folder, trusted=True, environ={"HOME": str(folder), "TOOLPOST_DATA_DIR": str(folder)})
    workspace.store = MemoryStore()
    settings = ServerSettings(port=0)
    async with opened(workspace, workspace.model("up/scripted"), settings, TOKEN) as app:
        server: Any = make_server(app, settings)
        with bound_socket(settings) as door:
            serving = asyncio.create_task(server.serve(sockets=[door]))
            try:
                yield f"http://127.0.0.1:{door.getsockname()[1]}"
            finally:
                await server.stop()
                await serving


async def _said(url: str, prompts: int) -> str:
    headers = {"authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(base_url=url, headers=headers, timeout=60.0) as client:
        session: str = (await client.post("/api/sessions", json={})).json()["id"]
        for number in range(prompts):
            await client.post("/api/chat", json={"conversation_id": session, "message": f"question {number}"})
        return session


def _long(letters: int) -> str:
    """So many letters of Markdown."""
    piece = (WORDS * 4 + "\n\n") * 9 + CODE
    return (piece * (letters // len(piece) + 1))[:letters]


if __name__ == "__main__":
    sys.exit(main())
