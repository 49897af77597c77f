"""The `recall` tool: after a compaction the model can search the originals of its own session."""

from typing import Any

from toolpost.store.contract import Store
from toolpost.tools.define import Tool, ToolContext
from toolpost.types.errors import ToolError

RECALL = "recall"
MAX_HITS = 20
PARAMETERS: dict[str, Any] = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "Text to look for, exactly as it was written, e.g. a name or a path.",
        }
    },
    "required": ["query"],
    "additionalProperties": False,
}


def recall_tool(store: Store) -> Tool:
    async def recall(arguments: dict[str, Any], ctx: ToolContext) -> str:
        query = str(arguments["query"]).strip()
        if not query:
            raise ToolError("query is empty; give the text to look for", kind="invalid")
        hits: list[str] = []
        async for hit in store.search(query, session_id=ctx.session_id):
            if hit.message_id == ctx.message_id:
                continue
            hits.append(f"[{hit.role}] {hit.snippet}")
            if len(hits) == MAX_HITS:
                hits.append("(there may be more: use a longer query)")
                break
        return "\n\n".join(hits) or f"Nothing in this session contains {query!r}."

    return Tool(
        RECALL,
        "Recall",
        "Search the earlier messages of this conversation that were summarised away. Use it when a detail is missing.",
        PARAMETERS,
        recall,
        read_only=True,
        source="engine",
    )
