"""`embedded/smollm2` as a `Model`: its turns run on a thread and give the same stream events as any other adapter."""

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

from toolpost.models.contract import ModelInfo, ModelRequest
from toolpost.types.errors import ConfigError, ModelError
from toolpost.types.messages import ErrorInfo
from toolpost.types.stream import Finish, StreamError, StreamEvent

from . import lora
from .decoder import Decoder, Stopped
from .known_weights import SMALLEST
from .server import SLOTS, WINDOW, Server, server_for
from .turn import take_turn
from .weights import PROVIDER


class SmolLM2:
    """SmolLM2-135M-Instruct in this process. The weights have to be there; `load` says where they are."""

    def __init__(self, path: Path, *, options: Mapping[str, Any] | None = None, grammar: bool = True) -> None:
        self._info = ModelInfo(PROVIDER, SMALLEST, WINDOW)
        self._path = path
        self._options = dict(options or {})
        self._grammar = grammar

    @property
    def info(self) -> ModelInfo:
        return self._info

    def __repr__(self) -> str:
        return f"SmolLM2({str(self._path)!r})"

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        try:
            server = await asyncio.to_thread(server_for, self._path, window=WINDOW, slots=SLOTS, adapter=lora.path())
        except ConfigError as error:
            raise ModelError(ErrorInfo("unreachable", str(error))) from error
        turn = _Turn(server, request, {**self._options, **request.options}, self._grammar)
        try:
            while True:
                event = await turn.next(request.idle_timeout)
                yield event
                if isinstance(event, Finish | StreamError):
                    return
        finally:
            turn.stop()


class _Turn:
    """A turn on a thread of its own. `stop` ends it at its next token, and does not wait for that."""

    def __init__(self, server: Server, request: ModelRequest, options: Mapping[str, Any], grammar: bool) -> None:
        self._loop = asyncio.get_running_loop()
        self._events: asyncio.Queue[StreamEvent | None] = asyncio.Queue()
        self._stop = threading.Event()
        self._decoder = Decoder(server, self._stop, lambda: self._emit(None), request.tape)
        self._work = lambda: take_turn(self._decoder, request, options, self._emit, grammar=grammar)
        # Python waits for it at its end: one that is killed inside llama.cpp takes the process down with it.
        threading.Thread(target=self._run, name=f"{PROVIDER}/{SMALLEST}").start()

    async def next(self, idle_timeout: float) -> StreamEvent:
        """The next event. A model that reads a long prompt is not silent: it shows that it is alive."""
        while True:
            try:
                async with asyncio.timeout(idle_timeout):
                    event = await self._events.get()
            except TimeoutError:
                text = f"the embedded model was silent for {idle_timeout:g} s"
                return StreamError(ErrorInfo("timeout", text, retryable=True))
            if event is not None:
                return event

    def stop(self) -> None:
        self._stop.set()

    def _run(self) -> None:
        try:
            self._work()
        except Stopped:
            return
        except ModelError as error:
            self._emit(StreamError(error.info))
        except Exception as error:  # noqa: BLE001 - on a thread nobody else would hear of it
            self._emit(StreamError(ErrorInfo("protocol", f"{type(error).__name__}: {error}")))

    def _emit(self, event: StreamEvent | None) -> None:
        # The loop may be closed by now, if its process is ending.
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._events.put_nowait, event)
