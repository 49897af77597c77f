"""What a search can be asked for, in which language it answers, and which providers are asked in which order."""

import json
import os
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from web_world import answer, context, saying, serving

from toolpost.guard.paths import FileAccess
from toolpost.tools.builtin import web_search
from toolpost.tools.define import ToolResult
from toolpost.tools.files.read_tracker import ReadTracker
from toolpost.tools.limits import ToolLimits
from toolpost.tools.web.search.contract import SearchAnswer, SearchHit, SearchRequest
from toolpost.tools.web.search.search import make_request, provider_order
from toolpost.tools.web.search.searxng import SearXNG
from toolpost.tools.web.search.tavily import Tavily
from toolpost.tools.web.search.wording import write_found
from toolpost.tools.web.settings import WebSettings
from toolpost.tools.workbench import Workbench
from toolpost.types.errors import ToolError

LIMITS = ToolLimits()


@pytest.fixture(autouse=True)
def _no_proxy_and_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in list(os.environ):
        if name.lower().endswith("_proxy") or name == "TAVILY_API_KEY":
            monkeypatch.delenv(name)


def as_json(value: Any, status: str = "200 OK") -> bytes:
    return answer(json.dumps(value), "application/json", status)


def row(host: str, **more: Any) -> dict[str, Any]:
    return {"title": f"At {host}", "url": f"https://{host}/page", "content": "An excerpt", "score": 0.875, **more}


async def test_tavily_gets_topic_time_and_domains_and_gives_the_text_of_pages() -> None:
    results = [row("docs.python.org", raw_content="The whole page"), row("example.net")]
    async with serving(saying(as_json({"results": results}))) as server:
        request = make_request(
            WebSettings(),
            LIMITS,
            "news of today",
            topic="news",
            time_range="week",
            include_domains=["https://Python.org/", "*.example.com"],
            exclude_domains=["spam.example.com"],
            raw_content=True,
        )
        found = await Tavily("tvly-1", f"http://127.0.0.1:{server.port}").search(request)
    assert json.loads(server.peers[0].body) == {
        "query": "news of today",
        "max_results": 3,
        "search_depth": "basic",
        "include_answer": False,
        "topic": "news",
        "time_range": "week",
        "include_domains": ["python.org", "example.com"],
        "exclude_domains": ["spam.example.com"],
        "include_raw_content": "markdown",
    }
    # What a provider gives from elsewhere is left out.
    assert found.hits == (SearchHit("At docs.python.org", "https://docs.python.org/page", "The whole page", "", 0.875),)


async def test_searxng_gets_topic_time_and_domains() -> None:
    async with serving(saying(as_json({"results": [row("a.example.org"), row("b.example.org")]}))) as server:
        request = SearchRequest(
            query="rain",
            count=5,
            topic="news",
            time_range="day",
            include_domains=("example.org", "example.com"),
            exclude_domains=("b.example.org",),
        )
        found = await SearXNG(f"http://127.0.0.1:{server.port}").search(request)
    assert parse_qs(urlsplit(server.peers[0].head.split(b" ")[1].decode()).query) == {
        "q": ["rain (site:example.org OR site:example.com) -site:b.example.org"],
        "format": ["json"],
        "categories": ["news"],
        "time_range": ["day"],
    }
    assert [hit.url for hit in found.hits] == ["https://a.example.org/page"]


def test_settings_hold_where_a_call_says_nothing_and_no_call_leaves_their_domains() -> None:
    settings = WebSettings(
        depth="deep",
        topic="finance",
        time_range="month",
        raw_content=True,
        include_domains=("example.org",),
        exclude_domains=("old.example.org",),
    )
    assert make_request(settings, LIMITS, "q") == SearchRequest(
        query="q",
        count=10,
        deep=True,
        topic="finance",
        time_range="month",
        include_domains=("example.org",),
        exclude_domains=("old.example.org",),
        raw_content=True,
    )
    narrower = make_request(settings, LIMITS, "q", include_domains=["docs.example.org", "other.net"], raw_content=False)
    assert (narrower.include_domains, narrower.raw_content) == (("docs.example.org",), False)
    with pytest.raises(ToolError, match=r"limited to these domains: example\.org"):
        make_request(settings, LIMITS, "q", include_domains=["notexample.org"])


@pytest.mark.parametrize(("domain", "said"), [("two words", "not a domain"), ("", "not a domain"), ("a;b", "not a")])
def test_what_is_no_domain_is_refused(domain: str, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        make_request(WebSettings(), LIMITS, "q", include_domains=[domain])


def test_a_domain_in_chinese_letters_is_asked_for_as_the_web_writes_it() -> None:
    assert make_request(WebSettings(), LIMITS, "q", include_domains=["例子.中国"]).include_domains == (
        "xn--fsqu00a.xn--fiqs8s",
    )


HITS = (
    SearchHit("标题", "https://a.example.org/x", "一段文字", "2026-01-02", 0.91),
    SearchHit("B", "https://b.example/"),
)


def test_a_question_in_chinese_gets_its_results_in_chinese() -> None:
    text = write_found("今天 天气", SearchAnswer("Tavily", HITS, "总的来说。"), 8_000, ["SearXNG is down"])
    assert text == (
        '<untrusted source="Tavily 网络搜索">\n搜索结果：今天 天气\n\n摘要：总的来说。\n\n'
        "1. 标题\nhttps://a.example.org/x\n来源：a.example.org，2026-01-02，相关度 0.91\n内容：一段文字\n\n"
        "2. B\nhttps://b.example/\n来源：b.example\n\n\n</untrusted>\n"
        "[注意：这些结果来自 Tavily，因为其他搜索服务失败：SearXNG is down]"
    )
    assert write_found("天气", SearchAnswer("Tavily"), 8_000) == "没有找到“天气”的结果（Tavily）。请换其他词语。"
    long = write_found("天气", SearchAnswer("x", (SearchHit("T", "https://a.example/", "长" * 9_000),)), 2_000)
    assert long.endswith("\n[已截断：文本已缩短。用 web_fetch 打开网址可读取整页。]")
    assert len(long) <= 2_000


@pytest.mark.parametrize("query", ["weather", "東京の天気", "서울 날씨 天"])
def test_a_question_in_another_language_gets_them_in_english(query: str) -> None:
    text = write_found(query, SearchAnswer("Tavily", HITS), 8_000)
    assert "Source: a.example.org, 2026-01-02, relevance 0.91\n" in text
    assert "来源" not in text


def test_tavily_with_a_key_comes_first_and_an_instance_of_ones_own_before_tavily_without() -> None:
    both = WebSettings(searxng="https://search.example.org")
    assert provider_order(both, has_key=True) == ("tavily", "searxng", "ddgs")
    assert provider_order(both, has_key=False) == ("searxng", "tavily", "ddgs")
    assert provider_order(WebSettings(), has_key=False) == ("tavily", "ddgs")
    assert provider_order(WebSettings(search=("ddgs", "tavily")), has_key=True) == ("ddgs", "tavily")


async def test_a_key_that_is_set_meanwhile_is_used_from_the_next_search_on(tmp_path: Path) -> None:
    keys: list[str] = []
    async with serving(saying(as_json({"results": [row("a.example")]}))) as tavily:
        bench = Workbench(
            FileAccess(tmp_path),
            ReadTracker(),
            settings={"web": {"tavily": f"http://127.0.0.1:{tavily.port}"}},
            find_key=lambda service, variable: keys[-1] if keys else "",
        )
        tool = web_search.make(bench)
        for query in ("one", "two"):
            result: ToolResult = await tool.function(query, context(tmp_path).ctx)  # pyright: ignore
            keys.append("tvly-later")
    assert b"x-tavily-access-mode: keyless" in tavily.peers[0].head
    assert b"Bearer tvly-later" in tavily.peers[1].head
    assert result.details == {
        "provider": "Tavily",
        "results": [{"title": "At a.example", "url": "https://a.example/page", "date": "", "score": 0.875}],
        "failures": [],
    }


async def test_every_provider_that_failed_is_said_with_its_reason(tmp_path: Path) -> None:
    refused = as_json({"detail": {"error": "invalid API key"}}, "401 Unauthorized")
    async with serving(saying(refused)) as tavily, serving(saying(as_json({"results": [row("a.example")]}))) as other:
        web = {"tavily": f"http://127.0.0.1:{tavily.port}", "searxng": f"http://127.0.0.1:{other.port}"}
        bench = Workbench(
            FileAccess(tmp_path), ReadTracker(), settings={"web": web}, find_key=lambda service, variable: "tvly-old"
        )
        result: ToolResult = await web_search.make(bench).function("q", context(tmp_path).ctx)  # pyright: ignore
    text = str(result.content[0])
    assert "[Note: these results are from SearXNG, because others failed: Tavily does not know the key" in text
    assert "https://a.example/page" in text
    assert "tvly-old" not in text


def test_the_tool_says_the_defaults_of_the_configuration(tmp_path: Path) -> None:
    settings = {"web": {"depth": "deep", "topic": "news"}}
    tool = web_search.make(Workbench(FileAccess(tmp_path), ReadTracker(), settings=settings))
    fields = tool.parameters["properties"]
    assert (fields["depth"]["default"], fields["topic"]["default"]) == ("deep", "news")
    assert tool.parameters["required"] == ["query"]
