"""Run one statement that reads on a SQLite file, within limits; `query_sqlite` runs this file in a child process.

A single instruction of SQLite can take hours and gigabytes, and nothing inside the process can end it: so the parent
ends the process. It is run by its path and imports nothing of the package: it starts in some 30 ms.

A JSON object comes on stdin. Lines of JSON go to stdout: the columns, the rows, and an object with `more` or `error`.
"""

import contextlib
import json
import sqlite3
import sys
from contextlib import closing
from typing import Any, TextIO
from urllib.parse import quote

# Of one value, in bytes, and of one result; SQLite's own limits are a thousand and twenty times that.
MAX_VALUE = 1_000_000
MAX_COLUMNS = 100
# SQLite writes the index of a write-ahead log, a small file; what it sorts stays in memory.
_FILE_BYTES = 100_000_000
_READS = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
# Those that tell of the schema; they change nothing, whatever they are given.
_PRAGMAS = frozenset(
    {"foreign_key_list", "index_info", "index_list", "index_xinfo", "table_info", "table_list", "table_xinfo"}
)
# SQLite declares these at their first use, which looks to the authorizer like a change of the schema.
_TABLE_FUNCTIONS = (*sorted(f"pragma_{name}" for name in _PRAGMAS), "json_each", "json_tree")
_DANGEROUS = frozenset({"load_extension", "fts3_tokenizer", "readfile", "writefile", "edit"})


def main(asked: dict[str, Any], out: TextIO) -> None:
    """Write the rows of one statement, as many and as much of each as is asked for."""
    with closing(_connect(asked)) as connection, closing(connection.execute(asked["query"])) as cursor:
        if cursor.description is None:
            _write(out, {"error": "no rows"})
            return
        most, room, rows = asked["value_chars"], asked["bytes"], asked["rows"]
        _write(out, [column[0][: most + 1] for column in cursor.description])
        for row in cursor:
            if not rows or room < 0:
                _write(out, {"more": True})
                return
            room -= _write(out, [_short(value, most) for value in row])
            rows -= 1
        _write(out, {"more": False})


def _short(value: Any, most: int) -> Any:
    """One character more shows that a text was cut. Bytes are a list: their number, and the first of them."""
    if isinstance(value, bytes):
        return [len(value), value[:16].hex()]
    return value[: most + 1] if isinstance(value, str) else value


def _write(out: TextIO, told: Any) -> int:
    return out.write(json.dumps(told, ensure_ascii=False, separators=(",", ":")) + "\n")


def _connect(asked: dict[str, Any]) -> sqlite3.Connection:
    uri = f"file:{quote(asked['file'])}?mode=ro{'&immutable=1' if asked['immutable'] else ''}"
    connection = sqlite3.connect(uri, uri=True, isolation_level=None, timeout=min(5.0, asked["seconds"]))
    connection.text_factory = _decoded
    connection.execute("PRAGMA query_only = ON")
    connection.execute("PRAGMA trusted_schema = OFF")
    connection.execute("PRAGMA temp_store = MEMORY")
    connection.execute(f"PRAGMA hard_heap_limit = {asked['memory']}")
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_VALUE)
    connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
    for name in _TABLE_FUNCTIONS:
        with contextlib.suppress(sqlite3.OperationalError):  # an old SQLite lacks some
            connection.execute(f"SELECT 1 FROM {name} LIMIT 0")
    # Only now that the schema is read: its tables may have more columns than a result.
    connection.setlimit(sqlite3.SQLITE_LIMIT_COLUMN, MAX_COLUMNS)
    connection.set_authorizer(_authorize)
    return connection


def _decoded(data: bytes) -> str:
    return data.decode(errors="replace")


def _authorize(action: int, one: str | None, two: str | None, place: str | None, inner: str | None) -> int:
    """Whether a part of a statement may run."""
    if action in _READS:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_FUNCTION:
        return sqlite3.SQLITE_DENY if (two or "").lower() in _DANGEROUS else sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_PRAGMA and (one or "").lower() in _PRAGMAS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY


def _limit(memory: int, seconds: float) -> None:
    """Should the parent be killed, the child ends by itself."""
    if sys.platform == "win32":
        return
    import resource

    for what, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_NOFILE, 64),
        (resource.RLIMIT_FSIZE, _FILE_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        # Not every system has every limit, and none is raised; SQLite's own bound on memory holds beside them.
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(what, (most, most))


def _run() -> None:
    asked = json.load(sys.stdin)
    _limit(asked["memory"], asked["seconds"])
    try:
        main(asked, sys.stdout)
    except MemoryError:
        _write(sys.stdout, {"error": "out of memory"})
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        _write(sys.stdout, {"error": str(error) or type(error).__name__})


if __name__ == "__main__":
    _run()
