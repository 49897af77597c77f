"""The table of dialects: the markers that open a call in each, and how what stands behind a marker is parsed.

Dialects that share a marker are told apart by what follows it, so a marker stands here once. A chosen dialect looks
only for its own markers; without a choice all are looked for at once.
"""

from typing import Literal, NamedTuple

from toolpost.arguments.suggestions import did_you_mean
from toolpost.models.prompted.incremental_reader import Markers
from toolpost.types.errors import ConfigError

# fmt: off
MarkerKind = Literal[
    "block", "section", "function", "named_function", "invoke", "legacy", "tool", "m3", "gemma", "header", "open",
    "message_sep", "inkling", "thought", "wrapper", "end", "citation", "result", "think",
]
# fmt: on
# How calls without a marker of their own may stand in the text.
UnmarkedForm = Literal["object", "list", "python", "functools", "action", "fence", "functionary"]

M3 = "]<]minimax[>["
PREFIXES = ("", "｜DSML｜", "steptml:", "atem:", "antml:")

_JSON_TAGS = ("tool_call", "tool_calls", "function_call", "function_calls", "TOOLCALL", "longcat_tool_call")
_XML_SECTIONS = ("seed:tool_call", "minimax:tool_call", "dots_function_call")
_SECTIONS = {
    "<｜tool▁calls▁begin｜>": "<｜tool▁calls▁end｜>",
    "<|tool▁calls▁begin|>": "<|tool▁calls▁end|>",
    "<｜tool_calls_begin｜>": "<｜tool_calls_end｜>",
    "<|tool_calls_section_begin|>": "<|tool_calls_section_end|>",
    **{f"<{p}{b}>": f"</{p}{b}>" for p in PREFIXES[1:] for b in ("function_calls", "tool_calls")},
    **{f"<{tag}>": f"</{tag}>" for tag in _XML_SECTIONS},
}
_BLOCKS = {
    "<｜tool▁call▁begin｜>": "<｜tool▁call▁end｜>",
    "<|tool▁call▁begin|>": "<|tool▁call▁end|>",
    "<｜tool_call_begin｜>": "<｜tool_call_end｜>",
    "<|tool_call_begin|>": "<|tool_call_end|>",
    **{f"<{tag}>": f"</{tag}>" for tag in _JSON_TAGS},
    "<|tool_call|>": "</|tool_call|>",
    "[TOOL_CALLS]": "[/TOOL_CALLS]",
    "<|action_start|>": "<|action_end|>",
    "<|plugin|>": "<|action_end|>",
    "<|START_ACTION|>": "<|END_ACTION|>",
    "<|tools_prefix|>": "<|tools_suffix|>",
    "<|function_call|>": "",
    "<|python_start|>": "<|python_end|>",
    "<|python_tag|>": "",
    "<|tool_call_start|>": "<|tool_call_end|>",
}
_GEMMA = {"<|tool_call>": "<tool_call|>", "<start_function_call>": "<end_function_call>"}
_NAMED_FUNCTIONS = ("<function name=", "<functionname=", "<functionĠname=")
_RESULTS = {
    **{f"<{tag}>": f"</{tag}>" for tag in ("tool_response", "tool_result", "tool_results", "tool_output")},
    **{f"<{tag}>": f"</{tag}>" for tag in ("function_results", "function_result", "function_response", "observation")},
    "[TOOL_RESULTS]": "[/TOOL_RESULTS]",
    "<start_function_response>": "<end_function_response>",
    "<|tool_response>": "<tool_response|>",
    "<|START_TOOL_RESULT|>": "<|END_TOOL_RESULT|>",
    "<｜tool▁outputs▁begin｜>": "<｜tool▁outputs▁end｜>",
    "<|tool▁outputs▁begin|>": "<|tool▁outputs▁end|>",
}
_THINK = {
    **{f"<{tag}>": f"</{tag}>" for tag in ("think", "thinking", "seed:think", "mm:think", "longcat_think")},
    "[THINK]": "[/THINK]",
}
THINK_ENDS = tuple(_THINK.values())
_THOUGHTS = {
    "<|START_THINKING|>": "<|END_THINKING|>",
    "<|content_thinking|>": "<|end_message|>",
    "<|channel>thought": "<channel|>",
}
_FINAL_RESPONSE = ("[BEGIN FINAL RESPONSE]", "[END FINAL RESPONSE]")
_WRAPPERS = (
    *("<|START_RESPONSE|>", "<|END_RESPONSE|>", "<|START_TEXT|>", "<|END_TEXT|>"),
    *("<|CHATBOT_TOKEN|>", "<|START_OF_TURN_TOKEN|>", "<|content_text|>", "<|END_THINKING|>"),
    *_FINAL_RESPONSE,
)
# fmt: off
END_TOKENS = (
    "<|im_end|>", "<|eot_id|>", "<|eom_id|>", "<|eot|>", "<|eom|>", "<|end|>", "<|call|>", "<|return|>",
    "<|endoftext|>", "<|end_message|>", "<|END_OF_TURN_TOKEN|>", "<channel|>", "<end_of_turn>", "</s>",
    "<｜end▁of▁sentence｜>", "<|end▁of▁sentence|>",
)
# fmt: on
_CLOSED = tuple(f"<|close|>{name}<|sep|>" for name in ("tools", "call", "message", "response"))

# What each marker means, and the marker that closes it ("" where none does).
MARKERS: dict[str, tuple[MarkerKind, str]] = {
    **{marker: ("block", end) for marker, end in _BLOCKS.items()},
    **{marker: ("section", end) for marker, end in _SECTIONS.items()},
    **{marker: ("gemma", end) for marker, end in _GEMMA.items()},
    "<function=": ("function", "</function>"),
    **dict.fromkeys(_NAMED_FUNCTIONS, ("named_function", "</function>")),
    **{f"<{prefix}invoke name=": ("invoke", f"</{prefix}invoke>") for prefix in PREFIXES},
    "<invoke>": ("legacy", "</invoke>"),
    "<tool>": ("tool", "</tool_input>"),
    f"{M3}<tool_call>": ("section", f"{M3}</tool_call>"),
    f"{M3}<invoke name=": ("m3", f"{M3}</invoke>"),
    "<|channel|>": ("header", ""),
    "<|start|>assistant": ("header", ""),
    "<|open|>": ("open", ""),
    "<|message_sep|>": ("message_sep", ""),
    "<|message_model|>": ("inkling", ""),
    "<|content_invoke_tool_json|>": ("block", "<|end_message|>"),
    **{marker: ("thought", end) for marker, end in _THOUGHTS.items()},
    **dict.fromkeys(_WRAPPERS, ("wrapper", "")),
    **dict.fromkeys((*END_TOKENS, *_CLOSED), ("end", "")),
    "<co>": ("citation", ""),
    "</co": ("citation", ""),
    **{marker: ("result", end) for marker, end in _RESULTS.items()},
    **{marker: ("think", end) for marker, end in _THINK.items()},
}

# The end tags of what stands around calls.
OUTER_ENDS = tuple(dict.fromkeys(end for kind, end in MARKERS.values() if end and kind in ("block", "section")))

# What may stand behind a call and is dropped: its end tags, its model's end tokens.
CLOSERS = Markers(
    {
        *(end for kind, end in MARKERS.values() if end and kind not in ("result", "think", "thought")),
        *END_TOKENS,
        *("</parameters>", "</parameter>", "</answer>", "</tool>", "<|CHATBOT_TOKEN|>"),
        *_CLOSED,
        *(f"{M3}</{name}>" for name in ("tool_call", "invoke")),
    }
)

_XML = ("<function=", "<tool_call>")
_INVOKE = ("<function_calls>", "<invoke name=", "<invoke>")
_DEEPSEEK = ("<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>")
_HARMONY = ("<|channel|>", "<|start|>assistant")
_KIMI = ("<|tool_calls_section_begin|>", "<|tool_call_begin|>")
_COHERE = ("<|START_ACTION|>", *_WRAPPERS, "<|START_THINKING|>", "<co>", "</co")


class Dialect(NamedTuple):
    """`thinks_until`: where the template has opened a thought already, what ends it."""

    markers: tuple[str, ...] = ()
    forms: tuple[UnmarkedForm, ...] = ()
    thinks_until: str = ""


def _dsml(block: str) -> Dialect:
    return Dialect((f"<｜DSML｜{block}>", "<｜DSML｜invoke name="))


DIALECTS: dict[str, Dialect] = {
    "hermes": Dialect(("<tool_call>",)),
    "granite4_hermes": Dialect(("<tool_call>",)),
    "ernie45": Dialect(("<tool_call>",), thinks_until="</think>"),
    "reka_edge": Dialect(("<tool_call>",)),
    "longcat_hermes": Dialect(("<longcat_tool_call>",)),
    "seed_flat": Dialect(("<tool_call>",), ("object",)),
    "granite3": Dialect(("<|tool_call|>", "<tool_call>")),
    "granite_20b_fc": Dialect(("<function_call>",)),
    "nemotron_toolcall_list": Dialect(("<TOOLCALL>",)),
    "jamba": Dialect(("<tool_calls>",)),
    "hunyuan_a13b": Dialect(("<tool_calls>",)),
    "apriel_toolcalls": Dialect(("<tool_calls>", *_FINAL_RESPONSE), thinks_until=_FINAL_RESPONSE[0]),
    "minimax_m1": Dialect(("<tool_calls>",)),
    "dots": Dialect(("<dots_function_call>", "<invoke name=")),
    "functionary_v31": Dialect(("<function=",)),
    "qwen3_coder_xml": Dialect(_XML),
    "step3p5_xml": Dialect(_XML),
    "seed_oss_xml": Dialect(("<seed:tool_call>", "<function=")),
    "glm45_argkey": Dialect(("<tool_call>",)),
    "ling3": Dialect(("<tool_call>",)),
    "poolside_v1": Dialect(("<tool_call>",)),
    "hunyuan_v3": Dialect(("<tool_calls>", "<tool_call>")),
    "minimax_m2": Dialect(("<minimax:tool_call>", "<invoke name=")),
    "minimax_m3": Dialect((f"{M3}<tool_call>", f"{M3}<invoke name=")),
    "deepseek_v32_dsml": _dsml("function_calls"),
    "deepseek_v4_dsml": _dsml("tool_calls"),
    "step3": Dialect(("<｜tool_calls_begin｜>", "<｜tool_call_begin｜>", "<steptml:invoke name=")),
    "minicpm5_xml": Dialect(_NAMED_FUNCTIONS),
    "muse_glimmer": Dialect(("<|start|>assistant", "<atem:function_calls>", "<atem:invoke name=")),
    "anthropic_invoke": Dialect(_INVOKE),
    "anthropic_legacy": Dialect(_INVOKE),
    "xml_tool_tool_input": Dialect(("<tool>",)),
    "mistral": Dialect(("[TOOL_CALLS]",)),
    "mistral_args": Dialect(("[TOOL_CALLS]",)),
    "deepseek_v3": Dialect(_DEEPSEEK),
    "deepseek_v3_asciibar": Dialect(("<|tool▁calls▁begin|>", "<|tool▁call▁begin|>", *_DEEPSEEK)),
    "deepseek_v31": Dialect(_DEEPSEEK),
    "kimi_k2": Dialect(_KIMI),
    "kimi_k3": Dialect(("<|open|>",)),
    "internlm2": Dialect(("<|action_start|>", "<|plugin|>")),
    "cohere_command3": Dialect(_COHERE),
    "cohere_command4": Dialect(_COHERE, thinks_until="<|END_THINKING|>"),
    "harmony": Dialect(_HARMONY),
    "gemma4": Dialect(("<|tool_call>", "<|channel>thought")),
    "functiongemma": Dialect(("<start_function_call>",)),
    "apertus": Dialect(("<|tools_prefix|>",)),
    "gigachat3": Dialect(("<|function_call|>", "<|message_sep|>")),
    "inkling": Dialect(
        ("<|message_model|>", "<|content_invoke_tool_json|>", "<|content_text|>", "<|content_thinking|>")
    ),
    "pythonic": Dialect((), ("python",)),
    "llama4_pythonic": Dialect(("<|python_start|>",), ("python",)),
    "olmo3_pythonic": Dialect(("<function_calls>",)),
    "lfm2_pythonic": Dialect(("<|tool_call_start|>",)),
    "gemma_tool_code": Dialect((), ("fence",)),
    "bare_json": Dialect((), ("object",)),
    "bare_json_list": Dialect((), ("list",)),
    "llama3_json": Dialect(("<|python_tag|>", "<tool_call>"), ("object", "functools")),
    "phi4mini_functools": Dialect((), ("functools",)),
    "xlam": Dialect(("<tool_call>", "[TOOL_CALLS]"), ("list", "object", "fence")),
    "json_fenced": Dialect((), ("fence",)),
    "openai_dict": Dialect((), ("object",)),
    "generic_json": Dialect((), ("object",)),
    "command_r_plus": Dialect(_WRAPPERS, ("action", "fence")),
    "functionary_v32": Dialect((), ("functionary",)),
    "react": Dialect((), ("action",)),
    "react_json": Dialect((), ("action", "fence")),
    "action_json_fenced": Dialect((), ("action", "fence")),
}

# For every dialect: these are not part of an answer, or hold text that is not scanned.
ALWAYS = (*_RESULTS, *_THINK, *END_TOKENS, *_CLOSED)
# `name\n{…}` cannot be told from prose, so this form is read only when its dialect was chosen.
BLIND = Dialect(tuple(MARKERS), ("object", "list", "python", "functools", "action", "fence"))


def find_dialect(name: str | None) -> Dialect:
    """The dialect of this name; all of them for None. Raises `ConfigError` for an unknown name."""
    if name is None:
        return BLIND
    if name in DIALECTS:
        return DIALECTS[name]
    hint = did_you_mean(name, DIALECTS, f"there are {', '.join(sorted(DIALECTS))}")
    raise ConfigError(f'unknown dialect of tool calls "{name}": {hint}')
