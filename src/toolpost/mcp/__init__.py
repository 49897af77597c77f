"""MCP: use the tools, resources and prompts of other servers, and serve our own."""
