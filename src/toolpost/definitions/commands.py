"""Commands: prompts with blanks, written as Markdown and called by name."""

import re
import shlex
from collections.abc import Awaitable, Callable, Mapping
from itertools import zip_longest
from pathlib import Path

from msgspec import Struct

from toolpost.types.errors import ConfigError

from .places import File, Found, collect, markdown_files, places

ARGUMENTS = "$ARGUMENTS"

# What runs a shell command or reads a file for a prompt, behind the permissions that a model would need for it. A name
# that is no file's is None and stays text.
Fetch = Callable[[str], Awaitable[str]]
FetchFile = Callable[[str], Awaitable[str | None]]

_NAME = re.compile(r"[A-Za-z][\w:-]*")
_BLANK = re.compile(r"\$(ARGUMENTS\b|[1-9]\d?(?!\d))")
_SHELL = re.compile(r"(?<![\w)])!`([^`\n]+)`")
_FILE = re.compile(r"(?<![\w`@])@([~./]*\w[\w./+-]*)")


class CommandFile(Struct, frozen=True):
    """`agent` and `model` are used for the run that it starts, where it names them."""

    name: str
    template: str
    description: str = ""
    agent: str | None = None
    model: str | None = None
    source: str = ""


def find_commands(project: Path, environ: Mapping[str, str], *, trusted: bool) -> Found[CommandFile]:
    return collect(places("commands", project, environ, trusted=trusted), markdown_files, _command)


async def expand(command: CommandFile, arguments: str, *, shell: Fetch, file: FetchFile) -> str:
    """The prompt: `$ARGUMENTS` and `$1`… filled in, `` !`…` `` replaced by what it prints, `@path` files below it.

    Only what stands in the command's own file is run: a command in the arguments is text. In a shell command the
    arguments are quoted, so that none can end it and begin another. `shell` and `file` raise where they may not.
    """
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
    return "\n\n".join([prompt, *(f"{path}:\n{content}" for path, content in files if content is not None)])


def _command(file: File, warnings: list[str]) -> tuple[str, CommandFile]:
    given = file.document.settings
    if not _NAME.fullmatch(file.name):
        raise ConfigError(f"{file.shown}: {file.name!r} is no name for a command: use letters, digits, - and _")
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
    )


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
