"""Calls that models write a little wrong: what is made of each."""

# ruff: noqa: E501 - the texts stand here as a model writes them, not broken into lines.

from typing import Any, NamedTuple

from call_samples import CET, M3, NOW, OSLO, T, W, file


class Slip(NamedTuple):
    about: str
    written: str
    calls: list[tuple[str, dict[str, Any]]]
    text: str = ""
    # Names of the tools of calls that cannot run.
    problems: tuple[str, ...] = ()


def args(arguments: str, name: str = "get_weather") -> str:
    return f'<tool_call>{{"name": "{name}", "arguments": {arguments}}}</tool_call>'


MARKERS = [
    Slip("the end tag is missing", f"<tool_call>{W}", [OSLO]),
    Slip("the end tag is missing before the next call", f"<tool_call>{W}<tool_call>{T}", [OSLO, CET]),
    Slip(
        "the outer tag is missing",
        "<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>",
        [OSLO],
    ),
    Slip(
        "section tokens are missing",
        '<｜tool▁call▁begin｜>get_weather<｜tool▁sep｜>{"city": "Oslo"}<｜tool▁call▁end｜>',
        [OSLO],
    ),
    Slip(
        "a parameter's end tag is missing before its sibling",
        '<invoke name="get_weather"><parameter name="city">Oslo<parameter name="days">3</parameter></invoke>',
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Slip(
        "a parameter's end tag is missing before the outer end",
        "<function=get_weather><parameter=city>Oslo</function></tool_call>",
        [OSLO],
    ),
    Slip(
        "a call's end tag is missing before the outer end",
        '<function_calls><invoke name="get_weather"><parameter name="city">Oslo</parameter></function_calls>',
        [OSLO],
    ),
    Slip("a value is cut by the end", "<function=get_weather><parameter=city>Osl", [("get_weather", {"city": "Osl"})]),
    Slip("a section holds nothing", "Well.\n<tool_calls>\n</tool_calls>", [], "Well."),
    Slip("a list holds nothing", "Well.\n<tool_calls>[]</tool_calls>", [], "Well."),
    Slip("a tag holds nothing", "<tool_call></tool_call>Hello.", [], "Hello."),
    Slip("a marker is the end", "Hello.\n<tool_call>", [], "Hello."),
    Slip("half a marker is the end", "Hello.\n<tool_ca", [], "Hello.\n<tool_ca"),
    Slip(
        "noise stands before the first call of a section",
        '<|tool_calls_section_begin|>Sure:\n<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|><|tool_calls_section_end|>',
        [OSLO],
    ),
    Slip("brackets too many", f"<tool_call>{W}}}]</tool_call> Done.", [OSLO], "Done."),
    Slip(
        "one bad block among good ones",
        f"<tool_call>{W}</tool_call>\n{args('{city: Oslo}')}\n<tool_call>{T}</tool_call>",
        [OSLO, CET],
        "",
        ("get_weather",),
    ),
    Slip(
        "a missing quote does not take the next call with it",
        f"{args(chr(123) + chr(34) + 'city' + chr(34) + ': ' + chr(34) + 'Oslo}')}\n<tool_call>{T}</tool_call>",
        [OSLO, CET],
    ),
    Slip("text behind a call", f"<tool_call>{W}</tool_call>\nOne moment.", [OSLO], "One moment."),
    Slip(
        "an invented result is dropped",
        f"<tool_call>{W}</tool_call>\n<tool_response>5 degrees</tool_response>\nIt is 5 degrees.",
        [OSLO],
    ),
    Slip("an invented observation is dropped", f"{W}\nObservation: 5 degrees\nFinal Answer: 5", [OSLO]),
    Slip(
        "an action and a final answer",
        'Action: get_weather\nAction Input: {"city": "Oslo"}\nFinal Answer: it is cold',
        [],
        'Action: get_weather\nAction Input: {"city": "Oslo"}\nFinal Answer: it is cold',
    ),
    Slip("end tokens are no text", "Hello.<|im_end|>", [], "Hello."),
    Slip("a fenced call in a tag", f"<tool_call>\n```json\n{W}\n```\n</tool_call>", [OSLO]),
    Slip("a tag in a fence that is all", f"```xml\n<tool_call>\n{W}\n</tool_call>\n```", [OSLO]),
    Slip("M3 without its end", f'{M3}<tool_call>{M3}<invoke name="get_weather">{M3}<city>Oslo', [OSLO]),
]

JSON = [
    Slip("a trailing comma", args('{"city": "Oslo",}'), [OSLO]),
    Slip("single quotes", args("{'city': 'Oslo'}"), [OSLO]),
    Slip("a quote in single quotes", args("{'city': 'L\\'Aquila'}"), [("get_weather", {"city": "L'Aquila"})]),
    Slip(
        "Python's words",
        '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": "b", "options": {"force": True}}}</tool_call>',
        [("write_file", {"path": "a", "content": "b", "options": {"force": True}})],
    ),
    Slip("an unquoted key", args('{city: "Oslo"}'), [OSLO]),
    Slip("a raw newline in a string", args('{"path": "a", "content": "x\ny"}', "write_file"), [file("a", "x\ny")]),
    Slip("a raw tab in a string", args('{"path": "a", "content": "x\ty"}', "write_file"), [file("a", "x\ty")]),
    Slip(
        "unescaped quotes",
        args('{"path": "a", "content": "say "hi" to all"}', "write_file"),
        [file("a", 'say "hi" to all')],
    ),
    Slip(
        "unescaped quotes in code",
        args('{"command": "echo "a" | grep "b""}', "run"),
        [("run", {"command": 'echo "a" | grep "b"'})],
    ),
    Slip(
        "an escape that is none",
        args(r'{"command": "grep \d+ \. file"}', "run"),
        [("run", {"command": r"grep \d+ \. file"})],
    ),
    Slip("line comments", args('{"city": "Oslo" // the capital\n}'), [OSLO]),
    Slip(
        "block comments",
        args('{/* where */ "city": "Oslo", # here\n "days": 3}'),
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Slip("full-width punctuation", args("{“city”：“Oslo”，“days”：3}"), [("get_weather", {"city": "Oslo", "days": 3})]),
    Slip("Chinese in full-width quotes", args("{“city”：“北京”}"), [("get_weather", {"city": "北京"})]),
    Slip(
        "closing brackets missing before the end tag",
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"}</tool_call>',
        [OSLO],
    ),
    Slip(
        "all closing brackets missing",
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"</tool_call>',
        [OSLO],
    ),
    Slip(
        "closing brackets missing at the end", '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo"', [OSLO]
    ),
    Slip(
        "a string cut by the end",
        '<tool_call>{"name": "get_weather", "arguments": {"city": "Osl',
        [("get_weather", {"city": "Osl"})],
    ),
    Slip("a key cut by the end", '<tool_call>{"name": "get_weather", "arguments": {"city": "Oslo", "da', [OSLO]),
    Slip(
        "what was cut does not fit the schema",
        '<tool_call>{"name": "write_file", "arguments": {"path": "a',
        [],
        "",
        ("write_file",),
    ),
    Slip(
        "an object begun anew in itself",
        '<tool_call>{"name": "get_weather", {"name": "get_weather", "arguments": {"city": "Oslo"}}</tool_call>',
        [OSLO],
    ),
    Slip("bare JSON without its last brackets", '{"name": "get_weather", "arguments": {"city": "Oslo"', [OSLO]),
    Slip(
        "a triple-quoted string",
        '<tool_call>{"name": "write_file", "arguments": {"path": "a", "content": """x "y"\nz"""}}</tool_call>',
        [file("a", 'x "y"\nz')],
    ),
    Slip("single quotes everywhere", "{'name': 'get_weather', 'arguments': {'city': 'Oslo'}}", [OSLO]),
    Slip(
        "an apostrophe in single quotes",
        args("{'city': 'Coeur d'Alene'}"),
        [("get_weather", {"city": "Coeur d'Alene"})],
    ),
    Slip("unquoted keys everywhere", '{name: "get_weather", arguments: {city: "Oslo"}}', [OSLO]),
    Slip(
        "full-width brackets",
        "<tool_call>｛“name”：“get_weather”，“arguments”：｛“city”：“Oslo”｝｝</tool_call>",
        [OSLO],
    ),
    Slip("full-width quotes of one kind", args("{”city”: “Oslo“}"), [OSLO]),
    Slip(
        "full-width punctuation inside a string stays",
        args('{"command": "你好，“世界”：｛x｝"}', "run"),
        [("run", {"command": "你好，“世界”：｛x｝"})],
    ),
    Slip(
        "commas missing",
        '<tool_call>{"name": "get_weather" "arguments": {"city": "Oslo"\n"days": 3}}</tool_call>',
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Slip("commas too many", '<tool_call>{"name": "get_weather",, "arguments": {"city": "Oslo",},}</tool_call>', [OSLO]),
    Slip(
        "unescaped quotes in HTML",
        args('{"path": "a", "content": "<a href="x" class="y">t</a>"}', "write_file"),
        [file("a", '<a href="x" class="y">t</a>')],
    ),
    Slip(
        "unescaped quotes and brackets in code",
        args('{"path": "a", "content": "print("x, y")\nz = {"k": {"l": "m"}}"}', "write_file"),
        [file("a", 'print("x, y")\nz = {"k": {"l": "m"}}')],
    ),
    Slip(
        "unescaped quotes before a comma",
        args('{"command": "echo the "big", "small" ones", "days": 3}', "run"),
        [("run", {"command": 'echo the "big", "small" ones', "days": 3})],
    ),
    Slip("arguments in a string, their quotes not escaped", args('"{"city": "Oslo"}"'), [OSLO]),
    Slip("arguments encoded three times", args('"\\"{\\\\\\"city\\\\\\": \\\\\\"Oslo\\\\\\"}\\""'), [OSLO]),
    Slip("a byte order mark", f"<tool_call>\ufeff{W}</tool_call>", [OSLO]),
    Slip(
        "a call begun anew in its arguments",
        args('{"name": "get_weather", "arguments": {"city": "Oslo"}}'),
        [OSLO],
    ),
    Slip(
        "a call begun anew in a value",
        '{"name": "get_weather", "arguments": {"city": {"name": "get_weather", "arguments": {"city": "Oslo"}}',
        [OSLO],
    ),
    Slip(
        "Python in a string",
        args('{"path": "a", "content": "b", "options": "{\'force\': True}"}', "write_file"),
        [("write_file", {"path": "a", "content": "b", "options": {"force": True}})],
    ),
    Slip("words that are no JSON", args("{city is Oslo}"), [], "", ("get_weather",)),
    Slip("a bare word for a value", args('{"city": Oslo}'), [], "", ("get_weather",)),
]

SHAPES = [
    Slip("arguments as a JSON string", args('"{\\"city\\": \\"Oslo\\"}"'), [OSLO]),
    Slip("arguments wrapped once more", args('{"arguments": {"city": "Oslo"}}'), [OSLO]),
    Slip("arguments wrapped in input", args('{"input": {"city": "Oslo"}}'), [OSLO]),
    Slip(
        "arguments wrapped where any key is allowed",
        args('{"parameters": {"zone": "CET"}}', "get_time"),
        [CET],
    ),
    Slip(
        "arguments wrapped in a parameter",
        '<function=get_time><parameter=input>{"zone": "CET"}</parameter></function>',
        [CET],
    ),
    Slip(
        "a key of its own that no schema forbids",
        args('{"input": {"x": 1}}', "get_time"),
        [("get_time", {"input": {"x": 1}})],
    ),
    Slip(
        "a number with leading zeros",
        args('{"city": "Oslo", "days": 03}'),
        [("get_weather", {"city": "Oslo", "days": 3})],
    ),
    Slip("a code with leading zeros", args('{"city": 0150}'), [("get_weather", {"city": "0150"})]),
    Slip(
        "a Python set",
        args('{"path": "a", "content": "b", "lines": {1, 2}}', "write_file"),
        [("write_file", {"path": "a", "content": "b", "lines": [1, 2]})],
    ),
    Slip(
        "a Python set in Python",
        "[write_file(path='a', content='b', lines={1, 2})]",
        [("write_file", {"path": "a", "content": "b", "lines": [1, 2]})],
    ),
    Slip("arguments wrapped in properties", args('{"properties": {"city": "Oslo"}}'), [OSLO]),
    Slip(
        "parameters for arguments",
        '<tool_call>{"name": "get_weather", "parameters": {"city": "Oslo"}}</tool_call>',
        [OSLO],
    ),
    Slip("function and args", '<tool_call>{"function": "get_weather", "args": {"city": "Oslo"}}</tool_call>', [OSLO]),
    Slip(
        "tool_name and tool_input",
        '<tool_call>{"tool_name": "get_weather", "tool_input": {"city": "Oslo"}}</tool_call>',
        [OSLO],
    ),
    Slip("action and action_input", '<tool_call>{"action": "get_weather", "action_input": "Oslo"}</tool_call>', [OSLO]),
    Slip("flat, the name last", '<tool_call>{"city": "Oslo", "tool": "get_weather"}</tool_call>', [OSLO]),
    Slip("flat and bare, the name last", '{"city": "Oslo", "tool": "get_weather"}', [OSLO]),
    Slip("the name as the only key", '<tool_call>{"get_weather": {"city": "Oslo"}}</tool_call>', [OSLO]),
    Slip(
        "as the API sends it",
        '<tool_call>{"type": "function", "function": {"name": "get_weather", "arguments": {"city": "Oslo"}}}</tool_call>',
        [OSLO],
    ),
    Slip("a name in another spelling", args('{"city": "Oslo"}', "getWeather"), [OSLO]),
    Slip("a name with a wrapper", args('{"city": "Oslo"}', "functions.get_weather"), [OSLO]),
    Slip("a name with a slip", args('{"city": "Oslo"}', "get_wether"), [OSLO]),
    Slip("a number in a string", args('{"city": "Oslo", "days": "3"}'), [("get_weather", {"city": "Oslo", "days": 3})]),
    Slip(
        "a scalar for a list",
        args('{"path": "a", "content": "b", "lines": 3}', "write_file"),
        [("write_file", {"path": "a", "content": "b", "lines": [3]})],
    ),
    Slip(
        "JSON in a string",
        args('{"path": "a", "content": "b", "lines": "[1, 2]"}', "write_file"),
        [("write_file", {"path": "a", "content": "b", "lines": [1, 2]})],
    ),
    Slip(
        "an option in another case",
        args('{"city": "Oslo", "units": "METRIC"}'),
        [("get_weather", {"city": "Oslo", "units": "metric"})],
    ),
    Slip("a parameter in another case", args('{"City": "Oslo"}'), [OSLO]),
    Slip(
        "a value of another type stays",
        args('{"city": "Oslo", "days": "soon"}'),
        [("get_weather", {"city": "Oslo", "days": "soon"})],
    ),
    Slip("no arguments where none are needed", '<tool_call>{"name": "get_time"}</tool_call>', [NOW]),
    Slip("an empty string for arguments", args('""', "get_time"), [NOW]),
    Slip("null for arguments", '<tool_call>{"name": "get_time", "arguments": null}</tool_call>', [NOW]),
    Slip(
        "no arguments where some are needed", '<tool_call>{"name": "get_weather"}</tool_call>', [], "", ("get_weather",)
    ),
    Slip("arguments that are a list", args("[1, 2]"), [], "", ("get_weather",)),
    Slip("a lone string with nowhere to go", args('"hello"', "write_file"), [], "", ("write_file",)),
    Slip("a key given twice", args('{"city": "Oslo", "city": "Rome"}'), [], "", ("get_weather",)),
    Slip("a key given twice alike", args('{"city": "Oslo", "city": "Oslo"}'), [OSLO]),
    Slip(
        "a parameter given twice",
        "<function=get_weather><parameter=city>Oslo</parameter><parameter=city>Rome</parameter></function>",
        [],
        "",
        ("get_weather",),
    ),
]

SLIPS = [*MARKERS, *JSON, *SHAPES]
