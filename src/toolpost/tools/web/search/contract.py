"""The contract of a web search provider, and what providers share."""

from typing import Any, Protocol, cast

import msgspec
from msgspec import Struct

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import parse_url
from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.web.client import WebClient, WebRequest, WebResponse
from toolpost.types.errors import ToolError

ANSWER_BYTES = 2_000_000
SECONDS = 20.0


class SearchHit(Struct, frozen=True):
    title: str
    url: str
    snippet: str = ""
    date: str = ""


class SearchAnswer(Struct, frozen=True):
    """`summary` is the provider's own answer, where it gives one."""

    provider: str
    hits: tuple[SearchHit, ...] = ()
    summary: str = ""


class SearchEngine(Protocol):
    """Raises `ToolError` and nothing else, with a text that says what the user or the model can do."""

    name: str

    async def search(self, query: str, count: int, *, deep: bool) -> SearchAnswer: ...


class SearchServer:
    """The server of an engine: it may be private, since the user chose it, but no other private host is reached."""

    def __init__(self, url: str, dialer: Dialer = MACHINE) -> None:
        self.url = url.rstrip("/")
        target = parse_url(url)
        host = f"[{target.host}]" if ":" in target.host else target.host
        self._client = WebClient(Policy([f"{host}:{target.port}"]), dialer)

    async def get(self, path: str) -> WebResponse:
        return await self._client.fetch(self._request(path, "GET"))

    async def post(self, path: str, value: Any, headers: dict[str, str]) -> WebResponse:
        body = msgspec.json.encode(value)
        return await self._client.fetch(
            self._request(path, "POST", body, {"content-type": "application/json", **headers})
        )

    def _request(self, path: str, method: str, body: bytes = b"", headers: dict[str, str] | None = None) -> WebRequest:
        return WebRequest(
            url=self.url + path,
            method=method,
            body=body,
            headers={"accept": "application/json", **(headers or {})},
            limit=ANSWER_BYTES,
            seconds=SECONDS,
        )


def json_of(fetched: WebResponse) -> dict[str, Any]:
    """The object in an answer; {} if there is no object."""
    try:
        value = msgspec.json.decode(fetched.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def hits_of(results: Any, count: int, *, snippet: str, url: str = "url", date: str = "") -> tuple[SearchHit, ...]:
    """The first results that have a URL of the web, by the names that a provider gives to its fields."""
    hits: list[SearchHit] = []
    for item in cast("list[Any]", results) if isinstance(results, list) else []:
        row = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        where = str(row.get(url) or "")
        if where.startswith(("http://", "https://")):
            hits.append(SearchHit(*(str(row.get(name) or "") for name in ("title", url, snippet, date))))
    return tuple(hits[:count])


def unreadable(name: str, fetched: WebResponse) -> ToolError:
    return ToolError(f"{name} answered with status {fetched.status} and nothing that can be read")
