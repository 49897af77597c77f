"""Format calls, results, file diffs and costs as lines of text."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec

from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import Content, TextPart, Usage
from toolpost.types.text import counted
from toolpost.view.cells import fit
from toolpost.view.escape_codes import clean, exact, exact_line, last_state

from .formats import dollars
from .terminal_writer import DIM, GREEN, RED, TerminalWriter

NO_OUTPUT = "(no output)"
MAX_DIFF_LINES = 24


def arguments_line(arguments: Mapping[str, Any]) -> str:
    """The arguments on one line, such as `city="Tokyo"  days=3`."""
    return "  ".join(f"{exact_line(name)}={_value(value)}" for name, value in arguments.items())


def result_lines(content: Sequence[Content]) -> list[str]:
    """The result as lines; other content than text is named."""
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


def changed_lines(pen: TerminalWriter, details: Mapping[str, Any] | None) -> list[str]:
    """The file diffs in the details of a result, in colours; empty if there are none."""
    files = (details or {}).get("files")
    if not isinstance(files, list):
        return []
    lines: list[str] = []
    for file in cast("Sequence[Mapping[str, Any]]", files):
        diff = str(file.get("diff", "")).splitlines()
        if not diff:
            continue
        head = f"{file.get('path', '')} (+{file.get('added', 0)} -{file.get('removed', 0)})"
        lines += [pen.style(f"  {exact_line(head)}", DIM), *(_diff_line(pen, line) for line in diff)]
    if len(lines) > MAX_DIFF_LINES:
        lines[MAX_DIFF_LINES:] = [pen.style(f"  {more_lines(len(lines) - MAX_DIFF_LINES)}: toolpost diff", DIM)]
    return lines


def _value(value: Any) -> str:
    return exact_line(msgspec.json.encode(value).decode("utf-8", "replace"))


def _diff_line(pen: TerminalWriter, line: str) -> str:
    style = {"+": GREEN, "-": RED}.get(line[:1], DIM)
    return pen.style(fit(f"    {exact(line)}", pen.width), style)
