"""A tool of a family, as somebody might have written it: names, descriptions and forms are drawn, then it is fixed."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .family import Ask, Draw, Drawn, Family, Form, Param, PartOf
from .world import UNFIT

_SLOT = re.compile(r"\{(\w+)\}")
_BRACKETS = re.compile(r"\[([^\[\]]*)\]")
_ON_NEAR = re.compile(
    r"\b[Oo]n (today|tomorrow|yesterday|the day|next|this|last|a week from|\w+day next"
    r"|in (?=\w+ (?:days|weeks)\b|a week\b))"
)
_TWO_LEADS = re.compile(r"\b(?:by|to|until|for|from|before|after|since|of) (in (?:\w+ (?:days|weeks)|a week)\b)")
_GLUED = re.compile(r"(\d{4}-\d\d-\d\d)(?=\d)")
_PREFIXES = ("get", "api", "tool", "do", "my", "svc")


class Unfit(Exception):
    """These values can't be said with this tool: draw again."""


@dataclass(frozen=True)
class Tool:
    """`names` and `forms` are those of the parameters, by their keys; what is not in them this tool does not have."""

    family: Family
    name: str
    spec: dict[str, Any]
    names: Mapping[str, str]
    forms: Mapping[str, Form | PartOf]

    def arguments(self, drawn: Mapping[str, Drawn]) -> dict[str, Any]:
        """The call's arguments, in the schema's order."""
        if self.family.fits is not None and not self.family.fits(drawn):
            raise Unfit
        given: dict[str, Any] = {}
        for param in self.family.params:
            value = self._value(param.key, drawn)
            if value is not None:
                given[self.names[param.key]] = value
        return given

    def _value(self, key: str, drawn: Mapping[str, Drawn]) -> Any:
        form = self.forms.get(key)
        if form is None:
            if key in drawn:
                raise Unfit
            return None
        if isinstance(form, PartOf):
            return drawn[form.key].meaning.get(form.part) if form.key in drawn else None
        if key not in drawn:
            return None
        value = form.value(drawn[key])
        if value is UNFIT or (isinstance(value, list) and UNFIT in value):
            raise Unfit
        return value


def make_tool(family: Family, draw: Draw) -> Tool:
    """`draw.language` is the language of its descriptions."""
    rng = draw.rng
    style = rng.choices((_snake, _camel, _pascal, _dotted, _prefixed), (70, 14, 5, 4, 7))[0]
    kept = [param for param in family.params if param.required or _is_end(param) or rng.random() < 0.75]
    described = rng.random() < 0.9
    # Of what has parts in other parameters, the first form is the one without them.
    parted = {param.kind.key for param in kept if isinstance(param.kind, PartOf)}
    names: dict[str, str] = {}
    forms: dict[str, Form | PartOf] = {}
    properties: dict[str, Any] = {}
    for param in kept:
        name = rng.choice(param.names)
        name = _camel(name, draw) if style in (_camel, _pascal) else name
        if name in properties:
            name = next((other for other in param.names if other not in properties), f"{name}_2")
        if isinstance(param.kind, PartOf):
            form: Form | PartOf = param.kind
        else:
            form = param.kind.forms[0] if param.key in parted else rng.choice(param.kind.forms)
        names[param.key], forms[param.key] = name, form
        properties[name] = _property(param, form, draw, described)
    required = [names[param.key] for param in kept if param.required]
    parameters: dict[str, Any] = {"type": "object", "properties": properties}
    if required:
        parameters["required"] = required
    about = rng.choice(family.about_zh if draw.language == "zh" and family.about_zh else family.about)
    name = style(rng.choice(family.names), draw)
    return Tool(family, name, {"name": name, "description": about, "parameters": parameters}, names, forms)


def question(
    tool: Tool, ask: str | Ask, draw: Draw, given: Mapping[str, Drawn] | None = None
) -> tuple[str, dict[str, Drawn]]:
    """The question with values drawn for its slots, and those values. `given` ones are taken as they are."""
    text, fixed = (ask.text, ask.fixed) if isinstance(ask, Ask) else (ask, {})
    params = {param.key: param for param in tool.family.params}
    text = _BRACKETS.sub(lambda found: _optional(found[1], tool, draw), text)
    drawn = {key: Drawn("", meaning) for key, meaning in fixed.items()}
    for key in dict.fromkeys(_SLOT.findall(text)):
        drawn[key] = (given or {}).get(key) or _draw(params[key], draw, drawn)
    return said(text, {key: one.said for key, one in drawn.items()}), drawn


def said(text: str, words: Mapping[str, str]) -> str:
    """The text with its slots filled, and what nobody says mended: "on tomorrow", "by in four days"."""
    filled = _GLUED.sub(r"\1 ", text.format(**words))
    if _TWO_LEADS.search(filled):
        raise Unfit
    return _ON_NEAR.sub(r"\1", filled).strip()


def slots(ask: str | Ask) -> list[str]:
    return _SLOT.findall(ask.text if isinstance(ask, Ask) else ask)


def _is_end(param: Param) -> bool:
    """Without its end a period that was asked for is not told."""
    return isinstance(param.kind, PartOf) and param.kind.part == "end"


def _draw(param: Param, draw: Draw, others: Mapping[str, Drawn]) -> Drawn:
    if isinstance(param.kind, PartOf):
        raise TypeError(f"{param.key} is a part and has no slot")
    for _ in range(6):
        drawn = param.kind.draw(draw)
        if drawn.said not in [other.said for other in others.values()]:
            return drawn
    raise Unfit


def _optional(text: str, tool: Tool, draw: Draw) -> str:
    """What stands in brackets, if the tool has its parameters and chance wants it."""
    if any(key not in tool.forms for key in _SLOT.findall(text)):
        return ""
    return text if draw.rng.random() < 0.5 else ""


def _property(param: Param, form: Form | PartOf, draw: Draw, described: bool) -> dict[str, Any]:
    chinese = draw.language == "zh"
    abouts = param.about_zh if chinese and param.about_zh else param.about
    about = draw.rng.choice(abouts) if abouts and described and draw.rng.random() < 0.9 else ""
    detail = form.about_zh if chinese and form.about_zh else form.about
    joined = ("，" if chinese and param.about_zh else ", ").join(filter(None, (about.rstrip(".。"), detail)))
    found: dict[str, Any] = dict(form.schema)
    if joined:
        found["description"] = joined[0].upper() + joined[1:]
    if param.default is not None and not param.required and draw.rng.random() < 0.5:
        found["default"] = param.default
    return found


def _snake(name: str, draw: Draw) -> str:
    return name


def _camel(name: str, draw: Draw) -> str:
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


def _pascal(name: str, draw: Draw) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


def _dotted(name: str, draw: Draw) -> str:
    first, _, rest = name.partition("_")
    return f"{rest}.{first}" if rest else name


def _prefixed(name: str, draw: Draw) -> str:
    return f"{draw.rng.choice(_PREFIXES)}_{name}"
