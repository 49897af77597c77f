"""Thoughts are reasoning, no text; and what is drafted in them is no call, unless they never end."""

import pytest
from call_samples import CET, OSLO, TOOLS, T, W
from scan_play import calls, joined, scan, shown

import toolpost
from toolpost.models.prompted.scanner import CallScanner

DRAFT = f"<tool_call>{T}</tool_call>"
CALL = f"<tool_call>{W}</tool_call>"
TAGS = [
    *(("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<seed:think>", "</seed:think>")),
    *(("<mm:think>", "</mm:think>"), ("[THINK]", "[/THINK]")),
]
KIMI = '<|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Oslo"}<|tool_call_end|>'
QWEN = "<tool_call>\n<function=get_weather>\n<parameter=city>\nOslo\n</parameter>\n</function>\n</tool_call>"


@pytest.mark.parametrize(("begin", "end"), TAGS)
def test_a_thought_is_reasoning_and_its_tags_are_neither(begin: str, end: str) -> None:
    found = toolpost.extract_calls(f"{begin}Hm, 1 < 2.{end}\n\nHello.", tools=TOOLS)
    assert (found.calls, found.reasoning, found.text) == ((), "Hm, 1 < 2.", "Hello.")


@pytest.mark.parametrize(("begin", "end"), TAGS)
@pytest.mark.parametrize("drafted", [DRAFT, T, f"\n{T}\n", f"```json\n{T}\n```"])
def test_a_call_drafted_in_a_thought_is_part_of_it(begin: str, end: str, drafted: str) -> None:
    found = toolpost.extract_calls(f"{begin}Maybe {drafted}?{end}\n{CALL}", tools=TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO]
    assert found.reasoning == f"Maybe {drafted}?"
    assert found.text == ""


def test_thoughts_between_calls_are_told_from_the_text() -> None:
    rows = joined(scan(f"<think>a</think>\n{CALL}\nThen.\n<think>b</think>\n{DRAFT}", range(300)))
    kept = [row[2:] for row in rows if row[0] in ("reasoning-delta", "text-delta", "tool-call")]
    assert [row[0] for row in kept] == ["a", "get_weather", "\nThen.\n", "b", "get_time"]


@pytest.mark.parametrize("call", [CALL, QWEN, KIMI])
def test_a_call_in_a_thought_that_never_ends_is_a_call(call: str) -> None:
    found = toolpost.extract_calls(f"<think>Let me see.\n{call}", tools=TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO]
    assert (found.reasoning.strip(), found.text) == ("Let me see.", "")


def test_but_not_where_the_text_was_cut_off_for_the_thought_might_have_ended() -> None:
    scanner = CallScanner(TOOLS)
    assert not calls(scanner.feed(f"<think>Let me see.\n{CALL}") + scanner.close(cut=True))


@pytest.mark.parametrize(("dialect", "call"), [("kimi_k2", KIMI), ("qwen3_coder_xml", QWEN)])
def test_a_model_that_calls_while_it_thinks_ends_its_thought_with_the_call(dialect: str, call: str) -> None:
    scanner = CallScanner(TOOLS, dialect)
    assert calls(scanner.feed(f"<think>I need it. {call}")) == [OSLO]
    assert shown(scanner.feed("</think>Done.") + scanner.close()) == "Done."


@pytest.mark.parametrize(
    ("dialect", "written", "end"),
    [
        ("ernie45", "<tool_call>%s</tool_call>", "</think>"),
        ("apriel_toolcalls", "<tool_calls>[%s]</tool_calls>", "[BEGIN FINAL RESPONSE]"),
        ("cohere_command4", "<|START_ACTION|>[%s]<|END_ACTION|>", "<|END_THINKING|>"),
    ],
)
def test_where_the_template_opened_the_thought_nothing_before_its_end_is_a_call(
    dialect: str, written: str, end: str
) -> None:
    draft, call = written % T, written % W
    found = toolpost.extract_calls(f"I could do {draft}, hm.\n{end}\n\n{call}", tools=TOOLS, dialect=dialect)
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO]
    assert end not in found.text
    for text in (call, f"Looking.\n{call}"):
        assert len(toolpost.extract_calls(text, tools=TOOLS, dialect=dialect).calls) == 1


def test_the_end_of_a_thought_that_nobody_saw_begin_stays_with_the_text_before_it() -> None:
    assert toolpost.extract_calls(f"Hm.\n</think>\n{CALL}", tools=TOOLS).text == "Hm.\n</think>"
    assert toolpost.extract_calls(f"</think>\n\n{CALL}", tools=TOOLS).text == ""


@pytest.mark.parametrize("text", ["The <think> tag opens a thought.\n", "Use `<think>` and `</think>`.\n"])
def test_a_tag_that_is_only_mentioned_opens_nothing(text: str) -> None:
    found = toolpost.extract_calls(text + CALL, tools=TOOLS)
    assert [(call.name, call.arguments) for call in found.calls] == [OSLO]
    assert (found.text, found.reasoning) == (text, "")


def test_a_thought_goes_out_as_it_comes() -> None:
    scanner = CallScanner(TOOLS)
    events = scanner.feed("<think>Some thought ") + scanner.feed("and more")
    assert "".join(event.text for event in events if event.type == "reasoning-delta") == "Some thought and more"


def test_calls_before_and_after_a_thought_stand() -> None:
    assert calls(scan(f"{CALL}\n<think>{CALL}</think>\n{DRAFT}")) == [OSLO, CET]
