"""The context window of models on servers of one's own: found out, asked for, and never cut silently."""

from pathlib import Path
from typing import Any

import pytest
from wire_play import answer

from toolpost.models.contract import Model, get_ready
from toolpost.models.ollama.model import Ollama
from toolpost.models.resolve import ModelConfig, ProviderConfig, resolve
from toolpost.models.server_facts import ServerFacts
from toolpost.models.windows import LARGEST, SMALLEST, UNKNOWN_MEMORY, UNKNOWN_MODEL, installed_memory, window_for
from toolpost.testing import Upstream, http_error, text
from toolpost.types.errors import ModelError

GB = 1_000_000_000


def shown(window: int = 40_960, parameters: str = "", info: dict[str, Any] | None = None) -> dict[str, Any]:
    """What Ollama says at /api/show of a small model."""
    small = {
        "general.architecture": "qwen3",
        "general.parameter_count": 1_000_000,
        "qwen3.context_length": window,
        "qwen3.block_count": 2,
        "qwen3.attention.head_count": 8,
        "qwen3.attention.head_count_kv": 2,
        "qwen3.embedding_length": 64,
        **(info or {}),
    }
    details = {"quantization_level": "Q4_K_M"}
    return {"capabilities": ["completion", "tools"], "parameters": parameters, "details": details, "model_info": small}


async def num_ctx(up: Upstream, **options: Any) -> tuple[int | None, int | None]:
    """What is asked for, and what the model says of itself then."""
    model = Ollama("m", base_url=up.url, **options)
    await answer(model)
    return up.requests[-1].body["options"].get("num_ctx"), model.info.context_window


@pytest.mark.parametrize(
    ("page", "options", "window"),
    [
        (shown(), {}, LARGEST),
        (shown(8_192), {}, 8_192),
        (shown(8_192), {"max_context": 100_000}, 8_192),
        (shown(262_144), {"max_context": 100_000}, 100_000),
        (shown(40_960, "stop    x\nnum_ctx                        12288\ntemperature 1"), {}, 12_288),
        (shown(), {"context_window": 6_000}, 6_000),
        ({"model_info": {}}, {}, UNKNOWN_MODEL),
        ({"model_info": {"qwen3.context_length": 40_960}}, {}, UNKNOWN_MEMORY),
        # Keys and values of a token take more than a gigabyte: no machine holds more than the least.
        (shown(info={"qwen3.block_count": 100_000, "qwen3.attention.head_count_kv": 10_000}), {}, SMALLEST),
    ],
)
async def test_ollama_is_asked_for_what_the_model_can_have_and_the_machine_can_hold(
    page: dict[str, Any], options: dict[str, Any], window: int
) -> None:
    async with Upstream(text("hi"), pages={"/api/show": page}) as up:
        assert await num_ctx(up, **options) == (window, window)
        assert [asked.body for asked in up.asked] == ([] if "context_window" in options else [{"model": "m"}])


async def test_an_ollama_that_says_nothing_of_the_model_is_still_told_a_size() -> None:
    async with Upstream(text("hi")) as up:
        assert await num_ctx(up) == (UNKNOWN_MODEL, UNKNOWN_MODEL)


async def test_the_server_is_asked_once() -> None:
    async with Upstream(text("a"), text("b"), pages={"/api/show": shown()}) as up:
        model = Ollama("m", base_url=up.url)
        for _ in range(2):
            await get_ready(model)
            await answer(model)
        assert len(up.asked) == 1


async def test_a_server_that_was_not_there_is_asked_again() -> None:
    up = Upstream(pages={"/api/show": shown()})
    await up.start()
    await up.stop()
    model = Ollama("m", base_url=up.url)
    await get_ready(model)
    assert model.info.context_window is None
    async with up:
        await get_ready(model)
    assert model.info.context_window == LARGEST


async def test_a_conversation_that_is_too_long_is_an_error_that_says_what_to_set() -> None:
    refusal = http_error(400, "the input length exceeds the context length")
    async with Upstream(refusal, pages={"/api/show": shown(8_192)}) as up:
        with pytest.raises(ModelError) as raised:
            await answer(Ollama("m", base_url=up.url))
    failed = raised.value.info
    assert failed.code == "context_overflow"
    assert "8,192 tokens of m" in failed.message
    assert '[providers.ollama.models."m"] context_window' in failed.message
    sent = up.requests[0].body
    assert (sent["truncate"], sent["shift"]) == (False, False)


PROPS = {"/props": {"default_generation_settings": {"n_ctx": 12_288}}}
LISTED = {"/v1/models": {"data": [{"id": "other"}, {"id": "m", "max_model_len": 24_576}]}}
LOADED = {"/api/v0/models/m": {"id": "m", "loaded_context_length": 5_000}}


def found(up: Upstream, provider: str, config: ProviderConfig) -> Model:
    return resolve(f"{provider}/m", providers={provider: config}, environ={"HOME": "/nowhere"})


@pytest.mark.parametrize(
    ("provider", "pages", "window"),
    [
        ("llamacpp", PROPS, 12_288),
        ("vllm", LISTED, 24_576),
        ("lmstudio", LOADED, 5_000),
        ("work", LISTED, 24_576),
        ("openai", LISTED, 24_576),
        ("vllm", {}, None),
    ],
)
async def test_servers_on_the_openai_wire_are_asked_for_the_window_that_they_have(
    provider: str, pages: dict[str, Any], window: int | None
) -> None:
    async with Upstream(pages=pages) as up:
        model = found(up, provider, ProviderConfig(up.base_url, key="k"))
        await get_ready(model)
        assert model.info.context_window == window
        asked = len(up.asked)
        await get_ready(model)
        assert len(up.asked) == asked


async def test_settings_bound_and_replace_what_a_server_says() -> None:
    async with Upstream(pages=LISTED) as up:
        bounded = found(up, "vllm", ProviderConfig(up.base_url, max_context=8_000))
        await get_ready(bounded)
        assert bounded.info.context_window == 8_000
        asked = len(up.asked)
        config = ProviderConfig(up.base_url, models={"m": ModelConfig(context_window=9_000)})
        said = found(up, "vllm", config)
        await get_ready(said)
        assert said.info.context_window == 9_000
        assert len(up.asked) == asked


def test_memory_decides_how_much_of_a_large_window_is_asked_for() -> None:
    facts = ServerFacts(context_window=131_072, weight_bytes=5 * GB, token_bytes=131_072)
    sizes = {memory: window_for(facts, memory * GB, None) for memory in (4, 8, 9, 10, 16, 64)}
    assert sizes == {4: 4_096, 8: 4_096, 9: 8_192, 10: 12_288, 16: 32_768, 64: 32_768}
    assert window_for(facts, None, None) == 16_384
    assert window_for(facts, 64 * GB, 100_000) == 100_000


def test_this_machine_says_how_much_memory_it_has() -> None:
    memory = installed_memory()
    total = int(Path("/proc/meminfo").read_text().split()[1]) * 1024
    assert memory is None or 0 < memory <= total + 2**20
