"""Rows to batches: alike in length, so that little is padding, and flat in one size, so that little is compiled."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from itertools import islice

import torch
from torch import Tensor

from .model import NOT_LEARNT
from .tokens import Rows

# Rows are padded to a multiple of this many tokens.
STEP = 16
# Rows are sorted by length within about so many batches: more gives less padding, fewer a better mixture.
BATCHES_SORTED = 64
# Learnt places are filled up to a multiple of this part of a batch.
LEARNT_PARTS = 32
# So many batches wait ready.
AHEAD = 8


@dataclass(frozen=True)
class Batch:
    """`rows` times `columns` tokens and what is left over, flat. `learnt` are the places whose next token is learnt,
    filled up to a multiple of `at_once` with places whose target is `NOT_LEARNT`."""

    rows: int
    columns: int
    tokens: int
    targeted: int
    at_once: int
    ids: Tensor
    positions: Tensor
    learnt: Tensor
    targets: Tensor

    def to(self, device: torch.device) -> "Batch":
        return self._with(lambda tensor: tensor.to(device, non_blocking=True))

    def pinned(self) -> "Batch":
        """In memory that a GPU reads by itself."""
        return self._with(Tensor.pin_memory)

    def _with(self, change: Callable[[Tensor], Tensor]) -> "Batch":
        tensors = ("ids", "positions", "learnt", "targets")
        return replace(self, **{name: change(getattr(self, name)) for name in tensors})


def plan(lengths: Tensor, copies: Tensor, batch_tokens: int, generator: torch.Generator) -> list[Tensor]:
    """One pass over the rows: the numbers of the rows of each batch. A row comes `copies` times, which may be 0.5."""
    times = copies.floor() + (torch.rand(len(copies), generator=generator) < copies.frac())
    drawn = torch.arange(len(lengths)).repeat_interleave(times.long())
    drawn = drawn[torch.randperm(len(drawn), generator=generator)]
    if not len(drawn):
        return []
    rows_sorted = max(1, int(BATCHES_SORTED * batch_tokens / lengths[drawn].float().mean()))
    batches = [batch for chunk in drawn.split(rows_sorted) for batch in _cut(chunk, lengths, batch_tokens)]
    return [batches[number] for number in torch.randperm(len(batches), generator=generator).tolist()]


def gather(rows: Rows, numbers: Tensor, batch_tokens: int) -> Batch:
    """The batch of these rows, of which none may be longer than `batch_tokens`."""
    starts, lengths = rows.starts[numbers], rows.lengths[numbers]
    columns = _padded(int(lengths.max()))
    used = len(numbers) * columns
    column = torch.arange(columns)
    inside = column < lengths[:, None]
    # The token at each place and the one after it; outside of the row any token will do.
    place = (starts[:, None] + column).clamp_(max=len(rows.ids) - 1)
    after = (place + 1).clamp_(max=len(rows.ids) - 1)
    learnt = (rows.learn[after] & (column < lengths[:, None] - 1)).flatten().nonzero().squeeze(1)
    targets = rows.ids[after.flatten()[learnt]].long()
    at_once = max(1, batch_tokens // LEARNT_PARTS)
    spare = -len(learnt) % at_once
    return Batch(
        rows=len(numbers),
        columns=columns,
        tokens=int(lengths.sum()),
        targeted=len(learnt),
        at_once=at_once,
        ids=_extended((rows.ids[place].long() * inside).flatten(), batch_tokens - used, 0),
        positions=_extended(column.repeat(len(numbers)), batch_tokens - used, 0),
        # Places that differ: the gradients of one place, however small, would be added one after the other.
        learnt=torch.cat([learnt, torch.arange(spare)]),
        targets=_extended(targets, spare, NOT_LEARNT),
    )


def ready(rows: Rows, planned: Iterable[Tensor], batch_tokens: int, device: torch.device) -> Iterator[Batch]:
    """The planned batches on the device, made by a thread of their own while the last ones are learnt."""

    def make(numbers: Tensor) -> Batch:
        batch = gather(rows, numbers, batch_tokens)
        return batch.pinned() if device.type == "cuda" else batch

    left = iter(planned)
    with ThreadPoolExecutor(1) as maker:
        making = deque(maker.submit(make, numbers) for numbers in islice(left, AHEAD))
        while making:
            batch = making.popleft().result()
            making.extend(maker.submit(make, numbers) for numbers in islice(left, 1))
            yield batch.to(device)


def _cut(chunk: Tensor, lengths: Tensor, batch_tokens: int) -> Iterator[Tensor]:
    """Batches from the longest rows to the shortest; each takes as many as fit when padded to its first."""
    chunk = chunk[lengths[chunk].sort(descending=True, stable=True).indices]
    at = 0
    while at < len(chunk):
        count = batch_tokens // _padded(int(lengths[chunk[at]]))
        if not count:
            raise ValueError(f"a row of {int(lengths[chunk[at]])} tokens does not fit a batch of {batch_tokens}")
        yield chunk[at : at + count]
        at += count


def _padded(length: int) -> int:
    return -(-length // STEP) * STEP


def _extended(values: Tensor, by: int, filler: int) -> Tensor:
    return torch.nn.functional.pad(values, (0, by), value=filler)
