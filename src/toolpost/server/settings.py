"""The settings of one server: address, allowed hosts and origins, limits."""

from msgspec import Struct

LOOPBACK = ("127.0.0.1", "::1", "localhost")


class ServerSettings(Struct, frozen=True, omit_defaults=True):
    """`hosts` are names besides its own by which it may be called, `origins` the pages that may call it from a browser.
    `trusted_proxies` are the addresses and networks of proxies in front that say who the client is.

    Times in seconds, sizes in bytes. `write_timeout`: a reader that takes nothing for so long is cut off;
    `stop_timeout`: what still runs after SIGTERM is given so long; `keep_alive`: a stream that is silent for so long
    gets a ping; `socket_idle`, `socket_seconds`: how long a WebSocket may be silent, and how long it lasts.
    """

    host: str = "127.0.0.1"
    port: int = 8642
    hosts: tuple[str, ...] = ()
    origins: tuple[str, ...] = ()
    trusted_proxies: tuple[str, ...] = ()
    head_bytes: int = 65_536
    head_seconds: float = 30.0
    body_bytes: int = 32_000_000
    body_seconds: float = 30.0
    request_seconds: float = 3600.0
    write_timeout: float = 30.0
    stop_timeout: float = 7.0
    keep_alive: float = 15.0
    socket_idle: float = 900.0
    socket_seconds: float = 3600.0

    @property
    def is_local(self) -> bool:
        return self.host in LOOPBACK
