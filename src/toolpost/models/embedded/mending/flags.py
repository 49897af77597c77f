"""Yes or no: a flag that the model raises or the question names is meant, unless the question denies something."""

import re
from collections.abc import Mapping
from typing import Any

from toolpost.models.embedded.words import stems
from toolpost.types.tools import ToolSpec

from .wanted import properties_of, required_in

_NOT = re.compile(
    r"\b(?:no|not|never|none|without|except|off|disable|skip|exclude|cannot|nobody|nothing)\b|n['’]t\b|[不没别无勿非免]",
    re.IGNORECASE,
)
# They set a limit or are polite, and deny nothing.
_NO_DENIAL = re.compile(
    r"\bno (?:more|less|later|earlier|fewer) than\b|\bnot (?:more|less|later|earlier) than\b|\bif not\b"
    r"|[不别](?:要)?(?:超过|高于|低于|少于|多于|晚于)|不到|不好意思|不错|要不|能不能|可不可以|是不是|有没有",
    re.IGNORECASE,
)
# More of a description is explanation, and its words stand in many questions.
MOST_ABOUT_WORDS = 5
_IDLE = frozenset(
    {"only", "true", "whether", "include", "enable", "allow", "has", "with", "want", "need", "yes", "flag"}
)


def with_flags_meant(given: Mapping[str, Any], tool: ToolSpec, question: str) -> dict[str, Any]:
    """The arguments, with the flags that are named, and none false unless the question denies something."""
    if _NOT.search(_NO_DENIAL.sub(" ", question)) is not None:
        return dict(given)
    changed = dict(given)
    said = stems(question)
    for name, node in properties_of(tool.parameters).items():
        if node.get("type") != "boolean" or name in required_in(tool.parameters) or node.get("default"):
            continue
        if given.get(name) is False or (name not in given and said & _own_words(name, node, tool)):
            changed[name] = True
    return changed


def _own_words(name: str, node: Mapping[str, Any], tool: ToolSpec) -> frozenset[str]:
    """The words of a flag that nothing else of its tool has: of "only direct flights" for `search_flights`, direct."""
    about = str(node.get("description") or "")
    words = stems(f"{name} {about}" if len(about.split()) <= MOST_ABOUT_WORDS else name)
    others = (
        f"{other} {node.get('description') or ''}"
        for other, node in properties_of(tool.parameters).items()
        if other != name
    )
    return words - _IDLE - stems(" ".join([tool.name, tool.description, *others]))
