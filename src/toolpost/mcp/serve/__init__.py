"""`toolpost mcp serve`: our tools, prompts and files as an MCP server."""
