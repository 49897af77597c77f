"""Let the model search many MCP tools and call them, instead of offering each one."""

import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import msgspec

from toolpost.arguments.parse_json import canonical
from toolpost.arguments.tool_names import repair
from toolpost.tools.define import Tool, ToolContext, tool
from toolpost.tools.offered_tools import unknown_tool
from toolpost.tools.schema import check_arguments
from toolpost.types.errors import ToolError

MAX_TOOLS = 40
MAX_CHARACTERS = 40_000  # about 10,000 tokens, sent with every request
FOUND = 6
FOUND_CHARACTERS = 12_000
NAME_WEIGHT = 3.0

_WORD = re.compile(r"[a-z]+|[0-9]+|[^\W_a-z0-9]+")


def is_big(tools: Sequence[Tool]) -> bool:
    """True if the definitions of all tools would take too much of the model's context."""
    return len(tools) > MAX_TOOLS or sum(size(known) for known in tools) > MAX_CHARACTERS


def size(known: Tool) -> int:
    """Count the characters of a tool's definition in a request."""
    return len(known.name) + len(known.description) + len(msgspec.json.encode(known.parameters))


def search_tools(tools: Callable[[], Sequence[Tool]], servers: Sequence[str]) -> list[Tool]:
    """`mcp_search_tools` and `mcp_call_tool` over tools that are looked up anew at every call.

    Of these an agent finds and calls only what it would be offered by itself.
    """

    def offered(ctx: ToolContext) -> list[Tool]:
        return [entry for entry in tools() if ctx.host.offers(entry.name)]

    among = f"The servers are: {', '.join(servers)}."

    @tool(
        read_only=True,
        description="Find tools of the connected MCP servers by what they do; the answer says how each is called. Use "
        f"it whenever a server may help, then call what you found with mcp_call_tool. {among}",
    )
    async def mcp_search_tools(
        query: Annotated[str, "A few words on what it should do, or a tool's name, e.g. create issue"],
        ctx: ToolContext,
        limit: Annotated[int, "How many at most"] = FOUND,
    ) -> str:
        known = offered(ctx)
        found = search(known, query, max(1, min(limit, MAX_TOOLS)))
        if not found:
            names = ", ".join(entry.name for entry in known[:MAX_TOOLS])
            return f"Nothing fits. Try other words. Some of the tools: {names}"
        return _described(found)

    @tool(description="Call a tool of an MCP server that mcp_search_tools has found.", heeds_read_only=True)
    async def mcp_call_tool(
        name: Annotated[str, "The tool's whole name, e.g. mcp__github__create_issue"],
        arguments: Annotated[dict[str, Any], "Its arguments, as its schema wants them"],
        ctx: ToolContext,
    ) -> Any:
        known = {entry.name: entry for entry in offered(ctx)}
        wanted = known.get(repair(name, tuple(known)) or name)
        if wanted is None:
            raise unknown_tool(name, [entry.name for entry in search(list(known.values()), name, FOUND)])
        if ctx.read_only and not wanted.read_only:
            raise ToolError(f"{wanted.name} may change things, and this agent may not.")
        checked = check_arguments(wanted, arguments)
        # The permission is the tool's own, so that a rule for it holds here as well.
        details = {"arguments": arguments}
        await ctx.ask(
            wanted.name,
            [canonical(arguments)],
            always=["*"],
            title=wanted.label,
            details=details,
            fingerprint=wanted.fingerprint,
        )
        return await wanted.run(checked, ctx)

    return [mcp_search_tools, mcp_call_tool]


def search(tools: Sequence[Tool], query: str, limit: int) -> list[Tool]:
    """The tools that fit best: rare words count for more than common ones, names for more than descriptions."""
    wanted = set(_words(query))
    texts = [(Counter(_words(known.name)), Counter(_words(_prose(known)))) for known in tools]
    spread = Counter(word for name, prose in texts for word in (name.keys() | prose.keys()))

    def score(place: int) -> float:
        name, prose = texts[place]
        return sum(
            math.log(1 + len(tools) / spread[word]) * (NAME_WEIGHT * (word in name) + (word in prose))
            for word in wanted
            if word in name or word in prose
        ) + (1_000.0 if tools[place].name == query.strip() else 0.0)

    ranked = sorted(range(len(tools)), key=lambda place: (-score(place), tools[place].name))
    return [tools[place] for place in ranked[:limit] if score(place) > 0]


def _words(text: str) -> list[str]:
    """Split into lower-case words without plural endings; `createIssue` equals `create_issue`."""
    split = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", text).lower()
    return [word[:-1] if len(word) > 3 and word.endswith("s") else word for word in _WORD.findall(split)]


def _prose(known: Tool) -> str:
    return f"{known.description} {' '.join(known.parameters.get('properties') or ())}"


def _described(found: Sequence[Tool]) -> str:
    """Take as many tools as fit; at least the first."""
    texts: list[str] = []
    left = FOUND_CHARACTERS
    for known in found:
        text = f"{known.name}\n{known.description}\nparameters: {msgspec.json.encode(known.parameters).decode()}"
        if texts and len(text) > left:
            texts.append(f"… and {len(found) - len(texts)} more: search with more words to see them")
            break
        texts.append(text)
        left -= len(text)
    return "\n\n".join(texts)
