"""`toolpost mcp`."""
