"""Kept answers to identical deterministic requests, over a real socket."""

from pathlib import Path
from typing import Any

import pytest
from gateway_play import ADD, HI, Play, gateway, sse, whole, with_server

from toolpost.config.schema import CacheSettings, UseSettings
from toolpost.server.gateway.cache import LocalCacheStore
from toolpost.testing import call, cut, http_error, reasoning, text, turn
from toolpost.types.messages import Usage

ASK: dict[str, Any] = {"model": "m", "max_tokens": 100, "messages": HI, "temperature": 0}
CACHE = "[server.cache]\nseconds = 60\n"
ANN = "the-token-that-ann-has"
USERS = '[server.users.ann]\ntoken_env = "ANN_TOKEN"\n'
WIRES = ["openai_chat", "anthropic"]


@pytest.fixture(autouse=True)
def token(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", ANN)


async def asked(play: Play, path: str = "/v1/messages", token: str = "", **body: Any) -> tuple[str, Any]:
    """Whether it was a hit, and the answer."""
    headers = {"x-api-key": token} if token else {}
    answer = await play.http.post(path, json={**ASK, **body}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.headers.get("x-toolpost-cache", ""), sse(answer.text) if body.get("stream") else answer.json()


async def test_nothing_is_kept_unless_it_is_asked_for(folder: Path) -> None:
    async with gateway(folder, text("one"), text("two")) as play:
        assert [(await asked(play))[0] for _ in range(2)] == ["", ""]


@pytest.mark.parametrize("wire", WIRES)
@pytest.mark.parametrize("is_streamed", [False, True])
async def test_a_hit_is_the_same_answer_again(folder: Path, wire: str, is_streamed: bool) -> None:
    """With a model on the client's own wire, whose bytes are sent on, and with one on another."""
    script = turn(reasoning("hm"), text("hello", chunk=2), call("add", {"a": 1}), usage=Usage(12, 7))
    async with gateway(folder, script, wire=wire, config=CACHE) as play:
        first, second = [await asked(play, stream=is_streamed, tools=[ADD]) for _ in range(2)]
        assert (first[0], second[0]) == ("miss", "hit")
        if is_streamed:
            assert whole(first[1]) == whole(second[1])
            assert whole(second[1])[1] == "tool_use"
            assert second[1][-2]["usage"]["output_tokens"] == 7
        else:
            assert first[1]["content"] == second[1]["content"]
            assert second[1]["stop_reason"] == "tool_use"


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
async def test_the_openai_wires_have_it_too(folder: Path, path: str) -> None:
    asks: dict[str, Any] = {"messages": None, "input": "hi"} if path.endswith("responses") else {"max_tokens": None}
    async with gateway(folder, text("hello"), config=CACHE) as play:
        (was, first), (now, second) = [await asked(play, path, **asks) for _ in range(2)]
        assert (was, now) == ("miss", "hit")
        said = [
            value["output"][0] if "output" in value else value["choices"][0]["message"] for value in (first, second)
        ]
        assert said[0]["content"] == said[1]["content"]


async def test_only_what_is_deterministic_is_kept(folder: Path) -> None:
    async with gateway(folder, *[text("hello")] * 4, config=CACHE) as play:
        for _ in range(2):
            assert (await asked(play, temperature=0.5))[0] == ""
        path, seeded = "/v1/chat/completions", {"temperature": 0.5, "seed": 7, "max_tokens": None}
        assert [(await asked(play, path, **seeded))[0] for _ in range(2)] == ["miss", "hit"]
        assert (await asked(play, path, **{**seeded, "seed": 8}))[0] == "miss"


async def test_whatever_differs_is_another_request(folder: Path) -> None:
    routes = '[server.routes.other]\nmodel = "up/other"\n'
    different: list[dict[str, Any]] = [
        {},
        {"system": "be brief"},
        {"metadata": {"user_id": "x"}},
        {"model": "other"},
        {"messages": [{"role": "user", "content": "hi!"}]},
    ]
    async with gateway(folder, *[text("hello")] * len(different), config=CACHE + routes) as play:
        assert [(await asked(play, **body))[0] for body in different] == ["miss"] * len(different)
        assert [(await asked(play, **body))[0] for body in different] == ["hit"] * len(different)


async def test_a_user_gets_nothing_that_another_asked_for(folder: Path) -> None:
    async with gateway(folder, text("mine"), text("anns"), config=CACHE + USERS) as play:
        assert [(await asked(play, token=token))[0] for token in ("", ANN, ANN)] == ["miss", "miss", "hit"]


async def test_answers_can_be_shared(folder: Path) -> None:
    async with gateway(folder, text("ours"), config=CACHE + "shared = true\n" + USERS) as play:
        assert [(await asked(play, token=token))[0] for token in ("", ANN)] == ["miss", "hit"]


async def test_a_hit_costs_nothing(folder: Path) -> None:
    config = CACHE + "[server.limits]\nrequests_per_minute = 1\n"
    async with gateway(folder, turn(text("hello"), usage=Usage(12, 7)), config=config) as play:
        assert [(await asked(play))[0] for _ in range(3)] == ["miss", "hit", "hit"]
        metrics = (await play.http.get("/metrics")).text
        assert 'toolpost_tokens_total{model="up/m",kind="output"} 7' in metrics


async def test_what_failed_or_broke_off_is_not_kept(folder: Path) -> None:
    broken = text("half") + cut()
    too_long = turn(text("half"), finish="length")
    async with gateway(folder, broken, http_error(400), too_long, text("whole"), config=CACHE) as play:
        assert (await play.http.post("/v1/messages", json={**ASK, "stream": True})).text.count("event: error") == 1
        assert (await play.http.post("/v1/messages", json={**ASK, "stream": True})).status_code == 400
        for expected in ("miss", "miss", "hit"):
            assert (await asked(play, stream=True))[0] == expected


async def test_an_answer_with_tools_that_ran_here_is_not_kept(folder: Path, mcp_url: str) -> None:
    config = CACHE + with_server(folder, mcp_url)
    turns = [call("mcp__play__echo", {"text": "x"}), text("done")]
    async with gateway(folder, *turns, *turns, config=config) as play:
        for _ in range(2):
            state, answer = await asked(play)
            assert (state, answer["content"][-1]["text"]) == ("miss", "done")


async def test_an_answer_that_is_too_large_is_sent_and_not_kept(folder: Path) -> None:
    config = CACHE + "most_bytes = 1000\n"
    async with gateway(folder, text("x" * 2000), text("y" * 2000), config=config) as play:
        answers = [await asked(play) for _ in range(2)]
        assert [answer["content"][0]["text"][0] for _, answer in answers] == ["x", "y"]


async def test_what_is_too_old_is_gone_and_what_was_used_last_stays_longest() -> None:
    now = 0.0
    keeper = LocalCacheStore(250, clock=lambda: now)
    keeper.put("a", b"a" * 80, 10.0)
    keeper.put("b", b"b" * 80, 20.0)
    assert await keeper.get("a")
    keeper.put("c", b"c" * 80, 20.0)
    assert [await keeper.get(key) for key in "abc"] == [b"a" * 80, None, b"c" * 80]
    now = 10.0
    assert [await keeper.get(key) for key in "ac"] == [None, b"c" * 80]


def test_it_is_off_by_default() -> None:
    assert CacheSettings().seconds == 0
    assert not UseSettings().given()
