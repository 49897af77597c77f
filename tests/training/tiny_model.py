"""Run by the interpreter that has torch: writes a tiny random model that has words of some texts, or tells what an
adapter's file holds."""

import json
import sys

import numpy
from gguf import GGMLQuantizationType, GGUFReader, GGUFWriter
from gguf.quants import quantize
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel
from tokenizers.trainers import BpeTrainer

LAYERS, WIDTH, HEADS, KV_HEADS, FEED_FORWARD = 2, 64, 4, 2, 96
SPECIAL = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"]
WORDS = 600
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
BIASED = ("attn_q", "attn_k", "attn_v")
Q5_0, Q8_0 = GGMLQuantizationType.Q5_0, GGMLQuantizationType.Q8_0


def write(path: str, texts: list[str]) -> None:
    """A Qwen2 that knows nothing, of the kinds of tensors that the file of the 0.5B has."""
    tokens, merges = vocabulary(texts)
    writer = GGUFWriter(path, "qwen2")
    writer.add_block_count(LAYERS)
    writer.add_embedding_length(WIDTH)
    writer.add_head_count(HEADS)
    writer.add_head_count_kv(KV_HEADS)
    writer.add_feed_forward_length(FEED_FORWARD)
    writer.add_rope_freq_base(1000000.0)
    writer.add_layer_norm_rms_eps(1e-6)
    writer.add_context_length(512)
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("qwen2")
    writer.add_token_list(tokens)
    writer.add_token_types([3] * len(SPECIAL) + [1] * (len(tokens) - len(SPECIAL)))
    writer.add_token_merges(merges)
    writer.add_eos_token_id(SPECIAL.index("<|im_end|>"))
    writer.add_add_bos_token(False)
    random = numpy.random.default_rng(0)
    for name in ("token_embd", "output"):
        _add(writer, f"{name}.weight", random.normal(0, 0.5, (len(tokens), WIDTH)), Q8_0)
    for layer in range(LAYERS):
        for kind, outputs, inputs in LINEARS:
            _add(writer, f"blk.{layer}.{kind}.weight", random.normal(0, inputs**-0.5, (outputs, inputs)), Q5_0)
            if kind in BIASED:
                _add(writer, f"blk.{layer}.{kind}.bias", random.normal(0, 1, outputs))
        for kind in ("attn_norm", "ffn_norm"):
            _add(writer, f"blk.{layer}.{kind}.weight", numpy.ones(WIDTH))
    _add(writer, "output_norm.weight", numpy.ones(WIDTH))
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def vocabulary(texts: list[str]) -> tuple[list[str], list[str]]:
    """Tokens and merges, made of texts that are not split: a text that is split at a wrong place has other tokens."""
    tokenizer = Tokenizer(BPE())
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=False, use_regex=False)
    alphabet = ByteLevel.alphabet()
    trainer = BpeTrainer(vocab_size=WORDS, initial_alphabet=alphabet, special_tokens=SPECIAL, show_progress=False)
    tokenizer.train_from_iterator(texts, trainer)
    made = json.loads(tokenizer.to_str())["model"]
    return sorted(made["vocab"], key=made["vocab"].get), [" ".join(pair) for pair in made["merges"]]


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
    writer.add_tensor(name, quantize(exact, kind) if kind else exact, raw_dtype=kind)


if __name__ == "__main__":
    command, path = sys.argv[1:]
    if command == "write":
        write(path, json.load(sys.stdin))
    else:
        sys.stdout.write(json.dumps(describe(path)))
