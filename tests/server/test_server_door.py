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
        assert (ours.status, ours.json["error"]["kind"]) == (401, "authentication")
        assert ours.json["error"]["code"] == ("token_invalid" if token else "token_missing")
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
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example:80",
        "",
        "[::",
        "[",
        "evil@localhost",
        "localhost/",
        "localhost, evil",
    ],
)
async def test_a_name_that_was_led_here_is_refused(host: str) -> None:
    async with playing(echo()) as server:
        answer = await server.call("POST", "/echo", host=host)
        assert (answer.status, answer.json["error"]["code"]) == (403, "permission")
        assert (await server.call("GET", "/healthz", host=host, token="")).status == 403


TWICE = [
    ("host: evil.example",),
    ("host: localhost",),
    ("HOST: localhost", "connection: upgrade", "upgrade: websocket"),
    ("origin: http://evil.example", "origin: http://localhost"),
    (f"authorization: Bearer {WRONG}",),
    (f"x-api-key: {WRONG}", f"X-Api-Key: {WRONG}"),
]


@pytest.mark.parametrize("lines", TWICE)
@pytest.mark.parametrize(("method", "path"), [("POST", "/echo"), ("GET", "/healthz"), ("GET", "/nothing")])
async def test_a_header_that_decides_who_comes_in_is_said_once(lines: tuple[str, ...], method: str, path: str) -> None:
    async with playing(echo(), host="0.0.0.0") as server:
        answer = await server.call(method, path, *lines)
        assert (answer.status, answer.json["error"]["code"]) == (400, "invalid_request")
        assert "twice" in answer.json["error"]["message"]
        preflight = await server.call("OPTIONS", path, *lines, "access-control-request-method: GET")
        assert preflight.status == 400


async def test_a_stream_of_events_wants_one_host_as_well() -> None:
    async def stream(request) -> None:
        async with request.stream() as out:
            await out.write(b"data: x\n\n")

    async with playing(Route("GET", "/events", stream)) as server:
        assert (await server.call("GET", "/events", "host: localhost", "accept: text/event-stream")).status == 400
        assert (await server.call("GET", "/events", "accept: text/event-stream")).status == 200


POSTED, HERE, CHUNKED = "POST /echo HTTP/1.1", "host: localhost", "transfer-encoding: chunked"
# Two readers of one connection could understand each of these heads differently.
TWO_WAYS = {
    "no host": (POSTED, "content-length: 5"),
    "length and chunks": (POSTED, HERE, "content-length: 5", CHUNKED),
    "chunks and length": (POSTED, HERE, CHUNKED, "content-length: 5"),
    "two lengths": (POSTED, HERE, "content-length: 5", "content-length: 3"),
    "one length twice": (POSTED, HERE, "content-length: 5", "content-length: 5"),
    "a list of lengths": (POSTED, HERE, "content-length: 5, 5"),
    "a signed length": (POSTED, HERE, "content-length: +5"),
    "chunks before another coding": (POSTED, HERE, f"{CHUNKED}, identity"),
    "chunks twice": (POSTED, HERE, CHUNKED, CHUNKED),
    "chunks in HTTP/1.0": ("POST /echo HTTP/1.0", HERE, CHUNKED),
    "a target elsewhere": ("POST http://evil.example/echo HTTP/1.1", HERE, "content-length: 5"),
    "a target with a user": ("POST http://evil@localhost/echo HTTP/1.1", HERE, "content-length: 5"),
    "a target without a path": ("POST http://localhost HTTP/1.1", HERE, "content-length: 5"),
    "an authority": ("CONNECT localhost:1 HTTP/1.1", HERE),
    "a folded line": (POSTED, HERE, " evil.example", "content-length: 5"),
    "a space before the colon": (POSTED, "host : localhost", "content-length: 5"),
    "letters that are not ASCII": ("POST /\xff\xfe HTTP/1.1", HERE, "content-length: 5"),
}


@pytest.mark.parametrize("lines", TWO_WAYS.values(), ids=TWO_WAYS)
async def test_a_request_that_can_be_read_in_two_ways_is_refused(lines: tuple[str, ...]) -> None:
    head = "\r\n".join([*lines, f"authorization: Bearer {TOKEN}", "", ""])
    async with playing(echo()) as server, server.client() as client:
        await client.say(head.encode("latin-1") + b"0\r\n\r\n")
        answer = await client.answer()
        assert answer.status == 400
        assert answer.json["error"]["message"]


async def test_a_target_that_names_this_host_is_as_good_as_a_path() -> None:
    async with playing(echo()) as server:
        assert (await server.call("POST", "http://localhost/echo", body=b"x")).body == b"x"
        assert (await server.call("POST", "http://localhost:80/echo", body=b"x")).status == 400
        assert (await server.call("POST", "/echo?next=http://evil.example/", body=b"x")).status == 200


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


async def test_a_page_can_read_its_requests_id_and_what_answered_it() -> None:
    async with playing(CHAT, origins=("*",)) as server:
        answer = await server.call("POST", "/v1/chat/completions", "origin: https://any.example")
        exposed = answer.headers["access-control-expose-headers"].split(", ")
        assert answer.headers["access-control-allow-origin"] == "https://any.example"
        assert {"request-id", "x-request-id", "x-conversation-id", "x-toolpost-model", "retry-after"} <= set(exposed)
        assert answer.headers["x-request-id"].startswith("req_")


@pytest.mark.parametrize("origin", ["https://page.example/", "page.example", "https://Page.example", "", "https://*"])
async def test_an_origin_that_no_browser_sends_is_refused_at_the_start(origin: str) -> None:
    with pytest.raises(ConfigError, match="is not an origin; write scheme, host and port"):
        async with playing(origins=(origin,)):
            pass


async def test_a_path_is_unquoted_once() -> None:
    seen = []

    async def handler(request) -> None:
        seen.append(request.params["id"])
        await request.reply()

    async with playing(Route("GET", "/things/{id:rest}", handler)) as server:
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
