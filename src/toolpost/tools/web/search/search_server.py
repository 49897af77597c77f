"""Send requests to the server of a search provider, and read the JSON in its responses."""

from typing import Any, cast

import msgspec

from toolpost.guard.addresses import Policy
from toolpost.guard.strict_urls import parse_url
from toolpost.net.dial import MACHINE, Dialer
from toolpost.tools.web.client import WebClient, WebRequest, WebResponse
from toolpost.types.errors import ToolError

_ANSWER_BYTES = 5_000_000
SECONDS = 20.0


class SearchServer:
    """The server of an engine: it may be private, since the user chose it, but no other private host is reached."""

    def __init__(self, url: str, dialer: Dialer = MACHINE) -> None:
        self.url = url.rstrip("/")
        target = parse_url(url)
        host = f"[{target.host}]" if ":" in target.host else target.host
        self._client = WebClient(Policy([f"{host}:{target.port}"]), dialer)

    async def get(self, path: str) -> WebResponse:
        return await self._client.fetch(self._request(path, "GET"))

    async def post(self, path: str, value: Any, headers: dict[str, str]) -> WebResponse:
        body = msgspec.json.encode(value)
        return await self._client.fetch(
            self._request(path, "POST", body, {"content-type": "application/json", **headers})
        )

    def _request(self, path: str, method: str, body: bytes = b"", headers: dict[str, str] | None = None) -> WebRequest:
        return WebRequest(
            url=self.url + path,
            method=method,
            body=body,
            headers={"accept": "application/json", **(headers or {})},
            limit=_ANSWER_BYTES,
            seconds=SECONDS,
        )


def json_of(fetched: WebResponse) -> dict[str, Any]:
    """The object in a response; {} if there is no object."""
    try:
        value = msgspec.json.decode(fetched.body)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return {}
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def unreadable(name: str, fetched: WebResponse) -> ToolError:
    return ToolError(f"{name} answered with status {fetched.status} and nothing that can be read")
