"""What a prompt is made of: words, what is piped in, and files."""

import base64
import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from toolpost.types.errors import ConfigError
from toolpost.types.messages import FilePart

STDIN_PATIENCE = 2.0


def prompt_of(args: Namespace) -> str:
    """The words, with what is piped in behind them. A command may do without any."""
    # Bytes that are no UTF-8 arrive as half characters, which can neither be stored nor sent.
    words = os.fsencode(" ".join(args.prompt)).decode("utf-8", "replace").strip()
    piped = _piped(bool(words)).strip()
    prompt = f"{words}\n\n{piped}" if words and piped else words or piped
    if not prompt and not args.command:
        raise ConfigError('nothing to do: write toolpost run "…", or pipe a text in')
    return prompt


def files_of(paths: Iterable[Path]) -> list[FilePart]:
    return [_file(path) for path in paths]


def schema_of(path: Path) -> dict[str, Any]:
    """The JSON Schema in a file."""
    schema: Any
    try:
        schema = msgspec.json.decode(path.read_bytes())
    except OSError as error:
        raise ConfigError(f"--output-schema {path}: {error.strerror}") from error
    except msgspec.DecodeError as error:
        raise ConfigError(f"--output-schema {path} is no JSON: {error}") from error
    if not isinstance(schema, dict):
        raise ConfigError(f"--output-schema {path}: a JSON Schema is an object")
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
        sys.stderr.write("toolpost: reading from standard input; redirect it from /dev/null if nothing will come\n")


def _file(path: Path) -> FilePart:
    # Imported here: few prompts have files.
    from mimetypes import guess_type

    try:
        data = path.read_bytes()
    except OSError as error:
        raise ConfigError(f"--file {path}: {error.strerror}") from error
    mime = guess_type(path.name)[0] or "application/octet-stream"
    # By its name a TypeScript file is a video: what reads as text is text.
    if not mime.startswith(("text/", "image/")) and mime != "application/json" and _is_text(data):
        mime = "text/plain"
    return FilePart(mime, base64.b64encode(data).decode(), name=path.name)


def _is_text(data: bytes) -> bool:
    try:
        return "\0" not in data.decode()
    except UnicodeDecodeError:
        return False
