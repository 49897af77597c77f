"""The same dialects as models really write them: other white space, forgotten tags, several calls, code for values."""

# ruff: noqa: E501 - the texts stand here as a model writes them, not broken into lines.

import json
from typing import Any

from call_samples import CET, M3, NOW, OSLO, Sample, T, W, file

Values = dict[str, str]

FENCE = "```"
THREE_DAYS = ("get_weather", {"city": "Oslo", "days": 3})
ALL_KINDS = ("write_file", {"path": "5", "content": "true", "lines": [1, 2], "options": {"force": True}})
KINDS = {"path": "5", "content": "true", "lines": "[1, 2]", "options": '{"force": true}'}
HTML = '<div class="a">\n  <p>1 < 2 && 3 > 2</p>\n</div>\n'
PYTHON = 'def f(x):\n    """A "doc"."""\n    return f"{x[\'a\']}\\n" if x else "}]</tool_call>"\n'
ARGUMENTS = {"city": "Oslo"}


def qwen(name: str, values: Values, around: str = "\n") -> str:
    inner = "".join(f"<parameter={key}>{around}{value}{around}</parameter>{around}" for key, value in values.items())
    return f"<function={name}>{around}{inner}</function>"


def boxed(inner: str) -> str:
    return f"<tool_call>\n{inner}\n</tool_call>"


def glm(name: str, values: Values, between: str = "\n") -> str:
    pairs = "".join(
        f"<arg_key>{key}</arg_key>{between}<arg_value>{value}</arg_value>{between}" for key, value in values.items()
    )
    return f"<tool_call>{name}{between}{pairs}</tool_call>"


def invoke(name: str, values: Values, prefix: str = "") -> str:
    inner = "".join(f'<{prefix}parameter name="{key}">{value}</{prefix}parameter>' for key, value in values.items())
    return f'<{prefix}invoke name="{name}">{inner}</{prefix}invoke>'


def legacy(name: str, values: Values) -> str:
    inner = "".join(f"<{key}>{value}</{key}>" for key, value in values.items())
    return f"<invoke><tool_name>{name}</tool_name><parameters>{inner}</parameters></invoke>"


def dsml(name: str, *values: tuple[str, str, str]) -> str:
    inner = "".join(
        f'<｜DSML｜parameter name="{key}" string="{said}">{value}</｜DSML｜parameter>\n' for key, value, said in values
    )
    return f'<｜DSML｜invoke name="{name}">\n{inner}</｜DSML｜invoke>'


def dsml_block(inner: str) -> str:
    return f"<｜DSML｜function_calls>\n{inner}\n</｜DSML｜function_calls>"


def m3(name: str, inner: str) -> str:
    return f'{M3}<tool_call>{M3}<invoke name="{name}">{inner}{M3}</invoke>{M3}</tool_call>'


def m3_tag(key: str, value: str) -> str:
    return f"{M3}<{key}>{value}{M3}</{key}>"


def kimi(name: str, arguments: Any) -> str:
    return f"<|tool_call_begin|>{name}<|tool_call_argument_begin|>{json.dumps(arguments)}<|tool_call_end|>"


def k3(name: str, *values: tuple[str, str, str]) -> str:
    inner = "".join(
        f'<|open|>argument key="{key}" type="{kind}"<|sep|>{value}<|close|>argument<|sep|>'
        for key, value, kind in values
    )
    return f'<|open|>call tool="{name}" index="1"<|sep|>{inner}<|close|>call<|sep|>'


def harmony(name: str, arguments: str, channel: str = "commentary") -> str:
    return f"<|channel|>{channel} to=functions.{name} <|constrain|>json<|message|>{arguments}<|call|>"


def v3(name: str, arguments: str) -> str:
    return f"<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```<｜tool▁call▁end｜>"


def named(name: str, arguments: Any) -> str:
    return json.dumps({"name": name, "arguments": arguments}, ensure_ascii=False)


OSLO_QWEN = qwen("get_weather", ARGUMENTS)
EXAMPLE = boxed(qwen("write_file", {"path": "b", "content": "hi"}))
INVOKED = f"<function_calls>{invoke('write_file', {'path': 'x', 'content': 'y'})}</function_calls>"
SECTION, SECTION_END = "<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"
CALLS, CALLS_END = "<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"
ACTION = '{"action": "get_weather", "action_input": {"city": "Oslo"}}'

# fmt: off
JSON_IN_TAGS = [
    Sample("hermes", f"<tool_call>{named('write_file', {'path': 'a', 'content': PYTHON})}</tool_call>", [file("a", PYTHON)]),
    Sample("hermes", f"<tool_call>{named('write_file', {'path': 'a', 'content': f'<tool_call>{T}</tool_call>'})}</tool_call>", [file("a", f"<tool_call>{T}</tool_call>")]),
    Sample("hermes", f"好的，我来查。\n<tool_call>\n{named('get_weather', {'city': '北京'})}\n</tool_call>\n请稍等……", [("get_weather", {"city": "北京"})], "好的，我来查。\n\n请稍等……"),
    Sample("hermes", f"<tool_call>\n<tool_call>\n{W}\n</tool_call>\n</tool_call>", [OSLO]),
    Sample("hermes", f"<tool_call>{W}</tool_calls>", [OSLO]),
    Sample("hermes", f"<tool_call> {W} <tool_call> {T} </tool_call>", [OSLO, CET]),
    Sample("hermes", f"<tool_call>{W}\n{T}</tool_call>", [OSLO, CET]),
    Sample("hermes", f"<tool_call>{W},\n{T}</tool_call>", [OSLO, CET]),
    Sample("hermes", '<tool_call>get_weather\n{"city": "Oslo"}\n</tool_call>', [OSLO]),
    Sample("hermes", '<tool_call>get_weather(city="Oslo")</tool_call>', [OSLO]),
    Sample("hermes", "<tool_call>[get_weather(city='Oslo'), get_time()]</tool_call>", [OSLO, NOW]),
    Sample("hermes", f'<tool_call>{{"tool_calls": [{W}, {T}]}}</tool_call>', [OSLO, CET]),
    Sample("ernie45", f"I look it up.\n</think>\n\n<tool_call>\n{W}\n</tool_call>\n<tool_call>\n{T}\n</tool_call>", [OSLO, CET], "I look it up.", True),
    Sample("longcat_hermes", f"<longcat_think>\nhm\n</longcat_think>\n<longcat_tool_call>\n{W}\n", [OSLO]),
    Sample("seed_flat", '<tool_call>{"tool": "get_weather", "city": "Oslo", "days": 3}', [THREE_DAYS]),
    Sample("seed_flat", '<tool_call>{"tool": "get_time"}</tool_call>', [NOW]),
    Sample("granite3", f"<|tool_call|>[{named('run', {'command': 'a] [b'})}]\nDone.", [("run", {"command": "a] [b"})], "Done."),
    Sample("granite_20b_fc", f"<function_call>{W}<function_call>{T} So.", [OSLO, CET], "So."),
    Sample("nemotron_toolcall_list", f"ok <TOOLCALL>[{W}, {T}]", [OSLO, CET], "ok "),
    Sample("nemotron_toolcall_list", f"<toolcall>[{W}]</toolcall>", [], f"<toolcall>[{W}]</toolcall>"),
    Sample("hunyuan_a13b", f"<think>\n\n</think>\n<tool_calls>[{W}]</tool_calls>\n</answer>", [OSLO]),
    Sample("apriel_toolcalls", f"[BEGIN FINAL RESPONSE]\n<tool_calls>[{W}]</tool_calls>\n[END FINAL RESPONSE]\n<|end|>", [OSLO]),
    Sample("jamba", "<tool_calls>[]</tool_calls>", []),
    Sample("dots", f"<dots_function_call>{T}\n{invoke('get_weather', ARGUMENTS)}</dots_function_call>", [CET, OSLO]),
    Sample("functionary_v31", '<function=run>{"command": "</function>"}</function><function=get_time>{}</function><|eom_id|>', [("run", {"command": "</function>"}), NOW]),
]

XML = [
    Sample("qwen3_coder_xml", boxed(qwen("write_file", KINDS)), [ALL_KINDS]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", KINDS, "")), [ALL_KINDS]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {**KINDS, "lines": "[1, 2,]", "options": "{'force': True}"})), [ALL_KINDS]),
    Sample("qwen3_coder_xml", boxed(OSLO_QWEN + "\n" + qwen("get_time", {"zone": "None"})), [OSLO, ("get_time", {"zone": None})]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {"path": "a", "content": HTML})), [file("a", HTML)]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {"path": "a", "content": EXAMPLE})), [file("a", EXAMPLE)]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {"path": "a", "content": f"So:\n{EXAMPLE}\nend"})), [file("a", f"So:\n{EXAMPLE}\nend")]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {"path": "a", "content": "use <parameter=x> here"})) + boxed(qwen("get_time", {})), [file("a", "use <parameter=x> here"), NOW]),
    Sample("qwen3_coder_xml", boxed(qwen("write_file", {"path": "a", "content": "<function=f> <parameter=x> open"})), [file("a", "<function=f> <parameter=x> open")]),
    Sample("qwen3_coder_xml", boxed(OSLO_QWEN.replace("</parameter>", "</parameter>\n</parameter>")), [OSLO]),
    Sample("qwen3_coder_xml", boxed(OSLO_QWEN.replace("</function>\n", "").replace("</function>", "")), [OSLO]),
    Sample("qwen3_coder_xml", boxed('<function="get_weather">\n<parameter="City">\nOslo\n</parameter>\n</function>'), [OSLO]),
    Sample("qwen3_coder_xml", boxed('<function=get_weather>\n{"city": "Oslo"}\n</function>'), [OSLO]),
    Sample("qwen3_coder_xml", f"Hi.\n{OSLO_QWEN}\n</tool_call>\nok", [OSLO], "Hi.\n\nok"),
    Sample("step3p5_xml", boxed(qwen("write_file", {"path": "a", "content": "\n  x\n"})), [file("a", "\n  x\n")]),
    Sample("seed_oss_xml", f"x<seed:tool_call>Sure:\n{qwen('get_weather', {'city': 'Oslo', 'days': '3'}, '')}\n{qwen('get_time', {})}\n</seed:tool_call>", [THREE_DAYS, NOW], "x"),
    Sample("glm45_argkey", glm("write_file", KINDS), [ALL_KINDS]),
    Sample("glm45_argkey", glm("write_file", {"path": "a", "content": '  <b>\n</arg_value> \\n "q" </b>'}), [file("a", '  <b>\n</arg_value> \\n "q" </b>')]),
    Sample("glm45_argkey", f"I will.\n{glm('get_weather', ARGUMENTS)}\n{glm('get_time', {})}\nthen", [OSLO, NOW], "I will.\n\nthen"),
    Sample("glm45_argkey", glm("get_weather", ARGUMENTS).replace("</tool_call>", "<tool_call>get_time\n"), [OSLO, NOW]),
    Sample("poolside_v1", "<tool_call>get_weather\n<arg_key>units</arg_key>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>", [OSLO]),
    Sample("hunyuan_v3", "ok<tool_calls>\n<tool_call>get_weather<tool_sep>\n<arg_key>city</arg_key>\n<arg_value>Oslo</arg_value>\n</tool_call>", [OSLO], "ok"),
    Sample("minimax_m2", f"<minimax:tool_call>{invoke('write_file', {'path': 'a', 'content': HTML})}</minimax:tool_call>", [file("a", HTML)]),
    Sample("minimax_m2", f"<minimax:tool_call>{invoke('get_weather', ARGUMENTS).replace('</invoke>', '')}{invoke('get_time', {})}", [OSLO, NOW]),
    Sample("minimax_m3", f"Hi\n{m3('write_file', m3_tag('path', 'a') + m3_tag('content', HTML) + m3_tag('lines', m3_tag('item', '1')))}", [("write_file", {"path": "a", "content": HTML, "lines": [1]})], "Hi\n"),
    Sample("deepseek_v32_dsml", dsml_block(dsml("write_file", *((key, value, "false" if key in ("lines", "options") else "true") for key, value in KINDS.items()))), [ALL_KINDS]),
    Sample("deepseek_v32_dsml", dsml_block(dsml("get_weather", ("city", "Oslo", "false"), ("days", "3", "true"))), [THREE_DAYS]),
    Sample("deepseek_v32_dsml", dsml_block(dsml("get_weather", ("input", '{"city": "Oslo"}', "true"))), [OSLO]),
    Sample("deepseek_v32_dsml", dsml("get_weather", ("city", "Oslo", "true")).replace("</｜DSML｜invoke>", dsml("get_time")), [OSLO, NOW]),
    Sample("deepseek_v4_dsml", f"先看。\n\n{dsml_block(dsml('get_weather', ('city', '北京', 'true'))).replace('function_calls', 'tool_calls')}<｜end▁of▁sentence｜>", [("get_weather", {"city": "北京"})], "先看。"),
    Sample("step3", f"<｜tool_calls_begin｜>\n<｜tool_call_begin｜>function<｜tool_sep｜>{invoke('get_weather', ARGUMENTS, 'steptml:')}<｜tool_call_end｜>\n<｜tool_call_begin｜>{invoke('get_time', {}, 'steptml:')}", [OSLO, NOW]),
    Sample("minicpm5_xml", '<function name="run"><param name="command">R&D && a &lt; b</param></function>\n<function name="get_time"/>', [("run", {"command": "R&D && a < b"}), NOW]),
    Sample("minicpm5_xml", '<function name="get_weather">\n<parameter name="city">Oslo</parameter>\n</function>', [OSLO]),
    Sample("muse_glimmer", f"to=self<|message|>hm<|eom|><|start|>assistant to=get_weather.get_weather<|message|><atem:function_calls>{invoke('get_weather', ARGUMENTS, 'atem:')}</atem:function_calls><|eom|><|start|>assistant to=user<|message|>Bye.<|eom|>", [OSLO], "Bye."),
    Sample("anthropic_invoke", f"I'll check.\n<function_calls>\n{invoke('write_file', KINDS)}\n{invoke('get_time', {})}\n", [ALL_KINDS, NOW], "I'll check.\n"),
    Sample("anthropic_invoke", invoke("write_file", {"path": "a", "content": INVOKED}), [file("a", INVOKED)]),
    Sample("anthropic_invoke", invoke("get_weather", ARGUMENTS).replace('"', "'"), [OSLO]),
    Sample("anthropic_legacy", f"<function_calls>{legacy('write_file', {**KINDS, 'content': '<p>x</p>'})}{legacy('get_time', {})}", [("write_file", {**ALL_KINDS[1], "content": "<p>x</p>"}), NOW]),
    Sample("xml_tool_tool_input", "<tool>get_weather</tool>\n<tool_input>Oslo\n", [OSLO]),
    Sample("xml_tool_tool_input", "<final_answer>Use <tool>get_weather</tool> then</final_answer>", [], "<final_answer>Use <tool>get_weather</tool> then</final_answer>"),
]

TOKENS = [
    Sample("mistral", f"Let me see.[TOOL_CALLS]\n[{W},\n {T}]</s>", [OSLO, CET], "Let me see."),
    Sample("mistral", f"[TOOL_CALLS] [{W}][TOOL_RESULTS] 5 [/TOOL_RESULTS] It is 5.", [OSLO]),
    Sample("mistral", f"[TOOL_CALLS][{W}][TOOL_CALLS][{T}]", [OSLO, CET]),
    Sample("mistral_args", "[THINK]I [TOOL_CALLS]get_time[ARGS]{} maybe[/THINK][TOOL_CALLS]get_weather[ARGS]{\"city\": \"Oslo\"}</s>", [OSLO]),
    Sample("mistral_args", "[TOOL_CALLS]get_time", [NOW]),
    Sample("deepseek_v3", f"好。{CALLS}\nok: {v3('get_weather', json.dumps(ARGUMENTS))}\n{v3('get_time', '{}')}{CALLS_END}<｜end▁of▁sentence｜>", [OSLO, NOW], "好。"),
    Sample("deepseek_v3", v3("write_file", json.dumps({"path": "a", "content": "```py\nx\n```\n"})), [file("a", "```py\nx\n```\n")]),
    Sample("deepseek_v3_asciibar", f"{CALLS}{v3('get_weather', json.dumps(ARGUMENTS))}{CALLS_END}<｜tool▁outputs▁begin｜>5<｜tool▁outputs▁end｜>It is 5.".replace("｜", "|"), [OSLO]),
    Sample("deepseek_v31", f"Hi {CALLS}{CALLS_END} you", [], "Hi  you"),
    Sample("kimi_k2", f"Ok.{SECTION} {kimi(' functions.get_weather:3 ', ARGUMENTS)} {kimi('get_time', {})} {SECTION_END}", [OSLO, NOW], "Ok."),
    Sample("kimi_k2", SECTION + (kimi("functions.get_weather:0", ARGUMENTS) + kimi("functions.get_time:1", {})).replace("<|tool_call_end|>", ""), [OSLO, NOW]),
    Sample("kimi_k3", f"<|open|>message<|sep|><|open|>response<|sep|>Hi<|close|>response<|sep|><|open|>tools<|sep|>{k3('write_file', ('path', '5', 'string'), ('content', HTML, 'string'), ('lines', '[1]', 'array'))}{k3('get_time', ('zone', 'null', 'null'))}<|close|>tools<|sep|><|close|>message<|sep|>", [("write_file", {"path": "5", "content": HTML, "lines": [1]}), ("get_time", {"zone": None})], "Hi"),
    Sample("internlm2", f"I check.<|action_start|> <|plugin|>\n{W}<|action_end|><|action_start|><|plugin|>{T}", [OSLO, CET], "I check."),
    Sample("cohere_command3", f"<|START_THINKING|>Perhaps <|START_ACTION|>[{T}]<|END_ACTION|>.<|END_THINKING|><|START_ACTION|>[{W}]<|END_ACTION|><|END_OF_TURN_TOKEN|>", [OSLO]),
    Sample("cohere_command4", "<|START_TEXT|>It is <co>5</co: 0:[0],1:[1,2]> ok.<|END_TEXT|>", [], "It is 5 ok."),
    Sample("harmony", f"<|channel|>commentary<|message|>I look.<|end|><|start|>assistant{harmony('get_weather', json.dumps(ARGUMENTS), 'analysis')}<|start|>assistant{harmony('get_time', '')}", [OSLO, NOW], "I look."),
    Sample("harmony", f"<|channel|>analysis<|message|>I will call {W} now<|end|><|start|>assistant<|channel|>final<|message|>Hi<|return|>", [], "Hi"),
    Sample("gemma4", '<|channel>thought\nHm.<channel|><|tool_call>call:write_file{path:<|"|>5<|"|>,content:<|"|>f() { return "x}"; }<|"|>,lines:[1,2],options:{force:true}}<tool_call|><|tool_response>5<tool_response|>It is', [("write_file", {**ALL_KINDS[1], "content": 'f() { return "x}"; }'})]),
    Sample("gemma4", "<|tool_call>call:get_weather{city:Oslo,days:3}<tool_call|><|tool_call>call:get_time{}", [THREE_DAYS, NOW]),
    Sample("functiongemma", "<start_function_call>call:get_weather{city:<escape>Oslo<escape>,days:3}<end_function_call><start_function_call>call:get_time{}<end_function_call><start_function_response>", [THREE_DAYS, NOW]),
    Sample("apertus", 'Sure.<|tools_prefix|>[{"get_weather": {"city": "Oslo"}}]<|tools_suffix|>ok', [OSLO], "Sure.ok"),
    Sample("gigachat3", f"Смотрю.<|function_call|>{W}", [OSLO], "Смотрю."),
    Sample("inkling", '<|message_model|>get_time<|content_invoke_tool_json|>{"name":"get_weather","args":{"city":"Oslo"}}', [OSLO]),
]

PYTHONIC = [
    Sample("pythonic", '[write_file(path="5", content="true", lines=[1, 2], options={\'force\': True}), get_time(zone=null)]', [ALL_KINDS, ("get_time", {"zone": None})]),
    Sample("pythonic", f"[write_file('a', {PYTHON!r})]", [file("a", PYTHON)]),
    Sample("pythonic", '[write_file(path="a", content="""x "y"\nz""")]', [file("a", 'x "y"\nz')]),
    Sample("pythonic", '[functions.get_weather(city="Oslo"),\n get_time()]\nLet me see.', [OSLO, NOW], "Let me see."),
    Sample("pythonic", '[get_weather(city="Oslo"', [OSLO]),
    Sample("llama4_pythonic", "<|python_start|>[get_weather(city='Oslo'), get_time()]<|python_end|><|eot|>", [OSLO, NOW]),
    Sample("llama4_pythonic", "get_weather<|python_start|>get_weather(city='Oslo')", [OSLO], "get_weather"),
    Sample("olmo3_pythonic", "Ok <function_calls>\nget_weather(city='Oslo', days=3)\nget_time(zone='CET')\n</function_calls><|im_end|>", [THREE_DAYS, CET], "Ok "),
    Sample("lfm2_pythonic", "<|tool_call_start|>[run(command='awk '{print $1}' f')]<|tool_call_end|>Wait.<|tool_call_start|>[run(command=\"python -c \"print(1, 2)\"\")]<|tool_call_end|>", [("run", {"command": "awk '{print $1}' f"}), ("run", {"command": 'python -c "print(1, 2)"'})], "Wait."),
    Sample("gemma_tool_code", f'{FENCE}tool_code\nprint(default_api.get_weather(city="Oslo"))\n{FENCE}', [OSLO]),
    Sample("gemma_tool_code", f'Ok:\n{FENCE}tool_code\nget_weather(city="Oslo")\nprint(get_time())\n{FENCE}\nNow.', [OSLO, NOW], "Ok:\n\nNow.", True),
]

BARE = [
    Sample("bare_json", json.dumps(json.loads(W), indent=2), [OSLO]),
    Sample("bare_json", f"Both.\n\n{W}\n\n{T}\n\nDone!", [OSLO, CET], "Both.\n\n\n\nDone!"),
    Sample("bare_json", named("write_file", {"path": "a", "content": PYTHON}), [file("a", PYTHON)]),
    Sample("bare_json_list", f"Ok.\n[\n  {W},\n  {T}\n]\nDone", [OSLO, CET], "Ok.\n\nDone"),
    Sample("llama3_json", f"<|python_tag|>{W};{T}<|python_tag|>{W}<|eom_id|>", [OSLO, CET, OSLO]),
    Sample("llama3_json", f" functools[{W}]", [OSLO]),
    Sample("llama3_json", '<|python_tag|>get_weather.call(city="Oslo")', [OSLO]),
    Sample("llama3_json", "<|python_tag|>import math", [], "<|python_tag|>import math"),
    Sample("phi4mini_functools", f"Ok.\nfunctools[{W}, {T}", [OSLO, CET], "Ok.\n"),
    Sample("xlam", f"{FENCE}json\n[{W}, {T}]\n{FENCE}", [OSLO, CET], "", True),
    Sample("json_fenced", f"{FENCE}{W}{FENCE}", [OSLO]),
    Sample("json_fenced", f"{FENCE}json\n// the call\n{W}\n", [OSLO]),
    Sample("json_fenced", f"{FENCE}json\n{named('write_file', {'path': 'a', 'content': '```py```'})}\n{FENCE}<|im_end|>", [file("a", "```py```")]),
    Sample("openai_dict", f'{{"role": "assistant", "content": "I look.", "tool_calls": [{{"function": {W}}}, {{"function": {T}}}]}}', [OSLO, CET], "I look."),
    Sample("openai_dict", '{"function_call": {"name": "get_weather", "arguments": "{\\"city\\": \\"Oslo\\"}"}}', [OSLO]),
    Sample("openai_dict", '{"type": "tool_use", "id": "t1", "name": "get_weather", "input": {"city": "Oslo"}}', [OSLO]),
    Sample("generic_json", '{"response": "Say \\"hi\\"\\nnow"}', [], 'Say "hi"\nnow', True),
    Sample("command_r_plus", f"Plan: look.\nAction: {FENCE}json\n[{W},\n{T}]\n{FENCE}<|END_OF_TURN_TOKEN|>", [OSLO, CET], "Plan: look.\n"),
    Sample("functionary_v32", '>>>get_weather\n{"city": "Oslo"}<|eot_id|>', [OSLO], "", True),
]

REACT = [
    Sample("react", 'Action: get_weather\nAction Input: {"city": "Oslo"}\nObservation: 5\nFinal Answer: 5', [OSLO]),
    Sample("react", 'Action: get_weather\nAction Input: {"city": "Oslo"}\nAction: get_time\nAction Input: {"zone": "CET"}', [OSLO, CET]),
    Sample("react", f'**Action:** [get_weather]\n**Action Input:**\n{FENCE}json\n{{"city": "Oslo",\n "days": 3}}\n{FENCE}\nI wait.', [THREE_DAYS], "I wait."),
    Sample("react", 'Action 1: get_weather\nAction Input 1: "Oslo"', [OSLO]),
    Sample("react", "思考：查一下\nAction：get_weather\nAction Input：北京", [("get_weather", {"city": "北京"})], "思考：查一下\n"),
    Sample("react", 'action: run\naction input: ls | grep "x" && echo {a}', [("run", {"command": 'ls | grep "x" && echo {a}'})]),
    Sample("react", f"Action: get_weather{' ' * 3000}\n{' ' * 500}\n\nAction Input: Oslo", [OSLO]),
    Sample("react", "Action:\nget_time\nAction Input:", [NOW]),
    Sample("react_json", f"Thought: a\n{FENCE}\n{ACTION}\n{FENCE}\nObservation: 5", [OSLO], "Thought: a\n", True),
    Sample("action_json_fenced", f"Action: {FENCE}{ACTION}{FENCE}\nObservation: 5\nAction:\n{FENCE}\n{ACTION}\n{FENCE}", [OSLO]),
    Sample("action_json_fenced", f"Action:\n{ACTION}", [OSLO]),
]

# fmt: on
VARIANTS = [*JSON_IN_TAGS, *XML, *TOKENS, *PYTHONIC, *BARE, *REACT]
