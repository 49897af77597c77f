"""Values that a description gives as examples: where the question says one of them, that is the value.

"Kind of work, e.g. book, novel, essay" is nearly a list of choices, though the schema takes any text.
"""

import re
from collections.abc import Mapping
from typing import Any

from .choices import find_word, without_values
from .wanted import about_of, properties_of, required_in

_EXAMPLES = re.compile(
    r"(?:\be\.g\.,?|\bfor example,?|\bsuch as|例如|比如|如(?=[:：]))[:：]?\s*(?P<examples>[^.;()（）。；]+)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"\s*(?:,\s*(?:or|and)\s|,|/|、|\bor\b|\band\b|或者?|和)\s*")
MOST_WORDS = 3


def with_examples_meant(
    given: Mapping[str, Any], schema: Mapping[str, Any], question: str, *, alone: bool = True
) -> dict[str, Any]:
    """The arguments, where an example that was said stands in the parameter that names it, and in no other. Beside
    other calls, one that is in none of the arguments may have been said for those."""
    known = {name: examples_of(node) for name, node in properties_of(schema).items()}
    required = required_in(schema)
    changed = dict(given)
    for name, value in given.items():
        if name not in required and _is_of_another(value, name, known):
            del changed[name]
    for name, examples in known.items():
        around = without_values(question, (value for other, value in changed.items() if other != name))
        said = [example for example in examples if find_word(example.lower(), around) is not None]
        if alone and name not in changed and len(said) == 1:
            changed[name] = said[0]
    return changed


def examples_of(node: Mapping[str, Any]) -> list[str]:
    """Those in the description of a text, if they are several and short."""
    found = _EXAMPLES.search(about_of(node))
    if node.get("type") != "string" or "enum" in node or not found:
        return []
    examples = [example for example in _BETWEEN.split(found["examples"].strip()) if example]
    is_list = len(examples) > 1 and all(len(one) > 1 and len(one.split()) <= MOST_WORDS for one in examples)
    return examples if is_list else []


def _is_of_another(value: Any, name: str, known: Mapping[str, list[str]]) -> bool:
    """Whether a value is an example of other parameters and not of its own."""
    if not isinstance(value, str) or not known.get(name) or value.lower() in map(str.lower, known[name]):
        return False
    return any(value.lower() in map(str.lower, examples) for other, examples in known.items() if other != name)
