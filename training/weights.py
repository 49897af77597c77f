"""The base model's weights and sizes, read out of its GGUF file and dequantised, in the file's own layout."""

import math
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy
import torch
from gguf import GGUFReader
from gguf.gguf_reader import ReaderTensor
from gguf.quants import dequantize

# The kinds of tokens that a text names literally, as llama.cpp numbers them.
CONTROL, USER_DEFINED = 3, 4
# So many rows are dequantised as one: numpy then spends its time in loops of its own, where threads run side by side.
ROWS_AS_ONE = 16


@dataclass(frozen=True)
class Sizes:
    """A Qwen2's hyperparameters."""

    layers: int
    width: int
    heads: int
    kv_heads: int
    feed_forward: int
    rope_base: float
    epsilon: float

    @property
    def head_width(self) -> int:
        return self.width // self.heads


@dataclass(frozen=True)
class Vocabulary:
    """What a byte-level BPE tokenizer is made of; `special` are the tokens that a text names literally."""

    tokens: list[str]
    merges: list[str]
    special: list[str]


@dataclass(frozen=True)
class Weights:
    """An open file. Its tensors stay quantised until they are asked for, in float32."""

    sizes: Sizes
    vocabulary: Vocabulary
    packed: Mapping[str, ReaderTensor]

    def __contains__(self, name: str) -> bool:
        return name in self.packed

    def tensor(self, name: str) -> torch.Tensor:
        """By the file's own name, rows are outputs: `blk.0.ffn_down.weight` is [width, feed_forward]."""
        one = self.packed[name]
        wide = one.data.reshape(len(one.data) // math.gcd(len(one.data), ROWS_AS_ONE), -1)
        values = numpy.require(dequantize(wide, one.tensor_type), numpy.float32, "W")
        # By way of its bytes: a torch that was built against another numpy can't take numpy's arrays.
        return torch.frombuffer(values, dtype=torch.float32).view(one.shape.tolist()[::-1])

    def stack(self, name: str) -> torch.Tensor:
        """One tensor of all layers: of `attn_q.bias` [layers, outputs]."""
        names = [f"blk.{layer}.{name}" for layer in range(self.sizes.layers)]
        with ThreadPoolExecutor() as pool:
            return torch.stack(list(pool.map(self.tensor, names)))


def read(path: str | Path) -> Weights:
    """Read a GGUF file of a Qwen2. Raises `ValueError` if it holds anything else."""
    reader = GGUFReader(path)
    if (architecture := _value(reader, "general.architecture")) != "qwen2":
        raise ValueError(f"{path} holds a {architecture!r}, and only a qwen2 can be trained here: give other weights")
    return Weights(_sizes(reader), _vocabulary(reader), {one.name: one for one in reader.tensors})


def read_vocabulary(path: str | Path) -> Vocabulary:
    """The vocabulary alone."""
    return _vocabulary(GGUFReader(path))


def _sizes(reader: GGUFReader) -> Sizes:
    return Sizes(
        layers=_value(reader, "qwen2.block_count"),
        width=_value(reader, "qwen2.embedding_length"),
        heads=_value(reader, "qwen2.attention.head_count"),
        kv_heads=_value(reader, "qwen2.attention.head_count_kv"),
        feed_forward=_value(reader, "qwen2.feed_forward_length"),
        rope_base=_value(reader, "qwen2.rope.freq_base"),
        epsilon=_value(reader, "qwen2.attention.layer_norm_rms_epsilon"),
    )


def _vocabulary(reader: GGUFReader) -> Vocabulary:
    kind = (_value(reader, "tokenizer.ggml.model"), _value(reader, "tokenizer.ggml.pre"))
    if kind != ("gpt2", "qwen2"):
        raise ValueError(f"the tokenizer is {kind[0]}/{kind[1]}, and only gpt2/qwen2 is known here: give other weights")
    tokens = _value(reader, "tokenizer.ggml.tokens")
    kinds = _value(reader, "tokenizer.ggml.token_type")
    special = [token for token, kind in zip(tokens, kinds, strict=True) if kind in (CONTROL, USER_DEFINED)]
    return Vocabulary(tokens, _value(reader, "tokenizer.ggml.merges"), special)


def _value(reader: GGUFReader, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise ValueError(f"the file says nothing of {key}: is it a whole model?")
    return field.contents()
