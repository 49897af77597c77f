"""Check objects and events of the Responses wire by the types of the `openai` package, taken strictly, and by the
fields that the specification of Open Responses requires."""

from functools import cache
from typing import Any

from openai.types.responses import Response, ResponseStreamEvent
from openai.types.responses.responses_server_event import ResponsesServerEvent
from pydantic import TypeAdapter

# `ResponseResource` of Open Responses, and what it requires of the objects in it.
REQUIRED = {
    "id", "object", "created_at", "completed_at", "status", "incomplete_details", "model", "previous_response_id",
    "instructions", "output", "error", "tools", "tool_choice", "truncation", "parallel_tool_calls", "text", "top_p",
    "presence_penalty", "frequency_penalty", "top_logprobs", "temperature", "reasoning", "user", "usage",
    "max_output_tokens", "max_tool_calls", "store", "background", "service_tier", "metadata", "safety_identifier",
    "prompt_cache_key",
}  # fmt: skip
REQUIRED_OF = {
    "message": {"type", "id", "status", "role", "content"},
    "function_call": {"type", "id", "call_id", "name", "arguments", "status"},
    "reasoning": {"type", "id", "summary"},
    "compaction": {"type", "id", "encrypted_content"},
}
NEVER_NULL = {
    "id", "object", "created_at", "status", "model", "output", "tools", "tool_choice", "truncation",
    "parallel_tool_calls", "text", "top_p", "presence_penalty", "frequency_penalty", "top_logprobs", "temperature",
    "store", "background", "service_tier", "metadata",
}  # fmt: skip


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def check_response(response: dict[str, Any]) -> dict[str, Any]:
    """The response, if it is one."""
    # A whole number is a number; JSON knows no other.
    _adapter(Response).validate_python(response, strict=True)
    assert set(response) >= REQUIRED, REQUIRED - set(response)
    assert not [name for name in NEVER_NULL if response[name] is None]
    assert (response["completed_at"] is not None) == (response["status"] == "completed")
    for item in response["output"]:
        check_item(item)
    for tool in response["tools"]:
        if tool["type"] == "function":
            assert {"name", "description", "parameters", "strict"} <= set(tool)
    assert {"effort", "summary"} <= set(response["reasoning"])
    if response["text"]["format"]["type"] == "json_schema":
        assert {"name", "description", "schema", "strict"} <= set(response["text"]["format"])
    return response


def check_item(item: dict[str, Any]) -> None:
    assert set(item) >= REQUIRED_OF.get(item["type"], {"type", "id"}), item
    if item["type"] == "reasoning":
        assert item.get("encrypted_content", "") is not None


def check_events(events: list[dict[str, Any]], *, on_socket: bool = False) -> dict[str, Any]:
    """The response in the last of these events, if they are the events of one."""
    for number, event in enumerate(events):
        _adapter(ResponsesServerEvent if on_socket else ResponseStreamEvent).validate_python(event, strict=True)
        assert event["sequence_number"] == number
        if "response" in event:
            check_response(event["response"])
        if "item" in event:
            check_item(event["item"])
    assert [event["type"] for event in events[:2]] == ["response.created", "response.in_progress"]
    assert events[-1]["type"] in ("response.completed", "response.incomplete", "response.failed")
    done = [event["item"] for event in events if event["type"] == "response.output_item.done"]
    assert sorted(done, key=lambda item: item["id"]) == sorted(
        events[-1]["response"]["output"], key=lambda item: item["id"]
    )
    return events[-1]["response"]
