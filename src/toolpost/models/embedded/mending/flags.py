"""Yes or no: a flag that the model raises was named, and what is named is wanted, unless the question denies it."""

import re
from collections.abc import Mapping
from typing import Any

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


def with_flags_meant(given: Mapping[str, Any], schema: Mapping[str, Any], question: str) -> dict[str, Any]:
    """The arguments, where an optional flag is false only if the question denies something."""
    properties, required = properties_of(schema), required_in(schema)
    is_denied = _NOT.search(_NO_DENIAL.sub(" ", question)) is not None
    return {
        name: True
        if value is False and not is_denied and name not in required and not properties.get(name, {}).get("default")
        else value
        for name, value in given.items()
    }
