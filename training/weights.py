"""The base model's weights and sizes, read out of its GGUF file and dequantised, in the file's own layout."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from gguf import GGUFReader
from gguf.quants import dequantize


@dataclass(frozen=True)
class Sizes:
    """A Llama's hyperparameters."""

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
    sizes: Sizes
    vocabulary: Vocabulary
    # By the file's own names, rows are outputs: `blk.0.ffn_down.weight` is [width, feed_forward].
    tensors: dict[str, torch.Tensor]


def read(path: str | Path) -> Weights:
    """Read a GGUF file of a Llama. Raises `ValueError` if it holds anything else."""
    reader = GGUFReader(path)
    if (architecture := _value(reader, "general.architecture")) != "llama":
        raise ValueError(f"{path} holds a {architecture!r}, and only a llama can be trained here: give other weights")
    return Weights(_sizes(reader), _vocabulary(reader), {one.name: _tensor(one) for one in reader.tensors})


def read_vocabulary(path: str | Path) -> Vocabulary:
    """The vocabulary alone."""
    return _vocabulary(GGUFReader(path))


def _sizes(reader: GGUFReader) -> Sizes:
    sizes = Sizes(
        layers=_value(reader, "llama.block_count"),
        width=_value(reader, "llama.embedding_length"),
        heads=_value(reader, "llama.attention.head_count"),
        kv_heads=_value(reader, "llama.attention.head_count_kv"),
        feed_forward=_value(reader, "llama.feed_forward_length"),
        rope_base=_value(reader, "llama.rope.freq_base"),
        epsilon=_value(reader, "llama.attention.layer_norm_rms_epsilon"),
    )
    if (turned := _value(reader, "llama.rope.dimension_count")) != sizes.head_width:
        raise ValueError(
            f"rotary positions turn {turned} of {sizes.head_width} dimensions of a head: all were expected"
        )
    return sizes


def _vocabulary(reader: GGUFReader) -> Vocabulary:
    kind = (_value(reader, "tokenizer.ggml.model"), _value(reader, "tokenizer.ggml.pre"))
    if kind != ("gpt2", "smollm"):
        raise ValueError(
            f"the tokenizer is {kind[0]}/{kind[1]}, and only gpt2/smollm is known here: give other weights"
        )
    tokens = _value(reader, "tokenizer.ggml.tokens")
    kinds = _value(reader, "tokenizer.ggml.token_type")
    normal = 1
    special = [token for token, kind in zip(tokens, kinds, strict=True) if kind != normal]
    return Vocabulary(tokens, _value(reader, "tokenizer.ggml.merges"), special)


def _value(reader: GGUFReader, key: str) -> Any:
    field = reader.get_field(key)
    if field is None:
        raise ValueError(f"the file says nothing of {key}: is it a whole model?")
    return field.contents()


def _tensor(one: Any) -> torch.Tensor:
    values = dequantize(one.data, one.tensor_type).astype("float32", copy=False)
    # By way of bytes: a torch that was built against another numpy can't take numpy's arrays.
    return torch.frombuffer(bytearray(values.tobytes()), dtype=torch.float32).view(values.shape)
