"""One turn of a model through the gateway, with the vendors' own clients and every wire behind it."""

import asyncio
import json
from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from gateway_play import ADD, ADD_CHAT, HI, WIRES, blocks, broken, gateway, sse

from toolpost.testing import (
    Turn,
    call,
    calls,
    cut,
    end,
    error_object,
    http_error,
    pause,
    reasoning,
    reset,
    stall,
    text,
    turn,
)
from toolpost.types.messages import Usage

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI}
CHAT: dict[str, Any] = {"model": "m", "messages": HI}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
every_wire = pytest.mark.parametrize("wire", WIRES)


@every_wire
async def test_thinking_text_and_calls_reach_anthropics_client(folder: Path, wire: str) -> None:
    script = reasoning("hm") + text("hello", chunk=2)
    script += calls(call("add", {"a": 1}, chunk=3), call("add", {"a": 2}, chunk=1))
    async with (
        gateway(folder, turn(script, usage=Usage(12, 7)), wire=wire) as play,
        play.anthropic.messages.stream(**ASK, tools=[ADD]) as stream,
    ):
        answer = await stream.get_final_message()
    thought, said, *called = answer.content
    assert (thought.thinking, said.text) == ("hm", "hello")
    assert [(block.name, block.input) for block in called] == [("add", {"a": 1}), ("add", {"a": 2})]
    assert len({block.id for block in called}) == 2
    assert answer.stop_reason == "tool_use"
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (12, 7)


@every_wire
async def test_the_same_comes_in_one_piece(folder: Path, wire: str) -> None:
    script = text("hello") + call("add", {"a": 1})
    async with gateway(folder, turn(script, usage=Usage(12, 7)), wire=wire) as play:
        answer = await play.anthropic.messages.create(**ASK, tools=[ADD])
    assert answer.content[0].text == "hello"
    assert (answer.content[1].name, answer.content[1].input, answer.stop_reason) == ("add", {"a": 1}, "tool_use")
    assert (answer.usage.input_tokens, answer.usage.output_tokens) == (12, 7)


@every_wire
async def test_openais_chat_client_gets_text_calls_and_usage(folder: Path, wire: str) -> None:
    script = text("hello", chunk=2) + calls(call("add", {"a": 1}, chunk=3), call("add", {"a": 2}))
    wishes = {**CHAT, "tools": [ADD_CHAT], "stream_options": {"include_usage": True}}
    async with (
        gateway(folder, turn(script, usage=Usage(12, 7)), wire=wire) as play,
        play.openai.chat.completions.stream(**wishes) as stream,
    ):
        answer = await stream.get_final_completion()
    (choice,) = answer.choices
    assert choice.message.content == "hello"
    made = [(one.function.name, json.loads(one.function.arguments)) for one in choice.message.tool_calls]
    assert made == [("add", {"a": 1}), ("add", {"a": 2})]
    assert choice.finish_reason == "tool_calls"
    assert (answer.usage.prompt_tokens, answer.usage.completion_tokens) == (12, 7)


@every_wire
async def test_openais_responses_client_gets_text_calls_and_usage(folder: Path, wire: str) -> None:
    tool = {"type": "function", "name": "add", "parameters": ADD["input_schema"], "strict": False}
    script = reasoning("hm") + text("hello", chunk=2) + call("add", {"a": 1}, chunk=3)
    async with (
        gateway(folder, turn(script, usage=Usage(12, 7)), wire=wire) as play,
        play.openai.responses.stream(model="m", input="hi", tools=[tool]) as stream,
    ):
        answer = await stream.get_final_response()
    assert answer.output_text == "hello"
    made = next(item for item in answer.output if item.type == "function_call")
    assert (made.name, json.loads(made.arguments)) == ("add", {"a": 1})
    assert (answer.status, answer.usage.input_tokens, answer.usage.output_tokens) == ("completed", 12, 7)


@every_wire
async def test_a_result_goes_back_to_the_model(folder: Path, wire: str) -> None:
    async with gateway(folder, reasoning("hm") + call("add", {"a": 1}), text("it is 2"), wire=wire) as play:
        first = await play.anthropic.messages.create(**ASK, tools=[ADD])
        made = next(block for block in first.content if block.type == "tool_use")
        result = {"type": "tool_result", "tool_use_id": made.id, "content": "two"}
        said = [*HI, {"role": "assistant", "content": first.content}, {"role": "user", "content": [result]}]
        second = await play.anthropic.messages.create(**{**ASK, "messages": said}, tools=[ADD])
        assert second.content[0].text == "it is 2"
        assert "two" in json.dumps(play.sent())


async def test_anthropics_tool_runner_works_to_the_end(folder: Path) -> None:
    @anthropic.beta_async_tool
    async def add(a: int) -> str:
        """Add one."""
        return str(a + 1)

    async with gateway(folder, call("add", {"a": 1}), text("it is 2")) as play:
        answer = await play.anthropic.beta.messages.tool_runner(**ASK, tools=[add]).until_done()
        assert answer.content[0].text == "it is 2"
        assert play.sent()["messages"][-1]["content"] == "2"


@every_wire
async def test_an_image_reaches_the_model(folder: Path, wire: str) -> None:
    image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
    async with gateway(folder, text("a dot"), wire=wire) as play:
        asked = [{"role": "user", "content": [image, {"type": "text", "text": "what is it?"}]}]
        answer = await play.anthropic.messages.create(**{**ASK, "messages": asked})
        assert answer.content[0].text == "a dot"
        assert PNG in json.dumps(play.sent())


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize(
    ("refusal", "of_anthropic", "of_openai"),
    [
        (http_error(401, "no such key"), anthropic.AuthenticationError, openai.AuthenticationError),
        (http_error(429, "slow", {"retry-after": "3"}), anthropic.RateLimitError, openai.RateLimitError),
        (http_error(529, "full"), anthropic.InternalServerError, openai.InternalServerError),
        (http_error(500, "oops"), anthropic.InternalServerError, openai.InternalServerError),
        (http_error(404, "no such model"), anthropic.NotFoundError, openai.NotFoundError),
        (http_error(400, "odd"), anthropic.BadRequestError, openai.BadRequestError),
        (reset(), anthropic.InternalServerError, openai.InternalServerError),
    ],
)
async def test_a_refusal_is_the_exception_that_clients_know(
    folder: Path, refusal: Turn, of_anthropic: Any, of_openai: Any, is_streamed: bool
) -> None:
    async with gateway(folder, refusal, refusal, config="[server]\nretries = 0\n") as play:
        with pytest.raises(of_anthropic) as caught:
            await play.anthropic.messages.create(**ASK, stream=is_streamed)
        with pytest.raises(of_openai):
            await play.openai.chat.completions.create(**CHAT, stream=is_streamed)
    if caught.value.status_code == 429:
        assert caught.value.response.headers["retry-after"] == "3"
    assert caught.value.body["type"] == "error"


@every_wire
@pytest.mark.parametrize("end_of_it", [cut(), end(), error_object({"message": "slow", "code": 429})], ids=str)
async def test_a_stream_that_breaks_ends_with_an_error(folder: Path, wire: str, end_of_it: Turn) -> None:
    async with gateway(folder, text("half") + end_of_it, wire=wire) as play:
        events = await play.events()
    assert blocks(events)[0]["text"] == "half"
    assert broken(events)["message"]


async def test_the_clients_raise_where_a_stream_breaks(folder: Path) -> None:
    async with gateway(folder, *[text("half") + cut()] * 3) as play:
        with pytest.raises(anthropic.APIStatusError):
            async with play.anthropic.messages.stream(**ASK) as stream:
                await stream.get_final_message()
        with pytest.raises(openai.APIError):
            async for _ in await play.openai.chat.completions.create(**CHAT, stream=True):
                pass
        with pytest.raises(openai.APIError):
            async for _ in await play.openai.responses.create(model="m", input="hi", stream=True):
                pass


async def test_a_broken_answer_is_no_answer_where_it_comes_in_one_piece(folder: Path) -> None:
    async with gateway(folder, text("half") + cut()) as play:
        with pytest.raises(anthropic.InternalServerError):
            await play.anthropic.messages.create(**ASK)


ROUTES = '[server.routes.quick]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'


@pytest.mark.parametrize("refusal", [http_error(529, "full"), http_error(401, "key"), reset()], ids=str)
async def test_another_model_stands_in_before_the_first_byte(folder: Path, refusal: Turn) -> None:
    async with gateway(folder, refusal, text("hello"), config=ROUTES) as play:
        answer = await play.anthropic.messages.create(**{**ASK, "model": "quick"})
        assert answer.content[0].text == "hello"
        assert [asked.body["model"] for asked in play.up.requests] == ["first", "second"]


async def test_after_the_first_byte_no_other_model_is_asked(folder: Path) -> None:
    async with gateway(folder, text("half") + cut(), config=ROUTES) as play:
        assert broken(await play.events(model="quick"))
        assert len(play.up.requests) == 1


async def test_what_is_wrong_with_the_question_is_not_asked_of_another(folder: Path) -> None:
    async with gateway(folder, http_error(400, "odd"), config=ROUTES) as play:
        with pytest.raises(anthropic.BadRequestError):
            await play.anthropic.messages.create(**{**ASK, "model": "quick"})


async def test_a_name_that_nobody_knows_is_answered_by_the_usual_model(folder: Path) -> None:
    async with gateway(folder, text("hello"), text("again")) as play:
        await play.anthropic.messages.create(**{**ASK, "model": "claude-unheard-of"})
        await play.anthropic.messages.create(**{**ASK, "model": "up/other"})
        assert [asked.body["model"] for asked in play.up.requests] == ["m", "other"]
        with pytest.raises(anthropic.NotFoundError, match="nowhere"):
            await play.anthropic.messages.create(**{**ASK, "model": "nowhere/x"})
        with pytest.raises(openai.NotFoundError, match="nowhere"):
            await play.openai.chat.completions.create(**{**CHAT, "model": "nowhere/x"})


async def test_models_are_listed_for_both_clients(folder: Path) -> None:
    async with gateway(folder, config=ROUTES) as play:
        of_anthropic = [model.id async for model in play.anthropic.models.list()]
        of_openai = [model.id async for model in play.openai.models.list()]
        assert of_anthropic == of_openai
        assert of_openai[:4] == ["quick", "up/first", "up/second", "up/m"]
        assert (await play.anthropic.models.retrieve("quick")).id == "quick"
        assert (await play.openai.models.retrieve("quick")).id == "quick"
        assert (await play.openai.models.retrieve("up/first")).id == "up/first"


async def test_tokens_are_counted_without_asking_the_model(folder: Path) -> None:
    async with gateway(folder) as play:
        few = await play.anthropic.messages.count_tokens(model="m", messages=HI)
        longer = [{"role": "user", "content": "hi " * 500}]
        many = await play.anthropic.messages.count_tokens(model="m", messages=longer)
    assert 0 < few.input_tokens < many.input_tokens


async def test_without_the_token_nothing_is_answered(folder: Path) -> None:
    async with gateway(folder) as play:
        other = play.anthropic.with_options(api_key="a-token-of-someone-else")
        with pytest.raises(anthropic.AuthenticationError):
            await other.messages.create(**ASK)


async def test_a_client_that_leaves_ends_the_models_answer(folder: Path) -> None:
    async with gateway(folder, text("half") + stall()) as play:
        async with play.anthropic.messages.stream(**ASK) as stream:
            async for _ in stream.text_stream:
                break
        await play.up.closed(timeout=2.0)


async def test_what_a_client_wishes_reaches_the_model(folder: Path) -> None:
    failed = {"type": "tool_result", "tool_use_id": "t1", "content": "it broke", "is_error": True}
    call_block = {"type": "tool_use", "id": "t1", "name": "add", "input": {"a": 1}}
    said = [*HI, {"role": "assistant", "content": [call_block]}, {"role": "user", "content": [failed]}]
    async with gateway(folder, text("a")) as play:
        wishes = {"stop_sequences": ["X"], "top_p": 0.5, "tool_choice": {"type": "any"}}
        await play.events(messages=said, tools=[ADD], **wishes)
        sent = play.sent()
    assert (sent["stop"], sent["top_p"], sent["tool_choice"]) == (["X"], 0.5, "required")
    assert "it broke" in sent["messages"][-1]["content"]


SCHEMA = {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"], "additionalProperties": False}
ANTHROPICS = {"output_config": {"format": {"type": "json_schema", "schema": SCHEMA}}}
FORMAT = {"type": "json_schema", "name": "it", "schema": SCHEMA, "strict": True}
ASKED_FOR = {
    "openai_chat": lambda sent: sent["response_format"]["json_schema"]["schema"],
    "openai_responses": lambda sent: sent["text"]["format"]["schema"],
    "anthropic": lambda sent: sent["output_config"]["format"]["schema"],
    "gemini": lambda sent: sent["generationConfig"]["responseJsonSchema"],
    "ollama": lambda sent: sent["format"],
}


@every_wire
async def test_the_form_of_the_answer_is_asked_for_on_every_wire(folder: Path, wire: str) -> None:
    nested = {"type": "json_schema", "json_schema": {"name": "it", "schema": SCHEMA, "strict": True}}
    async with gateway(folder, *[text('{"x": 1}')] * 3, wire=wire) as play:
        await play.anthropic.messages.create(**ASK, extra_body=ANTHROPICS)
        await play.openai.chat.completions.create(**CHAT, response_format=nested)
        await play.openai.responses.create(model="m", input="hi", text={"format": FORMAT})
        assert [ASKED_FOR[wire](asked.body) for asked in play.up.requests] == [SCHEMA] * 3
    if wire == "openai_chat":
        assert play.sent(1)["response_format"] == nested


@every_wire
async def test_fields_of_one_wire_stay_on_it(folder: Path, wire: str) -> None:
    async with gateway(folder, text("a"), text("a"), wire=wire) as play:
        await play.anthropic.messages.create(**ASK, metadata={"user_id": "u"}, service_tier="auto")
        await play.openai.chat.completions.create(**CHAT, logit_bias={"5": 1})
        of_anthropic, of_chat = (asked.body for asked in play.up.requests)
    assert {"metadata", "service_tier"} <= set(of_anthropic) if wire == "anthropic" else "metadata" not in of_anthropic
    assert ("logit_bias" in of_chat) == (wire == "openai_chat")


async def test_one_call_at_a_time_is_asked_for(folder: Path) -> None:
    async with gateway(folder, text("a"), text("a")) as play:
        one_by_one = {"type": "auto", "disable_parallel_tool_use": True}
        await play.anthropic.messages.create(**ASK, tools=[ADD], tool_choice=one_by_one)
        await play.openai.chat.completions.create(**CHAT, tools=[ADD_CHAT], parallel_tool_calls=False)
        assert [asked.body["parallel_tool_calls"] for asked in play.up.requests] == [False, False]


async def test_a_forced_tool_is_the_only_one_on_offer(folder: Path) -> None:
    other = {**ADD, "name": "other"}
    async with gateway(folder, call("add", {"a": 1})) as play:
        await play.events(tools=[ADD, other], tool_choice={"type": "tool", "name": "add"})
        sent = play.sent()
        assert [tool["function"]["name"] for tool in sent["tools"]] == ["add"]
        assert sent["tool_choice"] == "required"
        refused = await play.http.post(
            "/v1/messages", json={**ASK, "tools": [ADD], "tool_choice": {"type": "tool", "name": "gone"}}
        )
    assert (refused.status_code, refused.json()["error"]["type"]) == (400, "invalid_request_error")


async def test_chat_streams_end_with_done_and_errors_without(folder: Path) -> None:
    async with gateway(folder, text("a"), text("a") + cut()) as play:
        good = await play.http.post("/v1/chat/completions", json={**CHAT, "stream": True})
        bad = await play.http.post("/v1/chat/completions", json={**CHAT, "stream": True})
    assert good.text.rstrip().endswith("data: [DONE]")
    assert "error" in sse(bad.text)[-1]


@pytest.mark.parametrize("path", ["/v1/messages", "/v1/chat/completions"])
async def test_a_silent_stream_says_that_it_lives(folder: Path, path: str) -> None:
    gate = asyncio.Event()
    async with gateway(folder, text("a") + pause(gate) + text("b"), keep_alive=0.05) as play:
        seen = ""
        async with play.http.stream("POST", path, json={**ASK, "stream": True}) as answer:
            async for piece in answer.aiter_text():
                seen += piece
                # Twice as much as the one at the start, where there is one.
                if seen.count("ping") >= 4 or seen.count("\n:") >= 2:
                    gate.set()
    assert gate.is_set()
    assert "message_stop" in seen or "[DONE]" in seen
