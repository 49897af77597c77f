"""The public data sets, as they were converted: see README.md for their sources and licences."""

import gzip
import json
import random
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

FIRST_DAY, DAYS = date(2024, 1, 1), 1_800
SHARE_ALIKE = ("sgd",)


def read(file: Path, seed: int = 0) -> Iterator[dict[str, Any]]:
    """The records of one file, each with a day on which it is said."""
    rng = random.Random(f"{seed} {file.name}")
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield {**json.loads(line), "today": (FIRST_DAY + timedelta(days=rng.randrange(DAYS))).isoformat()}


def count(file: Path) -> int:
    with gzip.open(file, "rb") as lines:
        return sum(1 for _ in lines)


def files(folder: Path, part: str, *, share_alike: bool) -> list[Path]:
    """The files of `part` ("train" or "validation"), either the share-alike ones or all others."""
    found = sorted(folder.glob(f"{part}-*.jsonl.gz"))
    if not found:
        raise SystemExit(
            f"there is no {part}-*.jsonl.gz in {folder}: see training/README.md for where the data comes from"
        )
    return [file for file in found if any(name in file.name for name in SHARE_ALIKE) == share_alike]
