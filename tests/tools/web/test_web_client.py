"""The web client against hostile servers and resolvers, over real sockets."""

import asyncio
import gzip
import os
import time
import tracemalloc
import zlib

import pytest
from certificates import OwnCertificate, own_certificate
from web_world import OTHER, PUBLIC, Peer, Script, World, answer, redirect, saying, serving

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import AddressRefused, Target
from toolpost.net.decode import accepted_codings
from toolpost.tools.web.client import WebClient, WebRequest, WebResponse
from toolpost.types.errors import ToolError

MB = 1_000_000


@pytest.fixture
def world(monkeypatch: pytest.MonkeyPatch) -> World:
    for name in list(os.environ):
        if name.lower().endswith("_proxy"):
            monkeypatch.delenv(name)
    world = World()
    world.name("example.com", [PUBLIC])
    return world


async def fetch(world: World, script: Script, url: str = "http://example.com/", **request: object) -> WebResponse:
    async with serving(script) as server:
        world.servers[PUBLIC, 80] = server.port
        return await WebClient(Policy(), world).fetch(WebRequest(url=url, **request))  # type: ignore[arg-type]


async def test_a_page_is_fetched_from_the_address_that_was_checked(world: World) -> None:
    seen: list[Peer] = []

    async def script(peer: Peer) -> None:
        seen.append(peer)
        assert await peer.take() == b"GET /a?b HTTP/1.1"
        await peer.send(answer("hello", "text/plain; charset=utf-8"))

    fetched = await fetch(world, script, "http://example.com/a?b")
    assert (fetched.status, fetched.body, fetched.cut) == (200, b"hello", False)
    assert fetched.content_type == "text/plain"
    assert world.connected == [(PUBLIC, 80)]
    head = seen[0].head.lower()
    assert b"\r\nhost: example.com\r\n" in head
    assert f"accept-encoding: {accepted_codings()}\r\n".encode() in head
    assert b"cookie" not in head
    assert b"authorization" not in head


async def test_a_name_that_turns_to_loopback_after_the_check_is_still_fetched_from_the_checked_address(
    world: World,
) -> None:
    world.name("example.com", [PUBLIC], ["127.0.0.1"])
    async with serving(saying(answer("secret"))) as inside, serving(saying(answer("public"))) as outside:
        world.servers = {("127.0.0.1", 80): inside.port, (PUBLIC, 80): outside.port}
        fetched = await WebClient(Policy(), world).fetch(WebRequest(url="http://example.com/"))
        assert fetched.body == b"public"
        assert world.resolved == ["example.com"]
        assert inside.peers == []


async def test_a_name_that_turned_to_loopback_is_refused_at_the_next_hop(world: World) -> None:
    world.name("example.com", [PUBLIC], ["127.0.0.1"])
    async with serving(saying(answer("secret"))) as inside, serving(saying(redirect("/again"))) as outside:
        world.servers = {("127.0.0.1", 80): inside.port, (PUBLIC, 80): outside.port}
        with pytest.raises(AddressRefused, match="loopback"):
            await WebClient(Policy(), world).fetch(WebRequest(url="http://example.com/"))
        assert inside.peers == []
    assert world.connected == [(PUBLIC, 80)]


@pytest.mark.parametrize(
    "location",
    [
        "http://127.0.0.1/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://0x7f.1/",
        "http://localhost/",
        "//inside.example.org/",
        "http://user:pass@example.com/",
        "http://example.com:22/",
        "file:///etc/passwd",
        "gopher://example.com/_x",
        "http://metadata.google.internal/",
    ],
)
async def test_a_redirect_to_what_is_private_is_not_followed(world: World, location: str) -> None:
    world.name("inside.example.org", ["10.0.0.1"])
    with pytest.raises(AddressRefused):
        await fetch(world, saying(redirect(location)))
    assert world.connected == [(PUBLIC, 80)]


async def test_redirects_are_followed_to_their_limit_and_each_host_is_told(world: World) -> None:
    world.name("example.org", [OTHER])
    hops: list[Target] = []

    async def on_hop(target: Target) -> None:
        hops.append(target)

    async with (
        serving(saying(redirect("/b"), redirect("http://example.org/c"))) as one,
        serving(saying(answer("end"))) as two,
    ):
        world.servers = {(PUBLIC, 80): one.port, (OTHER, 80): two.port}
        fetched = await WebClient(Policy(), world).fetch(WebRequest(url="http://example.com/"), on_hop)
    assert (fetched.url, fetched.body, fetched.hosts) == (
        "http://example.org/c",
        b"end",
        ("example.com", "example.org"),
    )
    assert [target.host for target in hops] == ["example.org"]
    with pytest.raises(ToolError, match="more than 5 times"):
        await fetch(world, saying(redirect("/next")))


async def test_a_hop_that_is_not_allowed_is_never_connected_to(world: World) -> None:
    world.name("example.org", [OTHER])

    async def refuse(target: Target) -> None:
        raise ToolError(f"no {target.host}")

    async with serving(saying(redirect("http://example.org/"))) as server:
        world.servers[PUBLIC, 80] = server.port
        with pytest.raises(ToolError, match=r"no example\.org"):
            await WebClient(Policy(), world).fetch(WebRequest(url="http://example.com/"), refuse)
    assert "example.org" not in world.resolved


async def test_the_next_address_is_tried_where_the_first_does_not_answer(world: World) -> None:
    world.name("example.com", ["2606:4700::1", PUBLIC])
    assert (await fetch(world, saying(answer("hello")))).body == b"hello"
    assert world.connected == [("2606:4700::1", 80), (PUBLIC, 80)]


def gzipped_bomb(size: int) -> bytes:
    machine = zlib.compressobj(9, zlib.DEFLATED, 31)
    return b"".join([*(machine.compress(bytes(MB)) for _ in range(size // MB)), machine.flush()])


BOMB = gzipped_bomb(200 * MB)
BOMBS = {
    "gzip 1000:1": (BOMB, "gzip"),
    "deflate": (zlib.compress(bytes(50 * MB), 9), "deflate"),
    "raw deflate": (zlib.compress(bytes(50 * MB), 9)[2:-4], "deflate"),
    "nested": (gzip.compress(BOMB), "gzip, gzip"),
    "nested over two headers": (gzip.compress(BOMB), "gzip\r\ncontent-encoding: gzip"),
    "a middle that grows to nothing": (gzip.compress(gzip.compress(b"") * 10 + bytes(50 * MB)), "gzip, gzip"),
    "many members": (gzip.compress(bytes(MB)) * 100, "x-gzip"),
}


@pytest.mark.parametrize("kind", BOMBS)
async def test_a_decompression_bomb_costs_no_more_than_its_limit(world: World, kind: str) -> None:
    body, coding = BOMBS[kind]
    script = saying(answer(body, "text/plain", "200 OK", f"content-encoding: {coding}"))
    tracemalloc.start()
    try:
        fetched = await fetch(world, script, limit=2 * MB)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert fetched.cut
    assert len(fetched.body) <= 2 * MB
    assert peak < 8 * MB


async def test_a_body_that_is_as_long_as_its_limit_is_not_cut(world: World) -> None:
    fetched = await fetch(world, saying(answer(b"x" * 1000)), limit=1000)
    assert (len(fetched.body), fetched.cut) == (1000, False)
    fetched = await fetch(world, saying(answer(b"x" * 1001)), limit=1000)
    assert (len(fetched.body), fetched.cut) == (1000, True)


@pytest.mark.parametrize(
    ("coding", "body", "said"),
    [
        ("compress", b"x", "unknown Content-Encoding 'compress'"),
        ("gzip, gzip, gzip", b"x", "3 times"),
        ("gzip", b"no gzip", "broken"),
        ("gzip", gzip.compress(b"hello" * 1000, mtime=0)[:-20], "middle of its compressed"),
        ("gzip", gzip.compress(b"", mtime=0) * 1001, "1,000 members"),
    ],
)
async def test_a_body_that_cannot_be_decoded_is_a_clear_error(
    world: World, coding: str, body: bytes, said: str
) -> None:
    with pytest.raises(ToolError, match=said):
        await fetch(world, saying(answer(body, "text/plain", "200 OK", f"content-encoding: {coding}")))


CHUNKED = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n"


async def test_a_chunked_body_is_put_together(world: World) -> None:
    fetched = await fetch(world, saying(CHUNKED + b"5\r\nhello\r\n7;ext=1\r\n, world\r\n0\r\nx-trailer: 1\r\n\r\n"))
    assert fetched.body == b"hello, world"
    assert "x-trailer" not in fetched.headers


async def test_an_endless_chunked_body_is_cut_at_the_limit(world: World) -> None:
    async def script(peer: Peer) -> None:
        await peer.take()
        await peer.send(CHUNKED)
        while True:
            await peer.send(b"1000\r\n" + b"x" * 4096 + b"\r\n")

    fetched = await fetch(world, script, limit=MB)
    assert (len(fetched.body), fetched.cut) == (MB, True)


@pytest.mark.parametrize(
    "endless",
    [b"1;" + b"e" * 5000 + b"\r\nx\r\n", b"0\r\n" + b"x-trailer: " + b"t" * 5000 + b"\r\n"],
    ids=["extensions", "trailers"],
)
async def test_endless_framing_around_no_body_ends_at_a_limit_too(world: World, endless: bytes) -> None:
    async def script(peer: Peer) -> None:
        await peer.take()
        await peer.send(CHUNKED + endless)
        while True:
            await peer.send(endless if endless.startswith(b"1") else endless[3:])

    fetched = await fetch(world, script, limit=100_000, seconds=10)
    assert fetched.cut
    assert len(fetched.body) <= 100_000


@pytest.mark.parametrize("line", [b"x-a: " + b"a" * 1000 + b"\r\n", b"HTTP/1.1 100 Continue\r\n\r\n"])
async def test_an_endless_head_is_given_up(world: World, line: bytes) -> None:
    async def script(peer: Peer) -> None:
        await peer.take()
        await peer.send(b"" if line.startswith(b"HTTP") else b"HTTP/1.1 200 OK\r\n")
        while True:
            await peer.send(line)

    with pytest.raises(ToolError, match=r"head of the response is longer|does not speak HTTP"):
        await fetch(world, script, seconds=10)


@pytest.mark.parametrize("part", ["head", "body", "handshake"])
async def test_a_server_that_trickles_is_given_up_within_the_time(world: World, part: str) -> None:
    async def script(peer: Peer) -> None:
        if part != "handshake":
            await peer.take()
            await peer.send(
                b"HTTP/1.1 200 OK\r\n" if part == "head" else b"HTTP/1.1 200 OK\r\ncontent-length: 9999\r\n\r\n"
            )
        while part != "handshake":
            await peer.send(b"x")
            await asyncio.sleep(0.02)
        await peer.reader.read()

    url = "https://example.com/" if part == "handshake" else "http://example.com/"
    started = time.monotonic()
    async with serving(script) as server:
        world.servers = {(PUBLIC, 80): server.port, (PUBLIC, 443): server.port}
        with pytest.raises(ToolError, match=r"within 0\.3 s") as caught:
            await WebClient(Policy(), world).fetch(WebRequest(url=url, seconds=0.3))
    assert caught.value.kind == "timeout"
    assert time.monotonic() - started < 3


async def test_the_time_is_for_all_hops_together(world: World) -> None:
    async def script(peer: Peer) -> None:
        await peer.take()
        await asyncio.sleep(0.15)
        await peer.send(redirect("/next"))

    with pytest.raises(ToolError, match=r"within 0\.4 s"):
        await fetch(world, script, seconds=0.4, redirects=20)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "closed before"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "middle of the response"),
        (CHUNKED + b"5\r\nhel", "middle of the response"),
        (b"SSH-2.0-OpenSSH_9.9\r\n", "does not speak HTTP"),
        (b"HTTP/1.1 101 Switching Protocols\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n", "another protocol|closed"),
        (CHUNKED + b"zz\r\n", "does not speak HTTP"),
    ],
)
async def test_a_broken_answer_is_a_clear_error(world: World, data: bytes, said: str) -> None:
    with pytest.raises(ToolError, match=said):
        await fetch(world, saying(data))


async def test_a_body_without_a_length_ends_with_the_connection(world: World) -> None:
    assert (await fetch(world, saying(b"HTTP/1.0 200 OK\r\n\r\nall of it"))).body == b"all of it"


async def test_an_unknown_name_is_a_clear_error(world: World) -> None:
    with pytest.raises(ToolError, match=r"nowhere\.example\.net/: cannot connect|not known"):
        await WebClient(Policy(), world).fetch(WebRequest(url="http://nowhere.example.net/"))


async def test_only_a_get_follows_a_redirect(world: World) -> None:
    with pytest.raises(ToolError, match="only a GET"):
        await fetch(world, saying(redirect("/x", "307 Temporary Redirect")), method="POST", body=b"{}")


async def test_a_header_cannot_smuggle_a_line(world: World) -> None:
    with pytest.raises(ToolError, match="line break"):
        await fetch(world, saying(answer("x")), headers={"accept": "a\r\nx-evil: 1"})


async def test_with_the_machines_own_network_an_allowed_host_on_loopback_is_fetched() -> None:
    async with serving(saying(answer("inside"))) as server:
        url = f"http://localhost:{server.port}/"
        with pytest.raises(AddressRefused):
            await WebClient(Policy()).fetch(WebRequest(url=url))
        client = WebClient(Policy([f"localhost:{server.port}"]))
        assert (await client.fetch(WebRequest(url=url))).body == b"inside"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> OwnCertificate:
    return own_certificate(tmp_path_factory.mktemp("tls"), "example.com")


async def test_the_certificate_is_checked_for_the_name_and_not_for_the_address(
    world: World, certificate: OwnCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.name("example.org", [PUBLIC])
    async with serving(saying(answer("safe")), ssl=certificate.server) as server:
        world.servers[PUBLIC, 443] = server.port
        client = WebClient(Policy(), world)
        with pytest.raises(ToolError, match="certificate is not trusted"):
            await client.fetch(WebRequest(url="https://example.com/"))
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
        assert (await client.fetch(WebRequest(url="https://example.com/"))).body == b"safe"
        with pytest.raises(ToolError, match="certificate is not trusted"):
            await client.fetch(WebRequest(url="https://example.org/"))


async def test_https_is_not_left_for_plain_http(
    world: World, certificate: OwnCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    async with serving(saying(redirect("http://example.com/")), ssl=certificate.server) as server:
        world.servers[PUBLIC, 443] = server.port
        with pytest.raises(AddressRefused, match="from https to plain http"):
            await WebClient(Policy(), world).fetch(WebRequest(url="https://example.com/"))
    assert world.connected == [(PUBLIC, 443)]


async def test_behind_a_proxy_the_proxy_connects_and_private_names_are_still_refused(
    world: World, certificate: OwnCertificate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(certificate.file))
    lines: list[bytes] = []

    async def proxy(peer: Peer) -> None:
        lines.append(await peer.take())
        if not lines[-1].startswith(b"CONNECT"):
            await peer.send(answer("by proxy"))
            return
        assert b"Proxy-Authorization: Basic dTpw\r\n" in peer.head
        await peer.send(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await peer.writer.start_tls(certificate.server)
        await peer.take()
        await peer.send(answer("by tunnel"))

    async with serving(proxy) as server:
        world.servers["proxy.lan", 3128] = server.port
        monkeypatch.setenv("HTTPS_PROXY", "http://u:p@proxy.lan:3128")
        monkeypatch.setenv("HTTP_PROXY", "http://proxy.lan:3128")
        client = WebClient(Policy(), world)
        assert (await client.fetch(WebRequest(url="https://example.com/"))).body == b"by tunnel"
        # A machine behind a proxy may resolve no public name at all.
        assert (await client.fetch(WebRequest(url="http://unknown.example.net/x"))).body == b"by proxy"
        assert lines == [b"CONNECT example.com:443 HTTP/1.1", b"GET http://unknown.example.net/x HTTP/1.1"]
        world.name("inside.example.org", ["10.0.0.1"])
        for url in (
            "http://inside.example.org/",
            "http://10.0.0.1/",
            "http://printer/",
            "http://metadata.google.internal/",
        ):
            with pytest.raises(AddressRefused):
                await client.fetch(WebRequest(url=url))
        assert len(lines) == 2


async def test_a_proxy_that_refuses_is_a_clear_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    async with serving(saying(b"HTTP/1.1 403 Forbidden\r\n\r\n")) as server:
        world.servers["proxy.lan", 3128] = server.port
        monkeypatch.setenv("HTTPS_PROXY", "proxy.lan:3128")
        with pytest.raises(ToolError, match=r"403 Forbidden.*HTTPS_PROXY"):
            await WebClient(Policy(), world).fetch(WebRequest(url="https://example.com/"))


async def test_a_proxy_of_another_kind_is_a_clear_error(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "socks4://proxy.lan:1080")
    with pytest.raises(ToolError, match=r"'socks4' is not supported.*HTTPS_PROXY"):
        await WebClient(Policy(), world).fetch(WebRequest(url="https://example.com/"))
    assert world.connected == []


async def test_the_password_of_a_proxy_that_cannot_be_read_is_told_to_nobody(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://user:hunter2/x@proxy.lan:3128")
    with pytest.raises(ToolError, match="cannot be read") as raised:
        await WebClient(Policy(), world).fetch(WebRequest(url="https://example.com/"))
    assert "hunter2" not in str(raised.value)
    assert world.connected == []
