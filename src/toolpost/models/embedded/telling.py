"""Results in plain words, without any model: true to them, if not a sentence."""

import json
from typing import Any, cast

from toolpost.models.parts import arguments_of, result_text
from toolpost.models.prompted.results import Language
from toolpost.tools.untrusted import without_marks
from toolpost.types.messages import Failed, ToolPart

from .mending.glossary import words_for

MOST_SHOWN_CHARS = 2_000
MOST_DEPTH = 8
_NOTHING = {"en": "nothing found", "zh": "没有结果"}
_YES, _NO = {"en": "yes", "zh": "是"}, {"en": "no", "zh": "否"}


def plainly(call: ToolPart, language: Language) -> str:
    """What a call gave back. A bare "714" says little beside other results: "42 * 17: 714"."""
    result = without_marks(result_text(call.state)).strip()[:MOST_SHOWN_CHARS]
    if isinstance(call.state, Failed):
        return f"{call.name}: {result}"
    told = _in_words(document_of(result), language, MOST_DEPTH) if is_document(result) else result
    values = [_in_words(value, language, MOST_DEPTH) for value in arguments_of(call.state).values()]
    if not values or "\n" in told or any(value.casefold() in told.casefold() for value in values):
        return told
    return f"{', '.join(values)}: {told}"


def document_of(result: str) -> Any:
    """The JSON object or list that a result is, or None."""
    try:
        document: Any = json.loads(result)
    except (ValueError, RecursionError):
        return None
    return cast("Any", document) if isinstance(document, dict | list) else None


def is_document(result: str) -> bool:
    return document_of(result) is not None


def is_a_list_of_things(result: str) -> bool:
    """Whether there are several things with fields of their own, or none: a small model muddles them up."""
    document = document_of(result)
    return isinstance(document, list) and len(cast("list[Any]", document)) != 1


def _in_words(node: Any, language: Language, depth: int) -> str:
    """ "high 19, low 13, conditions rain"; several things are divided by semicolons."""
    if isinstance(node, dict | list) and (not depth or not node):
        return json.dumps(node, ensure_ascii=False) if node else _NOTHING[language]
    if isinstance(node, dict):
        fields = cast("dict[str, Any]", node)
        if len(fields) == 1 and isinstance(inner := next(iter(fields.values())), dict):
            return _in_words(inner, language, depth - 1)
        return ", ".join(
            f"{name.replace('_', ' ')} {_in_words(value, language, depth - 1)}" for name, value in fields.items()
        )
    if isinstance(node, list):
        items = cast("list[Any]", node)
        mark = "; " if any(isinstance(item, dict | list) for item in items) else ", "
        return mark.join(_in_words(item, language, depth - 1) for item in items)
    if isinstance(node, bool):
        return (_YES if node else _NO)[language]
    return _in_language(str(node), language) if node is not None else "-"


def _in_language(value: str, language: Language) -> str:
    """A word of a schema is told in Chinese too, where that is known."""
    known = next((word for word in words_for(value) if not word.isascii()), None) if language == "zh" else None
    return f"{known}（{value}）" if known and value.isascii() else value
