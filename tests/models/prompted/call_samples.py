"""What models write: for every dialect at least one text with the calls and the text that it holds."""

# ruff: noqa: E501 - the texts stand here as a model writes them, not broken into lines.

from typing import Any, NamedTuple

STRING = {"type": "string"}
TOOLS: list[dict[str, Any]] = [
    {
        "name": "get_weather",
        "description": "The weather in a city.",
        "parameters": {
            "type": "object",
            "properties": {"city": STRING, "days": {"type": "integer"}, "units": {"enum": ["metric", "imperial"]}},
            "required": ["city"],
        },
    },
    {
        "name": "get_time",
        "description": "The time in a zone.",
        "parameters": {"type": "object", "properties": {"zone": {"type": ["string", "null"]}}},
    },
    {
        "name": "write_file",
        "description": "Write a file.",
        "parameters": {
            "type": "object",
            "properties": {
                "path": STRING,
                "content": STRING,
                "lines": {"type": "array", "items": {"type": "integer"}},
                "options": {"type": "object", "properties": {"force": {"type": "boolean"}}},
            },
            "required": ["path", "content"],
        },
    },
    {
        "name": "run",
        "description": "Run a shell command.",
        "parameters": {"type": "object", "properties": {"command": STRING}, "required": ["command"]},
    },
]

OSLO = ("get_weather", {"city": "Oslo"})
CET = ("get_time", {"zone": "CET"})
NOW = ("get_time", {})
W = '{"name": "get_weather", "arguments": {"city": "Oslo"}}'
T = '{"name": "get_time", "arguments": {"zone": "CET"}}'
M3 = "]<]minimax[>["


class Sample(NamedTuple):
    dialect: str
    written: str
    calls: list[tuple[str, dict[str, Any]]]
    text: str = ""
    # Told only when the dialect was chosen.
    chosen: bool = False


def file(path: str, content: str) -> tuple[str, dict[str, Any]]:
    return "write_file", {"path": path, "content": content}


JSON_IN_TAGS = [
    Sample("hermes", f"<tool_call>\n{W}\n</tool_call>", [OSLO]),
    Sample(
        "hermes",
        f"Let me look.\n<tool_call>\n{W}\n</tool_call>\n<tool_call>\n{T}\n</tool_call>",
        [OSLO, CET],
        "Let me look.\n",
    ),
    Sample("hermes", f"<tool_call>{W}", [OSLO]),
    Sample("hermes", f"A<tool_call>{W}</tool_call> B <tool_call>{T}</tool_call> C", [OSLO, CET], "A B  C"),
    Sample("hermes", '<tool_call>{"arguments": {"city": "Oslo"}, "name": "get_weather"}</tool_call>', [OSLO]),
    Sample(
        "hermes",
        '<tool_call>{"name": "run", "arguments": {"command": "echo </tool_call>"}}</tool_call>',
        [("run", {"command": "echo </tool_call>"})],
    ),
    Sample("granite4_hermes", f"<tool_call>\n{W}\n</tool_call>", [OSLO]),
    Sample("ernie45", f"</think>\n\n<tool_call>\n{W}\n</tool_call>\n", [OSLO]),
    Sample("reka_edge", f"<tool_call>\n{W}</tool_call>", [OSLO]),
    Sample("longcat_hermes", f"<longcat_tool_call>{W}</longcat_tool_call>", [OSLO]),
    Sample("seed_flat", '<tool_call>{"tool": "get_weather", "city": "Oslo"}</tool_call>', [OSLO]),
    Sample("seed_flat", '<tool_call>{"tool": "get_weather", "city": "Oslo"}', [OSLO]),
    Sample("seed_flat", '{"tool": "get_weather", "city": "Oslo"}', [OSLO]),
    Sample("granite3", f"<|tool_call|> [{W}, {T}]", [OSLO, CET]),
    Sample("granite3", f"<tool_call> [{W}, {T}]", [OSLO, CET]),
    Sample("granite_20b_fc", f"<function_call> {W}\n<function_call> {T}", [OSLO, CET]),
    Sample("nemotron_toolcall_list", f"<TOOLCALL>[{W}, {T}]</TOOLCALL>", [OSLO, CET]),
    Sample("jamba", f" <tool_calls>[\n    {W},\n    {T}\n]</tool_calls>", [OSLO, CET]),
    Sample("hunyuan_a13b", f"<tool_calls>[{W}, {T}]</tool_calls></answer>", [OSLO, CET]),
    Sample("apriel_toolcalls", f"<tool_calls>[{W}, {T}]</tool_calls>", [OSLO, CET]),
    Sample("minimax_m1", f"<tool_calls>\n{W}\n{T}\n</tool_calls>", [OSLO, CET]),
    Sample("dots", f"<dots_function_call>{W}</dots_function_call>", [OSLO]),
    Sample(
        "dots",
        '<dots_function_call><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke></dots_function_call>',
        [OSLO],
    ),
    Sample("functionary_v31", '<function=get_weather>{"city": "Oslo"}</function>', [OSLO]),
]

XML = [
    Sample(
        "qwen3_coder_xml",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
        [OSLO],
    ),
    Sample(
        "qwen3_coder_xml",
        "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
        [OSLO],
    ),
    Sample(
        "qwen3_coder_xml",
        "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n<parameter=days>\n3\n</parameter>\n</function>\n</tool_call>",
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Sample(
        "qwen3_coder_xml",
        "<tool_call>\n<function=write_file>\n<parameter=path>\na.html\n</parameter>\n<parameter=content>\n<p>a</parameter> b</p>\n\n</parameter>\n</function>\n</tool_call>",
        [file("a.html", "<p>a</parameter> b</p>\n")],
    ),
    Sample(
        "qwen3_coder_xml",
        "<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n<parameter=content>\nb\n</parameter>\n<parameter=options>\n{'force': True}\n</parameter>\n</function>",
        [("write_file", {"path": "a", "content": "b", "options": {"force": True}})],
    ),
    Sample(
        "qwen3_coder_xml",
        "<tool_call>\n<function=get_weather\n<parameter=city\nOslo\n</parameter>\n</function>\n</tool_call>",
        [OSLO],
    ),
    Sample(
        "step3p5_xml",
        '<tool_call>\n<function=get_weather>\n<parameter=city>\n"Oslo"\n</parameter>\n</function>\n</tool_call>',
        [("get_weather", {"city": '"Oslo"'})],
    ),
    Sample(
        "seed_oss_xml",
        "<seed:tool_call>\n<function=get_weather>\n<parameter=city>Oslo</parameter>\n</function>\n</seed:tool_call>",
        [OSLO],
    ),
    Sample(
        "seed_oss_xml",
        "<seed:tool_call>\n<function=run>\n<parameter=command>\nls\n</parameter>\n</function>\n</seed:tool_call>",
        [("run", {"command": "\nls\n"})],
    ),
    Sample(
        "glm45_argkey",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>",
        [OSLO],
    ),
    Sample("glm45_argkey", "<tool_call>get_time</tool_call>", [NOW]),
    Sample(
        "glm45_argkey",
        "<tool_call>get_weather<arg_key>city</arg_key><arg_value> Oslo </arg_value><arg_key>days</arg_key><arg_value>3</arg_value></tool_call>",
        [("get_weather", {"city": " Oslo ", "days": 3})],
    ),
    Sample("ling3", "<tool_call>get_weather<arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call>", [OSLO]),
    Sample(
        "poolside_v1",
        "<tool_call>get_weather\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n<arg_key>units</arg_key>\n</tool_call>",
        [OSLO],
    ),
    Sample(
        "hunyuan_v3",
        "<tool_calls><tool_call>get_weather<tool_sep><arg_key>city</arg_key><arg_value>Oslo</arg_value></tool_call><tool_call>get_time<tool_sep></tool_call></tool_calls>",
        [OSLO, NOW],
    ),
    Sample(
        "minimax_m2",
        '<minimax:tool_call><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke><invoke name="get_time"></invoke></minimax:tool_call>',
        [OSLO, NOW],
    ),
    Sample(
        "minimax_m3",
        f'{M3}<tool_call>{M3}<invoke name="get_weather">{M3}<city>Oslo{M3}</city>{M3}</invoke>{M3}</tool_call>',
        [OSLO],
    ),
    Sample(
        "minimax_m3",
        f'{M3}<tool_call>{M3}<invoke name="write_file">{M3}<path>a{M3}</path>{M3}<content>b{M3}</content>{M3}<lines>{M3}<item>1{M3}</item>{M3}<item>2{M3}</item>{M3}</lines>{M3}<options>{M3}<force>true{M3}</force>{M3}</options>{M3}</invoke>{M3}</tool_call>',
        [("write_file", {"path": "a", "content": "b", "lines": [1, 2], "options": {"force": True}})],
    ),
    Sample(
        "deepseek_v32_dsml",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n<｜DSML｜parameter name="days" string="false">3</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Sample(
        "deepseek_v32_dsml",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_time"/>\n</｜DSML｜function_calls>',
        [NOW],
    ),
    Sample(
        "deepseek_v32_dsml",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">{"city": "Oslo"}</｜DSML｜invoke>\n</｜DSML｜function_calls>',
        [OSLO],
    ),
    Sample(
        "deepseek_v32_dsml",
        '<｜DSML｜function_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="arguments" string="false">{"city": "Oslo"}</｜DSML｜parameter>\n</｜DSML｜function_calls>',
        [OSLO],
    ),
    Sample(
        "deepseek_v4_dsml",
        '<｜DSML｜tool_calls>\n<｜DSML｜invoke name="get_weather">\n<｜DSML｜parameter name="city" string="true">Oslo</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜tool_calls>',
        [OSLO],
    ),
    Sample(
        "step3",
        '<｜tool_calls_begin｜><｜tool_call_begin｜><steptml:invoke name="get_weather"><steptml:parameter name="city">Oslo</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
        [OSLO],
    ),
    Sample("minicpm5_xml", '<function name="get_weather"><param name="city">Oslo</param></function>', [OSLO]),
    Sample(
        "minicpm5_xml",
        '<functionname="run"><paramĠname="command"><![CDATA[echo "</param>" & ls]]></param></function>',
        [("run", {"command": 'echo "</param>" & ls'})],
    ),
    Sample(
        "muse_glimmer",
        '<|start|>assistant to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
        [OSLO],
    ),
    Sample(
        "muse_glimmer",
        ' to=get_weather<|message|><atem:function_calls>\n<atem:invoke name="get_weather.get_weather">\n<atem:parameter name="city">Oslo</atem:parameter>\n</atem:invoke>\n</atem:function_calls><|eom|>',
        [OSLO],
    ),
    Sample(
        "anthropic_invoke",
        '<function_calls><invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke></function_calls>',
        [OSLO],
    ),
    Sample("anthropic_invoke", '<invoke name="get_weather"><parameter name="city">Oslo</parameter></invoke>', [OSLO]),
    Sample(
        "anthropic_legacy",
        "<function_calls><invoke><tool_name>get_weather</tool_name><parameters><city>Oslo</city></parameters></invoke></function_calls>",
        [OSLO],
    ),
    Sample("xml_tool_tool_input", '<tool>get_weather</tool><tool_input>{"city": "Oslo"}</tool_input>', [OSLO]),
    Sample("xml_tool_tool_input", "<tool>get_weather</tool><tool_input>Oslo</tool_input>", [OSLO]),
]

SPECIAL_TOKENS = [
    Sample("mistral", f"[TOOL_CALLS] [{W}, {T}]", [OSLO, CET]),
    Sample("mistral", f'[TOOL_CALLS] [{W[:-1]}, "id": "a1B2c3D4e"}}][/TOOL_CALLS]', [OSLO]),
    Sample("mistral_args", '[TOOL_CALLS]get_weather[ARGS]{"city": "Oslo"}[TOOL_CALLS]get_time[ARGS]{}', [OSLO, NOW]),
    Sample("mistral_args", '[TOOL_CALLS]get_weather{"city": "Oslo"}', [OSLO]),
    Sample("mistral_args", '[TOOL_CALLS]get_weather[CALL_ID]a1B2c3D4e[ARGS]{"city": "Oslo"}', [OSLO]),
    Sample(
        "deepseek_v3",
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [OSLO],
    ),
    Sample(
        "deepseek_v3",
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>get_weather\n```json\n{"city": "Oslo"}```<｜tool▁call▁end｜>\n<｜tool▁call▁begin｜>function<｜tool▁sep｜>get_time\n```json\n{}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [OSLO, NOW],
    ),
    Sample(
        "deepseek_v3_asciibar",
        '<|tool▁calls▁begin|><|tool▁call▁begin|>function<|tool▁sep|>get_weather\n```json\n{"city": "Oslo"}\n```<|tool▁call▁end|><|tool▁calls▁end|><|end▁of▁sentence|>',
        [OSLO],
    ),
    Sample(
        "deepseek_v31",
        '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
        [OSLO],
    ),
    Sample(
        "kimi_k2",
        '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
        [OSLO],
    ),
    Sample("kimi_k2", '<|tool_call_begin|>get_weather:7<|tool_call_argument_begin|>{"city": "Oslo"}', [OSLO]),
    Sample("kimi_k2", '<|tool_call_begin|>3<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>', [OSLO]),
    Sample(
        "kimi_k3",
        '<|open|>tools<|sep|><|open|>call tool="get_weather" index="1"<|sep|><|open|>argument key="city" type="string"<|sep|>Oslo<|close|>argument<|sep|><|open|>argument key="days" type="integer"<|sep|>3<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Sample(
        "kimi_k3",
        "<|open|>message<|sep|><|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>Hello<|close|>response<|sep|><|close|>message<|sep|>",
        [],
        "Hello",
    ),
    Sample(
        "internlm2",
        '<|action_start|><|plugin|>{"name": "get_weather", "parameters": {"city": "Oslo"}}<|action_end|>',
        [OSLO],
    ),
    Sample(
        "cohere_command3",
        '<|START_THINKING|>I will look.<|END_THINKING|><|START_ACTION|>[\n    {"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}\n]<|END_ACTION|>',
        [OSLO],
    ),
    Sample(
        "cohere_command3",
        "<|START_RESPONSE|>It is <co>5 degrees</co: 0:[1]> there.<|END_RESPONSE|>",
        [],
        "It is 5 degrees there.",
    ),
    Sample(
        "cohere_command4",
        '<|START_ACTION|>[{"tool_call_id": "0", "tool_name": "get_weather", "parameters": {"city": "Oslo"}}]<|END_ACTION|>',
        [OSLO],
    ),
    Sample(
        "harmony",
        '<|channel|>commentary to=functions.get_weather <|constrain|>json<|message|>{"city": "Oslo"}<|call|>',
        [OSLO],
    ),
    Sample(
        "harmony",
        '<|channel|>analysis<|message|>Look it up.<|end|><|start|>assistant to=functions.get_weather<|channel|>commentary json<|message|>{"city": "Oslo"}',
        [OSLO],
    ),
    Sample("harmony", ' to=functions.get_weather<|channel|>commentary<|message|>{"city": "Oslo"}<|call|>', [OSLO]),
    Sample(
        "harmony",
        "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>final<|message|>Hello.<|return|>",
        [],
        "Hello.",
    ),
    Sample(
        "gemma4",
        '<|tool_call>call:get_weather{city:<|"|>Oslo<|"|>,days:3}<tool_call|>',
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Sample(
        "functiongemma", "<start_function_call>call:get_weather{city:<escape>Oslo<escape>}<end_function_call>", [OSLO]
    ),
    Sample(
        "apertus", '<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}, {"get_time": {}}]<|tools_suffix|>', [OSLO, NOW]
    ),
    Sample("gigachat3", f"<|function_call|>{W}</s>", [OSLO]),
    Sample("gigachat3", f"<|message_sep|>\n\nfunction call<|role_sep|>\n{W}", [OSLO]),
    Sample(
        "inkling",
        '<|message_model|>get_weather<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Oslo"}}<|end_message|>',
        [OSLO],
    ),
    Sample(
        "inkling",
        "<|message_model|><|content_thinking|>Hm.<|end_message|><|message_model|><|content_text|>Hello.<|end_message|>",
        [],
        "Hello.",
    ),
]

PYTHONIC = [
    Sample("pythonic", "[get_weather(city='Oslo'), get_time(zone=None)]", [OSLO, ("get_time", {"zone": None})]),
    Sample("pythonic", "[get_weather('Oslo', 3)]", [("get_weather", {"city": "Oslo", "days": 3})]),
    Sample("pythonic", r"[run(command='grep \d+ file')]", [("run", {"command": r"grep \d+ file"})]),
    Sample("llama4_pythonic", "<|python_start|>[get_weather(city='Oslo')]<|python_end|>", [OSLO]),
    Sample("llama4_pythonic", "[get_weather(city='Oslo')]", [OSLO]),
    Sample("olmo3_pythonic", "<function_calls>get_weather(city='Oslo')\nget_time()</function_calls>", [OSLO, NOW]),
    Sample(
        "lfm2_pythonic",
        '<|tool_call_start|>[get_weather(city="Oslo"), get_time()]<|tool_call_end|>Checking.',
        [OSLO, NOW],
        "Checking.",
    ),
    Sample("lfm2_pythonic", f"<|tool_call_start|>[{W}]<|tool_call_end|>", [OSLO]),
    Sample(
        "lfm2_pythonic",
        '<|tool_call_start|>[run(command="echo "a b" |\n wc -l")]<|tool_call_end|>',
        [("run", {"command": 'echo "a b" |\n wc -l'})],
    ),
    Sample("gemma_tool_code", '```tool_code\nget_weather(city="Oslo")\n```', [OSLO]),
]

BARE = [
    Sample("bare_json", W, [OSLO]),
    Sample("bare_json", f"Sure, let me look.\n{W}", [OSLO], "Sure, let me look.\n"),
    Sample("bare_json_list", f"[{W}, {T}]", [OSLO, CET]),
    Sample("llama3_json", f'{{"name": "get_weather", "parameters": {{"city": "Oslo"}}}}; {T}', [OSLO, CET]),
    Sample("llama3_json", f"<|python_tag|>{W}", [OSLO]),
    Sample("phi4mini_functools", f"functools[{W}, {T}]", [OSLO, CET]),
    Sample("xlam", f"[{W}, {T}]", [OSLO, CET]),
    Sample("xlam", f"```json\n[{W}]\n```", [OSLO]),
    Sample("xlam", f"</think>[{W}]", [OSLO]),
    Sample("xlam", f"<tool_call>[{W}]</tool_call>", [OSLO]),
    Sample("xlam", f"[TOOL_CALLS][{W}]", [OSLO]),
    Sample("json_fenced", f"```json\n{W}\n```", [OSLO]),
    Sample("json_fenced", f"I will look.\n```\n{W}\n```\n", [OSLO], "I will look.\n"),
    Sample("json_fenced", f"```json{W}```", [OSLO]),
    Sample(
        "json_fenced",
        f"First:\n```json\n{W}\n```\nthen:\n```json\n{T}\n```\nDone.",
        [OSLO, CET],
        "First:\n\nthen:\n\nDone.",
        True,
    ),
    Sample(
        "openai_dict",
        '{"tool_calls": [{"id": "c1", "type": "function", "function": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}]}',
        [OSLO],
    ),
    Sample("generic_json", f'{{"tool_call": {W}}}', [OSLO]),
    Sample("generic_json", f'{{"tool_calls": [{W}, {T}]}}', [OSLO, CET]),
    Sample("generic_json", '{"response": "Hello"}', [], "Hello", True),
    Sample(
        "command_r_plus",
        'Action:\n```json\n[{"tool_name": "get_weather", "parameters": {"city": "Oslo"}}]\n```',
        [OSLO],
    ),
    Sample("functionary_v32", 'get_weather\n{"city": "Oslo"}>>>get_time\n{}', [OSLO, NOW], "", True),
    Sample("functionary_v32", "all\nHello there.>>>get_time\n{}", [NOW], "Hello there.", True),
]

REACT = [
    Sample(
        "react",
        'Thought: Look it up.\nAction: get_weather\nAction Input: {"city": "Oslo"}',
        [OSLO],
        "Thought: Look it up.\n",
    ),
    Sample(
        "react",
        "Thought: Look it up.\nAction: get_weather\nAction Input: Oslo\nObservation: 5 degrees\nThought: done",
        [OSLO],
        "Thought: Look it up.\n",
    ),
    Sample("react", 'Action: get_weather (the city tool)\n\nAction Input: {"city": "Oslo"}\n', [OSLO]),
    Sample(
        "react_json",
        'Thought: Look it up.\n```\n{"action": "get_weather", "action_input": {"city": "Oslo"}}\n```',
        [OSLO],
        "Thought: Look it up.\n",
    ),
    Sample(
        "action_json_fenced",
        'Action:\n```json\n{"action": "get_weather", "action_input": {"city": "Oslo"}}\n```',
        [OSLO],
    ),
    Sample(
        "action_json_fenced",
        'Action:\n```\n{"action": "Final Answer", "action_input": "It is cold."}\n```',
        [],
        "It is cold.",
    ),
]

SAMPLES = [*JSON_IN_TAGS, *XML, *SPECIAL_TOKENS, *PYTHONIC, *BARE, *REACT]
