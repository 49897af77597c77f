"""What only looks like a call comes out as text, unchanged; and a real call behind it is still found."""

import pytest
from call_look_alikes import LOOK_ALIKES, TAGGED, UNKNOWN_TAGGED
from call_samples import OSLO, TOOLS, T, W
from hypothesis import assume, given
from hypothesis import strategies as st
from scan_play import calls, scan, shown

import toolpost
from toolpost.models.prompted.dialects.table import MARKERS
from toolpost.models.prompted.scanner import CallScanner

BEFORE_A_CALL = [
    "Use `<tool_call>` for it.\n",
    "`x` then ",
    "```\n```\n",
    '```json\n{"a": 1}\n```\n',
    '```json\n{"a": 1\n```\n',
    "```python\nprint(1)\n```\n\n",
    "```\ncode\n\nmore\n```\n",
    f"```json\n{W}\n```\nSo I do it:\n",
    'Here ```json\n{"a": 1}\n\n{}\n```\nthen\n',
    "Code ```x``` then ",
    "Use ``` to fence.\n\n",
    "~~~\nx\n~~~\n",
    "> quoted\n\n",
    '{"a": 1}\n',
    '{"city": "Oslo"}\n',
    "[1, 2]\n",
    '[{"a": 1}]\n',
    "{oops\n",
    '{"broken": "x\n',
    'He said "hi". ',
    'He said "hi and left. ',
    'Look up "Oslo, then: ',
    'The "big" one is 5" long. ',
    "It's ",
    "rock 'n roll ",
    "Use the ` key. ",
    "I run `ls now ",
    "Use ``` for code. ",
    "Use ``` for code.\n",
    "```ls```\n",
    "“Oslo, then ",
    "他说「好 ",
    "<code>x ",
    '"<tool_call>" is the tag.\n',
    "<tool_call> is the tag.\n",
    f'"{TAGGED}" was quoted.\n\n',
    "<tool_response>x</tool_response>\n",
    f"<tool_response>{TAGGED}</tool_response>\n",
    "Action: none.\n",
    "Observation: no.\n",
    "<co> x </code> <|open|> ",
    "1 < 2, <b>bold</b> ",
    "| a | b |\n|---|---|\n| 1 | 2 |\n",
]


@pytest.mark.parametrize("text", LOOK_ALIKES)
def test_what_looks_like_a_call_is_text(text: str) -> None:
    found = toolpost.extract_calls(text, tools=TOOLS)
    assert (found.calls, found.broken) == ((), ())
    assert found.text == text


@pytest.mark.parametrize("text", UNKNOWN_TAGGED)
@pytest.mark.parametrize("before", ["", "One moment.\n"])
def test_a_call_of_an_unknown_tool_in_a_tag_is_a_call_and_never_text(text: str, before: str) -> None:
    found = toolpost.extract_calls(before + text, tools=TOOLS)
    assert [(call.name, call.problem) for call in found.broken] == [("unknown_tool", "there is no tool unknown_tool")]
    assert found.calls == ()
    assert found.text == before


@pytest.mark.parametrize("before", ["好的，我来搜索。", "It returned: ", "Let me look: "])
@pytest.mark.parametrize("after", ["", "\n", " <|im_end|>"])
@pytest.mark.parametrize("call", [W, f"[{W}]", "{'tool': 'get_weather', 'city': 'Oslo'}"])
def test_bare_json_behind_text_is_a_call_where_it_ends_the_message(before: str, call: str, after: str) -> None:
    found = toolpost.extract_calls(before + call + after, tools=TOOLS)
    assert [(one.name, one.arguments) for one in found.calls] == [OSLO]
    assert found.text == before


def test_several_behind_text_are_all_calls_or_none() -> None:
    found = toolpost.extract_calls(f"Both: {W}\n{T}", tools=TOOLS)
    assert [call.name for call in found.calls] == ["get_weather", "get_time"]
    assert found.text == "Both: "
    text = f"Both: {W}\n{T}\nThen I see."
    assert toolpost.extract_calls(text, tools=TOOLS).text == text


@pytest.mark.parametrize(
    "text",
    [
        f"It returned {W} and left.",
        f"It returned {W[:-1]}",
        'It returned {"name": "unknown_tool", "arguments": {}}',
        f"Write `{W}`",
        f"- {W}",
        f"1. {W}\n2. {W}",
        f"A sample:\n\n    {W}",
        f"She wrote “{W}”",
    ],
)
def test_bare_json_behind_text_is_text_where_more_follows_or_it_is_not_whole_or_quoted(text: str) -> None:
    found = toolpost.extract_calls(text, tools=TOOLS)
    assert (found.calls, found.broken, found.text) == ((), (), text)


def test_a_bare_call_that_the_length_limit_cut_off_is_not_run() -> None:
    scanner = CallScanner(TOOLS)
    events = scanner.feed(f"Let me look: {W}") + scanner.close(cut=True)
    assert not calls(events)


@pytest.mark.parametrize("before", BEFORE_A_CALL)
def test_a_call_behind_it_is_still_found(before: str) -> None:
    for call in (TAGGED, W) if before.endswith("\n") else (TAGGED,):
        found = toolpost.extract_calls(before + call, tools=TOOLS)
        assert [(one.name, one.arguments) for one in found.calls] == [OSLO]
        assert found.text.strip() == before.strip()


@given(st.text(st.sampled_from("abc {}[]<>|/\"'`\n.:,1") | st.characters(exclude_categories=["Cs"]), max_size=200))
def test_text_without_a_marker_or_a_tools_name_comes_out_as_it_went_in(text: str) -> None:
    assume(not any(marker in text for marker in MARKERS))
    events = scan(text)
    assert not calls(events)
    assert shown(events) == text


def test_without_any_tool_on_offer_nothing_is_a_call() -> None:
    for text in (TAGGED, W, "[get_weather(city='Oslo')]"):
        assert toolpost.extract_calls(text, tools=[]).text == text


def test_without_a_list_of_tools_any_name_is_taken_where_a_marker_says_call() -> None:
    text = '<tool_call>{"name": "anything", "arguments": {"a": 1}}</tool_call>'
    (call,) = toolpost.extract_calls(text).calls
    assert (call.name, call.arguments) == ("anything", {"a": 1})
    assert toolpost.extract_calls(W).text == W
    assert toolpost.extract_calls(W, dialect="bare_json").calls[0].name == "get_weather"
