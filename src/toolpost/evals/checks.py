"""What is wrong with a case of a set, so that a slip in the set is never counted as the model's."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from toolpost.arguments.validate import Validator, compile_schema
from toolpost.types.errors import ToolError
from toolpost.types.tools import ToolSpec

from .cases import Case, ExpectedCall

SILENT = ("no_call", "missing")


def problems_of(case: Case) -> Iterator[str]:
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


def problems_of_tool(tool: ToolSpec) -> Iterator[str]:
    try:
        compile_schema(tool.parameters)
    except ValueError as error:
        yield f"its parameters are no JSON Schema: {error}"


def _problems_of_calls(case: Case) -> Iterator[str]:
    alternatives = case.expected.calls
    if not alternatives:
        yield "accept is empty: give the calls that are right, or [[]] where none is"
    if case.category in SILENT and any(alternatives):
        yield f"a case of the category {case.category} accepts no call: write [[]]"
    if case.category not in SILENT and alternatives and not any(alternatives):
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
