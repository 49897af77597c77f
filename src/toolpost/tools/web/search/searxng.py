"""Search with an instance of SearXNG."""

from typing import Any, cast
from urllib.parse import urlencode

from toolpost.net.dial import MACHINE, Dialer
from toolpost.types.errors import ToolError

from .contract import SearchAnswer, SearchRequest, read_hits, with_sites
from .search_server import SearchServer, json_of, unreadable


class SearXNG:
    name = "SearXNG"

    def __init__(self, url: str, dialer: Dialer = MACHINE) -> None:
        self._server = SearchServer(url, dialer)

    async def search(self, request: SearchRequest) -> SearchAnswer:
        given = {"q": with_sites(request), "format": "json"}
        if request.topic == "news":
            given["categories"] = "news"
        if request.time_range:
            given["time_range"] = request.time_range
        fetched = await self._server.get(f"/search?{urlencode(given)}")
        answer = json_of(fetched)
        if fetched.status == 403:
            hint = "the user can add json to search.formats in its settings.yml"
            raise ToolError(f"the SearXNG at {self._server.url} does not give JSON (status 403); {hint}")
        if fetched.status == 429:
            raise ToolError(f"the SearXNG at {self._server.url} limits searches (status 429); try again later")
        if fetched.status != 200 or "results" not in answer:
            raise unreadable(f"the SearXNG at {self._server.url}", fetched)
        hits = read_hits(answer["results"], request, snippet=("content",), date="publishedDate")
        if not hits and (silent := _silent(answer.get("unresponsive_engines"))):
            raise ToolError(f"no engine of the SearXNG at {self._server.url} answered ({silent})")
        return SearchAnswer(self.name, hits, _answers(answer.get("answers")) if request.deep else "")


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
