"""Check which addresses the web tools may reach: the public internet, and what the user's allow list adds to it.

A name is resolved once, every address it has is checked, and those very addresses are connected to: a name that
answers differently a moment later changes nothing.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import NamedTuple

from toolpost.types.errors import ConfigError

from .strict_urls import AddressRefused, Target, canonical_host

Resolve = Callable[[str], Awaitable[Sequence[str]]]
Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

# What speaks another protocol on its port can be made to misread a request as commands.
WEB_PORTS = frozenset({80, 443, 8000, 8008, 8080, 8443, 8888})

# Names that never mean a public host, whoever answers for them.
LOCAL_SUFFIXES = (
    *("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "private", "svc"),
    *("home.arpa", "test", "invalid", "example", "onion", "alt"),
)
METADATA_HOSTS = frozenset(
    {"metadata.goog", "metadata.tencentyun.com", "metadata.packet.net", "metadata.platformequinix.com"}
)
# Where machines in a cloud get their credentials. Only an entry that spells the address out allows these.
METADATA_ADDRESSES = frozenset(
    map(
        ip_address,
        (
            *("169.254.169.254", "169.254.169.253", "169.254.170.2", "169.254.170.23", "169.254.0.23"),
            *("100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"),
            "fd00:42::42",
        ),
    )
)

# After IANA's registries of special-purpose addresses; Python's own `is_private` and `is_global` differ by version.
_RESERVED_4 = {
    "this network": ("0.0.0.0/8",),
    "loopback": ("127.0.0.0/8",),
    "private": ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"),
    "carrier-grade NAT": ("100.64.0.0/10",),
    "link-local": ("169.254.0.0/16",),
    "for documentation": ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"),
    "for benchmarks": ("198.18.0.0/15",),
    "reserved": ("192.0.0.0/24", "192.88.99.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24"),
    "multicast": ("224.0.0.0/4",),
    "reserved for the future": ("240.0.0.0/4",),
}
_RESERVED_6 = {
    "unspecified": ("::/128",),
    "loopback": ("::1/128",),
    "an IPv4 address in disguise": ("::ffff:0:0/96", "::ffff:0:0:0/96", "::/96", "2002::/16"),
    "NAT64": ("64:ff9b::/96", "64:ff9b:1::/48"),
    "Teredo": ("2001::/32",),
    "for documentation": ("2001:db8::/32", "3fff::/20"),
    "private": ("fc00::/7",),
    "link-local": ("fe80::/10", "fec0::/10"),
    "multicast": ("ff00::/8",),
    "reserved": ("2001::/23", "2620:4f:8000::/48", "3ffe::/16"),
}
_GLOBAL_6 = IPv6Network("2000::/3")
# The low half of an ISATAP address begins so and ends in an IPv4 address.
_ISATAP = frozenset({0x0000_5EFE, 0x0200_5EFE})

_Table = tuple[tuple[str, Network], ...]


def _table(reasons: dict[str, tuple[str, ...]]) -> _Table:
    return tuple((reason, ip_network(text)) for reason, texts in reasons.items() for text in texts)


_TABLES: dict[int, _Table] = {4: _table(_RESERVED_4), 6: _table(_RESERVED_6)}


def reason_against(address: str) -> str:
    """Why `address` is not on the public internet, or "" if it is."""
    if "%" in address:
        return "scoped to one link"
    return _reason(ip_address(address))


def _reason(address: Address) -> str:
    if address in METADATA_ADDRESSES:
        return "a cloud's metadata service"
    for reason, network in _TABLES[address.version]:
        if address in network:
            return reason
    if isinstance(address, IPv6Address):
        if address not in _GLOBAL_6:
            return "reserved"
        if (int(address) >> 32) & 0xFFFF_FFFF in _ISATAP:
            return "an IPv4 address in disguise"
    return ""


class _Entry(NamedTuple):
    """One entry of the allow list: a name (`*.` for all below it) or a network, on one port or on the usual ones."""

    name: str
    network: Network | None
    port: int | None

    def allows(self, target: Target, address: Address | None) -> bool:
        if target.port != self.port and (self.port is not None or target.port not in WEB_PORTS):
            return False
        if address is not None:
            return self.network is not None and address in self.network
        if self.name.startswith("*."):
            return target.host.endswith(self.name[1:])
        return target.host == self.name


class Policy:
    """The addresses that may be reached. `allow_hosts` are entries such as intranet.example, *.corp.example,
    10.0.0.0/8, 192.168.1.5 or wiki.lan:3000: they lift the ban on private addresses there, and a port opens that port.
    """

    def __init__(self, allow_hosts: Iterable[str] = ()) -> None:
        self._entries = tuple(_entry(text) for text in allow_hosts)

    def check(self, target: Target) -> None:
        """Refuse what needs no resolving to be refused: a port, a local name, an address that is not public."""
        literal = _literal(target.host)
        entries = self._entries_for(target, literal)
        if not entries and target.port not in WEB_PORTS:
            allowed = ", ".join(map(str, sorted(WEB_PORTS)))
            raise AddressRefused(f"port {target.port} is not allowed, only {allowed}. {_HOW_TO_ALLOW}")
        if literal is not None:
            self._check_address(literal, target, ())
        elif not entries and (why := _reason_against_name(target.host)):
            raise AddressRefused(
                f"{target.host} is {why}, and only the public internet can be reached. {_HOW_TO_ALLOW}"
            )

    async def pin(self, target: Target, resolve: Resolve) -> tuple[str, ...]:
        """Resolve the host, once, and return its addresses to connect to; one that is not allowed refuses them all."""
        self.check(target)
        if _literal(target.host) is not None:
            return (target.host,)
        found = tuple(dict.fromkeys(await resolve(target.host)))
        if not found:
            raise OSError(f"the name {target.host} has no address")
        entries = self._entries_for(target, None)
        for text in found:
            if "%" in text:
                raise AddressRefused(f"{target.host} leads to {text}, which is scoped to one link")
            self._check_address(ip_address(text), target, entries)
        return found

    def _check_address(self, address: Address, target: Target, entries: Sequence[_Entry]) -> None:
        """`entries` are those that allow the target by its name."""
        why = _reason(address)
        if not why:
            return
        if self._entries_for(target, address) or (entries and address not in METADATA_ADDRESSES):
            return
        where = target.host if str(address) == target.host else f"{target.host} ({address})"
        raise AddressRefused(f"{where} is {why}, and only the public internet can be reached. {_HOW_TO_ALLOW}")

    def _entries_for(self, target: Target, address: Address | None) -> tuple[_Entry, ...]:
        """The entries that allow this address on the target's port, or its host's name where there is no address."""
        return tuple(entry for entry in self._entries if entry.allows(target, address))


_HOW_TO_ALLOW = "The user can allow it with allow_hosts in [web] of config.toml."


def _literal(host: str) -> Address | None:
    return ip_address(host) if ":" in host or host.replace(".", "").isdecimal() else None


def _reason_against_name(host: str) -> str:
    if host in METADATA_HOSTS:
        return "a cloud's metadata service"
    if "." not in host or any(host.endswith("." + suffix) for suffix in LOCAL_SUFFIXES):
        return "a local name"
    return ""


def _entry(text: str) -> _Entry:
    try:
        return _network_entry(text) or _name_entry(text)
    except (AddressRefused, ValueError):
        forms = "intranet.example, *.corp.example, wiki.lan:3000, 192.168.1.5, [fd00::5]:8080 or 10.0.0.0/8"
        raise ConfigError(f"allow_hosts: {text!r} is not a host or a network; write it as {forms}") from None


def _network_entry(text: str) -> _Entry | None:
    """An address, with a port or without, or a network; None if it is something else."""
    host, port = _split_port(text)
    try:
        return _Entry("", ip_network(host.strip("[]")), port)
    except ValueError:
        if "/" in text:
            raise
        return None


def _name_entry(text: str) -> _Entry:
    host, port = _split_port(text)
    wildcard = "*." if host.startswith("*.") else ""
    return _Entry(wildcard + canonical_host(host.removeprefix("*.")), None, port)


def _split_port(text: str) -> tuple[str, int | None]:
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.endswith("]")):
        return text, None
    number = int(port)
    if not 0 < number < 65_536:
        raise ValueError(port)
    return host, number
