"""Model ids become models: presets, own providers, keys, and the servers on this machine."""

import asyncio
import time

import msgspec
import pytest
from tcp_server import Peer, tcp_server

from toolpost.models import prices
from toolpost.models.contract import ModelRequest
from toolpost.models.resolve import (
    PRESETS,
    ModelConfig,
    ProviderConfig,
    base_url_of,
    is_loopback,
    list_models,
    local_servers,
    provider_config,
    resolve,
)
from toolpost.testing import ScriptedModel, Upstream, text
from toolpost.types.errors import ConfigError
from toolpost.types.messages import Message, TextPart

HI = ModelRequest([Message("u", "user", (TextPart("hi"),))])


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(tmp_path_factory.getbasetemp() / "price-cache"))


async def test_the_openai_variables_mean_what_they_mean_to_its_own_client() -> None:
    async with Upstream(text("x")) as up:
        environ = {"OPENAI_BASE_URL": up.base_url, "OPENAI_API_KEY": "sk-1", "OPENAI_ORG_ID": "org"}
        model = resolve("openai/gpt-x", environ=environ)
        [_ async for _ in model.stream(HI)]
        sent = up.requests[0]
        assert (sent.headers["authorization"], sent.headers["openai-organization"]) == ("Bearer sk-1", "org")
        assert sent.body["model"] == "gpt-x"


async def test_a_loopback_server_needs_no_key_and_gets_no_header() -> None:
    async with Upstream(text("x")) as up:
        [_ async for _ in resolve("openai/any", environ={"OPENAI_BASE_URL": up.base_url}).stream(HI)]
        assert "authorization" not in up.requests[0].headers


@pytest.mark.parametrize(
    "provider", sorted(name for name, preset in PRESETS.items() if not is_loopback(preset.base_url))
)
def test_a_hosted_provider_without_its_key_names_the_variable(provider: str) -> None:
    with pytest.raises(ConfigError, match=PRESETS[provider].api_key_env):
        resolve(f"{provider}/m", environ={})


@pytest.mark.parametrize("provider", sorted(name for name, preset in PRESETS.items() if is_loopback(preset.base_url)))
def test_a_local_provider_needs_nothing(provider: str) -> None:
    info = resolve(f"{provider}/org/model:7b", environ={}).info
    assert (info.provider, info.name, info.context_window) == (provider, "org/model:7b", None)


@pytest.mark.parametrize("model_id", ["gpt-5", "openai/", "/x", ""])
def test_an_id_without_provider_or_name_is_refused(model_id: str) -> None:
    with pytest.raises(ConfigError, match="provider/model"):
        resolve(model_id, environ={})


def test_an_unknown_provider_gets_a_suggestion_and_how_to_add_it() -> None:
    with pytest.raises(ConfigError, match=r"did you mean 'openai'\?(?s:.)*\[providers\.opneai\]"):
        resolve("opneai/x", environ={})


async def test_an_own_provider_from_toml() -> None:
    async with Upstream(text("x")) as up:
        table = f"""
        [mine]
        base_url = "{up.base_url}"
        api_key_env = "MINE_KEY"
        headers = {{ X-Team = "a" }}
        extra_body = {{ thinking = {{ type = "disabled" }} }}
        options = {{ temperature = 0.1 }}
        [mine.models.m]
        context_window = 1000
        max_output = 50
        options = {{ top_p = 0.5 }}
        """
        providers = msgspec.toml.decode(table, type=dict[str, ProviderConfig])
        model = resolve("mine/m", providers=providers, environ={"MINE_KEY": "k-123"})
        assert (model.info.context_window, model.info.max_output) == (1000, 50)
        [_ async for _ in model.stream(HI)]
        sent = up.requests[0]
        assert (sent.headers["authorization"], sent.headers["x-team"]) == ("Bearer k-123", "a")
        assert (sent.body["thinking"], sent.body["temperature"], sent.body["top_p"]) == ({"type": "disabled"}, 0.1, 0.5)


def test_own_settings_are_laid_over_a_preset() -> None:
    providers = {"deepseek": ProviderConfig(models={"m": ModelConfig(context_window=5)})}
    assert resolve("deepseek/m", providers=providers, environ={"DEEPSEEK_API_KEY": "k"}).info.context_window == 5
    with pytest.raises(ConfigError, match="DEEPSEEK_API_KEY"):
        resolve("deepseek/m", providers=providers, environ={})


async def test_a_base_url_that_was_written_down_wins_over_the_variable() -> None:
    async with Upstream(text("x")) as up:
        providers = {"openai": ProviderConfig(up.base_url)}
        model = resolve("openai/m", providers=providers, environ={"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"})
        [_ async for _ in model.stream(HI)]


def test_extra_providers_are_asked_first() -> None:
    model = resolve("openai/x", extra={"openai": lambda name: ScriptedModel(name=name)}, environ={})
    assert model.info.id == "scripted/x"


def test_a_wire_that_is_not_there_is_told() -> None:
    with pytest.raises(ConfigError, match="use one of openai_chat, anthropic"):
        resolve("x/y", providers={"x": ProviderConfig("http://127.0.0.1/v1", wire="smoke")}, environ={})


@pytest.mark.parametrize("url", ["", "host/v1", "ftp://host"])
def test_a_base_url_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="must be a URL"):
        resolve("x/y", providers={"x": ProviderConfig(url)}, environ={})


@pytest.mark.parametrize(
    ("host", "url"),
    [
        ("box", "http://box:11434"),
        ("box:99", "http://box:99"),
        (":99", "http://127.0.0.1:99"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("https://box", "https://box:443"),
        ("http://box/sub/", "http://box:80/sub"),
        ("[::1]:99", "http://[::1]:99"),
        ("", "http://127.0.0.1:11434"),
    ],
)
def test_ollama_host_is_read_as_ollama_reads_it(host: str, url: str) -> None:
    assert base_url_of("ollama", PRESETS["ollama"], {"OLLAMA_HOST": host}) == url


@pytest.mark.parametrize("host", ["", "127.0.0.1", "http://127.0.0.1:11434/v1"])
def test_ollama_may_be_asked_on_its_openai_wire(host: str) -> None:
    config = provider_config("ollama", {"ollama": ProviderConfig(wire="openai_chat")})
    assert base_url_of("ollama", config, {"OLLAMA_HOST": host}) == "http://127.0.0.1:11434/v1"


def addresses(up: Upstream) -> dict[str, str]:
    hosts = dict.fromkeys(("ANTHROPIC_BASE_URL", "OLLAMA_HOST", "GOOGLE_GEMINI_BASE_URL"), up.url)
    return {"OPENAI_BASE_URL": up.base_url, **hosts}


@pytest.mark.parametrize(
    ("provider", "wire", "path"),
    [
        ("openai", "", "/v1/chat/completions"),
        ("anthropic", "", "/v1/messages"),
        ("ollama", "", "/api/chat"),
        ("ollama", "openai_chat", "/v1/chat/completions"),
        ("openai-responses", "", "/v1/responses"),
        ("openai", "openai_responses", "/v1/responses"),
        ("gemini", "", "/v1beta/models/m:streamGenerateContent?alt=sse"),
    ],
)
async def test_the_wire_decides_the_adapter(provider: str, wire: str, path: str) -> None:
    async with Upstream(text("x"), models=["a"]) as up:
        own = {provider: ProviderConfig(wire=wire)}
        environ = addresses(up)
        model = resolve(f"{provider}/m", providers=own, environ=environ)
        assert [event async for event in model.stream(HI)][-1].type == "finish"
        assert up.requests[0].path == path


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama", "openai-responses", "gemini"])
async def test_models_are_listed_on_every_wire(provider: str) -> None:
    async with Upstream(models=["a", "b"]) as up:
        environ = addresses(up)
        assert await list_models(provider, PRESETS[provider], environ=environ) == ["a", "b"]


@pytest.mark.parametrize(
    ("environ", "sent"),
    [
        ({"ANTHROPIC_API_KEY": "sk-1"}, ("sk-1", None)),
        ({"ANTHROPIC_AUTH_TOKEN": "tok"}, (None, "Bearer tok")),
        ({"ANTHROPIC_API_KEY": "sk-1", "ANTHROPIC_AUTH_TOKEN": "tok"}, ("sk-1", None)),
    ],
)
async def test_the_anthropic_variables_mean_what_they_mean_to_its_own_client(
    environ: dict[str, str], sent: tuple[str | None, str | None]
) -> None:
    async with Upstream(text("x")) as up:
        model = resolve("anthropic/claude-x", environ={**environ, "ANTHROPIC_BASE_URL": up.url})
        [_ async for _ in model.stream(HI)]
        headers = up.requests[0].headers
        assert (headers.get("x-api-key"), headers.get("authorization")) == sent
        assert headers["anthropic-version"] == "2023-06-01"


@pytest.mark.parametrize(
    ("environ", "key"),
    [
        ({"GEMINI_API_KEY": "a"}, "a"),
        ({"GOOGLE_API_KEY": "b"}, "b"),
        ({"GEMINI_API_KEY": "a", "GOOGLE_API_KEY": "b"}, "a"),
    ],
)
async def test_geminis_key_comes_from_either_variable(environ: dict[str, str], key: str) -> None:
    async with Upstream(text("x")) as up:
        model = resolve("gemini/gemini-x", environ={**environ, "GOOGLE_GEMINI_BASE_URL": up.url})
        [_ async for _ in model.stream(HI)]
        assert up.requests[0].headers["x-goog-api-key"] == key
        assert "authorization" not in up.requests[0].headers


def test_the_context_window_of_a_known_model_is_known() -> None:
    info = resolve("openai/gpt-4o", environ={"OPENAI_API_KEY": "k"}).info
    assert info.context_window == 128_000
    assert resolve("openai/no-such-model", environ={"OPENAI_API_KEY": "k"}).info.context_window is None


async def test_local_servers_are_found_at_once_and_silent_ones_left() -> None:
    async def silent(peer: Peer) -> None:
        await peer.gone()

    async with Upstream(models=["qwen3", "llama"]) as up, tcp_server(silent) as mute:
        closed = ProviderConfig("http://127.0.0.1:1/v1")
        providers = {
            "ollama": closed,
            "vllm": ProviderConfig(up.base_url),
            "llamacpp": ProviderConfig(f"http://127.0.0.1:{mute.port}/v1"),
            "lmstudio": ProviderConfig("http://far.invalid/v1"),
        }
        started = time.perf_counter()
        found = await local_servers(providers=providers, environ={})
        assert time.perf_counter() - started < 1
    assert [(server.provider, server.base_url, server.models) for server in found] == [
        ("vllm", up.base_url, ("qwen3", "llama"))
    ]


def test_resolving_in_no_loop_is_possible() -> None:
    model = resolve("ollama/m", environ={})
    with pytest.raises(RuntimeError):
        asyncio.get_running_loop()
    assert model.info.id == "ollama/m"


def test_a_provider_that_left_this_machine_is_paid_for_again() -> None:
    for base_url, own in (("http://127.0.0.1:9/v1", True), ("https://models.example.com/v1", False)):
        resolve("moving/m", providers={"moving": ProviderConfig(base_url)}, environ={})
        assert prices.is_own("moving", "m") is own
