"""Read the items of a batch: JSON lines, each a prompt, or an object with a prompt and how to run it."""

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import msgspec
from msgspec import Struct, structs

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import ConfigError

STDIN = Path("-")
MAX_LINE_BYTES = 50_000_000
MAX_ID_CHARS = 200
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_PIECE_BYTES = 1_000_000


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """What may stand in a line. Programs that write tables as JSON give null for what is not there."""

    prompt: str
    id: str | int | None = None
    system: str | None = None
    model: str | None = None
    agent: str | None = None
    variant: str | None = None
    options: dict[str, Any] | None = None
    output_schema: dict[str, Any] | None = None
    files: tuple[str, ...] | None = None
    metadata: dict[str, Any] | None = None


class BatchItem(Struct, frozen=True):
    """One prompt. What is empty is as the command line says. `metadata` is passed through to the result."""

    line: int
    id: str
    prompt: str
    system: str = ""
    model: str = ""
    agent: str = ""
    variant: str = ""
    options: dict[str, Any] = {}
    output_schema: dict[str, Any] | None = None
    files: tuple[str, ...] = ()
    metadata: dict[str, Any] | None = None

    @property
    def has_own_settings(self) -> bool:
        return any(getattr(self, name) for name in _OWN)

    @property
    def digest(self) -> str:
        """Differs where the item would be run in another way."""
        # Without what is empty: a later version may know of more that can be asked for.
        asked = {name: value for name, value in structs.asdict(self).items() if value and name not in _NOT_ASKED}
        return hashlib.blake2b(msgspec.json.encode(asked, order="deterministic"), digest_size=16).hexdigest()


class ItemFile:
    """The lines of a file. They are read twice: to be checked, and to be run. So stdin is copied first.

    Use it in a `with`, which closes it.
    """

    def __init__(self, path: Path) -> None:
        self.name = "stdin" if path == STDIN else str(path)
        self._file = _copied_stdin() if path == STDIN else _opened(path)

    def __iter__(self) -> Iterator[BatchItem]:
        """The items, from the first one on. Raises `ConfigError` with the line that is none."""
        self._file.seek(0)
        number = 0
        while line := self._file.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                raise self.error(number, f"it is too long: the limit is {MAX_LINE_BYTES:,} bytes")
            line = line.removeprefix(_BYTE_ORDER_MARK) if number == 1 else line
            if line.strip():
                yield self._item(number, line)

    def is_file(self, path: Path) -> bool:
        """Whether this is the file that the items are read from."""
        with contextlib.suppress(OSError):
            return os.path.samestat(os.fstat(self._file.fileno()), path.stat())
        return False

    def error(self, line: int, text: str) -> ConfigError:
        return ConfigError(f"{self.name}, line {line}: {text}")

    def __enter__(self) -> "ItemFile":
        return self

    def __exit__(self, *exc: object) -> None:
        self._file.close()

    def _item(self, number: int, line: bytes) -> BatchItem:
        try:
            given = _decoder.decode(line)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise self.error(number, _what_is_wrong(line, error)) from error
        if isinstance(given, str):
            given = _Line(given)
        if not given.prompt.strip() and not given.files:
            raise self.error(number, "the prompt is empty")
        own = {name: value for name in _OWN if (value := getattr(given, name))}
        return BatchItem(number, self._id(number, given.id), given.prompt, metadata=given.metadata, **own)

    def _id(self, number: int, given: str | int | None) -> str:
        name = str(number if given is None else given)
        if not name.strip() or len(name) > MAX_ID_CHARS:
            raise self.error(number, f'"id" must have 1 to {MAX_ID_CHARS} characters')
        return name


_decoder = msgspec.json.Decoder(str | _Line)
_OWN = ("system", "model", "agent", "variant", "options", "output_schema", "files")
_NOT_ASKED = frozenset({"line", "id", "metadata"})


def _opened(path: Path) -> BinaryIO:
    try:
        file = path.open("rb")
        # A pipe can't be read twice, and a folder not at all.
        file.seek(0)
    except OSError as error:
        raise ConfigError(f"cannot read {path}: {error.strerror or error}; - reads standard input") from error
    return file


def _copied_stdin() -> BinaryIO:
    if sys.stdin.isatty():
        raise ConfigError("standard input is a terminal: pipe JSON lines in, or give a file")
    copy = tempfile.TemporaryFile()  # noqa: SIM115 - it is closed with the items
    while piece := sys.stdin.buffer.read(_PIECE_BYTES):
        copy.write(piece)
    return copy


def _what_is_wrong(line: bytes, error: Exception) -> str:
    if isinstance(error, msgspec.ValidationError) and line.lstrip()[:1] == b"{":
        return explain_decode_error(error, _Line)
    if isinstance(error, msgspec.ValidationError):
        return 'it must be a text in quotes, or an object with "prompt"'
    return f'it is not JSON ({explain_decode_error(error)}): write a text in quotes, or an object with "prompt"'
