"""Read commands: prompts with blanks, written as Markdown and called by name."""

import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any, TypeVar, cast

from msgspec import Struct, structs

from toolpost.types.errors import ConfigError

from .definition_files import DefinitionFile, FoundDefinitions, collect, markdown_files, places

ARGUMENTS = "$ARGUMENTS"

T = TypeVar("T")

# What runs a shell command or reads a file for a prompt, behind the permissions that a model would need for it. A name
# that is not a file's is None and stays text.
Fetch = Callable[[str], Awaitable[str]]
FetchFile = Callable[[str], Awaitable[str | None]]

_NAME = re.compile(r"[A-Za-z][\w:-]*")
_BLANK = re.compile(r"\$(ARGUMENTS\b|[1-9]\d?(?!\d))")
_SHELL = re.compile(r"(?<![\w)])!`([^`\n]+)`")
_PATH_BLANK = re.compile(r"(?<![\w`@])@\$([1-9]\d?)(?!\d)")
_FILE = re.compile(r"(?<![\w`@])@([~./]*\w[\w./+-]*)")


class CommandArgument(Struct, frozen=True):
    """What `$1`, `$2`… stand for, in their order; or all of them together, as `$ARGUMENTS`. `values` are those to
    choose from; `is_path` says that a file is meant."""

    name: str
    description: str = ""
    required: bool = True
    values: tuple[str, ...] = ()
    is_path: bool = False


class CommandFile(Struct, frozen=True):
    """`agent` and `model` are used for the run that it starts, where it names them. `arguments` are those that its
    file describes."""

    name: str
    template: str
    description: str = ""
    agent: str | None = None
    model: str | None = None
    source: str = ""
    described: tuple[CommandArgument, ...] = ()

    @property
    def arguments(self) -> tuple[CommandArgument, ...]:
        """What it can be called with: as its file describes it, or else as its blanks say."""
        paths = {int(number) for number in _PATH_BLANK.findall(self.template)}
        count = max((int(number) for number in _BLANK.findall(self.template) if number.isdecimal()), default=0)
        names = self.described or tuple(CommandArgument(f"arg{number}") for number in range(1, count + 1))
        if not names:
            about = "What follows the command's name"
            return (CommandArgument(ARGUMENTS[1:].lower(), about, required=False),)
        return tuple(structs.replace(one, is_path=at in paths) for at, one in enumerate(names, 1))

    def joined(self, given: Mapping[str, str]) -> str:
        """Arguments by name, as they would be typed. Raises `ConfigError` for what is missing or unknown."""
        known = {one.name: one for one in self.arguments}
        if missing := [name for name, one in known.items() if one.required and not given.get(name)]:
            raise ConfigError(f"{self.name} needs {', '.join(missing)}")
        if unknown := [name for name in given if name not in known]:
            raise ConfigError(f"{self.name} has no argument {', '.join(unknown)}; it has {', '.join(known)}")
        values = [given.get(name, "") for name in known]
        if list(known) == [ARGUMENTS[1:].lower()]:
            return values[0]
        while values and not values[-1]:
            values.pop()
        return shlex.join(values)


def find_commands(project: Path, environ: Mapping[str, str], *, trusted: bool) -> FoundDefinitions[CommandFile]:
    return collect(places("commands", project, environ, trusted=trusted), markdown_files, _command)


async def expand(command: CommandFile, arguments: str, *, shell: Fetch, file: FetchFile) -> str:
    """The prompt: `$ARGUMENTS` and `$1`… filled in, `` !`…` `` replaced by what it prints, `@path` files below it.

    Only what stands in the command's own file is run: a command in the arguments is text. In a shell command the
    arguments are quoted, so that none can end it and begin another. `shell` and `file` raise where they may not.
    """
    prompt, files = await expand_parts(command, arguments, shell=shell, file=file)
    return "\n\n".join([prompt, *(f"{path}:\n{content}" for path, content in files)])


async def expand_parts(
    command: CommandFile, arguments: str, *, shell: Fetch, file: Callable[[str], Awaitable[T | None]]
) -> tuple[str, list[tuple[str, T]]]:
    """The text of the prompt, and beside it the files that it names."""
    template = command.template
    if arguments and not _BLANK.search(template):
        template = f"{template}\n\n{ARGUMENTS}"
    words = _words(arguments)
    quoted = [shlex.quote(word) for word in words]
    # Split at a group, the pieces are text and shell command in turn.
    pieces = _SHELL.split(template)
    texts = [_filled(piece, arguments, words) for piece in pieces[::2]]
    outputs = [await shell(_filled(piece, " ".join(quoted), quoted)) for piece in pieces[1::2]]
    named = dict.fromkeys(path.rstrip(".") for text in texts for path in _FILE.findall(text))
    files = [(path, await file(path)) for path in named]
    prompt = "".join(piece for pair in zip_longest(texts, outputs, fillvalue="") for piece in pair).strip()
    return prompt, [(path, content) for path, content in files if content is not None]


def _command(file: DefinitionFile, warnings: list[str]) -> tuple[str, CommandFile]:
    given = file.document.settings
    if not _NAME.fullmatch(file.name):
        raise ConfigError(f"{file.shown}: {file.name!r} can't be the name of a command: use letters, digits, - and _")
    if not file.document.body:
        raise ConfigError(f"{file.shown}: the command has no text")
    model = given.get("model")
    return file.name, CommandFile(
        file.name,
        file.document.body,
        str(given.get("description") or ""),
        str(given["agent"]) if given.get("agent") else None,
        model if isinstance(model, str) and "/" in model else None,
        file.place.level,
        _described(file, given.get("arguments"), warnings),
    )


def _described(file: DefinitionFile, given: object, warnings: list[str]) -> tuple[CommandArgument, ...]:
    """`arguments` of the settings: names, or tables with `name`, `description`, `required` and `values`. What other
    programs write there may be anything, and is then left out."""
    if given is None:
        return ()
    listed: list[Any] = given.split() if isinstance(given, str) else cast("list[Any]", given)
    found = [_argument(entry) for entry in listed] if isinstance(listed, list) else []  # pyright: ignore[reportUnnecessaryIsInstance]
    known = [one for one in found if one is not None]
    if not known or len({one.name for one in known}) < len(found):
        warnings.append(f"{file.shown}: `arguments` must be a list of different names, or of entries with a `name`")
        return ()
    return tuple(known)


def _argument(entry: object) -> CommandArgument | None:
    table: dict[str, Any] = cast("dict[str, Any]", entry) if isinstance(entry, dict) else {"name": entry}
    name: object = table.get("name")
    values: object = table.get("values") or []
    if not isinstance(name, str) or not name or not isinstance(values, list):
        return None
    shown = tuple(map(str, cast("list[Any]", values)))
    return CommandArgument(name, str(table.get("description") or ""), table.get("required") is not False, shown)


def _words(arguments: str) -> list[str]:
    """The arguments as a shell would split them; one with an open quote is split at its spaces."""
    try:
        return shlex.split(arguments)
    except ValueError:
        return arguments.split()


def _filled(text: str, whole: str, words: list[str]) -> str:
    def fill(found: re.Match[str]) -> str:
        if found[1] == ARGUMENTS[1:]:
            return whole
        number = int(found[1])
        return words[number - 1] if number <= len(words) else ""

    return _BLANK.sub(fill, text)
