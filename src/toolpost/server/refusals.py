"""Errors that refuse a request, with kind and HTTP status; each wire writes them in its own form."""

from collections.abc import Mapping
from typing import Literal

from toolpost.types.errors import (
    MessageNotFound,
    ModelError,
    SessionBusy,
    SessionNotFound,
    StoreError,
    StoreFull,
    ToolpostError,
)
from toolpost.types.messages import ErrorInfo

Kind = Literal[
    "invalid_request",
    "authentication",
    "billing",
    "permission",
    "not_found",
    "conflict",
    "too_large",
    "rate_limit",
    "internal",
    "unreachable",
    "timeout",
    "overloaded",
]

STATUS: dict[Kind, int] = {
    "invalid_request": 400,
    "authentication": 401,
    "billing": 402,
    "permission": 403,
    "not_found": 404,
    "conflict": 409,
    "too_large": 413,
    "rate_limit": 429,
    "internal": 500,
    "unreachable": 502,
    "timeout": 504,
    "overloaded": 529,
}


# What a model's failure means, by its code.
_BY_CODE: dict[str, Kind] = {
    "auth": "authentication",
    "spend_limit": "billing",
    "not_found": "not_found",
    "rate_limit": "rate_limit",
    "overloaded": "overloaded",
    "timeout": "timeout",
    "context_overflow": "invalid_request",
    "bad_request": "invalid_request",
    "content_filter": "invalid_request",
    "unknown_price": "invalid_request",
    "network": "unreachable",
    "unreachable": "unreachable",
    "protocol": "unreachable",
    "truncated": "unreachable",
}
# Statuses of an upstream that are passed on, and the kind that they mean where the code is less exact.
_BY_STATUS: dict[int, Kind] = {
    403: "permission",
    413: "too_large",
    502: "unreachable",
    503: "overloaded",
    504: "timeout",
}
# Of errors that a client can tell apart only by their code.
_NOT_FOUND: dict[type[ToolpostError], str] = {
    SessionNotFound: "session_not_found",
    MessageNotFound: "message_not_found",
}
_LESS_EXACT = frozenset({"auth", "server", "bad_request", "context_overflow", "overloaded", "timeout"})


class Refusal(Exception):
    """Raised before anything was sent. `retry_after` is in seconds. `code` is the model's, where a model failed, or
    more exact than the kind; clients find their own words by it, so it is never renamed. `param` is the field of the
    request that is wrong."""

    def __init__(
        self,
        kind: Kind,
        message: str,
        *,
        status: int | None = None,
        retry_after: float | None = None,
        code: str = "",
        param: str = "",
    ) -> None:
        super().__init__(message)
        self.kind: Kind = kind
        self.message = message
        self.status = STATUS[kind] if status is None else status
        self.retry_after = retry_after
        self.code = code
        self.param = param
        self.body = b""
        self.headers: Mapping[str, str] = {}

    def tell(self, status: int | None, body: bytes, headers: Mapping[str, str]) -> None:
        """Refuse with this body, which is already in the form of the wire."""
        self.status = status or self.status
        self.body, self.headers = body, headers


class BadRequest(Refusal):
    """The request is not valid; the text and `param` name the field."""

    def __init__(self, message: str, *, param: str = "", code: str = "") -> None:
        super().__init__("invalid_request", message, param=param, code=code)


def refusal_of(error: ErrorInfo) -> Refusal:
    """The refusal for a model's failure."""
    kind, status = _BY_CODE.get(error.code, "internal"), None
    if error.status in _BY_STATUS:
        status = error.status
        kind = _BY_STATUS[status] if error.code in _LESS_EXACT else kind
    return Refusal(kind, error.message, status=status, retry_after=error.retry_after, code=error.code)


def refusal_from_error(error: ToolpostError) -> Refusal | None:
    """The refusal for an error of ours; None where its text is not for clients."""
    if isinstance(error, SessionNotFound | MessageNotFound):
        return Refusal("not_found", str(error), code=_NOT_FOUND[type(error)])
    if isinstance(error, SessionBusy):
        return Refusal("conflict", str(error), code="session_busy")
    if isinstance(error, StoreFull):
        text = "the server's disk is full: nothing can be stored until there is room"
        return Refusal("internal", text, status=507, code="disk_full")
    return None if isinstance(error, StoreError | ModelError) else BadRequest(str(error))
