"""Load tools from files: every `@tool` in `.toolpost/tools/*.py`, in the user's own folder, and in named files.

Load a project's only where it is trusted; what stands in the user's own folder is the user's.
"""

import builtins
import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

from msgspec import Struct

from toolpost.folders import user_folder
from toolpost.types.errors import ConfigError

from .define import FunctionTool, Tool
from .print_router import printed_to_log

FOLDER = Path(".toolpost", "tools")


class LoadedTools(Struct, frozen=True):
    """The tools that were found; `warnings` tell of each file that gave none, `notices` of tools with other names."""

    tools: tuple[Tool, ...] = ()
    warnings: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()


def load_project_tools(project: Path) -> LoadedTools:
    """Load the tool files of a project folder. A broken file is a warning, and the rest goes on."""
    return _load_folder(project / FOLDER, "project", FOLDER.as_posix())


def load_user_tools(environ: Mapping[str, str]) -> LoadedTools:
    """The same for the user's own folder, whose tools are there in every project."""
    folder, home = user_tools_folder(environ), Path.home()
    return _load_folder(folder, "user", f"~/{folder.relative_to(home)}" if folder.is_relative_to(home) else str(folder))


def user_tools_folder(environ: Mapping[str, str]) -> Path:
    return user_folder("config", environ) / "tools"


def load_files(files: Iterable[Path]) -> LoadedTools:
    """The tools of files that somebody names. A broken one, or one without tools, is a `ConfigError`."""
    folders: dict[Path, _Folder] = {}
    found: list[tuple[Path, Tool]] = []
    for file in files:
        folder = folders.setdefault(file.parent.resolve(), _Folder(file.parent))
        try:
            tools = folder.load(file, f"file:{file}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # a tool file may do anything at import, `sys.exit` too
            raise ConfigError(f"{mistake_in(file, error)}; nothing was started") from error
        if not tools:
            raise ConfigError(f"{file} defines no tools; decorate a function with @tool")
        found += [(file, tool) for tool in tools]
    for folder in folders.values():
        folder.close()
    named, notices = _with_names_apart(found)
    return LoadedTools(tuple(named), notices=tuple(notices))


def load_file(path: Path, source: str) -> list[Tool]:
    """Run one file under a module name of its own and return the tools that it defines, in their order."""
    folder = _Folder(path.parent)
    try:
        return folder.load(path, source)
    finally:
        folder.close()


def mistake_in(path: Path, error: BaseException, shown: str = "") -> str:
    """Describe what went wrong when a file was loaded, with the line in it."""
    return f"{_where(shown or str(path), path, error)}: {_what(error)}"


def _load_folder(folder: Path, kind: str, shown_as: str) -> LoadedTools:
    """A file whose name begins with `_` is only for its neighbours, and so is one without tools that one imports."""
    neighbours = _Folder(folder)
    found: list[tuple[Path, Tool]] = []
    warnings: list[str] = []
    empty: list[Path] = []
    for path in sorted(folder.glob("[!_]*.py")):
        shown = f"{shown_as}/{path.name}"
        try:
            tools = neighbours.load(path, f"{kind}:{shown}")
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a tool file may do anything at import, `sys.exit` too
            warnings.append(f"{mistake_in(path, error, shown)}; its tools are not loaded")
            continue
        found += [(path, tool) for tool in tools]
        if not tools:
            empty.append(path)
    neighbours.close()
    warnings += [
        f"{shown_as}/{path.name}: no tool in it; put @tool above a typed function"
        for path in empty
        if path.stem not in neighbours.imported
    ]
    named, notices = _with_names_apart(found)
    return LoadedTools(tuple(named), tuple(warnings), tuple(notices))


def _with_names_apart(found: Sequence[tuple[Path, Tool]]) -> tuple[list[Tool], list[str]]:
    """A name that several files use becomes `file_name` in each of them, whichever is loaded first."""
    users: dict[str, dict[Path, None]] = {}
    for path, tool in found:
        users.setdefault(tool.name, {})[path] = None
    tools: list[Tool] = []
    notices: list[str] = []
    for path, tool in found:
        files = users[tool.name]
        if len(files) == 1:
            tools.append(tool)
            continue
        name = f"{re.sub('[^A-Za-z0-9_-]', '_', path.stem)}_{tool.name}"
        label = f"{tool.label} ({path.stem})"
        tools.append(replace(tool, name=name, label=label))
        others = ", ".join(other.name for other in files if other != path)
        notices.append(f"{tool.name} of {path.name} is named {name}, for {others} has a tool {tool.name}, too")
    return tools, notices


class _Folder:
    """Files that may import each other, as in `from helpers import rates`. No other folder sees them, and none of them
    takes the place of a module of Python's: a `json.py` here never replaces `json`.

    Each file is read once, while the folder is loaded. What is changed later, by a tool perhaps, does not run.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._digest = hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]
        self._modules: dict[str, ModuleType] = {}
        self._builtins = {**vars(builtins), "__import__": self._import}
        self._is_open = True
        self.imported: set[str] = set()

    def load(self, path: Path, source: str) -> list[Tool]:
        module = self._module(path.stem, path)
        tools: list[Tool] = []
        for value in vars(module).values():
            if isinstance(value, Tool) and _defined_in(module, value) and not any(value is tool for tool in tools):
                tools.append(value)
        for tool in tools:
            object.__setattr__(tool, "source", source)
        return tools

    def close(self) -> None:
        self._is_open = False

    def _module(self, name: str, path: Path) -> ModuleType:
        if name in self._modules:
            return self._modules[name]
        # Compiled from its source each time: a `.pyc` planted beside it would run in place of the text that is trusted.
        code = compile(path.read_bytes(), str(path), "exec", dont_inherit=True)
        module = ModuleType(f"_toolpost_tools_{self._digest}_{name}")
        module.__file__ = str(path)
        module.__dict__["__builtins__"] = self._builtins
        # Registered while it runs and after: dataclasses and type hints look their module up there.
        sys.modules[module.__name__] = self._modules[name] = module
        try:
            with printed_to_log(path.name):
                exec(code, module.__dict__)
        except BaseException:
            sys.modules.pop(module.__name__, None)
            self._modules.pop(name, None)
            raise
        return module

    def _import(
        self,
        name: str,
        globals: Mapping[str, Any] | None = None,
        locals: Mapping[str, Any] | None = None,
        fromlist: Sequence[str] | None = (),
        level: int = 0,
    ) -> ModuleType:
        """`__import__` of the files in this folder: neighbours first, then what everybody has."""
        if level == 1 and not name:
            package = ModuleType(self._path.name)
            for wanted in fromlist or ():
                setattr(package, wanted, self._neighbour(wanted))
            return package
        if level == 1 or (level == 0 and self._is_neighbour(name, globals or {})):
            return self._neighbour(name)
        try:
            return builtins.__import__(name, globals, locals, fromlist or (), level)
        except ModuleNotFoundError:
            if level == 0 and self._file(name).is_file():
                raise self._too_late(name) from None
            raise

    def _is_neighbour(self, name: str, importer: Mapping[str, Any]) -> bool:
        first = name.partition(".")[0]
        is_itself = importer.get("__file__") == str(self._file(first))
        if is_itself or first in sys.stdlib_module_names or first == "toolpost":
            return False
        return first in self._modules or (self._is_open and self._file(first).is_file())

    def _neighbour(self, name: str) -> ModuleType:
        file = self._file(name)
        if name not in self._modules and not self._is_open:
            raise self._too_late(name)
        if not name.isidentifier() or not (name in self._modules or file.is_file()):
            raise ModuleNotFoundError(f"No module named {name!r} beside the tool files in {self._path}", name=name)
        self.imported.add(name)
        known = sys.modules.get(name)
        # The program itself may have imported this very file: there are not two of it then.
        if known is not None and getattr(known, "__file__", None) == str(file.resolve()):
            return known
        return self._module(name, file)

    def _too_late(self, name: str) -> ImportError:
        return ImportError(f"import {name} at the top of the tool file: neighbours are read only while it is loaded")

    def _file(self, name: str) -> Path:
        return self._path / f"{name}.py"


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
