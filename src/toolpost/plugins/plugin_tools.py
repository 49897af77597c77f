"""Register the tools of plugins: those that are there at once, and those that are awaited before the first run."""

import asyncio
import inspect
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

from toolpost.tools.registry import Registry, ToolLike
from toolpost.tools.threads import is_async
from toolpost.types.errors import ConfigError, UsageError

from .hooks import Plugin, plugin_name

log = logging.getLogger("toolpost.plugins")


class PluginTools:
    """`add` puts in what is there at once, `prepare` the rest. `tell` gets what went wrong with one plugin, whose tools
    are left out then; without it that is raised."""

    def __init__(
        self,
        plugins: Sequence[Plugin],
        *,
        timeout: float,
        tell: Callable[[str], None] | None = None,
    ) -> None:
        self._plugins = plugins
        self._registry: Registry | None = None
        self._timeout = timeout
        self._tell = tell
        self._waiting: list[tuple[Plugin, Callable[[], Awaitable[Any]]]] = []
        self._joining: tuple[asyncio.AbstractEventLoop, asyncio.Task[None]] | None = None

    @property
    def waiting(self) -> bool:
        """Whether some have yet to be awaited."""
        if self._registry is None:
            return any(is_async(plugin.tools) for plugin in self._plugins)
        return bool(self._waiting)

    def add(self, registry: Registry) -> None:
        self._registry = registry
        for plugin in self._plugins:
            if is_async(plugin.tools):
                self._waiting.append((plugin, plugin.tools))  # pyright: ignore[reportArgumentType] - just asked
                continue
            try:
                given = plugin.tools()
                if inspect.isawaitable(given):
                    self._waiting.append((plugin, lambda given=given: given))
                else:
                    self._register(plugin, given)
            except Exception as error:  # noqa: BLE001 - told or raised, with the plugin's name
                self._left_out(plugin, error)

    async def prepare(self) -> None:
        """Wait for the rest. Several runs that begin at once wait for the same."""
        loop = asyncio.get_running_loop()
        if self._joining is not None and self._joining[0] is loop and not self._joining[1].done():
            await asyncio.shield(self._joining[1])
        elif self._waiting:
            task = loop.create_task(self._join())
            self._joining = loop, task
            await asyncio.shield(task)

    async def _join(self) -> None:
        while self._waiting:
            plugin, tools = self._waiting[0]
            try:
                async with asyncio.timeout(self._timeout):
                    given = await tools()
                self._register(plugin, given)
            except TimeoutError:
                self._left_out(plugin, ConfigError(f"it took longer than {self._timeout:g} s"))
            except Exception as error:  # noqa: BLE001 - told or raised, with the plugin's name
                self._left_out(plugin, error)
            # One that failed is asked again by the next run, where that is raised.
            del self._waiting[0]

    def _register(self, plugin: Plugin, given: Any) -> None:
        if not isinstance(given, Sequence) or isinstance(given, str):
            raise UsageError(f"it returned {type(given).__name__}: return a list of tools")
        assert self._registry is not None
        self._registry.add_all(cast("Sequence[ToolLike]", given), f"plugin:{plugin.name}")

    def _left_out(self, plugin: Plugin, error: Exception) -> None:
        said = str(error) if isinstance(error, ConfigError) else f"{type(error).__name__}: {error}"
        text = f"plugin {plugin_name(plugin)}: tools() failed: {said}"
        if self._tell is None:
            raise UsageError(text) from error
        log.warning("%s", text, exc_info=error)
        self._tell(f"{text}. The others go on")
