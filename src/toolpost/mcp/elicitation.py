"""Ask the person what an MCP server wants to know: a form field by field, or an address to open (elicitation)."""

import logging
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from msgspec import Struct

from toolpost.arguments.validate import compile_schema
from toolpost.guard.strict_urls import AddressRefused, parse_url
from toolpost.tools.define import ToolContext
from toolpost.tools.host import Answers
from toolpost.types.errors import PermissionDenied
from toolpost.types.events import Question

from .requests import Elicitation, ElicitationAnswer
from .tools import one_line, visible

log = logging.getLogger("toolpost.mcp")

MAX_FIELDS = 30
MAX_OPTIONS = 100
MAX_TEXT = 2_000
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
        host = host_of(request)
    except ValueError as error:
        return declined(request, str(error))
    question = f"{intro(request)}\nIt asks you to open {request.url}\nIts host is {host}. Did you open it?"
    answers = await ctx.host.ask_person([Question(question, (OPENED, NOT_OPENED))])
    return ElicitationAnswer("accept") if answers == ((OPENED,),) else _DECLINE


async def _form(request: Elicitation, ctx: ToolContext) -> ElicitationAnswer:
    try:
        fields = form_fields(request)
    except ValueError as error:
        return declined(request, str(error))
    if not fields:
        answers = await ctx.host.ask_person([Question(intro(request), (YES, NO))])
        return ElicitationAnswer("accept", {}) if _said(answers).lower() in _TRUE else _DECLINE
    content: dict[str, Any] = {}
    before = intro(request)
    for _ in range(ROUNDS):
        questions = [field.question for field in fields]
        first = Question(f"{before}\n{questions[0].question}", questions[0].options, questions[0].multiple)
        answers = await ctx.host.ask_person([first, *questions[1:]])
        if answers is None:
            return _DECLINE
        problems: dict[FormField, str] = {}
        for field, given in zip(fields, answers, strict=True):
            try:
                field.fill(content, given)
            except ValueError as error:
                problems[field] = str(error)
        if not problems:
            return ElicitationAnswer("accept", content)
        fields = list(problems)
        why = "; ".join(f"{one_line(field.name)}: {problem}" for field, problem in problems.items())
        before = f"The MCP server {request.server} cannot use this answer ({why[:MAX_TEXT]}). Please answer again:"
    return _CANCEL


class FormField(Struct, frozen=True):
    """One property of a form. `options` are what is shown, each with the value that it stands for."""

    name: str
    schema: dict[str, Any]
    required: bool
    options: dict[str, Any]

    def __hash__(self) -> int:
        return hash(self.name)

    @property
    def label(self) -> str:
        title, about = (one_line(str(self.schema.get(key) or "")) for key in ("title", "description"))
        return (f"{title}: {about}" if title and about else title or about or one_line(self.name))[:MAX_TEXT]

    @property
    def is_many(self) -> bool:
        return self.schema.get("type") == "array"

    @property
    def default(self) -> str:
        """The option that stands for the default value, if there is one."""
        if "default" not in self.schema:
            return ""
        value = self.schema["default"]
        values = cast("list[Any]", value) if isinstance(value, list) else [value]
        return one_line(", ".join(self._shown(one) for one in values))[:MAX_TEXT]

    @property
    def question(self) -> Question:
        hints = [f"default: {self.default}"] if self.default else []
        if not self.required:
            hints.append("optional")
        note = f" ({', '.join(hints)})" if hints else ""
        # A face may have no way to answer with nothing.
        default = (self.default,) if self.default and not self.options and not self.is_many else ()
        options = (*self.options, *default, *(() if self.required else (SKIP,)))
        return Question(self.label + note[:MAX_TEXT], options, self.is_many)

    def fill(self, content: dict[str, Any], given: Sequence[str]) -> None:
        """Put the answer into `content`, where there is one; raises `ValueError` with what is wrong with it."""
        answer = [text.strip() for text in given if text.strip()]
        if SKIP in answer and not self.required:
            return
        if answer:
            content[self.name] = self._read(answer)
        elif "default" in self.schema:
            content[self.name] = self.schema["default"]
        elif self.required:
            raise ValueError("it is required")

    def _read(self, given: Sequence[str]) -> Any:
        if self.is_many:
            value: Any = [self.options.get(one, one) for one in given]
        else:
            value = _typed(" ".join(given), self.schema.get("type"), self.options)
        for error in compile_schema(self.schema, formats=True).iter_errors(value):
            raise ValueError(one_line(error.message)[:MAX_TEXT])
        return value

    def _shown(self, value: Any) -> str:
        return next((shown for shown, meant in self.options.items() if meant == value), str(value))


def form_fields(request: Elicitation) -> list[FormField]:
    """The fields of a form, in their order; raises `ValueError` where it is too much to ask of anybody."""
    schema = request.schema or {}
    properties: Any = schema.get("properties")
    required: Any = schema.get("required")
    if not isinstance(properties, dict):
        return []
    needed = cast("list[Any]", required) if isinstance(required, list) else []
    fields = [
        FormField(name, cast("dict[str, Any]", one), name in needed, _options(cast("dict[str, Any]", one)))
        for name, one in cast("dict[str, Any]", properties).items()
        if isinstance(one, dict)
    ]
    if len(fields) > MAX_FIELDS or any(len(field.options) > MAX_OPTIONS for field in fields):
        raise ValueError(f"a form has at most {MAX_FIELDS} fields, with {MAX_OPTIONS} options each")
    return fields


def host_of(request: Elicitation) -> str:
    """Where an address leads that a person is to open; raises `ValueError` for one that nobody should."""
    try:
        host = parse_url(request.url).host
    except AddressRefused as error:
        raise ValueError(str(error)) from error
    if visible(request.url) != request.url:
        raise ValueError("its URL contains invisible characters")
    return host


def intro(request: Elicitation) -> str:
    """Introduce the question: the name of the server, then its message."""
    return f"The MCP server {request.server} asks: {visible(request.message).strip()[:MAX_TEXT]}"


def declined(request: Elicitation, why: str) -> ElicitationAnswer:
    """Decline a request that the person never sees, and log why."""
    log.warning("MCP server %s: what it asks of the person was declined: %s", request.server, why)
    return _DECLINE


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


def _typed(text: str, kind: object, options: Mapping[str, Any]) -> Any:
    if text in options:
        return options[text]
    if kind == "boolean":
        if text.lower() not in _TRUE | _FALSE:
            raise ValueError("yes or no")
        return text.lower() in _TRUE
    if kind == "integer":
        if not re.fullmatch(r"[+-]?\d{1,300}", text, re.ASCII):
            raise ValueError("a whole number, such as 7")
        return int(text)
    if kind == "number":
        number = _number(text)
        return int(number) if number.is_integer() and "." not in text else number
    return text


def _number(text: str) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise ValueError("a number, such as 2.5")
    return number


def _said(answers: Answers | None) -> str:
    return " ".join(answers[0]).strip() if answers else ""
