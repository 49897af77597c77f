"""The main states, looked at: axe finds nothing serious, in no colours; and pictures of them, if asked for."""

from pathlib import Path

import pytest
from playwright.async_api import Browser, Route
from web_axe import AXE, serious
from web_play import TOKEN, chatting, listening, picture
from web_tour import CONFIG, EN, ZH, Words, prepare, script, tour, weather

pytestmark = pytest.mark.asyncio(loop_scope="module")
DESKTOP = {"viewport": {"width": 1200, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 780}, "has_touch": True}


@pytest.mark.parametrize(
    ("colours", "words", "size"),
    [("light", EN, DESKTOP), ("dark", ZH, DESKTOP), ("dark", EN, PHONE), ("light", ZH, PHONE)],
    ids=["desktop_light_en", "desktop_dark_zh", "phone_dark_en", "phone_light_zh"],
)
async def test_everybody_can_use_every_state(
    browser: Browser,
    folder: Path,
    request: pytest.FixtureRequest,
    colours: str,
    words: Words,
    size: dict[str, object],
) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: run `make page`")
    prepare(folder)
    found: dict[str, list[str]] = {}
    async with listening(weather().streamable_http_app()) as url:
        servers = f'{{"mcpServers": {{"weather": {{"type": "http", "url": "{url}/mcp"}}}}}}'
        look = {"color_scheme": colours, "locale": words.locale, **size}
        given = {"repeat": True, "config": CONFIG, "servers": servers, "tools": False, "opens": False}
        async with chatting(browser, folder, script(words), **given, **look) as play:
            await play.page.route("**/api/me", _at_home)
            await play.page.goto(f"{play.url}/#token={TOKEN}")
            async for state in tour(play, words, is_phone=size is PHONE):
                found[state] = await serious(play.page)
                await picture(play.page, f"{state}_{request.node.callspec.id}")
    assert {state: told for state, told in found.items() if told} == {}
    assert len(found) == 7


async def _at_home(route: Route) -> None:
    """The folder of a test has no name for a picture."""
    answer = await route.fetch()
    await route.fulfill(response=answer, json={**await answer.json(), "folder": "/home/ada/garden"})
