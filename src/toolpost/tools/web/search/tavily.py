"""Search with Tavily, with a key or without: its keyless mode has a small allowance for each address."""

from typing import Any, cast

from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.web.client import WebResponse
from toolpost.types.errors import ToolError

from .contract import EngineResults, SearchServer, hits_of, json_of, unreadable

_LIMITS = frozenset({429, 432, 433})


class Tavily:
    name = "Tavily"

    def __init__(self, key: str = "", url: str = "https://api.tavily.com", dialer: Dialer = MACHINE) -> None:
        self._key = key
        self._server = SearchServer(url, dialer)

    async def search(self, query: str, count: int, *, deep: bool) -> EngineResults:
        # The deep search costs two credits; without a key there are few.
        depth = "advanced" if deep and self._key else "basic"
        body = {"query": query, "max_results": count, "search_depth": depth, "include_answer": deep}
        mode = {"authorization": f"Bearer {self._key}"} if self._key else {"x-tavily-access-mode": "keyless"}
        fetched = await self._server.post("/search", body, {**mode, "x-client-source": "toolpost"})
        answer = json_of(fetched)
        if fetched.status != 200 or "results" not in answer:
            raise self._refusal(fetched, answer)
        hits = hits_of(answer["results"], count, snippet="content", date="published_date")
        return EngineResults(self.name, hits, str(answer.get("answer") or "") if deep else "")

    def _refusal(self, fetched: WebResponse, answer: dict[str, Any]) -> ToolError:
        said = _said(answer)
        if fetched.status == 401:
            return ToolError(f"Tavily does not know the key in TAVILY_API_KEY{said}; the user can set another one")
        if fetched.status in _LIMITS and not self._key:
            return ToolError(f"Tavily's keyless allowance is used up{said}; the user can set TAVILY_API_KEY")
        if fetched.status in _LIMITS:
            return ToolError(f"the limit of the Tavily plan is reached{said}; try again later")
        return (
            ToolError(f"Tavily answered with status {fetched.status}{said}") if said else unreadable("Tavily", fetched)
        )


def _said(answer: dict[str, Any]) -> str:
    """Return the server's reason: in `detail.error` with a key, in `error.message` without."""
    for outer, inner in (("detail", "error"), ("error", "message")):
        value = answer.get(outer)
        text = cast("dict[str, Any]", value).get(inner) if isinstance(value, dict) else value
        if isinstance(text, str) and text:
            return f" ({' '.join(text.split())[:200]})"
    return ""
