"""Read a set of cases: one JSON object a line, and every wrong line named."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.types.errors import ConfigError
from toolpost.types.tools import ToolSpec

from .cases import Case, CaseSet, Category, Expected, ExpectedCall
from .checks import problems_of, problems_of_tool

EVERYDAY = Path(__file__).parent / "everyday"
TOOLS_FILE, CASES_FILE = "tools.json", "cases.jsonl"
MOST_PROBLEMS = 10


def load_set(path: Path | None = None) -> CaseSet:
    """Read a JSONL file, or a folder with tools.json and cases.jsonl; without a path, the set that comes with Toolpost.

    Raises `ConfigError` that names every wrong line.
    """
    place = EVERYDAY if path is None else path
    known = _read_tools(place / TOOLS_FILE) if place.is_dir() else {}
    file = place / CASES_FILE if place.is_dir() else place
    cases: dict[str, Case] = {}
    problems: list[str] = []
    for number, data in enumerate(_read(file).removeprefix(b"\xef\xbb\xbf").split(b"\n"), 1):
        if not data.strip():
            continue
        case, found = _read_case(data, known)
        if case is not None and case.id in cases:
            found.append(f"the id {case.id!r} stands in an earlier line too")
        problems += [f"line {number}: {problem}" for problem in found]
        if case is not None:
            cases.setdefault(case.id, case)
    if problems:
        raise ConfigError(_listed(file, problems))
    if not cases:
        raise ConfigError(f"{file} has no cases; write one JSON object a line")
    return CaseSet(place.stem, tuple(cases.values()))


class _Line(Struct, frozen=True, forbid_unknown_fields=True):
    """A case as it is written. The category follows from the calls where it is left out."""

    id: str
    tools: list[str | ToolSpec]
    question: str
    accept: tuple[tuple[ExpectedCall, ...], ...]
    category: Category | None = None
    language: str = "en"
    today: str = ""
    results: dict[str, str | list[str]] = {}
    answer: tuple[tuple[str, ...], ...] = ()
    asks_for: tuple[str, ...] = ()


def _read_case(data: bytes, known: Mapping[str, ToolSpec]) -> tuple[Case | None, list[str]]:
    try:
        line = msgspec.json.decode(data, type=_Line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        return None, [explain_decode_error(error, _Line)]
    strange = [name for name in line.tools if isinstance(name, str) and name not in known]
    if strange:
        where = f"it is not in {TOOLS_FILE}" if known else f"write the tool itself, or give a folder with {TOOLS_FILE}"
        return None, [f"no tool {strange[0]!r}: {where}"]
    tools = tuple(known[tool] if isinstance(tool, str) else tool for tool in line.tools)
    case = Case(
        line.id,
        line.category or _category(line.accept),
        line.language,
        line.question,
        tools,
        Expected(line.accept, line.answer, line.asks_for),
        {name: (given,) if isinstance(given, str) else tuple(given) for name, given in line.results.items()},
        line.today,
    )
    own = [tool for tool in line.tools if not isinstance(tool, str)]
    return case, [*_problems_of_tools(own), *problems_of(case)]


def _category(accept: Sequence[Sequence[ExpectedCall]]) -> Category:
    most = max(map(len, accept), default=0)
    return "no_call" if most == 0 else "single" if most == 1 else "parallel"


def _read_tools(file: Path) -> dict[str, ToolSpec]:
    try:
        tools = msgspec.json.decode(_read(file), type=list[ToolSpec])
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {explain_decode_error(error)}") from error
    problems = _problems_of_tools(tools)
    named = {tool.name: tool for tool in tools}
    if len(named) < len(tools):
        problems.append("two tools have the same name")
    if problems:
        raise ConfigError(_listed(file, problems))
    return named


def _problems_of_tools(tools: Sequence[ToolSpec]) -> list[str]:
    return [f"{tool.name}: {problem}" for tool in tools for problem in problems_of_tool(tool)]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}") from error


def _listed(file: Path, problems: Sequence[str]) -> str:
    shown = [*problems[:MOST_PROBLEMS]]
    if len(problems) > MOST_PROBLEMS:
        shown.append(f"and {len(problems) - MOST_PROBLEMS} more")
    return "\n  ".join([f"{file} can't be used:", *shown])
