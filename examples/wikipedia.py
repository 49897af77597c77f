"""A tool that looks things up in Wikipedia, without a key: `python examples/wikipedia.py "Alan Turing"`."""

import json
import re
import sys
from typing import Annotated, Any, Literal
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from toolpost import ToolError, tool

ADDRESS = "https://{language}.wikipedia.org/w/api.php"
# Wikipedia wants to know who asks: put a way to reach you here.
AGENT = "toolpost-example/1.0 (https://github.com/toolpost/toolpost)"
ARTICLES = 3
MAX_CHARACTERS = 1_200  # of each article's introduction
MAX_BYTES = 1_000_000
SECONDS = 10

Language = Literal["en", "zh", "de", "es", "fr", "ja", "pt", "ru"]


@tool(read_only=True, cache=3600, timeout=2 * SECONDS)
def wikipedia(
    topic: Annotated[str, "What to look up, in the words of that language, e.g. Alan Turing"],
    language: Annotated[Language | None, "Which Wikipedia; by default the one of the topic's language"] = None,
) -> str:
    """Look something up in Wikipedia. Use it for people, places, things and events that an encyclopedia knows.

    It gives the beginning of the best articles, with their addresses, which belong into the answer as its sources.
    """
    where = language or ("zh" if re.search("[\u4e00-\u9fff]", topic) else "en")
    found = articles(topic, where)
    if not found:
        raise ToolError(f'Wikipedia ({where}) has nothing about "{topic}": use other words, or another language')
    return "\n\n".join(f"{article['title']}\n{article['fullurl']}\n{article.get('extract', '')}" for article in found)


def articles(topic: str, language: str) -> list[dict[str, Any]]:
    """The best articles first, each with its introduction."""
    asked = {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "generator": "search",
        "gsrsearch": topic,
        "gsrlimit": ARTICLES,
        "prop": "extracts|info",
        "exintro": "1",
        "explaintext": "1",
        "exlimit": ARTICLES,
        "exchars": MAX_CHARACTERS,
        "inprop": "url",
        **({"variant": "zh-cn"} if language == "zh" else {}),
    }
    request = Request(f"{ADDRESS.format(language=language)}?{urlencode(asked)}", headers={"User-Agent": AGENT})
    try:
        with urlopen(request, timeout=SECONDS) as response:
            answer = json.loads(response.read(MAX_BYTES))
    except HTTPError as error:
        error.close()
        raise ToolError(f"Wikipedia answered with status {error.code}: try again later") from None
    except (OSError, ValueError) as error:
        raise ToolError(f"Wikipedia can't be reached ({error}): answer without it, and say so") from None
    pages: list[dict[str, Any]] = answer.get("query", {}).get("pages", [])
    return sorted(pages, key=lambda page: page["index"])


if __name__ == "__main__":
    print(wikipedia(" ".join(sys.argv[1:]) or "Alan Turing"))
