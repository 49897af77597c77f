"""Run a web search: from the cache, or by the first engine that answers, within a rate limit."""

import asyncio
import logging
import os
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from toolpost.guard.strict_urls import AddressRefused
from toolpost.tools.define import RateLimit
from toolpost.tools.limits import ToolLimits
from toolpost.tools.throttle import RateLimiter, ResultCache
from toolpost.tools.web.settings import Depth, WebSettings
from toolpost.types.errors import ConfigError, ToolError

from .contract import EngineResults, SearchEngine, SearchHit
from .ddgs import Ddgs
from .results_text import write_results
from .searxng import SearXNG
from .tavily import Tavily

log = logging.getLogger("toolpost.tools")

MOST_QUERY_CHARACTERS = 400
PRESEARCH_SECONDS = 8.0


class SearchResults(Struct, frozen=True):
    """The hits, and the text of them that a model reads."""

    text: str
    hits: tuple[SearchHit, ...] = ()


class Search:
    """The searches of a workspace: its tool and its agents' presearch share cache and rate."""

    def __init__(self, providers: Sequence[SearchEngine], limits: ToolLimits) -> None:
        self._providers = providers
        self._limits = limits
        self._cache = ResultCache(limits.search_cache_seconds)
        self._limiter = RateLimiter(RateLimit(limits.searches_a_minute, 60.0))

    async def run(self, query: str, depth: Depth) -> str:
        """Return the results as text for a model; raises `ToolError` if no engine answers."""
        return (await self._results(query, depth)).text

    async def presearch(self, question: str) -> SearchResults | None:
        """Return quick results for a question, to put beside it; None where there are none in time."""
        words = " ".join(question.split())[:MOST_QUERY_CHARACTERS]
        if not words:
            return None
        try:
            async with asyncio.timeout(PRESEARCH_SECONDS):
                found = await self._results(words, "quick")
        except (ToolError, TimeoutError) as error:
            log.warning("presearch gave nothing: %s", error or f"no answer within {PRESEARCH_SECONDS:g} s")
            return None
        return found if found.hits else None

    async def _results(self, query: str, depth: Depth) -> SearchResults:
        query = " ".join(query.split())
        if not query or len(query) > MOST_QUERY_CHARACTERS:
            raise ToolError(f"give a query of 1 to {MOST_QUERY_CHARACTERS} characters", kind="invalid")
        key = f"{depth} {query.lower()}"
        results: SearchResults | None = self._cache.get(key)
        if results is None:
            await self._limiter.wait()
            found = await self._find(query, depth)
            results = SearchResults(write_results(query, found, self._limits.search_chars), found.hits)
            self._cache.put(key, results)
        return results

    async def _find(self, query: str, depth: Depth) -> EngineResults:
        count = self._limits.search_quick if depth == "quick" else self._limits.search_deep
        nothing: EngineResults | None = None
        failures: list[str] = []
        for provider in self._providers:
            try:
                found = await provider.search(query, count, deep=depth == "deep")
            except ToolError as error:
                failures.append(str(error))
                continue
            if found.hits:
                return found
            nothing = nothing or found
        if nothing is not None:
            return nothing
        raise ToolError("no search provider answered: " + "; ".join(failures))


def shared_search(settings: WebSettings, limits: ToolLimits) -> Search:
    """Return the search for the settings and the environment; the same one for the same settings."""
    return _shared_search(settings, limits, os.environ.get("TAVILY_API_KEY", "").strip())


@lru_cache(maxsize=8)
def _shared_search(settings: WebSettings, limits: ToolLimits, key: str) -> Search:
    return Search(_providers(settings, key), limits)


def _providers(settings: WebSettings, key: str) -> list[SearchEngine]:
    try:
        known: dict[str, SearchEngine] = {"tavily": Tavily(key, settings.tavily), "ddgs": Ddgs()}
        if settings.searxng:
            # What the user set up comes before what merely works.
            known = {"searxng": SearXNG(settings.searxng), **known}
    except AddressRefused as error:
        raise ConfigError(f"[web] searxng or tavily: {error}") from None
    if settings.search == "auto":
        return list(known.values())
    if settings.search not in known:
        raise ConfigError('[web] search = "searxng" needs the URL of an instance in [web] searxng')
    return [known[settings.search]]
