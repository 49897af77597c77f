"""What is counted, as Prometheus reads it."""

import re
from itertools import pairwise

from server_play import TOKEN, echo, playing

from toolpost.server.metrics import BUCKETS, Metrics

LINE = re.compile(r'([a-z_]+)(?:\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\})? (-?[0-9.]+)')
LABEL = re.compile(r'([a-z_]+)="((?:[^"\\]|\\.)*)"')


def parsed(text: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    """Every sample by its name and labels; fails where a line is none of the format, or comes before its type."""
    samples, kinds = {}, set()
    assert text.endswith("\n")
    for line in text.splitlines():
        if line.startswith("# TYPE "):
            _, _, name, kind = line.split(" ")
            assert kind in ("counter", "gauge", "histogram")
            assert name not in kinds
            kinds.add(name)
            continue
        match = LINE.fullmatch(line)
        assert match is not None, line
        name, labels, value = match.groups()
        assert name in kinds or re.sub("_(bucket|sum|count)$", "", name) in kinds
        key = (name, tuple(LABEL.findall(labels or "")))
        assert key not in samples
        samples[key] = float(value)
    return samples


async def test_requests_are_counted_by_route_and_status() -> None:
    async with playing(echo("/things/{id}")) as server:
        for number in range(3):
            await server.call("POST", f"/things/{number}")
        await server.call("POST", "/things/1", token="")
        await server.call("GET", f"/somewhere/{TOKEN}")
        answer = await server.call("GET", "/metrics")
    assert answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    samples = parsed(answer.body.decode())
    assert samples["toolpost_requests_total", (("path", "/things/{id}"), ("status", "200"))] == 3
    assert samples["toolpost_requests_total", (("path", "/things/{id}"), ("status", "401"))] == 1
    # What is asked for where nothing is must not become a series of its own each time.
    assert samples["toolpost_requests_total", (("path", "unknown"), ("status", "404"))] == 1
    assert samples["toolpost_requests_running", (("path", "/metrics"),)] == 1
    assert samples["toolpost_requests_running", (("path", "/things/{id}"),)] == 0
    assert samples["toolpost_request_seconds_count", (("path", "/things/{id}"),)] == 4


def test_a_histogram_adds_up() -> None:
    metrics = Metrics()
    for seconds in (0.001, 0.005, 0.3, 1000.0):
        metrics.first_byte("/x", seconds)
    samples = parsed(metrics.text())

    def below(bound: str) -> float:
        return samples["toolpost_first_byte_seconds_bucket", (("path", "/x"), ("le", bound))]

    assert [below("0.005"), below("0.25"), below("0.5"), below("300.0"), below("+Inf")] == [2, 2, 3, 3, 4]
    assert all(below(str(low)) <= below(str(high)) for low, high in pairwise(BUCKETS))
    assert samples["toolpost_first_byte_seconds_count", (("path", "/x"),)] == 4
    assert samples["toolpost_first_byte_seconds_sum", (("path", "/x"),)] == 1000.306


def test_a_strange_name_of_a_model_does_not_break_the_format() -> None:
    metrics = Metrics()
    metrics.spent('a"b\\c\nd', 3, 4)
    metrics.spent('a"b\\c\nd', 1, 1)
    values = [value for (name, _), value in parsed(metrics.text()).items() if name == "toolpost_tokens_total"]
    assert values == [4, 5]


def test_one_of_several_workers_says_so_in_every_sample() -> None:
    metrics = Metrics("3")
    metrics.answered("/x", 200, 0.1)
    metrics.first_byte("/x", 0.1)
    metrics.spent("a", 1, 1)
    with metrics.in_flight("/x"):
        samples = parsed(metrics.text())
    assert len(samples) > 30
    assert {labels[0] for _, labels in samples} == {("worker", "3")}
