"""Turn rows into tokens ahead, on all cores: `python -m training.encode --weights W.gguf rows/*.jsonl.gz`.

Beside each file of rows its tokens are written, and `training.train` takes them from there.
"""

import argparse
import multiprocessing
import os
from pathlib import Path

from . import tokens, weights


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, type=Path)
    parser.add_argument("--processes", type=int, default=None)
    parser.add_argument("rows", nargs="+", type=Path)
    given = parser.parse_args()
    # Here, once: it takes seconds, and a process that can't begin would be started again without end.
    vocabulary = weights.read_vocabulary(given.weights)
    # Each file has a process of its own, so the tokenizer's own threads would only be in each other's way.
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    with multiprocessing.Pool(given.processes, _begin, (vocabulary,)) as pool:
        total = sum(pool.imap_unordered(_encode, given.rows))
    print(f"{total:,} tokens")


def _begin(vocabulary: weights.Vocabulary) -> None:
    global tokenizer
    tokenizer = tokens.tokenizer_of(vocabulary)


def _encode(path: Path) -> int:
    rows = tokens.encode(tokenizer, tokens.read_rows(path))
    tokens.save(rows, tokens.kept_beside(path))
    return len(rows.ids)


if __name__ == "__main__":
    main()
