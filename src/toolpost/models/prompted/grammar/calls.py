"""The grammar of an answer with tool calls in a dialect: the text before them, their markers, names and arguments."""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from toolpost.models.prompted.call_writer import dump
from toolpost.types.tool_spec import ToolSpec

from .gbnf import Grammar, literal
from .schema import FORMATS, SchemaRules, arguments_rule, choices_of

# A small model may call for ever; more of them can be made in the next turn.
MAX_CALLS = 16


class ArgumentTags(NamedTuple):
    """Arguments one in a tag each, their values as bare text: what stands around the name and behind the value."""

    begin: str
    middle: str
    end: str
    closing: str = "</parameter>"


class CallForm(NamedTuple):
    """How a dialect writes calls: `marker` and `opens`, for each call `begin`, its name, `middle`, its arguments and
    `end`, with `between` between two, at last `closes`. Where `each`, the marker stands before every call."""

    marker: str
    begin: str = '\n{"name": "'
    middle: str = '", "arguments": '
    end: str = "}"
    between: str = "\n"
    each: bool = True
    opens: str = ""
    closes: str = ""
    tags: ArgumentTags | None = None


def _tagged(tag: str) -> CallForm:
    return CallForm(f"<{tag}>", end=f"}}\n</{tag}>")


def _listed(marker: str, closes: str = "", begin: str = '{"name": "', middle: str = '", "arguments": ') -> CallForm:
    return CallForm(marker, begin, middle, between=", ", each=False, opens="[", closes=f"]{closes}")


def _function(tag: str, newline: str) -> CallForm:
    tags = ArgumentTags("<parameter=", f">{newline}", f"{newline}</parameter>\n")
    return CallForm(f"<{tag}>", "\n<function=", ">\n", f"</function>\n</{tag}>", tags=tags)


def _arg_keys(newline: str) -> CallForm:
    tags = ArgumentTags("<arg_key>", f"</arg_key>{newline}<arg_value>", f"</arg_value>{newline}", "</arg_value>")
    return CallForm("<tool_call>", "", newline, "</tool_call>", newline, tags=tags)


def _invoke(tag: str) -> CallForm:
    tags = ArgumentTags('<parameter name="', '">', "</parameter>\n")
    return CallForm(f"<{tag}>", '\n<invoke name="', '">\n', "</invoke>\n", each=False, closes=f"</{tag}>", tags=tags)


def _deepseek(begin: str, middle: str, end: str = "") -> CallForm:
    parts = CallForm("<｜tool▁calls▁begin｜>", f"<｜tool▁call▁begin｜>{begin}", middle, f"{end}<｜tool▁call▁end｜>")
    return parts._replace(each=False, closes="<｜tool▁calls▁end｜>")


# Of bare objects only one is a call: a second cannot be told from an answer.
BARE = CallForm("", '{"name": "')

FORMS: dict[str, CallForm] = {
    **dict.fromkeys(("hermes", "granite4_hermes", "ernie45", "reka_edge"), _tagged("tool_call")),
    "longcat_hermes": _tagged("longcat_tool_call"),
    "dots": _tagged("dots_function_call"),
    "granite3": _listed("<|tool_call|>"),
    "granite_20b_fc": CallForm("<function_call>", ' {"name": "'),
    "nemotron_toolcall_list": _listed("<TOOLCALL>", "</TOOLCALL>"),
    **dict.fromkeys(("jamba", "hunyuan_a13b", "apriel_toolcalls"), _listed("<tool_calls>", "</tool_calls>")),
    "minimax_m1": CallForm("<tool_calls>", '{"name": "', each=False, closes="\n</tool_calls>"),
    "functionary_v31": CallForm("<function=", "", ">", "</function>"),
    **dict.fromkeys(("qwen3_coder_xml", "step3p5_xml"), _function("tool_call", "\n")),
    "seed_oss_xml": _function("seed:tool_call", ""),
    **dict.fromkeys(("glm45_argkey", "poolside_v1"), _arg_keys("\n")),
    "ling3": _arg_keys(""),
    "minimax_m2": _invoke("minimax:tool_call"),
    "anthropic_invoke": _invoke("function_calls"),
    "mistral": _listed("[TOOL_CALLS]"),
    "mistral_args": CallForm("[TOOL_CALLS]", "", "[ARGS]", "", ""),
    "deepseek_v3": _deepseek("function<｜tool▁sep｜>", "\n```json\n", "\n```"),
    "deepseek_v31": _deepseek("", "<｜tool▁sep｜>"),
    "internlm2": CallForm("<|action_start|>", '<|plugin|>{"name": "', '", "parameters": ', "}<|action_end|>"),
    "apertus": _listed("<|tools_prefix|>", "<|tools_suffix|>", '{"', '": '),
    "gigachat3": CallForm("<|function_call|>", '{"name": "'),
    "llama3_json": CallForm("", '{"name": "', '", "parameters": ', between="; "),
    "bare_json": BARE,
}


def call_grammar(tools: Sequence[ToolSpec], form: CallForm, *, required: bool = False) -> str:
    """A grammar for a whole answer: any text, and calls of these tools from the marker on; `required`: calls alone.

    Behind its calls a model may begin a word, which ends the answer. Were there only the choice between the end and
    another call, a weak model would call one tool after the other, because what it wants to say is forbidden.
    """
    grammar = Grammar()
    text = grammar.text_before(form.tags.closing) if form.tags else ""
    written: list[str] = []
    for tool in tools:
        arguments = _tag_rule(grammar, tool, form.tags, text) if form.tags else _json_rule(grammar, tool)
        written.append(_row(_loose(spelled(tool.name, form) + form.middle), arguments, _loose(form.end)))
    call = grammar.define("call", _row(_loose(form.begin), f"({' | '.join(written)})"))
    calls = grammar.define("calls", _calls(grammar, form, call))
    return grammar.render(calls if required else _with_text(grammar, form, calls))


def _calls(grammar: Grammar, form: CallForm, call: str) -> str:
    marker = _row(literal(form.marker), "gap" if _ends_tag(form) else "", _loose(form.opens))
    between = _loose(form.between) if form.between.strip() else "gap"
    if not form.each:
        return _row(marker, call, _more(between, call), _loose(form.closes))
    unit = grammar.define("unit", _row(marker, call))
    return unit if form is BARE else _row(unit, _more(between, unit), f"({_TAIL})?")


def _with_text(grammar: Grammar, form: CallForm, calls: str) -> str:
    """Calls, or any other answer. llama.cpp can bind a grammar from a marker on by itself, but its chat endpoint drops
    what asks for that, and the model could write nothing but calls."""
    if form.marker:
        # A marker in quotes is prose.
        return f"{grammar.text_before(form.marker, quotes=_QUOTES)} {calls}?"
    # Without a marker the message itself begins with the call, and its first words tell it from other JSON.
    words, _, _ = f"{form.opens}{form.begin}".rpartition(" ")
    return rf"[ \t\r\n]* {calls} | {grammar.text_unlike(words)}"


def tokens_of(form: CallForm) -> list[str]:
    """What in a form may be a token of its own, which a server leaves out of the text unless it is told not to."""
    texts = (form.marker, form.begin, form.middle, form.end, form.closes, *(form.tags or ()))
    return list(dict.fromkeys(found for text in texts for found in _TOKEN.findall(text)))


def spelled(name: str, form: CallForm) -> str:
    """A tool's name as it stands in this form: between the quotes of JSON, or bare."""
    return dump(name)[1:-1] if form.begin.endswith('"') and not form.tags else name


def _json_rule(grammar: Grammar, tool: ToolSpec) -> str:
    return arguments_rule(grammar, tool.parameters, tool.name)


def _tag_rule(grammar: Grammar, tool: ToolSpec, tags: ArgumentTags, text: str) -> str:
    """A rule for arguments in tags, in the order of the properties. Where the schema is too odd, any parameters."""
    document = SchemaRules(grammar, tool.parameters)

    def parameter(name: str, node: Any, must: bool) -> str:
        value = grammar.define(name, _bare_values(document, node, text))
        written = _row(_loose(tags.begin + name + tags.middle), value, _loose(tags.end))
        return written if must else f"({written})?"

    def write() -> str:
        objects = [leaf for leaf in document.leaves(tool.parameters) if "properties" in leaf]
        if any(">" in name or "<" in name for leaf in objects for name, _, _ in document.members(leaf)):
            return ""
        choices = [_row(*(parameter(*member) for member in document.members(leaf))) for leaf in objects]
        return " | ".join(choices) if any(choices) else '""' if objects else ""

    free = f"({_row(literal(tags.begin), _ANY_NAME, _loose(tags.middle), text, _loose(tags.end))})*"
    return document.settled_rule(tool.name, write) or grammar.define(tool.name, free)


def _bare_values(document: SchemaRules, node: Any, text: str) -> str:
    """A value as it stands between tags: strings as they are, anything else as JSON."""
    values: list[str] = []
    for leaf in document.leaves(node):
        choices = choices_of(leaf)
        if choices and not any(isinstance(choice, str) and _UNFIT.search(choice) for choice in choices):
            values += [literal(choice if isinstance(choice, str) else dump(choice)) for choice in choices]
        elif leaf.get("type") == "string" and leaf.get("format") in FORMATS:
            values.append(str(leaf["format"]))
        elif choices or leaf.get("type") in (None, "string"):
            return text
        else:
            values.append(document.leaf(leaf))
    return " | ".join(dict.fromkeys(values)) or text


def _ends_tag(form: CallForm) -> bool:
    """Whether white space may follow the marker: not where it ends in the middle of a tag."""
    return form.marker[-1:] in (">", "]")


def _more(between: str, unit: str) -> str:
    return f"({between} {unit}){{0,{MAX_CALLS - 1}}}"


def _loose(text: str) -> str:
    """A fixed text whose white space may be left out, but for that between two words."""
    parts = _SPACES.split(text)
    return _row(*(f"{literal(part)}?" if place % 2 else literal(part) for place, part in enumerate(parts)))


def _row(*parts: str) -> str:
    return " ".join(filter(None, parts))


_QUOTES = "`\"'"
# Letters alone: a quote or a bracket could still belong to the call.
_TAIL = r"gap [^\x00-\x40\x5B-\x60\x7B-\x7F“”‘’，：；（）［］｛｝]{1,4}"
_ANY_NAME = r"[^<>\n]{1,100}"
_SPACES = re.compile(r"((?<!\w)\s+|\s+(?!\w))")
_TOKEN = re.compile(r"</?[^<>\s=]+>|\[[A-Z_]+\]")
_UNFIT = re.compile(r"[<\n]|^\s|\s$|^$")
