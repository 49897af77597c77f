"""The tools of the examples."""

import importlib.util
import json
import math
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from toolpost.cli.tools import check
from toolpost.tools.define import FunctionTool
from toolpost.types.errors import ToolError

EXAMPLES = Path(__file__).parent.parent / "examples"


def example(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"example_{name}", EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


calculate: FunctionTool[[str], str] = example("calculator").calculate
get_weather: FunctionTool[[str], str] = example("weather").get_weather


def test_the_examples_tools_pass_our_own_lint() -> None:
    assert check(calculate) == check(get_weather) == []


@pytest.mark.parametrize("city", ["Tokyo", "tokyo ", "TOKYO", "东京", "東京"])
def test_a_city_is_known_by_its_names(city: str) -> None:
    assert get_weather(city) == "Tokyo: sunny, 22°C, humidity 55%"


def test_an_unknown_city_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ToolError, match='no data for "Atlantis"; known cities: Tokyo, Beijing'):
        get_weather("Atlantis")


@pytest.mark.parametrize(
    ("expression", "result"),
    [
        ("42 * 17", "714"),
        ("(1 + 2) * -3 // 2", "-5"),
        ("7 % 4 + 2 ** 3 ** 2", "515"),
        ("1 / 4", "0.25"),
        ("sqrt(16) + abs(-2) + round(2.6)", "9.0"),
        ("min(3, 1, 2) + max(1, 5)", "6"),
        ("round(pi, 3)", "3.142"),
        ("e", str(math.e)),
        ("6 × 7", "42"),
        ("2^10", "1024"),
        ("2 ** -2", "0.25"),
    ],
)
def test_arithmetic_is_worked_out(expression: str, result: str) -> None:
    assert calculate(expression) == result


@pytest.mark.parametrize(
    ("expression", "said"),
    [
        ("1 / 0", "division by zero"),
        ("9 ** 9 ** 9", "too large"),
        ("9 ** 3000 * 9 ** 3000", "too large"),
        ("1e308 * 10 ** 400", "can't work out"),
        ("2.5 ** 99999", "can't work out"),
        ("(-8) ** 0.5", "not a real number"),
        ("sqrt(-1)", "can't work out"),
        ("1 +", "can't work out"),
        ("", "can't work out"),
        ("1 < 2", "is not arithmetic"),
        ("True + 1", "is not arithmetic"),
        ("'a' * 3", "is not arithmetic"),
        ("__import__('os').system('true')", "is not arithmetic"),
        ("(1).__class__", "is not arithmetic"),
        ("[1][0]", "is not arithmetic"),
        ("round(1.5, ndigits=1)", "is not arithmetic"),
        ("min()", "can't work out"),
        ("1+" * 300 + "1", "longer than 500"),
        ("-" * 100 + "1", "nested deeper"),
    ],
)
def test_what_is_no_arithmetic_or_too_much_is_refused(expression: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        calculate(expression)


@pytest.mark.parametrize("example", ["weather", "calculator", "together"])
def test_an_example_runs_and_answers_from_both_tools(example: str) -> None:
    done = subprocess.run(
        [sys.executable, f"examples/{example}.py"],
        cwd=EXAMPLES.parent,
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "calculate: 714" in done.stdout
    assert "get_weather: Tokyo: sunny" in done.stdout
    assert "scripted" in done.stderr


def test_a_failing_test_is_fixed_and_the_fix_taken_back() -> None:
    """Real tools and commands; the recording is what a reader of the example sees, so it has to stay true."""
    done = subprocess.run(
        [sys.executable, "examples/fix_a_test/run.py"],
        cwd=EXAMPLES.parent,
        capture_output=True,
        text=True,
        timeout=90,
        check=True,
    )
    recording = (EXAMPLES / "fix_a_test" / "recording.txt").read_text()
    assert _lines(done.stdout) == _lines(recording)
    said = done.stdout
    assert said.index("FAILED (") < said.index("● edit") < said.index("  OK\n") < said.index("undone: ")


def _lines(said: str) -> list[str]:
    """What was said, in no order: calls side by side may end in either, and times differ."""
    return sorted(re.sub(r"\d+\.\d+ ?s\b", "0 s", said).splitlines())


wikipedia = example("wikipedia")
PAGES = [
    {
        "index": 2,
        "title": "Turing Award",
        "fullurl": "https://en.wikipedia.org/wiki/Turing_Award",
        "extract": "A prize.",
    },
    {"index": 1, "title": "Alan Turing", "fullurl": "https://en.wikipedia.org/wiki/Alan_Turing", "extract": "He was …"},
]


@pytest.fixture
def encyclopedia(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[dict[str, list[str]]]]:
    """A server on loopback that answers as Wikipedia does; what it is asked is noted."""
    asked: list[dict[str, list[str]]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(parse_qs(urlsplit(self.path).query))
            topic = asked[-1]["gsrsearch"][0]
            self.send_response(503 if topic == "busy" else 200)
            self.end_headers()
            self.wfile.write(json.dumps({} if topic == "nothing" else {"query": {"pages": PAGES}}).encode())

        def log_message(self, format: str, *args: Any) -> None:
            pass

    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setattr(wikipedia, "ADDRESS", f"http://127.0.0.1:{server.server_port}/{{language}}/w/api.php")
        yield asked
        server.shutdown()
        thread.join()


def test_wikipedia_gives_the_best_articles_first_with_their_addresses(encyclopedia: list[dict[str, list[str]]]) -> None:
    assert wikipedia.wikipedia("Turing") == (
        "Alan Turing\nhttps://en.wikipedia.org/wiki/Alan_Turing\nHe was …\n\n"
        "Turing Award\nhttps://en.wikipedia.org/wiki/Turing_Award\nA prize."
    )
    wikipedia.wikipedia("图灵")
    assert "variant" not in encyclopedia[0]
    assert encyclopedia[1]["variant"] == ["zh-cn"]


@pytest.mark.parametrize(("topic", "said"), [("nothing", 'has nothing about "nothing"'), ("busy", "status 503")])
def test_what_wikipedia_does_not_know_is_an_error_for_the_model(
    encyclopedia: list[dict[str, list[str]]], topic: str, said: str
) -> None:
    with pytest.raises(ToolError, match=said):
        wikipedia.wikipedia(topic)


def test_wikipedia_passes_our_own_lint() -> None:
    assert check(wikipedia.wikipedia) == []
