"""Routes for health checks and metrics: /healthz, /readyz and /metrics."""

from collections.abc import Callable

from .http import Request
from .metrics import Metrics
from .routing import Doc, ResponseDoc, Route


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
