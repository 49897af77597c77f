"""What a search provider is."""

from typing import Any, Protocol, cast

import msgspec
from msgspec import Struct

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import parse_url
from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.web.client import Fetched, WebClient, WebRequest
from toolpost.types.errors import ToolError

ANSWER_BYTES = 2_000_000
SECONDS = 20.0


class Hit(Struct, frozen=True):
    title: str
    url: str
    snippet: str = ""
    date: str = ""


class Found(Struct, frozen=True):
    """`summary` is the provider's own answer, where it gives one."""

    provider: str
    hits: tuple[Hit, ...] = ()
    summary: str = ""


class Provider(Protocol):
    """Raises `ToolError` and nothing else, with a text that says what the user or the model can do."""

    name: str

    async def search(self, query: str, count: int, *, deep: bool) -> Found: ...


class Service:
    """A provider's own server: the one host that the user chose, wherever it stands, and no other private one."""

    def __init__(self, url: str, dialer: Dialer = MACHINE) -> None:
        self.url = url.rstrip("/")
        target = parse_url(url)
        host = f"[{target.host}]" if ":" in target.host else target.host
        self._client = WebClient(Policy([f"{host}:{target.port}"]), dialer)

    async def get(self, path: str) -> Fetched:
        return await self._client.fetch(self._request(path, "GET"))

    async def post(self, path: str, value: Any, headers: dict[str, str]) -> Fetched:
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


def json_of(fetched: Fetched) -> dict[str, Any]:
    """The object in an answer; {} where there is none."""
    try:
        value = msgspec.json.decode(fetched.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def hits_of(results: Any, count: int, *, snippet: str, url: str = "url", date: str = "") -> tuple[Hit, ...]:
    """The first results that have a URL of the web, by the names that a provider gives to its fields."""
    hits: list[Hit] = []
    for item in cast("list[Any]", results) if isinstance(results, list) else []:
        row = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        where = str(row.get(url) or "")
        if where.startswith(("http://", "https://")):
            hits.append(Hit(*(str(row.get(name) or "") for name in ("title", url, snippet, date))))
    return tuple(hits[:count])


def unreadable(name: str, fetched: Fetched) -> ToolError:
    return ToolError(f"{name} answered with status {fetched.status} and nothing that can be read")
