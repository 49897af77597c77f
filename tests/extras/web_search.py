"""What the extra `search` is for: a search without a key goes out, here to a proxy that is not there."""

import asyncio
import sys

from toolpost import ToolError
from toolpost.tools.web.search.contract import SearchRequest
from toolpost.tools.web.search.ddgs import Ddgs


async def search() -> str:
    try:
        await Ddgs(backend="duckduckgo", proxy="http://127.0.0.1:9").search(SearchRequest(query="anything", count=3))
    except ToolError as error:
        return str(error)
    return "somebody answered"


said = asyncio.run(search())
assert "did not answer" in said, said
sys.stdout.write("done\n")
