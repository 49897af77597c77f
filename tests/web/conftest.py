"""One browser for all tests of a file, and a folder for each test."""

import shutil
from collections.abc import AsyncGenerator
from pathlib import Path

import pytest
import pytest_asyncio
import web_gates
from playwright.async_api import Browser, async_playwright, expect

from toolpost.server.page import BUILT

expect.set_options(timeout=10_000)


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def browser() -> AsyncGenerator[Browser]:
    path = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if path is None:
        pytest.skip("there is no Chromium: run `make browser`, or install one")
    if not (BUILT / "index.html").is_file():
        pytest.skip("the page was not built: run `make page`")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, timeout=30_000)
        yield browser
        await browser.close()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    web_gates.GATES.clear()
    project = tmp_path / "project"
    project.mkdir()
    return project
