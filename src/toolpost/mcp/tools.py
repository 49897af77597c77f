"""Turn the tools of an MCP server into ours; reject tools whose schema is not valid."""

import re
import unicodedata
from collections.abc import Awaitable, Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, cast

import msgspec
from msgspec import Struct

from toolpost.arguments.validate import compile_schema
from toolpost.tools.define import Tool, ToolContext, ToolResult
from toolpost.tools.fingerprint import Fingerprint, fingerprint_of
from toolpost.tools.untrusted import without_unseen

from .content import to_result
from .names import tool_names

if TYPE_CHECKING:
    from mcp import types

MAX_DESCRIPTION = 4_000
MAX_SCHEMA = 200_000
_UNSEEN = ("Cc", "Cf", "Co", "Cs")
# Nothing is checked against these words of a schema, so what nobody sees can be taken out of what they say.
_TOLD = ("description", "title", "default", "examples")
# What stands in these has names of the server's own for its keys.
_NAMING = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")
# Between letters or signs that are none of ASCII's, where scripts and emoji need them.
_JOINER = re.compile(r"(?<=[^\x00-\x7f\u200c\u200d])[\u200c\u200d](?=[^\x00-\x7f\u200c\u200d])")
_BLANKS = re.compile(r"[^\S\n]+")

# Calls a tool of a server by the server's own name for it, as long as it has the digest that it was offered with.
Call = Callable[[str, dict[str, Any], ToolContext, str], "Awaitable[types.CallToolResult]"]


class Quarantined(Struct, frozen=True):
    """A tool that is not offered."""

    tool: str
    reason: str


def make_tools(
    word: str, listed: "Iterable[types.Tool]", call: Call, *, server: str, timeout: float | None
) -> tuple[dict[str, Tool], list[Quarantined]]:
    """The tools that can be offered, by the server's own names, and those that cannot."""
    found: dict[str, types.Tool] = {}
    quarantined: list[Quarantined] = []
    for tool in listed:
        problem = "it is listed twice" if tool.name in found else _problem(tool)
        if problem:
            quarantined.append(Quarantined(tool.name, problem))
        else:
            found[tool.name] = tool
    names = tool_names(word, found)
    return {name: _make(names[name], tool, call, server, timeout) for name, tool in found.items()}, quarantined


def visible(text: str) -> str:
    """Remove invisible characters that a model would read: tags, zero-width, text direction."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(char for char in without_unseen(text) if char in "\n\t" or unicodedata.category(char) not in _UNSEEN)


def one_line(text: str) -> str:
    """Remove invisible characters and line breaks."""
    return _BLANKS.sub(" ", visible(text).replace("\n", " ")).strip()


def _make(name: str, tool: "types.Tool", call: Call, server: str, timeout: float | None) -> Tool:
    annotations = tool.annotations
    title = tool.title or (annotations.title if annotations else None) or tool.name

    description, parameters = _description(tool, title), _visible_schema(tool.input_schema)
    told = _fingerprint(tool, title, description, parameters)

    async def execute(arguments: dict[str, Any], ctx: ToolContext) -> ToolResult:
        result = await call(tool.name, arguments, ctx, told.digest)
        return to_result(result, f"MCP server {server}, tool {tool.name}")

    return Tool(
        name=name,
        label=f"{one_line(title)} ({server})",
        description=description,
        parameters=parameters,
        execute=execute,
        timeout=timeout,
        read_only=bool(annotations and annotations.read_only_hint),
        source=f"mcp:{server}",
        fingerprint=told,
    )


def _fingerprint(tool: "types.Tool", title: str, description: str, parameters: dict[str, Any]) -> Fingerprint:
    """Hash what people and models see of a tool, with its hints: a read-only agent relies on them."""
    hints = tool.annotations.model_dump(exclude_none=True, exclude={"title"}) if tool.annotations else {}
    told = fingerprint_of(description, {"name": tool.name, "title": title, "parameters": parameters, "hints": hints})
    return Fingerprint(told.digest, "\n".join(visible(line) for line in told.text.split("\n")))


def _problem(tool: "types.Tool") -> str:
    if tool.input_schema.get("type", "object") != "object":
        return 'its input schema must have "type": "object"'
    for kind, schema in (("input", tool.input_schema), ("output", tool.output_schema)):
        if schema is not None:
            try:
                if len(msgspec.json.encode(schema)) > MAX_SCHEMA:
                    return f"its {kind} schema is longer than {MAX_SCHEMA:,} characters"
                compile_schema(schema)
            except (ValueError, OverflowError, RecursionError) as error:
                return f"its {kind} schema is not valid: {(str(error) or type(error).__name__).splitlines()[0]}"
    hiding = next((text for text in _texts(_visible_schema(tool.input_schema)) if _hides(text)), None)
    if hiding is not None:
        return f"its input schema contains invisible characters, in a name or a value: {ascii(hiding)[:200]}"
    return ""


def _description(tool: "types.Tool", title: str) -> str:
    said = visible(tool.description or "").strip() or one_line(title)
    return said if len(said) <= MAX_DESCRIPTION else f"{said[:MAX_DESCRIPTION]}…"


def _visible_schema(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema without what nobody would see, as far as arguments are checked the same with it and without."""
    return {
        key: _visible_text(value) if key in _TOLD else _visible_node(value, naming=key in _NAMING)
        for key, value in schema.items()
        if key != "$comment"
    }


def _visible_node(node: Any, *, naming: bool = False) -> Any:
    if isinstance(node, dict):
        table = cast("dict[str, Any]", node)
        return {key: _visible_node(value) for key, value in table.items()} if naming else _visible_schema(table)
    if isinstance(node, list):
        return [_visible_node(item) for item in cast("list[Any]", node)]
    return node


def _visible_text(node: Any) -> Any:
    if isinstance(node, str):
        return visible(node)
    if isinstance(node, dict):
        return {visible(key): _visible_text(value) for key, value in cast("dict[str, Any]", node).items()}
    if isinstance(node, list):
        return [_visible_text(item) for item in cast("list[Any]", node)]
    return node


def _texts(node: Any) -> Iterator[str]:
    """Yield all keys and strings in a value."""
    if isinstance(node, str):
        yield node
    elif isinstance(node, dict):
        for key, value in cast("dict[str, Any]", node).items():
            yield key
            yield from _texts(value)
    elif isinstance(node, list):
        for item in cast("list[Any]", node):
            yield from _texts(item)


def _hides(text: str) -> bool:
    """Whether a text says more to a model than to a person. Ends of lines and the like say nothing."""
    if text.isascii():
        return False
    text = _JOINER.sub("", text)
    return without_unseen(text) != text or any(unicodedata.category(char) in _UNSEEN[1:] for char in text)
