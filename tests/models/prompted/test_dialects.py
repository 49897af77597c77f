"""Every dialect is read, without a choice and chosen by its name."""

import pytest
from call_samples import CET, OSLO, SAMPLES, TOOLS, Sample, T, W
from call_variants import VARIANTS
from scan_play import calls, scan, shown

import toolpost
from toolpost.models.prompted.dialects.table import DIALECTS, MARKERS
from toolpost.types.stream import ReasoningDelta, ToolCall

ALL = [*SAMPLES, *VARIANTS]


def named(sample: Sample) -> str:
    return f"{sample.dialect}: {sample.written[:40]}"


def test_there_are_66_dialects_and_each_has_a_sample() -> None:
    assert len(DIALECTS) == 66
    assert {sample.dialect for sample in SAMPLES} == set(DIALECTS)


@pytest.mark.parametrize("sample", ALL, ids=named)
def test_a_chosen_dialect_is_read(sample: Sample) -> None:
    found = toolpost.extract_calls(sample.written, tools=TOOLS, dialect=sample.dialect)
    assert [(call.name, call.arguments) for call in found.calls] == sample.calls
    assert found.text.strip() == sample.text.strip()
    assert found.broken == ()


@pytest.mark.parametrize("sample", [sample for sample in ALL if not sample.chosen], ids=named)
def test_any_dialect_is_recognised_without_a_choice(sample: Sample) -> None:
    found = toolpost.extract_calls(sample.written, tools=TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == sample.calls
    assert found.text.strip() == sample.text.strip()
    assert found.broken == ()


@pytest.mark.parametrize("sample", [sample for sample in SAMPLES if sample.calls and not sample.chosen], ids=named)
def test_a_calls_own_text_is_never_shown(sample: Sample) -> None:
    """Whatever is shown while the text streams, no part of a marker or a body is."""
    # A header without its beginning stands only where the text begins.
    before = "" if sample.written.startswith(" to=") else "Let me see.\n"
    for text in (sample.written, before + sample.written):
        seen = shown(scan(text, range(len(text))))
        assert "Oslo" not in seen
        assert "get_" not in seen
        assert before in seen or text == sample.written


def test_a_chosen_dialect_leaves_the_others_alone() -> None:
    text = f"<tool_call>{W}</tool_call>"
    assert toolpost.extract_calls(text, tools=TOOLS, dialect="kimi_k2").text == text
    for text in (W, f"functools[{W}]", "Action: get_weather\nAction Input: Oslo", "[get_time()]", f"```json\n{W}\n```"):
        assert toolpost.extract_calls(text, tools=TOOLS, dialect="hermes").text == text


def test_bare_json_within_a_line_is_a_call_only_when_chosen() -> None:
    text = f"I will call {W} now."
    assert not toolpost.extract_calls(text, tools=TOOLS).calls
    found = toolpost.extract_calls(text, tools=TOOLS, dialect="bare_json")
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO]


def test_a_chosen_fence_may_stand_anywhere() -> None:
    text = f"First\n```json\n{W}\n```\nand then\n```json\n{T}\n```\ndone."
    found = toolpost.extract_calls(text, tools=TOOLS, dialect="json_fenced")
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO, CET]
    assert "and then" in found.text


def test_an_unknown_dialect_is_an_error_that_suggests_one() -> None:
    with pytest.raises(toolpost.ConfigError, match="did you mean hermes"):
        toolpost.CallScanner(tools=TOOLS, dialect="herms")
    with pytest.raises(toolpost.ConfigError, match=r"there are action_json_fenced, .*xml_tool_tool_input"):
        toolpost.extract_calls("", tools=TOOLS, dialect="☃")


def test_no_marker_hides_in_the_beginning_of_another() -> None:
    """Else a cut behind the inner one would show it before the outer one is whole."""
    hidden = [
        (inner, outer)
        for inner in MARKERS
        for outer in MARKERS
        if 0 < outer.find(inner) < len(outer) - len(inner) and inner != outer
    ]
    assert hidden == []


def test_thoughts_between_tokens_are_reasoning() -> None:
    events = scan("<|channel|>analysis<|message|>Hm, well.<|end|><|start|>assistant<|channel|>final<|message|>Hello.")
    assert "".join(event.text for event in events if isinstance(event, ReasoningDelta)) == "Hm, well."
    assert shown(events) == "Hello."


def test_a_message_to_oneself_is_no_call() -> None:
    body = '<atem:function_calls><atem:invoke name="get_time"></atem:invoke></atem:function_calls>'
    assert not calls(scan(f"<|start|>assistant to=self<|message|>{body}<|eom|>"))
    assert not calls(scan(f"<|start|>assistant to=user<|message|>{body}<|eom|>"))
    assert calls(scan(f"<|start|>assistant to=get_time<|message|>{body}<|eom|>")) == [("get_time", {})]


def test_the_id_that_a_model_wrote_is_carried() -> None:
    text = '<|tool_call_begin|>functions.get_weather:7<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>'
    (call,) = [event for event in scan(text) if isinstance(event, ToolCall)]
    assert call.metadata == {"prompted": {"id": "functions.get_weather:7"}}
    assert call.id != "functions.get_weather:7"
