"""The Responses wire over a WebSocket, with the vendor's own client."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from gateway_play import TOKEN, Play, gateway
from openai.lib.responses_websocket import (
    AsyncResponsesWebSocketSession,
    ResponsesWebSocketError,
    ResponsesWebSocketLimits,
)
from relay_play import Says, events, relaying
from responses_play import check_events
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from toolpost.server.settings import ServerSettings
from toolpost.testing import Gate, call, http_error, pause, reasoning, reset, text, turn
from toolpost.types.messages import Usage

FUNCTION: Any = {"type": "function", "name": "add", "parameters": {"type": "object", "properties": {}}}
ENDS = ("response.completed", "response.incomplete", "response.failed", "error", "response.steer.failed")
KEY = {"authorization": f"Bearer {TOKEN}"}
PATIENCE = 20.0
LIMITS = ResponsesWebSocketLimits(
    max_lanes=8, max_events_per_lane=128, max_events=512, max_bytes_per_lane=1_000_000, max_bytes=2_000_000
)


@asynccontextmanager
async def socket(play: Play, headers: dict[str, str] | None = None) -> AsyncGenerator[ClientConnection]:
    address = play.url.replace("http://", "ws://") + "/v1/responses"
    async with connect(address, additional_headers=KEY if headers is None else headers) as connection:
        yield connection


async def told(connection: ClientConnection) -> list[dict[str, Any]]:
    """The events of one turn."""
    found: list[dict[str, Any]] = []
    async with asyncio.timeout(PATIENCE):
        while not found or found[-1]["type"] not in ENDS:
            found.append(json.loads(await connection.recv()))
    return found


async def ask(connection: ClientConnection, **body: Any) -> list[dict[str, Any]]:
    await connection.send(json.dumps({"type": "response.create", "model": "m", **body}))
    return await told(connection)


def said(play: Play) -> list[Any]:
    return [message.get("content") for message in play.sent()["messages"]]


async def test_a_turn_is_told_in_events_as_a_stream_is(folder: Path) -> None:
    script = turn(reasoning("hm") + text("hello", chunk=2) + call("add", {"a": 1}), usage=Usage(12, 7))
    async with gateway(folder, script) as play, socket(play) as connection:
        response = check_events(await ask(connection, input="hi", tools=[FUNCTION]), on_socket=True)
        assert [item["type"] for item in response["output"]] == ["reasoning", "message", "function_call"]
        assert response["usage"]["total_tokens"] == 19
        counters = (await play.http.get("/metrics")).text
        assert 'toolpost_tokens_total{model="up/m",kind="output"} 7' in counters


async def test_the_vendors_client_takes_turns(folder: Path) -> None:
    async with gateway(folder, call("add", {"a": 1}), text("2")) as play:
        async with play.openai.responses.connect() as connection:
            await connection.response.create(model="m", input="add", tools=[FUNCTION], store=False)
            seen = [event async for event in until_end(connection)]
            response = seen[-1].response
            [item] = response.output
            result: Any = {"type": "function_call_output", "call_id": item.call_id, "output": "2"}
            await connection.response.create(
                model="m", input=[result], previous_response_id=response.id, tools=[FUNCTION], store=False
            )
            seen = [event async for event in until_end(connection)]
            assert seen[-1].response.output[0].content[0].text == "2"
            assert seen[-1].response.previous_response_id == response.id
        assert [message["role"] for message in play.sent()["messages"]] == ["user", "assistant", "tool"]


async def until_end(connection: Any) -> AsyncGenerator[Any]:
    async for event in connection:
        yield event
        if event.type in ENDS:
            return


async def test_the_vendors_lanes_take_turns(folder: Path) -> None:
    async with (
        gateway(folder, text("one"), text("two")) as play,
        play.openai.responses.connect() as connection,
        AsyncResponsesWebSocketSession(connection, limits=LIMITS) as session,
    ):
        lanes = session.lane("a"), session.lane("b")
        for number, lane in enumerate(lanes):
            await lane.send({"type": "response.create", "model": "m", "input": str(number)})
        answers = [(await lane.get_final_response()).output_text for lane in lanes]
        assert answers == ["one", "two"]
        await lanes[0].send({"type": "response.create", "model": "m", "input": []})
        with pytest.raises(ResponsesWebSocketError):
            await lanes[0].get_final_response()


async def test_a_connection_is_warmed_up_without_a_model(folder: Path) -> None:
    async with gateway(folder, text("hello")) as play, socket(play) as connection:
        warm = check_events(await ask(connection, instructions="Be kind.", generate=False, store=False), on_socket=True)
        assert (warm["output"], play.up.requests) == ([], [])
        more = check_events(
            await ask(connection, input="hi", previous_response_id=warm["id"], store=False), on_socket=True
        )
        assert more["status"] == "completed"
        assert said(play) == ["hi"]


async def test_responses_that_are_not_stored_are_known_on_their_connection_only(folder: Path) -> None:
    async with gateway(folder, text("a"), text("b")) as play:
        async with socket(play) as connection:
            first = check_events(await ask(connection, input="one", store=False), on_socket=True)
            await ask(connection, input="two", store=False, previous_response_id=first["id"])
            assert said(play) == ["one", "a", "two"]
        async with socket(play) as connection:
            [error] = await ask(connection, input="three", previous_response_id=first["id"])
            assert (error["type"], error["status"]) == ("error", 400)
            assert error["error"]["code"] == "previous_response_not_found"
            assert error["error"]["param"] == "previous_response_id"


async def test_responses_that_are_stored_are_known_everywhere(folder: Path) -> None:
    async with gateway(folder, text("a"), text("b"), text("c")) as play:
        async with socket(play) as connection:
            first = check_events(await ask(connection, input="one"), on_socket=True)
        async with socket(play) as connection:
            await ask(connection, input="two", previous_response_id=first["id"])
        assert said(play) == ["one", "a", "two"]
        await play.openai.responses.create(model="m", input="three", previous_response_id=first["id"])
        assert said(play) == ["one", "a", "three"]


async def test_what_comes_meanwhile_waits_for_its_turn(folder: Path) -> None:
    gate = Gate()
    async with gateway(folder, pause(gate) + text("one"), text("two")) as play, socket(play) as connection:
        for number in "12":
            await connection.send(json.dumps({"type": "response.create", "model": "m", "input": number}))
        await gate.reached.wait()
        assert len(play.up.requests) == 1
        gate.open()
        texts = [check_events(await told(connection), on_socket=True)["output"][0]["content"] for _ in "12"]
        assert [content[0]["text"] for content in texts] == ["one", "two"]


async def test_a_mistake_is_told_and_the_connection_goes_on(folder: Path) -> None:
    async with (
        gateway(folder, http_error(429, {"error": {"message": "slow"}}, {"retry-after": "7"}), text("a")) as play,
        socket(play) as connection,
    ):
        for message, param in (
            ("no JSON", None),
            ("[]", None),
            (b"binary", None),
            ('{"type": "response.stop"}', "type"),
            ('{"type": "response.create", "input": "hi"}', "model"),
            ('{"type": "response.create", "model": "m", "input": 3}', "input"),
            ('{"type": "response.create", "model": "m", "input": "a", "stream_id": "ä"}', "stream_id"),
        ):
            await connection.send(message)
            [error] = await told(connection)
            assert (error["type"], error["status"], error["error"]["param"]) == ("error", 400, param)
        [error] = await ask(connection, input="hi")
        assert (error["status"], error["error"]["headers"]) == (429, {"retry-after": "7"})
        await connection.send('{"type": "response.steer", "previous_response_id": "resp_1", "input": "stop"}')
        [failed] = await told(connection)
        assert failed["error"]["code"] == "steering_not_supported"
        assert check_events(await ask(connection, input="hi"), on_socket=True)["status"] == "completed"


async def test_a_failure_in_the_middle_is_told_and_the_connection_goes_on(folder: Path) -> None:
    async with gateway(folder, text("half") + reset(), text("a")) as play, socket(play) as connection:
        *_, error = await ask(connection, input="hi")
        assert error["type"] == "error"
        [failed] = await told(connection)
        assert failed["response"]["status"] == "failed"
        assert check_events(await ask(connection, input="hi"), on_socket=True)["status"] == "completed"


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 401),
        ({"authorization": "Bearer another-token-than-ours"}, 401),
        ({**KEY, "origin": "https://evil.example"}, 403),
    ],
)
async def test_who_may_not_come_in_is_refused(folder: Path, headers: dict[str, str], status: int) -> None:
    async with gateway(folder) as play:
        with pytest.raises(InvalidStatus) as caught:
            async with socket(play, headers):
                pass
        response = caught.value.response
        assert response.status_code == status
        assert json.loads(response.body)["error"]["message"]


async def test_another_host_and_another_path_are_refused(folder: Path) -> None:
    async with gateway(folder) as play:
        port = play.url.rpartition(":")[2]
        twice = [*KEY.items(), ("x-api-key", "a"), ("x-api-key", "b")]
        for address, headers, status in (
            (f"ws://evil.example:{port}/v1/responses", KEY, 403),
            (f"ws://127.0.0.1:{port}/v1/no", KEY, 404),
            (f"ws://127.0.0.1:{port}/v1/models", KEY, 200),
            (f"ws://127.0.0.1:{port}/v1/responses", twice, 400),
        ):
            with pytest.raises(InvalidStatus) as caught:
                async with connect(address, host="127.0.0.1", additional_headers=headers):
                    pass
            assert caught.value.response.status_code == status


async def test_a_message_that_is_too_large_ends_the_connection(folder: Path) -> None:
    async with gateway(folder, settings=ServerSettings(body_bytes=10_000)) as play, socket(play) as connection:
        await connection.send("x" * 10_001)
        with pytest.raises(ConnectionClosed) as caught:
            await connection.recv()
        assert caught.value.rcvd is not None
        assert caught.value.rcvd.code == 1009


async def test_a_silent_connection_is_closed(folder: Path) -> None:
    async with gateway(folder, settings=ServerSettings(socket_idle=0.05)) as play, socket(play) as connection:
        with pytest.raises(ConnectionClosed) as caught:
            await connection.recv()
        assert caught.value.rcvd is not None
        assert (caught.value.rcvd.code, "nothing came" in caught.value.rcvd.reason) == (1000, True)


async def test_a_connection_does_not_last_for_ever(folder: Path) -> None:
    async with gateway(folder, settings=ServerSettings(socket_seconds=0.05)) as play, socket(play) as connection:
        [error] = await told(connection)
        assert error["error"]["code"] == "websocket_connection_limit_reached"
        with pytest.raises(ConnectionClosed):
            await connection.recv()


async def test_one_socket_too_many_of_a_user_is_refused(folder: Path) -> None:
    tokens = {name: f"a-token-for-{name}-alone" for name in ("ann", "bob")}
    users = [f'[server.users.{name}]\ntoken_sha256 = "{sha256(tokens[name].encode()).hexdigest()}"' for name in tokens]
    config = "\n".join(["[server.responses]", "most_sockets = 2", *users, ""])
    anns, bobs = [{"authorization": f"Bearer {token}"} for token in tokens.values()]
    async with gateway(folder, text("hi"), text("ho"), config=config) as play:
        async with socket(play, anns), socket(play, anns) as second:
            with pytest.raises(InvalidStatus) as caught:
                async with socket(play, anns):
                    pass
            answer = caught.value.response
            assert answer.status_code == 429
            assert json.loads(answer.body)["error"]["message"] == (
                "you have 2 WebSockets open, and [server.responses] most_sockets allows no more: close one, or "
                "send this as a plain request"
            )
            assert (await ask(second, input="hi"))[-1]["type"] == "response.completed"
            async with socket(play, bobs) as another:
                assert (await ask(another, input="hi"))[-1]["type"] == "response.completed"
        async with asyncio.timeout(PATIENCE):
            # The server may not have seen yet that they were closed.
            while not await is_admitted(play, anns):  # noqa: ASYNC110 - nothing tells
                await asyncio.sleep(0.002)


async def is_admitted(play: Play, headers: dict[str, str]) -> bool:
    try:
        async with socket(play, headers):
            return True
    except InvalidStatus:
        return False


async def test_a_client_that_leaves_ends_the_models_work(folder: Path) -> None:
    delta = {"type": "response.output_text.delta", "delta": "x", "item_id": "a", "output_index": 0}
    never = Says([*events({"type": "response.created", "response": {}}, delta), asyncio.Event()])
    async with relaying(folder, never, wire="openai_responses") as play:
        async with socket(play) as connection:
            await connection.send(json.dumps({"type": "response.create", "model": "m", "input": "hi"}))
            assert json.loads(await connection.recv())["type"] == "response.created"
        async with asyncio.timeout(PATIENCE):
            await play.vendor.gone.wait()


async def test_a_server_that_stops_says_goodbye(folder: Path) -> None:
    gate = Gate()
    async with gateway(folder, pause(gate) + text("last words")) as play:
        idle_one, busy_one = socket(play), socket(play)
        async with idle_one as idle, busy_one as busy:
            await busy.send(json.dumps({"type": "response.create", "model": "m", "input": "hi"}))
            await gate.reached.wait()
            assert play.app is not None
            stopping = asyncio.create_task(play.app.stop())
            with pytest.raises(ConnectionClosed) as caught:
                await idle.recv()
            assert caught.value.rcvd is not None
            assert caught.value.rcvd.code == 1001
            with pytest.raises(InvalidStatus) as refused:
                async with socket(play):
                    pass
            assert refused.value.response.status_code == 503
            gate.open()
            assert check_events(await told(busy), on_socket=True)["output"][0]["content"][0]["text"] == "last words"
            with pytest.raises(ConnectionClosed):
                await busy.recv()
            await stopping


async def test_events_of_a_responses_upstream_come_as_they_were(folder: Path) -> None:
    delta = {"type": "response.output_text.delta", "delta": "x", "item_id": "a", "output_index": 0, "new": [1]}
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": [{"type": "output_text", "text": "x"}]}
    sent = [{"type": "response.created", "response": {}}, delta]
    sent += [{"type": "response.completed", "response": {"id": "resp_1", "output": [item], "store": False}}]
    says = Says(events(*sent))
    async with relaying(folder, says, says, wire="openai_responses") as play, socket(play) as connection:
        tools = [{"type": "something_new"}]
        assert await ask(connection, input="hi", tools=tools, store=False) == sent
        assert play.vendor.heard[0].json == {
            "model": "m", "input": "hi", "tools": tools, "store": False, "stream": True,
        }  # fmt: skip
        await ask(connection, input="more", tools=tools, store=False, previous_response_id="resp_1")
        again = play.vendor.heard[1].json
        assert [part["content"][0]["text"] for part in again["input"]] == ["hi", "x", "more"]
        assert "previous_response_id" not in again
        assert again["tools"] == tools


async def test_a_plain_get_is_told_what_to_do(folder: Path) -> None:
    async with gateway(folder) as play:
        answer = await play.http.get("/v1/responses")
        assert (answer.status_code, answer.headers["allow"]) == (405, "POST")
