"""Initialise tools when a session starts: their `init` makes description and schema for the agent and its model."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from msgspec import Struct

from toolpost.arguments.check_sdk_calls import check_names, shown
from toolpost.arguments.validate import Validator
from toolpost.models.contract import ModelInfo
from toolpost.tools.define import FunctionTool, Tool
from toolpost.tools.registry import Registry
from toolpost.tools.threads import call_either
from toolpost.types.errors import ConfigError, UsageError, WiringError

log = logging.getLogger("toolpost.engine")

_CHANGEABLE = ("label", "description", "parameters")


class InitContext(Struct, frozen=True):
    """What the `init` of a tool is told. `model` is None where the tools are served without one (`mcp serve`)."""

    agent: str
    model: ModelInfo | None
    folder: Path
    session_id: str


class ToolInits:
    """The tools of a session as their `init` made them: each is asked once, and again for another model.

    One whose `init` fails ends the run; where `tell` is given, it is told of that instead and the tool is left out.
    """

    def __init__(self, timeout: float, tell: Callable[[str], None] | None = None) -> None:
        self._timeout = timeout
        self._tell = tell
        self._model: str = ""
        # By identity, with the tool itself so that it stays: tools have no hash.
        self._made: dict[int, tuple[Tool, Tool | None]] = {}
        self.version = 0

    async def ask(self, tools: Sequence[Tool], context: InitContext) -> None:
        """Ask those that have an `init` and were not asked yet. Raises `WiringError` for one that fails."""
        model = context.model.id if context.model else ""
        if model != self._model:
            self._model, self._made = model, {}
        new = [tool for tool in tools if tool.init is not None and id(tool) not in self._made]
        if not new:
            return
        made = await asyncio.gather(*(self._ask(tool, context) for tool in new))
        self._made.update({id(tool): (tool, one) for tool, one in zip(new, made, strict=True)})
        self.version += 1

    def made(self, tool: Tool) -> Tool | None:
        """The tool as it is here; None where it is not offered. One that was not asked yet is not offered either."""
        return tool if tool.init is None else self._made.get(id(tool), (tool, None))[1]

    async def _ask(self, tool: Tool, context: InitContext) -> Tool | None:
        assert tool.init is not None
        try:
            async with asyncio.timeout(self._timeout):
                given = await call_either(tool.init, context)
            return changed(tool, given)
        except TimeoutError:
            return self._failed(tool, f"it took longer than {self._timeout:g} s", None)
        except ConfigError as error:
            return self._failed(tool, str(error), error)
        except Exception as error:  # noqa: BLE001 - the user's code may raise anything
            return self._failed(tool, f"{type(error).__name__}: {error}", error)

    def _failed(self, tool: Tool, why: str, error: Exception | None) -> None:
        text = f"tool {tool.name}: its init failed: {why}"
        if self._tell is None:
            raise WiringError(text) from error
        log.warning("%s", text, exc_info=error)
        self._tell(f"{text}. The tool is not offered ({tool.source})")


async def init_registry(registry: Registry, inits: ToolInits, context: InitContext) -> Registry:
    """The same tools as they are for this context, for use without a session."""
    tools = list(registry)
    if all(tool.init is None for tool in tools):
        return registry
    await inits.ask(tools, context)
    made = Registry()
    for tool in tools:
        if (one := inits.made(tool)) is not None:
            made.add(one, one.source)
    return made


def changed(tool: Tool, given: Any) -> Tool | None:
    """The tool that an `init` stands for by what it returned. Raises `UsageError` where that is none."""
    if given is None:
        return None
    if isinstance(given, Tool):
        # By these, rules and rights were decided before its init ran.
        for name in ("name", "asks_for", "touches_machine"):
            if getattr(given, name) != getattr(tool, name):
                said = "permission" if name == "asks_for" else name
                raise UsageError(f"it returned a tool with another {said}: keep that of {tool.name}, rules go by it")
        return replace(given, source=tool.source, init=None)
    if not isinstance(given, Mapping):
        raise UsageError(f'it returned {shown(given)}: return a Tool, changes as {{"description": …}}, or None')
    changes = dict(cast("Mapping[str, Any]", given))
    check_names(changes, _CHANGEABLE, f"what the init of {tool.name} returns", "key")
    if "parameters" in changes and tool.check is not None:
        changes["check"] = _checking_both(tool, changes["parameters"])
    return replace(tool, **changes, init=None)


def _checking_both(tool: Tool, parameters: Any) -> Callable[[dict[str, Any]], Any]:
    """Arguments have to fit what the model was told, and then what the function takes."""
    schema = cast("dict[str, Any]", parameters) if isinstance(parameters, dict) else {}
    if isinstance(tool, FunctionTool):
        told: dict[str, Any] = schema.get("properties") or {}
        known: dict[str, Any] = tool.parameters.get("properties") or {}
        check_names(told, known, f"the function of {tool.name}", "parameter")
    validator, check = Validator(tool.name, schema), tool.check
    assert check is not None
    return lambda arguments: check(validator.check(arguments))
