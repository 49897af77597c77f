"""The same record with another surface: names in another style, tools and parameters in another order, fewer words.

What stays is what should be learnt: to read the tools on offer, whatever they look like.
"""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Record = dict[str, Any]

MOST_TOOLS = 8
_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def varied(record: Record, rng: random.Random, strangers: Sequence[Record] = ()) -> Record:
    """`strangers` are tools of other records, some of which may be offered too where there is a call anyway."""
    style = rng.choice(STYLES)
    tools = [_tool(tool, style, rng) for tool in record["tools"]]
    names = {old["name"]: new for old, new in zip(record["tools"], tools, strict=True)}
    specs = [spec for spec, _ in tools]
    if len({spec["name"] for spec in specs}) < len(specs):
        return record
    if record["messages"][-1].get("calls"):
        specs += _more(strangers, specs, rng)
    rng.shuffle(specs)
    return {**record, "tools": specs, "messages": [_message(message, names) for message in record["messages"]]}


def _tool(tool: Record, style: Callable[[str], str], rng: random.Random) -> tuple[Record, Mapping[str, str]]:
    """The tool as it is now, and its parameters' new names by their old ones."""
    schema = tool["parameters"]
    properties = list((schema.get("properties") or {}).items())
    names = {name: style(name) for name, _ in properties}
    if len(set(names.values())) < len(names):
        names = {name: name for name, _ in properties}
    if rng.random() < 0.5:
        rng.shuffle(properties)
    wordless = rng.random() < 0.1
    described = {names[name]: _without_words(node) if wordless else node for name, node in properties}
    parameters = {**schema, "properties": described}
    if schema.get("required"):
        parameters["required"] = [names.get(name, name) for name in schema["required"]]
    return {**tool, "name": style(tool["name"]), "parameters": parameters}, names


def _without_words(node: Any) -> Any:
    return {key: value for key, value in node.items() if key != "description"} if isinstance(node, dict) else node


def _more(strangers: Sequence[Record], specs: Sequence[Record], rng: random.Random) -> list[Record]:
    room = max(0, MOST_TOOLS - len(specs))
    chosen = rng.sample(strangers, min(rng.choice((0, 0, 1, 2)), room, len(strangers)))
    taken = {spec["name"] for spec in specs}
    return [tool for tool in {tool["name"]: tool for tool in chosen}.values() if tool["name"] not in taken]


def _message(message: Record, tools: Mapping[str, tuple[Record, Mapping[str, str]]]) -> Record:
    if message["role"] == "tool" and message.get("name") in tools:
        return {**message, "name": tools[message["name"]][0]["name"]}
    if not message.get("calls"):
        return message
    return {**message, "calls": [_call(call, *tools[call["name"]]) for call in message["calls"]]}


def _call(call: Record, tool: Record, names: Mapping[str, str]) -> Record:
    given = {names.get(name, name): value for name, value in call["arguments"].items()}
    order = list(tool["parameters"].get("properties") or {})
    return {"name": tool["name"], "arguments": dict(sorted(given.items(), key=lambda item: order.index(item[0])))}


def _snake(name: str) -> str:
    return "_".join(_PARTS.findall(name)).lower() or name


def _camel(name: str) -> str:
    first, *rest = _snake(name).split("_")
    return first + "".join(part.capitalize() for part in rest)


def _pascal(name: str) -> str:
    return "".join(part.capitalize() for part in _snake(name).split("_"))


def _same(name: str) -> str:
    return name


STYLES = (_snake, _snake, _camel, _pascal, _same)
