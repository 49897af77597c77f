"""Teach an adapter: `python -m training.train --weights W.gguf --rows a.jsonl.gz b.jsonl.gz:2 --out FOLDER`."""

import argparse
import logging
import math
import time
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

import torch

from . import batches, lora, tokens, weights
from .batches import Batch
from .export import TYPES, about_of, export
from .lora import Adapter
from .model import Model, attend_within
from .tokens import Rows
from .weights import Vocabulary

# At the end the learning rate is this part of its peak.
FLOOR = 0.1
# The norm of the gradient is held to this.
CLIP = 1.0
# The clock stops learning so many seconds early, so that the adapter is tried and written in time.
SECONDS_TO_FINISH = 15
# The held-out loss is taken over so many batches at most.
HELD_OUT_BATCHES = 16

log = logging.getLogger("training")


@dataclass(frozen=True)
class Data:
    """What is learnt, how often each row comes (never, if it is of no use), and what is held out."""

    rows: Rows
    copies: torch.Tensor
    held_out: Rows


def main() -> None:
    logging.basicConfig(format="%(message)s")
    log.setLevel(logging.INFO)
    # Counted from here, since loading and compiling take their share of a machine's time too.
    began = time.monotonic()
    given = _arguments()
    pace = Pace(began + given.seconds - SECONDS_TO_FINISH if given.seconds else math.inf)
    torch.manual_seed(given.seed)
    device = torch.device(given.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    base = weights.read(given.weights)
    data = _data(given, base.vocabulary)
    log.info("%d rows, %d tokens, ready after %.0f s", len(data.rows), len(data.rows.ids), time.monotonic() - began)
    model = Model(base, device, compiled=device.type == "cuda")
    shapes = {kind: tuple(stack.shape) for kind, stack in model.linears.items()}
    adapter = lora.load(given.init) if given.init else Adapter(shapes, given.rank, given.alpha, given.seed)
    adapter = adapter.to(device)
    out = Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    learn(model, adapter, data, given, pace, out)
    lora.save(adapter, out / "adapter.pt")
    export(adapter, out / "adapter.gguf", given.type, about_of(given.about))
    log.info("wrote %s after %.0f s", out / "adapter.gguf", time.monotonic() - began)


def learn(model: Model, adapter: Adapter, data: Data, given: argparse.Namespace, pace: "Pace", out: Path) -> None:
    """Go over the rows until they or the time are used up, or it gets no better; the adapter is then the best one.

    Writes the learning curve.
    """
    planned = _plan(data, given)
    filled = sum(int(data.rows.lengths[batch].sum()) for batch in planned) / (len(planned) * given.batch_tokens)
    log.info("%d steps, batches filled to %.0f %%", len(planned), 100 * filled)
    parameters = list(adapter.parameters())
    fused = {"fused": True} if model.device.type == "cuda" else {}
    optimizer = torch.optim.AdamW(parameters, lr=given.lr, betas=(0.9, 0.95), weight_decay=0.0, **fused)
    meter = Meter(out, len(planned))
    best = Best(adapter)
    looked = False
    for step, batch in enumerate(batches.ready(data.rows, planned, given.batch_tokens, model.device)):
        share = pace.share(step, len(planned))
        if share >= 1:
            log.info("the time is used up after %d of %d steps", step, len(planned))
            break
        rate = given.lr * factor(share, given.warmup)
        for group in optimizer.param_groups:
            group["lr"] = rate
        loss = summed_loss(model, adapter, batch) / batch.targeted
        loss.backward()
        torch.nn.utils.clip_grad_norm_(parameters, CLIP)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)
        meter.count(loss.detach(), batch.tokens, rate)
        # The first step, which compiles, has a line of its own.
        if step == 0 or (step + 1) % given.every == 0:
            meter.write()
        looked = (step + 1) % given.validate_every == 0
        if looked and len(data.held_out):
            meter.write_held_out(best.look(held_out_loss(model, adapter, data.held_out, given)))
            if best.looks_since >= given.patience:
                log.info("the held-out loss got no better in %d looks", best.looks_since)
                break
    meter.write()
    if len(data.held_out):
        if not looked:
            meter.write_held_out(best.look(held_out_loss(model, adapter, data.held_out, given)))
        best.restore()
        log.info("the best held-out loss is %.4f", best.loss)


def summed_loss(model: Model, adapter: Adapter, batch: Batch) -> torch.Tensor:
    layers = model.layers(adapter.merged(model.linears))
    states = model.hidden(layers, batch.ids, batch.positions, attend_within(batch.rows, batch.columns))
    return model.loss(states[batch.learnt], batch.targets, batch.at_once)


def held_out_loss(model: Model, adapter: Adapter, rows: Rows, given: argparse.Namespace) -> float:
    """Per learnt token. Gradients stay on: without them every graph would be compiled once more."""
    copies = rows.usable(given.row_tokens).float()
    planned = batches.plan(rows.lengths, copies, given.batch_tokens, torch.Generator().manual_seed(0))
    total, targeted = torch.zeros((), device=model.device), 0
    for batch in batches.ready(rows, planned[:HELD_OUT_BATCHES], given.batch_tokens, model.device):
        total += summed_loss(model, adapter, batch).detach()
        targeted += batch.targeted
    return float(total) / max(targeted, 1)


def factor(share: float, warmup: float) -> float:
    """The learning rate at this share of the way, as a part of its peak: up in a line, down along a cosine."""
    if share < warmup:
        return max(share / warmup, 0.01)
    return FLOOR + (1 - FLOOR) * (1 + math.cos(math.pi * (share - warmup) / (1 - warmup))) / 2


class Pace:
    """How far along we are, by steps or by the clock, whichever is further."""

    def __init__(self, deadline: float) -> None:
        self._deadline = deadline
        self._began: float | None = None

    def share(self, step: int, steps: int) -> float:
        now = time.monotonic()
        # The first two steps compile; on the clock the way begins after them.
        if self._began is None and step == 2:
            self._began = now
        by_clock = (now - self._began) / (self._deadline - self._began) if self._began is not None else 0.0
        return 1.0 if now >= self._deadline else max(step / steps, by_clock)


class Best:
    """The adapter as it was when its held-out loss was lowest."""

    def __init__(self, adapter: Adapter) -> None:
        self.loss, self.looks_since = math.inf, 0
        self._adapter, self._state = adapter, {}

    def look(self, loss: float) -> float:
        """Take note of the adapter if this is its lowest loss; gives the loss back."""
        self.looks_since += 1
        if loss < self.loss:
            self.loss, self.looks_since = loss, 0
            self._state = {name: value.clone() for name, value in self._adapter.state_dict().items()}
        return loss

    def restore(self) -> None:
        if self._state:
            self._adapter.load_state_dict(self._state)


class Meter:
    """The learning curves, as files and in the log. Losses are fetched only when they are written."""

    def __init__(self, folder: Path, steps: int) -> None:
        self._curve, self._held_out, self._steps = folder / "curve.csv", folder / "held_out.csv", steps
        self._losses: list[torch.Tensor] = []
        self._step = self._tokens = self._tokens_before = 0
        self._rate = 0.0
        self._since = time.monotonic()
        self._curve.write_text("step,tokens,loss,lr,tokens_per_second\n")
        self._held_out.write_text("step,loss\n")

    def count(self, loss: torch.Tensor, tokens: int, rate: float) -> None:
        self._step += 1
        self._tokens += tokens
        self._losses.append(loss)
        self._rate = rate

    def write(self) -> None:
        if not self._losses:
            return
        loss = float(torch.stack(self._losses).mean())
        speed = (self._tokens - self._tokens_before) / (time.monotonic() - self._since)
        with self._curve.open("a") as file:
            file.write(f"{self._step},{self._tokens},{loss:.4f},{self._rate:.3g},{speed:.0f}\n")
        log.info("step %d/%d  loss %.4f  lr %.2g  %.0f tokens/s", self._step, self._steps, loss, self._rate, speed)
        self._losses, self._since, self._tokens_before = [], time.monotonic(), self._tokens

    def write_held_out(self, loss: float) -> None:
        with self._held_out.open("a") as file:
            file.write(f"{self._step},{loss:.4f}\n")
        log.info("step %d/%d  held out %.4f", self._step, self._steps, loss)


def _data(given: argparse.Namespace, vocabulary: Vocabulary) -> Data:
    tokenizer = tokens.tokenizer_of(vocabulary)
    sources = [(tokens.rows_of(tokenizer, path), weight) for path, weight in map(_source, given.rows)]
    copies = torch.cat([torch.full((len(part),), weight) for part, weight in sources])
    rows = tokens.joined(part for part, _ in sources)
    held_out = tokens.joined(tokens.rows_of(tokenizer, path) for path in given.validation)
    data = Data(rows, copies * rows.usable(given.row_tokens), held_out)
    if left_out := int((data.copies == 0).sum()):
        log.info("left out %d rows: longer than %d tokens, or nothing to learn", left_out, given.row_tokens)
    return data


def _source(word: str) -> tuple[str, float]:
    """`path` or `path:weight`."""
    path, _, weight = word.rpartition(":")
    return (path, float(weight)) if path and weight.replace(".", "", 1).isdigit() else (word, 1.0)


def _plan(data: Data, given: argparse.Namespace) -> list[torch.Tensor]:
    """The batches of all epochs, or the first of them that hold `--max-tokens`."""
    generator = torch.Generator().manual_seed(given.seed)
    lengths = data.rows.lengths
    planned = [
        batch
        for epoch in range(math.ceil(given.epochs))
        for batch in batches.plan(lengths, data.copies * min(1.0, given.epochs - epoch), given.batch_tokens, generator)
    ]
    before = [0, *accumulate(int(lengths[batch].sum()) for batch in planned)]
    planned = [batch for batch, start in zip(planned, before, strict=False) if start < given.max_tokens]
    if not planned:
        raise SystemExit("there is nothing to learn: give --rows with learnt pieces that fit --row-tokens")
    return planned


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help="the base model's GGUF file")
    parser.add_argument("--rows", required=True, nargs="+", help="gzipped JSON lines; `:2` makes each row come twice")
    parser.add_argument("--validation", nargs="*", default=[], help="rows that are held out")
    parser.add_argument("--out", required=True, help="the folder for adapter.pt, adapter.gguf and curve.csv")
    parser.add_argument("--init", help="go on from this adapter.pt, with its rank and alpha")
    parser.add_argument("--rank", type=int, default=16)
    parser.add_argument("--alpha", type=float, default=32.0)
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--warmup", type=float, default=0.03, help="the share of the way on which the rate rises")
    parser.add_argument("--epochs", type=float, default=1.0)
    parser.add_argument("--max-tokens", type=float, default=math.inf, help="learn from no more tokens than this")
    parser.add_argument("--row-tokens", type=int, default=4096, help="longer rows are left out")
    parser.add_argument("--batch-tokens", type=int, default=16384)
    parser.add_argument("--seconds", type=float, help="be done in this time; the learning rate is planned on it")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--device", choices=["cuda", "cpu"])
    parser.add_argument("--every", type=int, default=50, help="steps between two lines of the learning curve")
    parser.add_argument("--validate-every", type=int, default=200, help="steps between two held-out losses")
    parser.add_argument(
        "--patience", type=float, default=math.inf, help="stop after so many looks without a better one"
    )
    parser.add_argument("--type", choices=TYPES, default="f16", help="of the exported adapter's tensors")
    parser.add_argument("--about", nargs="*", default=[], metavar="KEY=VALUE", help="name, license, description")
    given = parser.parse_args()
    if given.row_tokens > given.batch_tokens:
        parser.error("--row-tokens can't be more than --batch-tokens")
    return given


if __name__ == "__main__":
    main()
