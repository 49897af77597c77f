"""Find the client's address and scheme of a request that came through a proxy.

`X-Forwarded-For` and `X-Forwarded-Proto` are believed only from the proxies that the settings name: anybody can send
them. In a list the last entry was added by the proxy next to us, so it is read from the right, up to the first address
that is not a proxy's.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.types import Scope

from toolpost.types.errors import ConfigError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

SECURE_SCHEMES = ("https", "wss")


class TrustedProxies:
    """`given` are addresses and networks, such as `127.0.0.1` and `10.0.0.0/8`."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._networks: Sequence[Network] = [_network(text) for text in given]

    def apply(self, scope: Scope) -> None:
        """Put the address and the scheme of the client in the place of those of the connection."""
        connected = scope.get("client")
        if not self._networks or connected is None or not self._has(_address(connected[0])):
            return
        found = self._client(_entries(scope, b"x-forwarded-for"))
        if found is not None:
            # The port of the client is not known; 0 is the one that nobody has.
            scope["client"] = (str(found), 0)
        if schemes := _entries(scope, b"x-forwarded-proto"):
            is_socket = scope["type"] == "websocket"
            is_secure = schemes[-1].lower() in SECURE_SCHEMES
            scope["scheme"] = ("wss" if is_secure else "ws") if is_socket else ("https" if is_secure else "http")

    def _client(self, entries: Sequence[str]) -> Address | None:
        """The last address that is not a proxy's, or the first of all if they all are. What stands before an entry
        that is not an address can't be believed."""
        found = None
        for entry in reversed(entries):
            address = _address(entry)
            if address is None:
                break
            found = address
            if not self._has(address):
                break
        return found

    def _has(self, address: Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)


def _network(text: str) -> Network:
    try:
        return ip_network(text.strip(), strict=False)
    except ValueError:
        raise ConfigError(
            f"trusted_proxies: {text!r} is not an address; write one such as 127.0.0.1, or a network such as 10.0.0.0/8"
        ) from None


def _entries(scope: Scope, name: bytes) -> list[str]:
    """The entries of a header that is a list, which may come in several lines."""
    lines = b",".join(value for key, value in scope["headers"] if key == name).decode("latin-1")
    return [entry.strip() for entry in lines.split(",")] if lines else []


@lru_cache(maxsize=1024)
def _address(text: str) -> Address | None:
    """Parse an address; some proxies add the port, and IPv6 sockets show IPv4 addresses as a part of their own."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
