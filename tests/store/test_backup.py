"""Backups of a store that is in use, and their way back into an empty store of any kind."""

import asyncio
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import psycopg
import pytest
from child import change

from toolpost.store import open_store
from toolpost.store.backup import Manifest, check_backup, restore_backup, write_backup
from toolpost.store.backup.archive import MANIFEST, MAX_BLOCK_BYTES, MAX_MANIFEST_BYTES
from toolpost.store.contract import Approval, Exchange, ObjectLimits, SessionChanges, SessionInfo, Store, StoredObject
from toolpost.store.postgres.address import read_address
from toolpost.store.postgres.backup import postgres_snapshot
from toolpost.store.run_records import OpenRun, Prompt, RunRecord
from toolpost.store.sqlite.backup import sqlite_snapshot
from toolpost.types.errors import ConfigError, StoreError
from toolpost.types.messages import Message, TextPart

ROOM = ObjectLimits(100, 1_000_000)
APPROVALS = [
    Approval("apr_1", "/wiki", "bash", "ls *", 1.0, "anna", "f", "lists"),
    Approval("apr_2", "/wiki", "edit", "*", 2.0, "李雷"),
]


def silent(done: int, total: int) -> None:
    """Where nobody watches."""


def backed_up(spec: str, folder: Path, outputs: Path | None = None) -> Path:
    file = folder / "backup.zip"
    write_backup(spec, outputs or folder / "no-outputs", file, silent, written_by="1.0")
    return file


def restored(file: Path, spec: str, outputs: Path | None = None, **options: Any) -> Manifest:
    return restore_backup(file, spec, outputs or file.parent / "restored-outputs", silent, **options)


@pytest.fixture
def other_database(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    def named(kind: str) -> str:
        return str(tmp_path / "other" / "t.db") if kind == "sqlite" else request.getfixturevalue("new_url")()

    return named


async def fill(spec: str) -> None:
    """Two sessions with branches, events, exchanges and odd texts; a fork, approvals and objects."""
    store = open_store(spec)
    await store.create(SessionInfo("deleted"))
    await store.create(SessionInfo("one", title="标题 \x00 é", folder="/wiki", owner="anna"))
    await store.delete("deleted")
    for number in range(1, 40):
        await store.commit(change("one", number, barrier=False, text=f"第{number}条 \x00 " * number))
    exchange = Exchange("m1", "http://x", 200, 1.0, 1.5, 2.0, 4, 5, "sent \x00", "received 收到")
    await store.commit(SessionChanges("one", exchanges=[exchange]))
    await store.fork("one", "m5", SessionInfo("two", owner="bob"))
    await store.commit(SessionChanges("two", messages=[Message("n1", "user", (TextPart("branch"),), "m5")]))
    await store.approve(APPROVALS)
    for number in (1, 2):
        body = b'{"n": %d}' % number
        await store.put_object(StoredObject(f"resp_{number}", "anna", "response", 1.0, body, "resp_1"), ROOM)
    await store.close()


async def content(spec: str) -> dict[str, Any]:
    store = open_store(spec)
    try:
        return {
            "sessions": [(info, await of_session(store, info.id)) async for info in store.sessions()],
            "approvals": await store.approvals(),
            "objects": [await store.find_object("anna", "response", f"resp_{number}") for number in (1, 2, 3)],
        }
    finally:
        await store.close()


async def of_session(store: Store, session_id: str) -> tuple[list[Any], ...]:
    return (
        [message async for message in store.messages(session_id)],
        [event async for event in store.events(session_id)],
        [exchange async for exchange in store.exchanges(session_id)],
    )


@pytest.mark.parametrize("target", ["sqlite", "postgres"])
async def test_a_backup_goes_into_a_store_of_either_kind(
    database: str, target: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    await fill(database)
    other = other_database(target)
    manifest = await asyncio.to_thread(restored, backed_up(database, tmp_path), other)
    assert await content(other) == await content(database)
    assert (manifest.rows("session"), manifest.rows("message")) == (2, 45)
    # And the restored store goes on: its numbers of rows are not given twice.
    store = open_store(other)
    await store.create(SessionInfo("three"))
    await store.commit(change("three", 1, barrier=True))
    await store.fork("one", "m7", SessionInfo("four"))
    assert len([info async for info in store.sessions()]) == 4
    await store.close()


async def test_a_backup_holds_one_moment_while_others_write(database: str, tmp_path: Path) -> None:
    store = open_store(database)
    await store.create(SessionInfo("s"))
    await store.commit(change("s", 1, barrier=True))
    is_done = asyncio.Event()

    async def write() -> int:
        number = 1
        while not is_done.is_set():
            number += 1
            await store.commit(change("s", number, barrier=False, text="x" * 5000))
        return number

    writing = asyncio.create_task(write())
    sizes = []
    for number in range(3):
        file = tmp_path / f"{number}.zip"
        await asyncio.to_thread(write_backup, database, tmp_path / "none", file, silent, written_by="1.0")
        target = str(tmp_path / f"{number}.db")
        await asyncio.to_thread(restored, file, target)
        (info, (messages, events, _)) = (await content(target))["sessions"][0]
        # Each commit has written the session, a message and an event of the same number.
        assert [message.id for message in messages] == [f"m{at}" for at in range(1, info.seq + 1)]
        assert [event.seq for event in events] == list(range(1, info.seq + 1))
        sizes.append(info.seq)
    is_done.set()
    assert sizes[-1] < await writing
    assert sizes == sorted(sizes)
    await store.close()


async def test_long_outputs_come_along(database: str, tmp_path: Path) -> None:
    await fill(database)
    outputs = tmp_path / "outputs"
    (outputs / "one").mkdir(parents=True)
    (outputs / "one" / "m1-c1.txt").write_bytes(b"long\xff" * 100_000)
    (outputs / "one" / "link.txt").symlink_to("/etc/passwd")
    (tmp_path / "back" / "other").mkdir(parents=True)
    (tmp_path / "back" / "other" / "own.txt").write_text("stays")
    file = backed_up(database, tmp_path, outputs)
    restored(file, str(tmp_path / "new.db"), tmp_path / "back")
    assert (tmp_path / "back" / "one" / "m1-c1.txt").read_bytes() == b"long\xff" * 100_000
    found = sorted(str(path.relative_to(tmp_path / "back")) for path in (tmp_path / "back").rglob("*.*"))
    assert found == ["one/m1-c1.txt", "other/own.txt"]


async def test_a_backup_is_private_and_leaves_nothing_beside_it(database: str, tmp_path: Path) -> None:
    await fill(database)
    folder = tmp_path / "backups"
    folder.mkdir()
    file = backed_up(database, folder)
    assert file.stat().st_mode & 0o777 == 0o600
    assert list(folder.iterdir()) == [file]


async def test_a_file_that_is_there_is_not_overwritten_unasked(tmp_path: Path) -> None:
    database, file = str(tmp_path / "t.db"), tmp_path / "backup.zip"
    await fill(database)
    file.write_text("mine")
    with pytest.raises(ConfigError, match=r"is there already.*--replace"):
        backed_up(database, tmp_path)
    assert file.read_text() == "mine"
    write_backup(database, tmp_path / "none", file, silent, written_by="1.0", replace=True)
    assert check_backup(file, silent).rows("session") == 2


async def test_a_store_that_holds_anything_is_replaced_only_when_asked(
    database: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    await fill(database)
    file = backed_up(database, tmp_path)
    for kind in ("sqlite", "postgres"):
        other = other_database(kind)
        store = open_store(other)
        await store.approve(APPROVALS[:1])
        await store.close()
        with pytest.raises(StoreError, match=r"is not empty.*--replace"):
            restored(file, other)
        assert len((await content(other))["approvals"]) == 1
        restored(file, other, replace=True)
        assert await content(other) == await content(database)


async def test_a_store_that_a_server_has_open_is_not_replaced(
    database: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    await fill(database)
    file = backed_up(database, tmp_path)
    for kind in ("sqlite", "postgres"):
        other = other_database(kind)
        store = open_store(other)
        await store.create(SessionInfo("mine"))
        with pytest.raises(StoreError, match="is in use: stop the server"):
            await asyncio.to_thread(restored, file, other, replace=True)
        await store.commit(change("mine", 1, barrier=True))
        await store.close()
        assert [info.id for info, _ in (await content(other))["sessions"]] == ["mine"]


async def test_an_interrupted_restore_changes_nothing(
    database: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    await fill(database)
    file = backed_up(database, tmp_path)

    def interrupt(done: int, total: int) -> None:
        if done > total // 2:
            raise KeyboardInterrupt

    for kind in ("sqlite", "postgres"):
        other = other_database(kind)
        store = open_store(other)
        await store.create(SessionInfo("mine"))
        await store.close()
        with pytest.raises(KeyboardInterrupt):
            restore_backup(file, other, tmp_path / "out", interrupt, replace=True)
        assert [info.id for info, _ in (await content(other))["sessions"]] == ["mine"]
    assert sorted(path.name for path in (tmp_path / "other").iterdir()) == ["t.db"]


async def test_an_interrupted_backup_leaves_nothing(database: str, tmp_path: Path) -> None:
    await fill(database)
    folder = tmp_path / "backups"

    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_backup(database, tmp_path / "none", folder / "b.zip", interrupt, written_by="1.0")
    assert list(folder.iterdir()) == []


def changed(file: Path, change_manifest: Callable[[dict[str, Any]], object], **members: bytes) -> Path:
    """A copy of a backup whose manifest, or a member by its name, is another."""
    copy = file.with_name("changed.zip")
    with zipfile.ZipFile(file) as old, zipfile.ZipFile(copy, "w") as new:
        for name in old.namelist():
            data = members.get(name, old.read(name))
            if name == MANIFEST:
                told = msgspec.json.decode(data)
                change_manifest(told)
                data = msgspec.json.encode(told)
            new.writestr(name, data)
    return copy


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def nothing(told: dict[str, Any]) -> None:
    """The manifest stays as it is."""


async def test_a_broken_backup_is_refused_and_changes_nothing(tmp_path: Path) -> None:
    source, target = str(tmp_path / "t.db"), tmp_path / "new.db"
    await fill(source)
    file = backed_up(source, tmp_path)
    whole = file.read_bytes()
    table = zipfile.ZipFile(file).read("tables/message")
    broken = [
        b"",
        b"not a backup",
        whole[: len(whole) // 2],
        whole[:2000] + bytes(50) + whole[2050:],
        changed(file, nothing, **{"tables/message": table[:-1] + b"\x00"}).read_bytes(),
        changed(file, nothing, **{"tables/message": table[:-40]}).read_bytes(),
        changed(file, nothing, **{"tables/message": table + b"\x00"}).read_bytes(),
        changed(file, lambda told: told.update(tables=7)).read_bytes(),
        changed(file, lambda told: told.update(version=0)).read_bytes(),
        changed(file, lambda told: told["tables"][0]["entry"].update(name="tables/other")).read_bytes(),
    ]
    bad = tmp_path / "bad.zip"
    for data in broken:
        bad.write_bytes(data)
        with pytest.raises(StoreError, match=r"is not a whole backup of Toolpost: .*Nothing was changed"):
            restored(bad, str(target))
        assert not target.exists()


@pytest.mark.parametrize(
    "name", ["outputs/../evil.txt", "outputs/a/../../evil", "outputs//x", "/outputs/a", "outputs/a"]
)
async def test_an_output_goes_nowhere_but_into_its_folder(tmp_path: Path, name: str) -> None:
    source = str(tmp_path / "t.db")
    await fill(source)
    (tmp_path / "outputs" / "one").mkdir(parents=True)
    (tmp_path / "outputs" / "one" / "x.txt").write_text("x")
    file = backed_up(source, tmp_path, tmp_path / "outputs")
    evil = changed(file, lambda told: told["outputs"][0].update(name=name))
    with pytest.raises(StoreError, match="is not a whole backup"):
        restored(evil, str(tmp_path / "new.db"), tmp_path / "deep" / "outputs")
    assert not (tmp_path / "new.db").exists()
    assert "evil" not in " ".join(map(str, files_below(tmp_path)))


async def test_a_backup_of_a_newer_toolpost_is_refused(database: str, tmp_path: Path, url: str) -> None:
    await fill(database)
    file = backed_up(database, tmp_path)
    newer_file = changed(file, lambda told: told.update(format=2, tables="something new"))
    with pytest.raises(StoreError, match=r"newer Toolpost \(format 2, this one reads 1\): upgrade"):
        restored(newer_file, str(tmp_path / "new.db"))
    newer_tables = changed(file, lambda told: told.update(version=99))
    for target in (str(tmp_path / "new.db"), url):
        with pytest.raises(StoreError, match=r"newer Toolpost \(tables of format 99, .*upgrade"):
            restored(newer_tables, target)


async def test_a_database_of_an_older_toolpost_is_backed_up_as_it_is_and_restored_up_to_date(
    tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    old = tmp_path / "old.db"
    connection = sqlite3.connect(old)
    connection.executescript((Path(__file__).parent / "format_1" / "sqlite.sql").read_text())
    connection.close()
    file = backed_up(str(old), tmp_path)
    assert check_backup(file, silent).version == 1
    others = [other_database("sqlite"), other_database("postgres")]
    for other in others:
        restored(file, other)
    assert await content(others[0]) == await content(others[1]) == await content(str(old))
    assert (await content(others[0]))["sessions"]


def test_what_is_not_there_is_not_backed_up(tmp_path: Path, url: str) -> None:
    for spec in (str(tmp_path / "none.db"), url, "memory"):
        with pytest.raises((StoreError, ConfigError), match=r"nothing to back up|no backups"):
            backed_up(spec, tmp_path / "backups")
    assert not (tmp_path / "none.db").exists()


async def test_a_damaged_database_can_be_replaced(tmp_path: Path) -> None:
    source, damaged = str(tmp_path / "t.db"), tmp_path / "damaged.db"
    await fill(source)
    damaged.write_bytes(b"SQLite format 3\x00" + b"nonsense" * 1000)
    file = backed_up(source, tmp_path)
    with pytest.raises(StoreError):
        restored(file, str(damaged))
    restored(file, str(damaged), replace=True)
    assert await content(str(damaged)) == await content(source)


async def test_a_database_of_another_program_is_never_replaced(tmp_path: Path) -> None:
    source, other = str(tmp_path / "t.db"), tmp_path / "other.db"
    await fill(source)
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    with pytest.raises(StoreError, match="another program"):
        restored(backed_up(source, tmp_path), str(other), replace=True)


async def test_both_databases_have_the_same_tables_and_columns(tmp_path: Path, url: str) -> None:
    """So a backup of one goes into the other: a table that one of them lacks, or names otherwise, shows here."""
    path = tmp_path / "t.db"
    await fill(str(path))
    await fill(url)
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    with sqlite_snapshot(path, scratch, silent) as sqlite, postgres_snapshot(url) as postgres:
        assert sqlite.version == postgres.version
        assert described(sqlite.tables) == described(postgres.tables)


def described(tables: Any) -> dict[str, list[str]]:
    # PostgreSQL shows no position of what has a key of its own; SQLite's is the order of its rows.
    return {table.name: sorted(table.columns) for table in tables}


async def test_tables_that_refer_to_others_are_loaded_after_them(url: str, new_url: Callable[[], str]) -> None:
    """As the tables of accounts may: the order in which they were made is not the order of their references."""
    await fill(url)
    address = read_address(url)
    with psycopg.connect(**address.parameters, autocommit=True) as connection:
        connection.execute(f"SET search_path TO {address.schema}")
        connection.execute("CREATE TABLE late (id bigint PRIMARY KEY, at timestamptz, what jsonb, flag boolean)")
        connection.execute("CREATE TABLE a_name (id bigint PRIMARY KEY REFERENCES late)")
        connection.execute("ALTER TABLE approval ADD COLUMN late bigint REFERENCES late")
    with postgres_snapshot(url) as snapshot:
        names = [table.name for table in snapshot.tables]
    assert names.index("late") < names.index("approval")
    assert names.index("late") < names.index("a_name")


async def test_a_backup_that_breaks_in_a_later_output_changes_no_output(tmp_path: Path) -> None:
    outputs = tmp_path / "outputs"
    for name in ("a", "b"):
        (outputs / name).mkdir(parents=True)
        (outputs / name / "x.txt").write_text(f"backed up {name}")
    source = str(tmp_path / "t.db")
    await fill(source)
    file = backed_up(source, tmp_path, outputs)
    broken = changed(file, lambda told: told["outputs"][1].update(sha256="0" * 64))
    (outputs / "a" / "x.txt").write_text("newer")
    with pytest.raises(StoreError, match="Nothing was changed"):
        restored(broken, source, outputs, replace=True)
    assert (outputs / "a" / "x.txt").read_text() == "newer"
    assert sorted(path.name for path in outputs.iterdir()) == ["a", "b"]
    restored(file, source, outputs, replace=True)
    assert (outputs / "a" / "x.txt").read_text() == "backed up a"


async def test_outputs_go_and_come_through_no_link(tmp_path: Path) -> None:
    outputs, other = tmp_path / "outputs", tmp_path / "other"
    (outputs / "a").mkdir(parents=True)
    (outputs / "a" / "x.txt").write_text("x")
    other.mkdir()
    (other / "private.txt").write_text("private")
    (outputs / "link").symlink_to(other)
    source = str(tmp_path / "t.db")
    await fill(source)
    file = backed_up(source, tmp_path, outputs)
    assert [entry.name for entry in check_backup(file, silent).outputs] == ["outputs/a/x.txt"]
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "a").symlink_to(other)
    with pytest.raises(StoreError, match="is a link"):
        restored(file, str(tmp_path / "new.db"), elsewhere)
    assert [path.name for path in other.iterdir()] == ["private.txt"]
    assert not (tmp_path / "new.db").exists()


async def test_a_small_file_that_unpacks_to_a_large_one_is_refused(tmp_path: Path) -> None:
    source = str(tmp_path / "t.db")
    await fill(source)
    file = backed_up(source, tmp_path)
    size = MAX_BLOCK_BYTES + 1
    block = struct.pack("<I", size)

    def claim(told: dict[str, Any]) -> None:
        next(one for one in told["tables"] if one["name"] == "session")["entry"].update(bytes=size + 4)

    with pytest.raises(StoreError, match="a block of"):
        check_backup(changed(file, claim, **{"tables/session": block}), silent)
    huge = changed(file, lambda told: told.update(filler="x" * MAX_MANIFEST_BYTES))
    with pytest.raises(StoreError, match="manifest is too large"):
        check_backup(huge, silent)


@pytest.mark.parametrize("target", ["sqlite", "postgres"])
async def test_open_runs_come_along_and_nobody_holds_them(
    database: str, target: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    store = open_store(database)
    await store.create(SessionInfo("s", folder="/wiki", open_run="run_1"))
    lease = await store.lease("s")
    record = RunRecord("run_1", "s", "running", "server", prompts=(Prompt("p", "去 \x00"),), began=2.5)
    await store.commit(SessionChanges("s", run=record))
    file = await asyncio.to_thread(backed_up, database, tmp_path)
    other = other_database(target)
    await asyncio.to_thread(restored, file, other)
    there = open_store(other)
    assert [run async for run in there.open_runs(states=("running",))] == [OpenRun(record, "/wiki", "", None, None)]
    # Whoever ran the session here is not the last who took it there.
    await there.commit(SessionChanges("s", run=None))
    (await there.lease("s")).release()
    await there.close()
    lease.release()
    await store.close()


@pytest.mark.parametrize("target", ["sqlite", "postgres"])
async def test_a_run_that_was_open_in_a_backup_of_an_older_toolpost_is_found(
    database_5: str, target: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    file = await asyncio.to_thread(backed_up, database_5, tmp_path)
    other = other_database(target)
    await asyncio.to_thread(restored, file, other)
    store = open_store(other)
    assert [run.record async for run in store.open_runs()] == [RunRecord("run_old", "open")]
    await store.close()


async def test_a_store_in_which_nothing_was_kept_is_empty_whoever_had_opened_it(
    database: str, tmp_path: Path, other_database: Callable[[str], str]
) -> None:
    await fill(database)
    file = backed_up(database, tmp_path)
    for kind in ("sqlite", "postgres"):
        other = other_database(kind)
        store = open_store(other)
        await store.lease("s")
        if kind == "sqlite":
            # As if its process had died: then nobody has tidied up.
            await asyncio.to_thread(Path(other).with_name("copy.db").write_bytes, b"")
            with sqlite3.connect(other) as source, sqlite3.connect(Path(other).with_name("copy.db")) as copy:
                source.backup(copy)
            other = str(Path(other).with_name("copy.db"))
        await store.close()
        await asyncio.to_thread(restored, file, other)
        assert await content(other) == await content(database)
