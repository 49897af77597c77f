"""The Gemini wire: `streamGenerateContent`, at Google or behind a proxy that speaks it."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from toolpost.models import http
from toolpost.models.contract import EFFORTS, ModelInfo, ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in

from .request import RequestWriter
from .stream import GeminiStream

# The base URL may lack the version, as in the variable that Google's own clients read.
_ROOT = "/v1beta"


class Gemini(HttpModel[RequestWriter]):
    """A model behind `POST {base_url}/models/{name}:streamGenerateContent`. Without a key none is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    def __init__(
        self,
        name: str,
        *,
        base_url: str = "https://generativelanguage.googleapis.com/v1beta",
        provider: str = "gemini",
        api_key: str | None = None,
        headers: Mapping[str, str] | None = None,
        extra_body: Mapping[str, Any] | None = None,
        options: Mapping[str, Any] | None = None,
        context_window: int | None = None,
        max_output: int | None = None,
        connect_timeout: float = http.CONNECT_TIMEOUT,
    ) -> None:
        path = name if name.startswith(("models/", "tunedModels/")) else f"models/{name}"
        super().__init__(
            ModelInfo(provider, name, context_window, max_output, EFFORTS),
            endpoint(base_url, f"{path}:streamGenerateContent", "alt=sse", root=_ROOT),
            auth_headers(headers, x_goog_api_key=api_key),
            RequestWriter(name, provider, extra_body, options),
            connect_timeout=connect_timeout,
        )
        # Where a model made a mistake that is being tried again: it is, once.
        self._mistakes: set[tuple[int, str]] = set()

    def _reader(self, request: ModelRequest) -> GeminiStream:
        place = (len(request.messages), request.messages[-1].id if request.messages else "")
        if place in self._mistakes:
            self._mistakes.discard(place)
            return GeminiStream(self._secrets)
        return GeminiStream(self._secrets, on_mistake=partial(self._mistakes.add, place))


async def list_models(
    base_url: str, *, api_key: str | None = None, headers: Mapping[str, str] | None = None, timeout: float = 10.0
) -> list[str]:
    """The names of the models that generate content."""
    url = endpoint(base_url, "models", "pageSize=1000", root=_ROOT)
    rows = await list_rows(url, auth_headers(headers, x_goog_api_key=api_key), "models", timeout=timeout)
    able = [row for row in rows if "generateContent" in row.get("supportedGenerationMethods", ["generateContent"])]
    return [name.removeprefix("models/") for name in names_in(able, "name")]
