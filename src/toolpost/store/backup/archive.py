"""The file of a backup: a ZIP with rows of tables, long outputs, and a manifest with a checksum of each.

Rows are in blocks: the length in four bytes, then a MessagePack array of rows.
"""

import contextlib
import hashlib
import struct
import time
import zipfile
import zlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import IO, Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct

from toolpost.types.errors import StoreError

from .tables import DatabaseKind, Progress, Row, Snapshot, TableColumns

FORMAT = 1
MANIFEST = "manifest.json"
BLOCK_BYTES = 1024 * 1024
BLOCK_ROWS = 1000
PIECE_BYTES = 256 * 1024
# Quick, and text still becomes a fourth.
COMPRESSION_LEVEL = 3
# What a file of others may make this process hold: a manifest for some hundred thousand long outputs, and a row with
# the largest message.
MAX_MANIFEST_BYTES = 64 * 1024 * 1024
MAX_BLOCK_BYTES = 256 * 1024 * 1024
MAX_COLUMNS = 200

_LENGTH = struct.Struct("<I")


class BackupEntry(Struct, frozen=True):
    """One file of the archive. `bytes` are those before compression."""

    name: str
    bytes: int
    sha256: str


class BackupTable(Struct, frozen=True):
    name: str
    columns: tuple[str, ...]
    rows: int
    entry: BackupEntry


class Manifest(Struct, frozen=True):
    """What a backup holds. `version` is that of the tables; `outputs` are long outputs, as SESSION/FILE."""

    format: int
    toolpost: str
    created: float
    database: DatabaseKind
    version: int
    tables: tuple[BackupTable, ...]
    outputs: tuple[BackupEntry, ...]

    @property
    def bytes(self) -> int:
        return sum(table.entry.bytes for table in self.tables) + sum(output.bytes for output in self.outputs)

    def rows(self, table: str) -> int:
        return sum(found.rows for found in self.tables if found.name == table)


class BackupWriter:
    """Writes the file of a backup; it is whole once `finish` has returned."""

    def __init__(self, file: IO[bytes], progress: Progress) -> None:
        self._zip = zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=COMPRESSION_LEVEL)
        self._progress = progress
        self._done = 0
        self._tables: list[BackupTable] = []
        self._outputs: list[BackupEntry] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._zip.close()

    def add_table(self, table: TableColumns, rows: Iterator[Row]) -> None:
        number = 0

        def blocks() -> Iterator[bytes]:
            nonlocal number
            for block in _blocks(rows):
                number += len(block)
                data = msgspec.msgpack.encode(block)
                if len(data) > MAX_BLOCK_BYTES:
                    raise StoreError(f"a row of the table {table.name} is too large for a backup: {len(data):,} bytes")
                yield _LENGTH.pack(len(data))
                yield data

        entry = self._add(f"tables/{table.name}", blocks())
        self._tables.append(BackupTable(table.name, table.columns, number, entry))

    def add_output(self, name: str, path: Path) -> None:
        """Add a long output; one that was deleted meanwhile, with its session, is left out."""
        with contextlib.suppress(FileNotFoundError), path.open("rb") as file:
            self._outputs.append(self._add(f"outputs/{name}", iter(lambda: file.read(PIECE_BYTES), b"")))

    def finish(self, toolpost: str, snapshot: Snapshot) -> Manifest:
        told = (snapshot.database, snapshot.version, tuple(self._tables), tuple(self._outputs))
        manifest = Manifest(FORMAT, toolpost, time.time(), *told)
        self._zip.writestr(MANIFEST, msgspec.json.format(msgspec.json.encode(manifest), indent=1))
        self._zip.close()
        return manifest

    def _add(self, name: str, pieces: Iterable[bytes]) -> BackupEntry:
        digest, size = hashlib.sha256(), 0
        with self._zip.open(name, "w", force_zip64=True) as member:
            for piece in pieces:
                member.write(piece)
                digest.update(piece)
                size += len(piece)
                self._done += len(piece)
                self._progress(self._done, 0)
        return BackupEntry(name, size, digest.hexdigest())


class BackupReader:
    """Reads the file of a backup. Each part is checked as it is read: use it only if nothing was raised to its end."""

    def __init__(self, file: IO[bytes], progress: Progress) -> None:
        self._zip = zipfile.ZipFile(file)
        self._progress = progress
        self._done = 0
        if self._zip.getinfo(MANIFEST).file_size > MAX_MANIFEST_BYTES:
            raise ValueError("its manifest is too large")
        told = self._zip.read(MANIFEST)
        found = msgspec.json.decode(told, type=_FormatOnly).format
        if found > FORMAT:
            raise StoreError(
                f"this backup was written by a newer Toolpost (format {found}, this one reads {FORMAT}): "
                "upgrade Toolpost, then try again"
            )
        self.manifest = msgspec.json.decode(told, type=Manifest)

    def rows(self, table: BackupTable) -> Iterator[Row]:
        number = 0
        with self._open(table.entry) as member:
            while head := member.read(_LENGTH.size):
                (length,) = _LENGTH.unpack(head)
                if length > MAX_BLOCK_BYTES:
                    raise ValueError(f"the table {table.name} has a block of {length:,} bytes")
                for row in _decoder.decode(member.read(length)):
                    number += 1
                    yield row
        if number != table.rows:
            raise ValueError(f"the table {table.name} has {number:,} rows in place of {table.rows:,}")

    def pieces(self, entry: BackupEntry) -> Iterator[bytes]:
        with self._open(entry) as member:
            while piece := member.read(PIECE_BYTES):
                yield piece

    @contextlib.contextmanager
    def _open(self, entry: BackupEntry) -> Generator["_CheckedMember"]:
        with self._zip.open(entry.name) as member:
            checked = _CheckedMember(member, entry)
            before = self._done

            yield checked
            checked.check()
            self._done = before + entry.bytes
            self._progress(self._done, self.manifest.bytes)


class _CheckedMember:
    """One file of the archive, with the bytes that it should have."""

    def __init__(self, member: IO[bytes], entry: BackupEntry) -> None:
        self._member = member
        self._entry = entry
        self._left = entry.bytes
        self._digest = hashlib.sha256()

    def read(self, size: int) -> bytes:
        """So many bytes, or all that are left; fewer only at the end."""
        data = self._member.read(min(size, self._left))
        self._left -= len(data)
        self._digest.update(data)
        return data

    def check(self) -> None:
        if self._left or self._member.read(1) or self._digest.hexdigest() != self._entry.sha256:
            raise ValueError(f"{self._entry.name} is not what was written")


class _FormatOnly(Struct):
    format: int


@contextlib.contextmanager
def explained(path: Path) -> Generator[None]:
    """Tell that a file is not a backup, or a broken one, for all errors that reading it can raise."""
    try:
        yield
    except (zipfile.BadZipFile, zlib.error, msgspec.MsgspecError, struct.error, UnicodeDecodeError) as error:
        raise _broken(path, str(error)) from error
    except (KeyError, ValueError, EOFError, NotImplementedError, RuntimeError) as error:
        raise _broken(path, str(error.args[0] if error.args else "it ends too early")) from error


def _broken(path: Path, why: str) -> StoreError:
    return StoreError(f"{path} is not a whole backup of Toolpost: {why}. Nothing was changed; use another backup.")


def _blocks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    block: list[Row] = []
    size = 0
    for row in rows:
        block.append(row)
        size += sum(len(value) for value in row if isinstance(value, str | bytes))
        if size >= BLOCK_BYTES or len(block) >= BLOCK_ROWS:
            yield block
            block, size = [], 0
    if block:
        yield block


# What is in a row is checked by the database that takes it.
_decoder = msgspec.msgpack.Decoder(
    Annotated[list[Annotated[list[Any], Meta(max_length=MAX_COLUMNS)]], Meta(max_length=BLOCK_ROWS)]
)
