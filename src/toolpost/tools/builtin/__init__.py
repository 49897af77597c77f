"""Built-in tools, one file each, loaded when they are wanted: each module makes its tool on a workbench."""

from importlib import import_module
from typing import TYPE_CHECKING

from toolpost.tools.define import Tool

if TYPE_CHECKING:
    from toolpost.tools.workbench import Workbench

# fmt: off
NAMES = (
    "apply_patch", "bash", "batch", "code_search", "edit", "glob", "grep", "job_read", "job_start", "job_stop",
    "job_wait", "list", "lsp", "question", "read", "skill", "task", "todo_read", "todo_write", "web_fetch",
    "web_search", "write",
)
# fmt: on


def make(name: str, bench: "Workbench") -> Tool:
    """The built-in `name` for this workbench; raises `KeyError` for a name that is none."""
    if name not in NAMES:
        raise KeyError(name)
    module = import_module(f"{__name__}.{name}")
    tool: Tool = module.make(bench)
    return tool
