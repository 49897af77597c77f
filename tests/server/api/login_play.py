"""An MCP server that wants a login, and whoever lets people in, in one small application."""

import json
from typing import Any
from urllib.parse import parse_qs, urlencode

from mcp.server import MCPServer
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse

TOKEN = "a-token-after-the-login"
ABOUT = "/.well-known/oauth-protected-resource"


class WantsLogin:
    """Whoever opens the address of its login is let in at once. `origin` is known once it listens."""

    def __init__(self) -> None:
        self.origin = ""
        server = MCPServer("guarded")

        @server.tool()
        async def secret() -> str:
            """Tell it."""
            return "the lathe is in the cellar"

        self._inner = server.streamable_http_app()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http" or self._has_token(scope):
            await self._inner(scope, receive, send)
            return
        answers = {
            f"{ABOUT}/mcp": self._resource,
            "/.well-known/oauth-authorization-server": self._metadata,
            "/register": self._registered,
            "/authorize": self._authorized,
            "/token": self._token,
        }
        answer = answers.get(scope["path"], self._refused)(scope, await _body(receive))
        await answer(scope, receive, send)

    def _has_token(self, scope: Any) -> bool:
        return dict(scope["headers"]).get(b"authorization") == f"Bearer {TOKEN}".encode()

    def _resource(self, scope: Any, body: bytes) -> JSONResponse:
        return JSONResponse({"resource": f"{self.origin}/mcp", "authorization_servers": [self.origin]})

    def _metadata(self, scope: Any, body: bytes) -> JSONResponse:
        places = {name: f"{self.origin}/{path}" for name, path in _ENDPOINTS.items()}
        able = {"response_types_supported": ["code"], "code_challenge_methods_supported": ["S256"]}
        return JSONResponse(
            {"issuer": self.origin, **places, **able, "token_endpoint_auth_methods_supported": ["none"]}
        )

    def _registered(self, scope: Any, body: bytes) -> JSONResponse:
        return JSONResponse({**json.loads(body), "client_id": "client"}, 201)

    def _authorized(self, scope: Any, body: bytes) -> RedirectResponse:
        given = {name: values[0] for name, values in parse_qs(scope["query_string"].decode()).items()}
        back = urlencode({"code": "code", "state": given["state"], "iss": self.origin})
        return RedirectResponse(f"{given['redirect_uri']}?{back}", 302)

    def _token(self, scope: Any, body: bytes) -> JSONResponse:
        return JSONResponse({"access_token": TOKEN, "token_type": "Bearer", "expires_in": 3600})

    def _refused(self, scope: Any, body: bytes) -> PlainTextResponse:
        header = {"WWW-Authenticate": f'Bearer resource_metadata="{self.origin}{ABOUT}/mcp"'}
        return PlainTextResponse("no", 401, header)


_ENDPOINTS = {
    "authorization_endpoint": "authorize",
    "token_endpoint": "token",
    "registration_endpoint": "register",
}


async def _body(receive: Any) -> bytes:
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if not message.get("more_body"):
            return body
