"""The adapter for Gemini: `streamGenerateContent`, at Google or behind a proxy that speaks it."""

from functools import partial
from typing import Unpack

from toolpost.arguments.check_sdk_calls import named
from toolpost.models.adapter_settings import AdapterArguments, AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.http_model import HttpModel, auth_headers, endpoint, list_rows, names_in

from .request import GeminiRequestWriter
from .stream import GeminiStreamReader

BASE_URL = "https://generativelanguage.googleapis.com/v1beta"
# The base URL may lack the version, as in the variable that Google's own clients read.
_ROOT = "/v1beta"


class Gemini(HttpModel[GeminiRequestWriter]):
    """A model behind `POST {base_url}/models/{name}:streamGenerateContent`. Without a key none is sent.

    `extra_body` is merged into every request; `options` stand where a request does not say otherwise.
    """

    @named("Gemini", AdapterArguments)
    def __init__(
        self, name: str, *, base_url: str = BASE_URL, provider: str = "gemini", **given: Unpack[AdapterArguments]
    ) -> None:
        settings = AdapterSettings(name, provider, base_url, **given)
        path = name if name.startswith(("models/", "tunedModels/")) else f"models/{name}"
        url = endpoint(base_url, f"{path}:streamGenerateContent", "alt=sse", root=_ROOT)
        super().__init__(settings, url, GeminiRequestWriter(settings))
        # Where a model made a mistake that is being tried again: it is, once.
        self._mistakes: set[tuple[int, str]] = set()

    @classmethod
    async def list_models(cls, settings: AdapterSettings, *, timeout: float = 10.0) -> list[str]:
        """The names of the models that generate content."""
        url = endpoint(settings.base_url, "models", "pageSize=1000", root=_ROOT)
        rows = await list_rows(url, cls._headers_for(settings), "models", timeout=timeout)
        able = [row for row in rows if "generateContent" in row.get("supportedGenerationMethods", ["generateContent"])]
        return [name.removeprefix("models/") for name in names_in(able, "name")]

    @classmethod
    def _headers_for(cls, settings: AdapterSettings) -> dict[str, str]:
        return auth_headers(settings.headers, x_goog_api_key=settings.api_key)

    def _reader(self, request: ModelRequest) -> GeminiStreamReader:
        place = (len(request.messages), request.messages[-1].id if request.messages else "")
        if place in self._mistakes:
            self._mistakes.discard(place)
            return GeminiStreamReader(self._secrets)
        return GeminiStreamReader(self._secrets, on_mistake=partial(self._mistakes.add, place))
