"""The tool `web_search` over scripted servers that speak the providers' own JSON, and over the real ddgs package."""

import asyncio
import json
import os
import re
import ssl
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from web_world import Peer, Script, Server, answer, context, redirect, saying, serving

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import web_search
from toolpost.tools.define import Tool
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.web.search.contract import SearchAnswer, SearchEngine, SearchHit, SearchRequest
from toolpost.tools.web.search.ddgs import Ddgs
from toolpost.tools.web.search.search import WebSearch, make_request
from toolpost.tools.web.search.searxng import SearXNG
from toolpost.tools.web.search.tavily import Tavily
from toolpost.tools.web.search.wording import write_found
from toolpost.tools.web.settings import WebSettings
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ConfigError, ToolError


@pytest.fixture(autouse=True)
def _no_proxy_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name == "TAVILY_API_KEY":
            monkeypatch.delenv(name)


def tavily_results(count: int) -> dict[str, Any]:
    results = [
        {
            "title": f"Title {place}",
            "url": f"https://site{place}.example.org/page",
            "content": f"Snippet {place}",
            "score": 0.9,
            "raw_content": None,
        }
        for place in range(count)
    ]
    return {
        "query": "q",
        "follow_up_questions": None,
        "answer": "The summary.",
        "images": [],
        "results": results,
        "response_time": 0.4,
        "request_id": "x",
    }


def as_json(value: Any, status: str = "200 OK") -> bytes:
    return answer(json.dumps(value), "application/json", status)


@asynccontextmanager
async def tavily(*answers: bytes, key: str = "tvly-secret") -> AsyncIterator[tuple[Tavily, Server]]:
    async with serving(saying(*answers)) as server:
        yield Tavily(key, f"http://127.0.0.1:{server.port}"), server


@asynccontextmanager
async def searxng(*answers: bytes) -> AsyncIterator[tuple[SearXNG, Server]]:
    async with serving(saying(*answers)) as server:
        yield SearXNG(f"http://127.0.0.1:{server.port}/"), server


async def test_tavily_is_asked_with_the_key_and_its_results_are_read() -> None:
    async with tavily(as_json(tavily_results(12))) as (provider, server):
        found = await provider.search(SearchRequest(query="what is new", count=10, deep=True))
    peer = server.peers[0]
    assert peer.head.startswith(b"POST /search HTTP/1.1\r\n")
    assert b"\r\nauthorization: Bearer tvly-secret\r\n" in peer.head
    assert b"keyless" not in peer.head
    assert json.loads(peer.body) == {
        "query": "what is new",
        "max_results": 10,
        "search_depth": "advanced",
        "include_answer": True,
    }
    assert len(found.hits) == 10
    assert found.hits[0] == SearchHit("Title 0", "https://site0.example.org/page", "Snippet 0", "", 0.9)
    assert found.summary == "The summary."


async def test_tavily_is_asked_without_a_key_in_its_keyless_mode() -> None:
    async with tavily(as_json(tavily_results(3)), key="") as (provider, server):
        found = await provider.search(SearchRequest(query="q", count=3))
    head = server.peers[0].head
    assert b"\r\nx-tavily-access-mode: keyless\r\n" in head
    assert b"authorization" not in head.lower()
    assert json.loads(server.peers[0].body)["search_depth"] == "basic"
    assert (len(found.hits), found.summary) == (3, "")


@pytest.mark.parametrize(
    ("key", "status", "body", "said"),
    [
        (
            "k",
            "401 Unauthorized",
            {"detail": {"error": "Unauthorized: missing or invalid API key."}},
            "invalid API.*set-key tavily.*TAVILY_API_KEY",
        ),
        ("k", "429 Too Many Requests", {"detail": {"error": "Too fast"}}, "limit of the Tavily plan.*Too fast"),
        ("k", "432 Plan", {"detail": {"error": "Over plan"}}, "Over plan"),
        (
            "",
            "429 Too Many",
            {"error": {"code": "limit", "message": "Daily limit", "window": "day"}},
            "allowance.*Daily limit.*TAVILY_API_KEY",
        ),
        ("k", "400 Bad Request", {"detail": {"error": "Query is too long"}}, "status 400.*too long"),
        ("k", "400 Bad Request", {"detail": [{"msg": "x"}]}, "status 400"),
        ("k", "200 OK", [1, 2], "status 200 and nothing that can be read"),
        ("k", "502 Bad Gateway", "x", "status 502"),
    ],
)
async def test_a_refusal_of_tavily_says_what_to_do(key: str, status: str, body: Any, said: str) -> None:
    async with tavily(as_json(body, status), key=key) as (provider, _):
        with pytest.raises(ToolError, match=said) as caught:
            await provider.search(SearchRequest(query="q", count=3))
    assert "tvly" not in str(caught.value)


async def test_the_key_does_not_follow_a_redirect() -> None:
    async with serving(saying(as_json(tavily_results(1)))) as elsewhere:
        location = f"http://127.0.0.1:{elsewhere.port}/search"
        async with tavily(redirect(location, "307 Temporary Redirect")) as (provider, _):
            with pytest.raises(ToolError, match="redirects"):
                await provider.search(SearchRequest(query="q", count=3))
        assert elsewhere.peers == []


SEARXNG = {
    "query": "q",
    "number_of_results": 0,
    "results": [
        {
            "url": "https://a.example.org/",
            "title": "A",
            "content": "About a",
            "engine": "x",
            "publishedDate": "2026-01-02T00:00:00",
        },
        {"url": "magnet:?xt=1", "title": "no page", "content": ""},
        {"url": "https://b.example.org/", "title": "B", "content": None, "engines": ["x"], "publishedDate": None},
        "nonsense",
    ],
    "answers": ["Plain answer", {"answer": "Newer answer", "url": "https://a.example.org/"}],
    "corrections": [],
    "infoboxes": [],
    "suggestions": [],
    "unresponsive_engines": [["google", "CAPTCHA"]],
}


async def test_searxng_is_asked_for_json_and_its_results_are_read() -> None:
    async with searxng(as_json(SEARXNG)) as (provider, server):
        found = await provider.search(SearchRequest(query="a & b ü", count=10, deep=True))
    target = urlsplit(server.peers[0].head.split(b" ")[1].decode())
    assert target.path == "/search"
    assert parse_qs(target.query) == {"q": ["a & b ü"], "format": ["json"]}
    assert found.hits == (
        SearchHit("A", "https://a.example.org/", "About a", "2026-01-02T00:00:00"),
        SearchHit("B", "https://b.example.org/"),
    )
    assert found.summary == "Plain answer\nNewer answer"


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (answer("Forbidden", "text/html", "403 Forbidden"), "search.formats"),
        (answer("slow", "text/html", "429 Too Many Requests"), "limits searches"),
        (answer("<html>hello", "text/html"), "nothing that can be read"),
        (as_json({**SEARXNG, "results": []}), "google: CAPTCHA"),
    ],
)
async def test_a_refusal_of_searxng_says_what_to_do(reply: bytes, said: str) -> None:
    async with searxng(reply) as (provider, _):
        with pytest.raises(ToolError, match=said):
            await provider.search(SearchRequest(query="q", count=3))


async def test_a_search_server_cannot_lead_to_another_private_host() -> None:
    async with serving(saying(as_json(SEARXNG))) as inside:
        async with searxng(redirect(f"http://127.0.0.1:{inside.port}/search")) as (provider, _):
            with pytest.raises(ToolError, match="is not allowed"):
                await provider.search(SearchRequest(query="q", count=3))
        assert inside.peers == []


RESULTS_PAGE = """<html><body><div class="result body"><h2><a href="#">The title</a></h2>
<a href="https://found.example.org/x">The snippet of the page</a></div></body></html>"""


@pytest.fixture(scope="module")
def tls(tmp_path_factory: pytest.TempPathFactory) -> ssl.SSLContext:
    folder = tmp_path_factory.mktemp("tls")
    key, cert = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=engine"]
    subprocess.run([*command, "-keyout", key, "-out", cert], check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(cert, key)
    context.set_alpn_protocols(["http/1.1"])
    return context


def engine(tls: ssl.SSLContext, reply: bytes) -> Script:
    """A proxy that answers for every search engine itself."""

    async def script(peer: Peer) -> None:
        assert (await peer.take()).startswith(b"CONNECT html.duckduckgo.com:443")
        await peer.send(b"HTTP/1.1 200 OK\r\n\r\n")
        await peer.writer.start_tls(tls)
        await peer.take()
        await peer.send(reply)

    return script


async def test_the_real_ddgs_package_is_read(tls: ssl.SSLContext) -> None:
    pytest.importorskip("ddgs")
    async with serving(engine(tls, answer(RESULTS_PAGE, "text/html"))) as server:
        provider = Ddgs(backend="duckduckgo", proxy=f"http://127.0.0.1:{server.port}", verify=False)
        found = await provider.search(SearchRequest(query="anything", count=3))
    assert found.hits == (SearchHit("The title", "https://found.example.org/x", "The snippet of the page"),)
    assert b"anything" in server.peers[0].body


@pytest.mark.parametrize("status", ["200 OK", "429 Too Many Requests"])
async def test_ddgs_without_results_is_no_crash(tls: ssl.SSLContext, status: str) -> None:
    pytest.importorskip("ddgs")
    async with serving(engine(tls, answer("<html><body></body></html>", "text/html", status))) as server:
        provider = Ddgs(backend="duckduckgo", proxy=f"http://127.0.0.1:{server.port}", verify=False)
        assert (await provider.search(SearchRequest(query="q", count=3))).hits == ()


async def test_ddgs_that_cannot_connect_is_a_clear_error() -> None:
    pytest.importorskip("ddgs")
    async with serving(saying(b"HTTP/1.1 403 Forbidden\r\n\r\n")) as server:
        provider = Ddgs(backend="duckduckgo", proxy=f"http://127.0.0.1:{server.port}", verify=False)
        with pytest.raises(ToolError, match="did not answer"):
            await provider.search(SearchRequest(query="q", count=3))


async def test_without_the_package_it_is_said_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ddgs", None)
    with pytest.raises(ToolError, match=r"toolpost\[search\]"):
        await Ddgs().search(SearchRequest(query="q", count=3))


class Scripted:
    """A provider whose answers a test decides."""

    def __init__(self, name: str, *answers: SearchAnswer | ToolError) -> None:
        self.name = name
        self.asked: list[SearchRequest] = []
        self._answers = list(answers)

    async def search(self, request: SearchRequest) -> SearchAnswer:
        self.asked.append(request)
        given = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(given, ToolError):
            raise given
        return given


FOUND = SearchAnswer("one", (SearchHit("T", "https://a.example.org/", "S"),), "All in all.")


def searching(*providers: SearchEngine, **limits: Any) -> WebSearch:
    return WebSearch(lambda: providers, ToolLimits(**limits))


def asking(query: str, **given: Any) -> SearchRequest:
    return make_request(WebSettings(), ToolLimits(), query, **given)


def test_quick_asks_for_three_and_deep_for_ten() -> None:
    quick, deep = asking("q", depth="quick"), asking("q", depth="deep")
    assert [(one.count, one.deep) for one in (quick, deep)] == [(3, False), (10, True)]


async def test_the_next_provider_is_asked_where_one_fails_or_finds_nothing() -> None:
    providers = [Scripted("a", ToolError("a is down")), Scripted("b", SearchAnswer("b")), Scripted("c", FOUND)]
    found = await searching(*providers).run(asking("q"))
    assert "https://a.example.org/" in found.text
    assert found.text.endswith("[Note: these results are from one, because others failed: a is down]")
    assert found.details["failures"] == ["a is down"]
    nothing = await searching(*providers[:2]).run(asking("q"))
    assert nothing.text == "No results for 'q' (b). Try other words.\n[Note: others failed: a is down]"
    with pytest.raises(ToolError, match="no search provider answered: a is down; also down"):
        await searching(providers[0], Scripted("d", ToolError("also down"))).run(asking("q"))


async def test_a_provider_that_fails_slowly_is_asked_last_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("toolpost.tools.web.search.search.SLOW_SECONDS", 0.0)
    slow, other = Scripted("slow", ToolError("slow can't be reached")), Scripted("other", FOUND)
    search = searching(slow, other)
    for query in ("first", "second"):
        found = await search.run(asking(query))
        assert found.failures == ("slow can't be reached",)
    assert [one.query for one in slow.asked] == ["first"]
    # It is asked again where nobody else knows anything.
    failing = Scripted("other", SearchAnswer("other"))
    search = searching(Scripted("slow", ToolError("down"), FOUND), failing)
    assert (await search.run(asking("first"))).hits == ()
    assert (await search.run(asking("second"))).hits == FOUND.hits


async def test_the_same_search_is_answered_from_memory_and_a_failure_is_not() -> None:
    provider = Scripted("one", ToolError("down"), FOUND)
    search = searching(provider)
    with pytest.raises(ToolError):
        await search.run(asking("q"))
    first = await search.run(asking("Some  Query"))
    again = await search.run(asking("some query "))
    assert again.answer == first.answer
    assert len(provider.asked) == 2
    await search.run(asking("some query", topic="news"))
    assert len(provider.asked) == 3


async def test_searches_over_the_rate_wait() -> None:
    provider = Scripted("one", FOUND)
    search = searching(provider, searches_a_minute=2)
    told: asyncio.Queue[str] = asyncio.Queue()
    await search.run(asking("a"), told.put_nowait)
    await search.run(asking("b"), told.put_nowait)
    third = asyncio.create_task(search.run(asking("天气"), told.put_nowait))
    await search.run(asking("a"), told.put_nowait)
    assert re.fullmatch("一分钟内已搜索 2 次，达到上限：等待 (59|60) 秒。\n", await told.get())
    assert told.empty()
    assert not third.done()
    assert len(provider.asked) == 2
    third.cancel()
    await asyncio.gather(third, return_exceptions=True)


@pytest.mark.parametrize("query", ["", "  \n", "x" * 401])
def test_a_query_that_is_none_is_refused(query: str) -> None:
    with pytest.raises(ToolError, match="1 to 400"):
        asking(query)


async def test_presearch_gives_quick_results_or_nothing(caplog: pytest.LogCaptureFixture) -> None:
    provider = Scripted("one", FOUND)
    search = searching(provider)
    found = await search.presearch(asking("A question?"))
    assert found is not None
    assert "https://a.example.org/" in found.text
    assert found.hits == FOUND.hits
    assert await searching(Scripted("one", ToolError("down"))).presearch(asking("q")) is None
    assert "down" in caplog.text
    assert await searching(Scripted("one", SearchAnswer("one"))).presearch(asking("q")) is None


def test_results_have_title_url_snippet_and_source() -> None:
    hits = (
        SearchHit("First", "https://a.example.org/x", "About\n it", "2026-01-02"),
        SearchHit("", "https://b.example.org/", "B"),
    )
    assert write_found("the query", SearchAnswer("Tavily", hits, "In short."), 8_000) == (
        '<untrusted source="Tavily, a web search">\nResults for: the query\n\nSummary: In short.\n\n'
        "1. First\nhttps://a.example.org/x\nSource: a.example.org, 2026-01-02\nAbout it\n\n"
        "2. b.example.org\nhttps://b.example.org/\nSource: b.example.org\nB\n\n</untrusted>"
    )


def long_hits(count: int, snippet: int) -> tuple[SearchHit, ...]:
    return tuple(
        SearchHit("T" * 300, f"https://{place}.example.org/{'u' * 200}", "s " * snippet) for place in range(count)
    )


def test_results_that_are_too_long_are_cut_and_it_is_said() -> None:
    text = write_found(
        "q",
        SearchAnswer("x", (*long_hits(9, 2_000), SearchHit("Short", "https://s.example.org/", "brief")), "S" * 9_000),
        8_000,
    )
    assert 7_500 < len(text) <= 8_000
    assert "texts shortened" in text.rpartition("</untrusted>")[2]
    assert text.count("https://") == 10
    assert "brief" in text


def test_results_that_do_not_fit_at_all_are_left_out_and_it_is_said() -> None:
    text = write_found("q", SearchAnswer("x", long_hits(40, 100)), 8_000)
    assert len(text) <= 8_000
    assert "results left out" in text
    assert "https://0." in text


@given(
    st.lists(
        st.builds(
            SearchHit,
            st.text(max_size=400),
            st.text(max_size=700).map("https://".__add__),
            st.text(max_size=3_000) | st.just("<untrusted" * 300),
        ),
        max_size=12,
    ),
    st.text(max_size=5_000),
    st.text(max_size=400),
)
def test_whatever_was_found_the_text_fits_and_is_marked(hits: Sequence[SearchHit], summary: str, query: str) -> None:
    text = write_found(query, SearchAnswer("x", tuple(hits), summary), 8_000)
    assert len(text) <= 8_000
    if hits:
        assert text.startswith('<untrusted source="')
        assert text.count("</untrusted>") == 1


def bench(folder: Path, **web: Any) -> Workbench:
    return Workbench(FileAccess(folder), ReadTracker(), settings={"web": web})


async def called(tool: Tool, folder: Path, **given: Any) -> str:
    """The text of a search for "q"."""
    assert tool.check is not None
    result = await tool.execute(tool.check({"query": "q", **given}), context(folder).ctx)
    assert result.details["provider"]
    return result.content[0]


async def test_the_built_in_uses_the_instance_of_the_configuration_first(tmp_path: Path) -> None:
    async with serving(saying(as_json(SEARXNG))) as one, serving(saying(as_json(tavily_results(3)))) as two:
        urls = {"searxng": f"http://localhost:{one.port}", "tavily": f"http://localhost:{two.port}"}
        tool = web_search.make(bench(tmp_path, **urls))
        text = await called(tool, tmp_path)
        assert "SearXNG, a web search" in text
        assert two.peers == []
        tool = web_search.make(bench(tmp_path, search="tavily", **urls))
        text = await called(tool, tmp_path)
        assert "Tavily, a web search" in text
        # The agent's presearch and the tool share what was found.
        found = await web_search.presearch(bench(tmp_path, search="tavily", **urls), " q ")
        assert found is not None
        assert found.text == text
        assert len(two.peers) == 1
        long = await web_search.presearch(bench(tmp_path, search="tavily", **urls), "A long question? " * 100)
        assert long is not None
        assert len(json.loads(two.peers[1].body)["query"]) <= 400
        assert await web_search.presearch(bench(tmp_path, search="tavily", **urls), " \n") is None
    assert tool.permission == "web_search"


async def test_the_key_of_the_environment_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-env")
    async with serving(saying(as_json(tavily_results(3)))) as server:
        tool = web_search.make(bench(tmp_path, tavily=f"http://localhost:{server.port}"))
        await called(tool, tmp_path)
    assert b"Bearer tvly-env" in server.peers[0].head


@pytest.mark.parametrize(
    "web",
    [
        {"search": "searxng"},
        {"search": "google"},
        {"search": ["ddgs", "searxng"]},
        {"search": []},
        {"searxng": "localhost:8080"},
        {"depth": "deepest"},
        {"include_domains": ["not a domain"]},
    ],
)
def test_a_setting_that_cannot_be_is_an_error_of_the_configuration(tmp_path: Path, web: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"\[web\]"):
        web_search.make(bench(tmp_path, **web))
