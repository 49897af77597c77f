"""What a provider wants back goes back, through a whole run: the engine keeps it with the parts that it came with."""

import msgspec
import pytest

from toolpost import Agent, Gemini, ModelError, OpenAIChat, OpenAIResponses, tool
from toolpost.models.gemini.request import UNSIGNED
from toolpost.testing import Upstream, call, calls, raw, reasoning, text


@tool(read_only=True)
def add(a: int, b: int = 1) -> int:
    """Add two numbers."""
    return a + b


async def test_sealed_reasoning_stands_before_its_calls_in_every_later_request() -> None:
    first = reasoning("hm") + calls(call("add", {"a": 1}, id="c1"), call("add", {"a": 2}, id="c2"))
    async with Upstream(first, text("3 and 2")) as up:
        model = OpenAIResponses("m", base_url=up.base_url)
        assert (await Agent(model, [add]).run("add")).text == "3 and 2"
        sent = up.requests[1].body["input"]
    assert [item.get("type", item.get("role")) for item in sent] == [
        "user",
        "reasoning",
        "function_call",
        "function_call",
        "function_call_output",
        "function_call_output",
    ]
    assert sent[1]["encrypted_content"] == "sealed 1"
    assert [item["output"] for item in sent[4:]] == ["2", "3"]


async def test_sealed_reasoning_without_a_word_survives_a_run() -> None:
    item = {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "sealed"}
    asked = {"type": "function_call", "id": "fc", "call_id": "c1", "name": "add", "arguments": '{"a":1}'}
    events = [
        *({"type": "response.output_item.done", "output_index": i, "item": x} for i, x in enumerate([item, asked])),
        {"type": "response.completed", "response": {"status": "completed", "output": [item, asked]}},
    ]
    wire = b"".join(b"data: " + msgspec.json.encode(event) + b"\n\n" for event in events)
    async with Upstream(raw(wire), text("2")) as up:
        assert (await Agent(OpenAIResponses("m", base_url=up.base_url), [add]).run("add")).text == "2"
        assert up.requests[1].body["input"][1] == item


async def test_strict_tools_take_null_for_what_may_be_left_out() -> None:
    async with Upstream(call("add", {"a": 1, "b": None}), text("2")) as up:
        model = OpenAIResponses("m", base_url=up.base_url, options={"extra": {"strict": True}})
        await Agent(model, [add]).run("add")
        assert up.requests[0].body["tools"][0]["strict"] is True
        assert up.requests[1].body["input"][-1]["output"] == "2"


async def test_a_thought_signature_goes_back_with_the_call_it_came_with() -> None:
    first = reasoning("hm") + calls(call("add", {"a": 1}, id="c1"), call("add", {"a": 2}, id="c2"))
    async with Upstream(first, text("2 and 3")) as up:
        assert (await Agent(Gemini("gemini-3-pro", base_url=up.url), [add]).run("add")).text == "2 and 3"
        _, model_turn, results = up.requests[1].body["contents"]
    assert [(part["functionCall"]["id"], part.get("thoughtSignature")) for part in model_turn["parts"]] == [
        ("c1", "signed 1"),
        ("c2", None),
    ]
    assert [part["functionResponse"]["response"] for part in results["parts"]] == [{"output": "2"}, {"output": "3"}]


async def test_what_a_chat_server_wants_back_with_a_call_goes_back_in_its_field() -> None:
    """DeepSeek refuses a call without the thinking that led to it, Gemini one without its signature."""
    signature = {"google": {"thought_signature": "sig"}}
    asked = {"index": 0, "id": "c1", "function": {"name": "add", "arguments": '{"a":1}'}, "extra_content": signature}
    deltas = [{"reasoning_content": "hm"}, {"tool_calls": [asked]}]
    chunks = [{"choices": [{"index": 0, "delta": delta}]} for delta in deltas]
    chunks.append({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]})
    wire = b"".join(b"data: " + msgspec.json.encode(chunk) + b"\n\n" for chunk in chunks)
    async with Upstream(raw(wire + b"data: [DONE]\n\n"), text("2")) as up:
        assert (await Agent(OpenAIChat("m", base_url=up.base_url), [add]).run("add")).text == "2"
        sent = up.requests[1].body["messages"][-2]
    assert sent["reasoning_content"] == "hm"
    assert sent["tool_calls"][0]["extra_content"] == signature


async def test_an_unreadable_call_of_gemini_is_asked_for_once_more() -> None:
    mistake = raw(b'data: {"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL"}]}\n\n')
    async with Upstream(mistake, text("fine"), mistake, mistake) as up:
        model = Gemini("gemini-3-pro", base_url=up.url)
        assert (await Agent(model, [add]).run("add")).text == "fine"
        with pytest.raises(ModelError, match="MALFORMED_FUNCTION_CALL"):
            await Agent(model, [add]).run("add")
        assert len(up.requests) == 4


async def test_a_session_may_go_from_house_to_house() -> None:
    """Each model gets the calls of the others whole, and none of what the others want echoed."""
    step = reasoning("hm") + call("add", {"a": 1}, id="same")
    async with Upstream(*[turn for n in range(3) for turn in (step, text(f"answer {n}"))]) as up:
        responses = OpenAIResponses("m", base_url=up.base_url, provider="openai")
        session = Agent(responses, [add]).session()
        for n, model in enumerate([responses, Gemini("gemini-3-pro", base_url=up.url), responses]):
            session.use_model(model)
            assert (await session.run("add")).text == f"answer {n}"
        gemini, last = up.requests[3].body["contents"], up.requests[5].body["input"]
    asked = [part for content in gemini for part in content["parts"] if "functionCall" in part]
    assert [part["thoughtSignature"] for part in asked] == [UNSIGNED, "signed 1"]
    assert [part["functionCall"].get("id") for part in asked] == [None, "same"]
    calls_made = [item["call_id"] for item in last if item.get("type") == "function_call"]
    assert calls_made[0] == "same"
    assert len(calls_made) == 3
    assert [item["call_id"] for item in last if item.get("type") == "function_call_output"] == calls_made
    # Its own reasoning goes back to it, twice; the other model's does not.
    assert sum(item.get("type") == "reasoning" for item in last) == 2
