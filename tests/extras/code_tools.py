"""What the extra `code` is for: a command in the sandbox, searches, symbols, a language server's client, a PDF."""

import asyncio
import sys

from toolpost import Agent
from toolpost.guard.sandbox.sandbox import SandboxSettings, find_sandbox
from toolpost.testing import ScriptedModel, call, text
from toolpost.types.messages import ToolPart

TOOLS = ["bash", "code_search", "glob", "grep", "job_start", "lsp", "read"]
CALLS = {
    "bash": ({"command": "echo out of $((40 + 2)) && cat notes.txt"}, "out of 42"),
    "glob": ({"pattern": "*.py"}, "parse.py"),
    "grep": ({"pattern": "def parse"}, "parse.py"),
    "code_search": ({"query": "parse_config"}, "function"),
    "read": ({"path": "paper.pdf"}, "A line of a paper"),
    "lsp": ({"operation": "document_symbols", "path": "parse.py"}, "language server"),
}


async def main() -> None:
    assert find_sandbox(SandboxSettings()).kind == "bubblewrap"
    script = [call(name, arguments) for name, (arguments, _) in CALLS.items()]
    agent = Agent(ScriptedModel(*script, text("done")), tools=TOOLS, permissions={"*": "allow"})
    session = agent.session()
    await session.run("Look at this.")
    parts = [part for message in session.messages for part in message.parts if isinstance(part, ToolPart)]
    assert len(parts) == len(CALLS), parts
    for part in parts:
        assert CALLS[part.name][1] in str(part.state), part
    await agent.close()


asyncio.run(main())
sys.stdout.write("done\n")
