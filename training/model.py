"""A Qwen2's way from tokens to hidden states and to a loss, over weights in GGUF's layout."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from .weights import Sizes, Weights

# The linear maps of a layer, by their names in the file; those with a bias come first.
BIASED = ("attn_q", "attn_k", "attn_v")
KINDS = (*BIASED, "attn_output", "ffn_gate", "ffn_up", "ffn_down")
# The target of a place where nothing is learnt.
NOT_LEARNT = -100

# A map of each kind for all layers: [layers, outputs, inputs].
Linears = Mapping[str, Tensor]
# Given the layer's number and its queries, keys and values, [tokens, heads, head width]: what each token attends to.
Attend = Callable[[int, Tensor, Tensor, Tensor], Tensor]


class Layer(NamedTuple):
    """What one layer multiplies with; maps that read the same thing are one map."""

    attention_norm: Tensor
    query_key_value: Tensor
    bias: Tensor
    output: Tensor
    feed_forward_norm: Tensor
    gate_up: Tensor
    down: Tensor


class Model:
    """The frozen parts on their device. It works on tokens in one flat row, so that all but attention has one shape."""

    def __init__(self, weights: Weights, device: torch.device, *, compiled: bool = False) -> None:
        self.sizes = sizes = weights.sizes
        self.device = device
        self.type = torch.bfloat16 if device.type == "cuda" else torch.float32
        self.linears = {kind: weights.stack(f"{kind}.weight").to(device) for kind in KINDS}
        self.biases = torch.cat([weights.stack(f"{kind}.bias") for kind in BIASED], 1).to(device)
        self.norms = [weights.stack(f"{kind}.weight").to(device) for kind in ("attn_norm", "ffn_norm")]
        self.last_norm = weights.tensor("output_norm.weight").to(device)
        self.embedding = weights.tensor("token_embd.weight").to(device, self.type)
        tied = "output.weight" not in weights
        self.head = self.embedding if tied else weights.tensor("output.weight").to(device, self.type)
        shrink = torch.arange(0, sizes.head_width, 2, device=device).float() / sizes.head_width
        self.frequencies = sizes.rope_base**-shrink
        maybe = _compile if compiled else lambda function: function
        self.before, self.after, self.head_loss = maybe(_before), maybe(_after), maybe(_head_loss)

    def layers(self, linears: Linears) -> list[Layer]:
        """The layers with these maps, which may be the model's own or changed ones."""
        of = {kind: stack.to(self.type) for kind, stack in linears.items()}
        query_key_value = torch.cat([of[kind] for kind in BIASED], 1)
        gate_up = torch.cat([of["ffn_gate"], of["ffn_up"]], 1)
        before, after = self.norms
        stacks = (before, query_key_value, self.biases, of["attn_output"], after, gate_up, of["ffn_down"])
        return [Layer(*maps) for maps in zip(*(stack.unbind() for stack in stacks), strict=True)]

    def hidden(self, layers: list[Layer], ids: Tensor, positions: Tensor, attend: Attend) -> Tensor:
        """The states after the last layer, before the last norm: [tokens, width]."""
        angles = positions[:, None, None].float() * self.frequencies
        turn = (angles.cos(), angles.sin())
        states = self.embedding[ids]
        if torch.is_grad_enabled():
            # The first layer then asks for the same gradients as the others and shares their graph.
            states.requires_grad_()
        for number, layer in enumerate(layers):
            query, key, value = self.before(self.sizes, layer, states, *turn)
            states = self.after(self.sizes, layer, states, attend(number, query, key, value))
        return states

    def logits(self, states: Tensor) -> Tensor:
        """In float32, since a greedy choice may hang on the last bits."""
        return _norm(states, self.last_norm, self.sizes.epsilon).float() @ self.head.float().T

    def loss(self, states: Tensor, targets: Tensor, at_once: int) -> Tensor:
        """The summed cross entropy of these states, a multiple of `at_once`: one size needs one compiled graph."""
        parts = zip(states.split(at_once), targets.split(at_once), strict=True)
        return torch.stack(
            [self.head_loss(self.sizes, part, self.last_norm, self.head, target) for part, target in parts]
        ).sum()


def attend_within(rows: int, columns: int) -> Attend:
    """Causal attention within each row of a [rows, columns] view; what is left over of the flat row attends to nothing.

    Rows are padded on the right, so that no token sees padding and no mask is needed.
    """

    def attend(_: int, query: Tensor, key: Tensor, value: Tensor) -> Tensor:
        used = rows * columns
        views = [one[:used].view(rows, columns, *one.shape[1:]).transpose(1, 2) for one in (query, key, value)]
        mixed = causal_attention(*views).transpose(1, 2).reshape(used, -1)
        return functional.pad(mixed, (0, 0, 0, len(query) - used))

    return attend


def causal_attention(query: Tensor, key: Tensor, value: Tensor) -> Tensor:
    """Over [rows, heads, columns, head width], where several query heads share a key head."""
    if query.device.type == "cuda":
        # Named, since the others are slower, and one of them plans anew for every shape.
        with torch.nn.attention.sdpa_kernel(torch.nn.attention.SDPBackend.FLASH_ATTENTION):
            return functional.scaled_dot_product_attention(query, key, value, is_causal=True, enable_gqa=True)
    columns = query.shape[2]
    future = torch.ones(columns, columns, dtype=torch.bool, device=query.device).triu(1)
    return masked_attention(query, key, value, future)


def masked_attention(query: Tensor, key: Tensor, value: Tensor, unseen: Tensor) -> Tensor:
    """Written out, for processors and for queries of one column; `unseen` is true where a query may not look."""
    rows, heads, columns, width = query.shape
    shared = heads // key.shape[1]
    # The query heads that share a key head are stacked as its columns, so that no key is copied.
    grouped = query.reshape(rows, heads // shared, shared * columns, width)
    scores = (grouped @ key.transpose(2, 3)).float() * width**-0.5
    scores = scores.view(rows, heads, columns, -1).masked_fill(unseen, float("-inf"))
    mixed = scores.softmax(-1).to(value.dtype).view(rows, heads // shared, shared * columns, -1) @ value
    return mixed.view(rows, heads, columns, width)


def _before(sizes: Sizes, layer: Layer, states: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The half of a layer before attention: queries, keys and values with their positions turned in."""
    mixed = _norm(states, layer.attention_norm, sizes.epsilon) @ layer.query_key_value.T
    # In float32, since the biases of some keys are in the hundreds.
    biased = (mixed.float() + layer.bias).view(len(states), -1, sizes.head_width)
    query, key, value = biased.split([sizes.heads, sizes.kv_heads, sizes.kv_heads], 1)
    turned = [_turn(part, cosine, sine).to(states.dtype) for part in (query, key)]
    return turned[0], turned[1], value.to(states.dtype).contiguous()


def _after(sizes: Sizes, layer: Layer, states: Tensor, attended: Tensor) -> Tensor:
    """The half of a layer after attention."""
    states = states + attended @ layer.output.T
    gate, up = (_norm(states, layer.feed_forward_norm, sizes.epsilon) @ layer.gate_up.T).chunk(2, -1)
    return states + (functional.silu(gate) * up) @ layer.down.T


def _head_loss(sizes: Sizes, states: Tensor, norm: Tensor, head: Tensor, targets: Tensor) -> Tensor:
    logits = _norm(states, norm, sizes.epsilon) @ head.T
    return functional.cross_entropy(logits.float(), targets, ignore_index=NOT_LEARNT, reduction="sum")


def _norm(states: Tensor, weight: Tensor, epsilon: float) -> Tensor:
    exact = states.float()
    return (exact * torch.rsqrt(exact.square().mean(-1, keepdim=True) + epsilon) * weight).to(states.dtype)


def _turn(part: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """Rotary positions: the first half of a head is turned with the second one."""
    first, second = part.chunk(2, -1)
    return torch.cat([first * cosine - second * sine, second * cosine + first * sine], -1)


def _compile(function: Callable[..., object]) -> Callable[..., object]:
    return torch.compile(function, dynamic=False)
