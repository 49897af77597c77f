"""Search without a key or a server: the package `ddgs`, which asks search engines as a browser does."""

from typing import Any, cast

from toolpost.extras import missing_text
from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

from .contract import SearchAnswer, SearchRequest, read_hits, with_sites
from .search_server import SECONDS


class Ddgs:
    """`options` go to the package's own client; it makes its own connections, only ever to search engines."""

    name = "ddgs"

    def __init__(self, *, backend: str = "auto", **options: Any) -> None:
        self._backend = backend
        self._options = {"timeout": int(SECONDS / 2), **options}

    async def search(self, request: SearchRequest) -> SearchAnswer:
        return await run_in_thread(lambda: self._search(request))

    def _search(self, request: SearchRequest) -> SearchAnswer:
        try:
            # An optional package that brings parsers and a TLS stack of its own.
            from ddgs import DDGS  # pyright: ignore[reportUnknownVariableType]
            from ddgs.exceptions import DDGSException
        except ImportError:
            raise ToolError(missing_text("search", "web search without a key")) from None
        given: dict[str, Any] = {"max_results": request.count, "backend": self._backend}
        if request.time_range:
            given["timelimit"] = request.time_range[0]
        try:
            client = cast("Any", DDGS)(**self._options)
            if request.topic == "news":
                results = client.news(with_sites(request), **given)
                return SearchAnswer(self.name, read_hits(results, request, snippet=("body",), date="date"))
            results = client.text(with_sites(request), **given)
        except DDGSException as error:
            if "No results" in str(error):
                return SearchAnswer(self.name)
            raise ToolError(f"the search engines did not answer ({str(error)[:200]}); try again in a minute") from None
        return SearchAnswer(self.name, read_hits(results, request, snippet=("body",), url="href"))
