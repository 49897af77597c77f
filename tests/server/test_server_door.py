"""Who may come in, and how the others are told."""

import pytest
from server_play import TOKEN, echo, playing

from toolpost.server.routing import Route
from toolpost.server.serve import token_for
from toolpost.server.settings import ServerSettings
from toolpost.types.errors import ConfigError

MESSAGES = echo("/v1/messages", shape="anthropic")
CHAT = echo("/v1/chat/completions", shape="openai")
MODELS = echo("/v1/models", method="GET", shape="openai")
WRONG = "a-token-of-nobody"


@pytest.mark.parametrize(
    "lines", [f"Authorization: Bearer {TOKEN}", f"authorization: bearer {TOKEN}", f"X-Api-Key: {TOKEN}"]
)
async def test_the_token_opens_the_door_in_each_of_its_forms(lines: str) -> None:
    async with playing(echo()) as server:
        assert (await server.call("POST", "/echo", lines, body=b"hello", token="")).body == b"hello"


async def test_a_client_with_a_key_of_its_own_besides_the_token_comes_in() -> None:
    async with playing(echo()) as server:
        assert (await server.call("POST", "/echo", f"x-api-key: {TOKEN}", token=WRONG)).status == 200


@pytest.mark.parametrize("token", ["", WRONG, TOKEN[:-1], TOKEN + "x", TOKEN.upper()])
async def test_a_wrong_token_is_told_in_the_words_of_the_wire(token: str) -> None:
    async with playing(MESSAGES, CHAT, MODELS, echo("/api/things")) as server:
        anthropic = await server.call("POST", "/v1/messages", token=token)
        assert anthropic.status == 401
        assert anthropic.json["type"] == "error"
        assert anthropic.json["error"]["type"] == "authentication_error"
        openai = await server.call("POST", "/v1/chat/completions", token=token)
        assert openai.status == 401
        assert openai.json["error"]["code"] == "invalid_api_key"
        listed = await server.call("GET", "/v1/models", "anthropic-version: 2023-06-01", token=token)
        assert (listed.status, listed.json["type"]) == (401, "error")
        ours = await server.call("POST", "/api/things", token=token)
        assert (ours.status, ours.json["error"]["code"]) == (401, "authentication")
        assert ours.headers["www-authenticate"] == "Bearer"
        assert ours.headers["request-id"] == ours.json["request_id"]


async def test_only_health_is_open() -> None:
    async with playing(echo()) as server:
        for path in ("/healthz", "/readyz"):
            assert (await server.call("GET", path, token="")).status == 200
        for path in ("/metrics", "/echo", "/nothing", "/", "/v1/messages"):
            assert (await server.call("GET", path, token="")).status == 401


async def test_what_is_not_there_and_what_cannot_be_done_are_told_apart() -> None:
    async with playing(MESSAGES, CHAT) as server:
        missing = await server.call("GET", "/v1/messages/none")
        assert (missing.status, missing.json["error"]["type"]) == (404, "not_found_error")
        other = await server.call("DELETE", "/v1/chat/completions")
        assert (other.status, other.headers["allow"]) == (405, "POST")
        assert other.json["error"]["type"] == "invalid_request_error"
        assert (await server.call("GET", "/nothing")).json["error"]["code"] == "not_found"


async def test_head_is_get_without_the_body() -> None:
    async with playing() as server, server.client() as client:
        await client.ask("HEAD", "/healthz")
        head = await client.answer(bodiless=True)
        await client.ask("GET", "/healthz")
        whole = await client.answer()
        assert head.status == 200
        assert head.headers["content-length"] == whole.headers["content-length"] == str(len(whole.body))


@pytest.mark.parametrize(
    "host", ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example:80", "", "[::", "["]
)
async def test_a_name_that_was_led_here_is_refused(host: str) -> None:
    async with playing(echo()) as server:
        answer = await server.call("POST", "/echo", host=host)
        assert (answer.status, answer.json["error"]["code"]) == (403, "permission")
        assert (await server.call("GET", "/healthz", host=host, token="")).status == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8642", "LOCALHOST", "[::1]:9", "tools.example:443"])
async def test_its_own_names_are_known(host: str) -> None:
    async with playing(echo(), hosts=("Tools.example",)) as server:
        assert (await server.call("POST", "/echo", host=host)).status == 200


async def test_a_page_of_another_origin_is_refused_even_with_the_token() -> None:
    async with playing(echo()) as server:
        for origin in ("https://evil.example", "null", "http://localhost:9999"):
            answer = await server.call("POST", "/echo", f"origin: {origin}")
            assert answer.status == 403
            assert "access-control-allow-origin" not in answer.headers
        assert (await server.call("POST", "/echo", "origin: http://localhost")).status == 200


async def test_pages_that_the_settings_name_may_call() -> None:
    page = "https://page.example"
    async with playing(echo(), origins=(page,)) as server:
        asked = ("access-control-request-method: POST", "access-control-request-headers: authorization, x-thing")
        preflight = await server.call("OPTIONS", "/echo", f"origin: {page}", *asked, token="")
        assert preflight.status == 204
        assert preflight.headers["access-control-allow-origin"] == page
        assert preflight.headers["access-control-allow-headers"] == "authorization, x-thing"
        answer = await server.call("POST", "/echo", f"origin: {page}")
        assert (answer.status, answer.headers["access-control-allow-origin"]) == (200, page)
        # The page has to be able to read why it was refused.
        refused = await server.call("POST", "/echo", f"origin: {page}", token="")
        assert (refused.status, refused.headers["access-control-allow-origin"]) == (401, page)
        other = await server.call("OPTIONS", "/echo", "origin: https://other.example", *asked, token="")
        assert other.status == 403
        assert "access-control-allow-origin" not in other.headers
        assert (await server.call("POST", "/echo")).headers["vary"] == "origin"


async def test_a_path_is_unquoted_once() -> None:
    seen = []

    async def handler(request) -> None:
        seen.append(request.params["id"])
        await request.reply()

    async with playing(Route("GET", "/things/{id...}", handler)) as server:
        await server.call("GET", "/things/a%252Fb%2Fc")
    assert seen == ["a%2Fb/c"]


def test_a_token_is_made_where_none_is_given() -> None:
    token, is_made = token_for(ServerSettings(), "", {})
    again, _ = token_for(ServerSettings(), "", {})
    assert is_made
    assert len(token) >= 32
    assert token != again
    assert token_for(ServerSettings(), "", {"TOOLPOST_TOKEN": TOKEN}) == (TOKEN, False)
    assert token_for(ServerSettings(), WRONG, {"TOOLPOST_TOKEN": TOKEN}) == (WRONG, False)


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "tools.example"])
def test_other_doors_than_loopback_need_a_token_of_a_person(host: str) -> None:
    with pytest.raises(ConfigError, match="TOOLPOST_TOKEN"):
        token_for(ServerSettings(host=host), "", {})
    assert token_for(ServerSettings(host=host), TOKEN, {}) == (TOKEN, False)


@pytest.mark.parametrize(
    ("token", "why"), [("short", "too short"), ("a token with spaces", "header"), ("töken" * 5, "header")]
)
def test_a_token_that_cannot_do_is_refused(token: str, why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        token_for(ServerSettings(), token, {})
