"""Check the name, the options and the functions of a tool when it is defined."""

import re
from typing import TYPE_CHECKING

from toolpost.arguments.check_sdk_calls import check_function, check_kind, check_number, shown
from toolpost.types.errors import UsageError

from .threads import is_async

if TYPE_CHECKING:
    from .define import Tool

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,63}")


def check_name(name: object) -> None:
    """Raise `UsageError` unless providers take it as the name of a tool."""
    if not isinstance(name, str) or not NAME.fullmatch(name):
        said = f'"{name}"' if isinstance(name, str) else shown(name)
        raise UsageError(
            f"{said} is not a valid tool name: begin with a letter and use up to 64 letters, digits, _ and -, "
            "as in @tool(name=…)"
        )


def check_options(tool: "Tool") -> None:
    """Raise `UsageError` for the first mistake. `rate_limit` is checked where that class is known."""
    check_name(tool.name)
    what = f"tool {tool.name}: {{}}".format
    for name in ("label", "description", "source"):
        check_kind(getattr(tool, name), str, what(name), "a text")
    check_kind(tool.permission, str, what("permission"), "one name")
    _check_parameters(tool)
    for name in ("parallel", "read_only", "idempotent", "heeds_read_only"):
        check_kind(getattr(tool, name), bool, what(name), "True or False")
    check_kind(tool.touches_machine, (bool, type(None)), what("touches_machine"), "True, False or None")
    if tool.timeout is not None:
        check_number(tool.timeout, f"{what('timeout')}, in seconds,")
    check_number(tool.cache, f"{what('cache')}, in seconds,", zero=True)
    _check_functions(tool)


def _check_parameters(tool: "Tool") -> None:
    wanted = f'tool {tool.name}: parameters must be a JSON Schema with "type": "object"'
    if not isinstance(tool.parameters, dict) or tool.parameters.get("type", "object") != "object":  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UsageError(f"{wanted}, got {shown(tool.parameters)}")


def _check_functions(tool: "Tool") -> None:
    check_function(tool.execute, f"execute of the tool {tool.name}", "arguments", "ctx")
    for name, function in (("patterns", tool.patterns), ("always", tool.always)):
        if function is not None and (not callable(function) or is_async(function)):
            raise UsageError(
                f"tool {tool.name}: {name} must be a plain function of the arguments that returns texts, "
                f'as in {name}=lambda arguments: arguments["path"]; got {shown(function)}'
            )
    if tool.check is not None and is_async(tool.check):
        raise UsageError(f"tool {tool.name}: check must be a plain function of the arguments; it is not awaited")
    for name, function in (("patterns", tool.patterns), ("always", tool.always), ("check", tool.check)):
        if function is not None:
            check_function(function, f"{name} of the tool {tool.name}", "arguments")
    if tool.init is not None:
        check_function(tool.init, f"init of the tool {tool.name}", "context")
