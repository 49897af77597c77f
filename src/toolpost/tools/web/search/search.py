"""Search the web: from the cache, or with the first provider that answers, within a rate limit."""

import asyncio
import hashlib
import logging
import re
import time
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct, structs

from toolpost.guard.strict_urls import AddressRefused
from toolpost.tools.define import RateLimit
from toolpost.tools.limits import ToolLimits
from toolpost.tools.shared_cache import SharedCache
from toolpost.tools.threads import run_in_thread
from toolpost.tools.throttle import RateLimiter, ResultCache
from toolpost.tools.web.settings import TAVILY, TAVILY_VARIABLE, Depth, Provider, TimeRange, Topic, WebSettings
from toolpost.tools.workbench import FindKey
from toolpost.types.errors import ConfigError, ToolError

from .contract import SearchAnswer, SearchEngine, SearchHit, SearchRequest, is_within
from .ddgs import Ddgs
from .searxng import SearXNG
from .tavily import Tavily
from .wording import words_for, write_found

log = logging.getLogger("toolpost.tools")
MAX_QUERY_CHARACTERS = 400
MAX_DOMAINS = 20
PRESEARCH_SECONDS = 8.0
# A provider that took so long to fail, because it can't be reached from here say, is asked last for a while.
SLOW_SECONDS = 3.0
REST_SECONDS = 120.0
_DOMAIN = re.compile(r"(?:[a-z0-9_-]{1,63}\.)*[a-z0-9-]{1,63}")


class SearchResults(Struct, frozen=True):
    """The search results, and all of them as the text that a model reads. `failures` are of providers that were asked
    before."""

    text: str
    answer: SearchAnswer
    failures: tuple[str, ...] = ()

    @property
    def hits(self) -> tuple[SearchHit, ...]:
        return self.answer.hits

    @property
    def details(self) -> dict[str, Any]:
        """What people are shown: the results without their excerpts."""
        results = [
            {"title": hit.title, "url": hit.url, "date": hit.date, "score": hit.score} for hit in self.answer.hits
        ]
        return {"provider": self.answer.provider, "results": results, "failures": list(self.failures)}


class WebSearch:
    """The searches of a workspace: its tool and its agents' presearch share cache and rate. `choose` gives the
    providers, in the order in which they are asked; other processes may share the cache in `shared`."""

    def __init__(
        self, choose: Callable[[], Sequence[SearchEngine]], limits: ToolLimits, shared: SharedCache | None = None
    ) -> None:
        self._choose = choose
        self._limits = limits
        self._shared = shared
        self._cache = ResultCache(limits.search_cache_seconds)
        self._limiter = RateLimiter(RateLimit(limits.searches_a_minute, 60.0))
        # Providers that failed slowly: until when they are asked last, and why.
        self._resting: dict[str, tuple[float, str]] = {}

    async def run(self, request: SearchRequest, tell: Callable[[str], object] = lambda text: None) -> SearchResults:
        """Search; raises `ToolError` if no provider answers. Whoever has to wait for the rate limit is told."""
        key = _key_of(request)
        answer = self._cache.get(key) or await self._from_shared(key)
        failures: list[str] = []
        if answer is None:
            await self._limiter.wait(lambda seconds: tell(self._waiting(request.query, seconds)))
            answer = await self._find(request, failures)
            self._keep_shared(key, answer)
        self._cache.put(key, answer)
        text = write_found(request.query, answer, self._limits.search_chars, failures)
        return SearchResults(text, answer, tuple(failures))

    async def presearch(self, request: SearchRequest) -> SearchResults | None:
        """Return results for a question, to put beside it; None where there are none in time."""
        try:
            async with asyncio.timeout(PRESEARCH_SECONDS):
                found = await self.run(request)
        except (ToolError, TimeoutError) as error:
            log.warning("presearch gave nothing: %s", error or f"no answer within {PRESEARCH_SECONDS:g} s")
            return None
        return found if found.hits else None

    async def _find(self, request: SearchRequest, failures: list[str]) -> SearchAnswer:
        """Ask one provider after the other. Why one gave nothing is added to `failures`."""
        nothing: SearchAnswer | None = None
        providers = await run_in_thread(self._choose)
        resting = {one.name: why for one in providers if (why := self._why_resting(one.name))}
        for provider in sorted(providers, key=lambda one: one.name in resting):
            began, earlier = time.monotonic(), resting.pop(provider.name, None)
            try:
                found = await provider.search(request)
            except ToolError as error:
                log.warning("web search: %s", error)
                failures.append(str(error))
                if time.monotonic() - began >= SLOW_SECONDS or earlier is not None:
                    self._resting[provider.name] = time.monotonic() + REST_SECONDS, str(error)
                continue
            self._resting.pop(provider.name, None)
            if found.hits:
                failures += resting.values()
                return found
            nothing = nothing or found
        if nothing is not None:
            return nothing
        raise ToolError("no search provider answered: " + "; ".join(failures))

    def _why_resting(self, name: str) -> str:
        """Why a provider is asked last, if it is."""
        until, why = self._resting.get(name, (0.0, ""))
        return why if time.monotonic() < until else ""

    async def _from_shared(self, key: str) -> SearchAnswer | None:
        data = await self._shared.get(key) if self._shared is not None else None
        try:
            return None if data is None else msgspec.msgpack.decode(data, type=SearchAnswer)
        except msgspec.MsgspecError:
            # Another version of Toolpost kept it.
            return None

    def _keep_shared(self, key: str, answer: SearchAnswer) -> None:
        if self._shared is not None:
            self._shared.put(key, msgspec.msgpack.encode(answer), self._limits.search_cache_seconds)

    def _waiting(self, query: str, seconds: float) -> str:
        searches = self._limits.searches_a_minute
        return words_for(query).waiting.format(searches=searches, seconds=max(1, round(seconds))) + "\n"


def make_request(
    settings: WebSettings,
    limits: ToolLimits,
    query: str,
    *,
    depth: Depth | None = None,
    topic: Topic | None = None,
    time_range: TimeRange | None = None,
    include_domains: Sequence[str] = (),
    exclude_domains: Sequence[str] = (),
    raw_content: bool | None = None,
) -> SearchRequest:
    """A request with what the settings say where it says nothing itself; raises `ToolError` for one that can't be."""
    words = " ".join(query.split())
    if not words or len(words) > MAX_QUERY_CHARACTERS:
        raise ToolError(f"give a query of 1 to {MAX_QUERY_CHARACTERS} characters", kind="invalid")
    is_deep = (depth or settings.depth) == "deep"
    return SearchRequest(
        query=words,
        count=limits.search_deep if is_deep else limits.search_quick,
        deep=is_deep,
        topic=topic or settings.topic,
        time_range=time_range or settings.time_range or None,
        include_domains=_included(settings, include_domains),
        exclude_domains=_domains((*settings.exclude_domains, *exclude_domains)),
        raw_content=settings.raw_content if raw_content is None else raw_content,
    )


def shared_search(
    settings: WebSettings, limits: ToolLimits, find_key: FindKey, shared: SharedCache | None = None
) -> WebSearch:
    """The search that the settings and a key make possible; the same one for the same settings."""
    return _shared_search(settings, limits, find_key, shared)


@lru_cache(maxsize=8)
def _shared_search(
    settings: WebSettings, limits: ToolLimits, find_key: FindKey, shared: SharedCache | None
) -> WebSearch:
    try:
        _domains((*settings.include_domains, *settings.exclude_domains))
    except ToolError as error:
        raise ConfigError(f"[web] include_domains or exclude_domains: {error}") from None
    _providers(settings, "")
    return WebSearch(lambda: _providers(settings, find_key(TAVILY, TAVILY_VARIABLE)), limits, shared)


def _providers(settings: WebSettings, key: str) -> list[SearchEngine]:
    try:
        known: dict[Provider, SearchEngine] = {"tavily": Tavily(key, settings.tavily), "ddgs": Ddgs()}
        if settings.searxng:
            known["searxng"] = SearXNG(settings.searxng)
    except AddressRefused as error:
        raise ConfigError(f"[web] searxng or tavily: {error}") from None
    return [known[name] for name in provider_order(settings, has_key=bool(key))]


def provider_order(settings: WebSettings, *, has_key: bool) -> tuple[Provider, ...]:
    """The providers to ask, in this order. An instance of the user's own comes before Tavily without a key, which has
    a small allowance and would be sent every query."""
    if settings.search == "auto":
        own: tuple[Provider, ...] = ("searxng",) if settings.searxng else ()
        return ("tavily", *own, "ddgs") if has_key else (*own, "tavily", "ddgs")
    chosen: tuple[Provider, ...] = (settings.search,) if isinstance(settings.search, str) else settings.search
    if not chosen:
        raise ConfigError('[web] search names no provider; write "auto", or some of "tavily", "searxng" and "ddgs"')
    if "searxng" in chosen and not settings.searxng:
        raise ConfigError('[web] search = "searxng" needs the URL of an instance in [web] searxng')
    return tuple(dict.fromkeys(chosen))


def _included(settings: WebSettings, wanted: Sequence[str]) -> tuple[str, ...]:
    """The domains to search: those of a call, as far as the settings allow them."""
    allowed, named = _domains(settings.include_domains), _domains(wanted)
    if not allowed or not named:
        return allowed or named
    within = tuple(one for one in named if is_within(one, allowed))
    if not within:
        raise ToolError(f"searches are limited to these domains: {', '.join(allowed)}", kind="invalid")
    return within


def _domains(given: Sequence[str]) -> tuple[str, ...]:
    """Domains as models and people write them, such as `https://www.example.org/`, without what is not a domain."""
    found: list[str] = []
    for one in given:
        domain = one.strip().lower().partition("://")[2] or one.strip().lower()
        domain = domain.partition("/")[0].removeprefix("*.").strip(".")
        try:
            domain = domain.encode("idna").decode() if not domain.isascii() else domain
        except UnicodeError:
            domain = ""
        if not _DOMAIN.fullmatch(domain):
            raise ToolError(f"{one!r} is not a domain; write it as in example.org", kind="invalid")
        found.append(domain)
    if len(found) > MAX_DOMAINS:
        raise ToolError(f"{len(found)} domains are too many; give {MAX_DOMAINS} at most", kind="invalid")
    return tuple(dict.fromkeys(found))


def _key_of(request: SearchRequest) -> str:
    """The key of a request in the cache, which tells nobody what was searched."""
    same = structs.replace(request, query=request.query.lower())
    return hashlib.sha256(msgspec.msgpack.encode(same)).hexdigest()
