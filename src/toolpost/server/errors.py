"""A refusal in the words of the wire that was asked."""

import msgspec

from .gateway.wires.anthropic import response as anthropic_response
from .gateway.wires.openai import errors as openai_errors
from .refusals import Refusal


def error_body(shape: str, refusal: Refusal, request_id: str) -> tuple[int, bytes]:
    """The status and the body."""
    if refusal.body:
        return refusal.status, refusal.body
    if shape == "anthropic":
        return refusal.status, anthropic_response.error(refusal, request_id)
    if shape == "openai":
        return openai_errors.status_of(refusal), openai_errors.error(refusal)
    told = {"error": {"code": refusal.kind, "message": refusal.message}, "request_id": request_id}
    return refusal.status, msgspec.json.encode(told)
