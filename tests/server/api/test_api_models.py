"""The models that can be asked, with what is known about each."""

from pathlib import Path
from typing import Any

import pytest
from resource_play import message_of, people

from toolpost.testing import Upstream

ROUTES = """
[server.routes.quick]
model = "openai/gpt-5-mini"
fallbacks = ["up/m"]
"""
CONFIGURED = """
[providers.up.models.big]
context_window = 12345
max_output = 678
tool_calls = "prompted"
"""


@pytest.fixture(autouse=True)
def _keys(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-of-anybody")
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("DEEPSEEK_API_KEY", raising=False)


def by_id(told: Any) -> dict[str, Any]:
    return {one["id"]: one for one in told["models"]}


async def test_models_come_with_what_is_known_about_them(folder: Path) -> None:
    async with people(folder, config=ROUTES + CONFIGURED) as every:
        told = await every.ann.get("/api/models")
    found = by_id(told)
    assert told["default"] == "up/m"
    assert [name for name, one in found.items() if one["is_default"]] == ["up/m"]
    assert (found["up/m"]["tool_calls"], found["up/m"]["price"], found["up/m"]["source"]) == ("native", None, "default")
    big = found["up/big"]
    assert (big["context_window"], big["max_output"], big["tool_calls"]) == (12_345, 678, "prompted")
    assert big["source"] == "configuration"
    quick = found["quick"]
    assert (quick["source"], quick["model"], quick["fallbacks"]) == ("route", "openai/gpt-5-mini", ["up/m"])
    assert quick["context_window"] > 100_000
    assert quick["price"]["input"] > 0
    assert quick["price"]["output"] > quick["price"]["input"]


async def test_a_provider_whose_key_is_missing_says_so_and_no_key_is_shown(folder: Path) -> None:
    async with people(folder) as every:
        answer = await every.ann.http.get("/api/models")
    keys = {one["name"]: one["key"] for one in answer.json()["providers"]}
    assert keys["openai"] == "environment"
    assert keys["deepseek"] == "missing"
    assert "sk-not-a-real-key" not in answer.text


async def test_a_model_that_cannot_be_used_says_why(folder: Path) -> None:
    config = '[agents.cheap]\nmodel = "deepseek/deepseek-chat"\n'
    async with people(folder, config=config) as every:
        told = by_id(await every.ann.get("/api/models"))
    assert "DEEPSEEK_API_KEY" in told["deepseek/deepseek-chat"]["problem"]


async def test_a_provider_is_asked_for_all_that_it_has(folder: Path) -> None:
    async with Upstream() as other:
        config = (
            f'[providers.other]\nbase_url = "{other.url}/v1"\n[providers.gone]\nbase_url = "http://127.0.0.1:9/v1"\n'
        )
        async with people(folder, config=config) as every:
            told = await every.ann.get("/api/models", provider="other")
            await every.ann.get("/api/models", provider="gone", status=502)
            unknown = await every.ann.get("/api/models", provider="nobody", status=400)
    assert told["models"]
    assert {one["source"] for one in told["models"]} == {"provider"}
    assert all(one["id"].startswith("other/") for one in told["models"])
    assert "nobody" in message_of(unknown)


async def test_where_clients_choose_among_routes_only_routes_are_shown(folder: Path) -> None:
    async with people(folder, config=f"[server]\npin = false\n{ROUTES}") as every:
        told = await every.ann.get("/api/models")
        await every.ann.get("/api/models", provider="up", status=403)
    assert list(by_id(told)) == ["quick"]
