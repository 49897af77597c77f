"""Read descriptions from a docstring in Google, NumPy or reST style."""

import inspect
import re
from typing import NamedTuple


class Docs(NamedTuple):
    description: str
    parameters: dict[str, str]


def read_docstring(text: str | None) -> Docs:
    """Split a docstring into what it says of the whole and what it says of each parameter."""
    cleaned = inspect.cleandoc(text or "")
    if not _SECTION.search(cleaned):
        return Docs(cleaned, {})
    # Imported here: it takes longer than all of Toolpost's tools, and most docstrings are one plain paragraph.
    import docstring_parser

    parsed = docstring_parser.parse(cleaned)
    description = "\n\n".join(part for part in (parsed.short_description, parsed.long_description) if part)
    if parsed.returns and parsed.returns.description:
        description = f"{description}\n\nReturns: {' '.join(parsed.returns.description.split())}"
    parameters = {param.arg_name: " ".join((param.description or "").split()) for param in parsed.params}
    return Docs(description.strip(), {name: said for name, said in parameters.items() if said})


_SECTION = re.compile(
    r"^(Args|Arguments|Parameters|Params|Keyword Args|Keyword Arguments|Other Parameters|Attributes|Returns|Yields"
    r"|Raises|Examples?|Notes?):?[ \t]*$|^[:@](param|parameter|arg|argument|key|keyword|type|returns?|rtype|raises)\b",
    re.MULTILINE,
)
