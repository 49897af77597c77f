"""MCP: other people's servers as tools, resources and commands of ours, and our tools as a server for others."""
