"""The training code, run small: on a tiny random model it learns, and llama.cpp reads and answers as it does.

It needs torch, tokenizers and gguf, which Toolpost itself does not: an interpreter that has them is looked for.
"""

import contextlib
import csv
import gzip
import json
import os
import subprocess
import sys
from functools import cache
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from toolpost.evals.results import read_results
from toolpost.models.embedded.server import Server

ROOT = Path(__file__).parents[2]
MODULES = Path(__file__).with_name("python_modules")
TINY_MODEL = Path(__file__).with_name("tiny_model.py")
PROMPT = "<|im_start|>user\nIs 4 more than 3?<|im_end|>\n<|im_start|>assistant\n"
ANSWER = "yes, it is"
OTHER_ANSWER = "I can't say"
STEPS = 40

TEXTS = [
    "What's the weather in Zürich? I'll go if they're there; 'tis fine, DON'T.",
    "  two before, two after  ",
    "a\n\n\n  b\t\tc\r\nd \n ",
    "1234567890 3.14e-10 $200,000 50% 12:30",
    "½ ² Ⅳ ١٢٣ 五 １２３",
    "你好，世界！今天天气怎么样？",
    "日本語のテキスト、한국어 문장, Привет, हिन्दी, العربية",
    "😀👩‍👩‍👧‍👦🇫🇷 é e\u0301 \u00a0\u2003\u200b\ufeff",
    '{"name": "get_weather", "arguments": {"city": "Rome", "days": 3, "tags": []}}',
    "<|im_start|>system\nget_weather(city: string, days?: integer) - The weather.<|im_end|>\n<|im_start|>user\n",
    "a<|im_end|>b<|endoftext|><repo_name>x",
    "def f(x):\n    return x**2  # ok\n\n\nhttps://example.com/a?b=c&d=1#e",
    "\u0000\u0001\x7f \U0010ffff \ue000 \ufffd",
    "",
]


@cache
def interpreter() -> str:
    """One that can train; the test is skipped if there is none."""
    for candidate in ("/usr/bin/python3", sys.executable):
        needed = [candidate, "-c", "import gguf, tokenizers, torch"]
        tried = Path(candidate).exists() and subprocess.run(needed, env=environ(), capture_output=True, check=False)
        if tried and tried.returncode == 0:
            return candidate
    pytest.skip("no Python with torch, tokenizers and gguf: `make trainer` installs them")


def environ() -> dict[str, str]:
    # One thread: sums are then added in the same order every time.
    return {**os.environ, "PYTHONPATH": str(MODULES), "OMP_NUM_THREADS": "1", "TOKENIZERS_PARALLELISM": "false"}


def run(*words: object, given: str = "") -> str:
    """Under the interpreter that can train, from the repository's root."""
    program = [interpreter(), *map(str, words)]
    done = subprocess.run(program, cwd=ROOT, env=environ(), input=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    """A tiny model, and rows that all ask and answer the same."""
    folder = tmp_path_factory.mktemp("training")
    run(TINY_MODEL, "write", folder / "tiny.gguf", given=json.dumps([*TEXTS, PROMPT, ANSWER]))
    write_rows(folder / "rows.jsonl.gz", ANSWER)
    write_rows(folder / "others.jsonl.gz", OTHER_ANSWER)
    return folder


def write_rows(path: Path, answer: str) -> None:
    with gzip.open(path, "wt") as file:
        for number in range(8 * STEPS):
            row = {"pieces": [["<|im_end|>" * (number % 5) + PROMPT, False], [f"{answer}<|im_end|>", True]]}
            file.write(json.dumps(row) + "\n")


@pytest.fixture(scope="module")
def learnt(folder) -> Path:
    return train(folder, "first")


def train(folder: Path, name: str, *more: object) -> Path:
    words = ["--weights", folder / "tiny.gguf", "--rows", folder / "rows.jsonl.gz", "--out", folder / name]
    words += ["--rank", 4, "--alpha", 8, "--lr", 2e-2, "--batch-tokens", 1024, "--row-tokens", 256, "--every", 5]
    run("-m", "training.train", *words, *more, "--seed", 7, "--about", "name=Tiny", "license=apache-2.0")
    return folder / name


def column(path: Path, name: str) -> list[float]:
    with path.open() as file:
        return [float(line[name]) for line in csv.DictReader(file)]


def test_the_loss_falls(learnt):
    losses = column(learnt / "curve.csv", "loss")
    assert len(losses) >= 4
    assert losses[-1] < 0.1 * losses[0]


def test_the_adapter_s_file_has_two_tensors_for_every_linear_map(learnt):
    told = json.loads(run(TINY_MODEL, "describe", learnt / "adapter.gguf"))
    linears = {"attn_q": (64, 64), "attn_k": (32, 64), "attn_v": (32, 64), "attn_output": (64, 64)}
    linears |= {"ffn_gate": (96, 64), "ffn_up": (96, 64), "ffn_down": (64, 96)}
    expected = {}
    for layer in range(2):
        for kind, (outputs, inputs) in linears.items():
            expected[f"blk.{layer}.{kind}.weight.lora_a"] = [4, inputs]
            expected[f"blk.{layer}.{kind}.weight.lora_b"] = [outputs, 4]
    assert told["shapes"] == expected
    assert told["types"] == ["F16"]
    about = {"general.type": "adapter", "general.architecture": "qwen2", "general.name": "Tiny"}
    about |= {"adapter.type": "lora", "adapter.lora.alpha": 8.0, "general.license": "apache-2.0"}
    assert about.items() <= told["fields"].items()


def test_the_same_seed_gives_the_same_bytes(folder, learnt):
    again = train(folder, "second")
    assert (again / "adapter.gguf").read_bytes() == (learnt / "adapter.gguf").read_bytes()


def test_what_was_learnt_is_what_is_written(folder, learnt):
    asked = [{"id": number, "prompt": "<|im_end|>" * (number % 3) + PROMPT} for number in range(7)]
    (folder / "prompts.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    words = ["--weights", folder / "tiny.gguf", "--prompts", folder / "prompts.jsonl", "--out", folder / "told.jsonl"]
    run("-m", "training.complete", *words, "--adapter", learnt / "adapter.pt", "--tokens", 30)
    told = [json.loads(line) for line in (folder / "told.jsonl").read_text().splitlines()]
    assert told == [{"id": number, "text": ANSWER} for number in range(7)]


def test_the_adapter_with_the_lowest_held_out_loss_is_written(folder):
    """Other answers are held out: after a while it only gets worse at them, and stops."""
    held_out = ["--validation", folder / "others.jsonl.gz", "--validate-every", 2]
    stopped = train(folder, "stopped", *held_out, "--patience", 3)
    losses = column(stopped / "held_out.csv", "loss")
    assert column(stopped / "curve.csv", "step")[-1] < STEPS
    assert losses[-1] > min(losses)
    again = train(folder, "again", *held_out, "--init", stopped / "adapter.pt", "--lr", 0, "--max-tokens", 1)
    assert column(again / "held_out.csv", "loss") == [min(losses)]


def post(llama: Server, path: str, body: dict[str, object]) -> dict[str, Any]:
    place = urlsplit(llama.url)
    connection = HTTPConnection(place.hostname, place.port, timeout=30)
    connection.request("POST", path, json.dumps(body), {"Authorization": f"Bearer {llama.key}"})
    with contextlib.closing(connection):
        return json.loads(connection.getresponse().read())


def test_llama_cpp_answers_with_what_was_learnt(folder, learnt):
    run("-m", "training.export", "--adapter", learnt / "adapter.pt", "--out", folder / "q8.gguf", "--type", "q8_0")
    for adapter in (learnt / "adapter.gguf", folder / "q8.gguf"):
        llama = Server(folder / "tiny.gguf", window=256, adapter=adapter)
        told = post(llama, "/completion", {"prompt": PROMPT, "n_predict": 30, "temperature": 0})
        assert told["content"] == ANSWER


def test_text_becomes_the_tokens_that_llama_cpp_reads(folder):
    program = (
        "import json, sys; from training import tokens, weights\n"
        "tokenizer = tokens.tokenizer_of(weights.read_vocabulary(sys.argv[1]))\n"
        "print(json.dumps([one.ids for one in tokenizer.encode_batch_fast(json.load(sys.stdin))]))"
    )
    ours = json.loads(run("-c", program, folder / "tiny.gguf", given=json.dumps(TEXTS)))
    llama = Server(folder / "tiny.gguf", window=256)
    theirs = {text: post(llama, "/tokenize", {"content": text, "parse_special": True})["tokens"] for text in TEXTS}
    assert dict(zip(TEXTS, ours, strict=True)) == theirs


def test_an_adapter_is_measured_on_cases_and_goes_on_where_it_was(folder, learnt, tmp_path):
    case = {"id": "one", "tools": [], "question": "Is 4 more than 3?", "accept": [[]]}
    (tmp_path / "two.jsonl").write_text("".join(json.dumps({**case, "id": name}) + "\n" for name in ("one", "two")))
    words = ["--weights", folder / "tiny.gguf", "--adapter", learnt / "adapter.gguf", "--out", tmp_path / "out"]
    program = [sys.executable, "-m", "training.measure", *words, "--set", tmp_path / "two.jsonl"]
    shares = []
    for _ in range(2):
        done = subprocess.run([*map(str, program)], cwd=ROOT, capture_output=True, text=True, check=True)
        shares.append(json.loads(done.stdout)["no_call"])
    assert shares == ["2/2", "2/2"]
    _, outcomes = read_results(tmp_path / "out" / "two")
    assert [outcome.case for outcome in outcomes] == ["one", "two"]
    assert (tmp_path / "out" / "two" / "results.jsonl").read_text().count("\n") == 3
