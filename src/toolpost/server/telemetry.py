"""Create spans if the settings want them: only then OpenTelemetry is imported."""

from abc import ABC, abstractmethod
from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from typing import TYPE_CHECKING

from toolpost.config.schema import TelemetrySettings
from toolpost.extras import missing_text
from toolpost.models.contract import Model, ModelInfo, ModelRequest, get_ready
from toolpost.types.errors import ConfigError
from toolpost.types.stream import StreamEvent

from .gateway.output import OutputEvent
from .gateway.request import GatewayRequest

if TYPE_CHECKING:
    from .spans import Spans

VARIABLES = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")


class TracedModel(ABC):
    """A model with a span for each of its turns; `model` is the one behind it."""

    def __init__(self, model: Model) -> None:
        self.model = model

    @property
    def info(self) -> ModelInfo:
        return self.model.info

    async def get_ready(self) -> None:
        await get_ready(self.model)

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]: ...

    @abstractmethod
    def relayed(
        self, asked: GatewayRequest, outs: AsyncGenerator[OutputEvent, None]
    ) -> AsyncGenerator[OutputEvent, None]:
        """The same answer, which goes to the client as it comes, with a span for it."""


def untraced(model: Model) -> Model:
    return model.model if isinstance(model, TracedModel) else model


def create_spans(settings: TelemetrySettings, environ: Mapping[str, str]) -> "Spans | None":
    """None where neither the settings nor OpenTelemetry's own variables name a collector."""
    if environ.get("OTEL_SDK_DISABLED", "").lower() == "true" or environ.get("OTEL_TRACES_EXPORTER") == "none":
        return None
    if not settings.endpoint and not any(environ.get(name) for name in VARIABLES):
        return None
    try:
        # Imported here: it takes a third of a second, and most servers send no spans.
        from .spans import Spans
    except ImportError:
        raise ConfigError(missing_text("otel", "telemetry")) from None
    return Spans(settings.endpoint or "", has_content=settings.content)
