"""Parse URLs strictly, so that the address that was checked is the one that is connected to.

Parsers disagree over odd spellings, and each disagreement is a way past a check. What can be read in two ways is
refused with the way to write it; what is left has one form: a lower-case ASCII host and a number for a port.
"""

import re
from functools import cache
from ipaddress import AddressValueError, IPv4Address, IPv6Address
from typing import NamedTuple
from urllib.parse import quote, urljoin

from toolpost.types.errors import ToolError

MAX_CHARACTERS = 8_192
DEFAULT_PORTS = {"http": 80, "https": 443}

_BAD_ANYWHERE = re.compile(r"[\x00-\x1f\x7f\\]")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_AUTHORITY = re.compile(r"//([^/?#]*)([^#]*)")
_HOST_AND_PORT = re.compile(r"(?P<host>\[[^\[\]]*\]|[^:\[\]]+)(?::(?P<port>[0-9]{0,5}))?")
_LABEL = re.compile(r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?")
_ENDS_IN_NUMBER = re.compile(r"(?:.*\.)?(?:[0-9]+|0x[0-9a-f]*)")
# Older and newer rules for names give these letters different meanings, so they lead to two different hosts.
_TWO_MEANINGS = frozenset("ßς\u200c\u200d")
_KEPT_IN_PATH = "/?:@!$&'()*+,;=-._~%"


class AddressRefused(ToolError):
    """This address is not reached; the text says why, and what could be done instead."""

    def __init__(self, message: str) -> None:
        super().__init__(message, kind="denied")


class Target(NamedTuple):
    """The target of a request. `host` is a lower-case ASCII name or an address; `path` has its query with it."""

    scheme: str
    host: str
    port: int
    path: str = "/"

    @property
    def netloc(self) -> str:
        """Host and port as the Host header has them."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == DEFAULT_PORTS[self.scheme] else f"{host}:{self.port}"

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.netloc}{self.path}"


def parse_url(url: str) -> Target:
    """Read an http or https URL; raises `AddressRefused` for every other, and for whatever is ambiguous."""
    url = url.strip(" \t\r\n")
    if len(url) > MAX_CHARACTERS:
        raise AddressRefused(f"the URL is longer than {MAX_CHARACTERS:,} characters")
    if _BAD_ANYWHERE.search(url):
        raise AddressRefused("the URL holds a control character or a backslash; percent-encode it")
    scheme = _SCHEME.match(url)
    if scheme is None or scheme[1].lower() not in DEFAULT_PORTS:
        raise AddressRefused("only http:// and https:// URLs can be fetched; write the whole URL")
    rest = _AUTHORITY.match(url, scheme.end())
    if rest is None:
        raise AddressRefused("the URL needs two slashes before its host, as in https://example.com/")
    host, port = _host_and_port(rest[1], scheme[1].lower())
    return Target(scheme[1].lower(), host, port, _path(rest[2]))


def follow(base: Target, location: str) -> Target:
    """Read where a redirect leads; a relative one is relative to `base`."""
    if _BAD_ANYWHERE.search(location):
        raise AddressRefused(f"{base.host} redirects to a URL with a control character or a backslash in it")
    try:
        return parse_url(urljoin(base.url, location.strip(" ")))
    except ValueError:
        raise AddressRefused(f"{base.host} redirects to something that is not a URL") from None


def canonical_host(host: str) -> str:
    """The one spelling of a host: a name in lower-case ASCII, or an address in its shortest form."""
    if host.startswith("["):
        return _ipv6(host[1:-1])
    name = _ascii(host).removesuffix(".")
    if len(name) > 253 or not all(_LABEL.fullmatch(label) for label in name.split(".")):
        raise AddressRefused(f"{_shown(host)} is not a host name")
    # A number at the end is an IPv4 address to some readers (octal, hexadecimal, fewer parts), a name to others.
    return _ipv4(name) if _ENDS_IN_NUMBER.fullmatch(name) else name


def _host_and_port(authority: str, scheme: str) -> tuple[str, int]:
    if "@" in authority:
        raise AddressRefused("a URL with a user name or password can't be fetched; leave out everything before the @")
    if "%" in authority:
        raise AddressRefused("the host of the URL holds a percent sign; write it plainly")
    if " " in authority:
        raise AddressRefused("the host of the URL holds a space")
    parts = _HOST_AND_PORT.fullmatch(authority)
    if parts is None:
        raise AddressRefused("the URL names no host, or its port is not a number from 1 to 65535")
    port = int(parts["port"] or DEFAULT_PORTS[scheme])
    if not 0 < port < 65_536:
        raise AddressRefused("the port must be a number from 1 to 65535")
    return canonical_host(parts["host"]), port


def _ascii(host: str) -> str:
    if host.isascii():
        return host.lower()
    if not _TWO_MEANINGS.isdisjoint(host):
        raise AddressRefused(f"{_shown(host)} can mean two different hosts; write it in its xn-- form")
    if len(host) > 253:
        raise AddressRefused("the host name is too long")
    _load_idna()
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        raise AddressRefused(f"{_shown(host)} is not a host name") from None


@cache
def _load_idna() -> None:
    """The codec brings tables of Unicode with it, which only a name that is not ASCII needs."""
    import encodings.idna  # noqa: F401  # pyright: ignore[reportUnusedImport]


def _ipv4(name: str) -> str:
    try:
        return str(IPv4Address(name))
    except AddressValueError:
        hint = "write an IPv4 address as four decimal numbers, as in 203.0.113.7"
        raise AddressRefused(f"{_shown(name)} is an odd spelling of an address; {hint}") from None


def _ipv6(text: str) -> str:
    try:
        address = IPv6Address(text)
    except AddressValueError:
        raise AddressRefused(f"[{_shown(text)}] is not an IPv6 address") from None
    if address.scope_id is not None:
        raise AddressRefused("an IPv6 address with a zone can't be fetched")
    return address.compressed


def _path(text: str) -> str:
    """Path and query with everything encoded that HTTP cannot carry; what is encoded already stays as it is."""
    try:
        return quote(text if text.startswith("/") else "/" + text, safe=_KEPT_IN_PATH)
    except UnicodeEncodeError:
        raise AddressRefused("the URL holds half a character; write it whole or percent-encode it") from None


def _shown(host: str) -> str:
    return ascii(host[:80])
