"""The words of the views: for states, kinds, errors and tools, in English and Chinese. Those of the web page are the
same."""

import re
from collections.abc import Mapping
from functools import cache
from math import ceil
from typing import Any, cast

from toolpost.types.messages import ErrorInfo
from toolpost.types.text import Language
from toolpost.view.items import CallItem, CallPhase, NoticeItem, RunEndItem

_PHASES: dict[CallPhase, str] = {
    "preparing": "tool.states.input-streaming",
    "ready": "tool.states.input-available",
    "asking": "tool.states.approval-requested",
    "answered": "tool.states.approval-responded",
    "running": "tool.states.input-available",
    "done": "tool.states.output-available",
    "failed": "tool.states.output-error",
    "denied": "tool.states.output-denied",
    "stopped": "message.stopped",
    "handed_over": "phase.handed_over",
}
# The argument that says most about a call.
_SUBJECTS = (
    *("command", "path", "file_path", "pattern", "query", "expression", "url", "description", "question", "name"),
    *("city", "text"),
)
_SUBJECT_CHARS = 120
_MCP = re.compile(r"mcp__(.+?)__(.+)", re.DOTALL)
_MOST_NAMES = 8


def words(key: str, language: Language, **values: object) -> str:
    """The text with this key, its blanks filled."""
    return fill(texts(language)[key], values)


@cache
def texts(language: Language) -> Mapping[str, str]:
    # Imported here: nobody needs both languages.
    if language == "zh":
        from . import chinese as table
    else:
        from . import english as table
    return {
        **table.PAGE,
        **table.OWN,
        **{f"tools.{name}": text for name, text in table.TOOLS.items()},
        **{f"errors.{code}": text for code, text in table.ERRORS.items()},
    }


def fill(text: str, values: Mapping[str, object]) -> str:
    """Fill the blanks of a text, such as `{count}`. A value is never filled itself."""
    return re.sub(r"\{(\w+)\}", lambda blank: str(values.get(blank[1], blank[0])), text)


def phase_words(call: CallItem, language: Language) -> str:
    """How far a call is. Of one that a person has allowed: how."""
    if call.phase == "answered" and call.consent is not None:
        return words(f"approval.answered.{call.consent.reply}", language)
    return words(_PHASES[call.phase], language)


def outcome_words(call: CallItem, language: Language) -> str:
    """Why a call gave no result, in a line: who denied it, or what is wrong. Empty for one that gave a result."""
    error = call.error
    if error is None:
        return ""
    if error.kind == "denied":
        by_person = call.consent is not None and call.consent.reply == "reject"
        why = call.consent.message if call.consent is not None and by_person else error.text
        return f"{words('tool.deniedByYou' if by_person else 'tool.deniedByRule', language)} {why}".rstrip()
    # What a model is told of these is not for people.
    own = error.kind in ("aborted", "interrupted", "truncated") or not error.text
    return words(f"error.{error.kind}", language) if own else error.text


def label_of(name: str, language: Language, given: str = "") -> str:
    """What a tool is called for people. `given` is the label that it brings along, if it does."""
    if found := _MCP.fullmatch(name):
        return f"{found[1]}: {given if given and given != name else found[2]}"
    usual = name.replace("_", " ")
    usual = usual[:1].upper() + usual[1:]
    # A tool of the folder that takes the place of a built-in one may have a label of its own.
    if not given or given in (name, usual):
        return texts(language).get(f"tools.{name}") or given or usual
    return given


def subject_of(arguments: Mapping[str, Any] | None) -> str:
    """The argument that says most about a call, on one line."""
    given = arguments or {}
    for name in _SUBJECTS:
        value = given.get(name)
        if isinstance(value, str):
            return value.partition("\n")[0]
    questions: Any = given.get("questions")
    if isinstance(questions, list) and questions and isinstance(questions[0], dict):
        return subject_of(cast("Mapping[str, Any]", questions[0]))
    plain = (value for value in given.values() if isinstance(value, str | int | float) and not isinstance(value, bool))
    return ", ".join(map(str, plain))[:_SUBJECT_CHARS]


def error_words(error: ErrorInfo, language: Language) -> tuple[str, str]:
    """What a failure means and what to do, and beside it the words of whoever failed. Where nobody has words for its
    code, those are all there is."""
    known = texts(language)
    found = known.get(f"errors.{error.code}") or known.get(f"end.{error.code}")
    if found is None:
        return sentence(error.message), ""
    return fill(found, {"text": error.message}), error.message


def notice_words(notice: NoticeItem, language: Language, now: float) -> str:
    """A notice as it is to be read at this time: a retry counts down."""
    data = notice.data
    match notice.code:
        case "retry":
            error = re.sub(r"[.。]$", "", error_words(notice.error, language)[0]) if notice.error else ""
            seconds = max(0, ceil(notice.until - now))
            return words(
                "message.retrying", language, error=error, attempt=int(data.get("attempt", 0)) + 1, seconds=seconds
            )
        case "compacting":
            return words("message.compacting", language)
        case "compaction_failed":
            return words("notice.compaction_failed", language, text=notice.error.message if notice.error else "")
        case "parked":
            return words(f"notice.parked.{data.get('reason', 'released')}", language)
        case "resumed":
            return words("notice.resumed", language)
        case "tools_left_out" | "window_full":
            names = [label_of(name, language) for name in data.get("tools", ())]
            tools = words("notices.comma", language).join(names[:_MOST_NAMES]) + (
                " …" if len(names) > _MOST_NAMES else ""
            )
            window = f"{data.get('window') or 0:,}"
            return words(f"notices.{notice.code}", language, model=data.get("model", ""), window=window, tools=tools)
        case _:
            return notice.text


def end_words(end: RunEndItem, language: Language) -> str:
    """How a run ended and what to do now; nothing where it ended as it should."""
    if end.error is not None:
        return error_words(end.error, language)[0]
    if end.reason == "limit":
        key = f"end.{end.limit}" if end.limit in ("max_output", "context_window") else "end.limit"
        return words(key, language, limit=end.limit)
    return "" if end.reason == "done" else texts(language).get(f"end.{end.reason}", "")


def seconds_words(seconds: float) -> str:
    """`40 ms`, `3.4 s`, `3 min 5 s`: the same in every language."""
    if seconds < 0.1:
        return f"{seconds * 1000:.0f} ms"
    return f"{seconds:.1f} s" if seconds < 60 else f"{seconds // 60:.0f} min {seconds % 60:.0f} s"


def sentence(text: str) -> str:
    """The words of a program begin in lower case, as after a colon."""
    whole = text[:1].upper() + text[1:]
    return whole if not whole or whole[-1] in ".!?。！？" else f"{whole}."
