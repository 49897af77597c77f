"""Parse calls that begin with a tag of their own: `<function=…>`, `<invoke name=…>` and similar ones."""

import re
from typing import Any, cast

from toolpost.models.prompted.call_repair import fitted_call, repair_lone_input
from toolpost.models.prompted.incremental_reader import Markers, Parse, kept_markers
from toolpost.models.prompted.scan_state import Scan
from toolpost.models.prompted.values import convert

from .blocks import arguments
from .table import M3
from .tags import FUNCTION, NAMED_FUNCTION, SEED_FUNCTION, ParameterTags, attributes, invoke, parameters

MAX_HEAD = 300
MAX_NESTING = 60

_HEAD = Markers((">",))
_FUNCTION_HEAD = Markers((">", "\n"))
_TOOL_NAME = Markers(("<tool_name>",))
_TOOL_NAME_END = Markers(("</tool_name>",))
_INVOKE_END = Markers(("</invoke>",))
_TOOL_END = Markers(("</tool>",))
_TOOL_INPUT = Markers(("<tool_input>",))
_TOOL_INPUT_END = Markers(("</tool_input>",))
_M3 = Markers((M3,))
_CHILD = re.compile(r"<([\w.\-]+)>")


def function(scan: Scan) -> Parse[bool]:
    """Behind `<function=`: the name, then parameters or one JSON object."""
    head, end = yield from scan.reader.head(_FUNCTION_HEAD, MAX_HEAD)
    name = scan.offer.called(head.strip().strip("\"'"))
    if not end or name is None:
        return False
    scan.reader.take(1)
    keeps = scan.opener == "<seed:tool_call>" or scan.dialect == "seed_oss_xml"
    return (yield from _body(scan, SEED_FUNCTION if keeps else FUNCTION, name))


def named_function(scan: Scan) -> Parse[bool]:
    """Behind `<function name=`."""
    return (yield from _named(scan, NAMED_FUNCTION))


def invoked(scan: Scan, marker: str) -> Parse[bool]:
    """Behind `<invoke name=`, with whatever prefix."""
    prefix = marker.removeprefix("<").removesuffix("invoke name=")
    if prefix == "atem:" and scan.addressed in ("user", "self"):
        return False
    return (yield from _named(scan, invoke(prefix)))


def _named(scan: Scan, tags: ParameterTags) -> Parse[bool]:
    head, end = yield from scan.reader.head(_HEAD, MAX_HEAD)
    name = scan.offer.called(attributes("name=" + head).get("name", ""))
    if not end or name is None:
        return False
    scan.reader.take(1)
    if head.endswith("/") and scan.offer.knows(name):
        scan.give(repair_lone_input(name, "", scan.offer), whole=True)
        return True
    return (yield from _body(scan, tags, name))


def _body(scan: Scan, tags: ParameterTags, name: str) -> Parse[bool]:
    reader = scan.reader
    char = yield from reader.skip_space()
    if char == "{":
        return (yield from arguments(scan, name))
    if not char:
        # A tag at the end of a text that names no tool on offer is only mentioned.
        return scan.offer.knows(name) and (yield from parameters(scan, tags, name))
    begins = yield from reader.ahead(kept_markers((*tags.parameter, tags.call_end)))
    if not begins and not (yield from reader.ahead(scan.closers)):
        return False
    return (yield from parameters(scan, tags, name))


def legacy(scan: Scan) -> Parse[bool]:
    """Behind `<invoke>`: the name in a tag, then a tag a parameter."""
    reader = scan.reader
    yield from reader.skip_space()
    if not (yield from reader.ahead(_TOOL_NAME)):
        return False
    reader.take(len(_TOOL_NAME.texts[0]))
    head, end = yield from reader.head(_TOOL_NAME_END, MAX_HEAD)
    name = scan.offer.called(head.strip())
    if not end or name is None:
        return False
    pieces: list[str] = []
    whole = bool((yield from reader.until(_INVOKE_END, pieces.append)))
    text = "".join(pieces).removeprefix(end)
    text = text.replace("<parameters>", "", 1).replace("</parameters>", "")
    values = {key: convert(value, scan.offer.properties(name).get(key)) for key, value in _children(text)}
    call = fitted_call(name, values, scan.offer) if values else repair_lone_input(name, "", scan.offer)
    scan.give(call, whole=whole or "</parameters>" in "".join(pieces))
    return True


def tool(scan: Scan) -> Parse[bool]:
    """Behind `<tool>`: the name, then its input as JSON or as a lone string."""
    reader = scan.reader
    head, end = yield from reader.head(_TOOL_END, MAX_HEAD)
    name = scan.offer.called(head.strip())
    if not end or name is None:
        return False
    reader.take(len(end))
    char = yield from reader.skip_space()
    pieces: list[str] = []
    whole = not char
    if (yield from reader.ahead(_TOOL_INPUT)):
        reader.take(len(_TOOL_INPUT.texts[0]))
        if (yield from reader.visible(0)) == "{":
            return (yield from arguments(scan, name))
        whole = bool((yield from reader.until(_TOOL_INPUT_END, pieces.append)))
    elif char or not scan.offer.knows(name):
        return False
    scan.give(repair_lone_input(name, "".join(pieces).strip(), scan.offer), whole=whole)
    return True


def m3(scan: Scan) -> Parse[bool]:
    """Behind MiniMax M3's `<invoke name=`: a tag a parameter, nested as the value is, a prefix before each."""
    reader = scan.reader
    head, end = yield from reader.head(_HEAD, MAX_HEAD)
    name = scan.offer.called(attributes("name=" + head).get("name", ""))
    if not end or name is None:
        return False
    reader.take(1)
    stack: list[_Node] = [_Node("")]
    whole = False
    while (yield from reader.until(_M3, stack[-1].text.append)):
        reader.take(len(M3))
        tag, end = yield from reader.head(_HEAD, MAX_HEAD)
        if not end or tag in ("</invoke", "</tool_call") or len(stack) > MAX_NESTING:
            reader.take(len(end))
            whole = bool(end)
            break
        reader.take(1)
        if not tag.startswith("</"):
            stack.append(_Node(tag.removeprefix("<").strip()))
        elif len(stack) > 1:
            node = stack.pop()
            stack[-1].children.append((node.tag, node.value()))
    while len(stack) > 1:
        node = stack.pop()
        stack[-1].children.append((node.tag, node.value()))
    values = cast("dict[str, Any]", stack[0].value()) if stack[0].children else {}
    properties = scan.offer.properties(name)
    for key, value in values.items():
        values[key] = convert(value, properties.get(key)) if isinstance(value, str) else value
    scan.give(fitted_call(name, values, scan.offer) if values else repair_lone_input(name, "", scan.offer), whole=whole)
    return True


class _Node:
    """An element of M3: text, an object, or an array of `<item>`."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.text: list[str] = []
        self.children: list[tuple[str, Any]] = []

    def value(self) -> Any:
        if not self.children:
            return "".join(self.text)
        if all(tag == "item" for tag, _ in self.children):
            return [value for _, value in self.children]
        return dict(self.children)


def _children(text: str) -> list[tuple[str, str]]:
    children: list[tuple[str, str]] = []
    at = 0
    while found := _CHILD.search(text, at):
        closer = f"</{found.group(1)}>"
        end = text.find(closer, found.end())
        children.append((found.group(1), text[found.end() : end if end >= 0 else len(text)]))
        at = end + len(closer) if end >= 0 else len(text)
    return children
