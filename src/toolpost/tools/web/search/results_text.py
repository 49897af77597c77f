"""Write search results as one text of limited length, marked as untrusted."""

from collections.abc import Sequence

from toolpost.tools.untrusted import untrusted
from toolpost.types.plurals import counted

from .contract import EngineResults, SearchHit

TITLE = 200
URL = 500
SUMMARY = 2_000
SMALLEST_SNIPPET = 80
ELLIPSIS = " …"


def write_results(query: str, found: EngineResults, most: int) -> str:
    """Return the results with their sources in at most `most` characters; a note says what was shortened."""
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


def _write(query: str, found: EngineResults, room: int) -> tuple[str, str]:
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
