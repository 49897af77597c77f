"""Write the rows that are trained on: `python -m training.rows --public DATA --out ROWS --generated 400000`."""

import argparse
import gzip
import json
import multiprocessing
import random
from collections.abc import Iterable, Iterator
from itertools import chain, islice
from pathlib import Path
from typing import Any

from training.data import public
from training.data.apart import HELD_OUT, is_measured_text, is_measured_tool
from training.data.compose import Composer
from training.data.render import pieces
from training.data.vary import varied

SHARD = 5_000
VALIDATION = 1_200
# Longer ones are few, cost much, and are longer than what the runtime will ever ask.
LONGEST_CHARS = 6_000

Record = dict[str, Any]


def main() -> None:
    asked = _asked()
    asked.out.mkdir(parents=True, exist_ok=True)
    jobs: list[tuple[Any, ...]] = []
    for name, share_alike in (("permissive", False), ("share-alike", True)):
        if asked.public:
            for file in public.files(asked.public, "train", share_alike=share_alike):
                for part in range(-(-public.count(file) // SHARD)):
                    out = asked.out / f"{name}-{file.name.partition('.')[0]}-{part}.jsonl.gz"
                    jobs.append((_write_public, file, part, asked.passes, out, asked.seed))
            for file in public.files(asked.public, "validation", share_alike=share_alike):
                jobs.append((_write_validation, file, asked.out / f"validation-{name}.jsonl", asked.seed))
    for shard in range(-(-asked.generated // SHARD)):
        file = asked.out / f"generated-{shard:03}.jsonl.gz"
        jobs.append((_write_generated, min(SHARD, asked.generated), file, asked.seed * 1_000 + shard))
    jobs.append((_write_held_out, VALIDATION, asked.out / "held-out.jsonl.gz", asked.seed))
    jobs.append((_write_unseen, VALIDATION, asked.out / "validation-unseen.jsonl", asked.seed))
    with multiprocessing.Pool(asked.processes) as pool:
        for told in pool.imap_unordered(_run, jobs):
            print(told, flush=True)


def _asked() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--public", type=Path, help="folder with the public data; without it only generated rows")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--generated", type=int, default=400_000, help="how many conversations to generate")
    parser.add_argument("--passes", type=int, default=2, help="how often a public record comes, each time varied")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--processes", type=int, default=None)
    return parser.parse_args()


def _run(job: tuple[Any, ...]) -> str:
    function, *arguments = job
    return function(*arguments)


def _write_public(file: Path, part: int, passes: int, out: Path, seed: int) -> str:
    """A part of a file, as it is and then with other surfaces."""
    records = list(islice(public.read(file, seed), part * SHARD, (part + 1) * SHARD))
    rng = random.Random(f"{seed} {out.name}")
    strangers = [tool for record in records[::7] for tool in record["tools"]]
    again = (varied(record, rng, strangers) for _ in range(passes - 1) for record in records)
    return _write_rows(out, chain(records, again), learn_all=False)


def _write_generated(count: int, out: Path, seed: int) -> str:
    composer = Composer(seed, HELD_OUT)
    return _write_rows(out, (composer.conversation() for _ in range(count)), learn_all=True)


def _write_rows(out: Path, records: Iterable[Record], *, learn_all: bool) -> str:
    kept = left = 0
    with gzip.open(out, "wt", encoding="utf-8", compresslevel=1) as file:
        for record in records:
            found = pieces(record, learn_all=learn_all) if is_apart(record) else []
            if not found or sum(len(text) for text, _ in found) > LONGEST_CHARS:
                left += 1
                continue
            file.write(json.dumps({"pieces": found}, ensure_ascii=False) + "\n")
            kept += 1
    return f"{out.name}: {kept:,} rows, {left:,} left out"


def is_apart(record: Record) -> bool:
    texts = (message["content"] for message in record["messages"] if message["role"] == "user")
    return not any(map(is_measured_tool, record["tools"])) and not any(map(is_measured_text, texts))


def _write_validation(file: Path, out: Path, seed: int) -> str:
    return _write_prompts(out, public.read(file, seed))


def _write_unseen(count: int, out: Path, seed: int) -> str:
    """Conversations about families that no training row speaks of."""
    composer = Composer(-1 - seed, HELD_OUT, unseen=True)
    return _write_prompts(out, (composer.conversation() for _ in range(count)))


def _write_held_out(count: int, out: Path, seed: int) -> str:
    """The same families as whole conversations, for a loss beside the learning curve."""
    composer = Composer(-1_001 - seed, HELD_OUT, unseen=True)
    return _write_rows(out, (composer.conversation() for _ in range(count)), learn_all=True)


def _write_prompts(out: Path, records: Iterable[Record]) -> str:
    count = 0
    with out.open("w", encoding="utf-8") as file:
        for prompt in _prompts(records):
            file.write(json.dumps({"id": count, **prompt}, ensure_ascii=False) + "\n")
            count += 1
    return f"{out.name}: {count:,} prompts"


def _prompts(records: Iterable[Record]) -> Iterator[Record]:
    """Each record up to its last turn of the model, and what that is."""
    for record in records:
        said = record["messages"]
        last = max(number for number, message in enumerate(said) if message["role"] == "assistant")
        *before, (expected, _) = pieces({**record, "messages": said[: last + 1]}, learn_all=False)
        calls = said[last].get("calls")
        yield {
            "prompt": "".join(text for text, _ in before),
            "expected": expected,
            "calls": calls,
            "category": record["category"],
            "language": record.get("language", ""),
            "tools": record["tools"] if calls else [],
        }


if __name__ == "__main__":
    main()
