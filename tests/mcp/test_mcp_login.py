"""Logins, against a login server and a guarded MCP server on loopback, each on a port of its own."""

import base64
import hashlib
import socket
import stat
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from mcp.server.mcpserver import MCPServer
from mcp_play import Caller, inside, running, serving, state_of, text_of, tools_of
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route

from toolpost.config.vault import Vault
from toolpost.mcp.config import McpServer, OAuth
from toolpost.mcp.oauth import LoginError, login


class LoginServer:
    """OAuth 2.1 as MCP wants it: registration, PKCE, one use of each code and of each refresh token."""

    def __init__(self) -> None:
        self.port = _free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.clients = {"by-hand": {"redirect_uris": None}}
        self.codes = {}
        self.access = set()
        self.refresh = set()
        self.refreshed = 0
        self.expires_in = 3600
        self.refuses = False

    def app(self):
        return Starlette(
            routes=[
                Route("/.well-known/oauth-authorization-server", self._metadata),
                Route("/register", self._register, methods=["POST"]),
                Route("/authorize", self._authorize),
                Route("/token", self._token, methods=["POST"]),
            ]
        )

    async def _metadata(self, request):
        return JSONResponse(
            {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "registration_endpoint": f"{self.issuer}/register",
                "response_types_supported": ["code"],
                "code_challenge_methods_supported": ["S256"],
                "token_endpoint_auth_methods_supported": ["none"],
            }
        )

    async def _register(self, request):
        given = await request.json()
        client = f"client-{len(self.clients)}"
        self.clients[client] = given
        return JSONResponse({**given, "client_id": client}, 201)

    async def _authorize(self, request):
        given = dict(request.query_params)
        known = self.clients[given["client_id"]]["redirect_uris"]
        assert known is None or given["redirect_uri"] in known
        assert urlsplit(given["redirect_uri"]).hostname == "127.0.0.1"
        if self.refuses:
            back = {"error": "access_denied", "state": given["state"]}
        else:
            code = f"code-{len(self.codes)}"
            self.codes[code] = given
            back = {"code": code, "state": given["state"], "iss": self.issuer}
        return RedirectResponse(f"{given['redirect_uri']}?{urlencode(back)}", 302)

    async def _token(self, request):
        form = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.refresh:
                return JSONResponse({"error": "invalid_grant"}, 400)
            self.refresh.discard(form["refresh_token"])
            self.refreshed += 1
            return self._tokens()
        asked = self.codes.pop(form["code"])
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode()
        assert challenge.rstrip("=") == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        assert form["client_id"] == asked["client_id"]
        return self._tokens()

    def _tokens(self):
        number = len(self.access) + 1
        self.access.add(f"access-{number}")
        self.refresh.add(f"refresh-{number}")
        given = {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}", "token_type": "Bearer"}
        return JSONResponse({**given, "expires_in": self.expires_in})


class Guarded:
    """An MCP server that lets nobody in without a token of the login server."""

    def __init__(self, logins: LoginServer) -> None:
        self.logins = logins
        self.port = _free_port()
        self.origin = f"http://127.0.0.1:{self.port}"
        server = MCPServer("guarded")

        @server.tool()
        async def secret() -> str:
            """Tell it."""
            return "the lathe is in the cellar"

        self._inner = server.streamable_http_app()

    async def __call__(self, scope, receive, send):
        if scope["type"] != "http":
            await self._inner(scope, receive, send)
            return
        about = "/.well-known/oauth-protected-resource"
        if scope["path"].startswith(about):
            told = {"resource": f"{self.origin}/mcp", "authorization_servers": [self.logins.issuer]}
            await JSONResponse(told)(scope, receive, send)
            return
        given = dict(scope["headers"]).get(b"authorization", b"").decode().removeprefix("Bearer ")
        if given in self.logins.access:
            await self._inner(scope, receive, send)
            return
        header = {"WWW-Authenticate": f'Bearer resource_metadata="{self.origin}{about}/mcp"'}
        await PlainTextResponse("no", 401, header)(scope, receive, send)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@pytest.fixture
async def logins():
    logins = LoginServer()
    async with serving(logins.app(), logins.port):
        yield logins


@pytest.fixture
async def config(logins):
    guarded = Guarded(logins)
    async with serving(guarded, guarded.port):
        yield McpServer("guarded", url=f"{guarded.origin}/mcp", type="http")


@pytest.fixture
def vault(tmp_path):
    return Vault({"TOOLPOST_DATA_DIR": str(tmp_path / "data")})


async def browse(url):
    """A person's browser: follows the login server to the loopback address."""
    async with httpx2.AsyncClient(follow_redirects=True) as browser:
        answer = await browser.get(url)
        assert answer.status_code == 200


async def reads_the_secret(servers, tmp_path):
    tool = tools_of(servers)["mcp__guarded__secret"]
    return inside(text_of(await tool.execute({}, Caller(tmp_path).context())))


async def test_a_server_that_wants_a_login_says_so_and_nothing_is_registered_for_it(logins, config, vault, tmp_path):
    async with running(config, folder=tmp_path, vault=vault) as servers:
        status = state_of(servers, "guarded")
        assert status.state == "needs_login"
        assert "toolpost mcp login guarded" in status.detail
    assert len(logins.clients) == 1


async def test_after_a_login_the_server_is_used_without_a_person(logins, config, vault, tmp_path):
    shown = []

    async def show(url):
        shown.append(url)
        await browse(url)

    assert await login(config, vault, show)
    assert shown[0].startswith(f"{logins.issuer}/authorize?")
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"
    (file,) = (tmp_path / "data" / "secrets").iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


async def test_a_token_that_has_expired_is_renewed_and_the_new_one_kept(logins, config, vault, tmp_path):
    logins.expires_in = 1
    assert await login(config, vault, browse)
    logins.access.clear()
    for renewals in (1, 2):
        async with running(config, folder=tmp_path, vault=vault) as servers:
            assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"
        assert logins.refreshed == renewals
        logins.access = {f"gone-{number}" for number in range(10 * renewals)}
    assert len(logins.clients) == 2


async def test_a_login_that_was_taken_back_is_asked_for_again(logins, config, vault, tmp_path):
    assert await login(config, vault, browse)
    logins.access.clear()
    logins.refresh.clear()
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert state_of(servers, "guarded").state == "needs_login"


async def test_tokens_are_not_sent_to_another_address_of_the_same_name(logins, config, vault, tmp_path):
    assert await login(config, vault, browse)
    other = Guarded(logins)
    async with serving(other, other.port):
        moved = McpServer("guarded", url=f"{other.origin}/mcp", type="http")
        async with running(moved, folder=tmp_path, vault=vault) as servers:
            assert state_of(servers, "guarded").state == "needs_login"


async def test_a_login_that_is_refused_says_why(logins, config, vault):
    logins.refuses = True
    with pytest.raises(LoginError, match="access_denied"):
        await login(config, vault, browse)


async def test_an_answer_that_is_not_to_our_question_is_overlooked(logins, config, vault, tmp_path):
    async def attack(url):
        asked = {name: values[0] for name, values in parse_qs(urlsplit(url).query).items()}
        here, forged = asked["redirect_uri"], {"code": "stolen", "state": asked["state"]}
        async with httpx2.AsyncClient() as browser:
            for where, given in (
                (here.replace("callback", "elsewhere"), forged),
                (here, {"code": "stolen", "state": "guessed"}),
                (here, {"code": "stolen"}),
                (here, {"error": "access_denied"}),
                (here, {"error": "access_denied", "state": "guessed"}),
            ):
                assert (await browser.get(where, params=given)).status_code == 404
        await browse(url)

    assert await login(config, vault, attack)
    async with running(config, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"


async def test_nobody_is_waited_for_longer_than_agreed(config, vault):
    async def ignore(url):
        pass

    with pytest.raises(LoginError, match="nobody logged in"):
        await login(config, vault, ignore, seconds=2.0)


async def test_a_client_that_was_registered_by_hand_is_used(logins, config, vault, tmp_path):
    known = McpServer("guarded", url=config.url, type="http", oauth=OAuth(client_id="by-hand"))
    assert await login(known, vault, browse)
    assert len(logins.clients) == 1
    async with running(known, folder=tmp_path, vault=vault) as servers:
        assert await reads_the_secret(servers, tmp_path) == "the lathe is in the cellar"


async def test_a_server_without_a_door_wants_no_login(vault):
    server = MCPServer("open")
    port = _free_port()
    async with serving(server.streamable_http_app(), port):
        open_server = McpServer("open", url=f"http://127.0.0.1:{port}/mcp", type="http")
        assert not await login(open_server, vault, browse)
