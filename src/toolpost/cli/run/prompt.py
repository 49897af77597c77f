"""Build the prompt from arguments, standard input and files."""

import base64
import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.cli.shared.output import say_error
from toolpost.folders import project_root
from toolpost.guard.paths import FileAccess
from toolpost.guard.secret_names import is_secret
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.messages import FilePart

STDIN_PATIENCE = 2.0
MAX_BYTES = 50_000_000


def prompt_of(args: Namespace) -> str:
    """The words, with what is piped in behind them. A command may do without any."""
    # Bytes that are not UTF-8 arrive as surrogates, which can neither be stored nor sent.
    words = os.fsencode(" ".join(args.prompt)).decode("utf-8", "replace").strip()
    piped = _piped(bool(words)).strip()
    prompt = f"{words}\n\n{piped}" if words and piped else words or piped
    if not prompt and not args.command:
        raise ConfigError('no prompt: use toolpost run "…", or pipe a text in')
    return prompt


def files_of(paths: Iterable[Path]) -> list[FilePart]:
    return [_file(path) for path in paths]


def schema_of(path: Path) -> dict[str, Any]:
    """The JSON Schema in a file."""
    schema: Any
    try:
        schema = msgspec.json.decode(_read(path, "--output-schema"))
    except msgspec.DecodeError as error:
        raise ConfigError(f"--output-schema {path} is not valid JSON: {explain_decode_error(error)}") from error
    if not isinstance(schema, dict):
        raise ConfigError(f"--output-schema {path}: a JSON Schema must be an object")
    return schema  # pyright: ignore[reportUnknownVariableType] - its keys are checked where it is used


def _piped(has_words: bool) -> str:
    stdin = sys.stdin
    if stdin.isatty():
        return ""
    if has_words:
        _say_if_waiting()
    return stdin.buffer.read().decode("utf-8", "replace")


def _say_if_waiting() -> None:
    """A script that leaves its own input open would otherwise wait without knowing why."""
    # Imported here: only piped input needs it.
    import select

    try:
        ready, _, _ = select.select([sys.stdin], [], [], STDIN_PATIENCE)
    except (OSError, ValueError):
        return
    if not ready:
        say_error("waiting for standard input; add < /dev/null if there is none")


def _file(path: Path) -> FilePart:
    # Imported here: few prompts have files.
    from mimetypes import guess_type

    data = _read(path, "--file")
    mime = guess_type(path.name)[0] or "application/octet-stream"
    # By its name a TypeScript file is a video: what reads as text is text.
    if not mime.startswith(("text/", "image/")) and mime != "application/json" and _is_text(data):
        mime = "text/plain"
    return FilePart(mime, base64.b64encode(data).decode(), name=path.name)


def _read(path: Path, flag: str) -> bytes:
    """A file that the person named, wherever it is. Where the name is one of the project, a link must not make it
    another file than the one that was meant."""
    ground = FileAccess(project_root(Path.cwd()))
    try:
        place = ground.resolve(str(Path.cwd() / path))
        if place.leads_out or (place.inside and place.secret and not is_secret(Path(place.shown))):
            raise ConfigError(f"{flag} {path} is a link to {place.real}: to send that file, give its own path")
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except ToolError as error:
        raise ConfigError(f"{flag} {path}: {error}") from error
    except OSError as error:
        raise ConfigError(f"{flag} {path}: {error.strerror}") from error
    if len(data) > MAX_BYTES:
        raise ConfigError(f"{flag} {path} is too large: the limit is {MAX_BYTES:,} bytes")
    return data


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
