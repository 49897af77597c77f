"""Search with Tavily, with a key or in its keyless mode."""

from typing import Any, cast

from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.web.client import WebResponse
from toolpost.tools.web.settings import TAVILY, TAVILY_VARIABLE
from toolpost.types.errors import ToolError

from .contract import SearchAnswer, SearchRequest, read_hits
from .search_server import SearchServer, json_of, unreadable

_LIMITS = frozenset({429, 432, 433})
_SET_KEY = f"the user can set one with `toolpost config set-key {TAVILY}` or in {TAVILY_VARIABLE}"


class Tavily:
    name = "Tavily"

    def __init__(self, key: str = "", url: str = "https://api.tavily.com", dialer: Dialer = MACHINE) -> None:
        self._key = key
        self._server = SearchServer(url, dialer)

    async def search(self, request: SearchRequest) -> SearchAnswer:
        mode = {"authorization": f"Bearer {self._key}"} if self._key else {"x-tavily-access-mode": "keyless"}
        fetched = await self._server.post("/search", self._body(request), {**mode, "x-client-source": "toolpost"})
        answer = json_of(fetched)
        if fetched.status != 200 or "results" not in answer:
            raise self._refusal(fetched, answer)
        snippet = ("raw_content", "content") if request.raw_content else ("content",)
        hits = read_hits(answer["results"], request, snippet=snippet, date="published_date")
        return SearchAnswer(self.name, hits, str(answer.get("answer") or "") if request.deep else "")

    def _body(self, request: SearchRequest) -> dict[str, Any]:
        """The request as Tavily takes it; what is not asked for is left out."""
        # The deep search costs two credits; without a key there are few.
        depth = "advanced" if request.deep and self._key else "basic"
        asked: dict[str, Any] = {
            "topic": request.topic if request.topic != "general" else None,
            "time_range": request.time_range,
            "include_domains": request.include_domains,
            "exclude_domains": request.exclude_domains,
            "include_raw_content": "markdown" if request.raw_content else None,
        }
        return {
            "query": request.query,
            "max_results": request.count,
            "search_depth": depth,
            "include_answer": request.deep,
            **{name: value for name, value in asked.items() if value},
        }

    def _refusal(self, fetched: WebResponse, answer: dict[str, Any]) -> ToolError:
        said = _said(answer)
        if fetched.status == 401:
            return ToolError(f"Tavily does not know the key that is set{said}; {_SET_KEY}")
        if fetched.status in _LIMITS and not self._key:
            return ToolError(f"Tavily's keyless allowance is used up{said}; {_SET_KEY}")
        if fetched.status in _LIMITS:
            return ToolError(f"the limit of the Tavily plan is reached{said}; try again later")
        return (
            ToolError(f"Tavily answered with status {fetched.status}{said}") if said else unreadable("Tavily", fetched)
        )


def _said(answer: dict[str, Any]) -> str:
    """What the server says of its refusal: in `detail.error` with a key, in `error.message` without."""
    for outer, inner in (("detail", "error"), ("error", "message")):
        value = answer.get(outer)
        text = cast("dict[str, Any]", value).get(inner) if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            return f" ({' '.join(text.split())[:200]})"
    return ""
