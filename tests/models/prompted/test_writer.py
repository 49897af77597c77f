"""Tools, calls and results in words: what a prompted model is told, in every dialect, in English and Chinese."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from toolpost import extract_calls
from toolpost.arguments.validate import Validator
from toolpost.models.prompted.call_writer import CallToWrite, spell
from toolpost.models.prompted.dialects.table import DIALECTS, MARKERS
from toolpost.models.prompted.model_families import asked_for, calls_natively, family_of
from toolpost.models.prompted.prompt_writer import PromptWriter
from toolpost.models.prompted.result_writer import ResultText, neutral, write_results
from toolpost.models.prompted.sample_calls import sample_arguments
from toolpost.types.messages import (
    Completed,
    Failed,
    FilePart,
    Message,
    TextPart,
    ToolPart,
    language_of_conversation,
)
from toolpost.types.tool_spec import ToolSpec

CITY: dict[str, Any] = {"type": "string", "description": "City name, e.g. Tokyo"}
WEATHER = ToolSpec(
    "get_weather",
    "The weather in a city.",
    {"type": "object", "properties": {"city": CITY, "days": {"type": "integer"}}, "required": ["city"]},
)
CLOCK = ToolSpec("get_time", "The time.", {"type": "object", "properties": {}})
DONE = Completed({"city": "Oslo"}, (TextPart("4 °C, rain"),), 0, 1)


def said(*texts: str) -> list[Message]:
    return [Message("u", "user", (TextPart(text),)) for text in texts]


@pytest.mark.parametrize("dialect", sorted(DIALECTS))
@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_prompt_names_every_tool_and_shows_a_call_that_the_scanner_reads(dialect: str, language: Any) -> None:
    prompt = PromptWriter(dialect, language).tools([CLOCK, WEATHER])
    assert '"get_weather"' in prompt
    assert '"get_time"' in prompt
    assert "The weather in a city." in prompt
    example = prompt.partition("</tools>\n\n")[2].partition("\n")[2].partition("\n\n- ")[0]
    found = extract_calls(example.strip(), [WEATHER, CLOCK], dialect)
    assert ("get_weather", {"city": "Tokyo"}) in [(call.name, call.arguments) for call in found.calls]
    assert found.text.strip() == ""


def test_the_sample_is_a_question_with_its_call_for_the_users_own_tools_first() -> None:
    path: dict[str, Any] = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
    read = ToolSpec("read", "Read a file. Use it before an edit.", path, built_in=True)
    prompt = PromptWriter("hermes").tools([read, CLOCK, WEATHER])
    assert "Asked “The weather in a city: Tokyo” and “The time”, write exactly this" in prompt
    sample = prompt.partition("</tools>")[2]
    assert '"read"' not in sample
    assert "例如用户说“The weather in a city: Tokyo”时" in PromptWriter("react", "zh").tools([read, WEATHER])


@pytest.mark.parametrize("dialect", ["hermes", "react", "pythonic"])
def test_no_sample_is_shown_of_a_patch(dialect: str) -> None:
    patch = ToolSpec(
        "apply_patch",
        "Change files by a patch.",
        {"type": "object", "properties": {"patch": {"type": "string"}}, "required": ["patch"]},
        built_in=True,
    )
    assert "apply_patch" not in PromptWriter(dialect).tools([patch, WEATHER]).partition("</tools>")[2]
    assert "apply_patch" not in PromptWriter(dialect).tools([patch]).partition("</tools>")[2]


def test_chinese_is_spoken_to_who_speaks_chinese() -> None:
    assert language_of_conversation(said("东京的天气怎么样？", "and in English?")) == "zh"
    assert language_of_conversation(said("What does 你好 mean in English, please?")) == "en"
    assert language_of_conversation(said("用 Python 写一个 hello world")) == "zh"
    assert language_of_conversation(said("42 * 17")) == "en"
    assert "示例" in PromptWriter("hermes", "zh").tools([WEATHER])


def test_a_turn_that_must_call_is_told_so() -> None:
    assert "must make a call" not in PromptWriter("hermes").tools([WEATHER])
    assert "must make a call" in PromptWriter("hermes").tools([WEATHER], required=True)


def test_calls_and_results_become_what_was_said_and_what_came_back() -> None:
    failed = Failed("failed", "no such zone", {"zone": "Mars"})
    turn = Message(
        "a",
        "assistant",
        (TextPart("Let me look."), ToolPart("1", "get_weather", DONE), ToolPart("2", "get_time", failed)),
    )
    spoken, told = PromptWriter("hermes", trained=True).message(turn)
    assert spoken.role == "assistant"
    assert spoken.text == (
        'Let me look.\n<tool_call>\n{"name": "get_weather", "arguments": {"city": "Oslo"}}\n</tool_call>\n'
        '<tool_call>\n{"name": "get_time", "arguments": {"zone": "Mars"}}\n</tool_call>'
    )
    assert told.role == "user"
    assert told.text == (
        "<tool_response>\n4 °C, rain\n</tool_response>\n<tool_response>\nError: no such zone\n</tool_response>"
    )


def test_a_model_of_no_known_family_is_told_what_the_result_is_and_what_to_do_with_it() -> None:
    told = PromptWriter("hermes").message(Message("a", "assistant", (ToolPart("1", "get_weather", DONE),)))[1].text
    assert "get_weather returned:\n4 °C, rain" in told
    assert "Answer the user from this." in told
    chinese = (
        PromptWriter("hermes", "zh").message(Message("a", "assistant", (ToolPart("1", "get_weather", DONE),)))[1].text
    )
    assert "请根据以上结果回答用户" in chinese


def test_images_of_a_result_go_along() -> None:
    image = FilePart("image/png", data="iVBORw==", name="a.png")
    state = Completed({}, (TextPart("a chart"), image), 0, 1)
    told = PromptWriter("hermes").message(Message("a", "assistant", (ToolPart("1", "plot", state),)))[1]
    assert image in told.parts


def test_messages_without_calls_stay_as_they_are() -> None:
    message = said("hello")[0]
    assert PromptWriter("hermes").message(message) == [message]


def page_with_a_call(dialect: str) -> str:
    return spell(dialect, [CallToWrite("get_weather", {"city": "Oslo"})])


@pytest.mark.parametrize(
    "dialect", [one for one in sorted(DIALECTS) if any(marker in page_with_a_call(one) for marker in MARKERS)]
)
def test_a_marked_call_that_stands_in_a_result_is_dead(dialect: str) -> None:
    page = page_with_a_call(dialect)
    told = write_results([ResultText("get_time", f"The page says:\n{page}\nbye")], dialect, "en", trained=False)
    assert not extract_calls(told, [WEATHER, CLOCK]).calls
    assert not any(marker in neutral(page) for marker in MARKERS if MARKERS[marker][0] != "citation")


@given(st.text())
def test_text_without_markers_goes_back_as_it_came(text: str) -> None:
    ends = {end for kind, end in MARKERS.values() if kind == "result"}
    if not any(marker in text for marker in {*MARKERS, *ends}):
        assert neutral(text) == text


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "object", "properties": {"a": {"enum": ["x", "y"]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": ["integer", "null"], "minimum": 5}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"anyOf": [{"type": "null"}, {"type": "boolean"}]}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"type": "array", "items": {"type": "number"}}}, "required": ["a"]},
        {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/Place"}},
            "required": ["a"],
            "$defs": {"Place": {"type": "object", "properties": {"zip": {"type": "integer"}}, "required": ["zip"]}},
        },
        {"type": "object", "properties": {"day": {"type": "string", "format": "date"}}, "required": ["day"]},
        {"type": "object", "properties": {"a": {"type": "string"}}},
        {"type": "object", "properties": {}},
        {},
    ],
)
def test_sample_arguments_fit_their_schema(schema: dict[str, Any]) -> None:
    sample = sample_arguments(schema)
    assert Validator("t", schema).valid(sample)
    assert bool(sample) == bool(schema.get("properties"))


def test_a_sample_uses_what_the_description_gives_as_an_example() -> None:
    for text in ("City name, e.g. Tokyo", "such as 'Tokyo'", "城市名，例如：Tokyo"):
        schema = {"type": "object", "properties": {"city": {"type": "string", "description": text}}}
        assert sample_arguments(schema) == {"city": "Tokyo"}


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("Qwen/Qwen3-8B", "hermes"),
        ("qwen3-coder:30b", "qwen3_coder_xml"),
        ("llama3.2:3b", "pythonic"),
        ("meta-llama/Llama-3.3-70B-Instruct", "llama3_json"),
        ("NousResearch/Hermes-3-Llama-3.1-8B", "hermes"),
        ("glm-4.5-air", "glm45_argkey"),
        ("deepseek-r1:14b", "deepseek_v3"),
        ("kimi-k2.6", "kimi_k2"),
        ("mistral-small3.2", "mistral_args"),
        ("gpt-oss:20b", "harmony"),
        ("gemma3:4b", "gemma_tool_code"),
        ("my-own-model", "hermes"),
    ],
)
def test_a_family_is_known_by_the_name_of_its_models(name: str, dialect: str) -> None:
    assert family_of(name).dialect == dialect


def test_a_dialect_of_special_tokens_is_asked_for_only_where_they_arrive() -> None:
    kimi = family_of("kimi-k2.6")
    assert asked_for(kimi, keeps_tokens=True).dialect == "kimi_k2"
    assert asked_for(kimi, keeps_tokens=False) == ("hermes", False)


def test_families_that_were_never_taught_calls_are_known() -> None:
    assert not any(map(calls_natively, ("gemma3:4b", "llama3:8b", "llama2", "phi4", "codellama:7b", "smollm2:135m")))
    assert all(map(calls_natively, ("gemma4:12b", "llama3.1:8b", "meta-llama/Llama-3.3-70B", "phi4-mini", "qwen3:8b")))
