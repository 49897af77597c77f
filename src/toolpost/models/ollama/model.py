"""The adapter for Ollama's own chat wire, which knows thinking, the context size and how long a model stays loaded."""

from typing import Unpack

from msgspec import structs

from toolpost.arguments.check_sdk_calls import named
from toolpost.models import http
from toolpost.models.adapter_settings import AdapterArguments, AdapterSettings
from toolpost.models.contract import ModelRequest
from toolpost.models.http_model import HttpModel, endpoint, list_rows, names_in
from toolpost.net.urls import public_url
from toolpost.types.errors import ModelError

from .request import OllamaRequestWriter
from .stream import OllamaStreamReader

BASE_URL = "http://127.0.0.1:11434"
# A base URL that was written for the OpenAI wire ends in /v1, which is not of this one.
_NOT_HERE = ("/v1", "/api")


class Ollama(HttpModel[OllamaRequestWriter]):
    """A model behind `POST {base_url}/api/chat`. `context_window` becomes `num_ctx`; without it the server is asked
    what the model can have (`toolpost.models.windows`), and `max_context` bounds that. `keep_alive`, `format` and other
    options of the server go through `extra_body` or the option `extra`."""

    asked_as = "ollama"

    @named("Ollama", AdapterArguments)
    def __init__(
        self, name: str, *, base_url: str = BASE_URL, provider: str = "ollama", **given: Unpack[AdapterArguments]
    ) -> None:
        # Without a size in each request the server would cut the conversation at a small one of its own.
        settings = structs.replace(AdapterSettings(name, provider, base_url, **given), asks_window=True)
        super().__init__(settings, endpoint(base_url, "api/chat", without=_NOT_HERE), OllamaRequestWriter(settings))

    @classmethod
    async def list_models(cls, settings: AdapterSettings, *, timeout: float = 10.0) -> list[str]:
        url = endpoint(settings.base_url, "api/tags", without=_NOT_HERE)
        return names_in(await list_rows(url, cls._headers_for(settings), "models", timeout=timeout), "name")

    def _reader(self, request: ModelRequest) -> OllamaStreamReader:
        return OllamaStreamReader(self._secrets)

    async def _open(self, request: ModelRequest, said: bytes = b"") -> http.ModelResponse:
        # Who asks without a session has not waited for it.
        await self.get_ready()
        try:
            return await super()._open(request, said)
        except ModelError as error:
            if error.code == "context_overflow":
                raise self._too_long(error) from None
            if error.code != "not_found":
                raise
            raise self._explained(error) from None

    def _fit(self, window: int) -> None:
        super()._fit(window)
        self._writer.fit(window)

    def _too_long(self, error: ModelError) -> ModelError:
        """Say how large the window is, and where to set another."""
        window, name = self._info.context_window, self._info.name
        size = f"{window:,} tokens" if window else "its window"
        hint = f'[providers.{self._info.provider}.models."{name}"] context_window'
        text = f"the conversation does not fit into {size} of {name}: shorten it, or raise {hint}"
        return ModelError(structs.replace(error.info, message=text))

    def _explained(self, error: ModelError) -> ModelError:
        """Say which command gets the model, or that this is another server."""
        where, name = public_url(self._url), self._info.name
        text = f"{where} has no model {name!r}: get it with `ollama pull {name}`"
        said = error.info.message.partition(" answered ")[2].partition(" (check ")[0]
        if "model" not in said:
            hint = 'for one that speaks like OpenAI, set wire = "openai_chat"'
            text = f"{where} is not there: is this an Ollama server? ({hint})"
        return ModelError(structs.replace(error.info, message=text))
