"""Built-in tools, one file each, loaded by name when they are wanted: each module has its tool as `TOOL`."""

from importlib import import_module

from toolpost.tools.define import Tool

MODULES = {"invalid": "invalid"}
HIDDEN = frozenset({"invalid"})


def names() -> tuple[str, ...]:
    """The built-ins that can be put on offer."""
    return tuple(sorted(MODULES.keys() - HIDDEN))


def load(name: str) -> Tool:
    """Return the built-in `name`; raises `KeyError` for a name that is none."""
    module = import_module(f"{__name__}.{MODULES[name]}")
    tool: Tool = module.TOOL
    return tool
