"""Names and sockets: the one seam between the web client and the world."""

import asyncio
import socket
from collections.abc import Sequence

Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Network:
    """The machine's own resolver and sockets. `connect` is only ever given an address, never a name, except for the
    proxy that the user's environment names."""

    async def resolve(self, host: str) -> Sequence[str]:
        """Every address of `host`; raises `OSError` if it has none."""
        found = await asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM)
        return [str(entry[4][0]) for entry in found]

    async def connect(self, address: str, port: int) -> Streams:
        return await asyncio.open_connection(address, port)
