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
    fails, that stays. Long outputs are added to those of the folder."""
    with _reader(file, progress) as reader:
        manifest = reader.manifest
        with _tables(spec, manifest.version, replace=replace) as tables:
            place = {name: number for number, name in enumerate(tables.order)}
            for table in sorted(manifest.tables, key=lambda table: place.get(table.name, len(place))):
                tables.load(TableColumns(table.name, table.columns), reader.rows(table))
            # Before the sessions that name them: a file that nobody names does no harm.
            _restore_outputs(reader, outputs)
            tables.finish()
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
        for path in sorted(session.iterdir()):
            if path.is_file() and not path.is_symlink():
                yield f"{session.name}/{path.name}", path


def _restore_outputs(reader: BackupReader, folder: Path) -> None:
    for entry in reader.manifest.outputs:
        _, *parts = entry.name.split("/")
        if len(parts) != 2 or any(part in ("", ".", "..") or set(part) & set("\\:\0") for part in parts):
            raise ValueError(f"it has a long output with the name {entry.name!r}")
        _restore_output(reader, entry, folder.joinpath(*parts))


def _restore_output(reader: BackupReader, entry: BackupEntry, path: Path) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".restored-", dir=path.parent) as scratch:
            unfinished = Path(scratch, path.name)
            with open_private(unfinished) as written:
                for piece in reader.pieces(entry):
                    written.write(piece)
            unfinished.replace(path)
    except OSError as error:
        raise StoreError(f"{path} can't be written: {error.strerror or error}") from error
