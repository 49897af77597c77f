"""A refusal in the words of the wire that was asked."""

import msgspec

from .failures import Refusal
from .gateway.wires import anthropic_writing, openai_errors


def error_body(shape: str, refusal: Refusal, request_id: str) -> tuple[int, bytes]:
    """The status and the body."""
    if shape == "anthropic":
        body = anthropic_writing.error(refusal.status, refusal.kind, refusal.message, request_id)
        return refusal.status, body
    if shape == "openai":
        status = openai_errors.status_of(refusal)
        return status, openai_errors.error(status, refusal.kind, refusal.message, request_id)
    told = {"error": {"code": refusal.kind, "message": refusal.message}, "request_id": request_id}
    return refusal.status, msgspec.json.encode(told)
