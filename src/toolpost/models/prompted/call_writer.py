"""Write calls as text in every dialect: the other side of the scanner, which reads back what is written here."""

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, cast
from xml.sax.saxutils import quoteattr

from .dialects.table import M3, find_dialect


class CallToWrite(NamedTuple):
    """A call to be written."""

    name: str
    arguments: dict[str, Any]


Speller = Callable[[Sequence[CallToWrite]], str]

GEMMA_QUOTE = '<|"|>'
# One call a turn: these have no way to write two.
SINGLE = frozenset({"react", "react_json", "action_json_fenced", "json_fenced", "generic_json", "bare_json"})


def spell(dialect: str, calls: Sequence[CallToWrite]) -> str:
    """The calls as a model that speaks this dialect writes them. A dialect that knows one call a turn gets a line
    for each."""
    find_dialect(dialect)
    write = SPELLERS[dialect]
    if dialect in SINGLE:
        return "\n".join(write([call]) for call in calls)
    return write(calls)


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def bare(value: Any) -> str:
    """As it stands between tags: strings without quotes, anything else as JSON."""
    return value if isinstance(value, str) else dump(value)


def _named(call: CallToWrite, name: str = "name", arguments: str = "arguments") -> str:
    return dump({name: call.name, arguments: call.arguments})


def _array(calls: Sequence[CallToWrite], name: str = "name", arguments: str = "arguments") -> str:
    return f"[{', '.join(_named(call, name, arguments) for call in calls)}]"


def _each(write: Callable[[CallToWrite], str], between: str = "\n", before: str = "", after: str = "") -> Speller:
    return lambda calls: before + between.join(map(write, calls)) + after


def _tagged(tag: str) -> Speller:
    return _each(lambda call: f"<{tag}>\n{_named(call)}\n</{tag}>")


def _listed(before: str, after: str = "") -> Speller:
    return lambda calls: f"{before}{_array(calls)}{after}"


def _fenced(inner: Speller, label: str = "json") -> Speller:
    return lambda calls: f"```{label}\n{inner(calls)}\n```"


def _function(call: CallToWrite, newline: str = "\n") -> str:
    values = "".join(
        f"<parameter={key}>{newline}{bare(value)}{newline}</parameter>\n" for key, value in call.arguments.items()
    )
    return f"<function={call.name}>\n{values}</function>"


def _arg_keys(call: CallToWrite, newline: str = "\n", separator: str = "") -> str:
    values = "".join(
        f"{newline}<arg_key>{key}</arg_key>{newline}<arg_value>{bare(value)}</arg_value>"
        for key, value in call.arguments.items()
    )
    return f"<tool_call>{call.name}{separator}{values}{newline}</tool_call>"


def _invoke(call: CallToWrite, prefix: str = "", typed: bool = False) -> str:
    values = "".join(
        f"<{prefix}parameter name={quoteattr(key)}"
        + (f' string="{"true" if isinstance(value, str) else "false"}"' if typed else "")
        + f">{bare(value)}</{prefix}parameter>\n"
        for key, value in call.arguments.items()
    )
    return f'<{prefix}invoke name="{call.name}">\n{values}</{prefix}invoke>'


def _legacy(call: CallToWrite) -> str:
    values = "".join(f"<{key}>{bare(value)}</{key}>" for key, value in call.arguments.items())
    return f"<invoke><tool_name>{call.name}</tool_name><parameters>{values}</parameters></invoke>"


def _cdata(call: CallToWrite) -> str:
    values = "".join(f'<param name="{key}"><![CDATA[{bare(value)}]]></param>' for key, value in call.arguments.items())
    return f'<function name="{call.name}">{values}</function>'


def _m3(value: Any) -> str:
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return "".join(f"{M3}<{key}>{_m3(inner)}{M3}</{key}>" for key, inner in members.items())
    if isinstance(value, list):
        return "".join(f"{M3}<item>{_m3(inner)}{M3}</item>" for inner in cast("list[Any]", value))
    return bare(value)


def _opened(call: CallToWrite) -> str:
    values = "".join(
        f"<|open|>argument key={quoteattr(key)} type={quoteattr('string' if isinstance(value, str) else 'json')}<|sep|>"
        f"{bare(value)}<|close|>argument<|sep|>"
        for key, value in call.arguments.items()
    )
    return f'<|open|>call tool="{call.name}" index="1"<|sep|>{values}<|close|>call<|sep|>'


def _python(call: CallToWrite) -> str:
    return f"{call.name}({', '.join(f'{key}={value!r}' for key, value in call.arguments.items())})"


def _pythons(before: str, after: str) -> Speller:
    return lambda calls: f"{before}{', '.join(map(_python, calls))}{after}"


def _gemma(quote: str, value: Any) -> str:
    if isinstance(value, str):
        return f"{quote}{value}{quote}"
    if isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        return f"{{{','.join(f'{key}:{_gemma(quote, inner)}' for key, inner in members.items())}}}"
    if isinstance(value, list):
        return f"[{','.join(_gemma(quote, inner) for inner in cast('list[Any]', value))}]"
    return dump(value)


def _deepseek_v3(call: CallToWrite, bar: str = "｜") -> str:
    begin, sep, end = (f"<{bar}tool▁{part}{bar}>" for part in ("call▁begin", "sep", "call▁end"))
    return f"{begin}function{sep}{call.name}\n```json\n{dump(call.arguments)}\n```{end}"


def _kimi(call: CallToWrite) -> str:
    arguments = dump(call.arguments)
    return f"<|tool_call_begin|>functions.{call.name}:0<|tool_call_argument_begin|>{arguments}<|tool_call_end|>"


def _harmony(call: CallToWrite) -> str:
    header = f"<|start|>assistant<|channel|>commentary to=functions.{call.name} <|constrain|>json"
    return f"{header}<|message|>{dump(call.arguments)}<|call|>"


def _muse(call: CallToWrite) -> str:
    body = f"<atem:function_calls>\n{_invoke(call, 'atem:')}\n</atem:function_calls>"
    return f"<|start|>assistant to={call.name}<|message|>{body}<|eom|>"


def _inkling(call: CallToWrite) -> str:
    body = _named(call, "name", "args")
    return f"<|message_model|>{call.name}<|content_invoke_tool_json|>{body}<|end_message|>"


def _openai(calls: Sequence[CallToWrite]) -> str:
    functions = [{"name": call.name, "arguments": dump(call.arguments)} for call in calls]
    return dump(
        {"tool_calls": [{"id": f"c{i}", "type": "function", "function": call} for i, call in enumerate(functions)]}
    )


def _cohere(calls: Sequence[CallToWrite]) -> str:
    return f"<|START_ACTION|>{_array(calls, 'tool_name', 'parameters')}<|END_ACTION|>"


def _action(calls: Sequence[CallToWrite]) -> str:
    return _named(calls[0], "action", "action_input")


_HERMES = _tagged("tool_call")
_DSML = "｜DSML｜"
_QWEN_XML = _each(lambda call: f"<tool_call>\n{_function(call)}\n</tool_call>")

SPELLERS: dict[str, Speller] = {
    **dict.fromkeys(("hermes", "granite4_hermes", "ernie45", "reka_edge"), _HERMES),
    "longcat_hermes": _tagged("longcat_tool_call"),
    "seed_flat": _each(lambda call: f"<tool_call>{dump({'tool': call.name, **call.arguments})}</tool_call>"),
    "granite3": _listed("<|tool_call|> "),
    "granite_20b_fc": _each(lambda call: f"<function_call> {_named(call)}"),
    "nemotron_toolcall_list": _listed("<TOOLCALL>", "</TOOLCALL>"),
    **dict.fromkeys(("jamba", "hunyuan_a13b", "apriel_toolcalls"), _listed("<tool_calls>", "</tool_calls>")),
    "minimax_m1": _each(_named, "\n", "<tool_calls>\n", "\n</tool_calls>"),
    "dots": _tagged("dots_function_call"),
    "functionary_v31": _each(lambda call: f"<function={call.name}>{dump(call.arguments)}</function>"),
    **dict.fromkeys(("qwen3_coder_xml", "step3p5_xml"), _QWEN_XML),
    "seed_oss_xml": _each(lambda call: f"<seed:tool_call>\n{_function(call, '')}\n</seed:tool_call>"),
    **dict.fromkeys(("glm45_argkey", "poolside_v1"), _each(_arg_keys)),
    "ling3": _each(lambda call: _arg_keys(call, ""), ""),
    "hunyuan_v3": _each(lambda call: _arg_keys(call, "", "<tool_sep>"), "", "<tool_calls>", "</tool_calls>"),
    "minimax_m2": _each(_invoke, "\n", "<minimax:tool_call>\n", "\n</minimax:tool_call>"),
    "minimax_m3": _each(
        lambda call: f'{M3}<invoke name="{call.name}">{_m3(call.arguments)}{M3}</invoke>',
        *("", f"{M3}<tool_call>", f"{M3}</tool_call>"),
    ),
    "deepseek_v32_dsml": _each(
        lambda call: _invoke(call, _DSML, typed=True), "\n", f"<{_DSML}function_calls>\n", f"\n</{_DSML}function_calls>"
    ),
    "deepseek_v4_dsml": _each(
        lambda call: _invoke(call, _DSML, typed=True), "\n", f"<{_DSML}tool_calls>\n", f"\n</{_DSML}tool_calls>"
    ),
    "step3": _each(
        lambda call: f"<｜tool_call_begin｜>{_invoke(call, 'steptml:')}<｜tool_call_end｜>",
        *("", "<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"),
    ),
    "minicpm5_xml": _each(_cdata),
    "muse_glimmer": _each(_muse, ""),
    "anthropic_invoke": _each(_invoke, "\n", "<function_calls>\n", "\n</function_calls>"),
    "anthropic_legacy": _each(_legacy, "\n", "<function_calls>", "</function_calls>"),
    "xml_tool_tool_input": _each(
        lambda call: f"<tool>{call.name}</tool><tool_input>{dump(call.arguments)}</tool_input>"
    ),
    "mistral": _listed("[TOOL_CALLS] "),
    "mistral_args": _each(lambda call: f"[TOOL_CALLS]{call.name}[ARGS]{dump(call.arguments)}", ""),
    "deepseek_v3": _each(_deepseek_v3, "\n", "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    "deepseek_v3_asciibar": _each(
        lambda call: _deepseek_v3(call, "|"), "\n", "<|tool▁calls▁begin|>", "<|tool▁calls▁end|>"
    ),
    "deepseek_v31": _each(
        lambda call: f"<｜tool▁call▁begin｜>{call.name}<｜tool▁sep｜>{dump(call.arguments)}<｜tool▁call▁end｜>",
        *("", "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ),
    "kimi_k2": _each(_kimi, "", "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    "kimi_k3": _each(_opened, "", "<|open|>tools<|sep|>", "<|close|>tools<|sep|>"),
    "internlm2": _each(lambda call: f"<|action_start|><|plugin|>{_named(call, 'name', 'parameters')}<|action_end|>"),
    **dict.fromkeys(("cohere_command3", "cohere_command4"), _cohere),
    "harmony": _each(_harmony, ""),
    "gemma4": _each(lambda call: f"<|tool_call>call:{call.name}{_gemma(GEMMA_QUOTE, call.arguments)}<tool_call|>", ""),
    "functiongemma": _each(
        lambda call: f"<start_function_call>call:{call.name}{_gemma('<escape>', call.arguments)}<end_function_call>", ""
    ),
    "apertus": lambda calls: f"<|tools_prefix|>{dump([{name: given} for name, given in calls])}<|tools_suffix|>",
    "gigachat3": _each(lambda call: f"<|function_call|>{_named(call)}"),
    "inkling": _each(_inkling, ""),
    "pythonic": _pythons("[", "]"),
    "llama4_pythonic": _pythons("<|python_start|>[", "]<|python_end|>"),
    "olmo3_pythonic": _each(_python, "\n", "<function_calls>", "</function_calls>"),
    "lfm2_pythonic": _pythons("<|tool_call_start|>[", "]<|tool_call_end|>"),
    "gemma_tool_code": _fenced(_each(_python), "tool_code"),
    "bare_json": lambda calls: _named(calls[0]),
    "bare_json_list": _array,
    "llama3_json": _each(lambda call: _named(call, "name", "parameters"), "; "),
    "phi4mini_functools": _listed("functools"),
    "xlam": _array,
    "json_fenced": _fenced(lambda calls: _named(calls[0])),
    "openai_dict": _openai,
    "generic_json": lambda calls: f'{{"tool_call": {_named(calls[0])}}}',
    "command_r_plus": lambda calls: f"Action:\n```json\n{_array(calls, 'tool_name', 'parameters')}\n```",
    "functionary_v32": _each(lambda call: f"{call.name}\n{dump(call.arguments)}", ">>>"),
    "react": lambda calls: f"Action: {calls[0].name}\nAction Input: {dump(calls[0].arguments)}",
    "react_json": _fenced(_action, ""),
    "action_json_fenced": lambda calls: f"Action:\n```json\n{_action(calls)}\n```",
}
