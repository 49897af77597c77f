"""Counters and histograms of the server as text for Prometheus, and the routes of health checks."""

import contextlib
import time
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Generator

from .http import Request
from .routing import Doc, ResponseDoc, Route

BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 300.0)


class Histogram:
    def __init__(self) -> None:
        self.counts = [0] * (len(BUCKETS) + 1)
        self.total = 0.0

    def add(self, seconds: float) -> None:
        self.counts[bisect_left(BUCKETS, seconds)] += 1
        self.total += seconds

    def lines(self, name: str, labels: str) -> Generator[str]:
        count = 0
        for bound, number in zip((*map(str, BUCKETS), "+Inf"), self.counts, strict=True):
            count += number
            yield f'{name}_bucket{{{labels},le="{bound}"}} {count}'
        yield f"{name}_sum{{{labels}}} {self.total:.6f}"
        yield f"{name}_count{{{labels}}} {count}"


class Metrics:
    """`worker` is the name of this process among several that serve together: each counts for itself."""

    def __init__(self, worker: str = "") -> None:
        self._worker = f'worker="{worker}"' if worker else ""
        self._running: dict[str, int] = defaultdict(int)
        self._answers: dict[tuple[str, int], int] = defaultdict(int)
        self._durations: dict[str, Histogram] = defaultdict(Histogram)
        self._first_bytes: dict[str, Histogram] = defaultdict(Histogram)
        self._tokens: dict[tuple[str, str], int] = defaultdict(int)
        self._started = time.time()

    @contextlib.contextmanager
    def in_flight(self, path: str) -> Generator[None]:
        self._running[path] += 1
        try:
            yield
        finally:
            self._running[path] -= 1

    def answered(self, path: str, status: int, seconds: float) -> None:
        self._answers[path, status] += 1
        self._durations[path].add(seconds)

    def first_byte(self, path: str, seconds: float) -> None:
        self._first_bytes[path].add(seconds)

    def spent(self, model: str, read: int, written: int) -> None:
        self._tokens[model, "input"] += read
        self._tokens[model, "output"] += written

    def text(self) -> str:
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Generator[str]:
        yield "# TYPE toolpost_start_time_seconds gauge"
        yield f"toolpost_start_time_seconds{f'{{{self._worker}}}' if self._worker else ''} {self._started:.3f}"
        yield "# TYPE toolpost_requests_running gauge"
        for path, number in sorted(self._running.items()):
            yield f"toolpost_requests_running{{{self._labels(path=path)}}} {number}"
        yield "# TYPE toolpost_requests_total counter"
        for (path, status), number in sorted(self._answers.items()):
            yield f"toolpost_requests_total{{{self._labels(path=path, status=str(status))}}} {number}"
        for name, held in (("request_seconds", self._durations), ("first_byte_seconds", self._first_bytes)):
            yield f"# TYPE toolpost_{name} histogram"
            for path, histogram in sorted(held.items()):
                yield from histogram.lines(f"toolpost_{name}", self._labels(path=path))
        yield "# TYPE toolpost_tokens_total counter"
        for (model, kind), number in sorted(self._tokens.items()):
            shown = model.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
            yield f"toolpost_tokens_total{{{self._labels(model=shown, kind=kind)}}} {number}"

    def _labels(self, **values: str) -> str:
        own = [self._worker] if self._worker else []
        return ",".join([*own, *(f'{name}="{value}"' for name, value in values.items())])


def health_routes(metrics: Metrics, is_stopping: Callable[[], bool]) -> list[Route]:
    async def alive(request: Request) -> None:
        await request.reply_json({"status": "ok"})

    async def ready(request: Request) -> None:
        stopping = is_stopping()
        await request.reply_json({"status": "stopping" if stopping else "ready"}, status=503 if stopping else 200)

    async def counted(request: Request) -> None:
        await request.reply(metrics.text().encode(), content_type="text/plain; version=0.0.4; charset=utf-8")

    stopping = {503: ResponseDoc("It is stopping", dict[str, str])}
    readiness = Doc("Whether it takes requests", gives=dict[str, str], also=stopping)
    return [
        Route("GET", "/healthz", alive, Doc("Whether the server is alive", gives=dict[str, str]), is_open=True),
        Route("GET", "/readyz", ready, readiness, is_open=True),
        Route("GET", "/metrics", counted, Doc("Counters for Prometheus", content_type="text/plain"), needs="metrics"),
    ]
