"""Greedy answers to many prompts at once: `python -m training.complete --weights W.gguf --prompts P --out O`.

Prompts are JSON lines `{"id", "prompt"}`, answers `{"id", "text"}`; a prompt names special tokens literally.
"""

import argparse
import json
import logging
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor

from . import lora, weights
from .model import Layer, Model, causal_attention, masked_attention
from .tokens import tokenizer_of

END = "<|im_end|>"
# So many tokens of prompts and answers have room at once, by the device: on a GPU they take up to 70 GB of the 1.5B.
BATCH_TOKENS = {"cuda": 524288, "cpu": 8192}
# After so many tokens it is looked who has ended.
LOOK_EVERY = 8

log = logging.getLogger("training")


def main() -> None:
    logging.basicConfig(format="%(message)s")
    log.setLevel(logging.INFO)
    given = _arguments()
    began = time.monotonic()
    device = torch.device(given.device or ("cuda" if torch.cuda.is_available() else "cpu"))
    base = weights.read(given.weights)
    model = Model(base, device)
    adapter = lora.load(given.adapter).to(device) if given.adapter else None
    with Path(given.prompts).open(encoding="utf-8") as file:
        asked = [json.loads(line) for line in file]
    with torch.no_grad():
        layers = model.layers(adapter.merged(model.linears) if adapter else model.linears)
        texts = answers(model, layers, tokenizer_of(base.vocabulary), [one["prompt"] for one in asked], given.tokens)
    with Path(given.out).open("w", encoding="utf-8") as file:
        for one, text in zip(asked, texts, strict=True):
            file.write(json.dumps({"id": one["id"], "text": text}, ensure_ascii=False) + "\n")
    log.info("%d answers in %.1f s", len(asked), time.monotonic() - began)


def answers(model: Model, layers: list[Layer], tokenizer: Tokenizer, prompts: list[str], most: int = 160) -> list[str]:
    """The text that follows each prompt, until the turn ends or there are `most` tokens. Call it without gradients."""
    end = tokenizer.token_to_id(END)
    encoded = [one.ids for one in tokenizer.encode_batch_fast(prompts)]
    texts = [""] * len(prompts)
    for numbers in _alike(encoded, most, BATCH_TOKENS[model.device.type]):
        written = _Cache(model, layers, [encoded[number] for number in numbers], most).write(end)
        for number, ids in zip(numbers, written, strict=True):
            texts[number] = tokenizer.decode(ids[: ids.index(end)] if end in ids else ids, skip_special_tokens=False)
    return texts


def _alike(encoded: list[list[int]], most: int, batch_tokens: int) -> Iterator[list[int]]:
    """The numbers of prompts that are read together: longest first, padded to the first of them."""
    order = sorted(range(len(encoded)), key=lambda number: -len(encoded[number]))
    while order:
        count = max(1, batch_tokens // (len(encoded[order[0]]) + most))
        yield order[:count]
        order = order[count:]


class _Cache:
    """Keys and values of some prompts, which are padded on the right, and of what is written after the padding.

    A token's position is turned into its key, so that it need not stand in the column of that number.
    """

    def __init__(self, model: Model, layers: list[Layer], prompts: list[list[int]], most: int) -> None:
        sizes = model.sizes
        self._model, self._layers, self._most = model, layers, most
        self._lengths = torch.tensor([len(prompt) for prompt in prompts], device=model.device)
        self._columns = max(map(len, prompts))
        padded = [prompt + [0] * (self._columns - len(prompt)) for prompt in prompts]
        self._prompts = torch.tensor(padded, device=model.device)
        shape = (sizes.layers, 2, len(prompts), sizes.kv_heads, self._columns + most, sizes.head_width)
        self._kept = torch.zeros(shape, dtype=model.type, device=model.device)
        column = torch.arange(self._columns + most, device=model.device)
        self._unseen = (column >= self._lengths[:, None]) & (column < self._columns)

    def write(self, end: int) -> list[list[int]]:
        """Answers as tokens, which may go on after `end`."""
        latest = self._read()
        alive = torch.arange(len(latest), device=latest.device)
        written = torch.full((len(latest), self._most), end, device=latest.device)
        ended = torch.zeros_like(latest, dtype=torch.bool)
        for step in range(self._most):
            written[alive, step] = latest
            ended |= latest == end
            if step % LOOK_EVERY == LOOK_EVERY - 1:
                going = (~ended).nonzero().squeeze(1)
                if not len(going):
                    break
                if len(going) <= len(ended) * 3 // 4:
                    self._keep(going)
                    alive, latest, ended = alive[going], latest[going], ended[going]
            if step + 1 < self._most:
                latest = self._next(latest, step)
        return written.tolist()

    def _read(self) -> Tensor:
        """Read the prompts; the first token after each."""
        rows, columns = self._prompts.shape

        def attend(layer: int, *parts: Tensor) -> Tensor:
            query, key, value = (part.view(rows, columns, *part.shape[1:]).transpose(1, 2) for part in parts)
            self._kept[layer, 0, :, :, :columns] = key
            self._kept[layer, 1, :, :, :columns] = value
            return causal_attention(query, key, value).transpose(1, 2).reshape(rows * columns, -1)

        positions = torch.arange(columns, device=self._prompts.device).repeat(rows)
        states = self._model.hidden(self._layers, self._prompts.flatten(), positions, attend)
        last = states.view(rows, columns, -1)[torch.arange(rows, device=states.device), self._lengths - 1]
        return self._model.logits(last).argmax(-1)

    def _next(self, latest: Tensor, step: int) -> Tensor:
        """The tokens after these, which are number `step` of their answers."""
        column = self._columns + step
        unseen = self._unseen[:, None, None, : column + 1]

        def attend(layer: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
            kept = self._kept[layer]
            kept[0, :, :, column], kept[1, :, :, column] = key, value
            seen = kept[:, :, :, : column + 1]
            return masked_attention(query.unsqueeze(2), seen[0], seen[1], unseen).flatten(1)

        return self._model.logits(self._model.hidden(self._layers, latest, self._lengths + step, attend)).argmax(-1)

    def _keep(self, rows: Tensor) -> None:
        """Go on with these rows alone."""
        self._kept, self._lengths, self._unseen = self._kept[:, :, rows], self._lengths[rows], self._unseen[rows]


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--weights", required=True, help="the base model's GGUF file")
    parser.add_argument("--adapter", help="the adapter's .pt file; without it the base answers")
    parser.add_argument("--prompts", required=True)
    parser.add_argument("--out", required=True)
    parser.add_argument("--tokens", type=int, default=160, help="the most that an answer may have")
    parser.add_argument("--device", choices=["cuda", "cpu"])
    return parser.parse_args()


if __name__ == "__main__":
    main()
