"""Connect to a Temporal server, and say in plain words why that is not possible."""

import asyncio
import atexit
import logging
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from msgspec import Struct

from toolpost.config.schema import EngineSettings
from toolpost.extras import require
from toolpost.guard.redact import remember
from toolpost.types.errors import ConfigError, ToolpostError

if TYPE_CHECKING:
    from temporalio.client import Client
    from temporalio.runtime import Runtime
    from temporalio.service import RPCError

SCHEME = "temporal"
PORT = 7233
NAMESPACE = "default"
# The longest that somebody waits for the server, to connect and for one answer.
PATIENCE = 5.0

# How long a process that ends leaves the client's threads for their last step.
EXIT_SECONDS = 0.2

_SHAPE = "use temporal://host:7233/namespace"


class TemporalAddress(Struct, frozen=True):
    target: str
    namespace: str

    @property
    def place(self) -> str:
        """For people."""
        return f"namespace {self.namespace} at {self.target}"


def read_address(url: str) -> TemporalAddress:
    """Read `temporal://host:port/namespace`; the port is 7233 and the namespace `default` where they are left out."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port or PORT
    except ValueError:
        # It may be quoted in the error, with what does not belong there.
        raise ConfigError(f"[engine] url cannot be read: {_SHAPE}") from None
    if parts.scheme != SCHEME:
        raise ConfigError(f"[engine] url must begin with temporal://, not {parts.scheme or 'nothing'}://: {_SHAPE}")
    if "@" in parts.netloc:
        raise ConfigError("[engine] url has a name or a key in it: set api_key_env to the variable that holds the key")
    namespace = parts.path.strip("/")
    if not host or parts.query or parts.fragment or "/" in namespace:
        raise ConfigError(f"[engine] url cannot be read: {_SHAPE}")
    return TemporalAddress(f"[{host}]:{port}" if ":" in host else f"{host}:{port}", namespace or NAMESPACE)


class TemporalConnection:
    """A client for as long as somebody uses it: connected when it is first needed, and given to `prepare` then."""

    def __init__(
        self,
        settings: EngineSettings,
        environ: Mapping[str, str],
        prepare: Callable[["Client"], Awaitable[None]] | None = None,
    ) -> None:
        # What is wrong in the settings is an error now.
        self.address = address_of(settings)
        self._settings = settings
        self._environ = environ
        self._prepare = prepare
        self._client: Client | None = None
        self._connecting = asyncio.Lock()

    @asynccontextmanager
    async def client(self) -> "AsyncGenerator[Client]":
        """The client, for requests whose errors are `explained`."""
        client = await self._connected()
        async with explained(self.address):
            yield client

    def close(self) -> None:
        # The connection ends with its last user.
        self._client = None

    async def _connected(self) -> "Client":
        async with self._connecting:
            if self._client is None:
                client = await connect(self._settings, self._environ)
                if self._prepare is not None:
                    await self._prepare(client)
                self._client = client
            return self._client


@contextmanager
def unless_gone() -> Generator[None]:
    """Do nothing where the server does not know what is asked for: it has ended, or never began."""
    from temporalio.service import RPCError, RPCStatusCode

    try:
        yield
    except RPCError as error:
        if error.status != RPCStatusCode.NOT_FOUND:
            raise


async def connect(settings: EngineSettings, environ: Mapping[str, str]) -> "Client":
    """A client of the server in `[engine]`. Raises `ConfigError` for settings that cannot work, and `ToolpostError`
    while the server is away."""
    address = address_of(settings)
    require("temporal", "[engine] url")
    # Imported here: it takes 0.25 s, and only who has such a server needs it.
    from temporalio.api.workflowservice.v1 import DescribeNamespaceRequest
    from temporalio.client import Client

    key = _api_key(settings, environ)
    async with explained(address):
        client = await Client.connect(
            address.target,
            namespace=address.namespace,
            tls=settings.tls or None,
            api_key=key or None,
            runtime=_runtime(),
        )
        asked = DescribeNamespaceRequest(namespace=address.namespace)
        await client.workflow_service.describe_namespace(asked, timeout=timedelta(seconds=PATIENCE))
    return client


def address_of(settings: EngineSettings) -> TemporalAddress:
    if settings.url is None:
        raise ConfigError("no Temporal server is set: add `url` to [engine], such as temporal://localhost:7233/default")
    return read_address(settings.url)


@asynccontextmanager
async def explained(address: TemporalAddress) -> AsyncGenerator[None]:
    """Wait no longer than `PATIENCE`, and turn what the client raises into an error that says what to do."""
    from temporalio.service import RPCError

    try:
        async with asyncio.timeout(PATIENCE):
            yield
    except RPCError as error:
        raise _explanation(error, address) from error
    except TimeoutError as error:
        raise _away(address, "no answer in time") from error
    except RuntimeError as error:
        # The client raises nothing more particular where nobody listens, or where TLS fails.
        if not str(error).startswith("Failed client connect"):
            raise
        raise _away(address, _plain(str(error))) from error


def _explanation(error: "RPCError", address: TemporalAddress) -> ToolpostError:
    from temporalio.service import RPCStatusCode

    if error.status == RPCStatusCode.NOT_FOUND and "amespace" in error.message:
        return ConfigError(
            f"the Temporal server at {address.target} has no namespace {address.namespace}: create it with `temporal "
            f"operator namespace create -n {address.namespace}`, or correct [engine] url"
        )
    if error.status in (RPCStatusCode.UNAUTHENTICATED, RPCStatusCode.PERMISSION_DENIED):
        return ConfigError(
            f"the Temporal server at {address.target} refuses this key, or a namespace {address.namespace} for it: "
            "check api_key_env and tls in [engine]"
        )
    if error.status in (RPCStatusCode.UNAVAILABLE, RPCStatusCode.DEADLINE_EXCEEDED, RPCStatusCode.CANCELLED):
        return _away(address, error.message)
    return ToolpostError(f"the Temporal server at {address.target} refuses it: {error.message}")


def _away(address: TemporalAddress, why: str) -> ToolpostError:
    return ToolpostError(
        f"the Temporal server at {address.target} can't be reached ({why}): start it, or correct [engine] url and tls"
    )


def _plain(text: str) -> str:
    """What the system said, of a text with the whole chain of errors."""
    messages = re.findall(r'message: "([^"]+)"', text)
    return messages[-1] if messages else text


def _api_key(settings: EngineSettings, environ: Mapping[str, str]) -> str:
    if settings.api_key_env is None:
        return ""
    key = environ.get(settings.api_key_env, "").strip()
    if not key:
        raise ConfigError(f"[engine] takes its key from {settings.api_key_env}, which is not set")
    remember(key)
    return key


@lru_cache(1)
def _runtime() -> "Runtime":
    """Its threads, once a process, and never before a fork. What it logs goes where our own log goes."""
    from temporalio.runtime import LogForwardingConfig, LoggingConfig, Runtime, TelemetryConfig, TelemetryFilter

    # Its threads may still be about to give back the interpreter, and one that comes too late aborts the process.
    atexit.register(time.sleep, EXIT_SECONDS)
    level = TelemetryFilter(core_level="WARN", other_level="ERROR")
    logging_to = LoggingConfig(level, LogForwardingConfig(logging.getLogger("toolpost.temporal")))
    return Runtime(telemetry=TelemetryConfig(logging=logging_to), disable_environment_info=True)
