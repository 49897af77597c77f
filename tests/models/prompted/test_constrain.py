"""Constraints for servers that take one: calls are well-formed by construction, prose stays free."""

import json
import re
from functools import cache
from random import Random
from typing import Any

import pytest
from call_samples import OSLO, TOOLS
from gbnf_play import Gbnf
from hypothesis import given
from hypothesis import strategies as st
from llama_play import chat, complete
from scan_play import calls, joined, shown

from toolpost.arguments.validate import Validator
from toolpost.models.prompted.call_writer import CallToWrite, spell
from toolpost.models.prompted.grammar.calls import FORMS
from toolpost.models.prompted.grammar.request_fields import (
    BoundReader,
    constrained_reader,
    constraint,
    refuses_constraint,
)
from toolpost.models.prompted.json_envelope import ENVELOPE_NOTE
from toolpost.models.prompted.prompt_writer import PromptWriter
from toolpost.models.prompted.scanner import extract_calls
from toolpost.types.tool_spec import ToolSpec

STRING = {"type": "string"}
SPECS = [ToolSpec(tool["name"], tool["description"], tool["parameters"]) for tool in TOOLS]
CALLS = [
    CallToWrite("get_weather", {"city": "Oslo", "days": 3, "units": "metric"}),
    CallToWrite("get_time", {}),
    CallToWrite(
        "write_file", {"path": "a.md", "content": '<b>é</b>\n"x"', "lines": [1, 2], "options": {"force": True}}
    ),
]
MANY = sorted(name for name in FORMS if name != "bare_json")
MARKED = sorted(name for name, form in FORMS.items() if form.marker)
UNMARKED = sorted(FORMS.keys() - MARKED)
QUOTES = ("`", '"', "'")


def tool(name: str, required: list[str] | None = None, /, **properties: Any) -> ToolSpec:
    parameters = {"type": "object", "properties": properties, "required": required or list(properties)}
    return ToolSpec(name, f"The tool {name}.", parameters)


@cache
def grammar_of(dialect: str, *, required: bool = True) -> Gbnf:
    fields = constraint("llamacpp", SPECS, dialect, required=required)
    assert fields is not None
    return Gbnf(fields["grammar"])


def valid(specs: list[ToolSpec], name: str, arguments: dict[str, Any]) -> bool:
    return any(spec.name == name and Validator(name, spec.parameters).valid(arguments) for spec in specs)


@pytest.mark.parametrize("dialect", MANY)
def test_calls_as_the_dialect_writes_them_can_be_written(dialect: str) -> None:
    grammar = grammar_of(dialect)
    assert grammar.accepts(spell(dialect, CALLS))
    assert grammar.accepts(spell(dialect, CALLS[1:2]))


@pytest.mark.parametrize("dialect", MANY)
def test_whatever_can_be_written_is_read_as_calls_that_can_run(dialect: str) -> None:
    grammar = grammar_of(dialect)
    for seed in range(60):
        text = grammar.sample(Random(seed))
        found = extract_calls(text, SPECS, dialect)
        assert found.calls, text
        assert not found.broken, text
        assert all(valid(SPECS, call.name, call.arguments) for call in found.calls), text


@pytest.mark.parametrize(
    "text",
    [
        '<tool_call>\n{"name": "get_wether", "arguments": {"city": "Oslo"}}\n</tool_call>',
        '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>',
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": 3}}\n</tool_call>',
        '<tool_call>\n{"name": "get_weather", "city": "Oslo"}\n</tool_call>',
        '<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}\n</tool_call>',
        "It rains.",
    ],
)
def test_what_is_no_call_cannot_be_written_behind_the_marker(text: str) -> None:
    assert not grammar_of("hermes").accepts(text)


def test_a_single_bare_object_has_no_second_one() -> None:
    one = spell("bare_json", CALLS[:1])
    assert grammar_of("bare_json").accepts(one)
    assert not grammar_of("bare_json").accepts(f"{one}\n{one}")


@pytest.mark.parametrize("dialect", sorted(FORMS))
@pytest.mark.parametrize(
    "text",
    [
        *("", "It rains.", "a < b", "Look:\n\n```\nx\n```", 'It\'s "so" and `so`.', "</", "好的。"),
        *("\n\n\n\n\n\nWell.", "{x} is a set.", '{"city": "Oslo"}', ' {"names": []}', '{"name"', "[1, 2]", "{", '"'),
    ],
)
def test_prose_alone_can_be_written(dialect: str, text: str) -> None:
    assert grammar_of(dialect, required=False).accepts(text)


@given(st.sampled_from(MARKED), st.data())
def test_any_text_can_be_written_whose_markers_all_stand_behind_a_quote(dialect: str, data: st.DataObject) -> None:
    marker = FORMS[dialect].marker
    pieces = st.sampled_from([marker, marker[:-1], *marker, *QUOTES, "x", " ", "\n", "{", "é"])
    text = "".join(data.draw(st.lists(pieces, max_size=12)))
    bare = any(not text[: found.start()].endswith(QUOTES) for found in re.finditer(re.escape(marker), text))
    assert grammar_of(dialect, required=False).accepts(text) is not bare


@given(
    st.sampled_from(UNMARKED), st.lists(st.sampled_from(['{"name":', *'{"name":', " ", "\n", "}", "é"]), max_size=12)
)
def test_without_a_marker_any_text_can_be_written_that_does_not_begin_as_a_call(
    dialect: str, pieces: list[str]
) -> None:
    text = "".join(pieces)
    assert grammar_of(dialect, required=False).accepts(text) is not text.lstrip().startswith('{"name":')


@pytest.mark.parametrize("dialect", MARKED)
def test_calls_can_be_written_behind_prose(dialect: str) -> None:
    grammar = grammar_of(dialect, required=False)
    for before in ("", "\n", "Let me look.\n", f"Use `{FORMS[dialect].marker}`. ", FORMS[dialect].marker[:-1]):
        assert grammar.accepts(before + spell(dialect, CALLS)), before
        assert grammar.accepts(before + spell(dialect, CALLS[1:2])), before


@pytest.mark.parametrize("dialect", UNMARKED)
def test_a_call_without_a_marker_can_be_written_alone_and_behind_prose(dialect: str) -> None:
    for before in ("", "\n\n", "Let me look.\n"):
        assert grammar_of(dialect, required=False).accepts(before + spell(dialect, CALLS[:1]))


@pytest.mark.parametrize("dialect", sorted(FORMS))
@pytest.mark.parametrize(
    "wrong",
    [
        CallToWrite("get_wether", {"city": "Oslo"}),
        CallToWrite("get_weather", {}),
        CallToWrite("get_weather", {"city": ["Oslo"]}),
    ],
    ids=["unknown tool", "argument missing", "wrong type"],
)
def test_a_wrong_call_cannot_be_written(dialect: str, wrong: CallToWrite) -> None:
    if FORMS[dialect].tags and wrong.arguments.get("city"):
        wrong = CallToWrite("get_weather", {"city": "Oslo", "days": "many"})
    grammar = grammar_of(dialect, required=False)
    for before in ("", "\n", *(["Let me look.\n"] if dialect in MARKED else [])):
        assert not grammar.accepts(before + spell(dialect, [wrong])), before


@pytest.mark.parametrize("dialect", MARKED)
def test_a_marker_in_quotes_is_prose(dialect: str) -> None:
    grammar = grammar_of(dialect, required=False)
    marker = FORMS[dialect].marker
    for quote in QUOTES:
        assert grammar.accepts(f"Begin with {quote}{marker}{quote} here.")
        assert grammar.accepts(f"{quote}{marker}")
    assert not grammar.accepts(f"Begin with {marker} here.")


@pytest.mark.parametrize("dialect", sorted(FORMS))
def test_where_a_call_is_required_there_is_no_prose(dialect: str) -> None:
    grammar = grammar_of(dialect)
    for text in ("", "It rains.", f"Let me look.\n{spell(dialect, CALLS[:1])}"):
        assert not grammar.accepts(text), text


@pytest.mark.parametrize("required", [False, True])
def test_llama_cpp_is_asked_only_for_what_its_chat_endpoint_heeds(required: bool) -> None:
    fields = constraint("llamacpp", SPECS, "hermes", required=required)
    assert fields is not None
    assert fields.keys() == {"grammar", "preserved_tokens"}
    assert fields["preserved_tokens"] == ["<tool_call>", "</tool_call>"]


@pytest.mark.parametrize("backend", ["vllm", "sglang"])
def test_a_structural_tag_has_a_tag_for_each_tool(backend: str) -> None:
    fields = constraint(backend, SPECS[:1], "hermes")
    assert fields == {
        "response_format": {
            "type": "structural_tag",
            "format": {
                "type": "triggered_tags",
                "triggers": ["<tool_call>"],
                "tags": [
                    {
                        "type": "tag",
                        "begin": '<tool_call>\n{"name": "get_weather", "arguments": ',
                        "content": {"type": "json_schema", "json_schema": SPECS[0].parameters},
                        "end": "}\n</tool_call>",
                    }
                ],
            },
        }
    }
    required = constraint(backend, SPECS[:1], "hermes", required=True)
    assert required is not None
    assert required["response_format"]["format"]["at_least_one"] is True


@pytest.mark.parametrize("dialect", ["hermes", "longcat_hermes", "functionary_v31", "internlm2", "dots"])
def test_a_structural_tag_spells_the_call_as_the_dialect_does(dialect: str) -> None:
    fields = constraint("vllm", SPECS, dialect)
    assert fields is not None
    (tag,) = [tag for tag in fields["response_format"]["format"]["tags"] if "get_time" in tag["begin"]]
    text = f'{tag["begin"]}{{"zone": "CET"}}{tag["end"]}'
    assert [(call.name, call.arguments) for call in extract_calls(text, SPECS, dialect).calls] == [
        ("get_time", {"zone": "CET"})
    ]


@pytest.mark.parametrize(
    ("backend", "dialect"),
    [
        *(("llamacpp", "react"), ("llamacpp", "pythonic"), ("vllm", "qwen3_coder_xml"), ("sglang", "jamba")),
        *(("vllm", "mistral_args"), ("", "hermes"), ("openai", "hermes")),
    ],
)
def test_where_there_is_no_way_to_say_it_nothing_is_said(backend: str, dialect: str) -> None:
    assert constraint(backend, SPECS, dialect) is None


@pytest.mark.parametrize("backend", ["llamacpp", "vllm", "ollama", "json_schema"])
def test_without_tools_nothing_is_constrained(backend: str) -> None:
    assert constraint(backend, [], "hermes") is None


def test_other_tools_give_another_constraint() -> None:
    one, other = (constraint("llamacpp", [tool("look", path=kind)], "hermes") for kind in (STRING, {"type": "integer"}))
    assert one != other
    assert one == constraint("llamacpp", [tool("look", path=STRING)], "hermes")


@pytest.mark.parametrize(
    "message",
    [
        "Failed to initialize samplers: failed to parse grammar",
        "Cannot use custom grammar constraints with tools.",
        "Grammar trigger word should be marked as preserved token: <tool_call>",
        "Unexpected empty grammar stack after accepting piece: =list (1234)",
        "'response_format.type' must be 'json_schema' or 'text'",
        "Invalid structural tag: unknown format",
        "Unsupported parameter: structured_outputs",
        'invalid format: expected "json" or a JSON schema',
        "invalid JSON schema in format",
        "failed to load model vocabulary required for format",
        "This response_format type is unavailable now",
    ],
)
def test_a_refused_constraint_is_told_by_the_answer(message: str) -> None:
    assert refuses_constraint(message)


@pytest.mark.parametrize(
    "message",
    [
        "the request exceeds the available context size, try increasing it",
        "registry.ollama.ai/library/gemma:2b does not support tools",
        "model not found",
        "Conversation roles must alternate user/assistant",
        "invalid image format",
        "",
    ],
)
def test_other_refusals_are_not_about_the_constraint(message: str) -> None:
    assert not refuses_constraint(message)


def read(text: str, reader: BoundReader) -> list[Any]:
    events = [event for char in text for event in reader.feed(char)]
    return events + reader.close()


def test_half_a_word_behind_the_calls_is_left_out() -> None:
    text = f"Let me look.\n{spell('hermes', CALLS[:2])}\n\nThew"
    events = read(text, BoundReader(SPECS))
    assert [name for name, _ in calls(events)] == ["get_weather", "get_time"]
    assert shown(events) == "Let me look.\n"


def test_text_between_calls_stays_where_it_was() -> None:
    one, other = (spell("hermes", [call]) for call in CALLS[:2])
    rows = joined(read(f"{one} And now: {other}", BoundReader(SPECS)))
    assert [row[0] for row in rows if not row[0].startswith("tool-input")] == ["tool-call", "text-delta", "tool-call"]


def test_an_answer_without_calls_is_read_whole() -> None:
    assert shown(read("It rains < 5 mm.", BoundReader(SPECS))) == "It rains < 5 mm."


@pytest.mark.parametrize(
    ("backend", "text"),
    [
        ("llamacpp", spell("hermes", CALLS[:1])),
        ("vllm", spell("hermes", CALLS[:1])),
        ("ollama", '{"action": "call", "calls": [{"name": "get_weather", "arguments": {"city": "Oslo"}}]}'),
        ("ollama", spell("hermes", CALLS[:1])),
        ("json_schema", spell("bare_json", CALLS[:1])),
    ],
)
def test_the_reader_of_a_backend_finds_the_call_constrained_or_not(backend: str, text: str) -> None:
    reader = constrained_reader(backend, SPECS, "hermes")
    events = reader.feed(text) + reader.close()
    assert [name for name, _ in calls(events)] == ["get_weather"]


# A dozen tools of every kind for a real model. Strings are short: a small one may never end them.
SHORT = {"type": "string", "maxLength": 20}
REAL = [
    tool("get_weather", city=SHORT),
    tool("get_forecast", ["city"], city=SHORT, days={"type": "integer", "minimum": 1, "maximum": 7}),
    tool("set_units", units={"enum": ["metric", "imperial"]}),
    tool("list_alarms"),
    tool("set_alarm", time={**STRING, "format": "time"}, repeat={"type": "boolean"}),
    tool("book_day", day={**STRING, "format": "date"}, note={"type": ["null", "string"], "maxLength": 20}),
    tool("add_numbers", numbers={"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3}),
    tool("move_to", point={"type": "array", "prefixItems": [{"type": "number"}] * 2, "items": False, "minItems": 2}),
    tool(
        "send_mail",
        ["to", "message"],
        to={"type": "array", "items": SHORT, "minItems": 1, "maxItems": 2},
        urgent={"type": "boolean"},
        message={"type": "object", "properties": {"title": SHORT, "body": SHORT}, "required": ["title"]},
    ),
    tool("find", query={"anyOf": [SHORT, {"type": "integer"}]}, exact={"const": True}),
    tool("tag", labels={"type": "object", "additionalProperties": {"enum": ["low", "high"]}, "maxProperties": 2}),
    ToolSpec(
        "plan",
        "Make a plan.",
        {
            "type": "object",
            "properties": {"root": {"$ref": "#/$defs/Step"}},
            "required": ["root"],
            "$defs": {
                "Step": {
                    "type": "object",
                    "properties": {
                        "do": SHORT,
                        "then": {"type": "array", "items": {"$ref": "#/$defs/Step"}, "maxItems": 1},
                    },
                    "required": ["do"],
                }
            },
        },
    ),
]
BRIEF = 'Use a tool: <tool_call>\n{"name": "…", "arguments": {…}}\n</tool_call>'


@pytest.mark.parametrize("spec", REAL, ids=lambda spec: spec.name)
def test_a_real_model_writes_calls_that_can_run(spec: ToolSpec) -> None:
    fields = constraint("llamacpp", [spec], "hermes", required=True)
    assert fields is not None
    text = chat(BRIEF, f"Please {spec.name.replace('_', ' ')}.", **fields, max_tokens=120)
    found = extract_calls(text, [spec], "hermes")
    assert found.calls, text
    assert all(valid([spec], call.name, call.arguments) for call in found.calls)


def test_llama_cpp_takes_the_grammar_of_every_dialect() -> None:
    for dialect in {form: dialect for dialect, form in FORMS.items()}.values():
        fields = constraint("llamacpp", SPECS, dialect)
        assert fields is not None
        chat("x", "y", max_tokens=1, **fields)


@pytest.mark.parametrize("dialect", ["qwen3_coder_xml", "mistral", "llama3_json", "glm45_argkey", "deepseek_v31"])
def test_a_real_model_is_held_to_a_dialect_that_it_does_not_know(dialect: str) -> None:
    specs = [tool("get_weather", city=SHORT), tool("list_alarms")]
    fields = constraint("llamacpp", specs, dialect, required=True)
    assert fields is not None
    text = chat("Use a tool.", "What is the weather in Oslo?", **fields, max_tokens=100)
    found = extract_calls(text, specs, dialect)
    assert found.calls, text
    assert all(valid(specs, call.name, call.arguments) for call in found.calls)


@pytest.mark.parametrize("dialect", ["hermes", "bare_json", "functionary_v31", "llama3_json", "mistral"])
def test_a_real_model_that_may_call_answers_a_plain_question_in_words(dialect: str) -> None:
    """The grammar was to bind from a marker on. llama.cpp's chat endpoint drops what asks for that and bound the first
    word, so that there was nothing but calls."""
    fields = constraint("llamacpp", SPECS, dialect)
    assert fields is not None
    free = chat("Answer briefly.", "What is the capital of France?", max_tokens=24)
    assert "capital of France" in free
    assert chat("Answer briefly.", "What is the capital of France?", max_tokens=24, **fields) == free


def test_a_real_model_is_free_until_it_begins_a_call() -> None:
    fields = constraint("llamacpp", SPECS, "hermes")
    assert fields is not None
    prompt = "<|im_start|>user\nWhat is the capital of France?<|im_end|>\n<|im_start|>assistant\n"
    assert complete(prompt, n_predict=24, **fields) == complete(prompt, n_predict=24)


def test_a_real_model_is_bound_once_it_begins_a_call() -> None:
    """It repeats the line that it is shown, and the marker in it binds it to what can be called."""
    fields = constraint("llamacpp", [tool("get_weather", city={"enum": ["Oslo"]})], "hermes")
    assert fields is not None
    line = "So: <tool_call> and nothing else.\n"
    free = complete(line * 6, n_predict=60)
    assert free.startswith("So: <tool_call> and")
    bound = complete(line * 6, n_predict=60, **fields)
    assert bound.startswith("So: <tool_call>")
    assert calls(read(bound, BoundReader(SPECS))) == [OSLO]


def test_a_real_model_that_only_mentions_the_marker_is_not_bound() -> None:
    """One token holds the marker's end and the quote behind it."""
    fields = constraint("llamacpp", SPECS, "hermes")
    assert fields is not None
    line = "The tag `<tool_call>` begins a call.\n"
    assert complete(line * 6, n_predict=24, **fields) == complete(line * 6, n_predict=24)


def test_a_real_model_makes_no_call_after_the_other() -> None:
    """Where only the end or another call was allowed, it called every tool that there is."""
    fields = constraint("llamacpp", SPECS, "hermes", required=True)
    assert fields is not None
    events = read(
        chat(PromptWriter("hermes").tools(SPECS), "What is the weather in Oslo?", **fields), BoundReader(SPECS)
    )
    assert len(calls(events)) == 1
    assert shown(events) == ""


def test_a_real_model_answers_in_the_envelope() -> None:
    fields = constraint("json_schema", REAL, "hermes")
    assert fields is not None
    text = chat("Answer briefly.", "What is the capital of France?", **fields)
    assert shown(enveloped(text)) == json.loads(text)["text"]


def test_a_real_model_calls_in_the_envelope() -> None:
    fields = constraint("json_schema", REAL, "hermes", required=True)
    assert fields is not None
    text = chat(ENVELOPE_NOTE, "What is the weather in Oslo?", **fields)
    found = calls(enveloped(text))
    assert found == [(call["name"], call["arguments"]) for call in json.loads(text)["calls"]]
    assert all(valid(REAL, name, arguments) for name, arguments in found)


def enveloped(text: str) -> list[Any]:
    reader = constrained_reader("json_schema", REAL, "hermes")
    return reader.feed(text) + reader.close()
