"""An adapter as a GGUF file that llama.cpp loads beside the base model."""

import argparse
import ctypes
from collections.abc import Iterable, Mapping
from pathlib import Path

import numpy
from gguf import GGMLQuantizationType, GGUFWriter
from gguf.quants import quantize
from torch import Tensor

from . import lora

TYPES = {"f16": GGMLQuantizationType.F16, "q8_0": GGMLQuantizationType.Q8_0}
# Q8_0 quantises so many neighbours at a time; narrower rows stay f16.
BLOCK = 32


def export(adapter: lora.Adapter, path: str | Path, kind: str = "f16", about: Mapping[str, str] | None = None) -> None:
    """Write the adapter; `about` is its `general.*` metadata: name, license, description."""
    writer = GGUFWriter(path, "qwen2")
    writer.add_type("adapter")
    writer.add_string("adapter.type", "lora")
    writer.add_float32("adapter.lora.alpha", adapter.alpha)
    for key, value in (about or {}).items():
        writer.add_string(f"general.{key}", value)
    for one in adapter.a:
        for layer, (a, b) in enumerate(zip(adapter.a[one], adapter.b[one], strict=True)):
            _add(writer, f"blk.{layer}.{one}.weight.lora_a", a, TYPES[kind])
            _add(writer, f"blk.{layer}.{one}.weight.lora_b", b, TYPES[kind])
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--adapter", required=True, help="the adapter's .pt file")
    parser.add_argument("--out", required=True)
    parser.add_argument("--type", choices=TYPES, default="f16")
    parser.add_argument("--about", nargs="*", default=[], metavar="KEY=VALUE", help="name, license, description")
    given = parser.parse_args()
    export(lora.load(given.adapter), given.out, given.type, about_of(given.about))


def about_of(pairs: Iterable[str]) -> dict[str, str]:
    """Metadata from `key=value` words."""
    return {key: value for key, _, value in (pair.partition("=") for pair in pairs)}


def _add(writer: GGUFWriter, name: str, values: Tensor, kind: GGMLQuantizationType) -> None:
    if kind is GGMLQuantizationType.Q8_0 and values.shape[-1] % BLOCK:
        kind = GGMLQuantizationType.F16
    writer.add_tensor(name, quantize(_array(values), kind), raw_dtype=kind)


def _array(values: Tensor) -> numpy.ndarray:
    """By way of bytes: a torch that was built against another numpy can't give it arrays."""
    exact = values.detach().cpu().float().contiguous()
    content = ctypes.string_at(exact.data_ptr(), exact.numel() * exact.element_size())
    return numpy.frombuffer(content, dtype=numpy.float32).reshape(exact.shape)


if __name__ == "__main__":
    main()
