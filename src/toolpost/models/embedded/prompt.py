"""The prompt format that the embedded adapters were trained on: short texts, and the dates around today.

`training/` makes its rows through this module. A change of this form needs new adapters.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta

from msgspec import structs

from toolpost.models.contract import ModelRequest
from toolpost.models.prompted.prompt_writer import language_of
from toolpost.models.prompted.result_writer import Language
from toolpost.types.messages import CompactionPart, Completed, Part, TextPart, ToolPart

# The dialect is made of plain tokens: these weights never learnt to write `<tool_call>`, which is a token of its own.
DIALECT, BACKEND = "functionary_v31", "llamacpp"
# Two cores read about 60 tokens a second, so what is longer costs more time than it brings.
MOST_SYSTEM_CHARS = 600
MOST_RESULT_CHARS = 3_000

_TODAY = re.compile(r"(?:today|date|今天|日期)[^\d]{0,40}(\d{4}-\d{2}-\d{2})", re.IGNORECASE)
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WEEKDAYS_ZH = "一二三四五六日"
_WEEKS: Mapping[Language, tuple[str, str, str]] = {
    "en": ("Last week", "This week", "Next week"),
    "zh": ("上周", "本周", "下周"),
}


def prepared(request: ModelRequest) -> ModelRequest:
    """The request in the trained form: system texts that are short, and beside tools the days around today."""
    tools = request.tools if request.tool_choice != "none" else ()
    system = [text if len(text) <= MOST_SYSTEM_CHARS else "" for text in request.system]
    if tools:
        head, *body = system or [""]
        system = [head, *body, days_around(today_in(request.system), language_of(request.messages))]
    return ModelRequest(
        [structs.replace(message, parts=tuple(map(_shortened, message.parts))) for message in request.messages],
        system=system,
        tools=tools,
        tool_choice=request.tool_choice,
        options=request.options,
        tape=request.tape,
        idle_timeout=request.idle_timeout,
    )


def today_in(system: Iterable[str]) -> date:
    """The day that the system prompt names, else that of the clock."""
    found = _TODAY.search("\n".join(system))
    try:
        return date.fromisoformat(found[1]) if found else date.today()
    except ValueError:
        return date.today()


def days_around(today: date, language: Language) -> str:
    """Last week, this week and next week with their dates: a small model finds a day there, and counts badly."""
    monday = today - timedelta(days=today.weekday())
    weeks = zip(_WEEKS[language], (monday + timedelta(weeks=number) for number in (-1, 0, 1)), strict=True)
    if language == "zh":
        first = f"今天是{today}，星期{_WEEKDAYS_ZH[today.weekday()]}。"
        return "\n".join(
            [first, *(f"{week}：{_week(start, [f'周{day}' for day in _WEEKDAYS_ZH])}" for week, start in weeks)]
        )
    first = f"Today is {_WEEKDAYS[today.weekday()]} {today}."
    names = [day[:3] for day in _WEEKDAYS]
    return "\n".join([first, *(f"{week}: {_week(start, names)}" for week, start in weeks)])


def _week(start: date, names: Sequence[str]) -> str:
    """The year stands at the first day alone: digits are a token each."""
    first, *others = names
    days = (f"{name} {start + timedelta(days=number):%m-%d}" for number, name in enumerate(others, 1))
    return ", ".join([f"{first} {start}", *days])


def _shortened(part: Part) -> Part:
    if not isinstance(part, ToolPart) or not isinstance(part.state, Completed):
        return part
    texts = [content.text for content in part.state.content if isinstance(content, TextPart)]
    text = "\n".join(texts)
    if len(text) > MOST_RESULT_CHARS:
        text = f"{text[:MOST_RESULT_CHARS]} … ({len(text) - MOST_RESULT_CHARS:,} more characters)"
    files = tuple(content for content in part.state.content if not isinstance(content, TextPart))
    return structs.replace(part, state=structs.replace(part.state, content=(TextPart(text), *files)))


def without_marks(request: ModelRequest) -> ModelRequest:
    """The request as it goes to llama.cpp, with nothing in it that could end a turn as the template's own marks do: not
    what a user wrote, a tool gave back or failed with, nor what a server says of its tools."""
    request.system = [_unmarked(text) for text in request.system]
    request.messages = [
        structs.replace(message, parts=tuple(map(_without_marks, message.parts))) for message in request.messages
    ]
    return request


def _without_marks(part: Part) -> Part:
    if isinstance(part, CompactionPart):
        return structs.replace(part, summary=_unmarked(part.summary))
    return structs.replace(part, text=_unmarked(part.text)) if isinstance(part, TextPart) else part


def _unmarked(text: str) -> str:
    return text.replace("<|", "< |")
