"""Built-in tools, one file a tool or a family of tools. A file is imported when one of its tools is wanted."""

from importlib import import_module
from typing import TYPE_CHECKING

from toolpost.extras import GRAMMARS, has, missing_text
from toolpost.tools.define import Tool
from toolpost.types.errors import ConfigError

if TYPE_CHECKING:
    from toolpost.tools.workbench import Workbench

# fmt: off
NAMES = (
    "apply_patch", "bash", "batch", "calculator", "code_search", "edit", "glob", "grep", "job_read", "job_start",
    "job_stop", "job_wait", "list", "lsp", "question", "read", "skill", "sql_query", "task", "todo_read", "todo_write",
    "web_fetch", "web_search", "write",
)
# fmt: on
# Tools that share a file, which has a function `make_<name>` for each of them.
FAMILIES = {
    **dict.fromkeys(("job_read", "job_start", "job_stop", "job_wait"), "jobs"),
    **dict.fromkeys(("todo_read", "todo_write"), "todos"),
}
_SHELL = ("tree_sitter", "tree_sitter_bash")
_RIPGREP = "rg"
# What they can't work without, of the extra `code`: modules, and the program `rg`.
_NEEDS = {
    "bash": _SHELL,
    "code_search": (_RIPGREP, "tree_sitter", *(f"tree_sitter_{name}" for name in GRAMMARS)),
    "glob": (_RIPGREP,),
    "grep": (_RIPGREP,),
    **dict.fromkeys(("job_read", "job_start", "job_stop", "job_wait"), _SHELL),
    "lsp": ("pygls",),
}


def lacking() -> tuple[str, ...]:
    """The built-ins that can't work here, because a package of theirs is not installed. No model is offered them."""
    there = {need for need in {need for needs in _NEEDS.values() for need in needs} if _is_there(need)}
    return tuple(name for name in NAMES if not there.issuperset(_NEEDS.get(name, ())))


def require(name: str) -> None:
    """Raise `ConfigError`, with the command that helps, for a built-in that can't work here."""
    if not all(map(_is_there, _NEEDS.get(name, ()))):
        raise ConfigError(missing_text("code", f'the built-in tool "{name}"'))


def _is_there(need: str) -> bool:
    if need != _RIPGREP:
        return has((need,))
    # Imported here: only who has such a tool needs it.
    from toolpost.tools.code_search.ripgrep import find_ripgrep

    return find_ripgrep() is not None


def make(name: str, bench: "Workbench") -> Tool:
    """The built-in `name` for this workbench; raises `KeyError` if there is no such tool."""
    if name not in NAMES:
        raise KeyError(name)
    family = FAMILIES.get(name)
    module = import_module(f"{__name__}.{family or name}")
    tool: Tool = getattr(module, f"make_{name}" if family else "make")(bench)
    return tool
