"""Asking back for what a tool needs and nobody said."""

import re

from toolpost.types.tools import ToolSpec

from .mending.wanted import about_of, properties_of
from .words import gist

MOST_ABOUT = 60
_UNIT = re.compile(r"_(?:ml|kg|km|cm|mm|min|mins|minutes|seconds|hours|c|f|yuan|usd|eur|percent|kcal)$")
_FORM = re.compile(r"\(.*|（.*|[,;，；].*|(?i:yyyy|hh:mm).*")
_CHINESE = re.compile(r"[\u3400-\u9fff]")


def question_for(tool: ToolSpec, name: str, language: str) -> str:
    """Asks for a parameter by what its description calls it, else by its name."""
    about = about_of(properties_of(tool.parameters).get(name, {}))
    words = _UNIT.sub("", name).replace("_", " ")
    told = _FORM.sub("", gist(about)).strip(" .。:：")
    if language == "zh":
        return f"请问{told if _CHINESE.search(told) else words}是多少？"
    is_plain = told and len(told) <= MOST_ABOUT and not told.lower().startswith(("in ", "e.g"))
    return f"What is the {words}?" + (f" ({told})" if is_plain and told.lower() != words.lower() else "")
