"""The ASGI application: check Host, Origin and token, run the handler, report errors, stop."""

import asyncio
import contextlib
import logging
import re
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from starlette.requests import ClientDisconnect
from starlette.types import Receive, Scope, Send

from toolpost.engine.drive import Driver
from toolpost.guard.redact import known_redactor
from toolpost.schedules.engine import ScheduleDriver
from toolpost.types.errors import ConfigError, ToolpostError

from .accounts.identities import Identities
from .accounts.roles import Right
from .http import LAST_SECONDS, Request, error_body, read_body
from .metrics import Metrics
from .refusals import BadRequest, Refusal, refusal_from_error
from .routing import Route, RoutedPath, Shape, SocketHandler, router
from .settings import LOOPBACK, ServerSettings
from .trusted_proxies import TrustedProxies
from .users import User, Users
from .websocket import Socket

if TYPE_CHECKING:
    from .spans import Spans

log = logging.getLogger("toolpost.server")
access = logging.getLogger("toolpost.access")

# Methods whose body is not read.
BODILESS = ("GET", "HEAD")
CLIENT_GONE = 499
EXPOSED = (
    "request-id, retry-after, x-conversation-id, x-request-id, x-toolpost-cache, x-toolpost-model, x-toolpost-route"
)
# Handlers that are cancelled get this long to clean up.
END_SECONDS = 1.0 + LAST_SECONDS
NO_SPAN = contextlib.nullcontext()
# Headers that decide about access must not be repeated: a proxy before us may have checked the other one.
SENT_ONCE = (b"host", b"origin", b"authorization", b"x-api-key", b"x-goog-api-key")
MISSING_RIGHT: dict[Right, str] = {
    "use": "you may not use this server: this token is for GET /metrics only, or your role is not configured; ask an "
    "admin",
    "machine": "this server's files and commands are for admins: ask one of them, who can also open them to everyone "
    "with `files_and_commands` in [server]",
    "administer": "this holds for all users of the server, so it is for admins: ask one of them",
    "metrics": "the server's counters are for admins, and for the token of [server.metrics]",
}


# What is there is about one person, and no cache may keep it.
PRIVATE_PATHS = ("/api/me", "/api/auth", "/api/admin")


class App:
    """While it `is_stopping`, new requests are refused. `finished` returns when no run is left that goes on without a
    request."""

    def __init__(
        self,
        routes: Sequence[Route],
        users: Users | Identities,
        settings: ServerSettings,
        *,
        metrics: Metrics,
        finished: Callable[[], Awaitable[None]] | None = None,
        spans: "Spans | None" = None,
        sockets: Mapping[str, SocketHandler] | None = None,
    ) -> None:
        _check_origins(settings.origins)
        self.routes = tuple(routes)
        # What an engine calls to have runs driven and schedules fired here; set by who opens the application.
        self.driver: Driver | None = None
        self.schedules: ScheduleDriver | None = None
        self.sockets = sockets or {}
        self.settings = settings
        self.metrics = metrics
        self.is_stopping = False
        self._identities = users if isinstance(users, Identities) else Identities(users)
        self._finished = finished
        self._spans = spans
        self._running: dict[asyncio.Task[Any], Request] = {}
        self._router = router(routes, self.sockets, self._answer)
        self._connected: set[Socket] = set()
        self._proxies = TrustedProxies(settings.trusted_proxies)
        self._names = {*LOOPBACK, settings.host.lower(), *(name.lower() for name in settings.hosts)}
        # A server on all addresses can't know its names, unless the settings have them.
        self._has_any_name = settings.host in ("0.0.0.0", "::") and not settings.hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._router.app(scope, receive, send)

    async def stop(self) -> None:
        """Refuse new requests, give those that run their time, then cancel them. A second call cancels at once."""
        wait = 0.0 if self.is_stopping else self.settings.stop_timeout
        self.is_stopping = True
        for socket in self._connected:
            socket.is_ending = True
        for task, request in list(self._running.items()):
            if request.is_endless:
                _cancel(task, request, _stopping())
        await self._wait(wait)
        for task, request in list(self._running.items()):
            _cancel(task, request, _stopping())
        if self._running:
            await asyncio.wait(list(self._running), timeout=END_SECONDS)

    async def end_gone(self) -> None:
        """End the requests of users who were let in and could not come in any more: streams may last for hours."""
        for task, request in list(self._running.items()):
            if request.ending is None and await self._identities.is_gone(request):
                text = "you were logged out, or may not do this any more"
                _cancel(task, request, Refusal("authentication", text, code="login_ended"))

    async def _wait(self, seconds: float) -> None:
        """Wait until all requests and runs are done, for so many seconds at most."""
        beside = [asyncio.ensure_future(self._finished())] if self._finished is not None else []
        if waiting := [*self._running, *beside]:
            await asyncio.wait(waiting, timeout=seconds)
        for task in beside:
            task.cancel()

    async def _answer(self, endpoint: RoutedPath, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request or a WebSocket to its end, count it and log it."""
        self._proxies.apply(scope)
        began, request, route = time.monotonic(), Request(scope, send, self.settings), None
        if scope["type"] == "websocket":
            method, place = "WebSocket", f"{request.path} WebSocket" if endpoint.socket else "unknown"
            serving = self._serve_socket(endpoint.socket, Socket(request, receive, send))
        else:
            method, route = request.method, endpoint.route(request.method)
            place = route.path if route else "unknown"
            serving = self._serve(request, endpoint, receive)
        try:
            with self.metrics.in_flight(place), self._span(request, route):
                await serving
        finally:
            took = time.monotonic() - began
            self.metrics.answered(place, request.status, took)
            if access.isEnabledFor(logging.INFO):
                shown = (_shown(_without_secret(request, endpoint)), request.status, took * 1000, request.sent)
                whose = (request.address, request.user.name)
                access.info("%s %s %s %d %.0f ms %d bytes %s %s", request.id, method, *shown, *whose)

    async def _serve_socket(self, handler: SocketHandler | None, socket: Socket) -> None:
        request, task = socket.request, asyncio.current_task()
        assert task is not None
        self._running[task] = request
        self._connected.add(socket)
        try:
            self._check_host(request)
            self._check_origin(request)
            user = await self._identities.identify(request)
            if handler is None:
                raise Refusal("not_found", f"there is no WebSocket at {request.path}")
            self._check_right(user, "use")
            await handler(socket)
        except ClientDisconnect:
            pass
        except Refusal as refusal:
            await socket.refuse(refusal)
        except asyncio.CancelledError:
            if request.ending is None:
                raise
            task.uncancel()
            await socket.refuse(request.ending if isinstance(request.ending, Refusal) else _stopping())
        except Exception:
            log.exception("%s WebSocket %s failed", request.id, _shown(request.path))
            await socket.refuse(Refusal("internal", "the server failed"))
        finally:
            self._connected.discard(socket)
            del self._running[task]

    def _span(self, request: Request, route: Route | None) -> contextlib.AbstractContextManager[None]:
        """The span of a request. Open routes have none: health checks come too often."""
        if self._spans is None or route is None or route.is_open:
            return NO_SPAN
        return self._spans.request(request, route.path)

    async def _serve(self, request: Request, endpoint: RoutedPath, receive: Receive) -> None:
        shape = _shape(request, endpoint.route(request.method))
        if shape == "openai":
            request.headers_out["x-request-id"] = request.id
        if request.path.startswith(PRIVATE_PATHS):
            request.headers_out["cache-control"] = "no-store"
        try:
            if request.method == "OPTIONS" and "access-control-request-method" in request.headers:
                await self._preflight(request)
                return
            route = await self._admit(request, endpoint)
            if request.method not in BODILESS:
                request.body = await read_body(request, receive)
            await self._run(route, request, receive)
        except ClientDisconnect:
            request.status = request.status or CLIENT_GONE
        except Refusal as refusal:
            await self._refuse(request, refusal, shape)
        except RecursionError:
            await self._refuse(request, BadRequest("the body is nested too deeply"), shape)
        except Exception as error:
            refusal = refusal_from_error(error) if isinstance(error, ToolpostError) else None
            if refusal is None:
                log.exception("%s %s %s failed", request.id, request.method, _shown(_without_secret(request, endpoint)))
            await self._refuse(request, refusal or Refusal("internal", "the server failed"), shape)

    async def _run(self, route: Route, request: Request, receive: Receive) -> None:
        """Run the handler until it is done, its client has left, or its time is over."""
        task = asyncio.current_task()
        assert task is not None
        seconds = self.settings.request_seconds
        too_long = Refusal("timeout", f"the answer was not done after {seconds:g} s")
        clock = asyncio.get_running_loop().call_later(seconds, _cancel, task, request, too_long)
        forget = request.when_gone(receive, lambda: _cancel(task, request, ClientDisconnect()))
        self._running[task] = request
        try:
            await route.handler(request)
        except asyncio.CancelledError:
            if request.ending is None:
                raise
            raise request.ending from None
        finally:
            del self._running[task]
            clock.cancel()
            forget()
            if request.ending is not None:
                task.uncancel()

    async def _admit(self, request: Request, endpoint: RoutedPath) -> Route:
        """The route for this request, once Host, Origin, token and right are checked."""
        self._check_host(request)
        self._check_origin(request)
        route = endpoint.route(request.method)
        if route is not None and route.is_open:
            return route
        user = await self._identities.identify(request)
        if route is None:
            if endpoint.routes:
                methods = ", ".join(sorted(endpoint.routes))
                request.headers_out["allow"] = methods
                text = f"{request.path} takes {methods}, not {request.method}"
                raise Refusal("invalid_request", text, status=405)
            raise Refusal("not_found", f"there is nothing at {request.path}")
        self._check_right(user, route.needs)
        return route

    def _check_right(self, user: User, needed: Right) -> None:
        if needed not in user.rights:
            raise Refusal("permission", MISSING_RIGHT[needed], code=f"needs_{needed}")
        if self.is_stopping:
            raise _stopping()

    def _check_host(self, request: Request) -> None:
        """A page whose name was pointed at this address must not reach it (DNS rebinding)."""
        names = [name for name, _ in request.headers.raw]
        if twice := next((name for name in SENT_ONCE if names.count(name) > 1), b""):
            raise BadRequest(f"the header {twice.decode()} came twice; send it once")
        if b"host" not in names and request.scope["http_version"] != "1.0":
            raise BadRequest("the header host is missing")
        name = _name_of(request.headers.get("host", ""))
        if name not in self._names and not self._has_any_name:
            raise Refusal("permission", f"this server is not called {name!r}; see `hosts` in its settings")

    def _check_origin(self, request: Request) -> None:
        origin = request.headers.get("origin", "")
        if self.settings.origins:
            request.headers_out["vary"] = "origin"
        if self._is_allowed(origin):
            request.headers_out |= {"access-control-allow-origin": origin, "access-control-expose-headers": EXPOSED}
            return
        if not origin:
            return
        if origin.partition("://")[2] == request.headers.get("host", ""):
            return
        raise Refusal("permission", f"pages of {origin} may not call this server; see `origins` in its settings")

    async def _preflight(self, request: Request) -> None:
        """Reply to a CORS preflight: yes for the origins of the settings."""
        self._check_host(request)
        origin = request.headers.get("origin", "")
        if not self._is_allowed(origin):
            raise Refusal("permission", f"pages of {origin} may not call this server; see `origins` in its settings")
        await request.reply(
            status=204,
            headers={
                "access-control-allow-origin": origin,
                "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
                "access-control-allow-headers": request.headers.get("access-control-request-headers", "*"),
                "access-control-max-age": "600",
                "vary": "origin",
            },
        )

    def _is_allowed(self, origin: str) -> bool:
        return bool(origin) and (origin in self.settings.origins or "*" in self.settings.origins)

    async def _refuse(self, request: Request, refusal: Refusal, shape: Shape) -> None:
        if request.status:
            # The reply has begun: the stream's own error, or the cut connection, has said it.
            return
        status, body = error_body(shape, refusal, request.id)
        headers: dict[str, str] = {}
        request.headers_out |= refusal.headers
        if refusal.retry_after is not None:
            headers["retry-after"] = str(max(1, round(refusal.retry_after)))
        if status == 401:
            headers["www-authenticate"] = "Bearer"
        if status == 408 or self.is_stopping:
            headers["connection"] = "close"
        with contextlib.suppress(ClientDisconnect):
            await request.reply(body, status=status, headers=headers)


def _check_origins(origins: Sequence[str]) -> None:
    """A browser sends an origin as scheme, host and port: anything else would never match."""
    for origin in origins:
        if origin != "*" and not _ORIGIN.fullmatch(origin):
            raise ConfigError(
                f"[server] origins: {origin!r} is not an origin; write scheme, host and port as a browser does, "
                'without a path: "https://app.example" or "http://localhost:5173"'
            )


def _stopping() -> Refusal:
    return Refusal("overloaded", "the server is stopping", status=503, retry_after=5.0, code="stopping")


def _cancel(task: asyncio.Task[Any], request: Request, ending: ClientDisconnect | Refusal) -> None:
    """Cancel a handler, unless its reply is complete: then it may finish its work."""
    if request.ending is None and not request.is_answered:
        request.ending = ending
        task.cancel()


def _shape(request: Request, route: Route | None) -> Shape:
    """The form of errors. Where several wires share a path, or nothing is there, a header shows which client asks."""
    is_shared = (route or request).path.startswith("/v1/models" if route else "/v1/")
    if is_shared and "anthropic-version" in request.headers:
        return "anthropic"
    if route is not None:
        return route.shape
    if request.path.startswith("/v1/messages"):
        return "anthropic"
    return "openai" if request.path.startswith("/v1/") else "api"


_ORIGIN = re.compile(r"[a-z][a-z0-9+.-]*://(?:\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
_HOST = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9._-]+))(?::[0-9]{0,5})?")


@lru_cache(maxsize=64)
def _name_of(host: str) -> str:
    """The name in a Host header, without its port; "" where it is not valid."""
    found = _HOST.fullmatch(host)
    return (found["address"] or found["name"]).lower() if found else ""


def _without_secret(request: Request, endpoint: RoutedPath) -> str:
    """Return the path, or that of the route where a token stands in it."""
    return next((one.path for one in endpoint.routes.values() if "{token}" in one.path), request.path)


def _shown(path: str) -> str:
    """A path for the log: on one line, without secrets."""
    return known_redactor().text(path.encode("unicode_escape").decode())
