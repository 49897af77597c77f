"""What a server wants to know of the person, asked in the face that is open: a form field by field, or an address."""

import logging
import math
from collections.abc import Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from toolpost.arguments.validate import compile_schema
from toolpost.guard.urls import AddressRefused, parse_url
from toolpost.tools.define import ToolContext
from toolpost.tools.host import Answers
from toolpost.types.errors import PermissionDenied
from toolpost.types.events import Question

from .requests import Elicitation, ElicitationAnswer
from .tools import one_line, visible

log = logging.getLogger("toolpost.mcp")

MOST_FIELDS = 30
MOST_OPTIONS = 100
LONGEST_TEXT = 2_000
ROUNDS = 3  # a person may mistype

YES, NO = "yes", "no"
OPENED, NOT_OPENED = "I opened it", "I did not open it"
SKIP = "(skip)"

_TRUE = frozenset({YES, "y", "true"})
_FALSE = frozenset({NO, "n", "false"})
_DECLINE, _CANCEL = ElicitationAnswer("decline"), ElicitationAnswer("cancel")


async def elicit_from_person(request: Elicitation, ctx: ToolContext) -> ElicitationAnswer:
    """Ask the person. Nobody there declines; dismissing the questions cancels; an optional field may be skipped."""
    try:
        return await (_address(request, ctx) if request.url else _form(request, ctx))
    except PermissionDenied:
        # Raised for questions that were dismissed. The server hears of it, and its call goes on.
        return _CANCEL


async def _address(request: Elicitation, ctx: ToolContext) -> ElicitationAnswer:
    """The person opens it or does not: from here an address that a server made up goes nowhere."""
    try:
        host = parse_url(request.url).host
    except AddressRefused as error:
        return _unasked(request, str(error))
    if visible(request.url) != request.url:
        return _unasked(request, "its URL holds characters that nobody would see")
    question = f"{_intro(request)}\nIt wants you to open {request.url}\nThis leads to {host}. Did you open it?"
    answers = await ctx.host.ask_person([Question(question, (OPENED, NOT_OPENED))])
    return ElicitationAnswer("accept") if answers == ((OPENED,),) else _DECLINE


async def _form(request: Elicitation, ctx: ToolContext) -> ElicitationAnswer:
    fields = _fields(request.schema or {})
    if not fields:
        answers = await ctx.host.ask_person([Question(_intro(request), (YES, NO))])
        return ElicitationAnswer("accept", {}) if _said(answers).lower() in _TRUE else _DECLINE
    if len(fields) > MOST_FIELDS or any(len(field.options) > MOST_OPTIONS for field in fields):
        return _unasked(request, f"a form has at most {MOST_FIELDS} fields, with {MOST_OPTIONS} options each")
    content: dict[str, Any] = {}
    intro = _intro(request)
    for _ in range(ROUNDS):
        questions = [field.question for field in fields]
        first = Question(f"{intro}\n{questions[0].question}", questions[0].options, questions[0].multiple)
        answers = await ctx.host.ask_person([first, *questions[1:]])
        if answers is None:
            return _DECLINE
        fields = [field for field, given in zip(fields, answers, strict=True) if not _taken(field, given, content)]
        if not fields:
            return ElicitationAnswer("accept", content)
        intro = f"The MCP server {request.server} cannot use that answer. Once more:"
    return _CANCEL


class _Field(Struct, frozen=True):
    """One property of a form. `options` are what is shown, each with the value that it stands for."""

    name: str
    schema: dict[str, Any]
    required: bool
    options: dict[str, Any]

    @property
    def question(self) -> Question:
        title, about = (one_line(str(self.schema.get(key) or "")) for key in ("title", "description"))
        text = f"{title}: {about}" if title and about else title or about or one_line(self.name)
        hints = [f"without an answer: {one_line(str(self.schema['default']))}"] if "default" in self.schema else []
        if not self.required:
            hints.append("optional")
        note = f" ({', '.join(hints)})" if hints else ""
        options = (*self.options, *(() if self.required else (SKIP,)))
        return Question(text[:LONGEST_TEXT] + note[:LONGEST_TEXT], options, self.schema.get("type") == "array")

    def read(self, given: Sequence[str]) -> Any:
        """The value that was meant; raises `ValueError` where it is none of the field's type."""
        if self.schema.get("type") == "array":
            value: Any = [self.options.get(one, one) for one in given]
        else:
            value = _typed(" ".join(given), self.schema.get("type"), self.options)
        if not compile_schema(self.schema).is_valid(value):
            raise ValueError
        return value


def _fields(schema: Mapping[str, Any]) -> list[_Field]:
    properties: Any = schema.get("properties")
    required: Any = schema.get("required")
    if not isinstance(properties, dict):
        return []
    needed = cast("list[Any]", required) if isinstance(required, list) else []
    return [
        _Field(name, cast("dict[str, Any]", one), name in needed, _options(cast("dict[str, Any]", one)))
        for name, one in cast("dict[str, Any]", properties).items()
        if isinstance(one, dict)
    ]


def _options(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The choices of a field: plain values, or values with titles in any of the protocol's three ways."""
    if schema.get("type") == "boolean":
        return {YES: True, NO: False}
    items: Any = schema.get("items")
    if schema.get("type") == "array" and isinstance(items, dict):
        return _options({**cast("dict[str, Any]", items), "type": ""})
    titled: Any = schema.get("oneOf") or schema.get("anyOf")
    if isinstance(titled, list):
        choices = [cast("dict[str, Any]", one) for one in cast("list[Any]", titled) if isinstance(one, dict)]
        return {one_line(str(one.get("title") or one["const"])): one["const"] for one in choices if "const" in one}
    values: Any = schema.get("enum")
    if not isinstance(values, list):
        return {}
    values = cast("list[Any]", values)
    titles: Any = schema.get("enumNames")
    named = isinstance(titles, list) and len(cast("list[Any]", titles)) == len(values)
    shown = cast("list[Any]", titles) if named else values
    return {one_line(str(title)): value for title, value in zip(shown, values, strict=True)}


def _taken(field: _Field, given: Sequence[str], content: dict[str, Any]) -> bool:
    """Put the answer into `content`, where there is one; False if it has to be asked for again."""
    answer = [text.strip() for text in given if text.strip()]
    if SKIP in answer and not field.required:
        return True
    if not answer:
        if "default" in field.schema:
            content[field.name] = field.schema["default"]
        return "default" in field.schema or not field.required
    try:
        content[field.name] = field.read(answer)
    except ValueError:
        return False
    return True


def _typed(text: str, kind: object, options: Mapping[str, Any]) -> Any:
    if text in options:
        return options[text]
    if kind == "boolean":
        if text.lower() not in _TRUE | _FALSE:
            raise ValueError
        return text.lower() in _TRUE
    if kind == "integer":
        return int(text)
    if kind == "number":
        number = float(text)
        if not math.isfinite(number):
            raise ValueError
        return int(number) if number.is_integer() and "." not in text else number
    return text


def _intro(request: Elicitation) -> str:
    # First of all who asks: the rest are the server's own words.
    return f"The MCP server {request.server} asks: {visible(request.message).strip()[:LONGEST_TEXT]}"


def _said(answers: Answers | None) -> str:
    return " ".join(answers[0]).strip() if answers else ""


def _unasked(request: Elicitation, why: str) -> ElicitationAnswer:
    log.warning("MCP server %s: what it asks of the person was declined: %s", request.server, why)
    return _DECLINE
