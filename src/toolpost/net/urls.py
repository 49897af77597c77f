"""Parse URLs for the HTTP client: the server, the target of the request line, and what may be shown."""

import base64
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin, urlsplit

from .errors import RedirectRefused

DEFAULT_PORTS = {"http": 80, "https": 443}
_KEPT_IN_LOCATION = "/?:@!$&'()*+,;=-._~%#[]"


class HttpOrigin(NamedTuple):
    """The server of a URL. `host` is in lower-case ASCII, an IPv6 address without its brackets."""

    scheme: str
    host: str
    port: int

    @property
    def netloc(self) -> str:
        """Host and port as the Host header has them."""
        host = host_in_url(self.host)
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"


@lru_cache(maxsize=64)
def origin_of(url: str) -> HttpOrigin:
    """Parse the server of a URL. Raises `ValueError` for what is not a whole http or https URL. Cached, because every
    request asks."""
    parts = urlsplit(url)
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise ValueError("the URL must begin with http:// or https:// and name a host")
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode("ascii")
    return HttpOrigin(parts.scheme, host, parts.port or DEFAULT_PORTS[parts.scheme])


def target_of(url: str) -> str:
    """Return path and query, as the request line has them."""
    parts = urlsplit(url)
    return f"{parts.path or '/'}?{parts.query}" if parts.query else parts.path or "/"


def authorization_of(url: str) -> str:
    """Return the Authorization header for the user and password in a URL; "" where it has none."""
    parts = urlsplit(url) if "@" in url else None
    return "" if parts is None or parts.username is None else basic_authorization(parts.username, parts.password)


def basic_authorization(user: str, password: str | None) -> str:
    """Encode a user and password, percent-encoded as in a URL, for Basic authorization."""
    pair = f"{unquote(user)}:{unquote(password or '')}"
    return "Basic " + base64.b64encode(pair.encode()).decode("ascii")


def host_in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@lru_cache(maxsize=64)
def public_url(url: str) -> str:
    """Return the URL without user, password, query and fragment: fit for error texts and traces."""
    try:
        parts = urlsplit(url)
        port = f":{parts.port}" if parts.port else ""
    except ValueError:
        return "the URL"
    return f"{parts.scheme}://{host_in_url(parts.hostname or '')}{port}{parts.path}"


def is_loopback(url: str) -> bool:
    """Whether a URL leads to this machine itself."""
    return is_loopback_host(urlsplit(url).hostname or "")


def is_loopback_host(host: str) -> bool:
    if host.startswith("127."):
        # Not a name such as 127.example.com.
        return host.replace(".", "").isdecimal()
    return host in ("localhost", "::1") or host.endswith(".localhost")


def redirect_url(url: str, location: str) -> str:
    """Return where a Location header leads. Raises `RedirectRefused` from https to http, and `ValueError` for what is
    not an http or https URL."""
    # By the standard a header is Latin-1, but servers put UTF-8 there.
    text = quote(location_text(location).strip(" "), safe=_KEPT_IN_LOCATION)
    found = urljoin(url, text)
    if origin_of(url).scheme == "https" and origin_of(found).scheme == "http":
        raise RedirectRefused(f"{public_url(url)} redirects from https to plain http, which is not followed")
    return found


def location_text(location: str) -> str:
    """Decode a Location header: servers put UTF-8 where the standard has Latin-1."""
    return location.encode("latin-1").decode("utf-8", "replace")
