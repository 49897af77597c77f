"""Why a request is not answered, for the wire that has to say so."""

from typing import Literal

Kind = Literal[
    "invalid_request",
    "authentication",
    "billing",
    "permission",
    "not_found",
    "too_large",
    "rate_limit",
    "internal",
    "timeout",
    "overloaded",
]

STATUS: dict[Kind, int] = {
    "invalid_request": 400,
    "authentication": 401,
    "billing": 402,
    "permission": 403,
    "not_found": 404,
    "too_large": 413,
    "rate_limit": 429,
    "internal": 500,
    "timeout": 504,
    "overloaded": 529,
}


class Refusal(Exception):
    """Nothing has been sent yet. `retry_after` is in seconds."""

    def __init__(
        self, kind: Kind, message: str, *, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.status = STATUS[kind] if status is None else status
        self.retry_after = retry_after


class BadRequest(Refusal):
    """What the client sent cannot be used; the text names the field."""

    def __init__(self, message: str) -> None:
        super().__init__("invalid_request", message)
