"""Who the client is, behind a proxy that is trusted and behind one that is not."""

import logging

import pytest
from server_play import playing

from toolpost.server.http import Request
from toolpost.server.routing import Route
from toolpost.types.errors import ConfigError

FORWARDED = "x-forwarded-for: 203.0.113.7"
SECURE = "x-forwarded-proto: https"


async def _tell(request: Request) -> None:
    await request.reply_json([request.address, request.is_secure, request.url.scheme])


SEEN = Route("GET", "/seen", _tell)


async def seen(*lines: str, trusted: tuple[str, ...] = ("127.0.0.1",)) -> list[object]:
    async with playing(SEEN, trusted_proxies=trusted) as server:
        return (await server.call("GET", "/seen", *lines)).json


async def test_without_trusted_proxies_the_headers_count_for_nothing() -> None:
    assert await seen(FORWARDED, SECURE, trusted=()) == ["127.0.0.1", False, "http"]


async def test_a_proxy_that_is_not_named_is_not_believed() -> None:
    assert await seen(FORWARDED, SECURE, trusted=("10.0.0.0/8", "::1")) == ["127.0.0.1", False, "http"]


@pytest.mark.parametrize("trusted", ["127.0.0.1", "127.0.0.0/8", "0.0.0.0/0", " 127.0.0.1 "])
async def test_a_trusted_proxy_tells_address_and_scheme(trusted: str) -> None:
    assert (await seen(FORWARDED, SECURE, trusted=(trusted, "::1")))[1:] == [True, "https"]
    assert (await seen(FORWARDED, SECURE, trusted=(trusted,)))[0] == "203.0.113.7"


@pytest.mark.parametrize(
    ("lines", "address"),
    [
        # What a client wrote itself stands before what the proxy added.
        (["x-forwarded-for: 198.51.100.1, 203.0.113.7"], "203.0.113.7"),
        (["x-forwarded-for: 198.51.100.1", FORWARDED], "203.0.113.7"),
        (["x-forwarded-for: 198.51.100.1, 203.0.113.7, 10.0.0.3"], "203.0.113.7"),
        (["x-forwarded-for: 10.0.0.2, 10.0.0.3"], "10.0.0.2"),
        (["x-forwarded-for: 198.51.100.1, nonsense, 10.0.0.3"], "10.0.0.3"),
        (["x-forwarded-for: nonsense"], "127.0.0.1"),
        (["x-forwarded-for:"], "127.0.0.1"),
        (["x-forwarded-for: 203.0.113.7:4711"], "203.0.113.7"),
        (["x-forwarded-for: 2001:db8::7"], "2001:db8::7"),
        (["x-forwarded-for: [2001:db8::7]:4711"], "2001:db8::7"),
        (["x-forwarded-for: ::ffff:203.0.113.7"], "203.0.113.7"),
        ([], "127.0.0.1"),
    ],
)
async def test_the_client_is_the_last_address_that_is_not_a_proxys(lines: list[str], address: str) -> None:
    assert (await seen(*lines, trusted=("127.0.0.1", "10.0.0.0/8")))[0] == address


@pytest.mark.parametrize(
    ("line", "is_secure"),
    [
        (SECURE, True),
        ("x-forwarded-proto: HTTPS", True),
        ("x-forwarded-proto: http", False),
        ("x-forwarded-proto: https, http", False),
        ("x-forwarded-proto: http, https", True),
    ],
)
async def test_the_last_scheme_is_the_proxys_own(line: str, is_secure: bool) -> None:
    assert (await seen(line))[1] is is_secure


async def test_the_access_log_names_the_client(caplog: pytest.LogCaptureFixture) -> None:
    async with playing(SEEN, trusted_proxies=("127.0.0.1",)) as server:
        with caplog.at_level(logging.INFO, logger="toolpost.access"):
            await server.call("GET", "/seen", FORWARDED)
            await server.call("GET", "/seen", "x-forwarded-for: 1.2.3.4\\nforged")
    first, second = [record.getMessage() for record in caplog.records if record.name == "toolpost.access"]
    assert " 203.0.113.7 GET /seen 200 " in first
    assert " 127.0.0.1 GET " in second


@pytest.mark.parametrize("given", ["nginx", "", "10.0.0.0/33", "127.0.0.1:80"])
async def test_a_proxy_that_is_not_an_address_is_refused_at_the_start(given: str) -> None:
    with pytest.raises(ConfigError, match=r"trusted_proxies: .* is not an address"):
        async with playing(trusted_proxies=(given,)):
            pass
