"""Read files that go with a prompt, and JSON Schemas of outputs."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.control.file_parts import file_part
from toolpost.folders import project_root
from toolpost.guard.paths import FileAccess
from toolpost.guard.secret_names import is_secret
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.messages import FilePart

MAX_BYTES = 50_000_000


def files_of(paths: Iterable[Path]) -> list[FilePart]:
    return [file_part(path.name, _read(path, "--file")) for path in paths]


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
