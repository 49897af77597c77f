"""The server behind a real nginx and a real Caddy, with the configurations that are shipped: TLS, streams, WebSockets,
addresses."""

import asyncio
import contextlib
import os
import shutil
import socket
import ssl
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
import websockets
from certificates import own_certificate
from server_play import PATIENCE, TOKEN, Played, playing, until

from toolpost.server.http import Request
from toolpost.server.routing import Route
from toolpost.server.websocket import Socket

PROGRAMS = {name: shutil.which(name) or shutil.which(name, path="/usr/sbin") for name in ("nginx", "caddy")}
SHIPPED = Path(__file__).parent.parent.parent / "deploy"
NAME = "chat.example.com"
HEADERS = {"authorization": f"Bearer {TOKEN}"}


@pytest.fixture(params=PROGRAMS)
def proxy(request: pytest.FixtureRequest) -> str:
    if PROGRAMS[request.param] is None:
        pytest.skip(f"{request.param} is missing: scripts/system_packages.sh installs it")
    return request.param


# What a distribution's own nginx.conf says around a file in conf.d; `user` because tests may run as root.
AROUND = """\
daemon off;
{user}
pid {folder}/pid;
error_log {folder}/error.log;
worker_processes 1;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/toolpost.conf;
}}
"""


# Ports for tests, and no certificate from elsewhere.
CADDY_OPTIONS = """\
{{
	admin off
	skip_install_trust
	default_bind 127.0.0.1
	http_port {plain_port}
	https_port {port}
}}
"""


class Front:
    """A proxy before a server: `http` asks it by its name, over TLS."""

    def __init__(self, server: Played, port: int, plain_port: int, context: ssl.SSLContext) -> None:
        self.server = server
        self.port = port
        self.plain_port = plain_port
        self.context = context

    @contextlib.asynccontextmanager
    async def http(self, **options: object) -> AsyncIterator[httpx.AsyncClient]:
        url = f"https://{NAME}:{self.port}"
        transport = _ToLoopback(self.context)
        async with httpx.AsyncClient(base_url=url, transport=transport, headers=HEADERS, timeout=PATIENCE) as client:
            yield client


class _ToLoopback(httpx.AsyncHTTPTransport):
    """Connects to this machine, whatever the name; TLS and Host keep the name."""

    def __init__(self, context: ssl.SSLContext) -> None:
        super().__init__(verify=context)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        request.headers["host"] = request.headers.get("host", request.url.netloc.decode())
        request.extensions["sni_hostname"] = NAME
        request.url = request.url.copy_with(host="127.0.0.1")
        return await super().handle_async_request(request)


async def _tell(request: Request) -> None:
    await request.reply_json([request.address, request.is_secure])


async def _measure(request: Request) -> None:
    await request.reply_json(len(request.body))


async def _echo_socket(socket: Socket) -> None:
    await socket.accept()
    await socket.send(f"{socket.request.address} {socket.request.is_secure}")
    await socket.send(f"you said {await socket.receive()!s}")


ROUTES = (Route("GET", "/seen", _tell), Route("POST", "/measure", _measure))


@contextlib.asynccontextmanager
async def behind(proxy: str, folder: Path, *routes: Route, **settings: object) -> AsyncIterator[Front]:
    certificate = own_certificate(folder, NAME)
    port, plain_port = _free_ports(2)
    chosen = {"hosts": (NAME,), "trusted_proxies": ("127.0.0.1",), "sockets": {"/socket": _echo_socket}, **settings}
    async with playing(*ROUTES, *routes, **chosen) as server:
        configured = _nginx if proxy == "nginx" else _caddy
        command = [str(PROGRAMS[proxy]), *configured(folder, server.port, port, plain_port)]
        with (folder / "log").open("w") as log:
            environ = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
            process = await asyncio.create_subprocess_exec(*command, env=environ, stderr=log)
        try:
            await until(lambda: _listens(port) or process.returncode is not None)
            assert process.returncode is None, (folder / "log").read_text()
            context = ssl.create_default_context(cafile=os.fspath(certificate.file))
            yield Front(server, port, plain_port, context)
        finally:
            if process.returncode is None:
                process.terminate()
            await process.wait()


def _nginx(folder: Path, server_port: int, port: int, plain_port: int) -> list[str]:
    """Write the configuration, with ports and files of this test, and give the arguments."""
    changes = {
        "listen 80;": f"listen 127.0.0.1:{plain_port};",
        "listen [::]:80;": "",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        "listen [::]:443 ssl http2;": "",
        "127.0.0.1:8642;": f"127.0.0.1:{server_port};",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(folder / "cert.pem"),
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(folder / "key.pem"),
    }
    (folder / "toolpost.conf").write_text(_changed("nginx.conf", changes))
    user = "user root;" if os.geteuid() == 0 else ""
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, user=user))
    return ["-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]


def _caddy(folder: Path, server_port: int, port: int, plain_port: int) -> list[str]:
    changes = {
        f"\n{NAME} {{\n": f"\n{NAME} {{\n\ttls {folder}/cert.pem {folder}/key.pem\n",
        "reverse_proxy 127.0.0.1:8642": f"reverse_proxy 127.0.0.1:{server_port}",
    }
    text = CADDY_OPTIONS.format(port=port, plain_port=plain_port) + _changed("Caddyfile", changes)
    (folder / "Caddyfile").write_text(text)
    return ["run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")]


def _changed(name: str, changes: dict[str, str]) -> str:
    text = (SHIPPED / name).read_text()
    for old, new in changes.items():
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


async def test_a_proxy_tells_address_and_scheme_and_what_a_client_wrote_counts_for_nothing(
    proxy: str, tmp_path: Path
) -> None:
    async with behind(proxy, tmp_path) as front, front.http() as http:
        assert (await http.get("/seen")).json() == ["127.0.0.1", True]
        forged = {"x-forwarded-for": "203.0.113.7", "x-forwarded-proto": "http"}
        assert (await http.get("/seen", headers=forged)).json() == ["127.0.0.1", True]


async def test_a_server_that_does_not_trust_its_proxy_sees_only_the_proxy(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path, trusted_proxies=()) as front, front.http() as http:
        assert (await http.get("/seen")).json() == ["127.0.0.1", False]


async def test_only_the_names_of_the_settings_come_through(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path) as front, front.http() as http:
        assert (await http.get("/seen")).status_code == 200
        refused = await http.get("/seen", headers={"host": "evil.example"})
        # Caddy has nothing for other names; nginx passes them on, and the server refuses them.
        assert refused.content == b"" if proxy == "caddy" else refused.json()["error"]["code"] == "permission"


async def test_a_page_of_this_server_may_call_it_and_another_may_not(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path) as front, front.http() as http:
        own = {"origin": f"https://{NAME}:{front.port}"}
        assert (await http.get("/seen", headers=own)).status_code == 200
        assert (await http.get("/seen", headers={"origin": "https://evil.example"})).status_code == 403


async def test_plain_http_is_sent_to_https(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path) as front, httpx.AsyncClient(trust_env=False) as http:
        url = f"http://127.0.0.1:{front.plain_port}/seen?x=1"
        moved = await http.get(url, headers={"host": NAME})
        assert moved.status_code in (301, 308)
        # Caddy names a port that is not the usual one.
        assert moved.headers["location"].replace(f":{front.port}/", "/") == f"https://{NAME}/seen?x=1"


def _gated(gates: list[asyncio.Event], left: asyncio.Event) -> Route:
    """A stream whose next piece is written when its gate opens."""

    async def handler(request: Request) -> None:
        try:
            async with request.stream() as out:
                for number, gate in enumerate(gates):
                    await gate.wait()
                    await out.write(f"data: {number}\n\n".encode())
        finally:
            left.set()

    return Route("GET", "/stream", handler)


async def test_a_stream_arrives_piece_by_piece(proxy: str, tmp_path: Path) -> None:
    gates, left = [asyncio.Event() for _ in range(3)], asyncio.Event()
    async with behind(proxy, tmp_path, _gated(gates, left)) as front, front.http() as http:
        gates[0].set()
        async with http.stream("GET", "/stream") as answer:
            assert answer.headers["content-type"] == "text/event-stream"
            pieces = answer.aiter_raw()
            # Each next gate opens only when the piece before has arrived: a buffer would wait for ever.
            for number, gate in enumerate([*gates[1:], left]):
                assert await asyncio.wait_for(anext(pieces), PATIENCE) == f"data: {number}\n\n".encode()
                gate.set()


@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is missing")
async def test_a_stream_arrives_piece_by_piece_over_http_2(proxy: str, tmp_path: Path) -> None:
    """As browsers ask; the port is told to curl, and the name stays."""
    gates, left = [asyncio.Event() for _ in range(3)], asyncio.Event()
    async with behind(proxy, tmp_path, _gated(gates, left)) as front:
        gates[0].set()
        options = ["--http2", "-sN", "-D", "-", "--cacert", str(tmp_path / "cert.pem"), "--noproxy", "*"]
        place = ["--connect-to", f"{NAME}:{front.port}:127.0.0.1:{front.port}"]
        curl = await asyncio.create_subprocess_exec(
            *["curl", *options, *place, "-H", f"authorization: Bearer {TOKEN}", f"https://{NAME}:{front.port}/stream"],
            stdout=subprocess.PIPE,
        )
        assert curl.stdout is not None
        async with asyncio.timeout(PATIENCE):
            assert (await curl.stdout.readline()).startswith(b"HTTP/2 200")
            for number, gate in enumerate([*gates[1:], left]):
                await curl.stdout.readuntil(f"data: {number}\n\n".encode())
                gate.set()
            assert await curl.wait() == 0


async def test_a_client_that_leaves_ends_its_request_behind_a_proxy(proxy, tmp_path: Path) -> None:
    gates, left = [asyncio.Event() for _ in range(2)], asyncio.Event()
    async with behind(proxy, tmp_path, _gated(gates, left)) as front, front.http() as http:
        gates[0].set()
        async with http.stream("GET", "/stream") as answer:
            await anext(answer.aiter_raw())
        await asyncio.wait_for(left.wait(), PATIENCE)


async def test_a_websocket_passes(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path) as front:
        url = f"wss://{NAME}:{front.port}/socket"
        connecting = websockets.connect(
            url, host="127.0.0.1", port=front.port, ssl=front.context, additional_headers=HEADERS, proxy=None
        )
        async with connecting as client:
            assert await client.recv() == "127.0.0.1 True"
            await client.send("hello")
            assert await client.recv() == "you said hello"


async def test_a_large_body_passes_and_one_that_is_too_large_is_told_by_the_server(proxy: str, tmp_path: Path) -> None:
    async with behind(proxy, tmp_path) as front, front.http() as http:
        assert (await http.post("/measure", content=b"x" * 20_000_000)).json() == 20_000_000
        refused = await http.post("/measure", content=b"x" * 32_000_001)
        assert (refused.status_code, refused.json()["error"]["code"]) == (413, "body_too_large")


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]
