"""Built-in tools, one file a tool or a family of tools. A file is imported when one of its tools is wanted."""

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
# Tools that share a file, which has a function `make_<name>` for each of them.
FAMILIES = {
    **dict.fromkeys(("job_read", "job_start", "job_stop", "job_wait"), "jobs"),
    **dict.fromkeys(("todo_read", "todo_write"), "todos"),
}


def make(name: str, bench: "Workbench") -> Tool:
    """The built-in `name` for this workbench; raises `KeyError` if there is no such tool."""
    if name not in NAMES:
        raise KeyError(name)
    family = FAMILIES.get(name)
    module = import_module(f"{__name__}.{family or name}")
    tool: Tool = getattr(module, f"make_{name}" if family else "make")(bench)
    return tool
