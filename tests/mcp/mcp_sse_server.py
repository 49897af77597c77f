"""A server over SSE in a process of its own, so that it can be killed: `python mcp_sse_server.py PORT LOG`."""

import asyncio
import sys
from pathlib import Path

from mcp.server.mcpserver import MCPServer

app = MCPServer("site")


def note() -> None:
    with Path(sys.argv[2]).open("a") as file:
        file.write("waiting\n")


@app.tool()
async def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@app.tool()
async def wait() -> str:
    """Wait for ever."""
    note()
    await asyncio.Event().wait()
    return ""


app.run("sse", port=int(sys.argv[1]))
