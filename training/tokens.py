"""Text to the model's tokens, as llama.cpp reads it, and rows of conversations to tokens with learnt ones marked."""

import gzip
import json
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import accumulate, islice
from pathlib import Path

import torch
from tokenizers import AddedToken, Regex, Tokenizer
from tokenizers.decoders import ByteLevel as ByteLevelDecoder
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel, Sequence, Split

from .weights import Vocabulary

# So many rows are encoded side by side, on all cores.
ROWS_AT_ONCE = 4096

# Qwen2's words, as llama.cpp splits them: every digit by itself, a line's end with the signs before it.
WORDS = (
    r"'(?:[sStTmMdD]|[rR][eE]|[vV][eE]|[lL][lL])|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)

# The text of one conversation in order; true where it is learnt.
Pieces = list[tuple[str, bool]]


@dataclass(frozen=True)
class Rows:
    """Tokens of many rows, end to end: row i is `ids[starts[i]:starts[i + 1]]`."""

    ids: torch.Tensor
    learn: torch.Tensor
    starts: torch.Tensor

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> torch.Tensor:
        return self.starts[1:] - self.starts[:-1]

    def usable(self, longest: int) -> torch.Tensor:
        """True for each row that is no longer than this and has something to learn after its first token."""
        learnt = torch.cat([torch.zeros(1, dtype=torch.int64), self.learn.long().cumsum(0)])
        after_the_first = learnt[self.starts[1:]] - learnt[(self.starts[:-1] + 1).clamp(max=len(self.ids))]
        return (self.lengths <= longest) & (after_the_first > 0)


def tokenizer_of(vocabulary: Vocabulary) -> Tokenizer:
    """Byte-level BPE within words."""
    merges = [tuple(merge.split(" ")) for merge in vocabulary.merges]
    tokenizer = Tokenizer(BPE({token: id for id, token in enumerate(vocabulary.tokens)}, merges))
    tokenizer.pre_tokenizer = Sequence(
        [Split(Regex(WORDS), "isolated"), ByteLevel(add_prefix_space=False, use_regex=False)]
    )
    tokenizer.decoder = ByteLevelDecoder()
    tokenizer.add_special_tokens([AddedToken(token, normalized=False, special=True) for token in vocabulary.special])
    return tokenizer


def read_rows(path: str | Path) -> Iterator[Pieces]:
    """The rows of a gzipped file of JSON lines, each `{"pieces": [[text, learn], ...]}`."""
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)["pieces"]


def encode(tokenizer: Tokenizer, rows: Iterable[Pieces]) -> Rows:
    """Pieces are encoded one by one, so that a learnt turn begins at a token's edge, as it does after a prompt."""
    ids, learn, starts = array("i"), bytearray(), array("q", [0])
    rows = iter(rows)
    while chunk := list(islice(rows, ROWS_AT_ONCE)):
        encoded = iter(tokenizer.encode_batch_fast([text for row in chunk for text, _ in row]))
        for row in chunk:
            for _, learnt in row:
                piece = next(encoded).ids
                ids.extend(piece)
                learn.extend(bytes([learnt]) * len(piece))
            starts.append(len(ids))
    return Rows(_tensor(ids, torch.int32), _tensor(learn, torch.uint8).bool(), _tensor(starts, torch.int64))


def rows_of(tokenizer: Tokenizer, path: str | Path) -> Rows:
    """The tokens of a file of rows: those that `training.encode` left beside it, else made here."""
    kept = kept_beside(path)
    if kept.exists():
        return Rows(**torch.load(kept))
    return encode(tokenizer, read_rows(path))


def kept_beside(path: str | Path) -> Path:
    return Path(f"{path}.tokens.pt")


def save(rows: Rows, path: Path) -> None:
    torch.save({"ids": rows.ids, "learn": rows.learn, "starts": rows.starts}, path)


def joined(parts: Iterable[Rows]) -> Rows:
    """All rows of all parts, end to end."""
    found = list(parts)
    ends = torch.tensor([0, *accumulate(len(part.ids) for part in found)])
    starts = [part.starts[:-1] + end for part, end in zip(found, ends, strict=False)]
    return Rows(
        torch.cat([torch.empty(0, dtype=torch.int32), *(part.ids for part in found)]),
        torch.cat([torch.empty(0, dtype=torch.bool), *(part.learn for part in found)]),
        torch.cat([*starts, ends[-1:]]),
    )


def _tensor(values: array | bytearray, kind: torch.dtype) -> torch.Tensor:
    return torch.frombuffer(values, dtype=kind) if len(values) else torch.empty(0, dtype=kind)
