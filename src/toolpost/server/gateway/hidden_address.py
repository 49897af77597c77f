"""Remove addresses of model servers from errors that clients read."""

import ipaddress
import re
from urllib.parse import urlsplit

from msgspec import structs

from toolpost.types.messages import ErrorInfo

from .output import UpstreamError

ELSEWHERE = "another server"
# What may stand after a host: its port, and a path without the sign that ends a sentence.
_REST = r"(?::\d{1,5})?(?:/(?:[\w%~+@=&?#/.-]*[\w%~+@=&#/-])?)?"
_ADDRESS = r"\[[0-9a-f:.]+\]"
_URL = re.compile(
    rf"\b[a-z][a-z0-9+.-]{{0,20}}://(?:[^\s/@]*@)?(?P<host>{_ADDRESS}|[^\s/:'\"<>()]+){_REST}", re.IGNORECASE
)
_BARE = re.compile(rf"(?<![\w.:/-])(?P<host>{_ADDRESS}|(?:\d{{1,3}}\.){{3}}\d{{1,3}}|localhost){_REST}", re.IGNORECASE)
_PRIVATE_NAMES = (".local", ".internal", ".lan", ".home.arpa", ".localhost", ".svc")


class HiddenAddress:
    """Hides the address of one model's server: clients read the provider's `name` instead. Other private addresses are
    hidden too; public ones, such as links to the provider's documentation, stay."""

    def __init__(self, url: str, name: str) -> None:
        self._name = name
        try:
            host = urlsplit(url).hostname or ""
        except ValueError:
            host = ""
        # A bare name such as `vllm` is an address only where it stands as one.
        is_name = "." in host or ":" in host or host == "localhost"
        start = r"(?:[a-z][a-z0-9+.-]{0,20}://(?:[^\s/@]*@)?)" + ("?" if is_name else "")
        place = rf"(?<![\w.-]){start}\[?{re.escape(host)}\]?(?![\w-]|\.\w){_REST}"
        self._own = re.compile(place, re.IGNORECASE) if host else None

    def told(self, error: ErrorInfo) -> ErrorInfo:
        """Return the error as a client may read it."""
        # In our own words all addresses are of upstreams and proxies, and so is where a redirect leads.
        is_ours = error.status is None or error.status < 400
        told = structs.replace(error, message=self._text(error.message, is_ours))
        if isinstance(told, UpstreamError):
            body = told.body.decode("utf-8", "replace")
            return structs.replace(told, body=self._text(body, False).encode())
        return told

    def _text(self, text: str, is_ours: bool) -> str:
        if self._own is not None:
            text = self._own.sub(self._name, text)
        text = _URL.sub(ELSEWHERE if is_ours else _unless_public, text)
        return _BARE.sub(_unless_public, text)


def _unless_public(found: re.Match[str]) -> str:
    return found[0] if _is_public(found["host"].strip("[]").lower()) else ELSEWHERE


def _is_public(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_global
    except ValueError:
        return "." in host and not host.endswith(_PRIVATE_NAMES)
