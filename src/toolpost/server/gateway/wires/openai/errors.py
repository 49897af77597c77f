"""Write errors as OpenAI does: the body of an error response, and the error object in a stream."""

from collections.abc import Sequence
from typing import Any

from msgspec import Struct

from toolpost.models.message_parts import encode
from toolpost.server.gateway.output import Done, OutputEvent
from toolpost.server.refusals import STATUS, Kind, Refusal, refusal_of
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import StreamError


class _Words(Struct, frozen=True):
    type: str
    code: str | None = None


_BY_KIND: dict[Kind, _Words] = {
    "invalid_request": _Words("invalid_request_error"),
    "authentication": _Words("authentication_error", "invalid_api_key"),
    "billing": _Words("insufficient_quota", "insufficient_quota"),
    "permission": _Words("permission_error", "permission_denied"),
    "not_found": _Words("invalid_request_error", "not_found"),
    "conflict": _Words("invalid_request_error", "conflict"),
    "too_large": _Words("invalid_request_error", "request_too_large"),
    "rate_limit": _Words("rate_limit_error", "rate_limit_exceeded"),
    "internal": _Words("server_error", "server_error"),
    "unreachable": _Words("server_error", "upstream_failed"),
    "timeout": _Words("server_error", "timeout"),
    "overloaded": _Words("server_error", "overloaded"),
}
# Where OpenAI answers with another status than others do.
_STATUS: dict[Kind, int] = {"billing": 429, "overloaded": 503}
# Of a model's failure, where it says more than its kind.
_CODES = {
    "context_overflow": "context_length_exceeded",
    "content_filter": "content_policy_violation",
    "not_found": "model_not_found",
    "previous_response_not_found": "previous_response_not_found",
    "websocket_connection_limit_reached": "websocket_connection_limit_reached",
    "invalid_stream_id": "invalid_stream_id",
    # A kind of what is missing that is no model.
    "no_such_response": None,
}
_METHOD_NOT_ALLOWED = 405


def error(refusal: Refusal) -> bytes:
    """Return the body of an error response. OpenAI gives the request id in a header, not here."""
    return encode({"error": refusal_fields(refusal)})


def status_of(refusal: Refusal) -> int:
    """Return the status that OpenAI uses for this refusal, unless the refusal has a status of its own."""
    return _STATUS.get(refusal.kind, refusal.status) if refusal.status == STATUS[refusal.kind] else refusal.status


def error_fields(info: ErrorInfo) -> dict[str, Any]:
    """Return the error object for a failure in the middle of an answer."""
    return refusal_fields(refusal_of(info))


def done_of(outs: Sequence[OutputEvent]) -> Done:
    """Return the end of a whole answer. Raises `Refusal` if it ended with a failure."""
    last = outs[-1] if outs else None
    if isinstance(last, StreamError):
        raise refusal_of(last.error)
    if not isinstance(last, Done):
        raise refusal_of(ErrorInfo("truncated", "the response is incomplete"))
    if failure := broken_off(last):
        raise refusal_of(failure)
    return last


def broken_off(done: Done) -> ErrorInfo | None:
    """Return the error for an end that these wires cannot express, so that it never looks as if the model had
    finished."""
    if done.reason not in ("error", "aborted", "interrupted"):
        return None
    return ErrorInfo("server", f"the response was interrupted ({done.reason})")


def refusal_fields(refusal: Refusal) -> dict[str, Any]:
    words = _BY_KIND[refusal.kind]
    code = "method_not_allowed" if refusal.status == _METHOD_NOT_ALLOWED else _CODES.get(refusal.code, words.code)
    return {"message": refusal.message, "type": words.type, "param": refusal.param or None, "code": code}
