"""Write search results for a model, in the language of the query: English or Chinese."""

import re
from collections.abc import Sequence

from msgspec import Struct

from toolpost.tools.untrusted import untrusted
from toolpost.types.text import counted

from .contract import SearchAnswer, SearchHit

TITLE = 200
URL = 500
SUMMARY = 2_000
SMALLEST_SNIPPET = 80
REASON = 300
ELLIPSIS = " …"
_HAN = re.compile("[\u3400-\u4dbf\u4e00-\u9fff]")
_KANA_OR_HANGUL = re.compile("[\u3040-\u30ff\uac00-\ud7af]")


class Words(Struct, frozen=True):
    """The words of one language; `content` stands before an excerpt."""

    origin: str
    heading: str
    summary: str
    source: str
    comma: str
    relevance: str
    content: str
    nothing: str
    cut: str
    shortened: str
    advice: str
    failed: str
    instead: str
    waiting: str

    def left_out(self, number: int) -> str:
        return f"省略 {number:,} 条结果" if self is CHINESE else f"{counted(number, 'result')} left out"


ENGLISH = Words(
    origin="{provider}, a web search",
    heading="Results for: ",
    summary="Summary: ",
    source="Source: ",
    comma=", ",
    relevance="relevance {score:.2f}",
    content="",
    nothing="No results for {query!r} ({provider}). Try other words.",
    cut="Cut: ",
    shortened="texts shortened",
    advice="Use web_fetch on a URL to read the whole page.",
    failed="Note: these results are from {provider}, because others failed: ",
    instead="Note: others failed: ",
    waiting="There were {searches} searches within a minute, which is the limit: waiting {seconds} s.",
)
CHINESE = Words(
    origin="{provider} 网络搜索",
    heading="搜索结果：",
    summary="摘要：",
    source="来源：",
    comma="，",
    relevance="相关度 {score:.2f}",
    content="内容：",
    nothing="没有找到“{query}”的结果（{provider}）。请换其他词语。",
    cut="已截断：",
    shortened="文本已缩短",
    advice="用 web_fetch 打开网址可读取整页。",
    failed="注意：这些结果来自 {provider}，因为其他搜索服务失败：",
    instead="注意：其他搜索服务失败：",
    waiting="一分钟内已搜索 {searches} 次，达到上限：等待 {seconds} 秒。",
)


def words_for(query: str) -> Words:
    """Chinese for a query in Chinese; Japanese and Korean texts may have the same characters beside their own."""
    return CHINESE if _HAN.search(query) and not _KANA_OR_HANGUL.search(query) else ENGLISH


def write_found(query: str, found: SearchAnswer, most: int, failures: Sequence[str] = ()) -> str:
    """The results with their sources, at most `most` characters; what does not fit is shortened, and it is said. So are
    the `failures` of providers that were asked before."""
    words = words_for(query)
    if not found.hits:
        said = words.nothing.format(query=_line(query, TITLE), provider=found.provider)
        return said + _failures(words.instead, failures)
    source = words.origin.format(provider=found.provider)
    told = _failures(words.failed.format(provider=found.provider), failures)
    room = most
    while True:
        text, note = _write(words, query, found, room)
        marked = untrusted(text, source) + note + told
        if len(marked) <= most or room <= 0:
            return marked
        room -= len(marked) - most


def _failures(beginning: str, failures: Sequence[str]) -> str:
    return f"\n[{beginning}{'; '.join(_line(one, REASON) for one in failures)}]" if failures else ""


def _write(words: Words, query: str, found: SearchAnswer, room: int) -> tuple[str, str]:
    summary = _line(found.summary, SUMMARY)
    head = f"{words.heading}{_line(query, TITLE)}\n" + (f"\n{words.summary}{summary}\n" if summary else "")
    known = [hit for hit in found.hits if len(hit.url) <= URL]
    tops = [_top(words, number, hit) for number, hit in enumerate(known, 1)]
    snippets = [" ".join(hit.snippet.split()) for hit in known]
    room -= len(head)
    while len(tops) > 1 and sum(map(len, tops)) + SMALLEST_SNIPPET * len(tops) > room:
        tops.pop()
    left = room - sum(map(len, tops))
    shown = _shorten(snippets[: len(tops)], left)
    text = head + "".join(f"{top}{snippet}\n" for top, snippet in zip(tops, shown, strict=True))
    is_short = any(a != b for a, b in zip(shown, snippets, strict=False))
    return text, _note(words, len(found.hits) - len(tops), is_short)


def _top(words: Words, number: int, hit: SearchHit) -> str:
    site = hit.url.partition("://")[2].partition("/")[0]
    about = [site, *([_line(hit.date, 40)] if hit.date else [])]
    # Of some engines it is a sum over several, which tells a reader nothing.
    if hit.score is not None and 0 <= hit.score <= 1:
        about.append(words.relevance.format(score=hit.score))
    title, source = _line(hit.title, TITLE) or site, words.comma.join(about)
    return f"\n{number}. {title}\n{hit.url}\n{words.source}{source}\n{words.content if hit.snippet else ''}"


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


def _note(words: Words, dropped: int, shortened: bool) -> str:
    if not dropped and not shortened:
        return ""
    what = [words.left_out(dropped)] if dropped else []
    what += [words.shortened] if shortened else []
    stop = "。" if words is CHINESE else ". "
    joint = "，" if words is CHINESE else " and "
    return f"\n[{words.cut}{joint.join(what)}{stop}{words.advice}]"
