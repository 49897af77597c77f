"""The HTTP API of the server besides model answers and the chat: one file for each resource."""
