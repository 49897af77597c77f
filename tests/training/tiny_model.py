"""Run by the interpreter that has torch: writes a tiny random model, or tells what an adapter's file holds."""

import json
import sys

import numpy
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import quantize
from tokenizers.pre_tokenizers import ByteLevel

LAYERS, WIDTH, HEADS, KV_HEADS, FEED_FORWARD = 2, 64, 4, 2, 96
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
TOKENS = [*SPECIAL, *sorted(ByteLevel.alphabet()), "es", "yes"]
KV_WIDTH = WIDTH // HEADS * KV_HEADS
# Each with its outputs and inputs.
LINEARS = [
    ("attn_q", WIDTH, WIDTH),
    ("attn_k", KV_WIDTH, WIDTH),
    ("attn_v", KV_WIDTH, WIDTH),
    ("attn_output", WIDTH, WIDTH),
    ("ffn_gate", FEED_FORWARD, WIDTH),
    ("ffn_up", FEED_FORWARD, WIDTH),
    ("ffn_down", WIDTH, FEED_FORWARD),
]
Q4_1, Q8_0 = GGMLQuantizationType.Q4_1, GGMLQuantizationType.Q8_0


def write(path: str) -> None:
    """A Llama that knows nothing, of the kinds of tensors that SmolLM2's file has."""
    writer = GGUFWriter(path, "llama")
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_rope_freq_base(10000.0)
    writer.add_rope_dimension_count(WIDTH // HEADS)
    writer.add_layer_norm_rms_eps(1e-5)
    writer.add_context_length(512)
    writer.add_vocab_size(len(TOKENS))
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("smollm")
    writer.add_token_list(TOKENS)
    writer.add_token_types([3] * len(SPECIAL) + [1] * (len(TOKENS) - len(SPECIAL)))
    writer.add_token_merges(["e s", "y es"])
    random = numpy.random.default_rng(0)
    _add(writer, "token_embd", random.normal(0, 0.5, (len(TOKENS), WIDTH)), Q8_0)
    for layer in range(LAYERS):
        for kind, outputs, inputs in LINEARS:
            _add(writer, f"blk.{layer}.{kind}", random.normal(0, inputs**-0.5, (outputs, inputs)), Q4_1)
        for kind in ("attn_norm", "ffn_norm"):
            _add(writer, f"blk.{layer}.{kind}", numpy.ones(WIDTH))
    _add(writer, "output_norm", numpy.ones(WIDTH))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def describe(path: str) -> dict[str, object]:
    """The metadata and the shapes of the tensors, in numpy's order."""
    reader = GGUFReader(path)
    return {
        "fields": {name: field.contents() for name, field in reader.fields.items()},
        "shapes": {one.name: one.shape.tolist()[::-1] for one in reader.tensors},
        "types": sorted({one.tensor_type.name for one in reader.tensors}),
    }


def _add(writer: GGUFWriter, name: str, values: numpy.ndarray, kind: GGMLQuantizationType | None = None) -> None:
    exact = values.astype(numpy.float32)
    writer.add_tensor(f"{name}.weight", quantize(exact, kind) if kind else exact, raw_dtype=kind)


if __name__ == "__main__":
    command, path = sys.argv[1:]
    if command == "write":
        write(path)
    else:
        sys.stdout.write(json.dumps(describe(path)))
