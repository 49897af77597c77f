"""The rows of a query, within limits, as JSON that a model reads and a page shows as a table."""

import json
from collections.abc import Sequence
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from msgspec import Struct

from toolpost.tools.limits import ToolLimits
from toolpost.types.text import clean

_TEXTS = (str, date, datetime, time, timedelta, Decimal, UUID)


class Blob(Struct, frozen=True, array_like=True):
    """Bytes of a database: how many, and the first 16 in hexadecimal."""

    size: int
    start: str


class Schema(Struct, frozen=True):
    """Tables and views, each with its columns as text; `count` is of all, also of those that are not among them."""

    tables: list[tuple[str, str]]
    count: int
    warning: str = ""


class Rows:
    """Takes rows until there are `sql_rows` of them or they have `sql_bytes`; then it `is_full`."""

    def __init__(self, columns: Sequence[str], limits: ToolLimits) -> None:
        self.columns = list(columns)
        self.rows: list[list[Any]] = []
        self.is_full = False
        self.warning = ""
        self._limits = limits
        self._room = limits.sql_bytes - len(_json(self.columns))

    def add(self, row: Sequence[Any]) -> bool:
        """False if there is no room for it, nor for any other."""
        values = [shown(value, self._limits.sql_value_chars) for value in row]
        self._room -= len(_json(values).encode()) + 2
        if len(self.rows) >= self._limits.sql_rows or (self._room < 0 and self.rows):
            self.is_full = True
            return False
        self.rows.append(values)
        return True

    def text(self) -> str:
        told: dict[str, Any] = {"columns": self.columns, "rows": self.rows}
        if self.is_full:
            told["more"] = (
                f"There are more rows than these {len(self.rows)}. Use WHERE, LIMIT and OFFSET, or count and sum "
                "in the query."
            )
        return _json(told)


def shown(value: Any, most: int) -> Any:
    """A value as JSON has it. What is too long is shortened, and says so; bytes, which no model can read, are told by
    their number."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return value if value - value == 0 else str(value)
    if isinstance(value, Blob):
        return f"<{value.size:,} bytes: {value.start}{'…' if value.size > 16 else ''}>"
    text = clean(str(value) if isinstance(value, _TEXTS) else json.dumps(value, ensure_ascii=False, default=str))
    return text if len(text) <= most else f"{text[:most]}… (cut)"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
