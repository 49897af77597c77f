"""What a call changed in files, as a person sees it: the lines that went and came, of each file."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from .escape_codes import exact, exact_line
from .pen import DIM, GREEN, RED, Pen
from .show import more_lines
from .tables import fit

SHOWN_LINES = 24


def changed_lines(pen: Pen, details: Mapping[str, Any] | None) -> list[str]:
    """The diffs among the details of a result, with their signs in colours; nothing where there are none."""
    files = (details or {}).get("files")
    if not isinstance(files, list):
        return []
    lines: list[str] = []
    for file in cast("Sequence[Mapping[str, Any]]", files):
        diff = str(file.get("diff", "")).splitlines()
        if not diff:
            continue
        head = f"{file.get('path', '')} (+{file.get('added', 0)} -{file.get('removed', 0)})"
        lines += [pen.style(f"  {exact_line(head)}", DIM), *(_line(pen, line) for line in diff)]
    if len(lines) > SHOWN_LINES:
        lines[SHOWN_LINES:] = [pen.style(f"  {more_lines(len(lines) - SHOWN_LINES)}: toolpost diff", DIM)]
    return lines


def notices_in(details: Mapping[str, Any] | None) -> list[str]:
    """What a person should know of a result besides."""
    found = (details or {}).get("notices")
    return [str(notice) for notice in cast("Sequence[Any]", found)] if isinstance(found, list) else []


def _line(pen: Pen, line: str) -> str:
    style = {"+": GREEN, "-": RED}.get(line[:1], DIM)
    return pen.style(fit(f"    {exact(line)}", pen.width), style)
