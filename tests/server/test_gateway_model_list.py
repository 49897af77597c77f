"""Which models `GET /v1/models` lists: routes, configured ones, and those of servers that run on this machine."""

import hashlib
import socket
from contextlib import closing
from pathlib import Path

import anthropic
import httpx
import openai
import pytest
from gateway_play import Play, gateway

from toolpost.testing import Upstream

ROUTES = '[server.routes.quick]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'
BOB = "a-token-for-bob-alone"
USERS = f"""
[server.users.bob]
token_sha256 = "{hashlib.sha256(BOB.encode()).hexdigest()}"
limits = {{ cost_per_day = 1.0 }}
"""


@pytest.fixture(autouse=True)
def _no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "DEEPSEEK_API_KEY", "OLLAMA_HOST"):
        monkeypatch.delenv(name, raising=False)


async def both(play: Play) -> list[str]:
    """What both vendors' clients see, which must be the same."""
    of_anthropic = [model.id async for model in play.anthropic.models.list()]
    of_openai = [model.id async for model in play.openai.models.list()]
    assert of_anthropic == of_openai
    return of_openai


def at(name: str, url: str) -> str:
    return f'[providers.{name}]\nbase_url = "{url}"\n'


async def test_servers_that_run_here_are_asked_for_their_models(folder: Path) -> None:
    async with (
        Upstream(models=["qwen3", "llama4"]) as ollama,
        Upstream(models="served") as vllm,
        Upstream(models="gguf") as llamacpp,
        Upstream(models="studio") as lmstudio,
        Upstream(models="own") as own,
    ):
        config = at("ollama", ollama.url) + at("vllm", vllm.base_url) + at("llamacpp", llamacpp.base_url)
        config += at("lmstudio", lmstudio.base_url) + at("mine", own.base_url)
        async with gateway(folder, config=config) as play:
            listed = await both(play)
    for name in ("ollama/qwen3", "ollama/llama4", "vllm/served", "llamacpp/gguf", "lmstudio/studio", "mine/own"):
        assert name in listed


async def test_configured_models_routes_and_what_is_behind_them_are_listed_once(folder: Path) -> None:
    config = ROUTES + "[providers.up.models.big]\ncontext_window = 1000\n"
    async with gateway(folder, config=config) as play:
        listed = await both(play)
        assert listed[:4] == ["quick", "up/first", "up/second", "up/m"]
        assert {"up/big", "up/scripted"} <= set(listed)
        assert len(set(listed)) == len(listed)
        for name in ("quick", "up/big", "up/scripted", "up/unlisted"):
            assert (await play.openai.models.retrieve(name)).id == name
            assert (await play.anthropic.models.retrieve(name)).id == name
        with pytest.raises(openai.NotFoundError):
            await play.openai.models.retrieve("nothing")
        with pytest.raises(anthropic.NotFoundError):
            await play.anthropic.models.retrieve("nothing")


async def test_a_server_that_does_not_answer_holds_up_nobody(folder: Path) -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as silent:
        # It takes connections, and says nothing.
        config = at("ollama", f"http://127.0.0.1:{silent.getsockname()[1]}") + at("vllm", "http://127.0.0.1:9/v1")
        async with gateway(folder, config=config) as play:
            assert [name for name in await both(play) if name.startswith(("ollama/", "vllm/"))] == []


async def test_the_list_is_kept_for_a_while(folder: Path) -> None:
    async with Upstream(models="one") as ollama, gateway(folder, config=at("ollama", ollama.url)) as play:
        await both(play)
        seen = ollama.total
        await both(play)
        assert (ollama.total, seen) == (seen, 1)


async def test_where_clients_choose_among_routes_only_routes_are_listed(folder: Path) -> None:
    async with gateway(folder, config=f"[server]\npin = false\n{ROUTES}") as play:
        assert await both(play) == ["quick"]
        with pytest.raises(openai.NotFoundError):
            await play.openai.models.retrieve("up/first")


async def test_models_that_a_limit_of_cost_refuses_are_not_listed(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-a-real-key-of-anybody")
    far = '[providers.far]\nbase_url = "https://far.example/v1"\n[providers.far.models.unpriced]\ncontext_window = 9\n'
    async with gateway(folder, config=far + USERS) as play:
        mine = await both(play)
        async with httpx.AsyncClient(base_url=play.url, headers={"x-api-key": BOB}) as bob:
            bobs = [one["id"] for one in (await bob.get("/v1/models")).json()["data"]]
    assert {"far/unpriced", "openai/gpt-5-mini", "up/m"} <= set(mine)
    assert {"openai/gpt-5-mini", "up/m"} <= set(bobs)
    assert "far/unpriced" not in bobs
