"""The contract of search providers: a request, its results, and the domains that it is limited to."""

from collections.abc import Sequence
from typing import Any, Protocol, cast

from msgspec import Struct

from toolpost.tools.web.settings import TimeRange, Topic


class SearchRequest(Struct, frozen=True, kw_only=True):
    """`deep` asks for a summary and a thorough search, `raw_content` for the text of the pages, where a provider has
    them. A domain includes its subdomains."""

    query: str
    count: int
    deep: bool = False
    topic: Topic = "general"
    time_range: TimeRange | None = None
    include_domains: tuple[str, ...] = ()
    exclude_domains: tuple[str, ...] = ()
    raw_content: bool = False


class SearchHit(Struct, frozen=True):
    """`score` is the relevance that the provider gives it, in a measure of its own."""

    title: str
    url: str
    snippet: str = ""
    date: str = ""
    score: float | None = None


class SearchAnswer(Struct, frozen=True):
    """`summary` is the provider's own answer, where it gives one."""

    provider: str
    hits: tuple[SearchHit, ...] = ()
    summary: str = ""


class SearchEngine(Protocol):
    """Raises `ToolError` and nothing else, with a text that says what the user or the model can do."""

    name: str

    async def search(self, request: SearchRequest) -> SearchAnswer: ...


def read_hits(
    results: Any, request: SearchRequest, *, snippet: Sequence[str], url: str = "url", date: str = ""
) -> tuple[SearchHit, ...]:
    """The first results that have a URL of the web in the wanted domains, by the names that a provider gives to its
    fields. The first of `snippet` that has a text is the excerpt."""
    hits: list[SearchHit] = []
    for item in cast("list[Any]", results) if isinstance(results, list) else []:
        row = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
        where, score = str(row.get(url) or ""), row.get("score")
        if where.startswith(("http://", "https://")) and _is_wanted(where, request):
            text = next((str(row[name]) for name in snippet if row.get(name)), "")
            number = float(score) if isinstance(score, int | float) and not isinstance(score, bool) else None
            hits.append(SearchHit(str(row.get("title") or ""), where, text, str(row.get(date) or ""), number))
    return tuple(hits[: request.count])


def with_sites(request: SearchRequest) -> str:
    """The query with the operators that search engines know for domains. Some ignore them, so results are checked."""
    wanted = " OR ".join(f"site:{domain}" for domain in request.include_domains)
    if len(request.include_domains) > 1:
        wanted = f"({wanted})"
    return " ".join(
        [request.query, *([wanted] if wanted else []), *(f"-site:{one}" for one in request.exclude_domains)]
    )


def is_within(host: str, domains: Sequence[str]) -> bool:
    """True if a host is one of the domains, or below one."""
    return any(host == domain or host.endswith(f".{domain}") for domain in domains)


def host_of(url: str) -> str:
    """The host of a URL, without user, port and capitals."""
    place = url.partition("://")[2].partition("/")[0].partition("?")[0].rpartition("@")[2]
    return place.partition(":")[0].lower().rstrip(".")


def _is_wanted(url: str, request: SearchRequest) -> bool:
    host = host_of(url)
    if request.include_domains and not is_within(host, request.include_domains):
        return False
    return not is_within(host, request.exclude_domains)
