"""A login server and an MCP server behind it, on loopback, each on a port of its own."""

import base64
import hashlib
import json
import socket
from urllib.parse import parse_qs, unquote, urlencode, urlsplit

import httpx2
from mcp.server.mcpserver import MCPServer
from starlette.applications import Starlette
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse
from starlette.routing import Route


class LoginServer:
    """OAuth 2.1 as MCP wants it: registration, PKCE, one use of each code and of each refresh token."""

    def __init__(self) -> None:
        self.port = free_port()
        self.issuer = f"http://127.0.0.1:{self.port}"
        self.clients = {"by-hand": {"redirect_uris": None}}
        self.codes = {}
        self.access = set()
        self.refresh = set()
        self.refreshed = 0
        self.expires_in = 3600
        self.refuses = False
        self.methods = ["none"]  # how a client may show who it is; None leaves it out of the metadata
        self.secrets = {}
        self.used = []  # how each token was asked for
        self.gives = None  # of what is asked for, only these scopes; None gives all
        self.scopes = {}  # by access token
        self.asked = []  # the scope of each login

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
                **({} if self.methods is None else {"token_endpoint_auth_methods_supported": self.methods}),
            }
        )

    async def _register(self, request):
        given = await request.json()
        client = f"client-{len(self.clients)}"
        self.clients[client] = given
        if given["token_endpoint_auth_method"] != "none":
            self.secrets[client] = given["client_secret"] = f"secret/{client}"
        return JSONResponse({**given, "client_id": client}, 201)

    async def _authorize(self, request):
        given = dict(request.query_params)
        self.asked.append(given.get("scope", ""))
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
        method, client = _shown(request.headers.get("authorization", ""), form, self.secrets)
        self.used.append(method)
        if method not in (self.methods or ["client_secret_basic"]):
            return JSONResponse({"error": "invalid_client"}, 401)
        if form["grant_type"] == "client_credentials":
            return self._tokens(form.get("scope", ""))
        if form["grant_type"] == "refresh_token":
            if form["refresh_token"] not in self.refresh:
                return JSONResponse({"error": "invalid_grant"}, 400)
            self.refresh.discard(form["refresh_token"])
            self.refreshed += 1
            return self._tokens("")
        asked = self.codes.pop(form["code"])
        challenge = base64.urlsafe_b64encode(hashlib.sha256(form["code_verifier"].encode()).digest()).decode()
        assert challenge.rstrip("=") == asked["code_challenge"]
        assert form["redirect_uri"] == asked["redirect_uri"]
        assert client == asked["client_id"]
        return self._tokens(asked.get("scope", ""))

    def _tokens(self, scope):
        number = len(self.access) + 1
        self.access.add(f"access-{number}")
        granted = [one for one in scope.split() if self.gives is None or one in self.gives]
        self.scopes[f"access-{number}"] = granted
        self.refresh.add(f"refresh-{number}")
        given = {"access_token": f"access-{number}", "refresh_token": f"refresh-{number}", "token_type": "Bearer"}
        return JSONResponse({**given, "expires_in": self.expires_in})


def _shown(header, form, secrets):
    """How a client showed who it is, and who it is."""
    if header.startswith("Basic "):
        client, _, secret = base64.b64decode(header[6:]).decode().partition(":")
        assert secrets[unquote(client)] == unquote(secret)
        assert "client_secret" not in form
        return "client_secret_basic", unquote(client)
    if "client_secret" in form:
        assert secrets[form["client_id"]] == form["client_secret"]
        return "client_secret_post", form["client_id"]
    return "none", form["client_id"]


class Guarded:
    """An MCP server that lets nobody in without a token of the login server. `needs` is the scope that a method of the
    protocol wants."""

    def __init__(self, logins: LoginServer, needs=None) -> None:
        self.logins = logins
        self.needs = needs or {}
        self.port = free_port()
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
            body = (await receive())["body"]
            method = json.loads(body or b"{}").get("method", "")
            missing = set(self.needs.get(method, "").split()) - set(self.logins.scopes.get(given, ()))
            if missing:
                told = f'Bearer error="insufficient_scope", scope="{self.needs[method]}"'
                await PlainTextResponse("more rights are needed", 403, {"WWW-Authenticate": told})(scope, receive, send)
                return
            pending = [{"type": "http.request", "body": body, "more_body": False}]

            async def again():
                return pending.pop() if pending else await receive()

            await self._inner(scope, again, send)
            return
        header = {"WWW-Authenticate": f'Bearer resource_metadata="{self.origin}{about}/mcp"'}
        await PlainTextResponse("no", 401, header)(scope, receive, send)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


async def browse(url):
    """A person's browser: follows the login server to the loopback address."""
    async with httpx2.AsyncClient(follow_redirects=True) as browser:
        answer = await browser.get(url)
        assert answer.status_code == 200
