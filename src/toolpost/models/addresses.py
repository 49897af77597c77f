"""What can be told from the address of a model server."""

from urllib.parse import urlsplit


def is_loopback(url: str) -> bool:
    host = urlsplit(url).hostname or ""
    return host == "localhost" or host.endswith(".localhost") or host.startswith("127.") or host == "::1"
