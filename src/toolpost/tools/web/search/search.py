"""Search the web: from the cache, or with the first provider that answers, within a rate limit."""

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
from toolpost.tools.untrusted import untrusted
from toolpost.tools.web.settings import Depth, WebSettings
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.text import counted

from .providers import Ddgs, SearchAnswer, SearchEngine, SearchHit, SearXNG, Tavily

log = logging.getLogger("toolpost.tools")
MAX_QUERY_CHARACTERS = 400
PRESEARCH_SECONDS = 8.0
TITLE = 200
URL = 500
SUMMARY = 2_000
SMALLEST_SNIPPET = 80
ELLIPSIS = " …"


class SearchResults(Struct, frozen=True):
    """The search results, and all of them as the text that a model reads."""

    text: str
    hits: tuple[SearchHit, ...] = ()


class WebSearch:
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
        words = " ".join(question.split())[:MAX_QUERY_CHARACTERS]
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
        if not query or len(query) > MAX_QUERY_CHARACTERS:
            raise ToolError(f"give a query of 1 to {MAX_QUERY_CHARACTERS} characters", kind="invalid")
        key = f"{depth} {query.lower()}"
        results: SearchResults | None = self._cache.get(key)
        if results is None:
            await self._limiter.wait()
            found = await self._find(query, depth)
            results = SearchResults(write_found(query, found, self._limits.search_chars), found.hits)
            self._cache.put(key, results)
        return results

    async def _find(self, query: str, depth: Depth) -> SearchAnswer:
        count = self._limits.search_quick if depth == "quick" else self._limits.search_deep
        nothing: SearchAnswer | None = None
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


def shared_search(settings: WebSettings, limits: ToolLimits) -> WebSearch:
    """The search that the settings and the environment make possible; the same one for the same settings."""
    return _shared_search(settings, limits, os.environ.get("TAVILY_API_KEY", "").strip())


def write_found(query: str, found: SearchAnswer, most: int) -> str:
    """The results with their sources, at most `most` characters; what does not fit is shortened, and it is said."""
    source = f"{found.provider}, a web search"
    if not found.hits:
        return f"No results for {_line(query, TITLE)!r} ({found.provider}). Try other words."
    room = most
    while True:
        text, note = _write(query, found, room)
        marked = untrusted(text, source) + note
        if len(marked) <= most or room <= 0:
            return marked
        room -= len(marked) - most


@lru_cache(maxsize=8)
def _shared_search(settings: WebSettings, limits: ToolLimits, key: str) -> WebSearch:
    return WebSearch(_providers(settings, key), limits)


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


def _write(query: str, found: SearchAnswer, room: int) -> tuple[str, str]:
    summary = _line(found.summary, SUMMARY)
    head = f"Results for: {_line(query, TITLE)}\n" + (f"\nSummary: {summary}\n" if summary else "")
    tops = [_top(number, hit) for number, hit in enumerate(found.hits, 1) if len(hit.url) <= URL]
    snippets = [" ".join(hit.snippet.split()) for hit in found.hits if len(hit.url) <= URL]
    room -= len(head)
    while len(tops) > 1 and sum(map(len, tops)) + SMALLEST_SNIPPET * len(tops) > room:
        tops.pop()
    left = room - sum(map(len, tops))
    shown = _shorten(snippets[: len(tops)], left)
    text = head + "".join(f"{top}{snippet}\n" for top, snippet in zip(tops, shown, strict=True))
    return text, _note(len(found.hits) - len(tops), any(a != b for a, b in zip(shown, snippets, strict=False)))


def _top(number: int, hit: SearchHit) -> str:
    site = hit.url.partition("://")[2].partition("/")[0]
    date = f", {_line(hit.date, 40)}" if hit.date else ""
    return f"\n{number}. {_line(hit.title, TITLE) or site}\n{hit.url}\nSource: {site}{date}\n"


def _shorten(snippets: Sequence[str], room: int) -> list[str]:
    """Each snippet gets its fair share; what short ones leave over goes to the long ones."""
    share: dict[int, int] = {}
    left = max(0, room - len(snippets))  # each ends its line
    by_length = sorted(range(len(snippets)), key=lambda place: len(snippets[place]))
    for done, place in enumerate(by_length):
        share[place] = min(len(snippets[place]), left // (len(snippets) - done))
        left -= share[place]
    return [_line(text, share[place]) for place, text in enumerate(snippets)]


def _line(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[: max(0, most - len(ELLIPSIS))].rstrip() + ELLIPSIS[: max(0, most)]


def _note(dropped: int, shortened: bool) -> str:
    if not dropped and not shortened:
        return ""
    what = [f"{counted(dropped, 'result')} left out"] if dropped else []
    what += ["texts shortened"] if shortened else []
    return f"\n[Cut: {' and '.join(what)}. Use web_fetch on a URL to read the whole page.]"
