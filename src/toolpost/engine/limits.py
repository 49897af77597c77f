"""The limits of a run: all in one place, each with a default, each overridable."""

from msgspec import Struct, structs

from toolpost.arguments.check_sdk_calls import NamedFields, check_kind
from toolpost.types.errors import ConfigError


class Limits(Struct, frozen=True, kw_only=True, omit_defaults=True, metaclass=NamedFields):
    """Times in seconds, sizes in bytes. None means no limit."""

    max_steps: int = 50
    max_tokens: int | None = None
    max_cost: float | None = None
    max_seconds: float | None = None

    stream_idle: float = 90.0
    tool_timeout: float = 120.0
    abort_grace: float = 0.5
    hook_timeout: float = 10.0

    retries: int = 5
    retry_delay: float = 2.0
    retry_delay_max: float = 30.0
    retry_after_max: float = 120.0

    output_lines: int = 2_000
    output_bytes: int = 50_000

    repetition: int = 3
    output_retries: int = 2

    compaction_reserve: int = 20_000
    compaction_keep: int = 15_000
    title_seconds: float = 5.0

    subscriber_queue: int = 10_000
    owner_queue: int = 1_000
    flush_seconds: float = 0.05

    def __post_init__(self) -> None:
        for name, value in structs.asdict(self).items():
            if type(value) is not float and type(value) is not int:
                _check_kind(name, value)
            if value is not None and (value < 0 or (value == 0 and name in _ABOVE_ZERO)):
                raise ConfigError(f"the limit {name} is {value!r}: give a number above 0, or leave it out")


def _check_kind(name: str, value: object) -> None:
    if value is not None or name not in _MAY_BE_NONE:
        check_kind(value, (int, float), f"the limit {name}", "a number, or leave it out")


_MAY_BE_NONE = frozenset({"max_tokens", "max_cost", "max_seconds"})
_ABOVE_ZERO = frozenset({"max_steps", "stream_idle", "tool_timeout", "hook_timeout", "output_lines", "output_bytes"})
