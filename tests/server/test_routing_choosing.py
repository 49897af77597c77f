"""Which model a request goes to: routes by name, by what the request is like, and the default."""

from pathlib import Path
from typing import Any

import anthropic
import openai
import pytest
from gateway_play import HI, Play, gateway

from toolpost.server.gateway.targets import Targets
from toolpost.server.refusals import Refusal
from toolpost.testing import http_error, text
from toolpost.types.errors import ConfigError

ASK: dict[str, Any] = {"max_tokens": 100, "messages": HI}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
IMAGE = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}}
READ = {"name": "read", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}}}}
ALL = "".join(
    f'[server.routes.{name}]\nmodel = "up/{name}"\n'
    for name in ("think", "default", "background", "web_search", "image", "long_context")
)


async def taken(folder: Path, config: str, *requests: dict[str, Any]) -> list[str]:
    """The models that requests on Anthropic's wire came to."""
    async with gateway(folder, *(text("hello") for _ in requests), config=config) as play:
        for request in requests:
            await play.anthropic.messages.create(**{"model": "claude-sonnet", **ASK, **request})
        return asked_for(play)


def asked_for(play: Play) -> list[str]:
    return [request.body["model"] for request in play.up.requests]


async def test_naming_a_model_is_enough_for_the_routes_that_everybody_knows(folder: Path) -> None:
    requests: list[dict[str, Any]] = [
        {},
        {"model": "claude-haiku"},
        {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 3000},
        {"messages": [{"role": "user", "content": "x" * 250_000}]},
        {"messages": [{"role": "user", "content": [IMAGE, {"type": "text", "text": "what is it?"}]}]},
        {"tools": [{"type": "web_search_20250305", "name": "web_search"}]},
    ]
    ways = ["default", "background", "think", "long_context", "image", "web_search"]
    assert await taken(folder, ALL, *requests) == ways


async def test_a_thought_that_is_left_to_the_model_is_no_wish_to_think(folder: Path) -> None:
    requests: list[dict[str, Any]] = [
        {"thinking": {"type": "disabled"}},
        {"extra_body": {"thinking": {"type": "adaptive"}}},
        {"extra_body": {"thinking": {"type": "adaptive"}, "output_config": {"effort": "high"}}},
    ]
    assert await taken(folder, ALL, *requests) == ["default", "default", "think"]


async def test_an_image_counts_until_the_user_says_something_else(folder: Path) -> None:
    seen = {"role": "user", "content": [IMAGE]}
    result = [{"type": "tool_result", "tool_use_id": "t1", "content": [IMAGE]}]
    used = {"role": "assistant", "content": [{"type": "tool_use", "id": "t1", "name": "read", "input": {}}]}
    requests: list[dict[str, Any]] = [
        {"messages": [seen, {"role": "assistant", "content": "a dot"}, *HI]},
        {"messages": [*HI, used, {"role": "user", "content": result}], "tools": [READ]},
    ]
    assert await taken(folder, ALL, *requests) == ["default", "image"]


async def test_a_route_asked_for_by_its_name_is_that_route(folder: Path) -> None:
    long = [{"role": "user", "content": "x" * 250_000}]
    assert await taken(folder, ALL, {"model": "think"}, {"model": "background", "messages": long}) == [
        "think",
        "background",
    ]


async def test_a_model_of_a_provider_is_taken_as_it_is(folder: Path) -> None:
    thinks = {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 3000}
    requests: list[dict[str, Any]] = [{"model": "up/haiku"}, {"model": "up,mine", **thinks}]
    assert await taken(folder, ALL, *requests) == ["haiku", "mine"]


async def test_unpinned_names_of_models_lead_to_routes_only(folder: Path) -> None:
    config = "[server]\npin = false\n" + ALL
    async with gateway(folder, text("hello"), text("hello"), config=config) as play:
        for name in ("up/other", "up/claude-haiku"):
            await play.anthropic.messages.create(**ASK, model=name)
        assert asked_for(play) == ["default", "background"]
        listed = [model.id async for model in play.openai.models.list()]
        assert "up/default" not in listed
        assert "default" in listed


async def test_conditions_of_ones_own_take_the_place_of_the_usual_ones(folder: Path) -> None:
    config = (
        ALL
        + '[server.routes.long_context.when]\nmin_tokens = 100\n[server.routes.background.when]\nmodels = ["tiny-*"]\n'
        + '[server.routes.think.when]\nthinking = "high"\n'
    )
    little = {"thinking": {"type": "enabled", "budget_tokens": 2000}, "max_tokens": 3000}
    much = {"thinking": {"type": "enabled", "budget_tokens": 20_000}, "max_tokens": 30_000}
    requests: list[dict[str, Any]] = [
        {"messages": [{"role": "user", "content": "x" * 500}]},
        {"model": "claude-haiku"},
        {"model": "Tiny-1"},
        little,
        {**much, "timeout": 10.0},
    ]
    assert await taken(folder, config, *requests) == ["long_context", "default", "background", "default", "think"]


OWN = """
[server.routes.never]
model = "up/never"
[server.routes.anns]
model = "up/anns"
when = { users = ["ann"] }
[server.routes.readers]
model = "up/readers"
when = { tools = ["re*"], wires = ["anthropic"] }
[server.routes.titles]
model = "up/titles"
when = { system = ["*write a title*"] }
[server.routes.small]
model = "up/small"
when = { max_tokens = 20, thinking = false, images = false }
[server.routes.rest]
model = "up/rest"
when = { models = ["*"] }
[server.users.ann]
token_env = "ANN_TOKEN"
"""


async def test_own_rules_are_looked_at_in_the_order_of_the_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANN_TOKEN", "the-token-that-ann-has")
    async with gateway(folder, *[text("hello")] * 6, config=OWN + ALL) as play:
        ann = play.anthropic.with_options(api_key="the-token-that-ann-has")
        answers = [
            await ann.messages.with_raw_response.create(**ASK, model="m", tools=[READ]),
            await play.anthropic.messages.with_raw_response.create(**ASK, model="m", tools=[READ]),
            await play.anthropic.messages.with_raw_response.create(**ASK, model="m", system="Now write a title."),
            await play.anthropic.messages.with_raw_response.create(**ASK, model="m"),
            await play.anthropic.messages.with_raw_response.create(
                **{**ASK, "messages": [{"role": "user", "content": "x" * 500}]}, model="claude-haiku"
            ),
        ]
        await play.openai.chat.completions.create(model="m", messages=[{"role": "user", "content": "x" * 500}])
        assert asked_for(play) == ["anns", "readers", "titles", "small", "rest", "rest"]
        routes = [answer.headers["x-toolpost-route"] for answer in answers]
        assert routes == ["anns", "readers", "titles", "small", "rest"]
        assert answers[0].headers["x-toolpost-model"] == "up/anns"


async def test_the_openai_wires_take_the_same_routes(folder: Path) -> None:
    url = f"data:image/png;base64,{PNG}"
    seen: Any = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": url}}]}]
    async with gateway(folder, *[text("hello")] * 4, config=ALL) as play:
        await play.openai.chat.completions.create(model="gpt-5", messages=HI, reasoning_effort="high")
        await play.openai.responses.create(model="gpt-5", input="hi", reasoning={"effort": "medium"})
        await play.openai.responses.create(model="gpt-5-mini", input="hi", reasoning={"effort": "minimal"})
        await play.openai.chat.completions.create(model="gpt-5", messages=seen)
        assert asked_for(play) == ["think", "think", "background", "image"]


async def test_a_model_that_cannot_be_made_is_passed_over(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GROQ_API_KEY", raising=False)
    config = '[server.routes.default]\nmodel = "groq/llama"\nfallbacks = ["nobody/m", "up/second"]\n'
    async with gateway(folder, text("hello"), config=config) as play:
        await play.anthropic.messages.create(**ASK, model="m")
        assert asked_for(play) == ["second"]


async def test_a_server_that_is_not_there_is_passed_over(folder: Path) -> None:
    config = (
        '[providers.gone]\nbase_url = "http://127.0.0.1:1/v1"\n'
        '[server.routes.default]\nmodel = "gone/m"\nfallbacks = ["up/second"]\n'
    )
    async with gateway(folder, text("hello"), config=config) as play:
        await play.anthropic.messages.create(**ASK, model="m")
        assert asked_for(play) == ["second"]


async def test_what_fails_for_a_moment_is_tried_again_before_the_first_byte(folder: Path) -> None:
    config = '[server.routes.default]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'
    async with gateway(folder, http_error(503), http_error(503), text("hello"), config=config) as play:
        await play.anthropic.messages.create(**ASK, model="m")
        assert asked_for(play) == ["first", "second", "first"]


async def test_only_what_is_soon_over_is_waited_for(folder: Path) -> None:
    config = '[server.routes.default]\nmodel = "up/first"\nfallbacks = ["up/second"]\n'
    turns = [http_error(429, "slow", {"retry-after": "60"}), http_error(503), text("hello")]
    async with gateway(folder, *turns, config=config) as play:
        await play.anthropic.messages.create(**ASK, model="m")
        assert asked_for(play) == ["first", "second", "second"]


async def test_retries_end_and_the_first_failure_is_told(folder: Path) -> None:
    config = "[server]\nretries = 2\n"
    async with gateway(folder, http_error(529, "full"), http_error(500), http_error(400), config=config) as play:
        with pytest.raises(anthropic.APIStatusError, match="full") as caught:
            await play.anthropic.messages.create(**ASK, model="m")
        assert caught.value.status_code == 529


async def test_what_shall_wait_for_long_is_not_waited_for(folder: Path) -> None:
    async with gateway(folder, http_error(429, "slow", {"retry-after": "30"})) as play:
        with pytest.raises(openai.RateLimitError) as caught:
            await play.openai.chat.completions.create(model="m", messages=HI)
        assert caught.value.response.headers["retry-after"] == "30"


async def test_a_name_is_a_model_for_a_session_where_it_is_a_route_or_a_model(folder: Path) -> None:
    async with gateway(folder, config=ALL) as play:
        targets = Targets(play.workspace, play.workspace.model("up/m"))
        names = ("", "think", "up/other")
        assert [targets.model(name).info.id for name in names] == ["up/default", "up/think", "up/other"]
        assert targets.model("", usual="up/mine").info.id == "up/mine"
        assert targets.model("", usual="image").info.id == "up/image"
        assert targets.model("think", usual="up/mine").info.id == "up/think"
        for name in ("claude-sonnet", "nobody/m"):
            with pytest.raises(Refusal):
                targets.model(name)


async def test_a_route_to_what_is_no_model_is_said_at_the_start(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"\[server.routes.quick\].*is not a model id"):
        async with gateway(folder, config='[server.routes.quick]\nmodel = "gpt-5-mini"\n'):
            pass


SMALL = '[small]\nmodel = "up/tiny"\noptions = { max_tokens = 64, temperature = 0 }\n'


async def test_a_route_may_name_the_small_model_which_then_has_its_own_options(folder: Path) -> None:
    routes = '[server.routes.default]\nmodel = "up/large"\n[server.routes.background]\nmodel = "small"\n'
    async with gateway(folder, text("one"), text("two"), config=SMALL + routes) as play:
        for name in ("claude-sonnet", "claude-haiku"):
            await play.openai.chat.completions.create(model=name, messages=HI, top_p=0.5)
        large, small = (request.body for request in play.up.requests)
        listed = [model.id async for model in play.openai.models.list()]
    assert (large["model"], small["model"]) == ("up/large".partition("/")[2], "tiny")
    assert "temperature" not in large
    assert (small["temperature"], small["top_p"]) == (0, 0.5)
    assert 64 in (small.get("max_tokens"), small.get("max_completion_tokens"))
    assert listed[:5] == ["default", "background", "up/large", "up/tiny", "up/m"]


async def test_what_a_request_says_is_stronger_than_the_small_models_options(folder: Path) -> None:
    routes = '[server.routes.default]\nmodel = "small"\n'
    async with gateway(folder, text("one"), config=SMALL + routes) as play:
        await play.openai.chat.completions.create(model="m", messages=HI, temperature=0.7)
        (request,) = play.up.requests
    assert request.body["temperature"] == 0.7


async def test_a_route_to_the_small_model_where_there_is_none_is_said_at_the_start(folder: Path) -> None:
    with pytest.raises(ConfigError, match=r"routes.background\]: no small model is configured; set one: \[small\]"):
        async with gateway(folder, config='[server.routes.background]\nmodel = "small"\n'):
            pass
