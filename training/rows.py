"""Write the rows that are trained on: `python -m training.rows --out ROWS`.

They come from the compressed records in `training/data`, one JSON object a line, and from `told`. One more validation
set is made of public records that are not kept there: `--public FOLDER`.
"""

import argparse
import asyncio
import gzip
import json
import lzma
import multiprocessing
import random
import re
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import ExitStack
from datetime import date, timedelta
from itertools import islice
from pathlib import Path
from typing import Any

from . import told
from .render import Piece, Record, pieces

DATA = Path(__file__).with_name("data")
SHARD = 2_500
# So many files of rows are made by `told`, anew each time; the same ones for the same number.
TOLD_SHARDS = 5
# Longer ones are few, cost much, and are longer than what the runtime will ever ask.
MAX_CHARS = 7_000
# The held-out conversations: the first for the loss beside the learning curve, the others for prompts.
FOR_THE_LOSS = 1_000
PUBLIC_PROMPTS = 700

# With this a call begins, in the dialect that is learnt.
CALL = "<function="

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
# Function and arguments; the last two are the seed and the file to write.
Job = tuple[Any, ...]


def main() -> None:
    given = _arguments()
    given.out.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(given.processes) as pool:
        for told in pool.imap_unordered(_run, _jobs(given)):
            print(told, flush=True)


def read(path: Path) -> Iterator[Record]:
    """The records of a file: JSON lines, with xz or gzip around them."""
    with (lzma if path.suffix == ".xz" else gzip).open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--data", type=Path, default=DATA, help="folder with the records")
    parser.add_argument("--public", type=Path, help="folder with validation-permissive.jsonl.gz")
    parser.add_argument("--seed", type=int, default=0, help="of the system prompts, which vary from row to row")
    parser.add_argument("--processes", type=int, default=None)
    return parser.parse_args()


def _jobs(given: argparse.Namespace) -> Iterator[Job]:
    held_out = list(read(given.data / "held-out.jsonl.xz"))
    yield _write_rows, held_out[:FOR_THE_LOSS], given.seed, given.out / "held-out.jsonl.gz"
    yield _write_prompts, held_out[FOR_THE_LOSS:], given.seed, given.out / "validation-unseen.jsonl"
    if given.public:
        records = _public_validation(given.public / "validation-permissive.jsonl.gz")
        yield _write_prompts, records, given.seed, given.out / "validation-permissive.jsonl"
    for number in range(TOLD_SHARDS):
        yield _write_told, number, given.seed, given.out / f"told-{number:02}.jsonl.gz"
    for name in ("generated", "public"):
        for number, records in enumerate(_shards(read(given.data / f"{name}.jsonl.xz"))):
            yield _write_split, records, given.seed, given.out / f"{name}-{number:02}.jsonl.gz"


def _shards(records: Iterator[Record]) -> Iterator[list[Record]]:
    while shard := list(islice(records, SHARD)):
        yield shard


def _public_validation(path: Path) -> list[Record]:
    """Some of them, with the day and the language that the public records lack."""
    records, rng = list(read(path)), random.Random(3)
    rng.shuffle(records)
    for record in records:
        question = record["messages"][0]["content"]
        record["today"] = str(date(2024, 1, 1) + timedelta(days=rng.randrange(1800)))
        record["language"] = "zh" if len(_CHINESE.findall(question)) * 3 > len(question) else "en"
    return records[:PUBLIC_PROMPTS]


def _run(job: Job) -> str:
    function, *arguments = job
    return asyncio.run(function(*arguments))


async def _write_rows(records: Iterable[Record], seed: int, out: Path) -> str:
    count = 0
    with gzip.open(out, "wt", encoding="utf-8", compresslevel=1) as file:
        async for _, row in _rendered(records, f"{seed} {out.name}"):
            file.write(json.dumps({"pieces": row}, ensure_ascii=False) + "\n")
            count += 1
    return f"{out.name}: {count:,} rows"


async def _write_split(records: Iterable[Record], seed: int, out: Path) -> str:
    """The rows without a call in a file of their own, so that they can be given another weight."""
    quiet = out.with_name(out.name.replace(".jsonl", "-quiet.jsonl"))
    counts = {out: 0, quiet: 0}
    with ExitStack() as files:
        opened = {path: files.enter_context(gzip.open(path, "wt", 1, encoding="utf-8")) for path in counts}
        async for _, row in _rendered(records, f"{seed} {out.name}"):
            path = out if any(CALL in text for text, is_learnt in row if is_learnt) else quiet
            opened[path].write(json.dumps({"pieces": row}, ensure_ascii=False) + "\n")
            counts[path] += 1
    return f"{out.name}: {counts[out]:,} rows with calls, {counts[quiet]:,} without"


async def _write_told(number: int, seed: int, out: Path) -> str:
    return await _write_split(told.records(SHARD, number), seed, out)


async def _write_prompts(records: Iterable[Record], seed: int, out: Path) -> str:
    """Each record up to its last turn of the model, and what that is."""
    count = 0
    with out.open("w", encoding="utf-8") as file:
        async for record, (*before, (expected, _)) in _rendered(records, f"{seed} {out.name}", last_only=True):
            last = next(said for said in reversed(record["messages"]) if said["role"] == "assistant")
            prompt = {"id": count, "prompt": "".join(text for text, _ in before), "expected": expected}
            prompt |= {"calls": last.get("calls"), "tools": record["tools"] if last.get("calls") else []}
            prompt |= {"category": record["category"], "language": record["language"]}
            file.write(json.dumps(prompt, ensure_ascii=False) + "\n")
            count += 1
    return f"{out.name}: {count:,} prompts"


async def _rendered(
    records: Iterable[Record], seed: str, *, last_only: bool = False
) -> AsyncIterator[tuple[Record, list[Piece]]]:
    rng = random.Random(seed)
    for record in records:
        row = await pieces(record, rng, last_only=last_only)
        if row and sum(len(text) for text, _ in row) <= MAX_CHARS:
            yield record, row


if __name__ == "__main__":
    main()
