"""The search providers: their contract; SearXNG, Tavily, and `ddgs` without a key or a server."""

from typing import Any, Protocol, cast
from urllib.parse import urlencode

import msgspec
from msgspec import Struct

from toolpost.extras import missing_text
from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import parse_url
from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.threads import run_in_thread
from toolpost.tools.web.client import WebClient, WebRequest, WebResponse
from toolpost.types.errors import ToolError

_ANSWER_BYTES = 2_000_000
_SECONDS = 20.0
_LIMITS = frozenset({429, 432, 433})


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


class _SearchServer:
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
            limit=_ANSWER_BYTES,
            seconds=_SECONDS,
        )


def _json_of(fetched: WebResponse) -> dict[str, Any]:
    """The object in an answer; {} if there is no object."""
    try:
        value = msgspec.json.decode(fetched.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def _hits_of(results: Any, count: int, *, snippet: str, url: str = "url", date: str = "") -> tuple[SearchHit, ...]:
    """The first results that have a URL of the web, by the names that a provider gives to its fields."""
    hits: list[SearchHit] = []
    for item in cast("list[Any]", results) if isinstance(results, list) else []:
        row = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        where = str(row.get(url) or "")
        if where.startswith(("http://", "https://")):
            hits.append(SearchHit(*(str(row.get(name) or "") for name in ("title", url, snippet, date))))
    return tuple(hits[:count])


def _unreadable(name: str, fetched: WebResponse) -> ToolError:
    return ToolError(f"{name} answered with status {fetched.status} and nothing that can be read")


class SearXNG:
    name = "SearXNG"

    def __init__(self, url: str, dialer: Dialer = MACHINE) -> None:
        self._server = _SearchServer(url, dialer)

    async def search(self, query: str, count: int, *, deep: bool) -> SearchAnswer:
        fetched = await self._server.get(f"/search?{urlencode({'q': query, 'format': 'json'})}")
        answer = _json_of(fetched)
        if fetched.status == 403:
            hint = "the user can add json to search.formats in its settings.yml"
            raise ToolError(f"the SearXNG at {self._server.url} does not give JSON (status 403); {hint}")
        if fetched.status == 429:
            raise ToolError(f"the SearXNG at {self._server.url} limits searches (status 429); try again later")
        if fetched.status != 200 or "results" not in answer:
            raise _unreadable(f"the SearXNG at {self._server.url}", fetched)
        hits = _hits_of(answer["results"], count, snippet="content", date="publishedDate")
        if not hits and (silent := _silent(answer.get("unresponsive_engines"))):
            raise ToolError(f"no engine of the SearXNG at {self._server.url} answered ({silent})")
        return SearchAnswer(self.name, hits, _answers(answer.get("answers")) if deep else "")


class Ddgs:
    """`options` go to the package's own client; it makes its own connections, only ever to search engines."""

    name = "ddgs"

    def __init__(self, *, backend: str = "auto", **options: Any) -> None:
        self._backend = backend
        self._options = {"timeout": int(_SECONDS / 2), **options}

    async def search(self, query: str, count: int, *, deep: bool) -> SearchAnswer:
        return await run_in_thread(lambda: self._search(query, count))

    def _search(self, query: str, count: int) -> SearchAnswer:
        try:
            # An optional package that brings parsers and a TLS stack of its own.
            from ddgs import DDGS  # pyright: ignore[reportUnknownVariableType]
            from ddgs.exceptions import DDGSException
        except ImportError:
            raise ToolError(missing_text("search", "web search without a key")) from None
        try:
            client = cast("Any", DDGS)(**self._options)
            results = client.text(query, max_results=count, backend=self._backend)
        except DDGSException as error:
            if "No results" in str(error):
                return SearchAnswer(self.name)
            raise ToolError(f"the search engines did not answer ({str(error)[:200]}); try again in a minute") from None
        return SearchAnswer(self.name, _hits_of(results, count, snippet="body", url="href"))


class Tavily:
    name = "Tavily"

    def __init__(self, key: str = "", url: str = "https://api.tavily.com", dialer: Dialer = MACHINE) -> None:
        self._key = key
        self._server = _SearchServer(url, dialer)

    async def search(self, query: str, count: int, *, deep: bool) -> SearchAnswer:
        # The deep search costs two credits; without a key there are few.
        depth = "advanced" if deep and self._key else "basic"
        body = {"query": query, "max_results": count, "search_depth": depth, "include_answer": deep}
        mode = {"authorization": f"Bearer {self._key}"} if self._key else {"x-tavily-access-mode": "keyless"}
        fetched = await self._server.post("/search", body, {**mode, "x-client-source": "toolpost"})
        answer = _json_of(fetched)
        if fetched.status != 200 or "results" not in answer:
            raise self._refusal(fetched, answer)
        hits = _hits_of(answer["results"], count, snippet="content", date="published_date")
        return SearchAnswer(self.name, hits, str(answer.get("answer") or "") if deep else "")

    def _refusal(self, fetched: WebResponse, answer: dict[str, Any]) -> ToolError:
        said = _said(answer)
        if fetched.status == 401:
            return ToolError(f"Tavily does not know the key in TAVILY_API_KEY{said}; the user can set another one")
        if fetched.status in _LIMITS and not self._key:
            return ToolError(f"Tavily's keyless allowance is used up{said}; the user can set TAVILY_API_KEY")
        if fetched.status in _LIMITS:
            return ToolError(f"the limit of the Tavily plan is reached{said}; try again later")
        return (
            ToolError(f"Tavily answered with status {fetched.status}{said}") if said else _unreadable("Tavily", fetched)
        )


def _silent(engines: Any) -> str:
    """Engines come as pairs of a name and a reason."""
    listed = cast("list[Any]", engines) if isinstance(engines, list) else []
    named = (cast("list[Any]", pair) for pair in listed if isinstance(pair, list))
    return ", ".join(": ".join(map(str, pair)) for pair in named)[:300]


def _answers(answers: Any) -> str:
    """Older instances give texts, newer ones objects."""
    listed = cast("list[Any]", answers) if isinstance(answers, list) else []
    texts = [cast("dict[str, Any]", item).get("answer") if isinstance(item, dict) else item for item in listed]
    return "\n".join(text for text in texts if isinstance(text, str))


def _said(answer: dict[str, Any]) -> str:
    """What the server says of its refusal: in `detail.error` with a key, in `error.message` without."""
    for outer, inner in (("detail", "error"), ("error", "message")):
        value = answer.get(outer)
        text = cast("dict[str, Any]", value).get(inner) if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            return f" ({' '.join(text.split())[:200]})"
    return ""
