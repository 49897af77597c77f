"""The wire of `POST /v1/chat/completions`: read requests, write answers."""
