"""Costs come out as genai-prices says, and a known price is found without importing it."""

import json
import subprocess
import sys
from pathlib import Path

import genai_prices
import pytest

from toolpost.models import prices
from toolpost.types.messages import Usage

USAGE = Usage(input=20_000, output=1_500, reasoning=500, cache_read=8_000, cache_write=0)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(tmp_path))
    return tmp_path


def told(provider: str, model: str, usage: Usage) -> float:
    tokens = genai_prices.Usage(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
    )
    return float(genai_prices.calc_price(tokens, model, provider_id=provider).total_price)


def in_new_process(code: str, folder: Path) -> str:
    script = f"import sys\nfrom toolpost.models import prices\nfrom toolpost.types.messages import Usage\n{code}"
    environ = {"TOOLPOST_CACHE_DIR": str(folder), "PATH": ""}
    done = subprocess.run([sys.executable, "-c", script], env=environ, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("provider", "library", "model"),
    [
        ("openai", "openai", "gpt-4o"),
        ("openai", "openai", "gpt-4o-mini"),
        ("mistral", "mistral", "mistral-large-latest"),
        ("deepseek", "deepseek", "deepseek-chat"),
        ("anthropic", "anthropic", "claude-sonnet-4-5"),
        ("gemini", "google", "gemini-2.5-pro"),
        ("xai", "x-ai", "grok-4"),
    ],
)
@pytest.mark.parametrize("size", [1, 30])
def test_a_cost_is_what_the_library_says(provider: str, library: str, model: str, size: int) -> None:
    usage = Usage(USAGE.input * size, USAGE.output * size, 0, USAGE.cache_read * size)
    assert prices.cost(provider, model, usage) == pytest.approx(told(library, model, usage))


def test_a_tiered_price_is_never_flattened(folder: Path) -> None:
    small, large = Usage(input=100_000), Usage(input=300_000)
    price = [prices.cost("anthropic", "claude-sonnet-4-5", usage) for usage in (small, large)]
    assert price[1] > price[0] * 3
    kept = json.loads((folder / "prices.json").read_bytes())["models"]["anthropic/claude-sonnet-4-5"]
    assert kept["varies"] is True
    assert "rates" not in kept


def test_an_unknown_price_is_none_and_remembered(folder: Path) -> None:
    assert prices.cost("openai", "no-such-model", USAGE) is None
    assert prices.cost("nobody", "x", USAGE) is None
    assert json.loads((folder / "prices.json").read_bytes())["models"] == {"openai/no-such-model": {}, "nobody/x": {}}


def test_local_models_have_no_price_and_ask_nobody(folder: Path) -> None:
    prices.mark_own("openai", "on-my-machine", own=True)
    assert prices.cost("ollama", "llama3", USAGE) is None
    assert prices.cost("openai", "on-my-machine", USAGE) is None
    assert not (folder / "prices.json").exists()


def test_a_second_process_does_not_import_the_library(folder: Path) -> None:
    code = (
        "print(prices.cost('openai','gpt-4o',Usage(1000,100)), prices.cost('openai','nope',Usage(1)))\n"
        "print('genai_prices' in sys.modules)"
    )
    first, second = in_new_process(code, folder), in_new_process(code, folder)
    assert first == "0.0035 None\nTrue"
    assert second == "0.0035 None\nFalse"


def test_a_cache_of_another_version_or_a_broken_one_is_not_used(folder: Path) -> None:
    path = folder / "prices.json"
    known = {"rates": {"input": 1.0, "output": 1.0, "cache_read": 1.0, "cache_write": 1.0}}
    path.write_text(json.dumps({"version": "genai_prices-0.0.1.dist-info", "models": {"openai/gpt-4o": known}}))
    assert prices.cost("openai", "gpt-4o", Usage(1000, 100)) == pytest.approx(0.0035)
    path.write_text("{half")
    assert in_new_process("print(prices.cost('openai','gpt-4o',Usage(1000,100)))", folder) == "0.0035"


def test_a_rate_that_ran_out_is_asked_for_again(folder: Path) -> None:
    prices.cost("openai", "gpt-4o", USAGE)
    path = folder / "prices.json"
    kept = json.loads(path.read_bytes())
    kept["models"]["openai/gpt-4o"]["rates"] |= {"input": 99.0, "until": "2020-01-01"}
    path.write_text(json.dumps(kept))
    assert in_new_process("print(prices.cost('openai','gpt-4o',Usage(1000,100)))", folder) == "0.0035"


def test_a_cache_that_cannot_be_written_costs_nothing_but_time(monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
    blocked = folder / "file"
    blocked.write_text("")
    monkeypatch.setenv("TOOLPOST_CACHE_DIR", str(blocked / "below"))
    assert prices.cost("openai", "gpt-4o", Usage(1000, 100)) == pytest.approx(0.0035)
