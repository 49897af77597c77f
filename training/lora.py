"""A low-rank adapter on every linear map of every layer, over a base that stays as it is."""

from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn

from .model import Linears

# Of each kind of map: layers, outputs, inputs.
Shapes = Mapping[str, tuple[int, int, int]]


class Adapter(nn.Module):
    """For each kind of map `a` is [layers, rank, inputs] and `b` is [layers, outputs, rank], as llama.cpp has them.

    The change is merged into the maps before each step instead of being added to every token's states: it is small
    beside a batch, and the step is then as quick as that of a plain model.
    """

    def __init__(self, shapes: Shapes, rank: int, alpha: float, seed: int = 0) -> None:
        super().__init__()
        self.rank, self.alpha = rank, alpha
        generator = torch.Generator().manual_seed(seed)
        self.a, self.b = nn.ParameterDict(), nn.ParameterDict()
        for kind, (layers, outputs, inputs) in shapes.items():
            spread = inputs**-0.5
            self.a[kind] = nn.Parameter(
                torch.empty(layers, rank, inputs).uniform_(-spread, spread, generator=generator)
            )
            # Nothing is changed at first.
            self.b[kind] = nn.Parameter(torch.zeros(layers, outputs, rank))

    def merged(self, linears: Linears) -> dict[str, Tensor]:
        """The maps with the change in them, in float32 as they came."""
        scale = self.alpha / self.rank
        return {kind: torch.baddbmm(stack, self.b[kind], self.a[kind], alpha=scale) for kind, stack in linears.items()}


def save(adapter: Adapter, path: str | Path) -> None:
    state = {name: value.cpu() for name, value in adapter.state_dict().items()}
    torch.save({"rank": adapter.rank, "alpha": adapter.alpha, "state": state}, path)


def load(path: str | Path) -> Adapter:
    saved = torch.load(path, map_location="cpu")
    state: dict[str, Tensor] = saved["state"]
    shapes = {
        name[2:]: (len(a), state[f"b.{name[2:]}"].shape[1], a.shape[2])
        for name, a in state.items()
        if name.startswith("a.")
    }
    adapter = Adapter(shapes, saved["rank"], saved["alpha"])
    adapter.load_state_dict(state)
    return adapter
