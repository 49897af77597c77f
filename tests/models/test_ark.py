"""Ark by all of its names, thinking on and off, and prices of one's own: for Ark and for any other model."""

from pathlib import Path
from typing import Any

import pytest
from wire_play import answer, request

from toolpost import ConfigError, Plugin
from toolpost.models import prices
from toolpost.models.resolve import PRESETS, USUAL, ProviderConfig, resolve
from toolpost.testing import ScriptedModel, Upstream, text, turn
from toolpost.types.messages import Usage
from toolpost.workspace import Workspace
from toolpost.workspace.provider_list import provider

KEY = {"ARK_API_KEY": "a-key-of-ark"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "project" / ".toolpost").mkdir(parents=True)
    return tmp_path / "project"


def workspace(folder: Path, config: str = "", **environ: str) -> Workspace:
    (folder / ".toolpost" / "config.toml").write_text(config)
    return Workspace(folder, environ={"HOME": str(folder.parent), **KEY, **environ}, trusted=True)


@pytest.mark.parametrize(
    ("given", "known"),
    [
        ("ark/doubao-seed-2-0-lite-260428", "ark/doubao-seed-2-0-lite-260428"),
        ("doubao/doubao-seed-2-0-lite-260428", "ark/doubao-seed-2-0-lite-260428"),
        ("volcengine/deepseek-v3-2-251201", "ark/deepseek-v3-2-251201"),
        ("ark/ep-20260101120000-abcde", "ark/ep-20260101120000-abcde"),
        ("ep-20260101120000-abcde", "ark/ep-20260101120000-abcde"),
    ],
)
def test_every_name_of_ark_means_ark(folder: Path, given: str, known: str) -> None:
    assert resolve(given, environ=KEY).info.id == known
    space = workspace(folder, f'model = "{given}"')
    assert space.model_id() == known
    assert space.model(given).info.id == known
    assert space.locate(given).settings.base_url == PRESETS["ark"].base_url


def test_a_provider_of_ones_own_with_such_a_name_is_that_one(folder: Path) -> None:
    config = '[providers.doubao]\nbase_url = "http://127.0.0.1:9/v1"\n'
    assert workspace(folder, config).locate("doubao/x").settings.base_url == "http://127.0.0.1:9/v1"
    # What it does not say itself, it has of Ark.
    kept = workspace(folder, '[providers.doubao]\napi_key_env = "MY_KEY"\n', MY_KEY="another-key").locate("doubao/x")
    assert (kept.settings.base_url, kept.settings.api_key) == (PRESETS["ark"].base_url, "another-key")


def test_a_name_without_a_provider_is_still_no_model() -> None:
    with pytest.raises(ConfigError, match="write provider/model"):
        resolve("epsilon", environ=KEY)
    with pytest.raises(ConfigError, match="did you mean 'doubao'"):
        resolve("duobao/x", environ=KEY)


def test_the_key_of_ark_is_found_by_its_other_names(folder: Path) -> None:
    known = provider(workspace(folder), "volcengine")
    assert (known.name, known.key, known.variable) == ("ark", "environment", "ARK_API_KEY")


def test_ark_has_a_default_model_and_its_window_is_known() -> None:
    assert resolve(f"ark/{USUAL['ark']}", environ=KEY).info.context_window == 256_000


async def sent(options: dict[str, Any], provider: str = "ark") -> dict[str, Any]:
    async with Upstream(text("好")) as up:
        model = resolve(f"{provider}/m", providers={provider: ProviderConfig(up.base_url, key="k")}, environ={})
        await answer(model, request(options=options))
        return up.requests[0].body


async def test_thinking_is_switched_off_and_bounded() -> None:
    for off in ("none", "off", "minimal", False):
        body = await sent({"reasoning_effort": off})
        assert (body["thinking"], "reasoning_effort" in body) == ({"type": "disabled"}, False)
    body = await sent({"reasoning_effort": "low"})
    assert (body["reasoning_effort"], "thinking" in body) == ("low", False)
    body = await sent({"extra": {"thinking": {"type": "auto"}}})
    assert body["thinking"] == {"type": "auto"}
    body = await sent({"reasoning_effort": "none"}, "openai")
    assert (body["reasoning_effort"], "thinking" in body) == ("none", False)


PRICED = """
[providers.ark.models."doubao-seed-2-0-lite-260428"]
price = { input = 0.1, output = 1 }

[providers.openai.models."gpt-4o"]
price = { input = 1, output = 2, cache_read = 0.5, cache_write = 3 }

[providers.ollama.models."qwen3:8b"]
price = { input = 0.01, output = 0.02 }

[providers.mine.models.m]
price = { input = 1, output = 10 }
"""
MILLION = Usage(input=1_000_000, output=1_000_000)


def test_a_price_of_ones_own_stands_in_the_place_of_the_price_list(folder: Path) -> None:
    space = workspace(folder, PRICED, OPENAI_API_KEY="k")
    for model in ("doubao/doubao-seed-2-0-lite-260428", "openai/gpt-4o", "ollama/qwen3:8b"):
        space.model(model)
    assert prices.cost("ark", "doubao-seed-2-0-lite-260428", MILLION) == pytest.approx(1.1)
    assert prices.cost("openai", "gpt-4o", MILLION) == pytest.approx(3)
    cached = Usage(input=1_000_000, cache_read=500_000, cache_write=500_000)
    assert prices.cost("openai", "gpt-4o", cached) == pytest.approx(0.25 + 1.5)
    assert prices.cost("ollama", "qwen3:8b", MILLION) == pytest.approx(0.03)
    assert not prices.is_own("ollama", "qwen3:8b")
    # The window is still the list's.
    assert prices.context_window("openai", "gpt-4o") == 128_000
    plain = workspace(folder, "", OPENAI_API_KEY="k")
    plain.model("openai/gpt-4o")
    plain.model("ollama/qwen3:8b")
    assert prices.cost("openai", "gpt-4o", MILLION) == pytest.approx(12.5)
    assert prices.cost("ollama", "qwen3:8b", MILLION) is None


class Mine(Plugin):
    name = "mine"

    def models(self):
        answers = [turn(text("ok"), usage=Usage(100_000, 100_000))] * 2
        return {"mine": lambda name: ScriptedModel(*answers, provider="mine", name=name)}


async def test_costs_and_their_limits_go_by_a_price_of_ones_own(folder: Path) -> None:
    space = workspace(folder, PRICED)
    space.plugins = (Mine(),)
    setup = space.setup(space.model("mine/m"), limits={"max_cost": 1.0})
    result = await space.session(setup).run("go")
    await space.close()
    assert result.cost == pytest.approx(1.1)


@pytest.mark.parametrize(
    ("price", "why"),
    [
        ("{ input = 1 }", r"\[providers.ark.models.x.price\] needs output: a number, 0 or more"),
        ("{ input = -1, output = 1 }", "price.input must be"),
        ("{ input = 1, output = 1, each = 2 }", 'unknown key "each"'),
        ("7", "price must be a table"),
    ],
)
def test_half_a_price_is_an_error(folder: Path, price: str, why: str) -> None:
    space = workspace(folder, f'[providers.ark.models."x"]\nprice = {price}\n')
    with pytest.raises(ConfigError, match=why):
        _ = space.config
