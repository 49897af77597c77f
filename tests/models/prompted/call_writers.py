"""How each dialect writes calls, from its description: the other side of the scanner, for round trips."""

import json
from collections.abc import Callable, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from call_samples import M3

Call = tuple[str, dict[str, Any]]
Writer = Callable[[Sequence[Call]], str]
GEMMA_QUOTE = '<|"|>'


def dump(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def bare(value: Any) -> str:
    """As it stands between tags: strings without quotes, anything else as JSON."""
    return value if isinstance(value, str) else dump(value)


def named(call: Call, name: str = "name", arguments: str = "arguments") -> str:
    return dump({name: call[0], arguments: call[1]})


def array(calls: Sequence[Call], name: str = "name", arguments: str = "arguments") -> str:
    return f"[{', '.join(named(call, name, arguments) for call in calls)}]"


def each(write: Callable[[Call], str], between: str = "\n", before: str = "", after: str = "") -> Writer:
    return lambda calls: before + between.join(map(write, calls)) + after


def tagged(tag: str) -> Writer:
    return each(lambda call: f"<{tag}>\n{named(call)}\n</{tag}>")


def listed(before: str, after: str = "") -> Writer:
    return lambda calls: f"{before}{array(calls)}{after}"


def function(call: Call, newline: str = "\n") -> str:
    values = "".join(
        f"<parameter={key}>{newline}{bare(value)}{newline}</parameter>\n" for key, value in call[1].items()
    )
    return f"<function={call[0]}>\n{values}</function>"


def arg_keys(call: Call, newline: str = "\n", separator: str = "") -> str:
    values = "".join(
        f"{newline}<arg_key>{key}</arg_key>{newline}<arg_value>{bare(value)}</arg_value>"
        for key, value in call[1].items()
    )
    return f"<tool_call>{call[0]}{separator}{values}{newline}</tool_call>"


def invoke(call: Call, prefix: str = "", typed: bool = False) -> str:
    values = "".join(
        f"<{prefix}parameter name={quoteattr(key)}"
        + (f' string="{"true" if isinstance(value, str) else "false"}"' if typed else "")
        + f">{bare(value)}</{prefix}parameter>\n"
        for key, value in call[1].items()
    )
    return f'<{prefix}invoke name="{call[0]}">\n{values}</{prefix}invoke>'


def m3_value(value: Any) -> str:
    if isinstance(value, dict):
        return "".join(f"{M3}<{key}>{m3_value(inner)}{M3}</{key}>" for key, inner in value.items())
    if isinstance(value, list):
        return "".join(f"{M3}<item>{m3_value(inner)}{M3}</item>" for inner in value)
    return bare(value)


def open_call(call: Call) -> str:
    values = "".join(
        f"<|open|>argument key={quoteattr(key)} type={quoteattr('string' if isinstance(value, str) else 'json')}<|sep|>"
        f"{bare(value)}<|close|>argument<|sep|>"
        for key, value in call[1].items()
    )
    return f'<|open|>call tool="{call[0]}" index="1"<|sep|>{values}<|close|>call<|sep|>'


def python(call: Call) -> str:
    return f"{call[0]}({', '.join(f'{key}={value!r}' for key, value in call[1].items())})"


def gemma(quote: str) -> Callable[[Any], str]:
    def write(value: Any) -> str:
        if isinstance(value, str):
            return f"{quote}{value}{quote}"
        if isinstance(value, dict):
            return f"{{{','.join(f'{key}:{write(inner)}' for key, inner in value.items())}}}"
        return f"[{','.join(map(write, value))}]" if isinstance(value, list) else dump(value)

    return write


def deepseek_v3(call: Call, bar: str = "｜") -> str:
    begin, sep, end = (f"<{bar}tool▁{part}{bar}>" for part in ("call▁begin", "sep", "call▁end"))
    return f"{begin}function{sep}{call[0]}\n```json\n{dump(call[1])}\n```{end}"


def legacy(call: Call) -> str:
    values = "".join(f"<{key}>{bare(value)}</{key}>" for key, value in call[1].items())
    return f"<invoke><tool_name>{call[0]}</tool_name><parameters>{values}</parameters></invoke>"


def openai(calls: Sequence[Call]) -> str:
    return dump(
        {
            "tool_calls": [
                {"id": f"c{i}", "type": "function", "function": {"name": name, "arguments": dump(arguments)}}
                for i, (name, arguments) in enumerate(calls)
            ]
        }
    )


def fenced(inner: Writer, label: str = "json") -> Writer:
    return lambda calls: f"```{label}\n{inner(calls)}\n```"


def muse(call: Call) -> str:
    body = f"<atem:function_calls>\n{invoke(call, 'atem:')}\n</atem:function_calls>"
    return f"<|start|>assistant to={call[0]}<|message|>{body}<|eom|>"


def kimi(call: Call) -> str:
    return f"<|tool_call_begin|>functions.{call[0]}:0<|tool_call_argument_begin|>{dump(call[1])}<|tool_call_end|>"


def harmony(call: Call) -> str:
    header = f"<|start|>assistant<|channel|>commentary to=functions.{call[0]} <|constrain|>json"
    return f"{header}<|message|>{dump(call[1])}<|call|>"


def action(call: Call) -> str:
    return named(call, "action", "action_input")


def cdata(call: Call) -> str:
    values = "".join(f'<param name="{key}"><![CDATA[{bare(value)}]]></param>' for key, value in call[1].items())
    return f'<function name="{call[0]}">{values}</function>'


hermes = tagged("tool_call")
# One call only: several have no form in these.
SINGLE = {"react", "react_json", "action_json_fenced", "json_fenced", "generic_json", "bare_json"}
WRITERS: dict[str, Writer] = {
    **dict.fromkeys(("hermes", "granite4_hermes", "ernie45", "reka_edge"), hermes),
    "longcat_hermes": tagged("longcat_tool_call"),
    "seed_flat": each(lambda call: f"<tool_call>{dump({'tool': call[0], **call[1]})}</tool_call>"),
    "granite3": listed("<|tool_call|> "),
    "granite_20b_fc": each(lambda call: f"<function_call> {named(call)}"),
    "nemotron_toolcall_list": listed("<TOOLCALL>", "</TOOLCALL>"),
    **dict.fromkeys(("jamba", "hunyuan_a13b", "apriel_toolcalls"), listed("<tool_calls>", "</tool_calls>")),
    "minimax_m1": each(named, "\n", "<tool_calls>\n", "\n</tool_calls>"),
    "dots": tagged("dots_function_call"),
    "functionary_v31": each(lambda call: f"<function={call[0]}>{dump(call[1])}</function>"),
    **dict.fromkeys(
        ("qwen3_coder_xml", "step3p5_xml"), each(lambda call: f"<tool_call>\n{function(call)}\n</tool_call>")
    ),
    "seed_oss_xml": each(lambda call: f"<seed:tool_call>\n{function(call, '')}\n</seed:tool_call>"),
    **dict.fromkeys(("glm45_argkey", "poolside_v1"), each(arg_keys)),
    "ling3": each(lambda call: arg_keys(call, ""), ""),
    "hunyuan_v3": each(lambda call: arg_keys(call, "", "<tool_sep>"), "", "<tool_calls>", "</tool_calls>"),
    "minimax_m2": each(invoke, "\n", "<minimax:tool_call>\n", "\n</minimax:tool_call>"),
    "minimax_m3": each(
        lambda call: f'{M3}<invoke name="{call[0]}">{m3_value(call[1])}{M3}</invoke>',
        *("", f"{M3}<tool_call>", f"{M3}</tool_call>"),
    ),
    "deepseek_v32_dsml": each(
        lambda call: invoke(call, "｜DSML｜", typed=True),
        *("\n", "<｜DSML｜function_calls>\n", "\n</｜DSML｜function_calls>"),
    ),
    "deepseek_v4_dsml": each(
        lambda call: invoke(call, "｜DSML｜", typed=True), "\n", "<｜DSML｜tool_calls>\n", "\n</｜DSML｜tool_calls>"
    ),
    "step3": each(
        lambda call: f"<｜tool_call_begin｜>{invoke(call, 'steptml:')}<｜tool_call_end｜>",
        *("", "<｜tool_calls_begin｜>", "<｜tool_calls_end｜>"),
    ),
    "minicpm5_xml": each(cdata),
    "muse_glimmer": each(muse, ""),
    "anthropic_invoke": each(invoke, "\n", "<function_calls>\n", "\n</function_calls>"),
    "anthropic_legacy": each(legacy, "\n", "<function_calls>", "</function_calls>"),
    "xml_tool_tool_input": each(lambda call: f"<tool>{call[0]}</tool><tool_input>{dump(call[1])}</tool_input>"),
    "mistral": listed("[TOOL_CALLS] "),
    "mistral_args": each(lambda call: f"[TOOL_CALLS]{call[0]}[ARGS]{dump(call[1])}", ""),
    "deepseek_v3": each(deepseek_v3, "\n", "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    "deepseek_v3_asciibar": each(
        lambda call: deepseek_v3(call, "|"), "\n", "<|tool▁calls▁begin|>", "<|tool▁calls▁end|>"
    ),
    "deepseek_v31": each(
        lambda call: f"<｜tool▁call▁begin｜>{call[0]}<｜tool▁sep｜>{dump(call[1])}<｜tool▁call▁end｜>",
        *("", "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"),
    ),
    "kimi_k2": each(kimi, "", "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"),
    "kimi_k3": each(open_call, "", "<|open|>tools<|sep|>", "<|close|>tools<|sep|>"),
    "internlm2": each(lambda call: f"<|action_start|><|plugin|>{named(call, 'name', 'parameters')}<|action_end|>"),
    **dict.fromkeys(
        ("cohere_command3", "cohere_command4"),
        lambda calls: f"<|START_ACTION|>{array(calls, 'tool_name', 'parameters')}<|END_ACTION|>",
    ),
    "harmony": each(harmony, ""),
    "gemma4": each(lambda call: f"<|tool_call>call:{call[0]}{gemma(GEMMA_QUOTE)(call[1])}<tool_call|>", ""),
    "functiongemma": each(
        lambda call: f"<start_function_call>call:{call[0]}{gemma('<escape>')(call[1])}<end_function_call>", ""
    ),
    "apertus": lambda calls: f"<|tools_prefix|>{dump([dict([call]) for call in calls])}<|tools_suffix|>",
    "gigachat3": each(lambda call: f"<|function_call|>{named(call)}"),
    "inkling": each(
        lambda call: f"<|message_model|>x<|content_invoke_tool_json|>{named(call, 'name', 'args')}<|end_message|>", ""
    ),
    "pythonic": lambda calls: f"[{', '.join(map(python, calls))}]",
    "llama4_pythonic": lambda calls: f"<|python_start|>[{', '.join(map(python, calls))}]<|python_end|>",
    "olmo3_pythonic": each(python, "\n", "<function_calls>", "</function_calls>"),
    "lfm2_pythonic": lambda calls: f"<|tool_call_start|>[{', '.join(map(python, calls))}]<|tool_call_end|>",
    "gemma_tool_code": fenced(each(python), "tool_code"),
    "bare_json": lambda calls: named(calls[0]),
    "bare_json_list": array,
    "llama3_json": each(lambda call: named(call, "name", "parameters"), "; "),
    "phi4mini_functools": listed("functools"),
    "xlam": array,
    "json_fenced": fenced(lambda calls: named(calls[0])),
    "openai_dict": openai,
    "generic_json": lambda calls: f'{{"tool_call": {named(calls[0])}}}',
    "command_r_plus": lambda calls: f"Action:\n```json\n{array(calls, 'tool_name', 'parameters')}\n```",
    "functionary_v32": each(lambda call: f"{call[0]}\n{dump(call[1])}", ">>>"),
    "react": lambda calls: f"Thought: so.\nAction: {calls[0][0]}\nAction Input: {dump(calls[0][1])}",
    "react_json": lambda calls: f"Thought: so.\n```\n{action(calls[0])}\n```",
    "action_json_fenced": lambda calls: f"Action:\n```json\n{action(calls[0])}\n```",
}
