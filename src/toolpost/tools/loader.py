"""The tools of a project: every `@tool` in `.toolpost/tools/*.py`. Load them only for a folder that is trusted."""

import hashlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from msgspec import Struct

from .define import FunctionTool, Tool

FOLDER = Path(".toolpost", "tools")


class Loaded(Struct, frozen=True):
    """The tools that were found, and one warning for each file that gave none."""

    tools: tuple[Tool, ...] = ()
    warnings: tuple[str, ...] = ()


def load_project_tools(project: Path) -> Loaded:
    """Load the tool files of a project folder. A broken file is a warning, and the rest goes on.

    A file whose name begins with `_` is passed over. Each file stands by itself: its folder is not put on `sys.path`,
    where a `json.py` in it would take the place of Python's own; shared code belongs into an installed package.
    """
    tools: list[Tool] = []
    warnings: list[str] = []
    for path in sorted((project / FOLDER).glob("*.py")):
        if path.name.startswith("_"):
            continue
        shown = (FOLDER / path.name).as_posix()
        try:
            found = load_file(path, source=f"project:{shown}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a tool file may do anything at import, `sys.exit` too
            warnings.append(f"{mistake_in(path, error, shown)}; its tools are not loaded")
            continue
        if not found:
            warnings.append(f"{shown}: no tool in it; put @tool above a typed function")
        tools.extend(found)
    return Loaded(tuple(tools), tuple(warnings))


def load_file(path: Path, source: str) -> list[Tool]:
    """Run one file under a module name of its own and return the tools that it defines, in their order."""
    module = _run(path)
    tools: list[Tool] = []
    for value in vars(module).values():
        if isinstance(value, Tool) and _defined_in(module, value) and not any(value is tool for tool in tools):
            tools.append(value)
    for tool in tools:
        object.__setattr__(tool, "source", source)
    return tools


def mistake_in(path: Path, error: BaseException, shown: str = "") -> str:
    """What went wrong as a file was loaded, with the line in it."""
    return f"{_where(shown or str(path), path, error)}: {_what(error)}"


def _run(path: Path) -> ModuleType:
    # Compiled from its source each time: a `.pyc` planted beside it would run in place of the text that was trusted.
    code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
    digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
    module = ModuleType(f"_toolpost_project_{digest}_{path.stem}")
    module.__file__ = str(path)
    # Registered while it runs and after: dataclasses and type hints look their module up there.
    sys.modules[module.__name__] = module
    try:
        exec(code, module.__dict__)
    except BaseException:
        sys.modules.pop(module.__name__, None)
        raise
    return module


def _defined_in(module: ModuleType, tool: Tool) -> bool:
    maker = tool.function if isinstance(tool, FunctionTool) else tool.execute
    return getattr(maker, "__module__", None) == module.__name__


def _where(shown: str, path: Path, error: BaseException) -> str:
    """The file, and the line in it where things went wrong."""
    if isinstance(error, SyntaxError) and error.filename == str(path):
        return f"{shown}:{error.lineno}"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
    return f"{shown}:{lines[-1]}" if lines else shown


def _what(error: BaseException) -> str:
    said = error.msg if isinstance(error, SyntaxError) else str(error)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__
