"""Yes or no: a flag that the question names is meant, unless it denies something."""

import re
from collections.abc import Mapping
from typing import Any

from toolpost.models.embedded.words import stems
from toolpost.types.tools import ToolSpec

from .wanted import about_of, properties_of, required_in

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
_IDLE_SIGNS = re.compile("[只是否看要仅的]")
# More of a description is explanation, and its words stand in many questions.
MOST_ABOUT_WORDS = 5
_IDLE = stems("only true whether include enable allow need yes flag instead") | {"only", "true"}


def with_flags_meant(given: Mapping[str, Any], tool: ToolSpec, question: str) -> dict[str, Any]:
    """The arguments with the optional flags that the question names, unless it denies something."""
    changed = dict(given)
    if _NOT.search(_NO_DENIAL.sub(" ", question)) is not None:
        return changed
    said = stems(question)
    for name, node in properties_of(tool.parameters).items():
        is_free = name not in required_in(tool.parameters) and not node.get("default")
        if node.get("type") == "boolean" and is_free and _is_named(name, node, tool, said):
            changed[name] = True
    return changed


def _is_named(name: str, node: Mapping[str, Any], tool: ToolSpec, said: frozenset[str]) -> bool:
    """Whether all words of a flag's name were said, or all of its description that nothing else of its tool has: of
    "only direct flights" for `search_flights` that is direct."""
    parts = [part for part in re.split(r"_|(?<=[a-z])(?=[A-Z])", name) if not stems(part) <= _IDLE or not stems(part)]
    named = stems(name) - _IDLE
    # A word that says nothing alone is left out of the stems: all_day would be any day.
    if named and len(named) == len(parts) and named <= said:
        return True
    about = about_of(node)
    others = (f"{key} {about_of(other)}" for key, other in properties_of(tool.parameters).items() if key != name)
    own = (
        {word for word in stems(about) if not _IDLE_SIGNS.search(word)}
        - _IDLE
        - stems(" ".join([tool.name, tool.description, *others]))
    )
    return bool(own) and len(about.split()) <= MOST_ABOUT_WORDS and own <= said
