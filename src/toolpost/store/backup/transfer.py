"""Write a backup of a store and its long outputs, check one, and restore one."""

import contextlib
import os
import tempfile
from collections.abc import Generator, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import IO

from toolpost.extras import require
from toolpost.store import database_path, is_postgres
from toolpost.types.errors import ConfigError, StoreError

from .archive import BackupEntry, BackupReader, BackupWriter, Manifest, explained
from .tables import EmptyTables, Progress, Snapshot, TableColumns, sync_folder


def write_backup(
    spec: str, outputs: Path, file: Path, progress: Progress, *, written_by: str, replace: bool = False
) -> Manifest:
    """Write what the store `spec` names, and the folder of long outputs, to `file`. It is there when it is whole.
    `written_by` is the version of Toolpost."""
    if file.exists() and (file.is_dir() or not replace):
        raise ConfigError(f"{file} is there already: name a new file, or add --replace to write in its place")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".toolpost-backup-", dir=file.parent) as scratch:
            unfinished = Path(scratch, "backup.zip")
            with open_private(unfinished) as written:
                with BackupWriter(written, progress) as writer:
                    with _snapshot(spec, Path(scratch), progress) as snapshot:
                        for table in snapshot.tables:
                            writer.add_table(table, snapshot.rows(table))
                    for name, path in _outputs(outputs):
                        writer.add_output(name, path)
                    manifest = writer.finish(written_by, snapshot)
                written.flush()
                os.fsync(written.fileno())
            unfinished.replace(file)
        sync_folder(file.parent)
    except OSError as error:
        raise StoreError(f"the backup can't be written to {file}: {error.strerror or error}") from error
    return manifest


def check_backup(file: Path, progress: Progress) -> Manifest:
    """Read a backup to its end; a broken one raises `StoreError`."""
    with _reader(file, progress) as reader:
        for table in reader.manifest.tables:
            for _ in reader.rows(table):
                pass
        for entry in reader.manifest.outputs:
            for _ in reader.pieces(entry):
                pass
        return reader.manifest


def restore_backup(file: Path, spec: str, outputs: Path, progress: Progress, *, replace: bool = False) -> Manifest:
    """Put a backup into the store that `spec` names. With `replace` it takes the place of what is there; whatever
    fails, that stays. Long outputs are added to those of the folder, once the tables are in their place."""
    with _reader(file, progress) as reader, _unpacked_outputs(outputs, reader) as unpacked:
        manifest = reader.manifest
        with _tables(spec, manifest.version, replace=replace) as tables:
            place = {name: number for number, name in enumerate(tables.order)}
            for table in sorted(manifest.tables, key=lambda table: place.get(table.name, len(place))):
                tables.load(TableColumns(table.name, table.columns), reader.rows(table))
            unpacked.read_all()
            tables.finish()
        unpacked.move()
        return manifest


def open_private(path: Path) -> IO[bytes]:
    """Create a file that only its owner reads: a backup holds conversations."""
    return os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600), "w+b")


def _check_spec(spec: str) -> None:
    if spec == "memory":
        raise ConfigError("a store in memory has no backups: name another with --store")
    if is_postgres(spec):
        require("postgres", "a PostgreSQL store")


def _snapshot(spec: str, scratch: Path, progress: Progress) -> AbstractContextManager[Snapshot]:
    # Imported here: each kind of store needs its own driver.
    _check_spec(spec)
    if is_postgres(spec):
        from toolpost.store.postgres.backup import postgres_snapshot

        return postgres_snapshot(spec)
    from toolpost.store.sqlite.backup import sqlite_snapshot

    return sqlite_snapshot(database_path(spec), scratch, progress)


def _tables(spec: str, version: int, *, replace: bool) -> AbstractContextManager[EmptyTables]:
    _check_spec(spec)
    if is_postgres(spec):
        from toolpost.store.postgres.backup import postgres_tables

        return postgres_tables(spec, version, replace=replace)
    from toolpost.store.sqlite.backup import sqlite_tables

    return sqlite_tables(database_path(spec), version, replace=replace)


@contextlib.contextmanager
def _reader(file: Path, progress: Progress) -> Generator[BackupReader]:
    try:
        opened = file.open("rb")
    except OSError as error:
        raise ConfigError(f"{file} can't be read: {error.strerror or error}") from error
    with opened, explained(file):
        yield BackupReader(opened, progress)


def _outputs(folder: Path) -> Iterator[tuple[str, Path]]:
    for session in sorted(folder.glob("*/")):
        if session.is_symlink():
            continue
        for path in sorted(session.iterdir()):
            if path.is_file() and not path.is_symlink():
                yield f"{session.name}/{path.name}", path


@contextlib.contextmanager
def _unpacked_outputs(folder: Path, reader: BackupReader) -> Generator["_UnpackedOutputs"]:
    """A folder beside the long outputs for those of a backup; nothing is left of it where they are not moved."""
    if not reader.manifest.outputs:
        yield _UnpackedOutputs(reader, folder, folder)
        return
    names = [_output_place(entry) for entry in reader.manifest.outputs]
    for session, _ in names:
        _refuse_link(folder / session)
    with _writing(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        scratch = tempfile.TemporaryDirectory(prefix=".restored-", dir=folder)
    with scratch as path:
        yield _UnpackedOutputs(reader, folder, Path(path))


class _UnpackedOutputs:
    def __init__(self, reader: BackupReader, folder: Path, scratch: Path) -> None:
        self._reader = reader
        self._folder = folder
        self._scratch = scratch

    def read_all(self) -> None:
        for entry in self._reader.manifest.outputs:
            session, name = _output_place(entry)
            path = self._scratch / session / name
            with _writing(path):
                path.parent.mkdir(mode=0o700, exist_ok=True)
                with open_private(path) as written:
                    for piece in self._reader.pieces(entry):
                        written.write(piece)

    def move(self) -> None:
        """Each file is there whole or not at all."""
        for entry in self._reader.manifest.outputs:
            session, name = _output_place(entry)
            target = self._folder / session / name
            _refuse_link(target.parent)
            with _writing(target):
                target.parent.mkdir(mode=0o700, exist_ok=True)
                (self._scratch / session / name).replace(target)


def _output_place(entry: BackupEntry) -> tuple[str, str]:
    """The session's folder, and the file in it."""
    _, *parts = entry.name.split("/")
    if len(parts) != 2 or any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in parts):
        raise ValueError(f"it has a long output with the name {entry.name!r}")
    return parts[0], parts[1]


def _refuse_link(path: Path) -> None:
    if path.is_symlink():
        raise StoreError(f"{path} is a link, and nothing is restored through links: remove it, then try again")


@contextlib.contextmanager
def _writing(path: Path) -> Generator[None]:
    try:
        yield
    except OSError as error:
        raise StoreError(f"{path} can't be written: {error.strerror or error}") from error
