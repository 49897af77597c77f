"""Send log lines to the clients of our MCP server, from the level that each client sets."""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from .client import CURRENT

if TYPE_CHECKING:
    from mcp.server.context import ServerRequestContext
    from mcp.types import LoggingLevel


class ClientLog(logging.Handler):
    """Sends what is logged during a request to the client that made it."""

    def emit(self, record: logging.LogRecord) -> None:
        client = CURRENT.get()
        if client is not None:
            client.note(record)


class LogLevels:
    """The log level of each client, by session. Records below the lowest level are not created."""

    def __init__(self, default: int = logging.WARNING, most: int = 1_000) -> None:
        self._default = default
        self._most = most
        self._levels: dict[str, int] = {}
        self._root = logging.getLogger()
        self._usual = self._root.level

    @contextmanager
    def attached(self) -> Generator[None]:
        """Keep the level of other handlers: a client's level adds no lines to them."""
        handler, others = ClientLog(), list(self._root.handlers)
        for other in others:
            other.addFilter(self._is_usual)
        self._root.addHandler(handler)
        try:
            yield
        finally:
            self._root.removeHandler(handler)
            self._root.setLevel(self._usual)
            for other in others:
                other.removeFilter(self._is_usual)

    def _is_usual(self, record: logging.LogRecord) -> bool:
        """Whether a line is made without a client that wants it: by the level of its logger, or of one above."""
        logger: logging.Logger | None = logging.getLogger(record.name)
        while logger is not None and logger is not self._root:
            if logger.level:
                return record.levelno >= logger.level
            logger = logger.parent
        return record.levelno >= self._usual

    def want(self, session: str, level: "LoggingLevel") -> None:
        self._levels.pop(session, None)
        self._levels[session] = _LEVELS[level]
        while len(self._levels) > self._most:
            del self._levels[next(iter(self._levels))]
        self._root.setLevel(min(self._usual, *self._levels.values()))

    def of(self, ctx: "ServerRequestContext[Any]") -> int:
        """What this request's client wants: the newest protocol says it with each request."""
        from mcp.types import LOG_LEVEL_META_KEY

        asked: Any = (ctx.meta or {}).get(LOG_LEVEL_META_KEY)
        if asked in _LEVELS:
            self._root.setLevel(min(self._root.level, _LEVELS[asked]))
            return _LEVELS[asked]
        return self._levels.get(session_of(ctx), self._default)


def session_of(ctx: "ServerRequestContext[Any]") -> str:
    """Identify the client, over HTTP; over stdio there is only one."""
    headers: Any = getattr(ctx.request, "headers", None)
    return str(headers.get("mcp-session-id") or "") if headers is not None else ""


_LEVELS: dict[str, int] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "notice": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
    "critical": logging.CRITICAL,
    "alert": logging.CRITICAL,
    "emergency": logging.CRITICAL,
}
