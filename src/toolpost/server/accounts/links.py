"""Write the addresses that people open: of the server, and of links that work once."""

from toolpost.config.schema import GatewaySettings
from toolpost.server.http import Request
from toolpost.server.refusals import BadRequest
from toolpost.types.errors import ConfigError

from .records import LinkKind

# As the page reads them from the fragment, which is never sent to a server.
_WORDS: dict[LinkKind, str] = {"setup": "setup", "invitation": "invite", "reset": "reset"}


def check_url(settings: GatewaySettings) -> None:
    """Raise `ConfigError` where `[server] url` is not the address of a page."""
    url = settings.url
    if url is None:
        return
    scheme, _, rest = url.partition("://")
    if scheme not in ("http", "https") or not rest or any(sign in rest.rstrip("/") for sign in "/?#@ "):
        raise ConfigError(f'[server] url: {url!r} is not an address; write it such as "https://chat.example.com"')


def base_url(request: Request, settings: GatewaySettings) -> str:
    """Return the address of the server as people open it: that of the configuration, else the one that was asked, whose
    name was checked before. What is made from it goes to nobody but who asked."""
    if settings.url:
        return settings.url.rstrip("/")
    host = request.headers.get("host", "")
    if not host or not set(host) <= _OF_HOSTS:
        raise BadRequest("the header host is missing or odd; set [server] url")
    return f"{'https' if is_secure(request, settings) else 'http'}://{host}"


def link_url(base: str, kind: LinkKind, secret: str) -> str:
    return f"{base}/#{_WORDS[kind]}={secret}"


def is_secure(request: Request, settings: GatewaySettings) -> bool:
    """Return whether the browser speaks TLS, to a proxy in front or to us: then cookies go over TLS only."""
    return (settings.url or "").startswith("https://") or request.scope.get("scheme") == "https"


def address_of(request: Request) -> str:
    return request.client.host if request.client is not None else "-"


_OF_HOSTS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_:[]")
