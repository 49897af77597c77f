"""The cases of an evaluation: a question, the tools on offer, and the calls that are right."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, Literal

import msgspec
from msgspec import Struct

from toolpost.arguments.decode_errors import explain_decode_error
from toolpost.arguments.validate import Validator, compile_schema
from toolpost.types.errors import ConfigError, ToolError
from toolpost.types.tool_spec import ToolSpec

Category = Literal["single", "choice", "parallel", "no_call", "missing"]
CATEGORIES: tuple[Category, ...] = ("single", "choice", "parallel", "no_call", "missing")
# What a model under test is told before every question.
SYSTEM = (
    "You are an assistant with tools. Call a tool where it helps with what the user wants; where none fits, answer "
    "without one. Ask for what a tool needs and nobody said. Answer from the results, briefly, in the user's language."
)
EVERYDAY = Path(__file__).parent / "everyday"
TOOLS_FILE, CASES_FILE = "tools.json", "cases.jsonl"
_MAX_PROBLEMS = 10


class ExpectedCall(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A call that is right. Each argument has the values that are accepted; None among them: it may be left out."""

    name: str
    arguments: dict[str, list[Any]] = {}


class Expected(Struct, frozen=True, omit_defaults=True):
    """What a case wants.

    `calls` are alternatives, each a set of calls in any order. Of every group of `answer` one word must stand in the
    answer from the results; of `asks_for` one in the question back.
    """

    calls: tuple[tuple[ExpectedCall, ...], ...]
    answer: tuple[tuple[str, ...], ...] = ()
    asks_for: tuple[str, ...] = ()


class Case(Struct, frozen=True):
    """`results` is what a tool gives back: one text, or one for each expected call of it, in their order."""

    id: str
    category: Category
    language: str
    question: str
    tools: tuple[ToolSpec, ...]
    expected: Expected
    results: dict[str, tuple[str, ...]] = {}
    today: str = ""


class CaseSet(Struct, frozen=True):
    name: str
    cases: tuple[Case, ...]

    @property
    def hash(self) -> str:
        """Differs wherever a case or a tool differs."""
        return hashlib.sha256(msgspec.json.encode(self.cases)).hexdigest()[:16]


def load_set(path: Path | None = None) -> CaseSet:
    """Read a JSONL file, or a folder with tools.json and cases.jsonl; without a path, the set that comes with Toolpost.

    Raises `ConfigError` that names every wrong line, so that a mistake in the set is never counted as the model's.
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
            found.append(f"the id {case.id!r} is in an earlier line too")
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
    return case, [*_problems_of_tools(own), *_problems_of(case)]


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
    return [f"{tool.name}: {problem}" for tool in tools for problem in _problems_of_tool(tool)]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        raise ConfigError(f"can't read {file}: {error.strerror}") from error


def _listed(file: Path, problems: Sequence[str]) -> str:
    shown = [*problems[:_MAX_PROBLEMS]]
    if len(problems) > _MAX_PROBLEMS:
        shown.append(f"and {len(problems) - _MAX_PROBLEMS} more")
    return "\n  ".join([f"{file} can't be used:", *shown])


_SILENT = ("no_call", "missing")


def _problems_of(case: Case) -> Iterator[str]:
    """Everything that is wrong but for its tools' schemas, each as one clause."""
    names = [tool.name for tool in case.tools]
    if len(set(names)) < len(names):
        yield "two of its tools have the same name"
    if not case.question.strip():
        yield "the question is empty"
    if case.today and not _is_date(case.today):
        yield f"today is {case.today!r}: write a date such as 2026-03-01"
    yield from _problems_of_calls(case)
    yield from _problems_of_answer(case)


def _problems_of_tool(tool: ToolSpec) -> Iterator[str]:
    try:
        compile_schema(tool.parameters)
    except ValueError as error:
        yield f"its parameters are not a JSON Schema: {error}"


def _problems_of_calls(case: Case) -> Iterator[str]:
    alternatives = case.expected.calls
    if not alternatives:
        yield "accept is empty: give the calls that are right, or [[]] where none is"
    if case.category in _SILENT and any(alternatives):
        yield f"a case of the category {case.category} accepts no call: write [[]]"
    if case.category not in _SILENT and alternatives and not any(alternatives):
        yield f"a case of the category {case.category} accepts at least one call"
    tools = {tool.name: tool.parameters for tool in case.tools}
    for call in (call for alternative in alternatives for call in alternative):
        yield from _problems_of_call(call, tools)


def _problems_of_call(call: ExpectedCall, tools: Mapping[str, dict[str, Any]]) -> Iterator[str]:
    if call.name not in tools:
        yield f"accept has a call of {call.name!r}, which is not among its tools"
        return
    empty = [name for name, accepted in call.arguments.items() if not accepted]
    if empty:
        yield f"accept: {call.name}: {empty[0]!r} has no accepted value"
        return
    schema = tools[call.name]
    strange = [name for name in call.arguments if name not in schema.get("properties", {})]
    if strange and not schema.get("additionalProperties"):
        yield f"accept: {call.name} has no parameter {strange[0]!r}"
        return
    longest = max(map(len, call.arguments.values()), default=1)
    for place in range(longest):
        # Every accepted value is tried once, beside accepted values of the others.
        values = {name: accepted[min(place, len(accepted) - 1)] for name, accepted in call.arguments.items()}
        given = {name: value for name, value in values.items() if value is not None}
        try:
            Validator(call.name, schema).check(given)
        except ToolError as error:
            yield f"accept: {error}"
            return


def _problems_of_answer(case: Case) -> Iterator[str]:
    names = {tool.name for tool in case.tools}
    for name, texts in case.results.items():
        if name not in names:
            yield f"results has {name!r}, which is not among its tools"
        if not texts:
            yield f"results of {name!r} are empty"
    expected = case.expected
    if not all(group and all(word.strip() for word in group) for group in expected.answer):
        yield "answer has an empty group or word"
    if expected.answer:
        called = {call.name for alternative in expected.calls for call in alternative}
        for name in sorted(called - set(case.results)):
            yield f"answer is judged from the results, and results has none for {name!r}"


def _is_date(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
