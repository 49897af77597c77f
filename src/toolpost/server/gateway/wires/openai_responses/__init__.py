"""The wire of `POST /v1/responses`: read requests, write answers."""
