"""The wire of `POST /v1/messages`: read requests, write answers."""
