"""How calls, results and sums look in one or a few lines."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import Content, TextPart, Usage
from toolpost.types.plurals import counted

from .escape_codes import clean, exact_line, last_state
from .formats import dollars

NO_OUTPUT = "(no output)"


def arguments_line(arguments: Mapping[str, Any]) -> str:
    """`city="Tokyo"  days=3`, on one line whatever is in them."""
    return "  ".join(f"{exact_line(name)}={_value(value)}" for name, value in arguments.items())


def result_lines(content: Sequence[Content]) -> list[str]:
    """The result as lines; what is no text is named."""
    lines: list[str] = []
    for part in content:
        if isinstance(part, TextPart):
            lines += [clean(last_state(line)) for line in without_marks(part.text).rstrip().split("\n")]
        else:
            lines.append(f"[{clean(part.name or part.mime)}]")
    return lines if any(lines) else [NO_OUTPUT]


def more_lines(count: int) -> str:
    return f"… {counted(count, 'more line')}"


def seconds(time: float) -> str:
    """`0.4 s`, `12 s`, `3 min 5 s`."""
    if time < 9.95:
        return f"{time:.1f} s"
    if time < 120:
        return f"{time:.0f} s"
    return f"{time // 60:.0f} min {time % 60:.0f} s"


def spent(usage: Usage, cost: float | None, steps: int, time: float) -> str:
    """`1,204 tokens (1,100 in, 104 out) · $0.0021 · 2 steps · 3.4 s`; a cost that is not known is left out."""
    cached = f", {usage.cache_read:,} cached" if usage.cache_read else ""
    tokens = f"{counted(usage.total, 'token')} ({usage.input:,} in{cached}, {usage.output:,} out)"
    price = [] if cost is None else [dollars(cost)]
    return " · ".join([tokens, *price, counted(steps, "step"), seconds(time)])


def _value(value: Any) -> str:
    return exact_line(msgspec.json.encode(value).decode("utf-8", "replace"))
