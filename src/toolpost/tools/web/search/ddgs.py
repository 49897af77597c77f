"""Search without a key or a server, by the package `ddgs`: it reads the pages of search engines as a browser would."""

from typing import Any, cast

from toolpost.tools.threads import run_in_thread
from toolpost.types.errors import ToolError

from .contract import SECONDS, EngineResults, hits_of


class Ddgs:
    """`options` go to the package's own client; it makes its own connections, only ever to search engines."""

    name = "ddgs"

    def __init__(self, *, backend: str = "auto", **options: Any) -> None:
        self._backend = backend
        self._options = {"timeout": int(SECONDS / 2), **options}

    async def search(self, query: str, count: int, *, deep: bool) -> EngineResults:
        return await run_in_thread(lambda: self._search(query, count))

    def _search(self, query: str, count: int) -> EngineResults:
        try:
            # An optional package that brings parsers and a TLS stack of its own.
            from ddgs import DDGS  # pyright: ignore[reportUnknownVariableType]
            from ddgs.exceptions import DDGSException
        except ImportError:
            text = "search without a key needs a package that is not installed"
            raise ToolError(f"{text}: the user can run `pip install 'toolpost[search]'`") from None
        try:
            client = cast("Any", DDGS)(**self._options)
            results = client.text(query, max_results=count, backend=self._backend)
        except DDGSException as error:
            if "No results" in str(error):
                return EngineResults(self.name)
            raise ToolError(f"the search engines did not answer ({str(error)[:200]}); try again in a minute") from None
        return EngineResults(self.name, hits_of(results, count, snippet="body", url="href"))
