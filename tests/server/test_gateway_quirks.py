"""What servers do to OpenAI's chat wire, and what clients of Anthropic's get to see of it."""

import json
from pathlib import Path
from typing import Any

import pytest
from gateway_play import ADD, blocks, broken, gateway, whole

from toolpost.testing import Turn, raw


def chunks(*deltas: dict[str, Any] | str, finish: str | None = "stop", usage: bool = True) -> Turn:
    """A stream on OpenAI's chat wire, written by hand."""
    rows: list[Any] = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas if isinstance(delta, dict)]
    if finish:
        rows.append({"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]})
    if usage:
        rows.append({"choices": [], "usage": {"prompt_tokens": 12, "completion_tokens": 7}})
    body = "".join(f"data: {json.dumps(row)}\n\n" for row in rows)
    return raw((body + ("data: [DONE]\n\n" if finish else "")).encode())


def one(place: int, call_id: str | None = None, name: str | None = None, arguments: str = "") -> dict[str, Any]:
    function = {"arguments": arguments, **({"name": name} if name else {})}
    return {"index": place, "function": function, **({"id": call_id, "type": "function"} if call_id else {})}


def used(number: int) -> dict[str, Any]:
    return {"type": "tool_use", "name": "add", "input": {"a": number}}


def says(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


LIMITED = b'data: {"error": {"code": 429, "message": "slow down"}}\n\n'
TWICE = [one(0, "c1", "add", '{"a": 1}'), one(0, "c2", "add", '{"a": 2}')]


@pytest.mark.parametrize(
    ("answer", "told", "reason"),
    [
        pytest.param(
            chunks({"content": "a"}, {"tool_calls": [one(0, "c1", "add", '{"a": 1}')]}, {"content": "b"}),
            [says("a"), used(1), says("b")],
            "tool_use",
            id="text, a call, text",
        ),
        pytest.param(
            chunks({"tool_calls": TWICE[:1]}, {"tool_calls": TWICE[1:]}, finish="tool_calls"),
            [used(1), used(2)],
            "tool_use",
            id="two calls at one index",
        ),
        pytest.param(
            chunks({"tool_calls": TWICE}, finish="tool_calls"),
            [used(1), used(2)],
            "tool_use",
            id="two calls at one index in one chunk",
        ),
        pytest.param(
            chunks({"reasoning_content": "hm"}, {"content": "a"}),
            [{"type": "thinking", "thinking": "hm"}, says("a")],
            "end_turn",
            id="reasoning_content",
        ),
        pytest.param(
            chunks({"tool_calls": [one(0, "c1", "add")]}, finish="tool_calls"),
            [{"type": "tool_use", "name": "add", "input": {}}],
            "tool_use",
            id="no arguments",
        ),
        pytest.param(
            chunks({"tool_calls": TWICE[:1]}, finish="stop"), [used(1)], "tool_use", id="stop though calls were sent"
        ),
        pytest.param(
            chunks({"tool_calls": [one(0, "c1")]}, {"tool_calls": [one(0, None, "add", '{"a": 1}')]}),
            [used(1)],
            "tool_use",
            id="the name comes second",
        ),
    ],
)
async def test_what_servers_do_to_the_chat_wire_is_whole_on_anthropics(
    folder: Path, answer: Turn, told: list[dict[str, Any]], reason: str
) -> None:
    async with gateway(folder, answer) as play:
        events = await play.events(tools=[ADD])
    found, stopped = whole(events)
    kept = ("type", "text", "thinking", "name", "input")
    assert [{name: block[name] for name in kept if name in block} for block in found] == told
    assert stopped == reason
    assert (events[-2]["usage"]["input_tokens"], events[-2]["usage"]["output_tokens"]) == (12, 7)


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (chunks({"content": "a"}, finish=None, usage=False), "api_error"),
        (chunks({"content": "a"}, finish=None, usage=False) + raw(LIMITED), "rate_limit_error"),
    ],
    ids=["no finish", "an error object"],
)
async def test_what_breaks_on_the_chat_wire_is_an_error_on_anthropics(folder: Path, answer: Turn, kind: str) -> None:
    async with gateway(folder, answer) as play:
        events = await play.events()
    assert blocks(events)[0]["text"] == "a"
    assert broken(events)["type"] == kind
